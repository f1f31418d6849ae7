package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func callsAt(t *testing.T, dir string) *Calls {
	t.Helper()
	s, err := Load(filepath.Join(dir, "settings.json"))
	if err != nil {
		t.Fatal(err)
	}
	return s.Calls()
}

func sumKey(name string) CallKey { return CallKey{Server: "s", Method: "tools/call", Name: name} }

func TestCallsComeBackExactly(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "sub")
	c := callsAt(t, dir)
	at := time.Date(2026, 11, 30, 7, 0, 0, 0, time.UTC)
	const arguments = "{ \"z\": 1.0,\n \"a\":9007199254740993, \"e\":1e400, \"s\":\"<&>\\ud800 ü\" }"
	if !c.Sent(sumKey("sum"), arguments, at) {
		t.Fatal("not remembered")
	}
	c.Sent(sumKey("none"), "", at)
	if err := c.Save(sumKey("sum"), " big ", arguments, at); err != nil {
		t.Fatal(err)
	}
	if err := c.Write(); err != nil {
		t.Fatal(err)
	}
	again := callsAt(t, dir)
	if err := again.TakeErr(); err != nil {
		t.Fatal(err)
	}
	got := again.Recent(sumKey("sum"))
	if len(got) != 1 || got[0].Arguments != arguments || !got[0].Time.Equal(at) {
		t.Errorf("recent %+v", got)
	}
	if got := again.Saved(sumKey("sum")); len(got) != 1 || got[0].Title != "big" || got[0].Arguments != arguments {
		t.Errorf("saved %+v", got)
	}
	if got := again.Recent(sumKey("none")); len(got) != 1 || got[0].Arguments != "" {
		t.Errorf("a call without arguments: %+v", got)
	}
	if got := again.Recent(CallKey{Server: "other", Method: "tools/call", Name: "sum"}); got != nil {
		t.Errorf("another server has %+v", got)
	}
	info, err := os.Stat(c.Path())
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, want 0600", info.Mode().Perm())
	}
}

func TestCallsAreBounded(t *testing.T) {
	c := callsAt(t, t.TempDir())
	now := time.Now()
	c.Sent(sumKey("rare"), `{"a":1}`, now)
	for i := range 3 * maxRecentCalls {
		c.Sent(sumKey("often"), fmt.Sprintf(`{"n":%d}`, i), now)
	}
	often := c.Recent(sumKey("often"))
	if len(often) != maxRecentCalls-1 || often[0].Arguments != fmt.Sprintf(`{"n":%d}`, 3*maxRecentCalls-1) {
		t.Errorf("%d calls, newest %s", len(often), often[0].Arguments)
	}
	if got := c.Recent(sumKey("rare")); len(got) != 1 {
		t.Errorf("the last call of another tool was forgotten: %v", got)
	}
	c.Sent(sumKey("often"), often[3].Arguments, now)
	if got := c.Recent(sumKey("often")); len(got) != len(often) || got[0].Arguments != often[3].Arguments {
		t.Errorf("the same again: %d calls, newest %s", len(got), got[0].Arguments)
	}
	if c.Sent(sumKey("long"), strings.Repeat("x", MaxArguments+1), now) || c.Recent(sumKey("long")) != nil {
		t.Error("arguments that are too long are remembered")
	}
	if c.Sent(sumKey("long"), "\"\xff\"", now) {
		t.Error("bytes that a string cannot hold are remembered")
	}
	long := strings.Repeat("x", MaxArguments)
	for i := range 200 {
		c.Sent(CallKey{Server: fmt.Sprint(i), Method: "m", Name: "n"}, long, now)
	}
	total := 0
	for _, x := range c.content.Recent {
		total += len(x.Arguments)
	}
	if total > maxRecentBytes || total < maxRecentBytes/2 {
		t.Errorf("%d bytes are kept", total)
	}
}

func TestSavedCallsAreRenamedAndDeleted(t *testing.T) {
	c := callsAt(t, t.TempDir())
	key, now := sumKey("sum"), time.Now()
	for _, title := range []string{"b", "A", "c"} {
		if err := c.Save(key, title, `"`+title+`"`, now); err != nil {
			t.Fatal(err)
		}
	}
	titles := func() string {
		var all []string
		for _, x := range c.Saved(key) {
			all = append(all, x.Title+x.Arguments)
		}
		return strings.Join(all, " ")
	}
	if got := titles(); got != `A"A" b"b" c"c"` {
		t.Errorf("saved %s", got)
	}
	if err := c.Save(key, "b", "2", now); err != nil || titles() != `A"A" b2 c"c"` {
		t.Errorf("saved over: %v, %s", err, titles())
	}
	if err := c.Rename(key, "A", "z"); err != nil || titles() != `b2 c"c" z"A"` {
		t.Errorf("renamed: %v, %s", err, titles())
	}
	for _, wrong := range [][2]string{{"z", "b"}, {"none", "y"}, {"z", "  "}} {
		if err := c.Rename(key, wrong[0], wrong[1]); err == nil {
			t.Errorf("%q was renamed to %q", wrong[0], wrong[1])
		}
	}
	if c.Save(key, " ", "1", now) == nil {
		t.Error("saved without a name")
	}
	c.Delete(key, "z")
	if got := titles(); got != `b2 c"c"` {
		t.Errorf("after deleting: %s", got)
	}
	for i := len(c.Saved(key)); i < MaxSavedCalls; i++ {
		if err := c.Save(key, fmt.Sprint(i), "", now); err != nil {
			t.Fatal(err)
		}
	}
	if c.Save(key, "one too many", "", now) == nil {
		t.Error("there is no bound on saved calls")
	}
	if err := c.Save(key, "b", "3", now); err != nil {
		t.Errorf("a full list cannot be changed: %v", err)
	}
	c.Forget("s")
	if c.Saved(key) != nil {
		t.Error("a forgotten server still has calls")
	}
}

func TestABrokenCallsFileIsSetAside(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "calls.json"), []byte(`{"recent":[`), 0o600); err != nil {
		t.Fatal(err)
	}
	c := callsAt(t, dir)
	if err := c.TakeErr(); err == nil || !strings.Contains(err.Error(), ".broken-") {
		t.Fatalf("error %v", err)
	}
	if err := c.TakeErr(); err != nil {
		t.Errorf("it is said again: %v", err)
	}
	c.Sent(sumKey("sum"), "{}", time.Now())
	if err := c.Write(); err != nil {
		t.Fatal(err)
	}
	kept, err := filepath.Glob(filepath.Join(dir, "calls.json.broken-*"))
	if err != nil || len(kept) != 1 {
		t.Errorf("kept %v, %v", kept, err)
	}
}
