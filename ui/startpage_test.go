package ui

import (
	"testing"
)

func TestStartPageIsAUsefulFirstScreen(t *testing.T) {
	d := newDesk(t)
	d.shows("Try the demo", "Connect", "Open recording", "Recent servers", "SERVERS")
	if size := d.win.Content().MinSize(); size.Width > 1000 || size.Height > 600 {
		t.Errorf("the window needs %v", size)
	}
}
