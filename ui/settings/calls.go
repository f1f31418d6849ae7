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
// in a file of their own beside the settings. It is safe for concurrent use, and
// several programs may use one file. Changes are kept in memory until Write.
type Calls struct {
	mu      sync.Mutex
	content callsFile
	changes []callsChange // that the file does not hold, in their order
	over    int           // changes that were too many to be among them
	err     error         // of reading the file

	writing sync.Mutex
	file    file // under writing, its path apart
}

// callsChange is a change of the calls. It is made once more to what the file
// holds when another program has written it.
type callsChange func(*callsFile) error

// maxCallsChanges bounds Calls.changes. With more, what this program holds wins
// over what another has written.
const maxCallsChanges = 100

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
	c := &Calls{file: file{path: path}}
	c.content, _, c.err = c.read()
	return c
}

// read reads the file; found is false when there is none that can be used.
func (c *Calls) read() (content callsFile, found bool, err error) {
	path := c.file.path
	c.file.info = nil
	info, statErr := os.Stat(path)
	raw, err := readBounded(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return callsFile{}, false, nil
	case err != nil:
		return callsFile{}, false, fmt.Errorf("read the remembered calls: %w", err)
	case statErr == nil:
		c.file.info = info
	}
	if err := json.Unmarshal(raw, &content); err != nil {
		c.file.info = nil
		aside := fmt.Sprintf("%s.broken-%d", path, time.Now().UnixNano())
		if renameErr := os.Rename(path, aside); renameErr != nil {
			return callsFile{}, false, fmt.Errorf("remembered calls %s: %w; it could not be set aside either: %w", path, err, renameErr)
		}
		return callsFile{}, false, fmt.Errorf("remembered calls %s: %w; the file was kept as %s", path, err, aside)
	}
	fits := func(x Call) bool { return len(x.Arguments) <= MaxArguments }
	content.Recent = slices.DeleteFunc(content.Recent, func(x Call) bool { return !fits(x) })
	content.Saved = slices.DeleteFunc(content.Saved, func(x Call) bool { return !fits(x) || x.Title == "" })
	content.Saved = content.Saved[:min(len(content.Saved), MaxSavedCalls)]
	content.trim()
	return content, true, nil
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
func (c *Calls) Path() string { return c.file.path }

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
	sent := Call{CallKey: key, Arguments: arguments, Time: at}
	return c.change(func(f *callsFile) error {
		f.Recent = slices.DeleteFunc(f.Recent, func(x Call) bool { return x.CallKey == key && x.Arguments == arguments })
		f.Recent = slices.Insert(f.Recent, 0, sent)
		f.trim()
		return nil
	}) == nil
}

// change makes a change, and keeps it for Write unless it cannot be made.
func (c *Calls) change(do callsChange) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := do(&c.content); err != nil {
		return err
	}
	if c.over == 0 && len(c.changes) < maxCallsChanges {
		c.changes = append(c.changes, do)
	} else {
		c.over++
	}
	return nil
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
func (f *callsFile) trim() {
	count, bytes := map[string]int{}, 0
	for _, x := range f.Recent {
		count[x.Server]++
		bytes += len(x.Arguments)
	}
	drop := func(i int) {
		x := f.Recent[i]
		count[x.Server]--
		bytes -= len(x.Arguments)
		f.Recent = slices.Delete(f.Recent, i, i+1)
	}
	for server := range count {
		for count[server] > maxRecentCalls {
			drop(f.oldest(func(x Call) bool { return x.Server == server }))
		}
	}
	for len(f.Recent) > maxRecentAll || bytes > maxRecentBytes {
		drop(f.oldest(func(Call) bool { return true }))
	}
}

