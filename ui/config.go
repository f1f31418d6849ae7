package ui

import (
	"os"
	"time"

	"fyne.io/fyne/v2"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/session/secret"
	"mcploupe/ui/crash"
	"mcploupe/ui/pump"
	"mcploupe/ui/settings"
	"mcploupe/ui/view"
)

// Name is what the program is called.
const Name = "MCP Loupe"

// Config is what the window needs of the program.
type Config struct {
	Settings    *settings.Store
	SettingsErr error // why the settings are not the person's; shown at the start

	Version string // "0.1.0"

	Executable string   // this program, for the demo server; "" means os.Executable
	DemoArgs   []string // nil means its verb demo

	Client       protocol.Implementation
	Capabilities *protocol.ClientCapabilities // nil means all that the window handles

	Files   []string         // recordings to open at the start
	Servers []session.Target // servers to connect to at the start

	// Secrets are those of the saved servers. Nil means the system's keyring.
	Secrets *secret.Vault

	// Crash takes what is known when a view fails, or the program. Nil means that a
	// panic ends the program and nothing is kept.
	Crash *crash.Watch
	Left  []crash.Report // of runs that did not end in order, newest first; told at the start
	// Started is called on the UI goroutine when the window is there. guard runs a
	// callback of the toolkit so that a panic in it does not end the program.
	Started func(win fyne.Window, guard func(func()))

	// Exit ends the program when all is closed and the toolkit does not come back.
	// Nil means os.Exit(0).
	Exit func()

	// Do runs a function on the UI goroutine, later. Nil means fyne.Do.
	Do func(func())
	// Clock times the flushes. Nil means the machine's clock.
	Clock pump.Clock
	// Screen says what the screen measures, such as 1920x1080, and "" when that is
	// not known; it is asked on the UI goroutine once there is a window. Nil means
	// that it is not known.
	Screen func() string
	// Open makes sessions. Nil means session.Open.
	Open view.OpenFunc
}

func (c Config) withDefaults() Config {
	if c.Do == nil {
		c.Do = fyne.Do
	}
	if c.Secrets == nil {
		c.Secrets = secret.New(secret.System(), nil)
	}
	if c.Exit == nil {
		c.Exit = func() { os.Exit(0) }
	}
	if c.Clock == nil {
		c.Clock = pump.Wall{}
	}
	if c.Screen == nil {
		c.Screen = func() string { return "" }
	}
	if c.Executable == "" {
		// Without it the demo says that it has no program to start.
		c.Executable, _ = os.Executable()
	}
	if c.DemoArgs == nil {
		c.DemoArgs = []string{"demo"}
	}
	if c.Client.Name == "" {
		c.Client = protocol.Implementation{Name: "mcploupe", Title: Name, Version: c.Version}
	}
	if c.Capabilities == nil {
		c.Capabilities = &protocol.ClientCapabilities{Elicitation: true, ElicitationURL: true, Sampling: true, SamplingTools: true, Roots: true, Tasks: true}
	}
	return c
}

// app is the program and its version, for recordings.
func (c Config) app() string { return "mcploupe " + c.Version }

func (c Config) now() time.Time { return c.Clock.Now() }

// demo is the server of the start page's "Try the demo".
func (c Config) demo() settings.Server {
	return settings.Server{Target: session.Target{
		Name: "demo", Transport: session.Stdio, Command: c.Executable, Args: c.DemoArgs,
	}}
}
