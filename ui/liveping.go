package ui

import (
	"context"
	"slices"
	"strconv"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/session"
	"mcploupe/ui/settings"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/widget"
)

// pingBox shows the round trips of pings where the revision has them, and how
// often the server is pinged.
type pingBox struct {
	conn  *view.Conn
	env   *Env
	root  *fyne.Container
	graph *pingGraph
	words *widget.Label
	warns *widget.Label
	every *widget.Select
	now   *widget.Button
}

// pingEvery are the intervals that can be chosen, in seconds.
var pingEvery = []int64{0, 1, 5, 15, 30, 60, 300}

func newPingBox(c *view.Conn, env *Env) *pingBox {
	b := &pingBox{conn: c, env: env, graph: newPingGraph(), words: widget.NewLabel(""), warns: widget.NewLabel("")}
	b.words.Wrapping, b.warns.Wrapping = fyne.TextWrapWord, fyne.TextWrapWord
	b.words.Importance, b.warns.Importance = widget.LowImportance, widget.WarningImportance
	var options []string
	for _, s := range pingEvery {
		options = append(options, pingWord(s))
	}
	b.every = widget.NewSelect(options, nil)
	b.now = quiet("Ping now", fynetheme.ViewRefreshIcon(), func() {
		env.withSession(c, "The ping was not answered", func(ctx context.Context, sess *session.Session) error {
			_, err := sess.Ping(ctx)
			return err
		})
	})
	b.root = container.NewVBox(heading("Round trip"), widget.Border(nil, nil, container.New(&fixedWidth{176}, b.every), b.now), b.graph, b.words, b.warns)
	b.root.Hide()
	return b
}

// pingWord says how often that is.
func pingWord(seconds int64) string {
	switch {
	case seconds == 0:
		return "no keep-alive"
	case seconds >= 60 && seconds%60 == 0:
		return "ping every " + strconv.FormatInt(seconds/60, 10) + " min"
	}
	return "ping every " + strconv.FormatInt(seconds, 10) + " s"
}

// refresh brings the box up to date.
func (b *pingBox) refresh() {
	st := b.conn.State()
	s := view.PingsOf(st)
	setHidden(b.root, !s.Offered)
	if !s.Offered {
		return
	}
	chosen := pingWord(b.conn.Server().Live.KeepAliveMS / 1000)
	if b.every.Selected != chosen {
		b.every.OnChanged = nil
		b.every.SetSelected(chosen)
	}
	b.every.OnChanged = func(string) {
		seconds := pingEvery[max(b.every.SelectedIndex(), 0)]
		b.env.keepServer(b.conn.SetLive(func(l *settings.Live) { l.KeepAliveMS = seconds * 1000 }))
	}
	phase, _ := b.conn.Phase()
	setEnabled(b.now, phase.Live())
	setHidden(b.graph, len(s.Bars) == 0)
	b.graph.set(s.Bars)
	words := s.Words
	if words == "" {
		words = "No ping was sent yet."
	}
	say(b.words, words)
	say(b.warns, s.Trouble)
}

// pingGraph draws a line for each ping, as high as it took; one that was not
// answered is a cross on the ground.
type pingGraph struct {
	widget.BaseWidget
	bars   []view.PingBar
	ground *canvas.Rectangle
	lines  []*canvas.Line
}

const (
	pingHeight = 44
	pingStep   = 4
)

func newPingGraph() *pingGraph {
	g := &pingGraph{ground: canvas.NewRectangle(nil)}
	g.ExtendBaseWidget(g)
	return g
}

// set shows other pings.
func (g *pingGraph) set(bars []view.PingBar) {
	if slices.Equal(bars, g.bars) {
		return
	}
	g.bars = bars
	g.Refresh()
}

// CreateRenderer implements fyne.Widget.
func (g *pingGraph) CreateRenderer() fyne.WidgetRenderer {
	r := &pingRenderer{g}
	r.Refresh()
	return r
}

type pingRenderer struct{ g *pingGraph }

func (r *pingRenderer) Destroy()           {}
func (r *pingRenderer) MinSize() fyne.Size { return fyne.NewSize(80, pingHeight) }

func (r *pingRenderer) Objects() []fyne.CanvasObject {
	out := []fyne.CanvasObject{r.g.ground}
	for _, l := range r.g.lines {
		out = append(out, l)
	}
	return out
}

// Layout draws the newest pings at the right, as many as there is room for.
func (r *pingRenderer) Layout(size fyne.Size) {
	g := r.g
	g.ground.Resize(size)
	n := min(len(g.bars), int(size.Width/pingStep))
	shown := g.bars[len(g.bars)-n:]
	lines := 0
	put := func(x1, y1, x2, y2, width float32, color fyne.ThemeColorName) {
		if lines == len(g.lines) {
			g.lines = append(g.lines, &canvas.Line{})
		}
		l := g.lines[lines]
		lines++
		l.Hidden, l.StrokeWidth, l.StrokeColor = false, width, theme.Color(color)
		l.Position1, l.Position2 = fyne.NewPos(x1, y1), fyne.NewPos(x2, y2)
	}
	bottom := size.Height - 3
	for i, bar := range shown {
		x := size.Width - float32(n-i)*pingStep + pingStep/2
		if bar.Missed {
			put(x-1.5, 4, x+1.5, 8, 1.5, theme.ColorFailed)
			put(x-1.5, 8, x+1.5, 4, 1.5, theme.ColorFailed)
			continue
		}
		put(x, bottom, x, bottom-max(bar.Share*(size.Height-8), 1), 2, theme.ColorOK)
	}
	for _, l := range g.lines[lines:] {
		l.Hidden = true
	}
}

func (r *pingRenderer) Refresh() {
	r.g.ground.FillColor = theme.Color(theme.ColorPanel)
	r.Layout(r.g.Size())
	canvas.Refresh(r.g)
}