// oldest is the recent call that can best be done without.
func (f *callsFile) oldest(of func(Call) bool) int {
	last, oldest := map[CallKey]bool{}, 0
	again := -1
	for i, x := range f.Recent {
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
	x := Call{CallKey: key, Title: title, Arguments: arguments, Time: at}
	return c.change(func(f *callsFile) error {
		place := f.saved(key, title)
		if place < 0 && len(f.Saved) >= MaxSavedCalls {
			return errTooManyCalls
		}
		if place >= 0 {
			f.Saved = slices.Delete(f.Saved, place, place+1)
		}
		f.insert(x)
		return nil
	})
}

// saved is the place of a saved call, -1 when there is none.
func (f *callsFile) saved(key CallKey, title string) int {
	return slices.IndexFunc(f.Saved, func(x Call) bool { return x.CallKey == key && x.Title == title })
}

func (f *callsFile) insert(x Call) {
	i := slices.IndexFunc(f.Saved, func(y Call) bool { return strings.ToLower(y.Title) > strings.ToLower(x.Title) })
	if i < 0 {
		i = len(f.Saved)
	}
	f.Saved = slices.Insert(f.Saved, i, x)
}

// Rename gives a saved call another name, which must be free.
func (c *Calls) Rename(key CallKey, from, to string) error {
	if to = strings.TrimSpace(to); to == "" {
		return errNoName
	}
	return c.change(func(f *callsFile) error {
		i := f.saved(key, from)
		switch {
		case i < 0:
			return fmt.Errorf("there is no saved call %q", from)
		case to == from:
			return nil
		case f.saved(key, to) >= 0:
			return fmt.Errorf("there is a saved call %q already", to)
		}
		x := f.Saved[i]
		x.Title = to
		f.Saved = slices.Delete(f.Saved, i, i+1)
		f.insert(x)
		return nil
	})
}

// Delete forgets a saved call.
func (c *Calls) Delete(key CallKey, title string) {
	c.forget(func(f *callsFile) {
		if i := f.saved(key, title); i >= 0 {
			f.Saved = slices.Delete(f.Saved, i, i+1)
		}
	})
}

// Forget forgets all calls to a server.
func (c *Calls) Forget(server string) {
	gone := func(x Call) bool { return x.Server == server }
	c.forget(func(f *callsFile) {
		f.Recent = slices.DeleteFunc(f.Recent, gone)
		f.Saved = slices.DeleteFunc(f.Saved, gone)
	})
}

func (c *Calls) forget(do func(*callsFile)) {
	_ = c.change(func(f *callsFile) error { // nothing stands in the way of it
		do(f)
		return nil
	})
}

// Write writes what changed since the last Write, into what the file holds now:
// what other programs have written stays. The error says too which changes could
// not be made to it. It may take long.
func (c *Calls) Write() error {
	c.writing.Lock()
	defer c.writing.Unlock()
	c.mu.Lock()
	nothing := len(c.changes) == 0 && c.over == 0
	c.mu.Unlock()
	if nothing {
		return nil
	}
	release, _ := c.file.lock(callsPatience)
	defer release()
	merged := c.catchUp()
	c.mu.Lock()
	content := callsFile{Recent: slices.Clone(c.content.Recent), Saved: slices.Clone(c.content.Saved)}
	changes, over := len(c.changes), c.over
	c.mu.Unlock()
	raw, err := json.Marshal(content)
	if err != nil {
		return errors.Join(merged, fmt.Errorf("encode the remembered calls: %w", err))
	}
	info, err := replaceFile(c.file.path, append(raw, '\n'))
	if err != nil {
		return errors.Join(merged, fmt.Errorf("write the remembered calls: %w", err))
	}
	c.file.info = info
	c.mu.Lock()
	defer c.mu.Unlock()
	c.changes, c.over = slices.Delete(c.changes, 0, changes), c.over-over
	return merged
}

// callsPatience is how long Write waits for another program that writes.
const callsPatience = 2 * time.Second

// catchUp reads the file if another program has written it, and makes the
// changes again that are not in it.
func (c *Calls) catchUp() error {
	c.mu.Lock()
	over := c.over > 0
	c.mu.Unlock()
	if over || !c.file.changed() {
		return nil
	}
	content, found, err := c.read()
	if err != nil || !found {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.changes = slices.DeleteFunc(c.changes, func(do callsChange) bool {
		refused := do(&content)
		if refused != nil {
			err = errors.Join(err, fmt.Errorf("another window has changed the remembered calls: %w", refused))
		}
		return refused != nil
	})
	c.content = content
	return err
}
