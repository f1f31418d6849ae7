// Package settings keeps what a person chose: saved servers, recent
// recordings, looks and limits. It is one JSON file of the program's own, mode
// 0600 in a 0700 folder, written whole and renamed into place so that a crash
// leaves either the old or the new one. It knows no widget: the window and the
// headless verbs share it.
package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"mcploupe/session"
)

// Theme modes.
const (
	ThemeSystem = "system"
	ThemeLight  = "light"
	ThemeDark   = "dark"
)

// maxRecent bounds the list of recent recordings.
const maxRecent = 20

// Settings are all choices. The zero value is not valid; see Defaults.
type Settings struct {
	Theme        string   `json:"theme"`
	Servers      []Server `json:"servers,omitempty"`
	Recent       []string `json:"recentRecordings,omitempty"` // newest first
	Groups       []Group  `json:"groups,omitempty"`           // of servers, in the order in which they are shown
	Imports      []Import `json:"imports,omitempty"`          // files that servers were imported from
	Saved        []string `json:"savedRecordings,omitempty"`  // that the person gave a name; the program never deletes them
	RecordingDir string   `json:"recordingDir,omitempty"`     // "" means the default, see Store.RecordingDir
	Limits       Limits   `json:"limits"`
	Window       Window   `json:"window"`
	Filters      Filters  `json:"filters,omitzero"`
	CancelReason string   `json:"cancelReason,omitempty"` // of the last cancellation
	Alert        bool     `json:"alert,omitempty"`        // the desktop is told when a server asks and the window is not in front
}

// Limits are time limits in milliseconds; 0 means the session's default.
type Limits struct {
	ProbeMS   int64 `json:"probeMs,omitempty"`
	InitMS    int64 `json:"initMs,omitempty"`
	CallMS    int64 `json:"callMs,omitempty"`
	CallMaxMS int64 `json:"callMaxMs,omitempty"`
}

// Window is the size and layout of the main window. Split offsets are
// fractions of their container; 0 means the default.
type Window struct {
	Width    float32            `json:"width,omitempty"`
	Height   float32            `json:"height,omitempty"`
	Splits   map[string]float64 `json:"splits,omitempty"`
	Timeline Timeline           `json:"timeline,omitzero"`
	Folded   bool               `json:"timelineFolded,omitempty"` // the timeline is its header line alone
	Text     Text               `json:"text,omitzero"`
}

// Text is how texts of peers and JSON are shown.
type Text struct {
	NoWrap    bool `json:"noWrap,omitempty"`
	NoNumbers bool `json:"noLineNumbers,omitempty"`
}

// Timeline is how the timeline is shown.
type Timeline struct {
	Columns   map[string][]Column `json:"columns,omitempty"`   // by what a row stands for
	Exchanges bool                `json:"exchanges,omitempty"` // a row stands for an exchange, not for an event
	Time      string              `json:"time,omitempty"`      // what times count from
	NoStrip   bool                `json:"noOverview,omitempty"`
}

// Column is a column that the person has changed.
type Column struct {
	Key    string  `json:"key"`
	Width  float32 `json:"width,omitempty"`
	Hidden bool    `json:"hidden,omitempty"`
}

// Server is a saved target. ID never changes, so that renaming a server keeps
// what belongs to it.
type Server struct {
	ID       string         `json:"id"`
	Target   session.Target `json:"target"`
	Limits   Limits         `json:"limits,omitzero"` // override the general ones where not 0
	LastUsed time.Time      `json:"lastUsed,omitzero"`
	Roots    []session.Root `json:"roots,omitempty"` // folders that the server may know of
	Off      []string       `json:"off,omitempty"`   // what this client does not declare to it, though it could

	AskRoots   bool `json:"askRoots,omitempty"`   // the person answers when it asks for the roots
	HoldRounds bool `json:"holdRounds,omitempty"` // a round that it asks for waits to be continued by hand

	Live Live `json:"live,omitzero"`
}

// Live is what goes on by itself while a server is connected.
type Live struct {
	Listen      bool  `json:"listen,omitempty"`      // in 2026-07-28, to the changes of lists, as soon as it is ready
	Reread      bool  `json:"reread,omitempty"`      // lists, when the server says that they changed
	Forget      bool  `json:"forget,omitempty"`      // a new connection does not take up what the last one had
	KeepAliveMS int64 `json:"keepAliveMs,omitempty"` // between pings, 0 for none
}

// Defaults are the settings of a new installation.
func Defaults() Settings {
	return Settings{Theme: ThemeSystem}

	Group  string  `json:"group,omitempty"`  // the heading that it is under
	Source *Source `json:"source,omitempty"` // where it was imported from
	Values
}

// Store is the settings file. It is safe for concurrent use.
type Store struct {
	mu      sync.Mutex
	path    string
	current Settings
	unknown map[string]json.RawMessage // members a newer program wrote: kept

	callsOnce sync.Once
	calls     *Calls
}

// DefaultPath is the settings file of this user.
func DefaultPath() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("find the folder for settings: %w", err)
	}
	return filepath.Join(dir, "mcploupe", "settings.json"), nil
}

