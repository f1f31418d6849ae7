package ui

import (
	"context"
	"sync/atomic"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"

	"mcploupe/ui/pump"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// meter takes how far work is, from any goroutine, and shows it now and then.
type meter struct {
	share atomic.Uint64 // in thousandths
	marks *pump.Pump
}

// newMeter returns a meter that shows a share of 1; the work ends it with close.
func (u *UI) newMeter(show func(share float64)) *meter {
	m := &meter{}
	m.marks = pump.New(u.cfg.Do, u.cfg.Clock, pump.FollowTail, func() { show(float64(m.share.Load()) / 1000) })
	return m
}

func (m *meter) at(done, total uint64) {
	if total == 0 {
		return
	}
	if share := min(done, total) * 1000 / total; m.share.Swap(share) != share {
		m.marks.Mark()
	}
}

func (m *meter) close() { m.marks.Close() }

// runTask does work in the background, with a dialog that says how far it is and
// can cancel it. work may call at from any goroutine with what is done and all
// there is to do. done gets the error on the UI goroutine.
func (u *UI) runTask(title string, work func(ctx context.Context, at func(done, total int64)) error, done func(error)) {
	ctx, cancel := context.WithCancel(u.ctx)
	bar := widget.NewProgressBar()
	d := dialog.NewCustom(safe.Line(title, 80), "Cancel", container.NewPadded(bar), u.win)
	u.showDialogThen(d, fyne.NewSize(taskWidth, d.MinSize().Height), cancel)
	m := u.newMeter(bar.SetValue)
	u.work.Go(func() {
		err := work(ctx, func(n, total int64) { m.at(uint64(max(n, 0)), uint64(max(total, 0))) })
		m.close()
		u.cfg.Do(func() {
			d.Hide()
			done(err)
		})
	})
}

// taskWidth is the width of the dialog of a task.
const taskWidth = 420
