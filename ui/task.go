package ui

import (
	"context"
	"sync/atomic"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	"fyne.io/fyne/v2/widget"

	"mcploupe/ui/view/safe"
)

// runTask does work in the background, with a dialog that says how far it is and
// can cancel it. work may call at from any goroutine with what is done and all
// there is to do. done gets the error on the UI goroutine.
func (u *UI) runTask(title string, work func(ctx context.Context, at func(done, total int64)) error, done func(error)) {
	ctx, cancel := context.WithCancel(u.ctx)
	bar := widget.NewProgressBar()
	d := dialog.NewCustom(safe.Line(title, 80), "Cancel", container.NewPadded(bar), u.win)
	u.showDialogThen(d, fyne.NewSize(taskWidth, d.MinSize().Height), cancel)
	var shown atomic.Int64 // percent
	u.work.Go(func() {
		err := work(ctx, func(n, total int64) {
			if total <= 0 {
				return
			}
			percent := n * 100 / total
			if shown.Swap(percent) != percent {
				u.cfg.Do(func() { bar.SetValue(float64(percent) / 100) })
			}
		})
		u.cfg.Do(func() {
			d.Hide()
			done(err)
		})
	})
}

// taskWidth is the width of the dialog of a task.
const taskWidth = 420
