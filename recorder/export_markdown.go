package recorder

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

// maxTranscriptBody is how many bytes of one body a transcript shows.
const maxTranscriptBody = 64 << 10

// markdown writes a transcript. An answer stands with its request.
func (x *Exporter) markdown(ctx context.Context) error {
	x.title()
	for i := range x.Len() {
		seq := x.At(i)
		h := x.Log.Head(seq)
		if err := x.chapter(h); err != nil {
			return err
		}
		x.Wrote(h.Kind)
		if err := x.Did(ctx, i); err != nil {
			return err
		}
	}
	return nil
}

func (x *Exporter) print(format string, args ...any) { _, _ = fmt.Fprintf(x, format, args...) }

func (x *Exporter) title() {
	h := x.Header()
	t := h.Target
	name := t.Name
	if name == "" {
		name = t.URL
	}
	if name == "" {
		name = t.Command
	}
	x.print("# Recording of %s\n\n", inlineCode(name))
	x.print("| | |\n|---|---|\n")
	row := func(what, value string) {
		if value != "" {
			x.print("| %s | %s |\n", what, strings.ReplaceAll(inlineCode(value), "|", `\|`))
		}
	}
	row("Transport", t.Transport)
	row("URL", t.URL)
	row("Command", strings.Join(append([]string{t.Command}, t.Args...), " "))
	row("Started", h.Created.UTC().Format("2006-01-02 15:04:05.000 UTC"))
	row("Recorded by", h.App)
	row("Events", fmt.Sprint(x.Len()))
	x.print("\n")
}

// chapter writes one event; a request with its answer.
func (x *Exporter) chapter(h Head) error {
	if h.Kind == KindMessage && x.answersSelected(h) {
		return nil // shown with its request
	}
	e, err := x.Read(h.Seq)
	if err != nil {
		return err
	}
	switch h.Kind {
	case KindMessage:
		return x.messageChapter(h, &e)
	case KindStderr:
		x.headline(h, "stderr")
		x.fence("text", e.Data)
	case KindBad:
		x.headline(h, "bytes that are no message")
		x.fence("text", e.Data)
	case KindHTTP:
		if f, ok := e.Fields.(*HTTPHead); ok {
			x.httpChapter(h, f)
		}
	case KindState:
		if f, ok := e.Fields.(*StateChange); ok {
			x.headline(h, "connection: "+f.State)
			if f.Detail != "" {
				x.fence("text", []byte(f.Detail))
			}
		}
	case KindNote:
		if h.Status != statusMark { // marks stand with what they mark
			x.headline(h, "note")
			x.fence("text", e.Data)
		}
	case KindSSE:
		x.LoseEvent(h)
	default:
		x.headline(h, "a line that is no event")
		x.fence("text", e.Data)
	}
	return nil
}

// answersSelected reports whether a message is the answer that is shown with a
// selected request.
func (x *Exporter) answersSelected(h Head) bool {
	if h.Message != protocol.Result && h.Message != protocol.Error || h.Partner == 0 || h.Partner >= h.Seq || x.Place(h.Partner) == 0 {
		return false
	}
	return x.Log.Head(h.Partner).Partner == h.Seq
}

func (x *Exporter) messageChapter(h Head, e *Event) error {
	m := protocol.Parse(e.Data)
	what := m.Kind.String()
	if m.Method != "" {
		what = m.Method
		if name := protocol.NameOf(m.Method, m.Params); name != "" {
			what += " " + name
		}
	}
	x.headline(h, what)
	switch m.Kind {
	case protocol.Request:
		if len(m.Params) > 0 {
			x.fence("json", protocol.Indent(shownParams(m)))
		}
		x.problems(m)
		return x.answer(h)
	case protocol.Notification:
		if len(m.Params) > 0 {
			x.fence("json", protocol.Indent(m.Params))
		}
	case protocol.Result:
		x.print("An answer to the id %s, whose request is not here.\n\n", inlineCode(m.ID.String()))
		x.fence("json", protocol.Indent(m.Result))
	default:
		x.fence("json", protocol.Indent(e.Data))
	}
	x.problems(m)
	return nil
}

// shownParams are the arguments of a call, all parameters of anything else.
func shownParams(m protocol.Message) jsontext.Value {
	if m.Method == protocol.MethodToolsCall {
		if v, _, ok := protocol.Lookup(m.Params, "/arguments"); ok {
			if _, _, meta := protocol.Lookup(m.Params, "/_meta"); !meta {
				return v
			}
		}
	}
	return m.Params
}

// answer writes the answer under its request.
func (x *Exporter) answer(asked Head) error {
	switch {
	case asked.Partner == 0:
		x.print("**No answer.**\n\n")
		return nil
	case x.Place(asked.Partner) == 0:
		x.print("The answer is event %d, which is not here.\n\n", asked.Partner)
		return nil
	}
	h := x.Log.Head(asked.Partner)
	e, err := x.Read(h.Seq)
	if err != nil {
		return err
	}
	m := protocol.Parse(e.Data)
	status := h.Status
	if m.Kind == protocol.Error {
		rpc, _ := protocol.DecodeError(m.Error)
		status = "error " + rpc.Code
	}
	x.print("**Answer** (event %d, after %s, %s)\n\n", h.Seq, shortDuration(h.Took), inlineCode(status))
	x.mark(h.Seq)
	switch m.Kind {
	case protocol.Result:
		x.fence("json", protocol.Indent(m.Result))
	case protocol.Error:
		x.fence("json", protocol.Indent(m.Error))
	default:
		x.fence("json", protocol.Indent(e.Data))
	}
	x.problems(m)
	return nil
}

