package settings

import "slices"

// maxSaved bounds the recordings that are marked as saved.
const maxSaved = 1000

// SaveRecording marks a recording that the person has given a name: it is never
// deleted by the program itself. It is the newest of the recent ones as well.
func (s *Store) SaveRecording(path string) error {
	return s.Update(func(x *Settings) {
		x.remember(path)
		x.Saved = withFront(x.Saved, path, maxSaved)
	})
}

// RenameRecording follows a file that got another name.
func (s *Store) RenameRecording(from, to string) error {
	return s.Update(func(x *Settings) { x.RenameRecording(from, to) })
}

// RenameRecording is Store.RenameRecording as a part of a change.
func (s *Settings) RenameRecording(from, to string) {
	for _, list := range []*[]string{&s.Recent, &s.Saved} {
		if i := slices.Index(*list, from); i >= 0 {
			*list = slices.DeleteFunc(*list, func(p string) bool { return p == to })
			if i = slices.Index(*list, from); i >= 0 {
				(*list)[i] = to
			}
		}
	}
}

// ForgetRecording takes a recording off the lists.
func (s *Store) ForgetRecording(path string) error {
	return s.Update(func(x *Settings) { x.ForgetRecording(path) })
}

// ForgetRecording is Store.ForgetRecording as a part of a change.
func (s *Settings) ForgetRecording(path string) {
	gone := func(p string) bool { return p == path }
	s.Recent, s.Saved = slices.DeleteFunc(s.Recent, gone), slices.DeleteFunc(s.Saved, gone)
}

func (s *Settings) remember(path string) { s.Recent = withFront(s.Recent, path, maxRecent) }

// withFront is list with path at its head, once, and most entries at most.
func withFront(list []string, path string, most int) []string {
	list = slices.DeleteFunc(list, func(old string) bool { return old == path })
	list = slices.Insert(list, 0, path)
	return list[:min(len(list), most)]
}
