package view

import (
	"strings"

	"mcploupe/recorder/diff"
	"mcploupe/ui/view/human"
)

// ChangeWeight is how much a change matters; lists of changes go by it.
type ChangeWeight uint8

// The weights, the gravest first.
const (
	BreakingChange   ChangeWeight = iota
	DifferenceChange              // of what was said
	CompatibleChange
	NoteChange   // of an interface or a conversation
	RenameChange // a guess
	changeWeights
)

// ChangeWeights are the weights in the order of the list.
var ChangeWeights = []ChangeWeight{BreakingChange, DifferenceChange, CompatibleChange, NoteChange, RenameChange}

// Glyph is the sign of the weight.
func (w ChangeWeight) Glyph() string { return [...]string{"✕", "≠", "✓", "·", "⇄"}[w] }

// Word is the weight of one change.
func (w ChangeWeight) Word() string {
	return [...]string{"breaking", "difference", "compatible", "note", "renamed?"}[w]
}

// Title names the changes of the weight.
func (w ChangeWeight) Title() string {
	return [...]string{"Breaking", "Differences", "Compatible", "Notes", "Renamed?"}[w]
}

// Tone is the colour of the weight.
func (w ChangeWeight) Tone() Tone { return [...]Tone{Bad, Caution, Good, Muted, Muted}[w] }

// CompareArea is a part of a comparison that a list can be narrowed to.
type CompareArea uint8

// The areas.
const (
	AllAreas CompareArea = iota
	ServerArea
	ToolArea
	ResourceArea
	TemplateArea
	PromptArea
	ConversationArea
)

// CompareAreas are the areas in the order of a menu.
var CompareAreas = []CompareArea{AllAreas, ServerArea, ToolArea, ResourceArea, TemplateArea, PromptArea, ConversationArea}

// Title names the area.
func (a CompareArea) Title() string {
	return [...]string{"Everything", "Server", "Tools", "Resources", "Templates", "Prompts", "Conversation"}[a]
}

var areaOf = map[diff.Area]CompareArea{
	diff.Server: ServerArea, diff.Tools: ToolArea, diff.Resources: ResourceArea, diff.Templates: TemplateArea, diff.Prompts: PromptArea,
}

// ChangeRef says which change of a comparison a row stands for.
type ChangeRef struct {
	Change int // in Result.Interface.Changes, or -1
	Rename int // in Result.Interface.Renames, or -1
	Row    int // in Result.Conversation.Rows, or -1
	Item   int // in its Differences; -1 for the row itself
}

// NoChange stands for none.
var NoChange = ChangeRef{-1, -1, -1, -1}

// change is what the list knows of a change without looking at it.
type change struct {
	ref    ChangeRef
	weight ChangeWeight
	area   CompareArea
}

// ChangeRow is a row of the list of changes.
type ChangeRow struct {
	Heading bool // of the changes of a weight, which it can fold away
	Folded  bool
	Weight  ChangeWeight
	Ref     ChangeRef

	Glyph string
	Tone  Tone
	Title string // of a heading with the count; else what changed
	Text  string // one sentence
}

// ChangeList is the list of the changes by verdict, narrowed to what the person
// asks for. It is for the UI goroutine.
type ChangeList struct {
	c    *Comparison
	all  []change
	rows []changeAt
	refs map[ChangeRef]int // row that shows a change

	off    [changeWeights]bool
	folded [changeWeights]bool
	area   CompareArea
	words  []string
	counts [changeWeights]int // in the area and with the words, whether shown or not
}

// changeAt is a row: a heading when at is -1.
type changeAt struct {
	weight ChangeWeight
	at     int
}

// NewChangeList lists the changes of a comparison; nil has none.
func NewChangeList(c *Comparison) *ChangeList {
	l := &ChangeList{c: c}
	if c == nil {
		return l
	}
	var by [changeWeights][]change
	add := func(x change) { by[x.weight] = append(by[x.weight], x) }
	if r := c.Result.Interface; r != nil {
		for i, ch := range r.Changes {
			w := map[diff.Verdict]ChangeWeight{diff.Breaking: BreakingChange, diff.Compatible: CompatibleChange, diff.Note: NoteChange}[ch.Verdict]
			add(change{ChangeRef{i, -1, -1, -1}, w, areaOf[ch.Area]})
		}
		for i, n := range r.Renames {
			add(change{ChangeRef{-1, i, -1, -1}, RenameChange, areaOf[n.Area]})
		}
	}
	if talk := c.Result.Conversation; talk != nil {
		for i, r := range talk.Rows {
			if r.Kind == diff.OnlyA || r.Kind == diff.OnlyB || r.Moved || r.Kind == diff.Different && len(r.Differences) == 0 {
				add(change{ChangeRef{-1, -1, i, -1}, DifferenceChange, ConversationArea})
			}
			for j, d := range r.Differences {
				w := NoteChange
				if d.Severity == diff.Differs {
					w = DifferenceChange
				}
				add(change{ChangeRef{-1, -1, i, j}, w, ConversationArea})
			}
		}
	}
	for _, w := range ChangeWeights {
		l.all = append(l.all, by[w]...)
	}
	l.list()
	return l
}

