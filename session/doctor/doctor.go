// Package doctor examines how far a client gets on its way to a server: from
// the name and the certificate to the first listing, or from the working folder
// and the file of a program to its first answer.
//
// It has no way of its own to connect: a session connects, over the links that
// every session uses, and the doctor watches. What it finds is a table of steps,
// each with its state, its time and, when it failed, the likely cause and what
// to do.
package doctor

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/session"
)

// Status is where a step is.
type Status uint8

// The states of a step.
const (
	Waiting    Status = iota // its turn has not come
	Running                  // on its way
	Passed                   // fine
	Warned                   // fine for now, but Cause says what is odd
	Failed                   // Cause and Fix say why and what to do
	Skipped                  // this server needs no such step
	NotReached               // a step before it failed, or the examination was stopped
)

// Word names the state for a person and for JSON.
func (s Status) Word() string {
	return [...]string{"waiting", "running", "passed", "passed with a warning", "failed", "not needed", "not reached"}[s]
}

// Step is one line of the table.
type Step struct {
	Key    string // stable: "dns", "tls", "program", ...
	Title  string
	Status Status
	Detail string        // what was found
	Lines  []string      // what the server printed or sent, bounded
	Cause  string        // of a failure or a warning, one sentence
	Fix    string        // what to do about it, one sentence
	Took   time.Duration // 0 when there is nothing to time
}

// Report is the table, as it is now or as it was at the end. Secrets of the
// target are masked in all its texts.
type Report struct {
	Target  string // command line or address
	Dir     string // working folder, "" for the program's own
	Started time.Time
	Took    time.Duration
	Steps   []Step
	Over    bool // nothing will change any more
	Stopped bool // by the context
}

// Fault is the first step that failed, nil if none did.
func (r Report) Fault() *Step { return r.first(Failed) }

// Warning is the first step with a warning, nil if there is none.
func (r Report) Warning() *Step { return r.first(Warned) }

func (r Report) first(s Status) *Step {
	if i := slices.IndexFunc(r.Steps, func(st Step) bool { return st.Status == s }); i >= 0 {
		return &r.Steps[i]
	}
	return nil
}

// Summary is the outcome in one sentence.
func (r Report) Summary() string {
	warnings := 0
	for _, s := range r.Steps {
		if s.Status == Warned {
			warnings++
		}
	}
	switch fault := r.Fault(); {
	case r.Stopped:
		return "The check was stopped."
	case !r.Over:
		return "The check is running."
	case fault != nil:
		return "The connection fails at: " + fault.Title + "."
	case warnings == 1:
		return "The connection works, with one warning."
	case warnings > 1:
		return fmt.Sprintf("The connection works, with %d warnings.", warnings)
	}
	return "The connection works."
}

// Options tune an examination. The zero value is fine.
type Options struct {
	Client       protocol.Implementation
	Capabilities protocol.ClientCapabilities
	ProbeTimeout time.Duration // as in session.Options
	InitTimeout  time.Duration // likewise; more for commands that may have to download first
	ListTimeout  time.Duration // for the first listing; default 30 s
	App          string        // program and version, for the recording's header
	Record       string        // file that keeps the traffic, which must not exist; "" for none
	// Changed gets the table whenever it changed, from any goroutine, one call at
	// a time. It must not block.
	Changed func(Report)
}

const defaultListTimeout = 30 * time.Second

// Examine checks the way to t, step by step, and returns when it is through or
// ctx has ended, with everything that it started at an end. The error says that
// the examination itself could not be done, never that the server is at fault.
func Examine(ctx context.Context, t session.Target, o Options) (Report, error) {
	if o.ListTimeout <= 0 {
		o.ListTimeout = defaultListTimeout
	}
	x := newExam(t, o)
	path := o.Record
	if path == "" {
		dir, err := os.MkdirTemp("", "mcploupe-check-")
		if err != nil {
			return x.report(), fmt.Errorf("make a folder for the traffic of the check: %w", err)
		}
		defer func() { _ = os.RemoveAll(dir) }() // in the system's folder for such things
		path = filepath.Join(dir, "check"+recorder.Ext)
	}
	log, err := recorder.Create(path, t.RecordingHeader(o.App))
	if err != nil {
		return x.report(), fmt.Errorf("record the traffic of the check: %w", err)
	}
	x.log = log
	if t.Command != "" {
		x.stdio(ctx)
	} else {
		x.http(ctx)
	}
	x.over(ctx)
	if err := log.Close(); err != nil && o.Record != "" {
		return x.report(), fmt.Errorf("record the traffic of the check: %w", err)
	}
	return x.report(), nil
}

