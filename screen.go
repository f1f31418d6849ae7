//go:build !headless && cgo && !ci

package main

import (
	"fmt"

	"github.com/go-gl/glfw/v3.4/glfw"
)

// screenSize says what the first screen measures, which the toolkit does not
// tell: "" when there is none. The toolkit must have made a window before.
func screenSize() string {
	monitor := glfw.GetPrimaryMonitor()
	if monitor == nil {
		return ""
	}
	mode := monitor.GetVideoMode()
	if mode == nil {
		return ""
	}
	return fmt.Sprintf("%dx%d", mode.Width, mode.Height)
}
