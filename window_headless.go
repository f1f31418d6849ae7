//go:build headless

package main

import (
	"fmt"
	"os"

	"mcploupe/ui/cli"
)

// openWindow explains that this build has no window.
func openWindow([]string) int {
	fmt.Fprint(os.Stderr, "mcploupe: this build has no window; use a verb\n\n", cli.Usage())
	return cli.ExitFailed
}
