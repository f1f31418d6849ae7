//go:build !headless

package main

import (
	"fmt"
	"os"
	"runtime"

	"mcploupe/ui/fynecache" // before the toolkit reads its settings

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"

	"mcploupe/assets"
	"mcploupe/ui"
	"mcploupe/ui/cli"
	"mcploupe/ui/crash"
)

// hasWindow tells this build from the one with the verbs alone.
const hasWindow = true

// appID names the program to the desktop and the toolkit.
const appID = "mcploupe"

// openWindow shows the window, with the recordings named.
func openWindow(files []string) int {
	if runtime.GOOS == "linux" && os.Getenv("DISPLAY") == "" && os.Getenv("WAYLAND_DISPLAY") == "" {
		fmt.Fprintln(os.Stderr, "mcploupe: there is no display: neither DISPLAY nor WAYLAND_DISPLAY is set.\n"+
			"Start it in a desktop session, or use a verb; mcploupe --help lists them.")
		return cli.ExitFailed
	}
	store, err := openSettings()
	if store == nil {
		fmt.Fprintln(os.Stderr, "mcploupe:", err)
		return cli.ExitFailed
	}
	// A settings file that was set aside is told in the window: the defaults are
	// in use.
	if err := fynecache.Folder(); err != nil {
		fmt.Fprintln(os.Stderr, "mcploupe:", err) // the toolkit runs without it
	}
	a := app.NewWithID(appID)
	a.SetIcon(fyne.NewStaticResource("mcploupe.png", assets.Icon))
	watch, left := beginReport()
	end := func() {
		if err := watch.Close(); err != nil {
			fmt.Fprintln(os.Stderr, "mcploupe:", err)
		}
	}
	exit := func() {
		end()
		os.Exit(cli.ExitOK)
	}
	if err := ui.Run(a, ui.Config{Crash: watch, Left: left, Started: guardWindow, Exit: exit,
		Version: build().Short(), Settings: store, SettingsErr: err, Files: files, Screen: screenSize}); err != nil {
		fmt.Fprintln(os.Stderr, "mcploupe:", err)
		return cli.ExitFailed
	}
	end()
	return cli.ExitOK
}

// beginReport begins the report of this run, and finds those of runs that did
// not end in order. Without a place for it the program runs all the same.
func beginReport() (*crash.Watch, []crash.Report) {
	dir, err := crash.Dir()
	if err != nil {
		fmt.Fprintln(os.Stderr, "mcploupe:", err)
		return nil, nil
	}
	left, err := crash.Left(dir)
	if err != nil {
		fmt.Fprintln(os.Stderr, "mcploupe:", err)
	}
	watch, err := crash.Begin(dir, build().Short())
	if err != nil {
		fmt.Fprintln(os.Stderr, "mcploupe:", err)
	}
	return watch, left
}
