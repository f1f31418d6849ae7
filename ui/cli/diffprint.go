package cli

import (
	"fmt"
	"strings"

	"mcploupe/recorder/diff"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
)

// fewDifferences is how many differences of an exchange are printed, unless all
// are asked for.
const fewDifferences = 8

func (inv *invocation) printDiff(r diff.Result) {
	fmt.Fprintf(inv.Out, "A  %s\nB  %s\n\n%s\n", safe.Line(r.NameA, 400), safe.Line(r.NameB, 400), safe.Line(r.Summary(), 2000))
	if r.Interface != nil {
		inv.printInterface(*r.Interface)
	}
	if r.Conversation != nil {
		inv.printConversation(r.Conversation)
	}
}

func (inv *invocation) printInterface(r diff.Report) {
	for _, v := range []diff.Verdict{diff.Breaking, diff.Compatible, diff.Note} {
		if n := r.Count(v); n > 0 {
			fmt.Fprintf(inv.Out, "\n%s (%s)\n", v, human.Count(n))
		}
		for _, c := range r.Changes {
			if c.Verdict != v {
				continue
			}
			about := string(c.Area)
			if c.Name != "" {
				about += " " + c.Name
			}
			if c.Ordinal > 0 {
				about += fmt.Sprintf(" (no. %d of that name)", c.Ordinal+1)
			}
			fmt.Fprintf(inv.Out, "  %s: %s", safe.Line(about, 160), safe.Line(c.Text, 400))
			if c.Pointer != "" {
				fmt.Fprintf(inv.Out, "  [%s]", safe.Line(c.Pointer, 200))
			}
			fmt.Fprintln(inv.Out)
		}
	}
	for i, n := range r.Renames {
		if i == 0 {
			fmt.Fprintln(inv.Out, "\nperhaps under another name")
		}
		fmt.Fprintf(inv.Out, "  %s %s → %s (%d %% alike)\n", n.Area, safe.Line(n.From, 120), safe.Line(n.To, 120), n.Likeness)
	}
	inv.printRules(r.Rules)
	if r.Cut != "" {
		fmt.Fprintf(inv.Out, "\n%s\n", r.Cut)
	}
}

func (inv *invocation) printRules(rules []diff.RuleUse) {
	for _, u := range rules {
		if u.Count == 0 {
			fmt.Fprintf(inv.Out, "rule hid nothing: %s\n", safe.Line(u.IgnoreRule.String(), 400))
			continue
		}
		fmt.Fprintf(inv.Out, "rule hid %s: %s\n", human.Plural(u.Count, "difference", "differences"), safe.Line(u.IgnoreRule.String(), 400))
	}
}

func (inv *invocation) printConversation(c *diff.Conversation) {
	rows := c.Telling()
	if len(rows) > 0 {
		fmt.Fprintln(inv.Out, "\nconversations")
	}
	for _, r := range rows {
		inv.printRow(r)
	}
	if len(c.Hidden)+len(c.Rules)+len(c.Remarks)+len(c.Cut) > 0 {
		fmt.Fprintln(inv.Out)
	}
	for _, h := range c.Hidden {
		fmt.Fprintf(inv.Out, "not counted: %s × %s\n", human.Count(h.Count), h.Title)
	}
	inv.printRules(c.Rules)
	for _, s := range append(append([]string{}, c.Remarks...), c.Cut...) {
		fmt.Fprintln(inv.Out, s)
	}
}

func (inv *invocation) printRow(r diff.Row) {
	glyph := map[diff.RowKind]string{diff.Same: "=", diff.Different: "≠", diff.OnlyA: "−", diff.OnlyB: "+", diff.NotCompared: "?"}[r.Kind]
	title := strings.TrimSpace(r.Method + " " + r.Name)
	if title == "" {
		title = r.Lane.String()
	}
	fmt.Fprintf(inv.Out, "  %s %s: %s%s\n", glyph, safe.Line(title, 160), r.Says(), eventsText(r))
	for i, d := range r.Differences {
		if i == fewDifferences && !inv.opts.diff.all {
			fmt.Fprintf(inv.Out, "      and %s more (--all)\n", human.Count(len(r.Differences)-i+r.More))
			return
		}
		mark := ""
		if d.Severity == diff.Remark {
			mark = "note: "
		}
		fmt.Fprintf(inv.Out, "      %s%s\n", mark, safe.Line(d.Text, 400))
		for k, l := range d.Lines {
			if k == fewDifferences && !inv.opts.diff.all {
				break
			}
			if l.A > 0 {
				fmt.Fprintf(inv.Out, "        − %4d %s\n", l.A, safe.Line(l.TextA, 200))
			}
			if l.B > 0 {
				fmt.Fprintf(inv.Out, "        + %4d %s\n", l.B, safe.Line(l.TextB, 200))
			}
		}
	}
	if r.More > 0 {
		fmt.Fprintf(inv.Out, "      and %s more\n", human.Count(r.More))
	}
}

func eventsText(r diff.Row) string {
	switch {
	case r.SeqA == 0 && r.SeqB == 0:
		return ""
	case r.SeqB == 0:
		return fmt.Sprintf("  (event %d of A)", r.SeqA)
	case r.SeqA == 0:
		return fmt.Sprintf("  (event %d of B)", r.SeqB)
	}
	return fmt.Sprintf("  (events %d and %d)", r.SeqA, r.SeqB)
}
