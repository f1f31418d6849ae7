// Package crash keeps what is known when the program ends as it should not: a
// file in the state folder of the person that says which program ran, which
// recordings it wrote, and what the runtime had to say at the end.
//
// The file is there from the start and removed by an orderly end; one that is
// left behind, of a program that runs no more, is what the next start finds.
// Reports stay on the machine. They hold no message, no header and no
// environment: stacks hold addresses, and the text of a panic is kept only where
// it is the runtime's own.
package crash

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	prefixRun   = "run-"   // of a program that runs, or did not end in order
	prefixPanic = "panic-" // of a panic that the program outlived
	suffix      = ".txt"
	stamp       = "20060102-150405"

	maxReports = 20        // of each kind that are kept
	maxText    = 256 << 10 // bytes of a report that are read
)

// Dir is the folder of this user for reports.
func Dir() (string, error) {
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "mcploupe"), nil
	}
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return "", fmt.Errorf("find the folder for crash reports: %w", err)
		}
		return filepath.Join(dir, "mcploupe", "state"), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find the folder for crash reports: %w", err)
	}
	return filepath.Join(home, ".local", "state", "mcploupe"), nil
}

// Watch is the file of the program that runs. A nil *Watch does nothing. Its
// methods may be called from any goroutine.
type Watch struct {
	dir     string
	version string

	mu     sync.Mutex
	f      *os.File
	closed bool
	panics int
}

// Begin makes the file of this program in dir, and lets the runtime write to it
// what it writes to standard error when it ends the program.
func Begin(dir, version string) (*Watch, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder for crash reports: %w", err)
	}
	now := time.Now()
	name := filepath.Join(dir, fmt.Sprintf("%s%s-%d%s", prefixRun, now.Format(stamp), os.Getpid(), suffix))
	f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("begin a crash report: %w", err)
	}
	w := &Watch{dir: dir, version: version, f: f}
	lock(f)
	_, err = f.WriteString(w.head(now))
	if err == nil {
		err = debug.SetCrashOutput(f, debug.CrashOptions{})
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("begin a crash report: %w", err), f.Close(), os.Remove(name))
	}
	return w, nil
}

// The names of the first lines.
const (
	lineVersion   = "version: "
	lineStarted   = "started: "
	linePID       = "process: "
	lineRecording = "recording: "
	lineClosed    = "closed: "
)

func (w *Watch) head(now time.Time) string {
	return fmt.Sprintf("%s%s\ngo: %s\nsystem: %s/%s\n%s%s\n%s%d\n", lineVersion, w.version, runtime.Version(),
		runtime.GOOS, runtime.GOARCH, lineStarted, now.UTC().Format(time.RFC3339), linePID, os.Getpid())
}

// Recording notes that a recording is being written.
func (w *Watch) Recording(path string) { w.note(lineRecording, path) }

// Closed notes that a recording is complete.
func (w *Watch) Closed(path string) { w.note(lineClosed, path) }

func (w *Watch) note(name, path string) {
	if w == nil || path == "" || strings.ContainsAny(path, "\r\n") {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.closed {
		_, _ = w.f.WriteString(name + path + "\n") // a full disk must not stop the program; the report says less then
	}
}

// Panic writes a report about a panic that the program outlives, and returns its
// path. what says in a few words what was being done.
func (w *Watch) Panic(what string, value any, stack []byte) (string, error) {
	if w == nil {
		return "", errors.New("no crash reports are kept")
	}
	w.mu.Lock()
	w.panics++
	n := w.panics
	w.mu.Unlock()
	now := time.Now()
	path := filepath.Join(w.dir, fmt.Sprintf("%s%s-%d-%d%s", prefixPanic, now.Format(stamp), os.Getpid(), n, suffix))
	text := w.head(now) + "while: " + what + "\n\npanic: " + Value(value) + "\n\n" + string(stack)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return "", fmt.Errorf("write a report: %w", err)
	}
	prune(w.dir, prefixPanic)
	return path, nil
}

// Close says that the program ends in order: its file goes.
func (w *Watch) Close() error {
	if w == nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return nil
	}
	w.closed = true
	err := errors.Join(debug.SetCrashOutput(nil, debug.CrashOptions{}), w.f.Close(), os.Remove(w.f.Name()))
	if err != nil {
		return fmt.Errorf("end the crash report: %w", err)
	}
	return nil
}

// Value is the text of a panic's value as far as it is the runtime's: anything
// else may hold what a server has sent, and is told by its type alone.
func Value(value any) string {
	if err, ok := value.(runtime.Error); ok {
		return unquoted(err.Error())
	}
	return fmt.Sprintf("a value of type %T", value)
}

// unquoted takes quoted text out of a line.
func unquoted(s string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(s, `"`)
		b.WriteString(before)
		if !found {
			return b.String()
		}
		_, after, closed := strings.Cut(rest, `"`)
		b.WriteString(`"…"`)
		if !closed {
			return b.String()
		}
		s = after
	}
}

