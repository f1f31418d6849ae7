package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"mcploupe/recorder"
	"mcploupe/recorder/interop"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
)

// openFile opens a recording, or imports a file of another format into one
// that is gone when it is closed. A name of - is standard input.
func (inv *invocation) openFile(ctx context.Context, name, from string) (log *recorder.Log, done func() error, err error) {
	format := interop.Unknown
	if from != "" {
		info, ok := interop.ByKey(from)
		if !ok || !info.Import {
			return nil, nil, usageError(fmt.Sprintf("--from %q: it is one of %s", from, formatKeys(func(i interop.Info) bool { return i.Import })))
		}
		format = info.Format
	}
	in := inv.In
	if name != "-" {
		f, err := os.Open(name)
		if err != nil {
			return nil, nil, err
		}
		defer func() { _ = f.Close() }() // read only
		in = f
	}
	head := bufio.NewReaderSize(in, 64<<10)
	if format == interop.Unknown && name != "-" {
		begin, _ := head.Peek(64 << 10) // its error comes again with the next read
		if format = interop.Detect(begin); format == interop.Recording {
			log, err := recorder.OpenContext(ctx, name, nil)
			if err != nil {
				return nil, nil, err
			}
			if said := log.Repaired(); said != "" {
				fmt.Fprintf(inv.Err, "mcploupe: %s: %s\n", name, safe.Line(said, 1000))
			}
			return log, log.Close, nil
		}
	}
	return inv.importFile(ctx, head, name, format)
}

func (inv *invocation) importFile(ctx context.Context, in io.Reader, name string, format interop.Format) (*recorder.Log, func() error, error) {
	scratch, err := os.MkdirTemp("", "mcploupe-")
	if err != nil {
		return nil, nil, fmt.Errorf("make a folder for what is imported: %w", err)
	}
	log, report, err := interop.Create(ctx, in, name, filepath.Join(scratch, "import"+recorder.Ext), interop.Options{Format: format, App: "mcploupe " + inv.Version})
	if err != nil {
		if errors.Is(err, interop.ErrUnknown) {
			err = fmt.Errorf("%w; it can be one of %s", err, formatKeys(func(i interop.Info) bool { return i.Import }))
		}
		return nil, nil, errors.Join(err, os.RemoveAll(scratch))
	}
	inv.printImport(name, report)
	return log, func() error { return errors.Join(log.Close(), os.RemoveAll(scratch)) }, nil
}

// shownRemarks is how many remarks on an import are printed.
const shownRemarks = 10

func (inv *invocation) printImport(name string, r interop.Report) {
	if r.Format == interop.Recording {
		return
	}
	info, _ := interop.ByKey(r.Format.String())
	fmt.Fprintf(inv.Err, "%s: %s, %s\n", safe.Line(name, 400), info.Name, human.Plural(r.Events, "event", "events"))
	for _, rule := range r.Rules {
		fmt.Fprintf(inv.Err, "  %s\n", safe.Line(rule, 400))
	}
	for i, remark := range r.Skipped {
		if i == shownRemarks {
			break
		}
		fmt.Fprintf(inv.Err, "  %s: %s\n", safe.Line(remark.Where, 80), safe.Line(remark.Text, 300))
	}
	if more := r.SkippedN - min(len(r.Skipped), shownRemarks); more > 0 {
		fmt.Fprintf(inv.Err, "  and %s more like these\n", human.Count(more))
	}
}

// formatKeys lists the formats that do something.
func formatKeys(does func(interop.Info) bool) string {
	out := ""
	for _, info := range interop.Formats() {
		if does(info) {
			if out != "" {
				out += ", "
			}
			out += info.Key
		}
	}
	return out
}
