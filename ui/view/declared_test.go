package view

import (
	"testing"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/ui/settings"
)

func TestMannersAreOfTheServer(t *testing.T) {
	c := NewConn(settings.Server{ID: "a", Off: []string{"roots"}}, ConnOptions{})
	defer func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}()
	for _, m := range MannerSwitches(c.Server(), session.State{}) {
		if m.On || m.Enabled != (m.Key != AskForRoots) {
			t.Errorf("at first %+v", m)
		}
	}
	old, _ := protocol.RevisionByName("2025-11-25")
	for _, m := range MannerSwitches(settings.Server{}, session.State{Revision: old}) {
		if m.Enabled != (m.Key != HoldRounds) {
			t.Errorf("in a revision without rounds %+v", m)
		}
	}
	if s := c.SetManner(HoldRounds, true); !s.HoldRounds || s.AskRoots || s.ID != "a" {
		t.Errorf("the server is %+v", s)
	}
	if s := c.SetManner(AskForRoots, true); !s.AskRoots || !c.sessionOptions(s, nil).AskRoots {
		t.Errorf("the server is %+v", s)
	}
	if s := c.SetManner(HoldRounds, false); s.HoldRounds || !s.AskRoots {
		t.Errorf("the server is %+v", s)
	}
}
