package settings

import (
	"maps"
	"slices"
	"time"
)

// maxScreens bounds the screens whose layout is remembered.
const maxScreens = 12

// Layout is the size of the window and where its bars stand, on a screen of one
// size. Split offsets are fractions of their container; 0 means the default.
type Layout struct {
	Width  float32            `json:"width,omitempty"`
	Height float32            `json:"height,omitempty"`
	Splits map[string]float64 `json:"splits,omitempty"`
	Used   time.Time          `json:"used,omitzero"`
}

// Layout is what was kept for a screen, "" for one whose size is not known; for
// one that is new, what was used last on any.
func (w Window) Layout(screen string) Layout {
	if l, ok := w.Screens[screen]; ok {
		return l
	}
	return Layout{Width: w.Width, Height: w.Height, Splits: w.Splits}
}

// SetLayout keeps the layout for a screen, and as the one that was used last.
func (w *Window) SetLayout(screen string, l Layout) {
	w.Width, w.Height, w.Splits = l.Width, l.Height, l.Splits
	if screen == "" {
		return
	}
	w.Screens = maps.Clone(w.Screens)
	if w.Screens == nil {
		w.Screens = map[string]Layout{}
	}
	w.Screens[screen] = l
	for len(w.Screens) > maxScreens {
		oldest := slices.MinFunc(slices.Collect(maps.Keys(w.Screens)), func(a, b string) int {
			return w.Screens[a].Used.Compare(w.Screens[b].Used)
		})
		delete(w.Screens, oldest)
	}
}