// Load reads the settings at path. A file that is not there gives the
// defaults. A file that cannot be understood is set aside under a name that
// the error gives, and the Store is usable with the defaults all the same:
// callers show the error and go on.
func Load(path string) (*Store, error) {
	s := &Store{path: path, current: Defaults()}
	raw, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return s, nil
	case err != nil:
		return s, fmt.Errorf("read settings: %w", err)
	}
	loaded, unknown, err := decode(raw)
	if err != nil {
		aside := fmt.Sprintf("%s.broken-%d", path, time.Now().UnixNano())
		if renameErr := os.Rename(path, aside); renameErr != nil {
			return s, fmt.Errorf("settings %s: %w; it could not be set aside either: %w", path, err, renameErr)
		}
		return s, fmt.Errorf("settings %s: %w; the file was kept as %s and the defaults are in use", path, err, aside)
	}
	s.current, s.unknown = loaded, unknown
	return s, nil
}

func decode(raw []byte) (Settings, map[string]json.RawMessage, error) {
	out := Defaults()
	if err := json.Unmarshal(raw, &out); err != nil {
		return Settings{}, nil, fmt.Errorf("decode: %w", err)
	}
	var all map[string]json.RawMessage
	if err := json.Unmarshal(raw, &all); err != nil {
		return Settings{}, nil, fmt.Errorf("decode: %w", err)
	}
	for name := range known() {
		delete(all, name)
	}
	switch out.Theme {
	case ThemeSystem, ThemeLight, ThemeDark:
	default:
		out.Theme = ThemeSystem
	}
	return out, all, nil
}

// known are the members that Settings itself writes.
func known() map[string]json.RawMessage {
	full := Settings{Servers: []Server{{}}, Recent: []string{""}, Saved: []string{""}, RecordingDir: "-", CancelReason: "-", Filters: Filters{Recent: []string{""}}, Alert: true}
	raw, err := json.Marshal(full)
	if err != nil {
		panic(err) // a struct of plain fields always encodes
	}
	var names map[string]json.RawMessage
	if err := json.Unmarshal(raw, &names); err != nil {
		panic(err)
	}
	return names
}

// Path is where the settings are kept.
func (s *Store) Path() string { return s.path }

// Get returns a copy of the settings.
func (s *Store) Get() Settings {
	s.mu.Lock()
	defer s.mu.Unlock()
	return clone(s.current)
}

// Update changes the settings and writes them. When writing fails the change
// stays in force for this run and the error says why it was not kept.
func (s *Store) Update(change func(*Settings)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	next := clone(s.current)
	change(&next)
	s.current = next
	return s.write()
}

// AddServer saves a target under a new id and returns it.
func (s *Store) AddServer(t session.Target) (Server, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return Server{}, fmt.Errorf("make a server id: %w", err)
	}
	added := Server{ID: id.String(), Target: t}
	return added, s.Update(func(x *Settings) { x.Servers = append(x.Servers, added) })
}

// Server finds a saved server by name, or by id.
func (s *Store) Server(nameOrID string) (Server, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, server := range s.current.Servers {
		if server.Target.Name == nameOrID || server.ID == nameOrID {
			return server, true
		}
	}
	return Server{}, false
}

// Remember puts a recording at the head of the recent ones.
func (s *Store) Remember(path string) error {
	return s.Update(func(x *Settings) { x.remember(path) })
}

// RecordingDir is the folder for recordings: the chosen one, or
// mcploupe/recordings in the user's data folder.
func (s *Store) RecordingDir() (string, error) {
	if dir := s.Get().RecordingDir; dir != "" {
		return dir, nil
	}
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "mcploupe", "recordings"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find the folder for recordings: %w", err)
	}
	return filepath.Join(home, ".local", "share", "mcploupe", "recordings"), nil
}

func (s *Store) write() error {
	raw, err := json.Marshal(s.current)
	if err != nil {
		return fmt.Errorf("encode settings: %w", err)
	}
	if len(s.unknown) > 0 {
		var all map[string]json.RawMessage
		if err := json.Unmarshal(raw, &all); err != nil {
			return fmt.Errorf("encode settings: %w", err)
		}
		maps.Copy(all, s.unknown)
		if raw, err = json.Marshal(all); err != nil {
			return fmt.Errorf("encode settings: %w", err)
		}
	}
	if err := replaceFile(s.path, append(raw, '\n')); err != nil {
		return fmt.Errorf("write settings: %w", err)
	}
	return nil
}

// replaceFile writes beside path and renames, so that no reader ever sees half
// a file.
func replaceFile(path string, data []byte) (err error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
		cloneServer(&s.Servers[i])
	f, err := os.CreateTemp(dir, ".settings-*") // created 0600
	s.Groups, s.Imports = slices.Clone(s.Groups), slices.Clone(s.Imports)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	if _, err = f.Write(data); err != nil {
		return errors.Join(err, f.Close())
	}
	if err = f.Sync(); err != nil {
		return errors.Join(err, f.Close())
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

func clone(s Settings) Settings {
	s.Servers = slices.Clone(s.Servers)
	for i := range s.Servers {
		t := &s.Servers[i].Target
		t.Args = slices.Clone(t.Args)
		t.Env = slices.Clone(t.Env)
		t.Headers = slices.Clone(t.Headers)
		s.Servers[i].Roots = slices.Clone(s.Servers[i].Roots)
		s.Servers[i].Off = slices.Clone(s.Servers[i].Off)
	}
	s.Recent, s.Saved = slices.Clone(s.Recent), slices.Clone(s.Saved)
	s.Filters.Recent = slices.Clone(s.Filters.Recent)
	s.Filters.Saved = slices.Clone(s.Filters.Saved)
	s.Window.Splits = maps.Clone(s.Window.Splits)
	s.Window.Timeline.Columns = maps.Clone(s.Window.Timeline.Columns)
	return s
}