// Like makes the list of another comparison with what the person asked for.
func (l *ChangeList) Like(c *Comparison) *ChangeList {
	next := NewChangeList(c)
	next.off, next.folded, next.area, next.words = l.off, l.folded, l.area, l.words
	next.list()
	return next
}

// list finds the rows.
func (l *ChangeList) list() {
	l.rows, l.refs, l.counts = nil, map[ChangeRef]int{}, [changeWeights]int{}
	shown := [changeWeights][]int{}
	for i, x := range l.all {
		if l.area != AllAreas && l.area != x.area || !l.holds(x) {
			continue
		}
		l.counts[x.weight]++
		shown[x.weight] = append(shown[x.weight], i)
	}
	for _, w := range ChangeWeights {
		if len(shown[w]) == 0 || l.off[w] {
			continue
		}
		l.rows = append(l.rows, changeAt{w, -1})
		if l.folded[w] {
			continue
		}
		for _, i := range shown[w] {
			l.refs[l.all[i].ref] = len(l.rows)
			l.rows = append(l.rows, changeAt{w, i})
		}
	}
}

// holds reports whether a change has every word of the filter.
func (l *ChangeList) holds(x change) bool {
	if len(l.words) == 0 {
		return true
	}
	row := l.row(x)
	text := strings.ToLower(row.Title + "\n" + row.Text + "\n" + l.pointer(x))
	for _, w := range l.words {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

func (l *ChangeList) pointer(x change) string {
	switch {
	case x.ref.Change >= 0:
		return l.c.Result.Interface.Changes[x.ref.Change].Pointer
	case x.ref.Item >= 0:
		d := l.c.Result.Conversation.Rows[x.ref.Row].Differences[x.ref.Item]
		return d.Pointer() + d.Inside
	}
	return ""
}

// Len is the number of rows.
func (l *ChangeList) Len() int { return len(l.rows) }

// Total is the number of changes, shown or not.
func (l *ChangeList) Total() int { return len(l.all) }

// Count is the number of changes of a weight that the filter lets through.
func (l *ChangeList) Count(w ChangeWeight) int { return l.counts[w] }

// Shown reports whether changes of a weight are listed.
func (l *ChangeList) Shown(w ChangeWeight) bool { return !l.off[w] }

// Toggle lists the changes of a weight, or not.
func (l *ChangeList) Toggle(w ChangeWeight) {
	l.off[w] = !l.off[w]
	l.list()
}

// Fold folds the changes below a heading away, or opens them.
func (l *ChangeList) Fold(w ChangeWeight) {
	l.folded[w] = !l.folded[w]
	l.list()
}

// SetFilter narrows the list to changes with every word of text.
func (l *ChangeList) SetFilter(text string) {
	l.words = strings.Fields(strings.ToLower(text))
	l.list()
}

// SetArea narrows the list to an area.
func (l *ChangeList) SetArea(a CompareArea) {
	l.area = a
	l.list()
}

// Row is a row of the list.
func (l *ChangeList) Row(i int) ChangeRow {
	at := l.rows[i]
	if at.at < 0 {
		return ChangeRow{
			Heading: true, Folded: l.folded[at.weight], Weight: at.weight, Ref: NoChange,
			Title: at.weight.Title() + " " + human.Count(l.counts[at.weight]), Glyph: at.weight.Glyph(), Tone: at.weight.Tone(),
		}
	}
	return l.row(l.all[at.at])
}

// Find is the row of a change, -1 when it is not listed.
func (l *ChangeList) Find(ref ChangeRef) int {
	if i, ok := l.refs[ref]; ok {
		return i
	}
	return -1
}

// FindRow is the row of the first change of a pair of the conversation, -1 for
// none.
func (l *ChangeList) FindRow(row int) int {
	for i, at := range l.rows {
		if at.at >= 0 && l.all[at.at].ref.Row == row {
			return i
		}
	}
	return -1
}

// FindEntry is the row of the first change of an entry of an interface, -1 for
// none.
func (l *ChangeList) FindEntry(area diff.Area, name string, ordinal int) int {
	for i, at := range l.rows {
		if at.at < 0 {
			continue
		}
		if ref := l.all[at.at].ref; ref.Change >= 0 {
			if ch := l.c.Result.Interface.Changes[ref.Change]; ch.Area == area && ch.Name == name && ch.Ordinal == ordinal {
				return i
			}
		}
	}
	return -1
}

// Step is the next row with a change after row i, or the one before, -1 for
// none.
func (l *ChangeList) Step(i int, forward bool) int {
	by := 1
	if !forward {
		by = -1
		if i < 0 {
			i = len(l.rows)
		}
	}
	for i += by; i >= 0 && i < len(l.rows); i += by {
		if l.rows[i].at >= 0 {
			return i
		}
	}
	return -1
}

const changeRunes = 300

// row describes a change.
func (l *ChangeList) row(x change) ChangeRow {
	out := ChangeRow{Weight: x.weight, Ref: x.ref, Glyph: x.weight.Glyph(), Tone: x.weight.Tone()}
	switch {
	case x.ref.Change >= 0:
		ch := l.c.Result.Interface.Changes[x.ref.Change]
		out.Title, out.Text = entryTitle(ch.Area, ch.Name, ch.Ordinal), line(ch.Text, changeRunes)
	case x.ref.Rename >= 0:
		n := l.c.Result.Interface.Renames[x.ref.Rename]
		out.Title = line(n.From, 80)
		out.Text = line("may be "+n.To+" now: "+human.Count(n.Likeness)+" % alike.", changeRunes)
	default:
		r := l.c.Result.Conversation.Rows[x.ref.Row]
		out.Title = line(rowTitle(r), 120)
		if x.ref.Item >= 0 {
			out.Text = line(shortly(r.Differences[x.ref.Item]), changeRunes)
		} else {
			out.Text = rowSentence(r)
		}
	}
	return out
}

// shortly says a difference with the end of its place first, by which those of
// one message are told apart where there is little room.
func shortly(d diff.Difference) string {
	place := d.Pointer()
	rest, ok := strings.CutPrefix(d.Text, place+" inside `"+d.Inside+"`")
	if ok && d.Inside != "" {
		place = d.Inside
	} else if rest, ok = strings.CutPrefix(d.Text, "`"+place+"`"); !ok || place == "" {
		return d.Text
	}
	steps := strings.Split(place[1:], "/")
	from := len(steps) - 1
	for from > 0 && len(strings.Join(steps[from-1:], "/")) <= shortPlace {
		from--
	}
	short := strings.Join(steps[from:], "/")
	if from > 0 {
		short = "…/" + short
	}
	return short + rest
}

// shortPlace is up to how many bytes a list shows more than the last step of a
// place.
const shortPlace = 20

// entryTitle names what a change of an interface is about.
func entryTitle(area diff.Area, name string, ordinal int) string {
	title := name
	if area == diff.Server && name == "" {
		title = "server"
	}
	if title == "" {
		title = "(no name)"
	}
	if ordinal > 0 {
		title += " #" + human.Count(ordinal+1)
	}
	return line(title, 120)
}

// rowTitle names a row of a conversation.
func rowTitle(r diff.Row) string {
	switch r.Lane {
	case diff.StderrLane:
		return "standard error"
	case diff.StrayLane:
		return "lines that are no messages"
	case diff.EventLane:
		return "event streams besides messages"
	case diff.ExitLane:
		return "end of the process"
	}
	return strings.TrimSpace(r.Method + " " + r.Name)
}

// rowSentence says what became of a row.
func rowSentence(r diff.Row) string {
	what := "It"
	switch {
	case r.Kind == diff.OnlyA:
		return what + " is in A alone."
	case r.Kind == diff.OnlyB:
		return what + " is in B alone."
	case r.Moved && r.Kind == diff.Different:
		return what + " stands in another place, and differs."
	case r.Moved:
		return what + " stands in another place."
	case r.Kind == diff.NotCompared:
		return what + " was not compared."
	case r.Kind == diff.Different:
		return what + " differs."
	}
	return "Both are the same."
}
