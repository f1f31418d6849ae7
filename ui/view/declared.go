package view

import (
	"context"
	"slices"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/ui/settings"
)

// Feature is something that this client can do for a server, with a switch.
type Feature struct {
	Key   string // for the settings
	Label string
	About string
	of    func(c *protocol.ClientCapabilities) *bool
	needs string // key of the feature without which there is none of this
}

// Features are what this client can declare, in the order of the switches.
var Features = []Feature{
	{"elicitation", "Forms", "elicitation, form mode", func(c *protocol.ClientCapabilities) *bool { return &c.Elicitation }, ""},
	{"elicitation.url", "Addresses to visit", "elicitation, URL mode", func(c *protocol.ClientCapabilities) *bool { return &c.ElicitationURL }, ""},
	{"sampling", "Sampling", "a person answers in place of a model", func(c *protocol.ClientCapabilities) *bool { return &c.Sampling }, ""},
	{"sampling.tools", "Tools in sampling", "tools and toolChoice may be sent", func(c *protocol.ClientCapabilities) *bool { return &c.SamplingTools }, "sampling"},
	{"roots", "Roots", "folders the server may know of", func(c *protocol.ClientCapabilities) *bool { return &c.Roots }, ""},
	{"tasks", "Tasks", "a call may go on as a task (extension of 2026-07-28)", func(c *protocol.ClientCapabilities) *bool { return &c.Tasks }, ""},
}

// Declared takes away from what the program can do what a server's settings
// switch off.
func Declared(can protocol.ClientCapabilities, off []string) protocol.ClientCapabilities {
	for _, f := range Features {
		if slices.Contains(off, f.Key) || f.needs != "" && slices.Contains(off, f.needs) {
			*f.of(&can) = false
		}
	}
	return can
}

// FeatureSwitch is a switch as it stands.
type FeatureSwitch struct {
	Feature
	On      bool // what the next connection declares, or this one after a change
	Enabled bool // can be changed: what it needs is on
	Now     bool // declared to the server that is connected
}

// FeatureSwitches are the switches of a connection.
func FeatureSwitches(can protocol.ClientCapabilities, off []string, st session.State) []FeatureSwitch {
	on := Declared(can, off)
	now := st.Capabilities
	var out []FeatureSwitch
	for _, f := range Features {
		if !*f.of(&can) {
			continue
		}
		out = append(out, FeatureSwitch{
			Feature: f, On: *f.of(&on), Now: *f.of(&now), Enabled: f.needs == "" || !slices.Contains(off, f.needs),
		})
	}
	return out
}

// SwitchNote says whether the switches hold already.
func SwitchNote(switches []FeatureSwitch, phase Phase, st session.State) (text string, tone Tone) {
	if !phase.Live() {
		return "They are declared when the connection is made.", Muted
	}
	differs := false
	for _, s := range switches {
		differs = differs || s.On != s.Now
	}
	modern := st.Revision != nil && st.Revision.Modern
	switch {
	case differs && !modern:
		return "They were declared when the connection began. Reconnect to declare what is switched now.", Caution
	case modern:
		return "They are declared with each request, so a change holds for the next one.", Muted
	}
	return "This is what was declared when the connection began.", Muted
}

// SetOff switches a feature of a server on or off, and returns the settings'
// list of what is off.
func SetOff(off []string, key string, on bool) []string {
	off = slices.DeleteFunc(slices.Clone(off), func(x string) bool { return x == key })
	if !on {
		off = append(off, key)
	}
	return off
}

// Capabilities are what the program can do, before the switches of a server.
func (c *Conn) Capabilities() protocol.ClientCapabilities { return c.o.Capabilities }

// changeServer changes what the connection is made to and hands out the copy.
func (c *Conn) changeServer(change func(s *settings.Server)) settings.Server {
	c.mu.Lock()
	defer c.mu.Unlock()
	change(&c.server)
	return c.server
}

// Switch declares a feature or not, from now on where the revision allows it.
// It returns the server with the change, for the settings.
func (c *Conn) Switch(key string, on bool) settings.Server {
	s := c.changeServer(func(s *settings.Server) { s.Off = SetOff(s.Off, key, on) })
	if sess := c.Session(); sess != nil {
		// An error says that it holds from the next connection on, which the
		// switches say as well.
		_ = sess.SetCapabilities(Declared(c.o.Capabilities, s.Off))
		c.o.Changed()
	}
	return s
}

// SetRoots gives the server other roots. done is called, from any goroutine,
// with what went wrong while telling the server. It returns the server with the
// change, for the settings.
func (c *Conn) SetRoots(roots []session.Root, done func(error)) settings.Server {
	s := c.changeServer(func(s *settings.Server) { s.Roots = roots })
	sess, err := c.live()
	if err != nil {
		return s // they are used when the connection is made
	}
	c.Go(func(ctx context.Context) {
		done(sess.SetRoots(ctx, roots))
		c.o.Changed()
	})
	return s
}

// Manner is how this client goes about what a server asks; the person may take
// over what it does by itself otherwise.
type Manner struct {
	Key   string
	Label string
	About string
	of    func(s *settings.Server) *bool
	needs string // key of the feature without which it means nothing
}

// The keys of Manners.
const (
	AskForRoots = "askRoots"
	HoldRounds  = "holdRounds"
)

// Manners are the switches of how questions are handled, in their order.
var Manners = []Manner{
	{AskForRoots, "Ask me for roots", "each request for them waits for your answer", func(s *settings.Server) *bool { return &s.AskRoots }, "roots"},
	{HoldRounds, "Rounds by hand", "a call that wants input waits for Continue", func(s *settings.Server) *bool { return &s.HoldRounds }, ""},
}

// MannerSwitch is a Manner as it stands.
type MannerSwitch struct {
	Manner
	On      bool
	Enabled bool
}

// MannerSwitches are the switches of a server.
func MannerSwitches(server settings.Server, st session.State) []MannerSwitch {
	var out []MannerSwitch
	for _, m := range Manners {
		out = append(out, MannerSwitch{Manner: m, On: *m.of(&server), Enabled: m.needs == "" || !slices.Contains(server.Off, m.needs)})
		if m.Key == HoldRounds && st.Revision != nil && !st.Revision.Modern {
			out[len(out)-1].Enabled = false // no rounds in this revision
		}
	}
	return out
}

// SetManner switches how questions are handled, from the next one on. It returns
// the server with the change, for the settings.
func (c *Conn) SetManner(key string, on bool) settings.Server {
	s := c.changeServer(func(s *settings.Server) {
		for _, m := range Manners {
			if m.Key == key {
				*m.of(s) = on
			}
		}
	})
	if sess := c.Session(); sess != nil {
		sess.SetAskRoots(s.AskRoots)
	}
	return s
}
