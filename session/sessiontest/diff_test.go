package sessiontest

import (
	"strings"
	"testing"
)

func TestDiffMarksWhatDiffers(t *testing.T) {
	same := strings.Repeat("x", 500)
	got := Diff("a\n"+same+"b", "a\r\n"+same+"c")
	if !strings.Contains(got, `{+\r+}`) || !strings.Contains(got, "[-b-]") || !strings.Contains(got, "{+c+}") {
		t.Errorf("%s", got)
	}
	if len(got) > 200 {
		t.Errorf("%d bytes for three changes", len(got))
	}
	if same := Diff("same", "same"); same != "same" {
		t.Errorf("%s", same)
	}
}
