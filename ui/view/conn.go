// Package view holds the view models of the window: strings, rows, flags,
// selection and errors, cut and made safe, so that widgets only copy.
//
// Nothing here imports a widget toolkit or waits for one. Models are told that
// something happened through callbacks which must only mark (see package
// ui/pump); the window then calls the model's Take once for many marks. What
// the person does comes in as method calls; those that take time run in
// goroutines which the model owns and which its Close waits for.
package view

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"time"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/session"
	"mcploupe/ui/settings"
)

// Phase is where a connection is, as the person sees it.
type Phase uint8

// The phases of a connection tab.
const (
	Idle         Phase = iota // made, not connected yet
	Connecting                // being made or negotiated; can be cancelled
	Connected                 // requests may be sent
	Closing                   // the person disconnected; the server is being ended
	Disconnected              // ended by the person
	Failed                    // never became ready
	Lost                      // was ready, then the server or the link went away
	File                      // a recording without a server
)

var phaseWords = [...]string{"not connected", "connecting", "connected", "disconnecting", "disconnected", "failed", "lost", "recording"}

// Word names the phase for a person.
func (p Phase) Word() string { return phaseWords[p] }

var phaseGlyphs = [...]string{"○", "◌", "●", "◌", "○", "✕", "✕", "▤"}

// Glyph is a sign for the phase whose shape differs, not only its colour.
func (p Phase) Glyph() string { return phaseGlyphs[p] }

// Live reports whether there is a session with a running server.
func (p Phase) Live() bool { return p == Connected }

// Busy reports whether the connection is on its way up or down.
func (p Phase) Busy() bool { return p == Connecting || p == Closing }

// ErrNotGiven is what a ResolveFunc returns when the person did not give the
// values that it asked for. The attempt is over then, and nothing has failed.
var ErrNotGiven = errors.New("it needs values that were not given")

const notGiven = "Nothing was started or sent: it needs values that were not given."

// OpenFunc makes a session; session.Open is one.
type OpenFunc func(ctx context.Context, t session.Target, o session.Options) (*session.Session, error)

// ResolveFunc makes the target of a saved server: settings.Resolver.Resolve is
// one. It may wait for a person until its context ends.
type ResolveFunc func(ctx context.Context, s settings.Server) (session.Target, error)

// ConnOptions are what a connection needs of the program.
type ConnOptions struct {
	// Fresh gives what RecordingDir and Limits are to be whenever they are needed,
	// for what may be changed meanwhile; nil leaves them as they are here.
	Fresh func() (recordingDir string, limits settings.Limits)

	RecordingDir string // folder for the recording; made when missing
	App          string // program and version, for the recording's header
	Client       protocol.Implementation
	Capabilities protocol.ClientCapabilities
	Limits       settings.Limits                               // the program's; those of the server win
	Now          func() time.Time                              // names the recording
	Resolve      ResolveFunc                                   // puts values in place that the settings do not hold; nil leaves the target as it is
	Open         OpenFunc                                      // nil means session.Open; one that gives a ready session is not negotiated again
	Ready        func(ctx context.Context, s *session.Session) // what is done once it is ready; nil means to read the lists
	Changed      func()                                        // the session's state changed; called from any goroutine, must only mark
	Grown        func()                                        // the recording grew; likewise
}

// now are the folder and the limits that are in force.
func (o ConnOptions) now() (recordingDir string, limits settings.Limits) {
	if o.Fresh != nil {
		return o.Fresh()
	}
	return o.RecordingDir, o.Limits
}

// Conn is one connection: a server, the session with it while there is one,
// and the recording, which outlives the session and a reconnect. Its methods
// are safe for concurrent use.
type Conn struct {
	o ConnOptions

	ctx  context.Context // ends with Close
	end  context.CancelFunc
	work sync.WaitGroup // everything started with Go
	logs sync.Mutex     // held while another recording is put in place; taken before mu

	mu     sync.Mutex
	closed bool
	server settings.Server
	log    *recorder.Log
	aside  string         // why log is not in the folder for recordings, "" when it is
	watch  func()         // ends the watch of log
	lists  *recordedLists // of a recording without a server, nil before they are read
	report *ImportReport  // how the recording came about, nil when it was recorded
	sess   *session.Session
	phase  Phase
	err    string
	state  session.State
	made   int                // connections that became ready
	regain restored           // what the next session takes up, and what the last one did
	cancel context.CancelFunc // ends the attempt or the session that came of it
}

