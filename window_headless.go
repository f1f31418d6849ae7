//go:build headless

package main

import (
	"fmt"
	"os"

	"mcploupe/ui/cli"
)

// hasWindow tells this build from the one with the window.
const hasWindow = false

// openWindow explains that this build has no window.
func openWindow([]string) int {
	fmt.Fprint(os.Stderr, "mcploupe: this build has no window; use a verb\n\n", cli.Usage())
	return cli.ExitFailed
}
