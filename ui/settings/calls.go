package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"mcploupe/ui/view/human"
)

// The bounds of Calls.
const (
	maxRecentCalls = 50       // of a server
	maxRecentBytes = 4 << 20  // arguments of all recent calls
	maxRecentAll   = 1000     // of all servers
	MaxSavedCalls  = 200      // of all servers
	MaxArguments   = 64 << 10 // bytes of one call; longer ones are not remembered
	maxCallsFile   = 64 << 20 // bytes that are read
)

var (
	errTooManyCalls  = fmt.Errorf("%d calls are saved already: delete one first", MaxSavedCalls)
	errLongArguments = fmt.Errorf("the arguments are longer than %s", human.Bytes(MaxArguments))
	errNotText       = errors.New("the arguments are not valid UTF-8")
	errNoName        = errors.New("a saved call needs a name")
)

// CallKey says what a call is made to.
type CallKey struct {
	Server string `json:"server"` // id of a saved server, else what the target is called
	Method string `json:"method"`
	Name   string `json:"name"` // of the tool or prompt
}

// Call is one remembered call.
type Call struct {
	CallKey
	Title     string    `json:"title,omitempty"`     // a saved call's name; "" for a recent one
	Arguments string    `json:"arguments,omitempty"` // exact JSON text; "" when none were sent
	Time      time.Time `json:"time,omitzero"`
}

// Calls are the calls that a person sent last and the ones saved under a name,
// in a file of their own beside the settings. It is safe for concurrent use.
// Changes are kept in memory until Write.
type Calls struct {
	path string

	mu      sync.Mutex
	content callsFile
	turn    uint64 // counts the changes
	err     error  // of reading the file

	writing sync.Mutex
	written uint64 // turn that the file holds; under writing
}

// callsFile is the file. Arguments are JSON strings in it, so that they come
// back as they were, blanks and digits included.
type callsFile struct {
	Recent []Call `json:"recent"` // newest first
	Saved  []Call `json:"saved"`  // by title within a key
}

// Calls are the remembered calls that belong to these settings; they are read
// when they are first asked for.
func (s *Store) Calls() *Calls {
	s.callsOnce.Do(func() { s.calls = loadCalls(filepath.Join(filepath.Dir(s.file.path), "calls.json")) })
	return s.calls
}

// loadCalls reads the file at path. One that cannot be understood is set aside;
// TakeErr says so.
func loadCalls(path string) *Calls {
	c := &Calls{path: path}
	raw, err := readBounded(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return c
	case err != nil:
		c.err = fmt.Errorf("read the remembered calls: %w", err)
		return c
	}
	if err := json.Unmarshal(raw, &c.content); err != nil {
		c.content = callsFile{}
		aside := fmt.Sprintf("%s.broken-%d", path, time.Now().UnixNano())
		c.err = fmt.Errorf("remembered calls %s: %w; the file was kept as %s", path, err, aside)
		if renameErr := os.Rename(path, aside); renameErr != nil {
			c.err = fmt.Errorf("remembered calls %s: %w; it could not be set aside either: %w", path, err, renameErr)
		}
		return c
	}
	fits := func(x Call) bool { return len(x.Arguments) <= MaxArguments }
	c.content.Recent = slices.DeleteFunc(c.content.Recent, func(x Call) bool { return !fits(x) })
	c.content.Saved = slices.DeleteFunc(c.content.Saved, func(x Call) bool { return !fits(x) || x.Title == "" })
	c.content.Saved = c.content.Saved[:min(len(c.content.Saved), MaxSavedCalls)]
	c.trim()
	return c
}

func readBounded(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > maxCallsFile {
		return nil, fmt.Errorf("%s has %s, more than %s", path, human.Bytes(info.Size()), human.Bytes(maxCallsFile))
	}
	return os.ReadFile(path)
}

// Path is where the calls are kept.
func (c *Calls) Path() string { return c.path }

// TakeErr says why the remembered calls are not the person's, nil when they
// are. It says so once.
func (c *Calls) TakeErr() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	err := c.err
	c.err = nil
	return err
}

