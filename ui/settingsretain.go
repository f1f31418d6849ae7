package ui

import (
	"time"

	"mcploupe/recorder"
	"mcploupe/ui/settings"
	"mcploupe/ui/view"
	"mcploupe/ui/view/human"
)

// When old recordings are deleted: a while after the start, which belongs to the
// person, and then every day.
const (
	retainFirst = 20 * time.Second
	retainEvery = 24 * time.Hour
)

// retainDaily deletes old recordings again and again until the window ends.
func (u *UI) retainDaily() {
	u.watches.Go(func() {
		for wait := retainFirst; ; wait = retainEvery {
			due, stop := u.cfg.Clock.NewTimer(wait)
			select {
			case <-due:
				u.cfg.Do(u.retain)
			case <-u.ctx.Done():
				stop()
				return
			}
		}
	})
}

// retain deletes the recordings that are due, in the background, when that is
// switched on.
func (u *UI) retain() {
	now := u.cfg.Settings.Get()
	if !now.Retention.On || u.closing {
		return
	}
	dir, at, open := u.recordingDir(), u.cfg.now(), u.openFiles()
	u.work.Go(func() {
		deleted, err := view.Retain(u.ctx, dir, now, open, at)
		u.cfg.Do(func() { u.retained(deleted, err) })
	})
}

// retained takes deleted recordings off the lists and says so.
func (u *UI) retained(deleted []recorder.Stored, err error) {
	if len(deleted) > 0 {
		u.update(func(s *settings.Settings) {
			for _, d := range deleted {
				s.ForgetRecording(d.Path)
			}
		})
		u.recordingsChanged()
		u.notes.notify("Deleted " + human.Plural(len(deleted), "old recording", "old recordings") + "; " + view.RetentionLog + " beside them says which")
	}
	if err != nil && u.ctx.Err() == nil {
		u.notes.notify("Old recordings were not deleted: " + err.Error())
	}
}
