package doctor

import (
	"context"
	"strings"
	"testing"
	"time"

	"mcploupe/session"
	"mcploupe/session/sessiontest"
)

// want is what a test expects of a step: its state, and texts that must be in
// what it says.
type want struct {
	step   string
	status Status
	says   []string
}

func is(step string, status Status, says ...string) want { return want{step, status, says} }

// examine checks a target with short limits.
func examine(t *testing.T, target session.Target, o Options) Report {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if o.ProbeTimeout == 0 {
		o.ProbeTimeout, o.InitTimeout, o.ListTimeout = 5*time.Second, 10*time.Second, 5*time.Second
	}
	r, err := Examine(ctx, target, o)
	if err != nil {
		t.Fatal(err)
	}
	if ctx.Err() != nil {
		t.Fatal("the examination took a minute")
	}
	return r
}

// check compares a table with what is expected of it.
func check(t *testing.T, r Report, wants ...want) {
	t.Helper()
	if !r.Over || r.Took <= 0 {
		t.Errorf("over %v, took %v", r.Over, r.Took)
	}
	for _, w := range wants {
		s := stepOf(t, r, w.step)
		text := strings.Join(append([]string{s.Detail, s.Cause, s.Fix}, s.Lines...), "\n")
		if s.Status != w.status {
			t.Errorf("%s %s: %s", w.step, s.Status.Word(), text)
		}
		for _, says := range w.says {
			if !strings.Contains(text, says) {
				t.Errorf("%s does not say %q but: %s", w.step, says, text)
			}
		}
		if s.Status == Failed && (s.Cause == "" || s.Fix == "") {
			t.Errorf("%s failed without a cause or a way out: %+v", w.step, s)
		}
	}
	failed := false
	for _, s := range r.Steps {
		failed = failed || s.Status == Failed
		if s.Status <= Running {
			t.Errorf("%s is %s at the end", s.Key, s.Status.Word())
		}
	}
	if !failed && !r.Stopped && stepOf(t, r, stepList).Status == NotReached {
		t.Errorf("no step failed, and the listing was not reached: %+v", r.Steps)
	}
}

func stepOf(t *testing.T, r Report, key string) Step {
	t.Helper()
	for _, s := range r.Steps {
		if s.Key == key {
			return s
		}
	}
	t.Fatalf("there is no step %s", key)
	return Step{}
}

// command is a target that runs script.
func command(t *testing.T, script sessiontest.Script) session.Target {
	t.Helper()
	c, args, env := script.Command(t)
	target := session.Target{Command: c, Args: args}
	for _, e := range env {
		name, value, _ := strings.Cut(e, "=")
		target.Env = append(target.Env, session.EnvVar{Name: name, Value: value})
	}
	return target
}
