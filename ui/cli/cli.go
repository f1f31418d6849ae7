// Package cli is the headless half of the program: verbs that do what the
// window does, for terminals, scripts and CI. It uses the same engine and has
// no rule of its own.
//
// With --json a verb prints one JSON document on standard output; what is for
// people goes to standard error. Exit codes: 0 fine, 1 the thing that was
// checked for was found (a tool error, a refused request, no answer), 2 could
// not run.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"mcploupe/session/secret"
	"mcploupe/ui/settings"
)

// Exit codes of all verbs.
const (
	ExitOK     = 0
	ExitFound  = 1
	ExitFailed = 2
)

// Env is what the verbs need of the world.
type Env struct {
	In       io.Reader
	Out, Err io.Writer
	Version  string
	// Settings opens the saved servers; it is called only when a name has to be
	// looked up.
	Settings func() (*settings.Store, error)
	// Secrets are those of the saved servers; nil means the system's keyring.
	Secrets *secret.Vault
}

// verb is one headless command.
type verb struct {
	name    string
	args    string // synopsis after the name
	does    string // one line
	more    string // further help
	example string
	flags   func(*options, *pflag.FlagSet)
	run     func(context.Context, *invocation) (int, error)
}

// invocation is one run of a verb.
type invocation struct {
	Env
	opts options
	args []string // before "--"
	dash []string // after "--"; nil when there was none
}

// verbs are all commands, in the order of the help.
func verbs() []verb {
	return []verb{demoVerb(), inspectVerb(), doctorVerb(), callVerb(), readVerb(), promptVerb(), completeVerb(), rawVerb(), recordVerb(), showVerb(), diffVerb(), replayVerb(), serveVerb(), snapshotVerb(), convertVerb()}
}

// Known says whether name is a verb.
func Known(name string) bool {
	for _, v := range verbs() {
		if v.name == name {
			return true
		}
	}
	return name == "help"
}

// Run runs the verb args[0] and returns the exit code.
func Run(ctx context.Context, args []string, env Env) int {
	if len(args) == 0 || args[0] == "help" && len(args) == 1 {
		fmt.Fprint(env.Out, Usage())
		return ExitOK
	}
	if args[0] == "help" {
		args = []string{args[1], "--help"}
	}
	for _, v := range verbs() {
		if v.name == args[0] {
			return runVerb(ctx, v, args[1:], env)
		}
	}
	fmt.Fprintf(env.Err, "mcploupe: there is no verb %q\n\n%s", args[0], Usage())
	return ExitFailed
}

func runVerb(ctx context.Context, v verb, args []string, env Env) int {
	env.Err = &inTurn{w: env.Err}
	inv := &invocation{Env: env}
	set := pflag.NewFlagSet(v.name, pflag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.SortFlags = false
	v.flags(&inv.opts, set)
	err := set.Parse(args)
	if errors.Is(err, pflag.ErrHelp) {
		fmt.Fprint(env.Out, v.help(set))
		return ExitOK
	}
	if err != nil {
		fmt.Fprintf(env.Err, "mcploupe %s: %v\nusage: mcploupe %s %s\n", v.name, err, v.name, v.args)
		return ExitFailed
	}
	inv.args = set.Args()
	if at := set.ArgsLenAtDash(); at >= 0 {
		inv.args, inv.dash = set.Args()[:at], set.Args()[at:]
	}
	code, err := v.run(ctx, inv)
	if err != nil {
		fmt.Fprintf(env.Err, "mcploupe %s: %v\n", v.name, err)
		var usage usageError
		if errors.As(err, &usage) {
			fmt.Fprintf(env.Err, "usage: mcploupe %s %s\n", v.name, v.args)
		}
		return max(code, ExitFailed)
	}
	return code
}

// usageError is a fault of the command line itself.
type usageError string

func (e usageError) Error() string { return string(e) }

// Usage lists the verbs.
func Usage() string {
	var b strings.Builder
	b.WriteString("MCP Loupe inspects servers that speak the Model Context Protocol.\n\n" +
		"  mcploupe                 open the window\n" +
		"  mcploupe FILE            open the window with a recording\n")
	for _, v := range verbs() {
		fmt.Fprintf(&b, "  mcploupe %-15s %s\n", v.name, v.does)
	}
	b.WriteString("\nA TARGET is the name of a saved server, a URL, or everything after --:\n" +
		"  mcploupe inspect -- npx -y @modelcontextprotocol/server-everything stdio\n" +
		"\nmcploupe VERB --help tells more, mcploupe --version which build this is.\nExit codes: 0 fine, 1 the thing checked for was found, 2 could not run.\n")
	return b.String()
}

func (v verb) help(set *pflag.FlagSet) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n\nusage: mcploupe %s %s\n", v.does, v.name, v.args)
	if v.more != "" {
		fmt.Fprintf(&b, "\n%s\n", v.more)
	}
	fmt.Fprintf(&b, "\nexample:\n  %s\n\nflags:\n%s", v.example, set.FlagUsages())
	return b.String()
}
