package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/pflag"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/recorder/interop"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
)

// convertOptions are the flags of convert.
type convertOptions struct {
	to       string
	mask     bool
	noMask   bool
	pointers []string
	words    []string
	home     bool
	force    bool
}

func convertVerb() verb {
	return verb{
		name: "convert", args: "IN OUT [flags]",
		does: "convert between recordings and the formats of other programs, secrets masked",
		more: "What IN is, its content tells; OUT is what its ending says, or --to. Both may be - for standard input and\n" +
			"output. Tokens, keys and credentials are masked unless --no-mask is given. What was masked and what the\n" +
			"format could not carry is printed on standard error.\n" +
			"reads:  " + formatKeys(func(i interop.Info) bool { return i.Import }) + "\n" +
			"writes: " + formatKeys(func(i interop.Info) bool { return i.Export }),
		example: "mcploupe convert session.mcp.jsonl session.har --filter method:tools/* --mask-pointer /params/arguments/password",
		flags: func(o *options, f *pflag.FlagSet) {
			f.BoolVar(&o.json, "json", false, "print the report as one JSON document on standard output")
			f.StringVar(&o.convert.to, "to", "", "`FORMAT` of OUT: "+formatKeys(func(i interop.Info) bool { return i.Export }))
			f.StringVar(&o.show.from, "from", "", "`FORMAT` of IN; found out when not given")
			f.StringVar(&o.show.filter, "filter", "", "only events that match this `FILTER`")
			f.BoolVar(&o.convert.mask, "mask", true, "mask tokens, keys and credentials")
			f.BoolVar(&o.convert.noMask, "no-mask", false, "leave secrets as they are")
			f.StringArrayVar(&o.convert.pointers, "mask-pointer", nil, "mask what stands at this JSON `POINTER` of messages, * for any step; may be repeated")
			f.StringArrayVar(&o.convert.words, "mask-word", nil, "mask this `TEXT` anywhere; may be repeated")
			f.BoolVar(&o.convert.home, "mask-home", false, "mask home folders, which tell the name of a user")
			f.BoolVar(&o.convert.force, "force", false, "write over OUT when it is there")
		},
		run: runConvert,
	}
}

func runConvert(ctx context.Context, inv *invocation) (code int, err error) {
	o := inv.opts.convert
	if len(inv.args) != 2 || inv.dash != nil {
		return ExitFailed, usageError("name the file to read and the file to write")
	}
	in, out := inv.args[0], inv.args[1]
	format, err := exportFormat(o.to, out)
	if err != nil {
		return ExitFailed, err
	}
	masks := o.mask && !o.noMask
	if !masks && (len(o.pointers) > 0 || len(o.words) > 0 || o.home) {
		return ExitFailed, usageError("--no-mask does not go with --mask-pointer, --mask-word and --mask-home")
	}
	if out == "-" && inv.opts.json {
		return ExitFailed, usageError("--json has no place when OUT is standard output")
	}
	options := recorder.ExportOptions{App: "mcploupe " + inv.Version}
	if text := inv.opts.show.filter; text != "" {
		if options.Filter, err = recorder.ParseFilter(text); err != nil {
			return ExitFailed, filterFault(text, err)
		}
	}
	if err := mayWrite(in, out, o.force); err != nil {
		return ExitFailed, err
	}
	log, done, err := inv.openFile(ctx, in, inv.opts.show.from)
	if err != nil {
		return ExitFailed, err
	}
	defer func() { err = errors.Join(err, done()) }()
	if masks {
		options.Mask, err = recorder.PlanMask(ctx, log, recorder.MaskOptions{Tokens: true, Pointers: o.pointers, Words: o.words, Home: o.home})
		if err != nil {
			return ExitFailed, err
		}
	}
	var report recorder.ExportReport
	if err := inv.writeFile(out, o.force, func(w io.Writer) (err error) {
		report, err = interop.Export(ctx, w, log, format.Format, options)
		return err
	}); err != nil {
		return ExitFailed, err
	}
	inv.printMasked(options.Mask)
	if lost := report.Losses(); lost != "" {
		fmt.Fprintf(inv.Err, "%s\n", lost)
	}
	fmt.Fprintf(inv.Err, "%s: %s, %s, %s\n", safe.Line(out, 400), format.Name, human.Plural(report.Events, "event", "events"), human.Bytes(report.Bytes))
	if inv.opts.json {
		return ExitOK, printValue(inv.Out, convertValue(format, report, options.Mask))
	}
	return ExitOK, nil
}

