package view

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"mcploupe/recorder"
	"mcploupe/recorder/interop"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
)

// ExportScope says which events are exported.
type ExportScope uint8

// The scopes.
const (
	ExportAll      ExportScope = iota
	ExportFiltered             // what the timeline's filter lets through
	ExportSelected             // what is selected in the timeline
)

// Export is what the export dialog holds: which events go into a file of which
// format, and what is masked in them. Its methods belong to one goroutine; what
// Plan and Dry return may be run on another.
type Export struct {
	log      *recorder.Log
	app      string
	filter   *recorder.Filter
	selected []uint64

	Scope  ExportScope
	Format interop.Format
	Masked bool // secrets are masked
	Home   bool // home folders as well

	pointers, words []string
	plan            *recorder.MaskPlan
	off             map[string]bool // what is not masked, by maskKey
}

// NewExport returns an export of all of log with secrets masked. filter is the
// text of the timeline's filter, "" for none; one that is not a filter counts as
// none. selected are the events that are selected.
func NewExport(log *recorder.Log, app, filter string, selected []uint64) *Export {
	e := &Export{log: log, app: app, Format: interop.Recording, Masked: true, off: map[string]bool{}, selected: slices.Clone(selected)}
	slices.Sort(e.selected)
	if strings.TrimSpace(filter) != "" {
		e.filter, _ = recorder.ParseFilter(filter) // the timeline says what is wrong with it
	}
	switch {
	case len(e.selected) > 0:
		e.Scope = ExportSelected
	case e.filter != nil:
		e.Scope = ExportFiltered
	}
	return e
}

// ProposeWhole proposes what the filter lets through, or everything, although
// some events are selected.
func (e *Export) ProposeWhole() {
	if e.Scope = ExportAll; e.filter != nil {
		e.Scope = ExportFiltered
	}
}

// ExportChoice is one choice of a scope or a format.
type ExportChoice[T any] struct {
	Value T
	Label string
}

// Scopes are the scopes that there are.
func (e *Export) Scopes() []ExportChoice[ExportScope] {
	out := []ExportChoice[ExportScope]{{ExportAll, "All " + human.Plural(int(e.log.Len()), "event", "events")}}
	if e.filter != nil {
		out = append(out, ExportChoice[ExportScope]{ExportFiltered, "Those that the filter lets through: " + line(e.filter.String(), 60)})
	}
	if n := len(e.selected); n > 0 {
		label := "The selected event"
		if n > 1 {
			label = "The " + human.Count(n) + " selected events"
		}
		out = append(out, ExportChoice[ExportScope]{ExportSelected, label})
	}
	return out
}

// Formats are the formats that can be written.
func (e *Export) Formats() []ExportChoice[interop.Format] {
	var out []ExportChoice[interop.Format]
	for _, f := range interop.Formats() {
		if f.Export {
			out = append(out, ExportChoice[interop.Format]{f.Format, f.Name})
		}
	}
	return out
}

// Ext is the usual ending of files of the format.
func (e *Export) Ext() string {
	for _, f := range interop.Formats() {
		if f.Format == e.Format && len(f.Ext) > 0 {
			return "." + strings.TrimPrefix(f.Ext[0], ".")
		}
	}
	return ""
}

// Path is where the file goes unless the person says otherwise: beside the
// recording, under a name that is free.
func (e *Export) Path() string {
	return FreeFile(filepath.Dir(e.log.Path()), TitleOfFile(e.log.Path())+"-export", e.Ext())
}

// WithExt is path with the ending of the format in the place of that of another.
func (e *Export) WithExt(path string) string {
	for _, f := range interop.Formats() {
		for _, ext := range f.Ext {
			if stem, ok := strings.CutSuffix(path, "."+strings.TrimPrefix(ext, ".")); ok && filepath.Base(stem) != "" {
				return stem + e.Ext()
			}
		}
	}
	return path
}

// SetOwn sets the pointers and the texts that the person wants masked: pointers
// one a line or with blanks between them, texts one a line. The error says what
// is no pointer.
func (e *Export) SetOwn(pointers, words string) error {
	var found []string
	for _, p := range strings.Fields(pointers) {
		if !strings.HasPrefix(p, "/") {
			return fmt.Errorf("%s is no JSON Pointer: it has to begin with /", line(p, 60))
		}
		found = append(found, p)
	}
	e.pointers, e.words = found, nil
	for w := range strings.Lines(words) {
		if w = strings.TrimSpace(w); w != "" {
			e.words = append(e.words, w)
		}
	}
	return nil
}

// Plan looks for what is masked. The function may run on any goroutine; what it
// returns goes to SetPlan.
func (e *Export) Plan() func(ctx context.Context, progress func(done, total uint64)) (*recorder.MaskPlan, error) {
	log, o := e.log, recorder.MaskOptions{Tokens: e.Masked, Home: e.Masked && e.Home, Pointers: slices.Clone(e.pointers), Words: slices.Clone(e.words)}
	return func(ctx context.Context, progress func(done, total uint64)) (*recorder.MaskPlan, error) {
		o.Progress = progress
		return recorder.PlanMask(ctx, log, o)
	}
}

