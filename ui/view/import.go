package view

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"mcploupe/session/mcpjson"
	"mcploupe/session/secret"
	"mcploupe/ui/settings"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
)

// ThisMachine says where the usual places are on this machine.
func ThisMachine() mcpjson.Machine {
	m := mcpjson.Machine{OS: runtime.GOOS, ClaudeConfig: os.Getenv("CLAUDE_CONFIG_DIR")}
	m.Home, _ = os.UserHomeDir() // a folder that is not known has no places
	m.Config, _ = os.UserConfigDir()
	return m
}

// ImportPlace is a file of servers that is there, or could be.
type ImportPlace struct {
	mcpjson.Place
	There bool
	Count int    // servers
	Word  string // what is to be told of it
	Tone  Tone
	Watch bool
}

// Title names the place.
func (p ImportPlace) Title() string {
	title := p.Dialect.Title()
	if p.What != "" {
		title += " " + p.What
	}
	return title
}

// maxProjects bounds the folders that are looked into besides the usual places.
const maxProjects = 100

// ScanPlaces looks which files of servers are there: in the usual places, in the
// folders of projects that are known, and those that were imported from before.
// Those that are not there come last.
func ScanPlaces(ctx context.Context, m mcpjson.Machine, folders []string, imports []settings.Import) []ImportPlace {
	places := mcpjson.Places(m)
	for _, p := range slices.Clone(places) {
		if p.Dialect == mcpjson.ClaudeCode {
			if text, err := readServers(p.Path); err == nil {
				folders = append(folders, mcpjson.ProjectFolders(text)...)
			}
		}
	}
	slices.Sort(folders)
	folders = slices.Compact(folders)
	for _, folder := range folders[:min(len(folders), maxProjects)] {
		for _, p := range mcpjson.ProjectPlaces(folder) {
			p.What = "in " + folder
			places = append(places, p)
		}
	}
	for _, f := range imports {
		if !slices.ContainsFunc(places, func(p mcpjson.Place) bool { return SameFile(p.Path, f.File) || p.Path == f.File }) {
			places = append(places, mcpjson.Place{Dialect: f.Dialect, Path: f.File})
		}
	}
	usual := len(mcpjson.Places(m))
	var there, missing []ImportPlace
	for i, p := range places {
		if ctx.Err() != nil {
			break
		}
		row := lookAtPlace(p)
		row.Watch = slices.ContainsFunc(imports, func(f settings.Import) bool { return f.File == p.Path && f.Watch })
		switch {
		case row.There && (row.Count > 0 || row.Tone == Bad || p.Dialect != mcpjson.Zed && !strings.HasSuffix(p.Path, "settings.json")):
			there = append(there, row)
		case i < usual && !row.There:
			missing = append(missing, row)
		}
	}
	return append(there, missing...)
}

func lookAtPlace(p mcpjson.Place) ImportPlace {
	row := ImportPlace{Place: p, Word: "not there", Tone: Muted}
	text, err := readServers(p.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return row
	}
	row.There = true
	if err != nil {
		row.Word, row.Tone = line(err.Error(), 200), Bad
		return row
	}
	f := mcpjson.Read(text, p.Path, p.Dialect)
	row.Count, row.Tone = len(f.Servers), Good
	row.Word = human.Plural(row.Count, "server", "servers")
	if row.Count == 0 {
		row.Tone = Muted
	}
	if mcpjson.Faulty(f.Faults) && (f.Found || row.Count > 0) {
		row.Word, row.Tone = row.Word+", with mistakes", Caution
	}
	return row
}

// readServers reads a file of servers, within bounds.
func readServers(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("look for %s: %w", path, err)
	}
	switch {
	case info.IsDir():
		return nil, fmt.Errorf("%s is a folder", path)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no ordinary file", path)
	case info.Size() > mcpjson.MaxBytes:
		return nil, fmt.Errorf("%s is larger than %s", path, human.Bytes(mcpjson.MaxBytes))
	}
	return os.ReadFile(path)
}

// EntryState is how an entry of a file stands to the saved servers.
type EntryState uint8

// The states of an entry.
const (
	EntryNew     EntryState = iota
	EntrySame               // saved, and as it was when it was
	EntryChanged            // saved, and different since
	EntryRemoved            // saved, and not in the file any more
	EntryBroken             // nothing can be made of it
)

var entryWords = [...]string{"new", "imported", "changed", "gone from the file", "not usable"}

// Word names the state.
func (s EntryState) Word() string { return entryWords[s] }

// Tone is its weight.
func (s EntryState) Tone() Tone {
	return [...]Tone{Good, Muted, Caution, Caution, Bad}[s]
}

// ImportEntry is a server of a file, with the saved one that came from it.
type ImportEntry struct {
	mcpjson.Server
	State EntryState
	ID    string // of the saved server, "" for none
	Tick  bool   // it is to be taken over
	Was   string // what is started or connected to until then, of one that has changed
}

// Title is the entry's name.
func (e ImportEntry) Title() string { return line(e.Name, 80) }

