package diff

import (
	"fmt"
	"io"
	"strings"
)

// WriteMarkdown writes the outcome as a report to read.
func (r Result) WriteMarkdown(w io.Writer) error {
	m := &markdown{}
	m.line("# %s and %s compared", code(r.NameA), code(r.NameB))
	m.line("")
	m.line("%s", prose(r.Summary()))
	if r.Interface != nil {
		m.report(*r.Interface)
	}
	if r.Conversation != nil {
		m.conversation(r.Conversation)
	}
	_, err := io.WriteString(w, m.out.String())
	return err
}

type markdown struct{ out strings.Builder }

func (m *markdown) line(format string, args ...any) { fmt.Fprintf(&m.out, format+"\n", args...) }

func (m *markdown) report(r Report) {
	m.line("\n## Interface\n")
	if len(r.Changes) == 0 {
		m.line("Nothing changed.")
	}
	for _, v := range []Verdict{Breaking, Compatible, Note} {
		n := r.Count(v)
		if n == 0 {
			continue
		}
		m.line("### %s (%d)\n\n| what | change | where |\n|---|---|---|", strings.ToUpper(v.String()[:1])+v.String()[1:], n)
		for _, c := range r.Changes {
			if c.Verdict == v {
				m.line("| %s | %s | %s |", cell(strings.TrimSpace(string(c.Area)+" "+code(c.Name+nth(c.Ordinal)))), cell(prose(c.Text)), cell(code(c.Pointer)))
			}
		}
		m.line("")
	}
	for _, n := range r.Renames {
		m.line("- %s %s may be %s under another name (%d %% alike).", n.Area, code(n.From), code(n.To), n.Likeness)
	}
	m.rules(r.Rules)
	if r.Cut != "" {
		m.line("\n%s", prose(r.Cut))
	}
}

func (m *markdown) rules(rules []RuleUse) {
	for i, u := range rules {
		if i == 0 {
			m.line("")
		}
		switch u.Count {
		case 0:
			m.line("- The rule %s hid nothing.", code(u.IgnoreRule.String()))
		default:
			m.line("- The rule %s hid %d %s.", code(u.IgnoreRule.String()), u.Count, plural(u.Count, "difference", "differences"))
		}
	}
}

func (m *markdown) conversation(c *Conversation) {
	m.line("\n## Conversation\n")
	rows := c.Telling()
	if len(rows) == 0 {
		m.line("Nothing differs.")
	}
	for _, r := range rows {
		title := strings.TrimSpace(r.Method + " " + r.Name)
		if title == "" {
			title = r.Lane.String()
		}
		m.line("### %s: %s%s\n", code(title), r.Says(), events(r.SeqA, r.SeqB))
		for _, d := range r.Differences {
			m.line("- %s%s", map[bool]string{true: "(note) ", false: ""}[d.Severity == Remark], prose(d.Text))
			for _, l := range d.Lines {
				if l.A > 0 {
					m.line("  - %s", code(fmt.Sprintf("- %d: %s", l.A, l.TextA)))
				}
				if l.B > 0 {
					m.line("  - %s", code(fmt.Sprintf("+ %d: %s", l.B, l.TextB)))
				}
			}
		}
		if r.More > 0 {
			m.line("- and %d more", r.More)
		}
		m.line("")
	}
	for _, h := range c.Hidden {
		m.line("- Not counted: %d × %s.", h.Count, h.Title)
	}
	m.rules(c.Rules)
	for _, s := range append(append([]string{}, c.Remarks...), c.Cut...) {
		m.line("\n%s", prose(s))
	}
}

func events(a, b uint64) string {
	switch {
	case a == 0 && b == 0:
		return ""
	case b == 0:
		return fmt.Sprintf(" (event %d of A)", a)
	case a == 0:
		return fmt.Sprintf(" (event %d of B)", b)
	}
	return fmt.Sprintf(" (events %d and %d)", a, b)
}

// code writes a code span on one line, whatever backticks are in it.
func code(s string) string {
	s = strings.NewReplacer("\n", " ", "\r", " ", "\t", " ").Replace(s)
	if s = visible(s); s == "" {
		return ""
	}
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		return fence + " " + s + " " + fence
	}
	return fence + s + fence
}

var proseEscapes = strings.NewReplacer("\n", " ", "\r", " ", `\`, `\\`, "*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "#", `\#`, "|", `\|`, "~", `\~`)

// prose writes a sentence of this package: its code spans stay, all else is
// plain text.
func prose(s string) string {
	var b strings.Builder
	for i, part := range strings.Split(visible(s), "`") {
		if i%2 == 1 {
			b.WriteString(code(part))
		} else {
			b.WriteString(proseEscapes.Replace(part))
		}
	}
	return b.String()
}

// cell keeps a bar from ending a cell of a table.
func cell(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, `\|`, "|"), "|", `\|`)
}