// exam is one examination.
type exam struct {
	t    session.Target
	o    Options
	mask *recorder.Masker
	log  *recorder.Log

	telling sync.Mutex // held while Changed runs; taken before mu
	mu      sync.Mutex
	r       Report
	began   map[string]time.Time
	way     way
}

func newExam(t session.Target, o Options) *exam {
	x := &exam{t: t, o: o, mask: recorder.NewMasker(), began: map[string]time.Time{}}
	for _, e := range t.Env {
		x.mask.Env(e.Name, e.Value, e.Secret)
	}
	for _, h := range t.Headers {
		x.mask.Header(h.Name, h.Value)
	}
	for _, secret := range append(slices.Clone(t.Secrets), t.Bearer) {
		if secret != "" {
			x.mask.Add(secret)
		}
	}
	x.r = Report{Target: x.masked(t.String()), Dir: t.Dir, Started: time.Now(), Steps: plan(t)}
	return x
}

// plan lists the steps in their order.
func plan(t session.Target) []Step {
	titles := [][2]string{
		{stepAddress, "Address"}, {stepProxy, "Proxy"}, {stepDNS, "Name (DNS)"}, {stepTCP, "Connection (TCP)"},
		{stepTLS, "Encryption (TLS)"}, {stepAnswer, "HTTP answer"}, {stepRedirect, "Redirect"},
		{stepAuth, "Authorization"}, {stepContent, "Content type"},
	}
	if t.Command != "" {
		titles = [][2]string{
			{stepFolder, "Working folder"}, {stepProgram, "Program"}, {stepFile, "Program file"},
			{stepScript, "Files in the arguments"}, {stepStart, "Start"}, {stepEnv, "Environment"},
			{stepRuns, "Keeps running"}, {stepOutput, "Standard output"}, {stepReply, "First answer"},
		}
	}
	titles = append(titles, [2]string{stepRevision, "Protocol revision"}, [2]string{stepList, "First listing"})
	steps := make([]Step, len(titles))
	for i, t := range titles {
		steps[i] = Step{Key: t[0], Title: t[1]}
	}
	return steps
}

// The keys of the steps.
const (
	stepAddress  = "address"
	stepProxy    = "proxy"
	stepDNS      = "dns"
	stepTCP      = "tcp"
	stepTLS      = "tls"
	stepAnswer   = "http"
	stepRedirect = "redirect"
	stepAuth     = "authorization"
	stepContent  = "content-type"
	stepFolder   = "folder"
	stepProgram  = "program"
	stepFile     = "file"
	stepScript   = "script"
	stepStart    = "start"
	stepEnv      = "environment"
	stepRuns     = "running"
	stepOutput   = "stdout"
	stepReply    = "answer"
	stepRevision = "revision"
	stepList     = "list"
)

// report is a copy of the table.
func (x *exam) report() Report {
	x.mu.Lock()
	defer x.mu.Unlock()
	r := x.r
	r.Steps = slices.Clone(r.Steps)
	if !r.Over {
		r.Took = time.Since(r.Started)
	}
	return r
}

// edit changes a step and tells. A step that has its outcome keeps it unless
// again is set.
func (x *exam) edit(key string, again bool, change func(*Step)) {
	x.telling.Lock()
	defer x.telling.Unlock()
	x.mu.Lock()
	i := slices.IndexFunc(x.r.Steps, func(s Step) bool { return s.Key == key })
	if x.r.Over || i < 0 || !again && x.r.Steps[i].Status > Running {
		x.mu.Unlock()
		return
	}
	s := x.r.Steps[i]
	change(&s)
	s.Detail, s.Cause, s.Fix = x.masked(s.Detail), x.masked(s.Cause), x.masked(s.Fix)
	s.Lines = slices.Clone(s.Lines)
	for j := range s.Lines {
		s.Lines[j] = x.masked(s.Lines[j])
	}
	x.r.Steps[i] = s
	x.mu.Unlock()
	x.tell()
}

