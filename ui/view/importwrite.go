package view

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mcploupe/session"
	"mcploupe/session/mcpjson"
	"mcploupe/ui/settings"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/textdiff"
)

// ServersExport is what writing servers into a file of another program would do.
type ServersExport struct {
	Path    string
	Dialect mcpjson.Dialect
	Written mcpjson.Written
	Diff    *textdiff.Diff // with secrets hidden

	before []byte
	exists bool
}

// ErrFileChanged says that a file is not what the preview was made of.
var ErrFileChanged = errors.New("the file has changed meanwhile: nothing was written, look at the changes again")

// PlanExport works out what writing the servers would do; nothing is written.
func PlanExport(path string, d mcpjson.Dialect, servers []settings.Server) (*ServersExport, error) {
	e := &ServersExport{Path: path, Dialect: d}
	text, err := readServers(path)
	switch {
	case err == nil:
		e.before, e.exists = text, true
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	var out []mcpjson.Outgoing
	used := map[[2]string]bool{}
	for _, x := range servers {
		name := TitleOf(x.Target)
		if x.Source != nil {
			name = x.Source.Name
		}
		o := x.Outgoing(name)
		if d != mcpjson.ClaudeCode {
			o.Project = ""
		}
		for i := 2; used[[2]string{o.Project, o.Name}]; i++ {
			o.Name = fmt.Sprintf("%s %d", name, i)
		}
		used[[2]string{o.Project, o.Name}] = true
		out = append(out, o)
	}
	if e.Written, err = mcpjson.Write(e.before, d, out); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	e.Diff = textdiff.Texts(string(mcpjson.Mask(e.before, session.IsSecretName)), string(mcpjson.Mask(e.Written.Text, session.IsSecretName)))
	return e, nil
}

// Unchanged reports whether writing would change nothing.
func (e *ServersExport) Unchanged() bool { return e.exists && bytes.Equal(e.before, e.Written.Text) }

// Summary says what would be done.
func (e *ServersExport) Summary() string {
	var parts []string
	for _, p := range []struct {
		names []string
		word  string
	}{{e.Written.Added, "added"}, {e.Written.Changed, "changed"}, {e.Written.Same, "as in the file already"}} {
		if len(p.names) > 0 {
			parts = append(parts, human.Plural(len(p.names), "server", "servers")+" "+p.word)
		}
	}
	if len(parts) == 0 {
		parts = []string{"no servers to write"}
	}
	text := strings.Join(parts, ", ")
	if !e.exists {
		text += "; the file is made"
	}
	return text
}

// Write writes the file: all of it or nothing, with the mode that it has. What
// was there is kept in a file beside it, whose path is returned.
func (e *ServersExport) Write(now time.Time) (backup string, err error) {
	path := e.Path
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real // a link stays one
	}
	text, err := os.ReadFile(path)
	switch {
	case err != nil && (e.exists || !errors.Is(err, fs.ErrNotExist)):
		return "", fmt.Errorf("read the file again: %w", err)
	case e.exists != (err == nil) || !bytes.Equal(text, e.before):
		return "", ErrFileChanged
	}
	mode := fs.FileMode(0o600)
	if e.exists {
		info, err := os.Stat(path)
		if err != nil {
			return "", fmt.Errorf("look at the file: %w", err)
		}
		mode = info.Mode().Perm()
		base := path + "." + now.Format("20060102-150405")
		backup = base + ".bak"
		err = writeNew(backup, e.before, mode)
		for i := 2; errors.Is(err, fs.ErrExist) && i < 100; i++ { // written twice in a second
			backup = fmt.Sprintf("%s-%d.bak", base, i)
			err = writeNew(backup, e.before, mode)
		}
		if err != nil {
			return "", fmt.Errorf("keep a copy of the file: %w", err)
		}
	} else if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", fmt.Errorf("make the folder of the file: %w", err)
	}
	if err := replaceWhole(path, e.Written.Text, mode); err != nil {
		return backup, fmt.Errorf("write %s: %w", path, err)
	}
	return backup, nil
}

// Note remembers that the person has seen what was written, so that it is not
// told as a change of the file. What became different in it otherwise still is.
func (e *ServersExport) Note(store *settings.Store) error {
	return store.Update(func(s *settings.Settings) {
		for i, f := range s.Imports {
			if f.File != e.Path && !SameFile(f.File, e.Path) {
				continue
			}
			before := map[[2]string]string{}
			for _, x := range mcpjson.Read(e.before, f.File, f.Dialect).Servers {
				before[[2]string{x.Project, x.Name}] = x.Sum
			}
			seen := slices.Clone(f.Seen)
			for _, x := range mcpjson.Read(e.Written.Text, f.File, f.Dialect).Servers {
				if before[[2]string{x.Project, x.Name}] == x.Sum {
					continue
				}
				seen = slices.DeleteFunc(seen, func(o settings.Seen) bool { return o.Project == x.Project && o.Name == x.Name })
				seen = append(seen, settings.Seen{Name: x.Name, Project: x.Project, Sum: x.Sum})
			}
			s.Imports[i].Seen = seen
		}
	})
}

// writeNew writes a file that must not be there.
func writeNew(path string, text []byte, mode fs.FileMode) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Sync(), f.Close())
}

// replaceWhole writes beside path and renames.
func replaceWhole(path string, text []byte, mode fs.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".mcploupe-*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// ExportPlaces are where servers can be written to in a dialect: its usual
// place, and files of it that were imported from.
func ExportPlaces(d mcpjson.Dialect, st settings.Settings) []string {
	var out []string
	if usual := mcpjson.UsualPlace(d, ThisMachine()); usual != "" {
		out = append(out, usual)
	}
	for _, f := range st.Imports {
		if f.Dialect == d && !slices.Contains(out, f.File) {
			out = append(out, f.File)
		}
	}
	return out
}
