package ui

import (
	"context"
	"errors"
	"fmt"
	"io"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"

	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
)

// maxChosen bounds a file that becomes a value of a form, in bytes.
const maxChosen = 32 << 20

// chooseFile asks for a file and reads it in the background, as work of a
// connection. done gets it on the UI goroutine; it is not called when the
// person gives none or the file cannot be read.
func (u *UI) chooseFile(work func(func(context.Context)), done func(name string, data []byte)) {
	d := dialog.NewFileOpen(func(file fyne.URIReadCloser, err error) {
		if err != nil {
			u.fail("The file cannot be opened", err)
			return
		}
		if file == nil {
			return
		}
		name := file.URI().Name()
		work(func(ctx context.Context) {
			data, err := readChosen(ctx, file)
			u.cfg.Do(func() {
				if err != nil {
					u.fail("The file cannot be used", fmt.Errorf("%s: %w", safe.Line(name, 100), err))
					return
				}
				done(name, data)
			})
		})
	}, u.win)
	d.SetTitleText("Choose a file")
	d.SetView(dialog.ListView)
	u.showDialog(d, u.dialogSize())
}

// readChosen reads file to its end and closes it. A file that never ends, such
// as a pipe, is given up when ctx ends.
func readChosen(ctx context.Context, file io.ReadCloser) (data []byte, err error) {
	release := context.AfterFunc(ctx, func() { _ = file.Close() }) // wakes the read, which says why
	defer func() {
		if release() {
			err = errors.Join(err, file.Close())
		}
	}()
	data, err = io.ReadAll(io.LimitReader(file, maxChosen+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("reading: %w", err)
	case len(data) > maxChosen:
		return nil, fmt.Errorf("it is larger than %s, which is the most that a form takes", human.Bytes(maxChosen))
	}
	return data, nil
}
