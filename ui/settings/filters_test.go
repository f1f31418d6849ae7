package settings

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func filterStore(t *testing.T) *Store {
	t.Helper()
	s, err := Load(filepath.Join(t.TempDir(), "settings.json"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestRecentFiltersAreBoundedAndEachThereOnce(t *testing.T) {
	s := filterStore(t)
	remember := func(text string) {
		t.Helper()
		if err := s.RememberFilter(text); err != nil {
			t.Fatal(err)
		}
	}
	for i := range maxRecentFilters + 5 {
		remember(fmt.Sprintf("id:%d", i))
	}
	remember("  id:20 ")
	remember("")
	remember(strings.Repeat("x", maxFilterText+1))
	got := s.Get().Filters.Recent
	if len(got) != maxRecentFilters || got[0] != "id:20" || got[1] != "id:24" || slices.Contains(got[1:], "id:20") {
		t.Errorf("recent %q", got)
	}
	again, err := Load(s.Path())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(again.Get().Filters.Recent, got) {
		t.Errorf("read again: %q", again.Get().Filters.Recent)
	}
	if err := s.ForgetRecentFilters(); err != nil || len(s.Get().Filters.Recent) != 0 {
		t.Errorf("forgotten: %v, %q", err, s.Get().Filters.Recent)
	}
}

func TestFiltersAreSavedRenamedAndDeleted(t *testing.T) {
	s := filterStore(t)
	for _, f := range []SavedFilter{{"slow", "dur>1s"}, {"Bad", "is:error"}, {" SLOW ", "dur>2s"}} {
		if err := s.SaveFilter(f.Name, f.Text); err != nil {
			t.Fatal(err)
		}
	}
	if got := s.Get().Filters.Saved; !slices.Equal(got, []SavedFilter{{"Bad", "is:error"}, {"SLOW", "dur>2s"}}) {
		t.Fatalf("saved %q", got)
	}
	for what, err := range map[string]error{
		"no name":      s.SaveFilter(" ", "x"),
		"no text":      s.SaveFilter("x", " "),
		"long name":    s.SaveFilter(strings.Repeat("x", maxFilterName+1), "x"),
		"long text":    s.SaveFilter("x", strings.Repeat("x", maxFilterText+1)),
		"name taken":   s.RenameFilter("bad", "slow"),
		"nothing here": s.RenameFilter("none", "y"),
	} {
		if err == nil {
			t.Errorf("%s: no error", what)
		}
	}
	if err := s.RenameFilter("bad", "BAD"); err != nil {
		t.Error(err)
	}
	if err := s.RenameFilter("slow", "a"); err != nil {
		t.Error(err)
	}
	if err := s.DeleteFilter("bad"); err != nil {
		t.Error(err)
	}
	if got := s.Get().Filters.Saved; !slices.Equal(got, []SavedFilter{{"a", "dur>2s"}}) {
		t.Errorf("left %q", got)
	}
}

func TestSavedFiltersAreBounded(t *testing.T) {
	s := filterStore(t)
	if err := s.Update(func(x *Settings) {
		for i := range maxSavedFilters {
			x.Filters.Saved = append(x.Filters.Saved, SavedFilter{fmt.Sprintf("f%03d", i), "x"})
		}
	}); err != nil {
		t.Fatal(err)
	}
	if err := s.SaveFilter("more", "x"); err == nil {
		t.Error("one more than the bound is kept")
	}
	if err := s.SaveFilter("f007", "y"); err != nil {
		t.Errorf("one that is there is not replaced: %v", err)
	}
}