func exportFormat(key, out string) (interop.Info, error) {
	canWrite := formatKeys(func(i interop.Info) bool { return i.Export })
	if key != "" {
		info, ok := interop.ByKey(key)
		if !ok || !info.Export {
			return info, usageError(fmt.Sprintf("--to %q: it is one of %s", key, canWrite))
		}
		return info, nil
	}
	info, ok := interop.ForExport(out)
	if !ok {
		return info, usageError(fmt.Sprintf("the ending of %q tells no format: give --to, one of %s", out, canWrite))
	}
	return info, nil
}

// mayWrite says why a file may not be written.
func mayWrite(in, out string, force bool) error {
	if out == "-" {
		return nil
	}
	there, err := os.Stat(out)
	if err != nil {
		return nil // it is not there, or writing it will say why not
	}
	if source, err := os.Stat(in); err == nil && os.SameFile(source, there) {
		return fmt.Errorf("%s: IN and OUT are the same file", out)
	}
	if !force {
		return fmt.Errorf("%s: the file is there already; --force writes over it", out)
	}
	return nil
}

// writeFile makes a file of mode 0600 with what fn writes. When fn fails there
// is none, and one that was there stays.
func (inv *invocation) writeFile(name string, force bool, fn func(io.Writer) error) error {
	if name == "-" {
		return fn(inv.Out)
	}
	if !force {
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return err
		}
		if err := errors.Join(fn(f), f.Close()); err != nil {
			return errors.Join(err, os.Remove(name))
		}
		return nil
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".mcploupe-*") // of mode 0600
	if err != nil {
		return err
	}
	if err := errors.Join(fn(f), f.Close()); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	if err := os.Rename(f.Name(), name); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// shownMasks is how many masked secrets are listed.
const shownMasks = 30

func (inv *invocation) printMasked(p *recorder.MaskPlan) {
	if p == nil || len(p.Entries) == 0 {
		return
	}
	fmt.Fprintf(inv.Err, "masked: %s\n", human.Plural(len(p.Entries), "secret", "secrets"))
	for i, e := range p.Entries {
		if i == shownMasks {
			fmt.Fprintf(inv.Err, "  and %s more\n", human.Count(len(p.Entries)-i))
			break
		}
		line := fmt.Sprintf("  %s %s in %s", e.Kind, safe.Line(e.Shown, 80), human.Plural(e.Count, "place", "places"))
		if len(e.Places) > 0 {
			line += ", first " + placeText(e.Places[0])
		}
		if e.Tag != "" {
			line += ", as " + e.Tag
		}
		fmt.Fprintln(inv.Err, line)
	}
}

func placeText(p recorder.MaskPlace) string {
	if p.Seq == 0 {
		return "in the header"
	}
	return fmt.Sprintf("in event %d, %s", p.Seq, safe.Line(strings.TrimSpace(p.Where), 120))
}

func convertValue(format interop.Info, r recorder.ExportReport, p *recorder.MaskPlan) jsontext.Value {
	var d document
	d.text("format", format.Key)
	d.number("events", int64(r.Events))
	d.number("messages", int64(r.Messages))
	d.number("marks", int64(r.Marks))
	d.number("bytes", r.Bytes)
	var lost []jsontext.Value
	for _, l := range r.Lost {
		var one document
		one.text("what", l.Many)
		one.number("count", int64(l.Count))
		lost = append(lost, one.value())
	}
	d.put("lost", array(lost))
	var masked []jsontext.Value
	if p != nil {
		for _, e := range p.Entries {
			var one document
			one.text("kind", e.Kind.String())
			one.put("shown", protocol.QuoteString(e.Shown))
			one.text("tag", e.Tag)
			one.number("count", int64(e.Count))
			masked = append(masked, one.value())
		}
	}
	d.put("masked", array(masked))
	return d.value()
}
