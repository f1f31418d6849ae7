package ui

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"
	fynetheme "fyne.io/fyne/v2/theme"

	"mcploupe/ui/rows"
	"mcploupe/ui/theme"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// maxFolder bounds the entries of a folder that are listed.
const maxFolder = 5000

// folderEntry is a file or a folder.
type folderEntry struct {
	name   string
	folder bool
}

// saveDialog asks for a folder and a name. The toolkit's own keeps Escape while
// its field for the name has the keyboard, and that is where it is.
type saveDialog struct {
	u      *UI
	d      *dialog.CustomDialog
	dir    string
	turn   int // of reading folders
	where  *keyedEntry
	list   *rows.View
	name   *keyedEntry
	note   *widget.Label
	save   *widget.Button
	found  []folderEntry
	unread bool
	done   func(path string)
}

// askWhere asks where to save something called name; done gets the path, not
// when the person gives up.
func (u *UI) askWhere(title, name string, done func(path string)) *saveDialog {
	s := &saveDialog{u: u, done: done}
	s.where = newKeyedEntry(s.keys(func() { s.open(s.where.Text) }))
	s.name = newKeyedEntry(s.keys(s.submit))
	s.name.SetText(name)
	s.name.OnChanged = func(string) { s.tell() }
	s.list = rows.New(s.bind, nil)
	s.list.SetPlaceholder("Nothing in this folder")
	s.list.OnSelect = func(i int) {
		if i >= 0 && !s.found[i].folder {
			s.name.SetText(s.found[i].name)
		}
	}
	s.list.OnActivate = s.activate
	s.list.OnKey = func(e *fyne.KeyEvent) bool {
		switch e.Name {
		case fyne.KeyEscape:
			s.d.Dismiss()
		case fyne.KeyBackspace:
			s.open(filepath.Dir(s.dir))
		default:
			return false
		}
		return true
	}
	s.note = widget.NewLabel("")
	s.note.Truncation, s.note.Importance = fyne.TextTruncateEllipsis, widget.LowImportance
	s.save = widget.NewButtonWithIcon("Save", fynetheme.DocumentSaveIcon(), s.submit)
	s.save.Importance = widget.HighImportance
	up := widget.NewButtonWithIcon("", fynetheme.MoveUpIcon(), func() { s.open(filepath.Dir(s.dir)) })
	up.Importance = widget.LowImportance
	top := widget.Border(nil, nil, caption("Folder"), up, s.where)
	bottom := container.NewVBox(widget.Border(nil, nil, caption("Name"), nil, s.name), s.note)
	s.d = dialog.NewCustomWithoutButtons(title, widget.Border(top, bottom, nil, nil, s.list), u.win)
	s.d.SetButtons([]fyne.CanvasObject{widget.NewButton("Cancel", s.d.Dismiss), s.save})
	s.open(u.saveFolder())
	u.showDialog(s.d, u.dialogSize())
	u.win.Canvas().Focus(s.name) // it has not been drawn yet, so its canvas cannot be asked for
	return s
}

// keys are the keys of the fields: Escape gives up, Enter does what the field is
// for.
func (s *saveDialog) keys(enter func()) func(*fyne.KeyEvent) bool {
	return func(e *fyne.KeyEvent) bool {
		switch e.Name {
		case fyne.KeyEscape:
			s.d.Dismiss()
		case fyne.KeyReturn, fyne.KeyEnter:
			enter()
		default:
			return false
		}
		return true
	}
}

