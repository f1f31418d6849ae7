package diff

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"

	"mcploupe/protocol/jsonvalue"
)

const (
	maxWeighed    = 1 << 20 // longer strings are compared as they stand, without rules for what varies
	maxLines      = 20_000  // longer texts have no LineChanges
	maxLineDiff   = 40      // LineChanges that are kept of a text
	maxLineLength = 1 << 10 // up to which lines are compared by characters
	longText      = 80      // from which a text of one line is compared by characters
)

// strings compares two strings that differ: as JSON if both are, else with what
// varies and what travels taken out.
func (m *messages) strings(a, b *jsonvalue.Value, at spot) {
	if a.Str == b.Str {
		m.add(Difference{Severity: Remark, Text: "is written with other escapes"}, a, b, at)
		return
	}
	if !at.nested && looksLikeJSON(a.Str) && looksLikeJSON(b.Str) {
		x, errX := jsonvalue.Parse([]byte(a.Str))
		y, errY := jsonvalue.Parse([]byte(b.Str))
		if errX == nil && errY == nil {
			m.values(x, y, spot{outerA: at.a, outerB: at.b, nested: true})
			return
		}
	}
	if m.sameOrigin(a, b) {
		return
	}
	sa, sb := a.Str, b.Str
	if name := at.name(); name == "blob" || name == "data" {
		if x, y, ok := decodedTexts(sa, sb); ok {
			sa, sb = x, y // what base64 holds
		}
	}
	if len(sa) <= maxWeighed && len(sb) <= maxWeighed {
		var kinds Volatile
		if sa, sb, kinds = m.t.volatile.strip(sa, sb, m.fromServer); kinds != 0 && sa == sb {
			m.t.hideVolatile(kinds)
			return
		}
	}
	var p *pending
	tokens, alike := differingTokens(sa, sb)
	switch {
	case m.fromServer:
		p = m.t.origins.cameString(at.name(), a.Str, b.Str, tokens, m.seqA, m.seqB)
	case alike && m.t.origins.sentAll(tokens):
		return
	}
	text := "is another text"
	if len(a.Lit) <= shortest && len(b.Lit) <= shortest {
		text = "is " + b.Lit + ", before " + a.Lit
	}
	m.changed(a, b, at, text, p)
}

// decodedTexts are the texts that two contents in base64 hold; ok is false if
// they are not both text.
func decodedTexts(a, b string) (x, y string, ok bool) {
	if len(a) > maxWeighed || len(b) > maxWeighed {
		return "", "", false
	}
	p, errA := base64.StdEncoding.DecodeString(a)
	q, errB := base64.StdEncoding.DecodeString(b)
	return string(p), string(q), errA == nil && errB == nil && utf8.Valid(p) && utf8.Valid(q)
}

func looksLikeJSON(s string) bool {
	s = strings.TrimLeft(s[:min(len(s), 64)], " \t\r\n")
	return s != "" && (s[0] == '{' || s[0] == '[')
}

// maxTokens is how many words of a text may differ for them to be looked at.
const maxTokens = 64

// differingTokens are the words in which two texts differ that are alike in all
// else; alike is false when there is more.
func differingTokens(a, b string) (tokens [][2]string, alike bool) {
	word := func(c byte) bool {
		return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '-' || c >= 0x80
	}
	for len(a) > 0 && len(b) > 0 {
		i, j := 0, 0
		for i < len(a) && word(a[i]) {
			i++
		}
		for j < len(b) && word(b[j]) {
			j++
		}
		if a[:i] != b[:j] {
			if tokens = append(tokens, [2]string{a[:i], b[:j]}); len(tokens) > maxTokens || i == 0 || j == 0 {
				return nil, false
			}
		}
		a, b = a[i:], b[j:]
		if a == "" || b == "" {
			break
		}
		if i == 0 && j == 0 {
			if a[0] != b[0] {
				return nil, false
			}
			a, b = a[1:], b[1:]
		}
	}
	return tokens, a == "" && b == ""
}

// textLines compares two texts by lines, and lines that changed by characters.
// It returns nothing for short ones, which are seen at a glance.
func textLines(a, b string) []LineChange {
	if len(a) < longText && len(b) < longText && !strings.Contains(a, "\n") && !strings.Contains(b, "\n") {
		return nil
	}
	if len(a) > maxWeighed || len(b) > maxWeighed {
		return nil
	}
	la, lb := strings.Split(a, "\n"), strings.Split(b, "\n")
	if len(la) > maxLines || len(lb) > maxLines {
		return nil
	}
	ka, kb := lineKeys(la), lineKeys(lb)
	match, _ := align(ka, kb)
	var out []LineChange
	i, j := 0, 0
	put := func(x, y int) {
		if len(out) == maxLineDiff {
			return
		}
		var c LineChange
		if x >= 0 {
			c.A, c.TextA = x+1, clipLine(la[x])
		}
		if y >= 0 {
			c.B, c.TextB = y+1, clipLine(lb[y])
		}
		if x >= 0 && y >= 0 {
			c.MarksA, c.MarksB = characters(c.TextA, c.TextB)
		}
		out = append(out, c)
	}
	flush := func(toA, toB int) {
		if len(out) >= maxLineDiff {
			return
		}
		pairs := pairGap(toA-i, toB-j, b < a, func(x, y int) int { return lineLikeness(la[i+x], lb[j+y]) })
		x, y := i, j
		for _, p := range append(pairs, [2]int{toA - i, toB - j}) {
			for ; x < i+p[0]; x++ {
				put(x, -1)
			}
			for ; y < j+p[1]; y++ {
				put(-1, y)
			}
			if x < toA && y < toB {
				put(x, y)
				x, y = x+1, y+1
			}
		}
	}
	for x, y := range match {
		if y >= 0 {
			flush(x, int(y))
			i, j = x+1, int(y)+1
		}
	}
	flush(len(la), len(lb))
	return out
}

// lineLikeness is what share of the longer of two lines begins and ends as the
// other, in percent; 0 below a third.
func lineLikeness(a, b string) int {
	n, longer := 0, max(len(a), len(b), 1)
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	a, b = a[n:], b[n:]
	for k := 0; k < min(len(a), len(b)) && a[len(a)-1-k] == b[len(b)-1-k]; k++ {
		n++
	}
	if n *= 100; n < 34*longer {
		return 0
	}
	return n / longer
}

func clipLine(s string) string {
	if len(s) <= maxLineLength {
		return s
	}
	return strings.ToValidUTF8(s[:maxLineLength], "") + "…"
}

// characters marks what differs between two lines.
func characters(a, b string) (marksA, marksB []Span) {
	if b < a {
		marksB, marksA = characters(b, a)
		return marksA, marksB
	}
	differ := diffmatchpatch.New()
	differ.DiffTimeout = 0 // the lines are short: the outcome must not depend on the clock
	x, y := 0, 0
	for _, part := range differ.DiffCleanupSemantic(differ.DiffMain(strings.ToValidUTF8(a, "?"), strings.ToValidUTF8(b, "?"), false)) {
		n := len(part.Text)
		switch part.Type {
		case diffmatchpatch.DiffDelete:
			marksA, x = append(marksA, Span{x, x + n}), x+n
		case diffmatchpatch.DiffInsert:
			marksB, y = append(marksB, Span{y, y + n}), y+n
		default:
			x, y = x+n, y+n
		}
	}
	return marksA, marksB
}