// Sent remembers arguments that were sent, "" for none. It reports whether they
// can be remembered; see MaxArguments.
func (c *Calls) Sent(key CallKey, arguments string, at time.Time) bool {
	if fit(arguments) != nil {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turn++
	c.content.Recent = slices.DeleteFunc(c.content.Recent, func(x Call) bool { return x.CallKey == key && x.Arguments == arguments })
	c.content.Recent = slices.Insert(c.content.Recent, 0, Call{CallKey: key, Arguments: arguments, Time: at})
	c.trim()
	return true
}

func fit(arguments string) error {
	switch {
	case len(arguments) > MaxArguments:
		return errLongArguments
	case !utf8.ValidString(arguments):
		return errNotText
	}
	return nil
}

// trim keeps the recent calls within their bounds. What goes first is the
// oldest call that is not the last one of its tool.
func (c *Calls) trim() {
	count, bytes := map[string]int{}, 0
	for _, x := range c.content.Recent {
		count[x.Server]++
		bytes += len(x.Arguments)
	}
	drop := func(i int) {
		x := c.content.Recent[i]
		count[x.Server]--
		bytes -= len(x.Arguments)
		c.content.Recent = slices.Delete(c.content.Recent, i, i+1)
	}
	for server := range count {
		for count[server] > maxRecentCalls {
			drop(c.oldest(func(x Call) bool { return x.Server == server }))
		}
	}
	for len(c.content.Recent) > maxRecentAll || bytes > maxRecentBytes {
		drop(c.oldest(func(Call) bool { return true }))
	}
}

// oldest is the recent call that can best be done without.
func (c *Calls) oldest(of func(Call) bool) int {
	last, oldest := map[CallKey]bool{}, 0
	again := -1
	for i, x := range c.content.Recent {
		if !of(x) {
			continue
		}
		oldest = i
		if last[x.CallKey] {
			again = i
		}
		last[x.CallKey] = true
	}
	if again >= 0 {
		return again
	}
	return oldest
}

// Recent are the calls sent to key, newest first.
func (c *Calls) Recent(key CallKey) []Call {
	return c.of(key, func() []Call { return c.content.Recent })
}

// Saved are the calls saved for key, in the order of their names.
func (c *Calls) Saved(key CallKey) []Call { return c.of(key, func() []Call { return c.content.Saved }) }

func (c *Calls) of(key CallKey, from func() []Call) []Call {
	c.mu.Lock()
	defer c.mu.Unlock()
	var out []Call
	for _, x := range from() {
		if x.CallKey == key {
			out = append(out, x)
		}
	}
	return out
}

// Save saves arguments under a name. One of that name is replaced.
func (c *Calls) Save(key CallKey, title, arguments string, at time.Time) error {
	if title = strings.TrimSpace(title); title == "" {
		return errNoName
	}
	if err := fit(arguments); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	place := c.saved(key, title)
	if place < 0 && len(c.content.Saved) >= MaxSavedCalls {
		return errTooManyCalls
	}
	c.turn++
	if place >= 0 {
		c.content.Saved = slices.Delete(c.content.Saved, place, place+1)
	}
	c.insert(Call{CallKey: key, Title: title, Arguments: arguments, Time: at})
	return nil
}

// saved is the place of a saved call, -1 when there is none.
func (c *Calls) saved(key CallKey, title string) int {
	return slices.IndexFunc(c.content.Saved, func(x Call) bool { return x.CallKey == key && x.Title == title })
}

func (c *Calls) insert(x Call) {
	i := slices.IndexFunc(c.content.Saved, func(y Call) bool { return strings.ToLower(y.Title) > strings.ToLower(x.Title) })
	if i < 0 {
		i = len(c.content.Saved)
	}
	c.content.Saved = slices.Insert(c.content.Saved, i, x)
}

// Rename gives a saved call another name, which must be free.
func (c *Calls) Rename(key CallKey, from, to string) error {
	if to = strings.TrimSpace(to); to == "" {
		return errNoName
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	i := c.saved(key, from)
	switch {
	case i < 0:
		return fmt.Errorf("there is no saved call %q", from)
	case to == from:
		return nil
	case c.saved(key, to) >= 0:
		return fmt.Errorf("there is a saved call %q already", to)
	}
	x := c.content.Saved[i]
	x.Title = to
	c.turn++
	c.content.Saved = slices.Delete(c.content.Saved, i, i+1)
	c.insert(x)
	return nil
}

// Delete forgets a saved call.
func (c *Calls) Delete(key CallKey, title string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if i := c.saved(key, title); i >= 0 {
		c.turn++
		c.content.Saved = slices.Delete(c.content.Saved, i, i+1)
	}
}

// Forget forgets all calls to a server.
func (c *Calls) Forget(server string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.turn++
	gone := func(x Call) bool { return x.Server == server }
	c.content.Recent = slices.DeleteFunc(c.content.Recent, gone)
	c.content.Saved = slices.DeleteFunc(c.content.Saved, gone)
}

// Write writes what changed since the last Write. It may take long.
func (c *Calls) Write() error {
	c.writing.Lock()
	defer c.writing.Unlock()
	c.mu.Lock()
	turn := c.turn
	content := callsFile{Recent: slices.Clone(c.content.Recent), Saved: slices.Clone(c.content.Saved)}
	c.mu.Unlock()
	if turn == c.written {
		return nil
	}
	raw, err := json.Marshal(content)
	if err != nil {
		return fmt.Errorf("encode the remembered calls: %w", err)
	}
	if err := replaceFile(c.path, append(raw, '\n')); err != nil {
		return fmt.Errorf("write the remembered calls: %w", err)
	}
	c.written = turn
	return nil
}