// SetPlan takes what Plan found. What the person switched off stays so.
func (e *Export) SetPlan(p *recorder.MaskPlan) {
	e.plan = p
	for i := range p.Entries {
		p.Entries[i].Off = e.off[maskKey(p.Entries[i])]
	}
}

// maskKey tells secrets apart from one plan to the next.
func maskKey(m recorder.MaskEntry) string {
	key := fmt.Sprintf("%d\x00%s\x00%d", m.Kind, m.Shown, m.Count)
	if len(m.Places) > 0 {
		key += fmt.Sprintf("\x00%d\x00%s", m.Places[0].Seq, m.Places[0].Where)
	}
	return key
}

// MaskRow is one thing that is masked.
type MaskRow struct {
	Kind  string
	Shown string // its beginning
	Count string
	Where string
	On    bool
	Seq   uint64 // the first event that has it, 0 for the header
}

// Masks lists what is masked, or could be.
func (e *Export) Masks() []MaskRow {
	if e.plan == nil {
		return nil
	}
	rows := make([]MaskRow, len(e.plan.Entries))
	for i, m := range e.plan.Entries {
		r := MaskRow{Kind: m.Kind.String(), Count: human.Plural(m.Count, "place", "places"), On: !m.Off}
		if m.Count == 0 && m.Tag != "" {
			r.Count = "in others" // that are masked as a whole
		}
		if m.Shown != "" {
			r.Shown = strings.TrimSuffix(line(m.Shown, 30), "…") + "…"
		}
		var where []string
		for j, p := range m.Places {
			if j == 3 {
				where = append(where, "…")
				break
			}
			at := "#" + human.Count(p.Seq)
			if p.Seq == 0 {
				at = "header"
			}
			where = append(where, at+" "+line(p.Where, 80))
		}
		if len(m.Places) > 0 {
			r.Seq = m.Places[0].Seq
		}
		r.Where = strings.Join(where, ",  ")
		rows[i] = r
	}
	return rows
}

// Toggle switches the masking of one thing.
func (e *Export) Toggle(i int) {
	m := &e.plan.Entries[i]
	m.Off = !m.Off
	e.off[maskKey(*m)] = m.Off
}

// MaskSummary says how much is masked.
func (e *Export) MaskSummary() string {
	if e.plan == nil {
		return ""
	}
	on, places, off := 0, 0, 0
	for _, m := range e.plan.Entries {
		switch {
		case m.Off:
			off++
		case m.Count > 0:
			on, places = on+1, places+m.Count
		}
	}
	if on+off == 0 {
		return "Nothing was found that would have to be masked."
	}
	text := human.Plural(on, "secret", "secrets") + " in " + human.Plural(places, "place", "places") + " of the recording will be masked"
	if off > 0 {
		text += "; " + human.Count(off) + " will not"
	}
	return text + "."
}

// errNoPlan says that nobody looked for secrets.
var errNoPlan = errors.New("the secrets have not been looked for yet")

// Run returns what writes the export to w; it may run on any goroutine, after
// which nothing of the export may change until it has ended.
func (e *Export) Run() func(ctx context.Context, w io.Writer, progress func(done, total uint64)) (recorder.ExportReport, error) {
	log, format, plan := e.log, e.Format, e.plan
	masking := e.Masked || len(e.pointers)+len(e.words) > 0
	if plan != nil {
		plan = &recorder.MaskPlan{}
		*plan = *e.plan
		plan.Entries = slices.Clone(e.plan.Entries)
	}
	o := recorder.ExportOptions{App: e.app}
	switch e.Scope {
	case ExportFiltered:
		o.Filter = e.filter
	case ExportSelected:
		o.Seqs = e.selected
	}
	return func(ctx context.Context, w io.Writer, progress func(done, total uint64)) (recorder.ExportReport, error) {
		if masking {
			if plan == nil {
				return recorder.ExportReport{}, errNoPlan
			}
			o.Mask = plan
		}
		o.Progress = progress
		return interop.Export(ctx, w, log, format, o)
	}
}

// WhyNot says why an export cannot be written, without what was to be done.
func WhyNot(err error) string {
	why := err.Error()
	if strings.HasPrefix(why, "export as ") {
		_, why, _ = strings.Cut(why, ": ")
	}
	return "It cannot be exported so: " + safe.Text(why, 1000) + "."
}

// Forecast says what would be written, from a report of an export to nowhere.
func Forecast(r recorder.ExportReport) string {
	text := human.Plural(r.Events, "event", "events")
	if r.Marks > 0 {
		text += " with " + human.Plural(r.Marks, "mark", "marks")
	}
	text += ", " + human.Bytes(r.Bytes)
	if r.Masked > 0 {
		text += ", " + human.Plural(r.Masked, "masked place", "masked places")
	}
	text += "."
	if lost := r.Losses(); lost != "" {
		text += " " + safe.Text(lost, 1000) + "."
	}
	return text
}

// Outcome says what was written.
func (e *Export) Outcome(path string, r recorder.ExportReport) string {
	return "Written to " + path + "\n\n" + Forecast(r)
}