// saveFolder is where saving begins: where it was done last, or the person's
// folder for downloads.
func (u *UI) saveFolder() string {
	if u.savedTo != "" {
		return u.savedTo
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return os.TempDir()
	}
	if downloads := filepath.Join(home, "Downloads"); isFolder(downloads) {
		return downloads
	}
	return home
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// open lists a folder, read in the background.
func (s *saveDialog) open(dir string) {
	dir = filepath.Clean(dir)
	s.turn++
	turn := s.turn
	s.dir = dir
	s.where.SetText(dir)
	s.note.SetText("Reading the folder …")
	s.u.work.Go(func() {
		found, err := readFolder(dir)
		s.u.cfg.Do(func() {
			if turn != s.turn {
				return
			}
			s.found, s.unread = found, err != nil
			s.list.Reset(len(found))
			s.list.Invalidate()
			s.tell()
			if err != nil {
				s.note.SetText("This folder cannot be read: " + safe.Line(err.Error(), 300))
			}
		})
	})
}

// readFolder returns what is in a folder, folders first, without hidden files.
func readFolder(dir string) ([]folderEntry, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, fmt.Errorf("open a folder: %w", err)
	}
	entries, err := f.ReadDir(maxFolder)
	err = errors.Join(err, f.Close())
	if len(entries) > 0 {
		err = nil // the end of a folder that has something is no fault
	} else if err != nil && strings.Contains(err.Error(), "EOF") {
		err = nil
	}
	var found []folderEntry
	for _, e := range entries {
		if name := e.Name(); !strings.HasPrefix(name, ".") {
			found = append(found, folderEntry{name, e.IsDir() || e.Type()&os.ModeSymlink != 0 && isFolder(filepath.Join(dir, name))})
		}
	}
	slices.SortFunc(found, func(a, b folderEntry) int {
		if a.folder != b.folder {
			return map[bool]int{true: -1, false: 1}[a.folder]
		}
		return strings.Compare(strings.ToLower(a.name), strings.ToLower(b.name))
	})
	return found, err
}

func (s *saveDialog) bind(i int, row *rows.Row) {
	e := s.found[i]
	row.Cells[0] = rows.Cell{Icon: fynetheme.FolderIcon(), Text: safe.Line(e.name, 200)}
	if !e.folder {
		row.Cells[0].Icon, row.Cells[0].Color = fynetheme.FileIcon(), theme.ColorMuted
	}
}

// activate opens a folder, or saves under the name of a file.
func (s *saveDialog) activate(i int) {
	if s.found[i].folder {
		s.open(filepath.Join(s.dir, s.found[i].name))
		return
	}
	s.name.SetText(s.found[i].name)
	s.submit()
}

// tell says what saving would do, and whether it can be done.
func (s *saveDialog) tell() {
	name := strings.TrimSpace(s.name.Text)
	words := ""
	ok := name != "" && name == filepath.Base(name) && name != "." && name != ".." && !s.unread
	switch i := slices.IndexFunc(s.found, func(e folderEntry) bool { return e.name == name }); {
	case name == "":
		words = "Give it a name"
	case !ok && !s.unread:
		words = "A name without a folder"
	case i >= 0 && s.found[i].folder:
		words, ok = "There is a folder of this name", false
	case i >= 0:
		words = "The file of this name will be replaced"
	case len(s.found) >= maxFolder:
		words = "The first " + human.Count(maxFolder) + " entries are listed"
	}
	s.note.SetText(words)
	if ok {
		s.save.Enable()
	} else {
		s.save.Disable()
	}
}

func (s *saveDialog) submit() {
	if s.tell(); s.save.Disabled() {
		return
	}
	path := filepath.Join(s.dir, strings.TrimSpace(s.name.Text))
	s.d.Hide()
	s.u.savedTo = s.dir
	s.done(path)
}

// saveFile asks where to and writes data there.
func (u *UI) saveFile(name string, data []byte) {
	u.askWhere("Save", fileName(name), func(path string) {
		u.work.Go(func() {
			err := writeWhole(path, data)
			u.cfg.Do(func() {
				if err != nil {
					u.fail("The file was not saved", err)
					return
				}
				u.notes.notify("Saved to " + path)
			})
		})
	})
}

// writeWhole puts a file in place of what is at path when all of it is written.
func writeWhole(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".mcploupe-*")
	if err != nil {
		return fmt.Errorf("save %s: %w", path, err)
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name()) // what was written of it is of no use
		return fmt.Errorf("save %s: %w", path, err)
	}
	return nil
}
