package view

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"mcploupe/recorder/diff"
	"mcploupe/ui/view/human"
)

// CompareRule is a rule that keeps differences from counting, with how often it
// did in the last comparison.
type CompareRule struct {
	diff.IgnoreRule
	On    bool
	Count int
}

// CompareOptions say what is compared.
type CompareOptions struct {
	Without diff.Class    // left out
	Count   diff.Volatile // values that vary and count all the same
	Rules   []CompareRule
}

func (o CompareOptions) engine() diff.Options {
	set := &diff.RuleSet{}
	for _, r := range o.Rules {
		if r.On {
			set.Rules = append(set.Rules, r.IgnoreRule)
		}
	}
	return diff.Options{Without: o.Without, Count: o.Count, Rules: set}
}

// CompareSwitch is one of the switches that leave a kind of traffic out.
type CompareSwitch struct {
	Label, Hint string
	classes     diff.Class
	volatile    diff.Volatile // counted when on, instead of classes
}

// CompareSwitches are the switches, in the order in which they are shown.
func CompareSwitches() []CompareSwitch {
	return []CompareSwitch{
		{Label: "questions", Hint: "requests of the server, and what they were answered", classes: diff.PeerRequests | diff.PeerAnswers},
		{Label: "notifications", Hint: "notifications of the server", classes: diff.Notifications},
		{Label: "stderr", Hint: "lines on standard error, and lines that are no messages", classes: diff.Stderr | diff.Stray},
		{Label: "exit code", Hint: "how the process ended", classes: diff.Exit},
		{Label: "HTTP status", Hint: "status, method and path", classes: diff.Status},
		{Label: "headers", Hint: "headers of HTTP", classes: diff.Headers},
		{Label: "SSE", Hint: "types, retry times and comments of server-sent events", classes: diff.EventStream},
		{Label: "latency", Hint: "answers that took more than twice as long, and 100 ms", classes: diff.Timing},
		{Label: "times and ids", Hint: "dates, durations, UUIDs and headers that vary from run to run", volatile: diff.Timestamps | diff.Durations | diff.UUIDs | diff.VaryingHeaders},
		{Label: "implementations", Hint: "the serverInfo that every result repeats, and the clientInfo of every request", volatile: diff.Implementations},
	}
}

// On reports whether what the switch is for is compared.
func (s CompareSwitch) On(o CompareOptions) bool {
	if s.volatile != 0 {
		return o.Count&s.volatile == s.volatile
	}
	return o.Without&s.classes == 0
}

// Toggle turns the switch.
func (s CompareSwitch) Toggle(o *CompareOptions) {
	if s.volatile != 0 {
		on := s.On(*o)
		o.Count &^= s.volatile
		if !on {
			o.Count |= s.volatile
		}
		return
	}
	on := s.On(*o)
	o.Without &^= s.classes
	if on {
		o.Without |= s.classes
	}
}

// Comparison is the outcome of comparing two sides. It does not change.
type Comparison struct {
	A, B   *ComparedSide
	Result diff.Result
}

// Compare compares two sides that were read, a being the older, and counts in
// the rules of o what they hid. It takes time; progress, unless nil, is told how
// far it is.
func Compare(ctx context.Context, a, b *ComparedSide, o *CompareOptions, progress func(done, total uint64)) (*Comparison, error) {
	engine := o.engine()
	engine.Progress = progress
	r, err := diff.Compare(ctx, diff.Side{Name: a.Name, Log: a.Log, Surface: &a.Surface}, diff.Side{Name: b.Name, Log: b.Log, Surface: &b.Surface}, engine)
	if err != nil {
		return nil, err
	}
	var uses []diff.RuleUse
	if r.Interface != nil {
		uses = append(uses, r.Interface.Rules...)
	}
	if r.Conversation != nil {
		uses = append(uses, r.Conversation.Rules...)
	}
	for i := range o.Rules {
		o.Rules[i].Count = 0
		for _, u := range uses {
			if o.Rules[i].On && u.IgnoreRule == o.Rules[i].IgnoreRule {
				o.Rules[i].Count = u.Count
			}
		}
	}
	return &Comparison{A: a, B: b, Result: r}, nil
}

// Equal reports whether nothing differs and nothing was left out.
func (c *Comparison) Equal() bool {
	r := c.Result
	return (r.Interface == nil || len(r.Interface.Changes) == 0 && r.Interface.Cut == "") && (r.Conversation == nil || r.Conversation.Equal())
}

// Summary says the outcome in words.
func (c *Comparison) Summary() string { return c.Result.Summary() }

// Remarks are what has to be known of the comparison, in sentences: what was
// not compared, and what does not count.
func (c *Comparison) Remarks() []string {
	var out []string
	switch {
	case c.A.Same(c.B.CompareSide):
		out = append(out, "Both sides are the same thing.")
	case c.strangers():
		out = append(out, "Nothing that one side offers is in the other: A calls itself "+serverName(c.A.Surface)+", B "+serverName(c.B.Surface)+". These may be two servers, not two versions of one.")
	}
	if r := c.Result.Interface; r != nil {
		for _, l := range []struct {
			title string
			a, b  diff.List
		}{
			{"tools", c.A.Surface.Tools, c.B.Surface.Tools}, {"resources", c.A.Surface.Resources, c.B.Surface.Resources},
			{"resource templates", c.A.Surface.Templates, c.B.Surface.Templates}, {"prompts", c.A.Surface.Prompts, c.B.Surface.Prompts},
		} {
			if l.a.Known != l.b.Known {
				side := "A"
				if l.a.Known {
					side = "B"
				}
				out = append(out, "The "+l.title+" are not compared: "+side+" has no complete list of them.")
			}
		}
		if r.Cut != "" {
			out = append(out, r.Cut)
		}
	}
	talk := c.Result.Conversation
	if talk != nil {
		out = append(append(out, talk.Cut...), talk.Remarks...)
	}
	if hidden := c.hidden(); len(hidden) > 0 {
		out = append(out, "Not counted: "+strings.Join(hidden, ", ")+".")
	}
	return out
}