// What says what is started or connected to.
func (e ImportEntry) What() string {
	x := settings.ServerOf(e.Server, mcpjson.Generic, "", "", nil)
	x.Target.Name = ""
	for i := range x.Target.Env {
		x.Target.Env[i].Secret = true
	}
	return line(x.Target.String(), 300)
}

// Usable reports whether the entry can be ticked.
func (e ImportEntry) Usable() bool { return e.State != EntryBroken && e.State != EntrySame }

// ImportFile is a file of servers as it can be imported.
type ImportFile struct {
	Path    string
	Read    mcpjson.File
	Entries []ImportEntry
	Watch   bool
	Known   bool // something was imported from it before
}

// ReadImport reads a file; as "" tells the dialect by the file.
func ReadImport(path string, as mcpjson.Dialect, st settings.Settings) (*ImportFile, error) {
	text, err := readServers(path)
	if err != nil {
		return nil, err
	}
	f := &ImportFile{Path: path, Read: mcpjson.Read(text, path, as)}
	f.compare(st)
	return f, nil
}

// compare tells the state of every entry.
func (f *ImportFile) compare(st settings.Settings) {
	seen := map[[2]string]string{}
	if i := slices.IndexFunc(st.Imports, func(x settings.Import) bool { return x.File == f.Path }); i >= 0 {
		f.Watch, f.Known = st.Imports[i].Watch, true
		for _, s := range st.Imports[i].Seen {
			seen[[2]string{s.Project, s.Name}] = s.Sum
		}
	}
	f.Entries = nil
	found := map[string]bool{}
	for _, s := range f.Read.Servers {
		e := ImportEntry{Server: s}
		saved := savedFrom(st, f.Path, s.Project, s.Name)
		switch {
		case !s.Usable():
			e.State = EntryBroken
		case saved == nil:
			e.Tick = !s.Disabled && !mcpjson.Faulty(s.Faults)
		case seen[[2]string{s.Project, s.Name}] == s.Sum:
			e.State = EntrySame
		default:
			e.State, e.Tick, e.Was = EntryChanged, true, line(saved.Target.String(), 300)
		}
		if saved != nil {
			e.ID = saved.ID
			found[saved.ID] = true
		}
		f.Entries = append(f.Entries, e)
	}
	for _, x := range st.Servers {
		if x.Source != nil && x.Source.File == f.Path && !found[x.ID] {
			f.Entries = append(f.Entries, ImportEntry{State: EntryRemoved, ID: x.ID, Server: mcpjson.Server{
				Name: x.Source.Name, Project: x.Source.Project, Command: x.Target.Command, Args: x.Target.Args, URL: x.Target.URL}})
		}
	}
}

func savedFrom(st settings.Settings, file, project, name string) *settings.Server {
	for i, x := range st.Servers {
		if x.Source != nil && x.Source.File == file && x.Source.Project == project && x.Source.Name == name {
			return &st.Servers[i]
		}
	}
	return nil
}

// Ticked counts the entries that are to be taken over.
func (f *ImportFile) Ticked() int {
	n := 0
	for _, e := range f.Entries {
		if e.Tick {
			n++
		}
	}
	return n
}

// TickAll ticks all that can be, or none.
func (f *ImportFile) TickAll(on bool) {
	for i := range f.Entries {
		f.Entries[i].Tick = on && f.Entries[i].Usable() && f.Entries[i].State != EntryRemoved
	}
}

// Faults are what is wrong with the file, for a person, each with its line.
func (f *ImportFile) Faults() []string {
	var out []string
	for _, x := range f.Read.Faults {
		out = append(out, safe.Line(x.String(), 300))
	}
	return out
}

// Facts tell of one entry.
func (f *ImportFile) Facts(i int) []Fact {
	e := f.Entries[i]
	var facts []Fact
	add := func(label, value string) {
		if value != "" {
			facts = append(facts, Fact{label, line(value, 1000)})
		}
	}
	masked := settings.ServerOf(e.Server, f.Read.Dialect, f.Path, "", f.Read.Inputs)
	shown := masked.Target.WithoutSecrets("••••••")
	add("Until now", e.Was)
	add("Project", e.Project)
	if e.Command != "" {
		add("Program", e.Command)
		for i, a := range shown.Args {
			add(fmt.Sprintf("Argument %d", i+1), a)
		}
		add("Folder", e.Dir)
	} else {
		add("Address", shown.URL)
		add("Transport", e.Transport)
	}
	variable := func(label string, list []mcpjson.Variable, hide func(string) bool) {
		for _, v := range list {
			value := v.Value
			if hide(v.Name) && value != "" && !f.Read.Dialect.Syntax().Refers(value) {
				value = "••••••"
			}
			add(label, v.Name+" = "+value)
		}
	}
	variable("Environment", e.Env, func(name string) bool {
		return slices.ContainsFunc(masked.SecretKeys(), func(k secret.Key) bool { return k.Kind == secret.Env && k.Name == name })
	})
	add("Environment file", e.EnvFile)
	variable("Header", e.Headers, func(name string) bool { return slices.Contains(masked.SecretHeaders, name) })
	for _, a := range masked.Inputs {
		text := a.ID
		if a.Description != "" {
			text += ": " + a.Description
		}
		add("Asked for", text)
	}
	if e.Disabled {
		add("Switched off", "in "+f.Read.Dialect.Title())
	}
	if e.TimeoutMS > 0 {
		add("Time limit", formatLimit(e.TimeoutMS))
	}
	var unknown []string
	for _, k := range e.Unknown {
		unknown = append(unknown, k.Name)
	}
	add("Kept for writing", strings.Join(unknown, ", "))
	for _, x := range e.Faults {
		add("Mistake", x.String())
	}
	return facts
}

