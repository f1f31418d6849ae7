package view

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"mcploupe/recorder"
	"mcploupe/recorder/replay"
	"mcploupe/session"
	"mcploupe/ui/settings"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
)

// VersionRun says what is done with a server so that it can be compared with
// another version of it.
type VersionRun struct {
	Server      settings.Server
	Calls       string // recording whose calls are made again, "" for none
	Destructive bool   // also those of tools that may destroy something
}

// RecordVersion starts a server in a session of its own, lists all it offers,
// makes the calls that are asked for, ends it, and returns the path of the
// recording. say, unless nil, is told from any goroutine what is being done.
func RecordVersion(ctx context.Context, v VersionRun, o ConnOptions, say func(text string)) (path string, err error) {
	c := newConn(o) // for the folder and the options; it never connects
	if say == nil {
		say = func(string) {}
	}
	var plan *replay.Plan
	if v.Calls != "" {
		say("reading the calls")
		calls, err := recorder.OpenToRead(ctx, v.Calls, nil)
		if err != nil {
			return "", fmt.Errorf("read the calls: %w", err)
		}
		defer func() { err = errors.Join(err, calls.Close()) }()
		if plan, err = replay.NewPlan(ctx, calls); err != nil {
			return "", fmt.Errorf("read the calls: %w", err)
		}
	}
	if o.Resolve != nil {
		if v.Server.Target, err = o.Resolve(ctx, v.Server); err != nil {
			return "", err
		}
	}
	log, err := c.newLog(v.Server.Target, v.Server.Target.RecordingHeader(o.App))
	for try := 0; errors.Is(err, fs.ErrExist) && try < 10; try++ { // the other server took the name
		log, err = c.newLog(v.Server.Target, v.Server.Target.RecordingHeader(o.App))
	}
	if err != nil {
		return "", fmt.Errorf("start the recording: %w", err)
	}
	defer func() { err = errors.Join(err, log.Close()) }()
	say("starting")
	options := c.sessionOptions(v.Server, log)
	var sess *session.Session
	if plan != nil {
		sess, err = session.OpenReplay(ctx, v.Server.Target, plan, options)
	} else if sess, err = c.o.Open(ctx, v.Server.Target, options); err == nil {
		err = sess.Negotiate(ctx)
	}
	defer func() { err = errors.Join(err, sess.Close()) }()
	if err != nil {
		return log.Path(), startError(ctx, v.Server.Target, sess, err)
	}
	say("listing what it offers")
	// What went wrong with a list is in the recording: the list counts as not read.
	_ = sess.RefreshAll(ctx)
	if plan != nil {
		if err := playCalls(ctx, plan, sess, v.Destructive, say); err != nil {
			return log.Path(), err
		}
	}
	say("ending")
	return log.Path(), ctx.Err()
}

// playCalls makes the chosen calls of a plan.
func playCalls(ctx context.Context, plan *replay.Plan, sess *session.Session, destructive bool, say func(string)) error {
	plan.Judge(sess.Tools(), destructive)
	all, done := 0, 0
	for _, call := range plan.Calls {
		if call.Chosen && !call.Negotiation {
			all++
		}
	}
	_, err := replay.Run(ctx, plan, sess.ReplayTarget(), replay.RunOptions{OnResult: func(r replay.Result) {
		if r.Outcome != replay.Skipped && !plan.Calls[r.Call].Negotiation {
			done++
			say(fmt.Sprintf("call %s of %s", human.Count(done), human.Count(all)))
		}
	}})
	if err != nil {
		return fmt.Errorf("make the recorded calls: %w", err)
	}
	return nil
}

// startError says why a server could not be started, with its last words.
func startError(ctx context.Context, t session.Target, sess *session.Session, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	text := "start " + TitleOf(t) + ": " + err.Error()
	st := sess.State()
	if st.Exit != nil {
		text += "\nIt ended: " + ExitText(st.Exit) + "."
	}
	if tail := strings.TrimSpace(lastLines(PlainTerminal(st.StderrTail), 1500)); tail != "" {
		text += "\n" + tail
	}
	return errors.New(safe.Text(text, 4000))
}
