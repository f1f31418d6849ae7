package recorder

import (
	"fmt"
	"strings"

	"mcploupe/protocol"
)

// filterKey is one key of the filter language.
type filterKey struct {
	name     string
	hint     string
	need     headStrings
	exchange bool     // needs the exchanges
	words    []string // the values it takes, if they are few
	compile  func(t *term, tok *token) error
}

// filterKeys are all keys, in the order in which they are offered.
var filterKeys []filterKey

func init() {
	const called = needMethod | needName
	filterKeys = []filterKey{
		{name: "method", hint: "method of a message", need: needMethod, compile: column(func(h *Head) string { return h.Method })},
		{name: "kind", hint: "what kind of event", words: kindWords, compile: oneOf(kindWords, isKind)},
		{name: "status", hint: "how it ended: ok, error, pending, a code", need: needStatus, words: []string{"ok", "error", wordPending, "tool error", "2xx", "4xx", "5xx"}, compile: compileStatus},
		{name: "state", hint: "how the exchange that it belongs to stands", exchange: true, words: stateWords, compile: compileState},
		{name: "dir", hint: "out to the server, in from it", words: []string{"in", "out"}, compile: oneOf([]string{"in", "out"}, func(_ *Log, h *Head, w string) bool { return h.Dir.String() == w })},
		{name: "tool", hint: "calls of a tool", need: called, compile: nameOf("tools/call")},
		{name: "prompt", hint: "requests for a prompt", need: called, compile: nameOf("prompts/get")},
		{name: "uri", hint: "what is about a resource", need: called, compile: nameOf("resources/", "notifications/resources/")},
		{name: "name", hint: "tool, prompt, URI, task or HTTP URL", need: needName, compile: column(func(h *Head) string { return h.Name })},
		{name: "id", hint: "id of a request and its answer", need: needMade, compile: compileID(func(h *Head) string { return h.ID })},
		{name: "ref", hint: "progress token, cancelled request, subscription", need: needMade, compile: compileID(func(h *Head) string { return h.Ref })},
		{name: "is", hint: "what was noticed about it", need: needStatus, words: isWords, compile: oneOf(isWords, isNoticed)},
		{name: "color", hint: "colour of its mark", words: MarkColors, compile: oneOf(MarkColors, func(l *Log, h *Head, w string) bool { m, _ := l.Mark(h.Seq); return m.Color == w })},
		{name: "note", hint: "text in the note of its mark", compile: compileNote},
		{name: "has", hint: "what it has; any member name", need: needAll, words: hasWords, compile: compileHas},
		{name: "rule", hint: "broken rule, like HTTP-*", compile: compileRule},
		{name: "dur", hint: "time from request to answer: dur>200ms", compile: number(parseDuration, func(h *Head) int64 { return int64(h.Took) }, func(h *Head) bool { return h.Partner != 0 })},
		{name: "size", hint: "bytes: size>1MB", compile: number(parseSize, func(h *Head) int64 { return int64(h.Size) }, nil)},
		{name: "after", hint: "from this time on: after:2s", compile: sinceStart(">=")},
		{name: "before", hint: "up to this time: before:2m", compile: sinceStart("<")},
		{name: "time", hint: "since the start: time>1.5s", compile: number(parseDuration, func(h *Head) int64 { return int64(h.Time) }, nil)},
		{name: "seq", hint: "number: seq:10..20", compile: number(parseCount, func(h *Head) int64 { return int64(h.Seq) }, nil)},
		{name: "waited", hint: "time that a person was waited for: waited>1s", exchange: true, compile: ofExchange(parseDuration, func(e *exchangeEntry) int64 { return e.waited })},
		{name: "rounds", hint: "times that an answer asked for input: rounds>0", exchange: true, compile: ofExchange(parseCount, func(e *exchangeEntry) int64 { return int64(e.rounds) })},
		{name: "of", hint: "the exchange of the event with this number", exchange: true, compile: compileOf},
		{name: "channel", hint: "stream or exchange, like post-*", need: needMade, compile: column(func(h *Head) string { return h.Channel })},
		{name: "ch", hint: "the same as channel", need: needMade, compile: column(func(h *Head) string { return h.Channel })},
		{name: "text", hint: "anywhere in what was recorded", compile: compileText},
	}
}

func filterKeyOf(name string) *filterKey {
	for i := range filterKeys {
		if filterKeys[i].name == name {
			return &filterKeys[i]
		}
	}
	return nil
}

// compile gives a term its meaning.
func (t *term) compile(tok *token) error {
	if tok.key == "" {
		return compileText(t, tok)
	}
	return filterKeyOf(tok.key).compile(t, tok)
}

// onlyColon refuses the operators of numbers.
func onlyColon(tok *token) error {
	if tok.op != ":" && tok.op != "" {
		return &FilterError{tok.offset + len(tok.key), fmt.Sprintf("%s takes %s:value", tok.key, tok.key)}
	}
	return nil
}

// column matches a string of the head.
func column(get func(*Head) string) func(*term, *token) error {
	return func(t *term, tok *token) error {
		t.head = func(l *Log, h *Head) bool { return matchesAny(tok.values, get(h)) }
		return onlyColon(tok)
	}
}

func matchesAny(values []value, s string) bool {
	for _, v := range values {
		if v.matches(s) {
			return true
		}
	}
	return false
}

// oneOf matches words of a fixed set.
func oneOf(words []string, is func(l *Log, h *Head, word string) bool) func(*term, *token) error {
	return func(t *term, tok *token) error {
		var wanted []string
		for _, v := range tok.values {
			found := false
			for _, w := range words {
				if v.matches(w) {
					wanted, found = append(wanted, w), true
				}
			}
			if !found {
				return &FilterError{v.offset, fmt.Sprintf("%s is one of %s", tok.key, strings.Join(words, ", "))}
			}
		}
		t.head = func(l *Log, h *Head) bool {
			for _, w := range wanted {
				if is(l, h, w) {
					return true
				}
			}
			return false
		}
		return onlyColon(tok)
	}
}

