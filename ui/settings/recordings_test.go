package settings

import (
	"path/filepath"
	"slices"
	"testing"
)

// A saved recording is marked until it is deleted, whatever it is called, and
// does not fall off the list as recent ones do.
func TestSavedRecordingsAreKept(t *testing.T) {
	s, err := Load(filepath.Join(t.TempDir(), "settings.json"))
	if err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(s.Remember("a"))
	must(s.SaveRecording("b"))
	must(s.Remember("c"))
	must(s.RenameRecording("b", "b2"))
	must(s.RenameRecording("a", "c")) // took the other's place
	for i := range maxRecent {
		must(s.Remember(string(rune('A' + i))))
	}
	again, err := Load(s.Path())
	if err != nil {
		t.Fatal(err)
	}
	st := again.Get()
	if !slices.Equal(st.Saved, []string{"b2"}) || slices.Contains(st.Recent, "b2") || len(st.Recent) != maxRecent {
		t.Errorf("saved %q, recent %q", st.Saved, st.Recent)
	}
	must(s.SaveRecording("b2"))
	must(s.ForgetRecording("b2"))
	if st := s.Get(); len(st.Saved) != 0 || slices.Contains(st.Recent, "b2") {
		t.Errorf("after deleting: saved %q, recent %q", st.Saved, st.Recent)
	}
	must(s.Update(func(x *Settings) { x.Recent = []string{"x", "y", "x2"} }))
	must(s.RenameRecording("x", "x2"))
	if got := s.Get().Recent; !slices.Equal(got, []string{"x2", "y"}) {
		t.Errorf("recent %q: a name that was there is there twice or lost", got)
	}
}
