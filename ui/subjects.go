package ui

import "slices"

// subjects keeps what was filled in and what came of it, entry by entry,
// within bounds: the forms of the entries used last, and fewer results, which
// may be large.
type subjects struct {
	all  map[string]*subject
	used []string // keys, the one used last at the end
}

// The bounds of subjects.
const (
	maxSubjects = 60
	maxResults  = 12
)

// get returns the subject kept for a key, if any, and notes that it is used.
func (s *subjects) get(key string) *subject {
	kept := s.all[key]
	if kept != nil {
		s.touch(key)
	}
	return kept
}

// put keeps a subject. What has not been used for long goes, but no call that
// is going on.
func (s *subjects) put(key string, sub *subject) {
	if s.all == nil {
		s.all = map[string]*subject{}
	}
	s.all[key] = sub
	s.touch(key)
	results := 0
	for i := len(s.used) - 1; i >= 0; i-- {
		old := s.all[s.used[i]]
		if old.run == nil {
			continue
		}
		if results++; results > maxResults && old.over() {
			old.run = nil
		}
	}
	for i := 0; len(s.used) > maxSubjects && i < len(s.used)-1; {
		if key := s.used[i]; s.all[key].over() {
			delete(s.all, key)
			s.used = slices.Delete(s.used, i, i+1)
			continue
		}
		i++
	}
}

func (s *subjects) touch(key string) {
	if i := slices.Index(s.used, key); i >= 0 {
		s.used = slices.Delete(s.used, i, i+1)
	}
	s.used = append(s.used, key)
}

// over reports that nothing is going on about the subject.
func (s *subject) over() bool {
	if s.run == nil {
		return true
	}
	_, ended := s.run.Outcome()
	return ended
}
