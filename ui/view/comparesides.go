package view

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mcploupe/recorder"
	"mcploupe/recorder/diff"
	"mcploupe/ui/view/human"
)

// CompareSide is something that can be compared: a file, which is a recording or
// a saved catalogue, or a connection.
type CompareSide struct {
	Path string // of the file, "" for a connection
	Conn *Conn  // nil for a file
}

// IsZero reports whether nothing was chosen.
func (s CompareSide) IsZero() bool { return s.Path == "" && s.Conn == nil }

// Title names the side in a few words.
func (s CompareSide) Title() string {
	switch {
	case s.Conn != nil:
		return s.Conn.Title()
	case s.Path != "":
		return TitleOfFile(strings.TrimSuffix(s.Path, diff.SnapshotExt))
	}
	return ""
}

// Same reports whether both sides are one thing.
func (s CompareSide) Same(o CompareSide) bool {
	return s.Conn == o.Conn && (s.Path == o.Path || SameFile(s.Path, o.Path))
}

// CompareChoice is a side that is offered.
type CompareChoice struct {
	Side   CompareSide
	Glyph  string
	Title  string
	Sub    string
	Tone   Tone
	search string
}

// CompareChoices lists what can be compared: the connections that have recorded
// something, then the files, each once.
func CompareChoices(conns []*Conn, files []RecordingRow) []CompareChoice {
	var out []CompareChoice
	for _, c := range conns {
		phase, _ := c.Phase()
		if phase == File || c.Log() == nil {
			continue
		}
		word := phase.Word()
		if phase.Live() {
			word = "live, its lists are read again for a comparison"
		}
		if who := c.State().Server; who.Name != "" { // two connections may well have one title
			word = line(strings.TrimSpace(line(who.Name, 40)+" "+line(who.Version, 20)), 60) + " · " + word
		}
		out = append(out, CompareChoice{Side: CompareSide{Conn: c}, Glyph: phase.Glyph(), Title: c.Title(), Sub: word, Tone: phase.Tone()})
	}
	for _, f := range files {
		taken := func(c CompareChoice) bool { return c.Side.Conn != nil && SameFile(c.Side.Conn.Path(), f.Path) }
		if f.Gone || slices.ContainsFunc(out, taken) {
			continue
		}
		out = append(out, CompareChoice{Side: CompareSide{Path: f.Path}, Glyph: f.Glyph, Title: f.Title, Sub: f.Sub, Tone: Muted})
	}
	for i := range out {
		out[i].search = strings.ToLower(out[i].Title + "\n" + out[i].Sub + "\n" + out[i].Side.Path)
	}
	return out
}

// FilterChoices are the choices that hold every word of text.
func FilterChoices(all []CompareChoice, text string) []CompareChoice {
	words := strings.Fields(strings.ToLower(text))
	var out []CompareChoice
	for _, c := range all {
		if !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(c.search, w) }) {
			out = append(out, c)
		}
	}
	return out
}

// ComparedSide is a side that was read. It has the file open for itself, so that
// a tab of it may be closed.
type ComparedSide struct {
	CompareSide
	Name    string        // for people
	Log     *recorder.Log // nil for a saved catalogue
	Surface diff.Surface
	Words   string // what it is: "recording, 1,204 events", "catalogue"
}

// Close closes the recording.
func (s *ComparedSide) Close() error {
	if s == nil || s.Log == nil {
		return nil
	}
	return s.Log.Close()
}

// maxCatalogueFile bounds a saved catalogue that is read, in bytes.
const maxCatalogueFile = 256 << 20

// ReadSide reads a side. A connection that is up reads its lists from the server
// first. progress, unless nil, gets how far it is.
func ReadSide(ctx context.Context, s CompareSide, progress func(done, total int64)) (*ComparedSide, error) {
	out := &ComparedSide{CompareSide: s, Name: s.Title()}
	path := s.Path
	if s.Conn != nil {
		if phase, _ := s.Conn.Phase(); phase.Live() {
			if sess := s.Conn.Session(); sess != nil {
				// What went wrong with a list is in the recording: the list counts as not read.
				_ = sess.RefreshAll(ctx)
			}
		}
		log := s.Conn.Log()
		if log == nil {
			return nil, fmt.Errorf("read %s: it has recorded nothing yet", out.Name)
		}
		if err := log.Sync(); err != nil && ctx.Err() == nil {
			return nil, fmt.Errorf("read the recording of %s: %w", out.Name, err)
		}
		path = log.Path()
	}
	log, err := recorder.OpenToRead(ctx, path, progress)
	switch {
	case errors.Is(err, recorder.ErrForeign):
		return readCatalogueSide(out, path, err)
	case err != nil:
		return nil, err
	}
	cat, err := log.Catalogue(ctx)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("read what %s offers: %w", out.Name, err), log.Close())
	}
	out.Log, out.Surface = log, diff.SurfaceOf(cat)
	out.Name = sideName(out.Name, path, out.Surface)
	out.Words = "recording, " + human.Plural(int(log.Len()), "event", "events")
	return out, nil
}

func readCatalogueSide(out *ComparedSide, path string, foreign error) (*ComparedSide, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read a catalogue: %w", err)
	}
	text, err := io.ReadAll(io.LimitReader(f, maxCatalogueFile+1))
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, fmt.Errorf("read a catalogue: %w", err)
	}
	if len(text) > maxCatalogueFile {
		return nil, fmt.Errorf("%s is too big for a catalogue: more than %s", filepath.Base(path), human.Bytes(maxCatalogueFile))
	}
	surface, err := diff.ReadSnapshot(text)
	switch {
	case errors.Is(err, diff.ErrNoSnapshot) && !diff.IsSnapshot(text):
		return nil, fmt.Errorf("%s is neither a recording nor a saved catalogue: %w", filepath.Base(path), foreign)
	case err != nil:
		return nil, fmt.Errorf("read the catalogue %s: %w", filepath.Base(path), err)
	}
	out.Surface, out.Words = surface, "saved catalogue"
	return out, nil
}

// sideName names a recording that has the program's own name for files by the
// version of its server: two of them tell nothing else apart at a glance.
func sideName(name, path string, s diff.Surface) string {
	title, when := RecordingName(path)
	version := memberText(s.ServerInfo, "version")
	if when == "" || version == "" {
		return name
	}
	return line(title, titleRunes-10) + " " + line(version, 20)
}

// WriteCatalogue writes what the side offers as a saved catalogue. Of a recording
// secrets are masked, as in an export; it may take long.
func (s *ComparedSide) WriteCatalogue(ctx context.Context, w io.Writer) error {
	surface := s.Surface
	if s.Log != nil {
		var err error
		if surface, err = diff.MaskedSurface(ctx, s.Log); err != nil {
			return err
		}
	}
	text, err := diff.AppendSnapshot(nil, surface)
	if err != nil {
		return err
	}
	_, err = w.Write(text)
	return err
}
