package view

import (
	"context"
	"strings"
	"sync"
	"time"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/session/doctor"
	"mcploupe/ui/settings"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
)

// ExamineFunc checks the way to a server; doctor.Examine is one.
type ExamineFunc func(ctx context.Context, t session.Target, o doctor.Options) (doctor.Report, error)

// DoctorOptions are what a check needs of the program.
type DoctorOptions struct {
	App          string
	Client       protocol.Implementation
	Capabilities protocol.ClientCapabilities
	Limits       settings.Limits // the program's; those of the server win
	Resolve      ResolveFunc     // puts values in place that the settings do not hold; nil leaves the target as it is
	Examine      ExamineFunc     // nil means doctor.Examine
	Changed      func()          // the table changed; called from any goroutine, must only mark
}

// Doctor is the model of a check of a connection. Its methods are safe for
// concurrent use.
type Doctor struct {
	o      DoctorOptions
	server settings.Server

	work sync.WaitGroup
	ctx  context.Context
	end  context.CancelFunc

	mu      sync.Mutex
	report  doctor.Report
	err     string
	running bool
	stop    context.CancelFunc
	turn    int // of checking, so that a late word of an earlier check is dropped
}

// NewDoctor returns a check of server that has not begun.
func NewDoctor(server settings.Server, o DoctorOptions) *Doctor {
	if o.Examine == nil {
		o.Examine = doctor.Examine
	}
	if o.Changed == nil {
		o.Changed = func() {}
	}
	d := &Doctor{o: o, server: server}
	d.ctx, d.end = context.WithCancel(context.Background())
	return d
}

// Server is what is checked.
func (d *Doctor) Server() settings.Server { return d.server }

// Start begins the check, once more if it was done. It does nothing while one is
// running.
func (d *Doctor) Start() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.running || d.ctx.Err() != nil {
		return
	}
	ctx, stop := context.WithCancel(d.ctx)
	d.running, d.stop, d.err, d.report = true, stop, "", doctor.Report{}
	d.turn++
	turn := d.turn
	o := doctor.Options{
		Client: d.o.Client, Capabilities: Declared(d.o.Capabilities, d.server.Off), App: d.o.App,
		ProbeTimeout: limitOf(d.server.Limits.ProbeMS, d.o.Limits.ProbeMS),
		InitTimeout:  limitOf(d.server.Limits.InitMS, d.o.Limits.InitMS),
		Changed:      func(r doctor.Report) { d.take(turn, r) },
	}
	d.work.Go(func() {
		defer stop()
		r, err := d.examine(ctx, o)
		d.mu.Lock()
		d.report, d.running = r, false
		if err != nil {
			d.err = err.Error()
		}
		d.mu.Unlock()
		d.o.Changed()
	})
	d.o.Changed()
}

func (d *Doctor) examine(ctx context.Context, o doctor.Options) (doctor.Report, error) {
	target := d.server.Target
	if d.o.Resolve != nil {
		resolved, err := d.o.Resolve(ctx, d.server)
		if err != nil {
			return doctor.Report{}, err
		}
		target = resolved
	}
	return d.o.Examine(ctx, target, o)
}

func limitOf(own, general int64) time.Duration {
	if own != 0 {
		general = own
	}
	return time.Duration(general) * time.Millisecond
}

func (d *Doctor) take(turn int, r doctor.Report) {
	d.mu.Lock()
	if turn == d.turn {
		d.report = r
	}
	d.mu.Unlock()
	d.o.Changed()
}

// Stop ends a check that is running; the table says how far it came.
func (d *Doctor) Stop() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.running {
		d.stop()
	}
}

// Close ends everything and waits for it.
func (d *Doctor) Close() error {
	d.end()
	d.work.Wait()
	return nil
}

// DoctorState is what the page of a check shows.
type DoctorState struct {
	Title   string
	Glyph   string
	Tone    Tone
	Line    string // the outcome in one sentence
	Found   string // by the first step that failed, or else warns
	Said    string // the last lines of the peer there
	Cause   string
	Fix     string
	Facts   []Fact
	Steps   []Step
	Running bool
	Over    bool // there is a report to copy
}

