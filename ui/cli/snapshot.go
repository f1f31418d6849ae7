package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/pflag"

	"mcploupe/recorder"
	"mcploupe/recorder/diff"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
)

// snapshotOptions are the flags of snapshot.
type snapshotOptions struct {
	noMask bool
	force  bool
}

func snapshotVerb() verb {
	return verb{
		name: "snapshot", args: "TARGET OUT [flags] | OUT [flags] -- COMMAND [ARGS...]",
		does: "save what a server or a recording offers as a catalogue, for diff in CI",
		more: "The file is the same for the same offer: lists sorted by name, nothing of the run in it, secrets masked. A catalogue\n" +
			"that is there is written over, another file only with --force. OUT may be - for standard output. Exit code 1 means\n" +
			"that a list could not be read; it is left out of the file.",
		example: "mcploupe snapshot baseline" + diff.SnapshotExt + " -- npx -y @modelcontextprotocol/server-everything stdio",
		flags: func(o *options, f *pflag.FlagSet) {
			f.BoolVar(&o.snapshot.noMask, "no-mask", false, "leave secrets as they are")
			f.BoolVar(&o.snapshot.force, "force", false, "write over OUT when it is another kind of file")
			f.StringVar(&o.show.from, "from", "", "`FORMAT` of TARGET when it is a file; found out when not given")
			connectionFlags(o, f)
		},
		run: runSnapshot,
	}
}

func runSnapshot(ctx context.Context, inv *invocation) (code int, err error) {
	var from operand
	var out string
	switch {
	case inv.dash != nil && len(inv.args) == 1 && len(inv.dash) > 0:
		from, out = operand{command: inv.dash}, inv.args[0]
	case inv.dash == nil && len(inv.args) == 2:
		from, out = operand{name: inv.args[0]}, inv.args[1]
	default:
		return ExitFailed, usageError("name the target and the file to write")
	}
	if err := mayWriteSnapshot(out, inv.opts.snapshot.force); err != nil {
		return ExitFailed, err
	}
	var s diff.Surface
	take := func(log *recorder.Log) (err error) {
		surface := diff.MaskedSurface
		if inv.opts.snapshot.noMask {
			surface = diff.RecordedSurface
		}
		s, err = surface(ctx, log)
		return err
	}
	if from.command == nil && isFile(from.name) {
		log, done, err := inv.openFile(ctx, from.name, inv.opts.show.from)
		if err != nil {
			return ExitFailed, err
		}
		if err := errors.Join(take(log), done()); err != nil {
			return ExitFailed, err
		}
	} else if err := inv.live(ctx, from, take); err != nil {
		return ExitFailed, err
	}
	text, err := diff.AppendSnapshot(nil, s)
	if err != nil {
		return ExitFailed, err
	}
	if err := inv.writeFile(out, true, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	}); err != nil {
		return ExitFailed, err
	}
	known := 0
	for _, list := range []struct {
		diff.List
		one, many string
	}{{s.Tools, "tool", "tools"}, {s.Resources, "resource", "resources"}, {s.Templates, "resource template", "resource templates"}, {s.Prompts, "prompt", "prompts"}} {
		if list.Known {
			known++
			fmt.Fprintf(inv.Err, "%s\n", human.Plural(len(list.Items), list.one, list.many))
		}
	}
	if missing := s.Unknown(); len(missing) > 0 {
		for _, name := range missing {
			fmt.Fprintf(inv.Err, "mcploupe: the list of %s could not be read and is left out\n", name)
		}
		code = ExitFound
	}
	if out != "-" {
		fmt.Fprintf(inv.Err, "%s: %s\n", safe.Line(out, 400), human.Bytes(int64(len(text))))
	}
	return code, nil
}

// mayWriteSnapshot says why a file may not be written.
func mayWriteSnapshot(name string, force bool) error {
	if name == "-" || force {
		return nil
	}
	if _, err := os.Stat(name); err != nil {
		return nil // it is not there, or writing it will say why not
	}
	if _, is, err := readSnapshot(name); err != nil || !is {
		return fmt.Errorf("%s: the file is there already and no catalogue; --force writes over it", name)
	}
	return nil
}
