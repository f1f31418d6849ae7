package view

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"mcploupe/session"
	"mcploupe/session/doctor"
	"mcploupe/session/sessiontest"
	"mcploupe/ui/settings"
)

// awaitDoctor waits until a check is as ok wants it.
func awaitDoctor(t *testing.T, d *Doctor, changed <-chan struct{}, ok func(DoctorState) bool) DoctorState {
	t.Helper()
	late := time.After(30 * time.Second)
	for {
		if st := d.State(); ok(st) {
			return st
		}
		select {
		case <-changed:
		case <-late:
			t.Fatalf("the check stays at %+v", d.State())
		}
	}
}

func newTestDoctor(t *testing.T, server settings.Server, o DoctorOptions) (*Doctor, <-chan struct{}) {
	t.Helper()
	changed := make(chan struct{}, 1)
	o.Changed = func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	}
	o.App = "mcploupe test"
	d := NewDoctor(server, o)
	t.Cleanup(func() {
		if err := d.Close(); err != nil {
			t.Error(err)
		}
	})
	return d, changed
}

func TestDoctorShowsWhereAConnectionFails(t *testing.T) {
	command, args, env := sessiontest.Script{Steps: []sessiontest.Step{sessiontest.Stderr("\x1b[31mNOTES_TOKEN is required\x1b[0m\n"), sessiontest.Exit(1)}}.Command(t)
	target := session.Target{Name: "notes", Command: command, Args: args}
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		target.Env = append(target.Env, session.EnvVar{Name: name, Value: value})
	}
	d, changed := newTestDoctor(t, settings.Server{Target: target}, DoctorOptions{})
	if st := d.State(); st.Over || st.Running || st.Title != "Check of notes" {
		t.Errorf("before the check: %+v", st)
	}
	d.Start()
	st := awaitDoctor(t, d, changed, func(st DoctorState) bool { return st.Over && !st.Running })
	if st.Tone != Bad || st.Line != "The connection fails at: Environment." || !strings.Contains(st.Cause, "NOTES_TOKEN") || st.Fix == "" {
		t.Errorf("the outcome is %+v", st)
	}
	if st.Found == "" || st.Said != "NOTES_TOKEN is required" {
		t.Errorf("above the steps stand %q and %q", st.Found, st.Said)
	}
	var words []string
	for _, s := range st.Steps {
		words = append(words, s.Glyph+" "+s.Word)
		if strings.Contains(s.Said, "\x1b") || strings.Contains(s.Said, "[31m") {
			t.Errorf("control characters are shown: %q", s.Said)
		}
	}
	if all := strings.Join(words, ", "); !strings.HasPrefix(all, "✓ passed, ✓ passed, ✓ passed, – not needed, ✓ passed, ✕ failed, ✕ failed, ○ not reached") {
		t.Errorf("the steps are %s", all)
	}
	md := d.Markdown()
	for _, want := range []string{"# Check of the connection to notes", "**The connection fails at: Environment.**", "| ✕ | Environment | failed |", "## Environment: failed", "Likely cause: ", `NOTES\_TOKEN`, "    NOTES_TOKEN is required"} {
		if !strings.Contains(md, want) {
			t.Errorf("the report does not have %q:\n%s", want, md)
		}
	}
}

// A check that is stopped says so, and can be begun again.
func TestDoctorIsStoppedAndBegunAgain(t *testing.T) {
	started := make(chan struct{}, 2)
	examine := func(ctx context.Context, _ session.Target, o doctor.Options) (doctor.Report, error) {
		o.Changed(doctor.Report{Steps: []doctor.Step{{Title: "One", Status: doctor.Running}}})
		started <- struct{}{}
		<-ctx.Done()
		return doctor.Report{Over: true, Stopped: true, Steps: []doctor.Step{{Title: "One", Status: doctor.NotReached}}}, nil
	}
	d, changed := newTestDoctor(t, settings.Server{Target: session.Target{URL: "http://127.0.0.1:1/"}}, DoctorOptions{Examine: examine})
	for range 2 {
		d.Start()
		d.Start() // does nothing
		<-started
		st := awaitDoctor(t, d, changed, func(st DoctorState) bool { return len(st.Steps) == 1 })
		if !st.Running || st.Line != "The check is running." || st.Steps[0].Glyph != "◌" {
			t.Errorf("while it runs: %+v", st)
		}
		d.Stop()
		if st := awaitDoctor(t, d, changed, func(st DoctorState) bool { return !st.Running }); st.Line != "The check was stopped." {
			t.Errorf("stopped: %+v", st)
		}
	}
	if len(started) != 0 {
		t.Error("two checks ran at once")
	}
}

func TestDoctorUsesWhatTheSettingsDoNotHold(t *testing.T) {
	var got session.Target
	examine := func(_ context.Context, target session.Target, _ doctor.Options) (doctor.Report, error) {
		got = target
		return doctor.Report{Over: true}, nil
	}
	server := settings.Server{Target: session.Target{URL: "http://127.0.0.1:1/"}}
	resolve := func(_ context.Context, s settings.Server) (session.Target, error) {
		s.Target.Bearer = "from the keyring"
		return s.Target, nil
	}
	d, changed := newTestDoctor(t, server, DoctorOptions{Examine: examine, Resolve: resolve})
	d.Start()
	awaitDoctor(t, d, changed, func(st DoctorState) bool { return st.Over && !st.Running })
	if got.Bearer != "from the keyring" {
		t.Errorf("checked was %+v", got)
	}
	refuses := func(context.Context, settings.Server) (session.Target, error) {
		return session.Target{}, errors.New("the keyring is locked")
	}
	d, changed = newTestDoctor(t, server, DoctorOptions{Examine: examine, Resolve: refuses})
	d.Start()
	st := awaitDoctor(t, d, changed, func(st DoctorState) bool { return st.Tone == Bad })
	if !strings.Contains(st.Line, "the keyring is locked") || st.Over {
		t.Errorf("without the secrets: %+v", st)
	}
}

// What a server says cannot change the form of the report.
func TestDoctorReportKeepsItsForm(t *testing.T) {
	r := doctor.Report{Target: "http://`x`/", Over: true, Steps: []doctor.Step{
		{Title: "A", Status: doctor.Failed, Detail: "a | b\n# c", Cause: "*d*", Fix: "[e](f)", Lines: []string{"```", "<b>"}}}}
	md := DoctorMarkdown("n", "app", r)
	for _, want := range []string{"`` http://`x`/ ``", `| ✕ | A | failed | a \| b \# c |`, `\*d\*`, `\[e\](f)`, "    ```\n    <b>\n"} {
		if !strings.Contains(md, want) {
			t.Errorf("no %q in\n%s", want, md)
		}
	}
}
