package view

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mcploupe/recorder"
	"mcploupe/ui/view/human"
)

// RecordingInfo is what a list tells of a recording without opening it.
type RecordingInfo struct {
	Path    string
	Size    int64
	Changed time.Time
	Created time.Time // zero when the file is no recording
	Target  string    // name of the server, "" when the file does not say
	Gone    bool      // there is no such file
}

// LookAtRecording reads the first line of a file and its size.
func LookAtRecording(path string) RecordingInfo {
	i := RecordingInfo{Path: path}
	stat, err := os.Stat(path)
	if err != nil {
		i.Gone = true
		return i
	}
	i.Size, i.Changed = stat.Size(), stat.ModTime()
	if h, err := recorder.ReadHeader(path); err == nil {
		i.Created = h.Created
		if t := targetOf(h.Target); t.Name != "" || t.Command != "" || t.URL != "" {
			i.Target = TitleOf(t)
		}
	}
	return i
}

// RecordingRow is one entry of the list of recordings.
type RecordingRow struct {
	Path  string
	Glyph string
	Title string
	Sub   string // when, of what, how big, saved
	Tone  Tone
	Saved bool
	Open  bool // there is a tab for it
	Gone  bool
}

// SavedGlyph marks a recording that was given a name.
const SavedGlyph = "★"

// RecordingPaths are the recordings to list: the recent ones, then the saved
// ones that are not among them, at most max, of which at least half are recent
// when there are enough.
func RecordingPaths(recent, saved []string, max int) []string {
	others := slices.DeleteFunc(slices.Clone(saved), func(p string) bool { return slices.Contains(recent, p) })
	room := max - min(len(others), max/2)
	out := slices.Clone(recent[:min(len(recent), room)])
	for _, p := range others {
		if len(out) < max {
			out = append(out, p)
		}
	}
	return out
}

// RecordingRows lists recordings. info has what is known of them, which may be
// nothing yet; open has the files that have a tab, true for those that are being
// recorded.
func RecordingRows(paths, saved []string, open map[string]bool, info map[string]RecordingInfo, now time.Time) []RecordingRow {
	rows := make([]RecordingRow, len(paths))
	for i, path := range paths {
		r := RecordingRow{Path: path, Glyph: File.Glyph(), Tone: Muted, Saved: slices.Contains(saved, path)}
		live, isOpen := open[path]
		r.Open = isOpen
		title, when := RecordingName(path)
		r.Title = title
		known, looked := info[path]
		var words []string
		if r.Saved {
			r.Glyph = SavedGlyph
		}
		if r.Open {
			r.Tone = Good
		}
		switch {
		case looked && known.Gone:
			r.Gone, r.Glyph, r.Tone = true, "✕", Caution
			words = append(words, "not there any more")
		case looked:
			if !known.Created.IsZero() {
				when = human.Date(known.Created.Local())
			}
			if !live { // else it grows all the time
				words = append(words, human.Bytes(known.Size))
			}
			// What may be long comes last: it is what is cut.
			if known.Target != "" && known.Target != title && fileName(known.Target) != title {
				words = append(words, known.Target)
			}
		}
		if when != "" && !r.Gone {
			words = slices.Insert(words, 0, when)
		}
		if live && !r.Gone {
			words = slices.Insert(words, 0, "recording")
		}
		if r.Saved {
			words = slices.Insert(words, 0, "saved")
		}
		r.Sub = line(strings.Join(words, " · "), 200)
		rows[i] = r
	}
	return rows
}

// RenamedPath is where a recording goes that gets another name in its folder.
// The name may not lead elsewhere; it gets the ending of recordings.
func RenamedPath(path, name string) (string, bool) {
	name = strings.TrimSpace(name)
	if name == "" || name != filepath.Base(name) || name == "." || name == ".." || strings.ContainsAny(name, `/\`+"\x00") {
		return "", false
	}
	return filepath.Join(filepath.Dir(path), WithRecordingExt(name)), true
}
