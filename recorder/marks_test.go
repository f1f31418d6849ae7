package recorder

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func markedLog(t *testing.T) *Log {
	t.Helper()
	s := newScript(t)
	for i := range 4 {
		s.out(call(i, "a"))
	}
	for _, m := range []Mark{
		{Seq: 2, Pinned: true, Color: "red", Note: "Look \"here\"\nö"},
		{Seq: 3, Note: "x"},
		{Seq: 1, Color: "blue"},
		{Seq: 3},
		{Seq: 1, Color: "green", Note: "later wins"},
	} {
		if err := s.l.SetMark(m); err != nil {
			t.Fatal(err)
		}
	}
	return s.l
}

var wantMarks = []Mark{{Seq: 1, Color: "green", Note: "later wins"}, {Seq: 2, Pinned: true, Color: "red", Note: "Look \"here\"\nö"}}

func TestMarksAreKeptInTheFile(t *testing.T) {
	l := markedLog(t)
	check := func(l *Log) {
		t.Helper()
		if got := l.Marks(); !slices.Equal(got, wantMarks) {
			t.Errorf("marks %+v", got)
		}
		if m, ok := l.Mark(2); !ok || m != wantMarks[1] {
			t.Errorf("mark %+v, %v", m, ok)
		}
		if m, ok := l.Mark(3); ok {
			t.Errorf("event 3 has %+v", m)
		}
	}
	check(l)
	h := l.Head(5)
	if h.Kind != KindNote || h.Status != "mark" || h.Cause != 2 || !strings.HasPrefix(h.Name, "Look") || h.Dir != 0 {
		t.Errorf("the event is %+v", h)
	}
	e, err := l.Read(5, 0)
	if m, ok := e.Fields.(*Mark); err != nil || !ok || *m != wantMarks[1] {
		t.Errorf("read as %+v, %v", e.Fields, err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if err := l.SetMark(Mark{Seq: 1}); err == nil {
		t.Error("a closed recording was marked")
	}

	// Reopened, and marked again: the clock of the recording stands still.
	l = mustOpen(t, l.Path())
	check(l)
	if len(l.Faults()) != 0 || l.Repaired() != "" {
		t.Errorf("the file has faults: %v", l.Faults())
	}
	last := l.Head(l.Len())
	if err := l.SetMark(Mark{Seq: 4, Pinned: true}); err != nil {
		t.Fatal(err)
	}
	if h := l.Head(l.Len()); h.Seq != last.Seq+1 || h.Time != last.Time {
		t.Errorf("%+v after %+v", h, last)
	}
	n := l.Len()
	if err := l.SetMark(Mark{Seq: 4, Pinned: true}); err != nil || l.Len() != n {
		t.Errorf("the same mark again is event %d, %v", l.Len(), err)
	}
	if err := l.SetMark(Mark{Seq: 3}); err != nil || l.Len() != n {
		t.Errorf("no mark where there is none is event %d, %v", l.Len(), err)
	}
	if err := errors.Join(l.SetMark(Mark{Seq: 4}), l.Close()); err != nil {
		t.Fatal(err)
	}
	check(mustOpen(t, l.Path()))
}

// Lines that are taken out of a file leave marks on the events they are about.
func TestMarksFollowTheirEvents(t *testing.T) {
	l := markedLog(t)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(l.Path())
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(file), "\n")
	path := filepath.Join(t.TempDir(), "less"+Ext)
	less := strings.Join(slices.Delete(lines, 1, 2), "") // event 1
	if err := os.WriteFile(path, []byte(less), 0o600); err != nil {
		t.Fatal(err)
	}
	want := wantMarks[1]
	want.Seq = 1
	if got := mustOpen(t, path).Marks(); !slices.Equal(got, []Mark{want}) {
		t.Errorf("marks %+v", got)
	}
}

func TestMarksThatCannotBeSet(t *testing.T) {
	l := markedLog(t)
	n := l.Len()
	for _, c := range []struct {
		mark Mark
		want error
	}{
		{Mark{Seq: 0, Pinned: true}, ErrNoEvent},
		{Mark{Seq: n + 1, Pinned: true}, ErrNoEvent},
		{Mark{Seq: 1, Color: "mauve"}, ErrNotAMark},
		{Mark{Seq: 1, Note: strings.Repeat("x", MaxNote+1)}, ErrNotAMark},
	} {
		if err := l.SetMark(c.mark); !errors.Is(err, c.want) || l.Len() != n {
			t.Errorf("%+v gave %v", c.mark, err)
		}
	}
	if err := l.Sync(); err != nil {
		t.Fatal(err)
	}
	// Another one writes the file: it is followed, and its marks with it.
	follower := mustOpen(t, l.Path())
	if !follower.Following() {
		t.Fatal("the file is not followed")
	}
	if err := follower.SetMark(Mark{Seq: 1, Pinned: true}); !errors.Is(err, ErrReadOnly) || follower.Err() != nil {
		t.Errorf("marking gave %v, the log has %v", err, follower.Err())
	}
	wake, stop := follower.Watch()
	defer stop()
	if err := errors.Join(l.SetMark(Mark{Seq: 4, Color: "purple"}), l.Sync()); err != nil {
		t.Fatal(err)
	}
	late := time.After(10 * time.Second)
	for {
		if m, _ := follower.Mark(4); m.Color == "purple" {
			break
		}
		select {
		case <-wake:
		case <-late:
			t.Fatalf("marks %+v", follower.Marks())
		}
	}
}

// Marks of other programs may say what this one does not know.
func TestForeignMarks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "foreign"+Ext)
	file := testHeader + `{"q":1,"t":1,"k":"note","s":1,"text":"a"}` + "\n" +
		`{"q":2,"t":1,"k":"note","r":1,"w":"mark","mark":{"color":"mauve","note":"n","shape":"star"}}` + "\n" +
		`{"q":3,"t":1,"k":"note","r":2,"w":"mark","mark":{"color":7}}` + "\n" +
		`{"q":4,"t":1,"k":"note","w":"mark","mark":{"pinned":true}}` + "\n" +
		`{"q":5,"t":1,"k":"note","r":3,"w":"mark","s":1,"text":"m"}` + "\n"
	if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	l := mustOpen(t, path)
	if got := l.Marks(); !slices.Equal(got, []Mark{{Seq: 1, Note: "n"}}) {
		t.Errorf("marks %+v", got)
	}
}

// A second look takes nothing from the one who opens the file to write, whether
// that one comes before or after it.
func TestOpenToReadLeavesTheFileToOthers(t *testing.T) {
	l := markedLog(t)
	if err := l.Sync(); err != nil {
		t.Fatal(err)
	}
	live, err := OpenToRead(t.Context(), l.Path(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if !live.Following() || live.Len() != l.Len() {
		t.Errorf("following %v, %d of %d events", live.Following(), live.Len(), l.Len())
	}
	if err := errors.Join(live.Close(), l.Close()); err != nil {
		t.Fatal(err)
	}
	still, err := OpenToRead(t.Context(), l.Path(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := still.SetMark(Mark{Seq: 1, Pinned: true}); !errors.Is(err, ErrReadOnly) {
		t.Errorf("marking gave %v", err)
	}
	writer := mustOpen(t, l.Path())
	if writer.Following() {
		t.Error("a file that is only read counts as written")
	}
	if err := errors.Join(writer.SetMark(Mark{Seq: 1, Pinned: true}), writer.Close(), still.Close()); err != nil {
		t.Error(err)
	}
}