// tell hands the table on. telling is held.
func (x *exam) tell() {
	if x.o.Changed != nil {
		x.o.Changed(x.report())
	}
}

func (x *exam) masked(s string) string { return string(x.mask.Text([]byte(s))) }

// begin says that a step is on its way.
func (x *exam) begin(key, detail string) {
	x.mu.Lock()
	if _, has := x.began[key]; !has {
		x.began[key] = time.Now()
	}
	x.mu.Unlock()
	x.edit(key, false, func(s *Step) { s.Status, s.Detail = Running, detail })
}

// took is how long a step has been on its way.
func (x *exam) took(key string) time.Duration {
	x.mu.Lock()
	defer x.mu.Unlock()
	if at, has := x.began[key]; has {
		return time.Since(at)
	}
	return 0
}

func (x *exam) pass(key, detail string) {
	took := x.took(key)
	x.edit(key, false, func(s *Step) { s.Status, s.Detail, s.Took = Passed, detail, took })
}

func (x *exam) skip(key, detail string) {
	x.edit(key, false, func(s *Step) { s.Status, s.Detail = Skipped, detail })
}

// finding is why a step failed or passed with a warning.
type finding struct {
	detail, cause, fix string
	lines              []string
}

func (x *exam) end(key string, status Status, f finding) {
	took := x.took(key)
	x.edit(key, false, func(s *Step) {
		s.Status, s.Detail, s.Cause, s.Fix, s.Lines, s.Took = status, f.detail, f.cause, f.fix, f.lines, took
	})
}

func (x *exam) warn(key string, f finding) { x.end(key, Warned, f) }
func (x *exam) fail(key string, f finding) { x.end(key, Failed, f) }

// judge is end, on top of an outcome that the step may have.
func (x *exam) judge(key string, status Status, f finding) {
	took := x.took(key)
	x.edit(key, true, func(s *Step) {
		if s.Status <= Running {
			s.Took = took
		}
		s.Status, s.Detail, s.Cause, s.Fix, s.Lines = status, f.detail, f.cause, f.fix, f.lines
	})
}

func (x *exam) status(key string) Status {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, s := range x.r.Steps {
		if s.Key == key {
			return s.Status
		}
	}
	return NotReached
}

// over closes the table: what has no outcome was not reached.
func (x *exam) over(ctx context.Context) {
	x.telling.Lock()
	defer x.telling.Unlock()
	x.mu.Lock()
	x.r.Over, x.r.Took = true, time.Since(x.r.Started)
	x.r.Stopped = ctx.Err() != nil
	for i := range x.r.Steps {
		s := &x.r.Steps[i]
		if s.Status > Running {
			continue
		}
		if s.Status == Running && x.r.Stopped {
			s.Detail = "It was stopped here."
		} else {
			s.Detail = ""
		}
		s.Status = NotReached
	}
	x.mu.Unlock()
	x.tell()
}

// open connects and negotiates; the session is to be closed in any case.
func (x *exam) open(ctx context.Context, tune func(*session.Options)) (*session.Session, error) {
	o := session.Options{Log: x.log, Client: x.o.Client, Capabilities: x.o.Capabilities,
		ProbeTimeout: x.o.ProbeTimeout, InitTimeout: x.o.InitTimeout}
	tune(&o)
	s, err := session.Open(ctx, x.t, o)
	if err == nil {
		err = s.Negotiate(ctx)
	}
	return s, err
}

// lastStep is the step of the session that failed, the zero value if none did.
func lastStep(st session.State) session.Step {
	for _, s := range slices.Backward(st.Steps) {
		if s.Status == session.StepFailed {
			return s
		}
	}
	return session.Step{}
}
