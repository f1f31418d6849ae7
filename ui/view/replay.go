package view

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"mcploupe/recorder"
	"mcploupe/recorder/diff"
	"mcploupe/recorder/replay"
	"mcploupe/ui/settings"
	"mcploupe/ui/view/human"
)

// ReplayPhase is where a replay is.
type ReplayPhase uint8

// The phases of a replay.
const (
	ReplayLoading    ReplayPhase = iota // the recording is being read
	ReplayBroken                        // it cannot be
	ReplayReady                         // the person chooses
	ReplayConnecting                    // the target is being connected to
	ReplayRunning                       // also while it waits for the person
	ReplayEnded                         // there is an outcome, or why there is none
)

// Busy reports whether a run is under way.
func (p ReplayPhase) Busy() bool { return p == ReplayConnecting || p == ReplayRunning }

// ReplayPace is when the next message is sent.
type ReplayPace uint8

// The paces, and what they are called.
const (
	PaceAnswered ReplayPace = iota
	PaceRecorded
	PaceStep
)

// ReplayPaces are the choices, by ReplayPace.
var ReplayPaces = []string{"as fast as answered", "as recorded", "step by step"}

// RevisionRecorded is the first of ReplayRevisions.
const RevisionRecorded = "as recorded"

// ReplayRevisions are the choices for the revision that a recording is replayed
// in.
func ReplayRevisions() []string { return append([]string{RevisionRecorded}, Revisions()...) }

// ReplayOptions are what a replay needs of the program.
type ReplayOptions struct {
	Program string // this program, for recordings of its demo
	Now     func() time.Time
	Changed func() // called from any goroutine, must only mark
}

// Replay plays one recording again against servers, one run after another. It
// has a look of its own at the file, so the tab of the recording may be closed.
// Its methods are safe for concurrent use.
type Replay struct {
	path string
	o    ReplayOptions
	ctx  context.Context // ends with Close
	end  context.CancelFunc
	work sync.WaitGroup

	mu     sync.Mutex
	closed bool
	phase  ReplayPhase
	why    string // in ReplayBroken, and when a run did not come to its end
	read   int64  // bytes of the recording that were looked at
	size   int64
	log    *recorder.Log
	plan   *replay.Plan
	calls  replayList

	pace     ReplayPace
	stop     bool // at the first difference
	keep     bool // the connection stays open
	heads    bool // of HTTP count, and fields of server-sent events
	revision string
	targets  []ReplayTarget
	at       int // of targets
	typed    *ConnectForm
	rules    *diff.RuleSet
	rulesAt  string
	rulesErr string

	run *replayRun // the last one, nil before there was any
}

// NewReplay begins to read the recording at path.
func NewReplay(path string, o ReplayOptions) *Replay {
	r := &Replay{path: path, o: o, revision: RevisionRecorded, typed: NewConnectForm()}
	r.ctx, r.end = context.WithCancel(context.Background())
	r.work.Go(r.load)
	return r
}

// Path is the file of the recording.
func (r *Replay) Path() string { return r.path }

func (r *Replay) load() {
	log, err := recorder.OpenToRead(r.ctx, r.path, func(done, total int64) {
		r.mu.Lock()
		r.read, r.size = done, total
		r.mu.Unlock()
		r.o.Changed()
	})
	var plan *replay.Plan
	if err == nil {
		plan, err = replay.NewPlan(r.ctx, log)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.log = log
	if err != nil {
		r.phase, r.why = ReplayBroken, line(err.Error(), 600)
	} else {
		r.phase, r.plan = ReplayReady, plan
		r.calls = newReplayList(plan)
	}
	r.o.Changed()
}

// Close gives up what is being read or played, ends the connection of the last
// run unless it is to stay open, and lets go of the recording.
func (r *Replay) Close() error {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.end()
	r.Stop()
	r.work.Wait()
	r.mu.Lock()
	run, log, keep := r.run, r.log, r.keep
	r.mu.Unlock()
	var err error
	if run != nil {
		if run.conn != nil && !keep {
			run.conn.Disconnect()
		}
		err = run.close()
	}
	if log != nil {
		err = errors.Join(err, log.Close())
	}
	return err
}

// Go runs f in a goroutine that Close waits for. f must end soon after its context
// does. After Close it does nothing.
func (r *Replay) Go(f func(ctx context.Context)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed {
		r.work.Go(func() { f(r.ctx) })
	}
}

// Title names the recording in tabs, at most 40 runes.
func (r *Replay) Title() string { return TitleOfFile(r.path) }

// Recorded is the server that the recording was made of.
func (r *Replay) Recorded() settings.Server {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.log == nil {
		return settings.Server{}
	}
	return settings.Server{Target: OwnProgram(targetOf(r.log.Header().Target), r.o.Program)}
}

// RecordedRevision is the revision that the recording speaks, "" if unknown.
func (r *Replay) RecordedRevision() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.plan == nil || r.plan.Revision() == nil {
		return ""
	}
	return r.plan.Revision().Name
}

// SetPace chooses when the next message is sent; during a run it holds from the
// next message on.
func (r *Replay) SetPace(p ReplayPace) {
	r.mu.Lock()
	r.pace = p
	r.mu.Unlock()
}

// SetStopAtDifference chooses whether the next run ends at the first difference.
func (r *Replay) SetStopAtDifference(on bool) {
	r.mu.Lock()
	r.stop = on
	r.mu.Unlock()
}

// SetKeepOpen chooses whether the connection stays when the run is over.
func (r *Replay) SetKeepOpen(on bool) {
	r.mu.Lock()
	r.keep = on
	r.mu.Unlock()
}