var kindWords = []string{"request", "notification", "response", "result", "error", "batch", "invalid", "message", "bad", "stderr", "http", "sse", "state", "note"}

func isKind(_ *Log, h *Head, word string) bool {
	switch word {
	case "message":
		return h.Kind == KindMessage
	case "response":
		return h.Kind == KindMessage && (h.Message == protocol.Result || h.Message == protocol.Error)
	case "bad", "stderr", "http", "sse", "state", "note":
		return h.Kind.String() == word
	}
	return h.Kind == KindMessage && h.Message.String() == word
}

var isWords = []string{"bad", "problem", wordPending, "answered", "unmatched", "error", "marked", "pinned"}

func isNoticed(l *Log, h *Head, word string) bool {
	message := h.Kind == KindMessage
	switch word {
	case "bad":
		return h.Kind == KindBad || h.Kind == 0 || message && h.Message == protocol.Invalid
	case "problem":
		return h.Problems
	case wordPending:
		return isPending(l, h)
	case "marked", "pinned":
		m, ok := l.Mark(h.Seq)
		return ok && (m.Pinned || word == "marked")
	case "answered":
		return message && h.Message == protocol.Request && h.Partner != 0
	case "unmatched":
		return message && (h.Message == protocol.Result || h.Message == protocol.Error) && h.Partner == 0
	}
	return isError(h)
}

// wordPending is what a term asks for that looks at exchanges.
const wordPending = "pending"

// isPending reports whether a request still waits for its answer: its exchange,
// once that is known, has not ended without one.
func isPending(l *Log, h *Head) bool {
	if h.Kind != KindMessage || h.Message != protocol.Request || h.Partner != 0 {
		return false
	}
	ex, ok := l.Exchanges().entryOf(h.Seq)
	return !ok || ex.state == ExchangePending
}

// isError reports whether an event is or got an error.
func isError(h *Head) bool {
	switch h.Kind {
	case KindMessage:
		return h.Message == protocol.Error || h.Status == statusToolError || h.Status == "error" || isCode(h.Status)
	case KindHTTP:
		return h.Status == "failed" || len(h.Status) == 3 && h.Status[0] >= '4' && h.Status[0] <= '9'
	case KindState:
		return h.Status == "failed" || h.Status == "timeout"
	}
	return false
}

func isCode(s string) bool { return s != "" && (s[0] == '-' || s[0]-'0' < 10) }

func compileStatus(t *term, tok *token) error {
	t.head = func(l *Log, h *Head) bool {
		for _, v := range tok.values {
			if hasStatus(l, h, v) {
				return true
			}
		}
		return false
	}
	return onlyColon(tok)
}

func hasStatus(l *Log, h *Head, v value) bool {
	switch word := strings.ToLower(v.text()); {
	case word == "ok":
		return h.Status == statusOK || h.Kind == KindHTTP && len(h.Status) == 3 && h.Status[0] == '2'
	case word == "error":
		return isError(h)
	case word == wordPending:
		return isPending(l, h)
	case len(word) == 3 && word[0]-'0' < 10 && word[1:] == "xx":
		return h.Kind == KindHTTP && len(h.Status) == 3 && h.Status[0] == word[0]
	}
	return v.matches(h.Status)
}

// nameOf matches the name of messages whose method has one of the prefixes.
func nameOf(methods ...string) func(*term, *token) error {
	return func(t *term, tok *token) error {
		t.head = func(l *Log, h *Head) bool {
			for _, m := range methods {
				if h.Kind == KindMessage && strings.HasPrefix(h.Method, m) {
					return matchesAny(tok.values, h.Name)
				}
			}
			return false
		}
		return onlyColon(tok)
	}
}

// compileID matches an id whether it is a number or a string.
func compileID(get func(*Head) string) func(*term, *token) error {
	return func(t *term, tok *token) error {
		t.head = func(l *Log, h *Head) bool {
			id := get(h)
			return id != "" && (matchesAny(tok.values, id) || id[0] == '"' && matchesAny(tok.values, string(stringBytes([]byte(id)))))
		}
		return onlyColon(tok)
	}
}

// number matches a number of the head, for heads that have one.
func number(parse func(string) (int64, error), get func(*Head) int64, has func(*Head) bool) func(*term, *token) error {
	return func(t *term, tok *token) error {
		in, err := parseBounds(tok, parse)
		t.head = func(l *Log, h *Head) bool { return (has == nil || has(h)) && in(get(h)) }
		return err
	}
}

func sinceStart(op string) func(*term, *token) error {
	return func(t *term, tok *token) error {
		if err := onlyColon(tok); err != nil {
			return err
		}
		tok.op = op
		return filterKeyOf("time").compile(t, tok)
	}
}

var hasWords = []string{"progress", "answer", "problem", "name", "data", "id"}

func compileHas(t *term, tok *token) error {
	if err := onlyColon(tok); err != nil {
		return err
	}
	var words []string
	for _, v := range tok.values {
		word := v.text()
		known := false
		for _, w := range hasWords {
			known = known || w == word
		}
		if !known {
			words = nil
			break
		}
		words = append(words, word)
	}
	if words == nil {
		return compileMember(t, tok)
	}
	t.head = func(l *Log, h *Head) bool {
		for _, w := range words {
			if hasThat(h, w) {
				return true
			}
		}
		return false
	}
	return nil
}