func (x *Exporter) problems(m protocol.Message) {
	for _, p := range m.Problems {
		x.print("- %s %s", p.Severity, inlineCode(p.Rule))
		if p.Pointer != "" {
			x.print(" at %s", inlineCode(p.Pointer))
		}
		x.print(": %s\n", inlineCode(p.Text))
	}
	if len(m.Problems) > 0 {
		x.print("\n")
	}
}

func (x *Exporter) httpChapter(h Head, f *HTTPHead) {
	switch {
	case f.Method != "":
		x.headline(h, "HTTP "+f.Method+" "+f.URL)
	case f.Status != 0:
		x.headline(h, strings.TrimSpace(fmt.Sprintf("HTTP %d %s", f.Status, f.Reason)))
	case f.Error != "":
		x.headline(h, "HTTP failed: "+f.Error)
	default:
		x.headline(h, fmt.Sprintf("HTTP end, %d bytes", f.Bytes))
	}
	if len(f.Headers) > 0 {
		var b bytes.Buffer
		for _, header := range f.Headers {
			fmt.Fprintf(&b, "%s: %s\n", header.Name, header.Value)
		}
		x.fence("http", b.Bytes())
	}
	if f.Body != "" {
		x.fence("text", []byte(f.Body))
	}
}

// headline starts a chapter: number, time, direction and what it is.
func (x *Exporter) headline(h Head, what string) {
	arrow := "·"
	switch h.Dir {
	case Out:
		arrow = "→"
	case In:
		arrow = "←"
	}
	x.print("## %d %s %s %s\n\n", h.Seq, offset(h.Time), arrow, inlineCode(what))
	x.mark(h.Seq)
}

// mark writes what the person noted about an event.
func (x *Exporter) mark(seq uint64) {
	m, ok := x.Log.Mark(seq)
	if !ok {
		return
	}
	words := []string{"Marked"}
	if m.Pinned {
		words = []string{"Pinned"}
	}
	if m.Color != "" {
		words = append(words, m.Color)
	}
	x.print("**%s**", strings.Join(words, ", "))
	if m.Note != "" {
		x.print(": %s", inlineCode(x.Text(m.Note)))
	}
	x.print("\n\n")
}

func offset(d time.Duration) string {
	return "+" + strconv.FormatFloat(d.Seconds(), 'f', 3, 64) + " s"
}

func shortDuration(d time.Duration) string {
	switch {
	case d >= time.Second:
		return d.Round(10 * time.Millisecond).String()
	case d >= time.Millisecond:
		return d.Round(100 * time.Microsecond).String()
	}
	return d.String()
}

// fence writes a block that nothing in it can end, as its fence is longer than
// any in the block.
func (x *Exporter) fence(kind string, b []byte) {
	cut := len(b) - maxTranscriptBody
	if cut > 0 {
		end := maxTranscriptBody
		for end > 0 && !utf8.RuneStart(b[end]) {
			end--
		}
		cut = len(b) - end
		b = b[:end]
	}
	text := visible(strings.TrimRight(string(b), "\n"), kind == "json")
	ticks := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	x.print("%s%s\n%s\n%s\n\n", ticks, kind, text, ticks)
	if cut > 0 {
		x.print("%d bytes more are left out.\n\n", cut)
		x.Lose("byte of a long body", "bytes of long bodies", cut)
	}
}

// inlineCode writes text on one line so that Markdown takes nothing in it for
// its own.
func inlineCode(s string) string {
	const limit = 300
	s = visible(strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r == '\t' {
			return ' '
		}
		return r
	}, s), false)
	if utf8.RuneCountInString(s) > limit {
		s = string([]rune(s)[:limit]) + "…"
	}
	ticks := strings.Repeat("`", longestRun(s, '`')+1)
	if len(ticks) > 1 || strings.HasPrefix(s, " ") || s == "" {
		return ticks + " " + s + " " + ticks
	}
	return ticks + s + ticks
}

func longestRun(s string, c byte) (longest int) {
	run := 0
	for i := range len(s) {
		if s[i] != c {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return longest
}

// visible makes characters that steer a terminal, turn the direction of text
// or are not seen into marks, in JSON into escapes.
func visible(s string, escapes bool) string {
	hidden := func(r rune) bool {
		return r != '\n' && r != '\t' && (unicode.Is(unicode.Cc, r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r) || r == utf8.RuneError)
	}
	if strings.IndexFunc(s, hidden) < 0 {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case !hidden(r):
			b.WriteRune(r)
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			fmt.Fprintf(&b, "‹x%02X›", s[i])
		case escapes && r <= 0xFFFF:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, "‹U+%04X›", r)
		}
	}
	return b.String()
}