// SetHeads chooses whether the status and the headers of HTTP and the fields of
// server-sent events count in the next run.
func (r *Replay) SetHeads(on bool) {
	r.mu.Lock()
	r.heads = on
	r.mu.Unlock()
}

// SetRevision takes one of ReplayRevisions.
func (r *Replay) SetRevision(name string) {
	r.mu.Lock()
	r.revision = name
	r.mu.Unlock()
}

// maxRules is the size of a file of rules that is read, in bytes.
const maxRules = 1 << 20

// SetRules reads the file with the rules of what to ignore; "" is none.
func (r *Replay) SetRules(path string) {
	r.mu.Lock()
	r.rules, r.rulesErr, r.rulesAt = nil, "", path
	r.mu.Unlock()
	r.o.Changed()
	if path == "" {
		return
	}
	r.Go(func(context.Context) {
		rules, err := readRules(path)
		r.mu.Lock()
		if r.rulesAt == path {
			if r.rules = rules; err != nil {
				r.rulesErr = line(err.Error(), 300)
			}
		}
		r.mu.Unlock()
		r.o.Changed()
	})
}

func readRules(path string) (*diff.RuleSet, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read the rules: %w", err)
	}
	defer func() { _ = f.Close() }() // it was only read
	text, err := io.ReadAll(io.LimitReader(f, maxRules+1))
	if err != nil {
		return nil, fmt.Errorf("read the rules: %w", err)
	}
	if len(text) > maxRules {
		return nil, fmt.Errorf("the file of rules is larger than %s", human.Bytes(maxRules))
	}
	return diff.ParseRules(text)
}

// RulesNote says what the rules are, or what is wrong with them.
func (r *Replay) RulesNote() (text string, tone Tone) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.rulesAt == "":
		return "none", Muted
	case r.rulesErr != "":
		return r.rulesErr, Bad
	case r.rules == nil:
		return "reading …", Muted
	}
	return human.Plural(len(r.rules.Rules), "rule", "rules"), Plain
}

// ReplayTarget is something that a recording can be played against.
type ReplayTarget struct {
	Label  string
	Server settings.Server
	Typed  bool // what is typed into the field
}

// TypedTarget is what the last of the targets is called.
const TypedTarget = "another: a command line or an address"

// SetTargets gives the targets to choose from: the recorded server when the
// recording names one, which saved tells with its secrets, the saved servers and
// the connections that are open. What is chosen stays chosen.
func (r *Replay) SetTargets(saved []settings.Server, conns []*Conn) {
	recorded := r.Recorded()
	r.mu.Lock()
	defer r.mu.Unlock()
	var was ReplayTarget
	if r.at < len(r.targets) {
		was = r.targets[r.at]
	}
	r.targets = replayTargets(recorded, saved, conns)
	r.at = max(slices.IndexFunc(r.targets, func(t ReplayTarget) bool { return t.Label == was.Label }), 0)
}

func replayTargets(recorded settings.Server, saved []settings.Server, conns []*Conn) []ReplayTarget {
	var all []ReplayTarget
	add := func(label string, s settings.Server) {
		label = line(label, 80)
		for _, t := range all {
			if SameServer(t.Server.Target, s.Target) && (t.Server.ID == s.ID || s.ID == "") {
				return
			}
		}
		base := label
		for n := 2; slices.ContainsFunc(all, func(t ReplayTarget) bool { return t.Label == label }); n++ {
			label = fmt.Sprintf("%s (%d)", base, n)
		}
		all = append(all, ReplayTarget{Label: label, Server: s})
	}
	if recorded.Target.Command != "" || recorded.Target.URL != "" {
		for _, s := range saved {
			if SameServer(s.Target, recorded.Target) {
				recorded = s
				break
			}
		}
		add("the recorded server: "+TitleOf(recorded.Target), recorded)
	}
	for _, s := range saved {
		add("saved: "+TitleOf(s.Target), s)
	}
	for _, c := range conns {
		if phase, _ := c.Phase(); phase != File {
			add("open: "+c.Title(), c.Server())
		}
	}
	return append(all, ReplayTarget{Label: TypedTarget, Typed: true})
}

// Targets are the targets to choose from, and which is chosen.
func (r *Replay) Targets() (labels []string, chosen int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, t := range r.targets {
		labels = append(labels, t.Label)
	}
	return labels, r.at
}

// Choose chooses target i.
func (r *Replay) Choose(i int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if i >= 0 && i < len(r.targets) {
		r.at = i
	}
}

// SetLine takes the text of the field for another target.
func (r *Replay) SetLine(text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.typed.SetLine(text)
}

// Target is the chosen target; note says what is to be known of it. The error is
// for the person.
func (r *Replay) Target() (s settings.Server, note string, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.targets) == 0 {
		return s, "", errors.New("the recording is being read")
	}
	t := r.targets[r.at]
	if t.Typed {
		s, err = r.typed.Server()
		return s, "", err
	}
	return t.Server, missingSecrets(t.Server), nil
}

// missingSecrets names the variables whose values a recording does not hold.
func missingSecrets(s settings.Server) string {
	var names []string
	for _, v := range s.Target.Env {
		if v.Secret && v.Value == "" {
			names = append(names, line(v.Name, 60))
		}
	}
	if len(names) == 0 {
		return ""
	}
	return "Not in the recording: the value of " + strings.Join(names, ", ") + ". Save the server with it, or enter it as NAME=value before a command line."
}

// TargetLine is the chosen target as one line, with what is secret masked.
func (r *Replay) TargetLine() string {
	s, _, err := r.Target()
	if err != nil {
		return ""
	}
	t := s.Target
	t.Env = slices.Clone(t.Env)
	for i := range t.Env {
		if t.Env[i].Secret {
			t.Env[i].Value = "••••••"
		}
	}
	return line(t.CommandLine(), 400)
}
