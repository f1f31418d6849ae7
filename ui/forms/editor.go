package forms

import (
	"strings"

	"fyne.io/fyne/v2"

	"mcploupe/ui/textview"
	look "mcploupe/ui/theme"
	"mcploupe/ui/view/fields"
)

// editField is a control that is an editor: JSON, and texts that an entry cannot
// show.
type editField struct {
	b      *box
	editor *textview.Editor
	json   bool

	pressed bool // by the pointer
}

func newEditField(b *box, kind fields.Control) *editField {
	e := &editField{b: b, editor: textview.NewEditor(), json: kind == fields.JSON}
	e.editor.SetJSON(e.json)
	e.editor.Run = b.v.opt.Run
	e.editor.OnChanged = func() {
		b.node.SetText(e.editor.Text())
		b.v.edited(b.node)
	}
	e.editor.OnKey = e.key
	e.editor.OnShortcut = b.shortcut
	e.editor.OnFocus = func(on bool) {
		if on {
			b.gained(e.editor, !e.pressed)
		} else {
			b.lost(e.editor)
		}
	}
	// The form stays where it is until the button is let go, as with entries.
	e.editor.OnPress = func(down bool) {
		if e.pressed && !down {
			b.v.area.reveal(b.l)
		}
		e.pressed = down
	}
	if e.json {
		e.editor.SetPlaceholder(`JSON, such as "text", 12 or {"a": [true]}`)
	}
	e.update()
	return e
}

// key takes Tab to the next field and the keys of every field.
func (e *editField) key(k *fyne.KeyEvent) bool {
	if k.Name == fyne.KeyTab {
		e.b.v.leave(shiftDown())
		return true
	}
	return e.b.keyed(k)
}

func (e *editField) object() fyne.CanvasObject { return e.editor }
func (e *editField) stop() fyne.Focusable      { return e.editor }

func (e *editField) update() {
	if text := e.b.node.Text(); e.editor.Text() != text {
		e.editor.SetText(text)
	}
}

func (e *editField) height(float32) float32 {
	lines := strings.Count(e.editor.Text(), "\n") + 1
	least := 2
	if !e.json {
		least = 4
	}
	return float32(min(max(least, lines), 10))*look.Size(look.SizeLine) + 8
}

// scroll gives the wheel to the editor; it reports false at its ends.
func (e *editField) scroll(ev *fyne.ScrollEvent) bool {
	row, off := e.editor.Place()
	e.editor.Scrolled(ev)
	now, nowOff := e.editor.Place()
	return row != now || off != nowOff
}