// Summary says how the entries stand, such as "3 new, 1 changed".
func (f *ImportFile) Summary() string {
	var parts []string
	for state := EntryNew; state <= EntryBroken; state++ {
		n := 0
		for _, e := range f.Entries {
			if e.State == state {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, human.Count(n)+" "+state.Word())
		}
	}
	if len(parts) == 0 {
		return "no servers"
	}
	return strings.Join(parts, ", ")
}

// Apply takes the ticked entries over into the settings and notes what was seen
// of the file. Secrets that stand in the file come back, to be kept elsewhere.
func (f *ImportFile) Apply(store *settings.Store, group string, watch bool) (applied ImportApplied, err error) {
	workspace := mcpjson.WorkspaceOf(f.Path)
	if slices.ContainsFunc(mcpjson.Places(ThisMachine()), func(p mcpjson.Place) bool { return SameFile(p.Path, f.Path) || p.Path == f.Path }) {
		workspace = "" // it is for all projects
	}
	note := settings.Import{File: f.Path, Dialect: f.Read.Dialect, Watch: watch}
	for _, e := range f.Entries {
		if e.State != EntryRemoved {
			note.Seen = append(note.Seen, settings.Seen{Name: e.Name, Project: e.Project, Sum: e.Sum})
		}
		if !e.Tick {
			continue
		}
		x := settings.ServerOf(e.Server, f.Read.Dialect, f.Path, workspace, f.Read.Inputs)
		switch e.State {
		case EntryNew:
			x.Group = strings.TrimSpace(group)
			var secrets []settings.Secret
			x, secrets, err = store.Add(x)
			applied.Added = append(applied.Added, x)
			applied.Secrets = append(applied.Secrets, secrets...)
		case EntryChanged:
			old, ok := store.Server(e.ID)
			if !ok {
				continue
			}
			x.ID, x.Group, x.LastUsed, x.Roots, x.Off, x.Live = old.ID, old.Group, old.LastUsed, old.Roots, old.Off, old.Live
			x.AskRoots, x.HoldRounds, x.NotKept = old.AskRoots, old.HoldRounds, old.NotKept
			if x.Limits == (settings.Limits{}) {
				x.Limits = old.Limits
			}
			x.Target.Name, x.Target.Revision, x.Target.CAFile = old.Target.Name, old.Target.Revision, old.Target.CAFile
			var secrets []settings.Secret
			x, secrets, err = store.Replace(x)
			applied.Changed = append(applied.Changed, x)
			applied.Secrets = append(applied.Secrets, secrets...)
		case EntryRemoved:
			if old, ok := store.Server(e.ID); ok {
				applied.Removed = append(applied.Removed, old)
			}
			err = store.Update(func(s *settings.Settings) {
				s.Servers = slices.DeleteFunc(s.Servers, func(o settings.Server) bool { return o.ID == e.ID })
			})
		}
		if err != nil {
			return applied, err
		}
	}
	err = store.NoteImport(note)
	f.compare(store.Get())
	return applied, err
}

// ImportApplied is what an import did.
type ImportApplied struct {
	Added, Changed, Removed []settings.Server
	Secrets                 []settings.Secret
}

// Text says it.
func (a ImportApplied) Text() string {
	var parts []string
	for _, p := range []struct {
		n    int
		word string
	}{{len(a.Added), "imported"}, {len(a.Changed), "updated"}, {len(a.Removed), "removed"}} {
		if p.n > 0 {
			parts = append(parts, human.Plural(p.n, "server", "servers")+" "+p.word)
		}
	}
	if len(parts) == 0 {
		return "Nothing was imported; what the file holds is remembered"
	}
	return strings.Join(parts, ", ")
}

// sniffBytes is up to which size a file is looked into to find out what it is.
const sniffBytes = 8 << 20

// IsServersFile reports whether a file is one of servers: by its name, or by what
// it holds.
func IsServersFile(path string) bool {
	if mcpjson.Named(path) {
		return true
	}
	if ext := strings.ToLower(filepath.Ext(path)); ext != ".json" && ext != ".jsonc" {
		return false
	}
	info, err := os.Stat(path)
	if err != nil || info.Size() > sniffBytes {
		return false
	}
	text, err := readServers(path)
	return err == nil && len(mcpjson.Read(text, path, "").Servers) > 0
}
