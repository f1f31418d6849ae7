package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"

	"mcploupe/recorder"
	"mcploupe/recorder/diff"
	"mcploupe/session"
	"mcploupe/ui/view/safe"
)

// maxSnapshot is how long a saved catalogue may be.
const maxSnapshot = 256 << 20

// side opens what an operand names: a file that is there, else a server. done
// is to be called when the comparison is over.
func (inv *invocation) side(ctx context.Context, x operand) (side diff.Side, done func() error, err error) {
	if x.command == nil && isFile(x.name) {
		return inv.fileSide(ctx, x.name)
	}
	side.Name = x.name
	if x.command != nil {
		side.Name = strings.Join(x.command, " ")
	}
	s, err := inv.liveSurface(ctx, x)
	side.Surface = &s
	return side, func() error { return nil }, err
}

func isFile(name string) bool {
	if u, err := url.Parse(name); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
		return false
	}
	there, err := os.Stat(name)
	return err == nil && !there.IsDir() || strings.HasSuffix(name, recorder.Ext) || strings.HasSuffix(name, diff.SnapshotExt)
}

func (inv *invocation) fileSide(ctx context.Context, name string) (side diff.Side, done func() error, err error) {
	side.Name = name
	if inv.opts.show.from == "" {
		s, is, err := readSnapshot(name)
		if err != nil {
			return side, nil, err
		}
		if is {
			side.Surface = &s
			return side, func() error { return nil }, nil
		}
	}
	side.Log, done, err = inv.openFile(ctx, name, inv.opts.show.from)
	return side, done, err
}

// readSnapshot reads a file if it is a catalogue.
func readSnapshot(name string) (s diff.Surface, is bool, err error) {
	f, err := os.Open(name)
	if err != nil {
		return s, false, err
	}
	defer func() { _ = f.Close() }() // read only
	head := make([]byte, 64<<10)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return s, false, err
	}
	if !diff.IsSnapshot(head[:n]) {
		return s, false, nil
	}
	text, err := io.ReadAll(io.LimitReader(io.MultiReader(bytes.NewReader(head[:n]), f), maxSnapshot))
	if err != nil {
		return s, false, err
	}
	s, err = diff.ReadSnapshot(text)
	if errors.Is(err, diff.ErrNoSnapshot) && !bytes.Contains(head[:n], []byte(diff.SnapshotFormat)) {
		return s, false, nil // messages, the first of which has a list
	}
	if err != nil {
		return s, false, fmt.Errorf("%s: %w", name, err)
	}
	return s, true, nil
}

// liveSurface connects to a server, lists what it offers and leaves it.
func (inv *invocation) liveSurface(ctx context.Context, x operand) (s diff.Surface, err error) {
	err = inv.live(ctx, x, func(log *recorder.Log) (err error) {
		s, err = diff.RecordedSurface(ctx, log)
		return err
	})
	return s, err
}

// live connects to a server, lists what it offers and gives the recording to
// fn.
func (inv *invocation) live(ctx context.Context, x operand, fn func(*recorder.Log) error) error {
	var t session.Target
	if x.command != nil {
		t.Command, t.Args = x.command[0], x.command[1:]
	} else {
		found, err := inv.named(x.name)
		if err != nil {
			return err
		}
		t = found
	}
	if err := inv.opts.apply(&t); err != nil {
		return err
	}
	if len(inv.opts.answers) == 0 {
		// Servers show some tools only to clients that can be asked; nothing is asked while lists are read.
		inv.opts.answers = []string{"cancel"}
	}
	_, err := inv.finish(ctx, t, false, func(c *connection) (int, error) {
		if err := c.RefreshAll(ctx); err != nil {
			if ctx.Err() != nil {
				return ExitFailed, ctx.Err()
			}
			// A list that failed is not known; what is missing in it is no change.
			fmt.Fprintf(inv.Err, "mcploupe: %s\n", safe.Line(err.Error(), 400))
		}
		return ExitOK, fn(c.log)
	})
	return err
}
