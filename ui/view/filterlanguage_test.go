package view

import (
	"strings"
	"testing"

	"mcploupe/recorder"
)

// Every term that the field offers is on the page, and what the page shows as
// written is a filter.
func TestFilterLanguageIsWhole(t *testing.T) {
	page := FilterLanguage()
	keys := recorder.CompleteFilter("", 0, recorder.FilterValues{})
	for _, k := range keys {
		if !strings.Contains(page, "\n  "+k.Text) || !strings.Contains(page, k.Hint) {
			t.Errorf("%s is not on the page", k.Text)
		}
	}
	for _, l := range strings.Split(page, "\n") {
		if n := len([]rune(l)); n > 86 { // what a dialog holds with large texts
			t.Errorf("%d characters: %s", n, l)
		}
	}
	for _, want := range []string{"notification, ", "red, ", "pinned"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	for _, s := range filterSyntax {
		if _, err := recorder.ParseFilter(s[0]); err != nil {
			t.Errorf("%s: %v", s[0], err)
		}
	}
	if len(keys) < 20 {
		t.Errorf("%d terms", len(keys))
	}
}
