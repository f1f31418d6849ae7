//go:build !headless

package main

import (
	"fyne.io/fyne/v2"
	"github.com/go-gl/glfw/v3.4/glfw"

	"mcploupe/ui/widget"
)

// guardWindow lets guard run everything that the system calls the toolkit's
// window for, so that a panic of a view ends that call and not the program. The
// toolkit has no hook for it; its windows are of this library, whose callbacks
// can be replaced. Keys that the toolkit's own widgets leave unused are put to use
// here too, and Tab passes over texts.
func guardWindow(win fyne.Window, guard func(func())) {
	w, ok := win.(interface{ RunWithContext(func()) })
	if !ok {
		return // another driver, as in tests
	}
	var native *glfw.Window
	w.RunWithContext(func() { native = glfw.GetCurrentContext() })
	if native == nil {
		return
	}
	guardInput(native, guard)
	resized := native.SetSizeCallback(nil)
	native.SetSizeCallback(func(w *glfw.Window, width, height int) { guard(func() { resized(w, width, height) }) })
	framed := native.SetFramebufferSizeCallback(nil)
	native.SetFramebufferSizeCallback(func(w *glfw.Window, width, height int) { guard(func() { framed(w, width, height) }) })
	refreshed := native.SetRefreshCallback(nil)
	native.SetRefreshCallback(func(w *glfw.Window) { guard(func() { refreshed(w) }) })
	focused := native.SetFocusCallback(nil)
	native.SetFocusCallback(func(w *glfw.Window, on bool) { guard(func() { focused(w, on) }) })
	closed := native.SetCloseCallback(nil)
	native.SetCloseCallback(func(w *glfw.Window) { guard(func() { closed(w) }) })
}

// leftKeys are the keys that the toolkit's own widgets take and have no use for.
var leftKeys = map[glfw.Key]fyne.KeyName{
	glfw.KeyEscape: fyne.KeyEscape, glfw.KeyEnter: fyne.KeyReturn, glfw.KeyKPEnter: fyne.KeyEnter,
	glfw.KeyF1: fyne.KeyF1, glfw.KeyF3: fyne.KeyF3, glfw.KeyF5: fyne.KeyF5,
}

func guardInput(native *glfw.Window, guard func(func())) {
	clicked := native.SetMouseButtonCallback(nil)
	native.SetMouseButtonCallback(func(w *glfw.Window, b glfw.MouseButton, a glfw.Action, m glfw.ModifierKey) {
		guard(func() { clicked(w, b, a, m) })
	})
	moved := native.SetCursorPosCallback(nil)
	native.SetCursorPosCallback(func(w *glfw.Window, x, y float64) { guard(func() { moved(w, x, y) }) })
	scrolled := native.SetScrollCallback(nil)
	native.SetScrollCallback(func(w *glfw.Window, x, y float64) { guard(func() { scrolled(w, x, y) }) })
	pressed := native.SetKeyCallback(nil)
	native.SetKeyCallback(func(w *glfw.Window, k glfw.Key, code int, a glfw.Action, m glfw.ModifierKey) {
		guard(func() {
			if name, ok := leftKeys[k]; ok && a == glfw.Press && m&^glfw.ModShift == 0 && widget.LeftOver(name) {
				return
			}
			pressed(w, k, code, a, m)
			if k == glfw.KeyTab && a != glfw.Release && m&^glfw.ModShift == 0 {
				widget.Tabbed(m != 0)
			}
		})
	})
	typed := native.SetCharCallback(nil)
	native.SetCharCallback(func(w *glfw.Window, r rune) { guard(func() { typed(w, r) }) })
	dropped := native.SetDropCallback(nil)
	if dropped != nil {
		native.SetDropCallback(func(w *glfw.Window, names []string) { guard(func() { dropped(w, names) }) })
	}
}
