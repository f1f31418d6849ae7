// Package settings keeps what a person chose: saved servers, recent
// recordings, looks and limits. It is one JSON file of the program's own, mode
// 0600 in a 0700 folder, written whole and renamed into place so that a crash
// leaves either the old or the new one. It knows no widget: the window and the
// headless verbs share it.
package settings

import (
	"errors"
	"fmt"
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
	Density      string   `json:"density,omitempty"`
	Zoom         int      `json:"zoom,omitempty"` // of texts, in per cent; 0 for 100
	Clock        Clock    `json:"clock,omitzero"`
	Servers      []Server `json:"servers,omitempty"`
	Groups       []Group  `json:"groups,omitempty"`           // of servers, in the order in which they are shown
	Imports      []Import `json:"imports,omitempty"`          // files that servers were imported from
	Recent       []string `json:"recentRecordings,omitempty"` // newest first
	Saved        []string `json:"savedRecordings,omitempty"`  // that the person gave a name; the program never deletes them
	RecordingDir string   `json:"recordingDir,omitempty"`     // "" means the default, see Store.RecordingDir
	Limits       Limits   `json:"limits"`
	Window       Window   `json:"window"`
	Filters      Filters  `json:"filters,omitzero"`
	CancelReason string   `json:"cancelReason,omitempty"` // of the last cancellation
	Chosen       []string `json:"chosen,omitempty"`       // of the palette, newest first
	Alert        bool     `json:"alert,omitempty"`        // the desktop is told when a server asks and the window is not in front

	Tour string `json:"tour,omitempty"` // how it is with the first steps: "" when they were never begun

	Retention  Retention `json:"retention,omitzero"`
	NewServers NewServer `json:"newServers,omitzero"`
	Programs   Programs  `json:"programs,omitzero"`
}

// Limits are limits of time in milliseconds, -1 for none, of sizes in bytes, and
// of counts; 0 means the default. A server has those of time alone.
type Limits struct {
	ProbeMS   int64 `json:"probeMs,omitempty"`
	InitMS    int64 `json:"initMs,omitempty"`
	CallMS    int64 `json:"callMs,omitempty"`
	CallMaxMS int64 `json:"callMaxMs,omitempty"`
	PingMS    int64 `json:"pingMs,omitempty"`
	AckMS     int64 `json:"ackMs,omitempty"`
	Rounds    int   `json:"rounds,omitempty"` // of one call

	MessageBytes int64 `json:"messageBytes,omitempty"` // of a message that is read as one
	CacheBytes   int64 `json:"cacheBytes,omitempty"`   // of messages that a recording keeps parsed
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
	Pane     int                `json:"pane,omitempty"`    // tab of a connection that was in front last
	Screens  map[string]Layout  `json:"screens,omitempty"` // by what the screen measures
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

	Live  Live  `json:"live,omitzero"`
	Tasks Tasks `json:"tasks,omitzero"`

	Group  string  `json:"group,omitempty"`  // the heading that it is under
	Source *Source `json:"source,omitempty"` // where it was imported from
	Values
}

// Tasks are those of a server that were not over when they were last told of:
// the next run of the program asks for them again (TSKX-06).
type Tasks struct {
	Of   string            `json:"of"` // Target.String, so that no other server is asked
	Refs []session.TaskRef `json:"refs"`
}

// Live is what goes on by itself while a server is connected.
type Live struct {
	Listen      bool  `json:"listen,omitempty"`      // in 2026-07-28, to the changes of lists, as soon as it is ready
	Reread      bool  `json:"reread,omitempty"`      // lists, when the server says that they changed
	Forget      bool  `json:"forget,omitempty"`      // a new connection does not take up what the last one had
	KeepAliveMS int64 `json:"keepAliveMs,omitempty"` // between pings, 0 for none
}

// What Settings.Tour can say.
const (
	TourRunning = "running" // begun and neither finished nor ended; after a blank how far
	TourOver    = "over"
)

// Defaults are the settings of a new installation.
func Defaults() Settings {
	return Settings{Theme: ThemeSystem, Density: DensityCompact}
}

// Store is the settings file. It is safe for concurrent use, and several programs
// may use one file: each change is made to what the file holds at that time.
type Store struct {
	mu      sync.Mutex
	file    file
	current Settings
	pending []func(*Settings) // changes that may not be in the file, in their order
	late    late

	callsOnce sync.Once
	calls     *Calls
}

