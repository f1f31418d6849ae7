package textdiff

// Side says which lines of a row an item shows.
type Side uint8

// The sides.
const (
	Both Side = iota
	Left
	Right
)

// Item is one line of a view: a row or one side of it, or what stands for
// unchanged rows that are folded.
type Item struct {
	Row  int  // the first one of a fold
	Fold int  // number of rows that are folded here, 0 for a row
	Side Side // of a row
}

// Unfold is the set of folds that were opened, by their first row.
type Unfold map[int]bool

// Items lists what a view shows: unchanged rows further than context from a
// change are folded unless opened. In a unified view a change shows the lines
// that went before those that came.
func (d *Diff) Items(unified bool, context int, opened Unfold) []Item {
	var out []Item
	at := 0
	same := func(to int, first, last bool) {
		head, tail := at+context, to-context
		if first {
			head = at
		}
		if last {
			tail = to
		}
		if context < 0 || tail-head < 2 || opened[head] { // a fold of one line saves nothing
			head, tail = to, to
		}
		for ; at < head; at++ {
			out = append(out, Item{Row: at})
		}
		if tail > head {
			out = append(out, Item{Row: head, Fold: tail - head})
		}
		for at = max(at, tail); at < to; at++ {
			out = append(out, Item{Row: at})
		}
	}
	for i, c := range d.Changes {
		same(c.From, i == 0, false)
		if !unified {
			for r := c.From; r < c.To; r++ {
				out = append(out, Item{Row: r})
			}
		} else {
			for r := c.From; r < c.To; r++ {
				if d.Rows[r].Left.Number != 0 {
					out = append(out, Item{Row: r, Side: Left})
				}
			}
			for r := c.From; r < c.To; r++ {
				if d.Rows[r].Right.Number != 0 {
					out = append(out, Item{Row: r, Side: Right})
				}
			}
		}
		at = c.To
	}
	same(len(d.Rows), len(d.Changes) == 0, true)
	return out
}