// State is the table as it is now.
func (d *Doctor) State() DoctorState {
	d.mu.Lock()
	r, err, running := d.report, d.err, d.running
	d.mu.Unlock()
	st := DoctorState{Title: "Check of " + TitleOf(d.server.Target), Running: running, Over: r.Over, Steps: doctorSteps(r.Steps)}
	st.Glyph, st.Tone, st.Line = "◌", Muted, r.Summary()
	switch {
	case err != "":
		st.Glyph, st.Tone, st.Line = "✕", Bad, safe.Text("The check could not be done: "+err, 1000)
	case running || !r.Over:
	case r.Stopped:
		st.Glyph = "–"
	case r.Fault() != nil:
		st.Glyph, st.Tone = "✕", Bad
		st.point(r.Fault())
	case r.Warning() != nil:
		st.Glyph, st.Tone = "!", Caution
		st.point(r.Warning())
		st.Found = strings.TrimSuffix(line(r.Warning().Title, 80)+": "+st.Found, ": ")
	default:
		st.Glyph, st.Tone = "✓", Good
	}
	st.Facts = append(st.Facts, Fact{"Server", line(d.server.Target.String(), 1000)})
	if dir := d.server.Target.Dir; dir != "" {
		st.Facts = append(st.Facts, Fact{"Folder", line(dir, 400)})
	}
	if !r.Started.IsZero() && r.Over {
		st.Facts = append(st.Facts, Fact{"Checked", human.Date(r.Started.Local()) + ", in " + human.Duration(r.Took)})
	}
	return st
}

// saidAtTop is how many lines of a peer stand above the steps.
const saidAtTop = 6

// point puts the step that matters above the table, which is longer than a
// window is high; the table keeps what it found.
func (st *DoctorState) point(s *doctor.Step) {
	st.Found, st.Cause, st.Fix = safe.Text(s.Detail, 1000), safe.Text(s.Cause, 1000), safe.Text(s.Fix, 1000)
	st.Said = saidLines(s.Lines[max(0, len(s.Lines)-saidAtTop):])
	for i, row := range st.Steps {
		if row.Title == line(s.Title, 80) {
			st.Steps[i].Cause, st.Steps[i].Advice = "", ""
		}
	}
}

// Markdown is the report of the check for others; secrets are masked.
func (d *Doctor) Markdown() string {
	d.mu.Lock()
	r := d.report
	d.mu.Unlock()
	return DoctorMarkdown(TitleOf(d.server.Target), d.o.App, r)
}

// doctorSteps are the rows of a table.
func doctorSteps(steps []doctor.Step) []Step {
	out := make([]Step, len(steps))
	for i, s := range steps {
		row := Step{Title: line(s.Title, 80), Detail: safe.Text(s.Detail, 2000), Cause: safe.Text(s.Cause, 1000),
			Advice: safe.Text(s.Fix, 1000), Said: saidLines(s.Lines), Word: s.Status.Word()}
		if s.Took >= time.Microsecond {
			row.Took = human.Duration(s.Took)
		}
		row.Glyph, row.Tone = doctorGlyph(s.Status)
		out[i] = row
	}
	return out
}

func doctorGlyph(s doctor.Status) (string, Tone) {
	switch s {
	case doctor.Running:
		return "◌", Muted
	case doctor.Passed:
		return "✓", Good
	case doctor.Warned:
		return "!", Caution
	case doctor.Failed:
		return "✕", Bad
	case doctor.Skipped:
		return "–", Muted
	}
	return "○", Muted
}

// saidLines are lines of a peer as one text.
func saidLines(lines []string) string {
	safely := make([]string, len(lines))
	for i, l := range lines {
		safely[i] = line(PlainTerminal(l), 400)
	}
	return strings.Join(safely, "\n")
}