// maxPending bounds Store.pending. With more the file is not read any more: what
// this program holds wins.
const maxPending = 1000

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
	s := &Store{file: file{path: path}, current: Defaults()}
	loaded, found, err := s.file.read()
	if err != nil {
		return s, fmt.Errorf("%w; the defaults are in use", err)
	}
	if found {
		s.current = loaded
	}
	return s, nil
}

// Path is where the settings are kept.
func (s *Store) Path() string { return s.file.path }

// Get returns a copy of the settings.
func (s *Store) Get() Settings {
	s.mu.Lock()
	defer s.mu.Unlock()
	return clone(s.current)
}

// Update changes the settings and writes them. change is made to what the file
// holds now, other programs' changes included, and may be made once more when it
// could not be written; so it sets what it is about and nothing else. When
// writing fails the change stays in force for this run and the error says why it
// was not kept.
func (s *Store) Update(change func(*Settings)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	patience := settingsPatience
	if s.late.told != nil {
		patience = 0
	}
	hangs := s.file.hangs
	release, held := s.file.lock(patience)
	defer release()
	if s.late.told != nil && !held && !hangs {
		s.file.hangs = false // whether it does is found out by who waits
		s.putOff(change)
		return nil
	}
	err := s.catchUp()
	s.make(change)
	return errors.Join(err, s.writeAll(held))
}

// make makes a change, which is kept until it is known to be in the file: whoever
// has the turn may write over it without having seen it. s.mu is held.
func (s *Store) make(change func(*Settings)) {
	s.current = clone(s.current)
	change(&s.current)
	if len(s.pending) < maxPending {
		s.pending = append(s.pending, change)
	}
}

// writeAll writes what this program holds. s.mu is held.
func (s *Store) writeAll(held bool) error {
	err := s.file.write(s.current)
	if err == nil && held {
		s.pending = nil
	}
	return err
}

// Reload takes in what other programs have changed in the file and reports
// whether there was anything. A file that cannot be understood is set aside,
// which the error says; what this program holds stays in force.
func (s *Store) Reload() (changed bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.file.info
	err = s.catchUp()
	return s.file.info != before, err
}

// catchUp reads the file if another program has written it, and makes the
// changes again that are not in it. s.mu is held.
func (s *Store) catchUp() error {
	if len(s.pending) >= maxPending || !s.file.changed() {
		return nil
	}
	read, found, err := s.file.read()
	if err != nil || !found {
		return err
	}
	s.current = read
	for _, change := range s.pending {
		change(&s.current)
	}
	return nil
}

// AddServer saves a target under a new id and returns it.
func (s *Store) AddServer(t session.Target) (Server, error) {
	id, err := uuid.NewV7()
	if err != nil {
		return Server{}, fmt.Errorf("make a server id: %w", err)
	}
	added := Server{ID: id.String(), Target: t}
	return added, s.Update(func(x *Settings) { x.addServer(added) })
}

// addServer adds a server that is not there already.
func (s *Settings) addServer(x Server) {
	if s.serverIndex(x.ID) < 0 {
		s.Servers = append(s.Servers, x)
	}
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
	return DefaultRecordingDir()
}

// DefaultRecordingDir is the folder for recordings as long as none is chosen.
func DefaultRecordingDir() (string, error) {
	if dir := os.Getenv("XDG_DATA_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "mcploupe", "recordings"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find the folder for recordings: %w", err)
	}
	return filepath.Join(home, ".local", "share", "mcploupe", "recordings"), nil
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
		s.Servers[i].Tasks.Refs = slices.Clone(s.Servers[i].Tasks.Refs)
		cloneServer(&s.Servers[i])
	}
	s.Groups, s.Imports = slices.Clone(s.Groups), slices.Clone(s.Imports)
	s.Recent, s.Saved = slices.Clone(s.Recent), slices.Clone(s.Saved)
	s.Filters.Recent = slices.Clone(s.Filters.Recent)
	s.Filters.Saved = slices.Clone(s.Filters.Saved)
	s.Window.Splits = maps.Clone(s.Window.Splits)
	s.Window.Timeline.Columns = maps.Clone(s.Window.Timeline.Columns)
	s.Window.Screens = maps.Clone(s.Window.Screens)
	s.NewServers.Off = slices.Clone(s.NewServers.Off)
	return s
}
