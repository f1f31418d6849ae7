// Command mcploupe inspects servers that speak the Model Context Protocol, in
// a window or headless.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"mcploupe/ui/cli"
	"mcploupe/ui/settings"
)

// version and commit are set by the build: -ldflags "-X main.version=...".
var (
	version = "0.1.0"
	commit  = ""
)

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	if len(args) > 0 {
		switch args[0] {
		case "--version", "-v", "version":
			fmt.Println(build())
			return cli.ExitOK
		case "--help", "-h":
			fmt.Print(cli.Usage())
			return cli.ExitOK
		}
	}
	if len(args) == 0 || !cli.Known(args[0]) && isFile(args[0]) {
		return openWindow(args)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return cli.Run(ctx, args, cli.Env{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr,
		Version:  version,
		Settings: openSettings,
	})
}

// isFile tells a recording from a mistyped verb.
func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !info.IsDir()
}

func openSettings() (*settings.Store, error) {
	path, err := settings.DefaultPath()
	if err != nil {
		return nil, err
	}
	return settings.Load(path)
}

// build says which program this is.
func build() cli.Build { return cli.NewBuild(version, commit, hasWindow) }
