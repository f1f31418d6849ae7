package textview

import "context"

// Find searches for a text in the raw bytes without regard to case, marks all places, and goes to the first at or after
// the caret. An empty text takes the marks away. In a big text the search goes through Run; OnHits says when it is done.
func (v *View) Find(query string) {
	if query == v.query && v.search == nil {
		return
	}
	v.find(query, true)
}

// Seek is Find also for a text that is searched already, as in an Index that is new.
func (v *View) Seek(query string) { v.find(query, true) }

func (v *View) find(query string, show bool) {
	v.stopSearch()
	raw := v.index.raw
	if v.editor != nil {
		raw = []byte(v.editor.Text())
	}
	ctx, cancel := context.WithCancel(context.Background())
	run := func() func() {
		hits, err := Search(ctx, raw, query)
		return func() {
			if err == nil && ctx.Err() == nil {
				v.stopSearch()
				v.setHits(query, hits, show)
			}
		}
	}
	v.search = cancel
	if v.Run != nil && v.index.big() {
		v.Run(run)
	} else {
		run()()
	}
}

func (v *View) stopSearch() {
	if v.search != nil {
		v.search()
		v.search = nil
	}
}

// setHits takes in what was found, and goes to the first place at or after the caret when show is set.
func (v *View) setHits(query string, hits Hits, show bool) {
	v.query, v.hits, v.hit = query, hits, -1
	if len(hits.starts) > 0 {
		v.hit = hits.from(max(0, v.offsetOf(v.caret)))
		if v.hit >= len(hits.starts) {
			v.hit = 0
		}
		if show {
			v.showHit()
		}
	}
	v.Redraw(false)
	v.reportHits()
}

// Step goes to the next or the previous place, around the ends.
func (v *View) Step(forward bool) {
	n := len(v.hits.starts)
	if n == 0 {
		return
	}
	if forward {
		v.hit = (v.hit + 1) % n
	} else {
		v.hit = (v.hit - 1 + n) % n
	}
	v.showHit()
	v.reportHits()
}

// Hit returns which place the search stands on, from 1, and how many there are.
func (v *View) Hit() (n, of int) { return v.hit + 1, v.hits.Count }

func (v *View) showHit() { v.ShowOffset(int(v.hits.starts[v.hit])) }

func (v *View) reportHits() {
	if v.OnHits != nil {
		v.OnHits()
	}
}
