package view

import (
	"errors"
	"io/fs"
	"time"

	"mcploupe/recorder"
	"mcploupe/session"
)

// NewRecording makes a recording of t in dir, named by server and time. The
// caller closes it.
func NewRecording(dir string, t session.Target, app string, at time.Time) (*recorder.Log, error) {
	for try := 0; ; try++ {
		log, err := newLogIn(dir, t, t.RecordingHeader(app), at)
		if err == nil || try == 10 || !errors.Is(err, fs.ErrExist) {
			return log, err // else another process took the name
		}
	}
}
