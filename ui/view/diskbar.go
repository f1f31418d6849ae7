package view

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"

	"mcploupe/recorder"
	"mcploupe/session"
	"mcploupe/ui/view/human"
)

// BarDoes is what the button of a bar does.
type BarDoes uint8

// What the buttons do.
const (
	BarConnects      BarDoes = iota // or cancels that
	BarNewRecording                 // begins a new recording
	BarCopyRecording                // writes what is recorded to another file
)

// diskBar says that the recording cannot be written as it should; nil when it
// can.
func diskBar(c *Conn) *Bar {
	log := c.Log()
	if log == nil {
		return nil
	}
	t, _ := log.Trouble()
	b := &Bar{Glyph: "!", Tone: Bad}
	switch {
	case t.Stopped:
		b.Text = fmt.Sprintf("The recording has stopped: %s. %s not in the file: %s in memory, %s lost.",
			diskReason(t.Err), human.Plural(t.Waiting+t.Lost, "event is", "events are"), human.Count(t.Waiting), human.Count(t.Lost))
		b.Detail = "The session goes on. Make room on the disk and begin a new recording, or save a copy of what there is."
		b.Action, b.Does = "New recording", BarNewRecording
	case t.Failing && t.Waiting > 0:
		b.Tone = Caution
		b.Text = fmt.Sprintf("The recording cannot be written: %s. %s in memory (%s).",
			diskReason(t.Err), human.Plural(t.Waiting, "event waits", "events wait"), human.Bytes(t.Bytes))
		b.Detail = "The session goes on, and nothing is lost yet. Make room on the disk of " + filepath.Dir(log.Path()) + ": then what waits is written."
	case t.Failing:
		b.Text = "The file of the recording was removed from its folder and cannot be put back: " + diskReason(t.Err) + "."
		b.Detail = "The session goes on, and nothing is lost as long as this tab is open. Save a copy elsewhere."
		b.Action, b.Does = "Save a copy …", BarCopyRecording
	default:
		return asideBar(c, log)
	}
	b.Text, b.Detail = line(b.Text, 400), line(b.Detail, 400)
	return b
}

// asideBar says that the recording is not where recordings are kept.
func asideBar(c *Conn, log *recorder.Log) *Bar {
	c.mu.Lock()
	why := c.aside
	c.mu.Unlock()
	if why == "" {
		return nil
	}
	return &Bar{Glyph: "!", Tone: Caution, Action: "Save a copy …", Does: BarCopyRecording,
		Text:   line("This session is recorded in a temporary folder: "+why, 400),
		Detail: line("Save a copy where it is to stay, or choose another folder for recordings in the settings. The file is "+log.Path(), 400)}
}

// Recovered says that the recording is written again after it was not, was put
// back in its folder, or goes on in another; n counts such turns, so that each is
// told once.
func (c *Conn) Recovered() (text string, n int) {
	log := c.Log()
	if log == nil {
		return "", 0
	}
	t, ok := log.Trouble()
	switch {
	case !ok || t.Failing || t.Stopped:
		return "", 0
	case t.MovedFrom != "":
		at := log.Path()
		if filepath.Base(at) == filepath.Base(t.MovedFrom) {
			at = filepath.Dir(at)
		}
		return "The recording was moved by something else, and goes on in " + at, t.Turns
	case t.Back:
		return "The file of the recording was removed by something else, and was put back with all it held: " + log.Path(), t.Turns
	}
	return "The recording is written again, after " + human.Duration(t.For) + ". Nothing is lost.", t.Turns
}

// MovedFrom is where the recording was before something else moved it, "" when
// nothing did so last.
func (c *Conn) MovedFrom() string {
	log := c.Log()
	if log == nil {
		return ""
	}
	t, _ := log.Trouble()
	return t.MovedFrom
}

// unreachedBar says that the last request over HTTP was lost on its way: there a
// server can go without the session ending. It is nil otherwise.
func unreachedBar(st session.State) *Bar {
	if st.Transport == string(session.Stdio) {
		return nil
	}
	for _, call := range slices.Backward(st.Calls) {
		if call.Phase == session.CallPending || call.Subscription != 0 {
			continue
		}
		if call.Phase != session.CallLost {
			return nil
		}
		return &Bar{Glyph: "✕", Tone: Bad, Action: "Reconnect",
			Text:   line("The last request was lost: "+call.Err, 300),
			Detail: "Nothing else is: the session and its recording go on. Check that the server still runs, then send again or reconnect."}
	}
	return nil
}

// diskReason is the innermost text of a disk error: the paths before it are said
// elsewhere.
func diskReason(err error) string {
	var number syscall.Errno
	var path *fs.PathError
	switch {
	case errors.As(err, &number):
		return number.Error()
	case errors.As(err, &path):
		return path.Err.Error()
	case err == nil:
		return "the disk failed"
	}
	return err.Error()
}

// newLogIn makes a recording in dir, named by server and time.
func newLogIn(dir string, t session.Target, header recorder.Header, at time.Time) (*recorder.Log, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder for recordings: %w", err)
	}
	file, err := freeName(dir, TitleOf(t), at)
	if err != nil {
		return nil, err
	}
	return recorder.Create(file, header)
}

// newLogAside makes a recording in a temporary folder, because none can be made
// where they belong: a session that is not recorded is worse than one that is
// recorded elsewhere.
func (c *Conn) newLogAside(where string, why error, t session.Target, header recorder.Header) (*recorder.Log, error) {
	dir, err := os.MkdirTemp("", "mcploupe-recordings-")
	if err != nil {
		return nil, errors.Join(why, err)
	}
	log, err := newLogIn(dir, t, header, c.o.Now())
	if err != nil {
		return nil, errors.Join(why, err, os.RemoveAll(dir))
	}
	c.setAside("nothing can be written in " + where + ", " + diskReason(why) + ".")
	return log, nil
}

func (c *Conn) setAside(why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.aside = why
}