// NewConn returns a connection to server that is not connected yet.
func NewConn(server settings.Server, o ConnOptions) *Conn {
	c := newConn(o)
	c.server = server
	c.state.Target = server.Target
	return c
}

func newConn(o ConnOptions) *Conn {
	if o.Open == nil {
		o.Open = session.Open
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Changed == nil {
		o.Changed = func() {}
	}
	if o.Grown == nil {
		o.Grown = func() {}
	}
	c := &Conn{o: o}
	c.ctx, c.end = context.WithCancel(context.Background())
	return c
}

// Server is what the connection is made to.
func (c *Conn) Server() settings.Server {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.server
}

// SetServer changes what the next Connect goes to. A different target starts a
// new recording.
func (c *Conn) SetServer(s settings.Server) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.server = s
}

// Session is the current session, nil when there is none. It may be one that
// has ended.
func (c *Conn) Session() *session.Session {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sess
}

// Log is the recording, nil before the first Connect.
func (c *Conn) Log() *recorder.Log {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.log
}

// Phase is where the connection is, and why when it failed or was lost.
func (c *Conn) Phase() (p Phase, why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.phase, c.err
}

// Made counts the connections that became ready, those that were lost at once
// as well: a window that looks now and then may never see Connected itself.
func (c *Conn) Made() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.made
}

// State is the snapshot of the session that the last Take took. It is kept
// when the session is gone. Its slices are shared: do not change them.
func (c *Conn) State() session.State {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.state
}

// Context ends when the connection is closed. Work for one session should end
// when the session does as well; Session.Do sees to that by itself.
func (c *Conn) Context() context.Context { return c.ctx }

// Go runs f in a goroutine that Close waits for. f must end soon after its
// context does. After Close it does nothing.
func (c *Conn) Go(f func(ctx context.Context)) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return
	}
	c.work.Go(func() { f(c.ctx) })
}

// Take brings the snapshot up to date. The window calls it once a flush,
// before it refreshes panes.
func (c *Conn) Take() {
	c.mu.Lock()
	sess := c.sess
	c.mu.Unlock()
	if sess == nil {
		return
	}
	st := sess.State()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sess != sess {
		return
	}
	c.state = st
	if c.phase == Connected && (st.Phase == session.Failed || st.Phase == session.Closed) {
		c.phase, c.err = Lost, st.Err
		c.release(sess)
	}
}

// release ends a session that is no use any more, without waiting for it.
// c.mu is held.
func (c *Conn) release(sess *session.Session) {
	if c.closed {
		return
	}
	stop := c.cancel
	c.work.Go(func() {
		c.note(sess.Close())
		if stop != nil {
			stop()
		}
		c.o.Changed()
	})
}

// note keeps the first error of an ending session in sight.
func (c *Conn) note(err error) {
	if err == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == "" {
		c.err = err.Error()
	}
}

// Connect starts to make the connection. It does nothing while one is there,
// on its way, or for a recording without a server.
func (c *Conn) Connect() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed || c.phase == File || c.phase.Busy() || c.phase.Live() {
		return
	}
	c.start()
}

// Reconnect ends the session, if any, and makes a new one. The recording goes
// on in the same file.
func (c *Conn) Reconnect() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed || c.phase == File || c.phase.Busy() {
		return
	}
	c.start()
}

// start begins an attempt. c.mu is held.
func (c *Conn) start() {
	old, oldStop := c.sess, c.cancel
	ctx, stop := context.WithCancel(c.ctx)
	c.gather()
	c.phase, c.err, c.sess = Connecting, "", nil
	c.state = session.State{Target: c.server.Target}
	c.cancel = stop
	c.work.Go(func() {
		if old != nil {
			c.note(old.Close())
			if oldStop != nil {
				oldStop()
			}
		}
		c.attempt(ctx)
	})
	c.o.Changed()
}

// startRecording begins the reason of an attempt that could not be recorded.
const startRecording = "start the recording"

