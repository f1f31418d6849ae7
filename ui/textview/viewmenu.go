package textview

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"github.com/go-json-experiment/json/jsontext"
)

// foldAll is the depth that leaves the top value open and all in it folded.
const foldAll = 1

// KeyHelp says which keys a view knows beside those for moving, one "key  what it does" a line.
const KeyHelp = "P  R  H            pretty, raw, hex\n" +
	"W                  break long lines, or scroll sideways\n" +
	"N                  line numbers\n" +
	"1  2  3            fold below that level\n" +
	"-  0               fold all, unfold all\n" +
	"Enter, O           open what a string holds, or fold\n" +
	"G, Ctrl+L          go to a line, an offset or a pointer\n" +
	"/, Ctrl+F, F3      find, find the next place"

// TypedRune takes the keys of KeyHelp.
func (v *View) TypedRune(r rune) {
	if v.editor != nil {
		return
	}
	switch r {
	case 'p', 'P':
		v.chooseMode(Pretty)
	case 'r', 'R':
		v.chooseMode(Raw)
	case 'h', 'H':
		v.chooseMode(Hex)
	case 'w', 'W':
		v.toggleWrap()
	case 'n', 'N':
		v.toggleNumbers()
	case '1', '2', '3':
		v.FoldTo(int(r - '0'))
	case '-':
		v.FoldTo(foldAll)
	case '0':
		v.FoldTo(unfolded)
	case 'o', 'O':
		v.Open()
	case 'g', 'G':
		if v.OnGoTo != nil {
			v.OnGoTo()
		}
	case '/':
		if v.OnFind != nil {
			v.OnFind()
		}
	}
}

// chooseMode changes the mode as the person does.
func (v *View) chooseMode(m Mode) {
	if m != v.want {
		v.SetMode(m)
		if v.OnMode != nil {
			v.OnMode(m)
		}
	}
}

// toggleWrap and toggleNumbers are what the person does.
func (v *View) toggleWrap() {
	v.SetWrap(!v.wrap)
	v.looked()
}

func (v *View) toggleNumbers() {
	v.SetNumbers(!v.numbers)
	v.looked()
}

func (v *View) looked() {
	if v.OnLook != nil {
		v.OnLook()
	}
}

// item is an entry of the menu that shows the key which does the same.
func item(text string, key fyne.KeyName, do func()) *fyne.MenuItem {
	i := fyne.NewMenuItem(text, do)
	if key != "" {
		i.Shortcut = &desktop.CustomShortcut{KeyName: key}
	}
	return i
}

func checked(on bool, i *fyne.MenuItem) *fyne.MenuItem {
	i.Checked = on
	return i
}

func (v *View) menu() *fyne.Menu {
	value, ok := v.ValueAtCaret()
	items := []*fyne.MenuItem{item("Copy", "", v.Copy), item("Select all", "", v.SelectAll)}
	if ok {
		items = append(items, fyne.NewMenuItemSeparator())
		items = append(items, v.valueItems(value)...)
	}
	items = append(items, fyne.NewMenuItemSeparator())
	if v.Mode() == Pretty {
		fold := item("Fold", "", nil)
		fold.ChildMenu = fyne.NewMenu("",
			item("Fold all", fyne.KeyMinus, func() { v.FoldTo(foldAll) }),
			item("Fold below the first level", fyne.Key1, func() { v.FoldTo(1) }),
			item("Fold below the second level", fyne.Key2, func() { v.FoldTo(2) }),
			item("Fold below the third level", fyne.Key3, func() { v.FoldTo(3) }),
			item("Unfold all", fyne.Key0, func() { v.FoldTo(unfolded) }))
		items = append(items, fold)
	}
	show := item("Show as", "", nil)
	show.ChildMenu = fyne.NewMenu("",
		checked(v.Mode() == Pretty, item("Pretty", fyne.KeyP, func() { v.chooseMode(Pretty) })),
		checked(v.Mode() == Raw, item("Raw", fyne.KeyR, func() { v.chooseMode(Raw) })),
		checked(v.Mode() == Hex, item("Hex", fyne.KeyH, func() { v.chooseMode(Hex) })))
	items = append(items, show,
		checked(v.wrap, item("Wrap lines", fyne.KeyW, v.toggleWrap)),
		checked(v.numbers, item("Line numbers", fyne.KeyN, v.toggleNumbers)))
	if v.OnFind != nil {
		items = append(items, item("Find …", fyne.KeySlash, v.OnFind))
	}
	if v.OnGoTo != nil {
		items = append(items, item("Go to …", fyne.KeyG, v.OnGoTo))
	}
	if v.Menu != nil {
		if more := v.Menu(value); len(more) > 0 {
			items = append(append(items, fyne.NewMenuItemSeparator()), more...)
		}
	}
	return fyne.NewMenu("", items...)
}

// valueItems are the entries for the value at the caret.
func (v *View) valueItems(value Value) []*fyne.MenuItem {
	var items []*fyne.MenuItem
	x := v.index
	if c := x.Content(value); v.OnOpen != nil && c.verb() != "" {
		verb := c.verb()
		items = append(items, item(string(verb[0]-'a'+'A')+verb[1:], fyne.KeyReturn, func() { v.OnOpen(value, c) }))
	}
	switch value.Kind {
	case "object", "array":
		items = append(items, item("Copy "+value.Kind+" as sent", "", func() { v.CopyValue(value, false) }),
			item("Copy "+value.Kind+" pretty", "", func() { v.CopyValue(value, true) }))
	case "string":
		items = append(items, item("Copy value as sent", "", func() { v.CopyValue(value, false) }),
			item("Copy text", "", func() { v.CopyValue(value, true) }))
	default:
		items = append(items, item("Copy value", "", func() { v.CopyValue(value, false) }))
	}
	return append(items, item("Copy pointer", "", func() { setClipboard(value.Pointer) }))
}

// copyNow is up to which size a value is laid out for the clipboard on the drawing goroutine.
const copyNow = 256 << 10

// CopyValue puts a value on the clipboard: as sent, or as a person reads it, which lays containers out with two blanks
// a level and undoes the escapes of a string. Names, order and numbers stay as sent.
func (v *View) CopyValue(value Value, readable bool) {
	x := v.index
	work := func() func() {
		s := x.copied(value, readable)
		return func() { setClipboard(s) }
	}
	if v.Run != nil && value.End-value.Start > copyNow {
		v.Run(work)
	} else {
		work()()
	}
}

// copied is the text of a value for the clipboard.
func (x *Index) copied(value Value, readable bool) string {
	raw := x.raw[value.Start:value.End]
	switch {
	case !readable:
	case value.Kind == "string":
		if text, err := unquote(raw[1 : len(raw)-1]); err == nil {
			return string(text)
		}
	default:
		if s, ok := indented(string(raw)); ok {
			return s
		}
	}
	return string(raw)
}

// indented lays JSON out with a value on a line, two blanks a level; ok is false for what is not JSON.
func indented(s string) (out string, ok bool) {
	v := jsontext.Value(s)
	if err := v.Indent(jsontext.WithIndent("  "), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)); err != nil {
		return s, false
	}
	return string(v), true
}
