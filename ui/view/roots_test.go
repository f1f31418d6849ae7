package view

import (
	"strings"
	"testing"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/ui/settings"
)

func TestRootsEditor(t *testing.T) { // ROOT-03, ROOT-05
	r := NewRoots([]session.Root{{URI: "file:///a"}})
	r.AddFolder("/home/me/a b")
	r.AddFolder("/home/me/a b")
	if got, want := r.Preview(), `{"roots":[{"uri":"file:///a"},{"uri":"file:///home/me/a%20b","name":"a b"}]}`; got != want {
		t.Errorf("answer %s, want %s", got, want)
	}
	turn := r.Turn()
	r.Set(0, session.Root{URI: "file:///a"})
	if r.Turn() != turn {
		t.Error("a change that is none counts")
	}
	r.Remove(1)
	r.Remove(7)
	if r.Len() != 1 || r.Turn() == turn {
		t.Errorf("%d roots, turn %d", r.Len(), r.Turn())
	}
	there := func(path string) bool { return path == "/a" }
	for uri, want := range map[string]string{
		"file:///a": "", "file:///b": "no such folder", "https://a/": "file://", "": "needs a URI", "file://other/a": "machine",
		"file:///a/../b": "upwards", "%zz": "not a URI",
	} {
		r.Set(0, session.Root{URI: uri})
		if got := r.Note(0, there); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q", uri, got, want)
		}
	}
}

func TestSwitchesOfAConnection(t *testing.T) {
	can := protocol.ClientCapabilities{Elicitation: true, ElicitationURL: true, Sampling: true, SamplingTools: true, Roots: true}
	off := SetOff(SetOff(nil, "sampling", false), "roots", false)
	got := Declared(can, off)
	if got.Sampling || got.SamplingTools || got.Roots || !got.Elicitation || !got.ElicitationURL {
		t.Errorf("declared %+v", got)
	}
	legacy := session.State{Revision: protocol.NewestHandshake(), Capabilities: can}
	list := FeatureSwitches(can, off, legacy)
	if len(list) != 5 || list[2].On || !list[2].Now || list[3].Enabled {
		t.Errorf("switches %+v", list)
	}
	if text, tone := SwitchNote(list, Connected, legacy); tone != Caution || !strings.Contains(text, "Reconnect") {
		t.Errorf("after a handshake: %q", text)
	}
	modern := session.State{Revision: protocol.NewestModern(), Capabilities: can}
	if text, tone := SwitchNote(list, Connected, modern); tone != Muted || !strings.Contains(text, "each request") {
		t.Errorf("modern: %q", text)
	}
	if off = SetOff(off, "roots", true); !Declared(can, off).Roots {
		t.Error("switched on again, and not declared")
	}
}

func TestSwitchesAndRootsGoIntoTheNextSession(t *testing.T) {
	c := NewConn(settings.Server{}, ConnOptions{Capabilities: protocol.ClientCapabilities{Elicitation: true, Roots: true}})
	if s := c.Switch("roots", false); len(s.Off) != 1 {
		t.Errorf("server %+v", s)
	}
	c.SetRoots([]session.Root{{URI: "file:///x"}}, func(err error) { t.Errorf("told nobody: %v", err) })
	o := c.sessionOptions(c.Server(), nil)
	if o.Capabilities.Roots || !o.Capabilities.Elicitation || len(o.Roots) != 1 {
		t.Errorf("options %+v", o)
	}
	if err := c.Close(); err != nil {
		t.Error(err)
	}
}