// attempt makes the recording and the session, negotiates and lists.
func (c *Conn) attempt(ctx context.Context) {
	server := c.Server()
	if c.o.Resolve != nil {
		t, err := c.o.Resolve(ctx, server)
		if err != nil {
			c.fail(ctx, nil, err)
			return
		}
		server.Target = t // of this attempt alone: it holds secrets
	}
	log, err := c.recording(server.Target)
	if err != nil {
		c.fail(ctx, nil, fmt.Errorf(startRecording+": %w", err))
		return
	}
	options := c.sessionOptions(server, log)
	options.Restore = c.takeUp(server)
	sess, err := c.o.Open(ctx, server.Target, options)
	c.adopt(ctx, sess)
	if err != nil {
		c.fail(ctx, sess, err)
		return
	}
	if sess.State().Phase != session.Ready {
		if err := sess.Negotiate(ctx); err != nil {
			c.fail(ctx, sess, err)
			return
		}
	}
	c.mu.Lock()
	if c.sess == sess && c.phase == Connecting {
		c.phase = Connected
		c.made++
		c.regain.done()
	}
	c.mu.Unlock()
	c.o.Changed()
	if c.o.Ready != nil {
		c.o.Ready(ctx, sess)
		return
	}
	// The state of each listing says what went wrong with it.
	_ = sess.RefreshAll(ctx)
	c.o.Changed()
}

// adopt makes sess the current session and watches it.
func (c *Conn) adopt(ctx context.Context, sess *session.Session) {
	c.mu.Lock()
	c.sess = sess
	c.mu.Unlock()
	wake, stop := sess.Watch()
	c.Go(func(context.Context) {
		defer stop()
		for {
			select {
			case <-wake:
				c.o.Changed()
			case <-ctx.Done():
				return
			}
		}
	})
	c.o.Changed()
}

// fail ends an attempt. The snapshot of what was reached is kept.
func (c *Conn) fail(ctx context.Context, sess *session.Session, err error) {
	if sess != nil {
		err = errors.Join(err, sess.Close())
	}
	c.mu.Lock()
	if c.sess == sess {
		if sess != nil {
			c.state = sess.State()
		}
		c.phase, c.err = Failed, reason(err)
		switch {
		case ctx.Err() != nil:
			c.phase, c.err = Disconnected, "cancelled"
		case errors.Is(err, ErrNotGiven) && c.made == 0:
			c.phase, c.err = Idle, notGiven
		case errors.Is(err, ErrNotGiven):
			c.phase, c.err = Disconnected, notGiven
		}
		if c.cancel != nil {
			c.cancel()
		}
	}
	c.mu.Unlock()
	c.o.Changed()
}

// Disconnect ends the session in its orderly way, or the attempt to make one.
func (c *Conn) Disconnect() {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.closed:
	case c.phase == Connecting:
		c.cancel()
	case c.phase == Connected:
		sess, stop := c.sess, c.cancel
		c.phase, c.err = Closing, ""
		c.work.Go(func() {
			err := sess.Close()
			stop()
			c.mu.Lock()
			c.state = sess.State()
			c.phase, c.err = Disconnected, reason(err)
			c.mu.Unlock()
			c.o.Changed()
		})
		c.o.Changed()
	}
}

// Close ends everything: the session in its orderly way, all work started with
// Go, and then the recording. The file stays. It is idempotent.
func (c *Conn) Close() error {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		c.work.Wait()
		return nil
	}
	c.closed = true
	sess := c.sess
	c.mu.Unlock()
	var err error
	if sess != nil {
		err = sess.Close()
	}
	c.end()
	c.work.Wait()
	if late := c.Session(); late != nil && late != sess { // made while this was closing
		err = errors.Join(err, late.Close())
	}
	if log := c.Log(); log != nil {
		err = errors.Join(err, log.Close())
	}
	return err
}

// Path is the recording's file, "" before there is one.
func (c *Conn) Path() string {
	if log := c.Log(); log != nil {
		return log.Path()
	}
	return ""
}

// Title is the name of the connection for tabs and lists, at most 40 runes.
func (c *Conn) Title() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.phase == File {
		return TitleOfFile(c.log.Path())
	}
	return TitleOf(c.server.Target)
}

// TitleOfFile is the short name of a recording file.
func TitleOfFile(path string) string {
	return line(trimRecordingExt(filepath.Base(path)), titleRunes)
}

// reason is the text of an error, "" for nil.
func reason(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