// Report is what a program left that did not end in order.
type Report struct {
	Path       string // of the file
	Version    string
	Started    time.Time
	Ended      time.Time // about: when the file was last written
	Recordings []string  // that were being written, oldest first
	Reason     string    // one line, "" when it ended without a word
	Text       string    // the whole, bounded
}

// Left finds the reports in dir of programs that run no more, newest first. What
// their panics say beyond the runtime's own words is taken out of the files.
func Left(dir string) ([]Report, error) {
	names, err := reports(dir, prefixRun)
	if err != nil {
		return nil, fmt.Errorf("look for crash reports: %w", err)
	}
	var out []Report
	var errs []error
	for _, name := range slices.Backward(names) {
		r, err := read(name)
		switch {
		case err != nil:
			errs = append(errs, err)
		case r != nil:
			out = append(out, *r)
		}
	}
	return out, errors.Join(errs...)
}

// reports are the files of a kind, oldest first.
func reports(dir, prefix string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), prefix) && strings.HasSuffix(e.Name(), suffix) {
			names = append(names, filepath.Join(dir, e.Name()))
		}
	}
	slices.Sort(names)
	return names, err
}

// prune keeps the newest reports of a kind. What cannot be removed stays.
func prune(dir, prefix string) {
	names, _ := reports(dir, prefix)
	for _, name := range names[:max(0, len(names)-maxReports)] {
		_ = os.Remove(name)
	}
}

// read takes a report apart; it is nil for that of a program that runs.
func read(name string) (*Report, error) {
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		return nil, fmt.Errorf("read a crash report: %w", err)
	}
	defer func() { _ = f.Close() }() // what was written is synced by nobody
	if running(f) {
		return nil, nil
	}
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("read a crash report: %w", err)
	}
	r := &Report{Path: name, Ended: info.ModTime()}
	var b strings.Builder
	in := bufio.NewReaderSize(f, 64<<10)
	var s scrubber
	changed := false
	for b.Len() < maxText {
		line, err := in.ReadString('\n')
		if line == "" && err != nil {
			break
		}
		kept := s.line(line)
		changed = changed || kept != line
		b.WriteString(kept)
		r.take(strings.TrimRight(kept, "\n"), s.ended)
		if err != nil {
			break
		}
	}
	r.Text, r.Reason = b.String(), s.reason
	if changed {
		if err := os.WriteFile(name, []byte(r.Text), 0o600); err == nil {
			_ = os.Chtimes(name, info.ModTime(), info.ModTime()) // for the eye only
		}
	}
	return r, nil
}

// take reads a line that the program itself has written.
func (r *Report) take(line string, ended bool) {
	if ended {
		return
	}
	if v, ok := strings.CutPrefix(line, lineVersion); ok {
		r.Version = v
	}
	if v, ok := strings.CutPrefix(line, lineStarted); ok {
		r.Started, _ = time.Parse(time.RFC3339, v) // zero when somebody has changed it
	}
	if v, ok := strings.CutPrefix(line, lineRecording); ok && !slices.Contains(r.Recordings, v) {
		r.Recordings = append(r.Recordings, v)
	}
	if v, ok := strings.CutPrefix(line, lineClosed); ok {
		r.Recordings = slices.DeleteFunc(r.Recordings, func(p string) bool { return p == v })
	}
}

// scrubber takes out of what the runtime wrote what may hold the text of a
// message: the value of a panic that is not the runtime's own.
type scrubber struct {
	ended  bool // the runtime has begun to write
	inside bool // of the text of a panic
	reason string
}

func (s *scrubber) line(line string) string {
	text := strings.TrimLeft(strings.TrimRight(line, "\n"), "\t ")
	switch {
	case strings.HasPrefix(text, "panic: "), strings.HasPrefix(text, "fatal error: "), strings.HasPrefix(text, "runtime: "),
		strings.HasPrefix(text, "SIG"):
		s.ended = true
		s.inside = strings.HasPrefix(text, "panic: ")
		kept := unquoted(text)
		if s.inside && !strings.HasPrefix(text, "panic: runtime error: ") {
			kept = "panic: (its text is left out: it may hold what a server has sent)"
		}
		if s.reason == "" && !strings.HasPrefix(text, "runtime: ") {
			s.reason = kept
		}
		if s.inside {
			return kept + "\n"
		}
		return line
	case strings.HasPrefix(text, "goroutine "), strings.HasPrefix(text, "[signal "):
		s.ended, s.inside = true, false
	case s.inside && text != "":
		return "" // a further line of the value
	}
	return line
}

// Forget removes a report.
func (r Report) Forget() error {
	if err := os.Remove(r.Path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove a crash report: %w", err)
	}
	return nil
}

// Read is the text of a report, bounded.
func Read(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("read a report: %w", err)
	}
	b, err := io.ReadAll(io.LimitReader(f, maxText))
	if err = errors.Join(err, f.Close()); err != nil {
		return "", fmt.Errorf("read a report: %w", err)
	}
	return string(b), nil
}
