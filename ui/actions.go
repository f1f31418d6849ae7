package ui

import (
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/settings"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// topBar is the row of the most used actions.
func (u *UI) topBar() *fyne.Container {
	connect := widget.NewButtonWithIcon("Connect", fynetheme.ContentAddIcon(), u.newConnection)
	connect.Importance = widget.HighImportance
	open := widget.NewButtonWithIcon("Open recording", fynetheme.FolderOpenIcon(), u.chooseRecording)
	compare := widget.NewButton("⇄ Compare", func() { u.newComparison() })
	theme := widget.NewButtonWithIcon("", fynetheme.ColorPaletteIcon(), u.nextTheme)
	help := widget.NewButtonWithIcon("", fynetheme.HelpIcon(), u.helpHere)
	theme.Importance, help.Importance = widget.LowImportance, widget.LowImportance
	find := widget.NewButtonWithIcon("Find anything   "+widget.KeyText(paletteKey), fynetheme.SearchIcon(), func() { u.palette.toggle() })
	find.Alignment = widget.ButtonAlignLeading
	return container.NewPadded(widget.Border(nil, nil,
		container.NewHBox(connect, open, compare, container.New(&fixedWidth{paletteField}, find)), container.NewHBox(theme, help), u.notes.object()))
}

// nextTheme goes through the looks.
func (u *UI) nextTheme() {
	order := []string{settings.ThemeSystem, settings.ThemeLight, settings.ThemeDark}
	at := slices.Index(order, u.cfg.Settings.Get().Theme)
	next := order[(at+1)%len(order)]
	u.setTheme(next)
	u.notes.notify("Theme: " + next)
}

// step goes to the next or the previous tab of the window.
func (u *UI) step(by int) {
	if n := len(u.pages); n > 0 {
		u.activate((u.active + by + n) % n)
	}
}

// newConnection shows the connect page, empty or as it was left.
func (u *UI) newConnection() {
	for _, p := range u.pages {
		if c, ok := p.(*connectPage); ok && c.form.ID == "" && c.over == nil {
			u.show(c)
			c.focus()
			return
		}
	}
	p := newConnectPage(u, view.NewConnectForm(), nil)
	u.addPage(p)
	p.focus()
}

// edit shows the connect page filled with server. over is the tab that the
// connection replaces, nil for a new tab.
func (u *UI) edit(server settings.Server, over *connPage) {
	p := newConnectPage(u, view.EditConnectForm(server), over)
	u.addPage(p)
	p.focus()
}

// connect opens a tab for server and connects.
func (u *UI) connect(server settings.Server) {
	p := newConnPage(u, server)
	u.addPage(p)
	p.connect()
}

func (u *UI) tryDemo() {
	if u.cfg.Executable == "" {
		u.fail("The demo cannot be started", errors.New("the program's own path is not known"))
		return
	}
	u.connect(u.cfg.demo())
}

// showDialog shows a dialog of a size; Escape closes it, and Enter gives the answer
// to a question that has the keyboard then.
func (u *UI) showDialog(d dialog.Dialog, size fyne.Size) { u.showDialogThen(d, size, func() {}) }

// questionWidth is the least width of a question, in which a sentence fits.
const questionWidth = 400

// showDialogThen is showDialog with something to do when it is closed, however
// that came.
func (u *UI) showDialogThen(d dialog.Dialog, size fyne.Size, closed func()) {
	u.dialogs = append(u.dialogs, d)
	d.SetOnClosed(func() {
		u.dialogs = slices.DeleteFunc(u.dialogs, func(x dialog.Dialog) bool { return x == d })
		closed()
	})
	d.Show()
	_, asks := d.(*dialog.ConfirmDialog)
	if asks { // by itself it is as narrow as its buttons, and its text a column of words
		size.Width = max(size.Width, min(u.win.Canvas().Size().Width*0.8, theme.Scaled(questionWidth)))
	}
	d.Resize(size) // a file dialog has no size before it is shown
	if asks {
		widget.FocusAnswer(u.win.Canvas())
	}
}

// destroys words a question about something that is gone once the person agrees.
func destroys(d *dialog.ConfirmDialog, verb string) {
	d.SetConfirmText(verb)
	d.SetDismissText("Cancel")
	d.SetConfirmImportance(widget.DangerImportance)
}

// closeDialog closes the dialog in front; a question counts as answered with
// cancel.
func (u *UI) closeDialog() {
	if n := len(u.dialogs); n > 0 {
		u.dialogs[n-1].Dismiss()
	}
}

// dialogSize is most of the window, within bounds.
func (u *UI) dialogSize() fyne.Size {
	size := u.win.Canvas().Size()
	return fyne.NewSize(min(size.Width*0.8, theme.Scaled(900)), min(size.Height*0.8, theme.Scaled(640)))
}

// noteSize is a size for a short text, grown with it and within the window.
func (u *UI) noteSize(width, height float32) fyne.Size {
	size := u.win.Canvas().Size()
	return fyne.NewSize(min(size.Width*0.9, theme.Scaled(width)), min(size.Height*0.9, theme.Scaled(height)))
}

func (u *UI) copyText(text string) {
	u.app.Clipboard().SetContent(text)
	u.notes.notify("Copied")
}

// fail shows an error in a view that scrolls and can be copied.
func (u *UI) fail(title string, err error) {
	text := err.Error()
	label := widget.NewLabel(safe.Text(text, 8<<10))
	label.Wrapping = fyne.TextWrapWord
	label.Selectable = true
	copyIt := widget.NewButtonWithIcon("Copy", fynetheme.ContentCopyIcon(), func() { u.copyText(title + "\n" + text) })
	d := dialog.NewCustom(safe.Line(title, 50), "Close",
		widget.Border(nil, container.NewHBox(copyIt), nil, nil, container.NewVScroll(label)), u.win)
	u.showDialog(d, u.noteSize(640, 260))
}

// openURL opens an address in the browser after the person has seen all of it.
func (u *UI) openURL(address *url.URL) {
	if address.Scheme != "http" && address.Scheme != "https" || address.Host == "" {
		u.fail("This address is not opened", fmt.Errorf("only http and https addresses are: %s", address))
		return
	}
	whole := widget.NewLabel(safe.Text(address.String(), 4<<10))
	whole.Wrapping, whole.Selectable = fyne.TextWrapBreak, true
	whole.TextStyle.Monospace = true
	host := widget.NewLabelWithStyle(safe.Line(address.Host, 200), fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	host.Truncation = fyne.TextTruncateEllipsis
	content := widget.Border(container.NewVBox(widget.NewLabel("This opens in your browser. It goes to:"), host), nil, nil, nil,
		container.NewVScroll(whole))
	d := dialog.NewCustomConfirm("Open address", "Open", "Cancel", content, func(yes bool) {
		if !yes {
			return
		}
		if err := u.browse(address); err != nil {
			u.fail("The address cannot be opened", err)
		}
	}, u.win)
	u.showDialog(d, u.noteSize(640, 240))
}

func (u *UI) openFolder(dir string) {
	if err := u.app.OpenURL(fileURL(dir)); err != nil {
		u.fail("The folder cannot be opened", err)
	}
}

// openFile hands data to the program that the system has for it.
func (u *UI) openFile(name string, data []byte) {
	dir, err := os.MkdirTemp("", "mcploupe-")
	if err != nil {
		u.fail("The file cannot be opened", err)
		return
	}
	path := filepath.Join(dir, fileName(name))
	if err := os.WriteFile(path, data, 0o600); err != nil {
		u.fail("The file cannot be opened", err)
		return
	}
	u.temp = append(u.temp, dir)
	if opensText(path) && u.cfg.Settings.Get().Programs.Editor != "" {
		u.editFile(path)
		return
	}
	if err := u.app.OpenURL(fileURL(path)); err != nil {
		u.fail("The file cannot be opened", fmt.Errorf("%w\nIt was written to %s", err, path))
	}
}

// fileName keeps a server's name for a file from leading anywhere.
func fileName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < 0x20 || r == 0x7f || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, safe.Line(name, 100))
	name = strings.Trim(name, ". ")
	if name == "" {
		return "file"
	}
	return name
}

