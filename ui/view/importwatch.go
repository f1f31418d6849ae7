package view

import (
	"context"
	"os"
	"slices"
	"strings"
	"time"

	"mcploupe/session/mcpjson"
	"mcploupe/ui/pump"
	"mcploupe/ui/settings"
	"mcploupe/ui/view/human"
)

// ImportChange is what became different in a file since the person last looked.
type ImportChange struct {
	File                    string
	Dialect                 mcpjson.Dialect
	Added, Removed, Changed int
	Trouble                 string // why the file cannot be read now, "" when it can
}

// Title names the file.
func (c ImportChange) Title() string { return c.Dialect.Title() + " changed" }

// Text says what changed.
func (c ImportChange) Text() string {
	if c.Trouble != "" {
		return line(c.Trouble, 200)
	}
	var parts []string
	for _, p := range []struct {
		n    int
		word string
	}{{c.Added, "new"}, {c.Changed, "changed"}, {c.Removed, "gone"}} {
		if p.n > 0 {
			parts = append(parts, human.Count(p.n)+" "+p.word)
		}
	}
	return strings.Join(parts, ", ")
}

// WatchEvery is the time between two looks at the files that are watched. A look
// is one call of the system a file: it does as well for files that programs
// replace, are not there yet or lie on a network.
const WatchEvery = 2 * time.Second

// fileStamp tells whether a file may have changed.
type fileStamp struct {
	size int64
	at   time.Time
	err  string
}

// WatchImports looks at the files that are watched, until ctx ends, and tells
// changed whenever what is different in them becomes another thing. It is told
// from the goroutine of WatchImports. A file that has changed is read once it is
// the same at two looks: not every program writes in one go.
func WatchImports(ctx context.Context, store *settings.Store, clock pump.Clock, changed func([]ImportChange)) {
	stamps := map[string]fileStamp{}
	moved := map[string]bool{}
	looked := map[string]settings.Import{}
	found := map[string]ImportChange{}
	var told []ImportChange
	for {
		var now []ImportChange
		st := store.Get()
		for _, f := range st.Imports {
			if !f.Watch {
				continue
			}
			s := stampOf(f.File)
			last, known := looked[f.File]
			settled := !known || s == stamps[f.File]
			stamps[f.File] = s
			if !settled {
				moved[f.File] = true
			} else if !known || moved[f.File] || !slices.Equal(last.Seen, f.Seen) || last.Dialect != f.Dialect {
				looked[f.File], found[f.File] = f, changesOf(f)
				delete(moved, f.File)
			}
			if c := found[f.File]; c != (ImportChange{File: f.File, Dialect: f.Dialect}) {
				now = append(now, c)
			}
		}
		if !slices.Equal(now, told) {
			told = now
			changed(now)
		}
		wait, stop := clock.NewTimer(WatchEvery)
		select {
		case <-ctx.Done():
			stop()
			return
		case <-wait:
		}
	}
}

func stampOf(path string) fileStamp {
	info, err := os.Stat(path)
	if err != nil {
		return fileStamp{err: err.Error()}
	}
	return fileStamp{size: info.Size(), at: info.ModTime()}
}

// changesOf compares a file with what was seen of it.
func changesOf(f settings.Import) ImportChange {
	c := ImportChange{File: f.File, Dialect: f.Dialect}
	text, err := readServers(f.File)
	if err != nil {
		c.Trouble = err.Error()
		return c
	}
	read := mcpjson.Read(text, f.File, f.Dialect)
	if len(read.Servers) == 0 && mcpjson.Faulty(read.Faults) && len(f.Seen) > 0 {
		for _, x := range read.Faults {
			if !x.Note {
				c.Trouble = x.String()
				return c
			}
		}
	}
	seen := map[[2]string]string{}
	for _, s := range f.Seen {
		seen[[2]string{s.Project, s.Name}] = s.Sum
	}
	for _, s := range read.Servers {
		key := [2]string{s.Project, s.Name}
		sum, ok := seen[key]
		switch {
		case !ok:
			c.Added++
		case sum != s.Sum:
			c.Changed++
		}
		delete(seen, key)
	}
	c.Removed = len(seen)
	return c
}