// strangers reports whether both sides offer something, and nothing in common.
func (c *Comparison) strangers() bool {
	r := c.Result.Interface
	if r == nil {
		return false
	}
	offered := func(s diff.Surface) (n int) {
		for _, l := range []diff.List{s.Tools, s.Resources, s.Templates, s.Prompts} {
			n += len(l.Items)
		}
		return n
	}
	gone, fresh := 0, 0
	for _, ch := range r.Changes {
		switch ch.Rule {
		case string(ch.Area) + ".removed":
			gone++
		case string(ch.Area) + ".added":
			fresh++
		}
	}
	return gone > 0 && fresh > 0 && gone == offered(c.A.Surface) && fresh == offered(c.B.Surface)
}

// serverName is what a server calls itself.
func serverName(s diff.Surface) string {
	return line(cmp.Or(memberText(s.ServerInfo, "name"), "nothing"), 60)
}

// hidden lists what was not counted, and how often.
func (c *Comparison) hidden() (out []string) {
	var rules []diff.RuleUse
	if r := c.Result.Interface; r != nil {
		rules = append(rules, r.Rules...)
	}
	if talk := c.Result.Conversation; talk != nil {
		for _, h := range talk.Hidden {
			one, many := hiddenWords(h)
			out = append(out, human.Plural(h.Count, one, many))
		}
		rules = append(rules, talk.Rules...)
	}
	n := 0
	for _, r := range rules {
		n += r.Count
	}
	if n > 0 {
		out = append(out, human.Plural(n, "difference by your rules", "differences by your rules"))
	}
	return out
}

// hiddenWords are short names for what was not counted, of one and of many.
func hiddenWords(h diff.Hidden) (one, many string) {
	switch h.Key {
	case "ids":
		return "id or token", "ids and tokens"
	case "origin":
		return "value sent back", "values sent back"
	case "order":
		return "message beside another call", "messages beside another call"
	case "headers":
		return "varying header", "varying headers"
	case "implementations":
		return "serverInfo or clientInfo", "serverInfo or clientInfo"
	case "uuids":
		return "UUID", "UUIDs"
	}
	return strings.TrimSuffix(h.Key, "s"), h.Key
}

// RuleRow is what a list of rules shows of one.
type RuleRow struct {
	Glyph, Word string // what it does
	Place       string // pointer, and where it leads inside of a text
	Of          string // what it is about
	Uses        string
	Note        string
}

// RuleRowOf describes a rule.
func RuleRowOf(r CompareRule) RuleRow {
	out := RuleRow{Word: string(r.Action), Note: line(r.Note, 200)}
	out.Glyph = map[diff.Action]string{diff.Ignore: "⊘", diff.Vary: "~", diff.Unordered: "⇅"}[r.Action]
	out.Place = r.Pointer
	if out.Place == "" {
		out.Place = "the whole"
	}
	if r.Inside != "" {
		out.Place += "  inside " + r.Inside
	}
	out.Place = line(out.Place, 300)
	of := []string{}
	for _, s := range []string{string(r.Area), r.Method, strings.ReplaceAll(strings.ReplaceAll(r.Name, `\*`, "*"), `\\`, `\`)} {
		if s != "" {
			of = append(of, s)
		}
	}
	out.Of = line(strings.Join(of, " "), 200)
	if out.Of == "" {
		out.Of = "anything"
	}
	switch {
	case !r.On:
		out.Uses = "off"
	case r.Count == 0:
		out.Uses = "hid nothing"
	default:
		out.Uses = "hid " + human.Count(r.Count)
	}
	return out
}

// AddRule adds a rule, or turns it on when it is there already.
func (o *CompareOptions) AddRule(r diff.IgnoreRule) {
	if i := slices.IndexFunc(o.Rules, func(x CompareRule) bool { return x.IgnoreRule == r }); i >= 0 {
		o.Rules[i].On = true
		return
	}
	o.Rules = append(o.Rules, CompareRule{IgnoreRule: r, On: true})
}

// RulesText is the file of the rules that are on.
func (o CompareOptions) RulesText() []byte { return o.engine().Rules.AppendTo(nil) }

// ErrNoRules says that a file of rules has none.
var ErrNoRules = errors.New("there are no rules in the file")

// LoadRules adds the rules of a file and returns how many were new.
func (o *CompareOptions) LoadRules(text []byte) (added int, err error) {
	set, err := diff.ParseRules(text)
	if err != nil {
		return 0, err
	}
	if len(set.Rules) == 0 {
		return 0, ErrNoRules
	}
	before := len(o.Rules)
	for _, r := range set.Rules {
		o.AddRule(r)
	}
	return len(o.Rules) - before, nil
}

// RulesName is a name for a file of rules.
func RulesName() string { return "rules" + diff.RulesExt }

// CompareName is a name for files that are made of a comparison, without an
// ending.
func CompareName(c *Comparison) string {
	return fileName(c.A.Name + "-to-" + c.B.Name)
}
