package settings

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"mcploupe/ui/view/human"
)

// The bounds of what is kept of filters. Texts that are longer are not kept.
const (
	maxRecentFilters = 20
	maxSavedFilters  = 200
	maxFilterText    = 2000
	maxFilterName    = 80
)

// Filters are the filters of the timeline that are kept.
type Filters struct {
	Recent []string      `json:"recent,omitempty"` // newest first, each once
	Saved  []SavedFilter `json:"saved,omitempty"`  // in the order of their names
}

// SavedFilter is a filter with a name.
type SavedFilter struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// RememberFilter puts a filter at the head of the recent ones. An empty one and
// the newest one are no news.
func (s *Store) RememberFilter(text string) error {
	text = strings.TrimSpace(text)
	if text == "" || len(text) > maxFilterText {
		return nil
	}
	if recent := s.Get().Filters.Recent; len(recent) > 0 && recent[0] == text {
		return nil
	}
	return s.Update(func(x *Settings) {
		f := &x.Filters
		f.Recent = slices.DeleteFunc(f.Recent, func(old string) bool { return old == text })
		f.Recent = slices.Insert(f.Recent, 0, text)
		f.Recent = f.Recent[:min(len(f.Recent), maxRecentFilters)]
	})
}

// ForgetRecentFilters empties the list of recent filters.
func (s *Store) ForgetRecentFilters() error {
	return s.Update(func(x *Settings) { x.Filters.Recent = nil })
}

// SaveFilter keeps a filter under a name; one of that name is replaced.
func (s *Store) SaveFilter(name, text string) error {
	name, text = strings.TrimSpace(name), strings.TrimSpace(text)
	if err := goodFilterName(name); err != nil {
		return err
	}
	switch {
	case text == "":
		return errors.New("an empty filter is not kept")
	case len(text) > maxFilterText:
		return fmt.Errorf("the filter is longer than %s", human.Bytes(maxFilterText))
	}
	saved := s.Get().Filters.Saved
	if len(saved) >= maxSavedFilters && filterAt(saved, name) < 0 {
		return fmt.Errorf("%d filters are kept already: delete one first", maxSavedFilters)
	}
	return s.Update(func(x *Settings) {
		if i := filterAt(x.Filters.Saved, name); i >= 0 {
			x.Filters.Saved[i] = SavedFilter{name, text}
		} else {
			x.Filters.Saved = append(x.Filters.Saved, SavedFilter{name, text})
		}
		sortFilters(x.Filters.Saved)
	})
}

// RenameFilter gives a saved filter another name. It does not take the name of
// another one.
func (s *Store) RenameFilter(from, to string) error {
	to = strings.TrimSpace(to)
	if err := goodFilterName(to); err != nil {
		return err
	}
	saved := s.Get().Filters.Saved
	if filterAt(saved, from) < 0 {
		return fmt.Errorf("there is no saved filter %q", from)
	}
	if at := filterAt(saved, to); at >= 0 && !strings.EqualFold(from, to) {
		return fmt.Errorf("there is a filter %q already", saved[at].Name)
	}
	return s.Update(func(x *Settings) {
		if i := filterAt(x.Filters.Saved, from); i >= 0 {
			x.Filters.Saved[i].Name = to
		}
		sortFilters(x.Filters.Saved)
	})
}

// DeleteFilter forgets a saved filter.
func (s *Store) DeleteFilter(name string) error {
	return s.Update(func(x *Settings) {
		x.Filters.Saved = slices.DeleteFunc(x.Filters.Saved, func(f SavedFilter) bool { return strings.EqualFold(f.Name, name) })
	})
}

func goodFilterName(name string) error {
	switch {
	case name == "":
		return errors.New("a name is needed")
	case len(name) > maxFilterName:
		return fmt.Errorf("the name is longer than %s", human.Bytes(maxFilterName))
	}
	return nil
}

// filterAt finds a saved filter by name, without regard to case; -1 if there is
// none.
func filterAt(saved []SavedFilter, name string) int {
	return slices.IndexFunc(saved, func(f SavedFilter) bool { return strings.EqualFold(f.Name, name) })
}

func sortFilters(saved []SavedFilter) {
	slices.SortStableFunc(saved, func(a, b SavedFilter) int {
		return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
}