func (u *UI) about() {
	text := widget.NewLabel("An inspector for servers of the Model Context Protocol.\n\n" +
		"Nothing leaves this computer but what you send to a server.\n" +
		"Recordings: " + u.recordingDir() + "\nSettings: " + u.cfg.Settings.Path() + "\n\nMIT licence.")
	text.Wrapping, text.Selectable = fyne.TextWrapWord, true
	title := widget.NewLabelWithStyle(Name+" "+u.cfg.Version, fyne.TextAlignLeading, fyne.TextStyle{Bold: true})
	title.SizeName = fynetheme.SizeNameHeadingText
	d := dialog.NewCustom("About", "Close", widget.Border(title, nil, nil, nil, container.NewVScroll(text)), u.win)
	u.showDialog(d, u.noteSize(560, 320))
}

func (u *UI) recordingDir() string {
	dir, err := u.cfg.Settings.RecordingDir()
	if err != nil {
		return err.Error()
	}
	return dir
}

// showHelp shows a text in a monospace dialog.
func (u *UI) showHelp(title, text string) {
	label := widget.NewLabelWithStyle(text, fyne.TextAlignLeading, fyne.TextStyle{Monospace: true})
	label.Selectable = true
	d := dialog.NewCustom(title, "Close", container.NewScroll(label), u.win)
	u.showDialog(d, u.dialogSize())
}

func (u *UI) filterHelp() { u.showHelp("Filter language", view.FilterLanguage()) }
