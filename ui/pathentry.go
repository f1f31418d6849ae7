package ui

import (
	"os"
	"path/filepath"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/dialog"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// pathEntry asks for the path of a file that is to be written.
type pathEntry struct {
	u     *UI
	entry *escEntry
	root  fyne.CanvasObject
}

func newPathEntry(u *UI, path string, escape func()) *pathEntry {
	p := &pathEntry{u: u, entry: newEscEntry(escape)}
	p.entry.SetText(path)
	folder := widget.NewButtonWithIcon("Folder …", fynetheme.FolderOpenIcon(), p.chooseFolder)
	p.root = widget.Border(nil, nil, nil, folder, p.entry)
	return p
}

// chooseFolder keeps the name and asks for another folder.
func (p *pathEntry) chooseFolder() {
	p.u.chooseFolder(func(dir string) { p.entry.SetText(filepath.Join(dir, filepath.Base(p.entry.Text))) })
}

// path is what was entered as an absolute path, "" when there is none.
func (p *pathEntry) path() string {
	if p.entry.Text == "" {
		return ""
	}
	abs, err := filepath.Abs(p.entry.Text)
	if err != nil {
		return p.entry.Text
	}
	return abs
}

// withFile calls do unless there is a file at path which the person wants to
// keep.
func (u *UI) withFile(path string, do func()) {
	if _, err := os.Lstat(path); err != nil {
		do() // what else is wrong with the path comes out when it is written
		return
	}
	d := dialog.NewConfirm("Replace the file?", "There is a file already:\n"+safe.Line(path, 120)+"\nIt will be replaced.", func(yes bool) {
		if yes {
			do()
		}
	}, u.win)
	destroys(d, "Replace")
	d.SetDismissText("Keep it")
	u.showDialog(d, d.MinSize())
}
