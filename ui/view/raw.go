package view

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/ui/view/human"
)

// RawTemplate is a message to start from in the free editor.
type RawTemplate struct {
	Method       string
	params       string // JSON, "" for none
	notification bool
}

// rawParams are the params that a method needs, with something to fill in.
var rawParams = map[string]string{
	protocol.MethodToolsCall:            `{"name":"","arguments":{}}`,
	protocol.MethodResourcesRead:        `{"uri":""}`,
	protocol.MethodResourcesSubscribe:   `{"uri":""}`,
	protocol.MethodResourcesUnsubscribe: `{"uri":""}`,
	protocol.MethodPromptsGet:           `{"name":"","arguments":{}}`,
	protocol.MethodComplete:             `{"ref":{"type":"ref/prompt","name":""},"argument":{"name":"","value":""}}`,
	protocol.MethodSetLevel:             `{"level":"debug"}`,
	protocol.MethodInitialize:           `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"","version":""}}`,
	protocol.MethodSubscriptionsListen:  `{"notifications":{"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true}}`,
	protocol.MethodTasksGet:             `{"taskId":""}`,
	protocol.MethodTasksResult:          `{"taskId":""}`,
	protocol.MethodTasksCancel:          `{"taskId":""}`,
	protocol.MethodTasksUpdate:          `{"taskId":""}`,

	protocol.NotificationCancelled:   `{"requestId":0,"reason":""}`,
	protocol.NotificationProgress:    `{"progressToken":0,"progress":0}`,
	protocol.NotificationTasks:       `{"taskId":"","status":"working"}`,
	protocol.NotificationTasksStatus: `{"taskId":"","status":"working"}`,
}

// RawTemplates are the messages that the revision in use lets a client send,
// all of the newest handshake revision before one is agreed on.
func RawTemplates(st session.State) []RawTemplate {
	r := st.Revision
	if r == nil {
		r = protocol.NewestHandshake()
	}
	var all []RawTemplate
	add := func(methods []string, notification bool) {
		for _, m := range methods {
			if !slices.ContainsFunc(all, func(t RawTemplate) bool { return t.Method == m }) {
				all = append(all, RawTemplate{Method: m, params: rawParams[m], notification: notification})
			}
		}
	}
	add(r.Methods.ClientRequests, false)
	add(r.Extensions.ClientRequests, false)
	add(r.Methods.ClientNotifications, true)
	add(r.Extensions.ClientNotifications, true)
	return all
}

// Text is the message, with a fresh id when it is a request. sess may be nil.
func (t RawTemplate) Text(sess *session.Session) string {
	params := jsontext.Value(t.params)
	if t.params == "" {
		params = nil
	}
	switch {
	case t.notification:
		return string(protocol.NewNotification(t.Method, params))
	case sess == nil:
		return string(protocol.NewRequest(protocol.IntID(1), t.Method, params))
	}
	return string(sess.NewRequest(t.Method, params))
}

// RawCheck is what the parser says about a text in the free editor. It blocks
// nothing.
type RawCheck struct {
	Line     string // one line for people
	Tone     Tone
	Problems []protocol.Problem
	Paired   bool // an answer can be paired with it
}

const (
	// rawCheckBytes is up to which size a text is looked at in its parts.
	rawCheckBytes = 256 << 10
	// RawCheckNow is up to which size CheckRaw may be called for every key.
	RawCheckNow = 128 << 10
)

// CheckRaw says what a text would be as a message. lines says that a line break
// ends a message, as over stdio. Of a text beyond RawCheckNow it is called away
// from the drawing goroutine: a megabyte takes some 50 ms.
func CheckRaw(text string, lines bool) RawCheck {
	if strings.TrimSpace(text) == "" {
		return RawCheck{}
	}
	m := protocol.Parse([]byte(text))
	c := RawCheck{Tone: Good, Problems: m.Problems, Paired: m.Kind == protocol.Request && !m.ID.IsZero()}
	words := []string{m.Kind.String()}
	if len(text) > RawCheckNow {
		words = append(words, human.Bytes(int64(len(text))))
	}
	if m.Kind == protocol.Invalid {
		words[0] = "no valid message"
	}
	if m.Method != "" {
		words = append(words, m.Method)
	}
	if !m.ID.IsZero() {
		words = append(words, "id "+m.ID.String())
	}
	if m.Kind == protocol.Batch {
		words = append(words, human.Plural(len(m.Items), "member", "members"))
	}
	if n := strings.Count(strings.TrimRight(text, "\r\n"), "\n") + 1; lines && n > 1 {
		words = append(words, fmt.Sprintf("over stdio these are %d messages, one a line", n))
		c.Tone, c.Paired = Caution, false
	}
	if len(m.Problems) > 0 {
		p := m.Problems[0]
		words = append(words, strings.TrimSpace(p.Rule+": "+p.Text))
		if n := len(m.Problems); n > 1 {
			words = append(words, fmt.Sprintf("%d more", n-1))
		}
		c.Tone = Caution
		if worst, _ := protocol.Worst(m.Problems); worst == protocol.Violation {
			c.Tone = Bad
		}
	}
	c.Line = line(strings.Join(words, " · "), 600)
	return c
}

// OneLine takes the line breaks between tokens out of JSON; ok is false for
// what is not JSON.
func OneLine(text string) (string, bool) {
	if !protocol.Valid([]byte(text)) {
		return text, false
	}
	return string(protocol.Compact(jsontext.Value(text))), true
}

// RawSent is a text of the free editor that is remembered.
type RawSent struct {
	Text  string
	Label string // safe
	At    string // clock time
	Draft bool   // it was not sent
}

// RawHistory remembers texts of the free editor, the newest first, within
// bounds.
type RawHistory struct {
	entries []RawSent
	size    int
}

// The bounds of a RawHistory.
const (
	rawHistoryLen   = 100
	rawHistoryBytes = 8 << 20
)

// Add remembers a text. One that is there already moves to the front.
func (h *RawHistory) Add(text string, at time.Time, draft bool) {
	if strings.TrimSpace(text) == "" {
		return
	}
	if i := slices.IndexFunc(h.entries, func(e RawSent) bool { return e.Text == text }); i >= 0 {
		draft = draft && h.entries[i].Draft
		h.drop(i)
	}
	label := ""
	if len(text) <= rawCheckBytes {
		m := protocol.Parse([]byte(text))
		label = strings.TrimSpace(m.Method + " " + protocol.NameOf(m.Method, m.Params))
		if label == "" && m.Kind != protocol.Invalid {
			label = m.Kind.String()
		}
	}
	if label == "" {
		label = text[:min(len(text), 300)]
	}
	h.entries = slices.Insert(h.entries, 0, RawSent{Text: text, Label: line(label, 60), At: human.Clock(at), Draft: draft})
	h.size += len(text)
	for len(h.entries) > 1 && (len(h.entries) > rawHistoryLen || h.size > rawHistoryBytes) {
		h.drop(len(h.entries) - 1)
	}
}

func (h *RawHistory) drop(i int) {
	h.size -= len(h.entries[i].Text)
	h.entries = slices.Delete(h.entries, i, i+1)
}

// Len is the number of texts.
func (h *RawHistory) Len() int { return len(h.entries) }

// At is the i-th newest.
func (h *RawHistory) At(i int) RawSent { return h.entries[i] }

// Write sends text exactly as it is and pairs nothing with it. done gets the
// error, from another goroutine.
func (c *Conn) Write(text string, done func(err error)) {
	sess, err := c.live()
	if err != nil {
		done(err)
		return
	}
	c.Go(func(ctx context.Context) { done(sess.Write(ctx, []byte(text))) })
}

// WithNewID gives a request an id that the session has not used; ok is false
// for what has no id.
func WithNewID(sess *session.Session, text string) (string, bool) {
	m := protocol.Parse([]byte(text))
	if sess == nil || m.ID.IsZero() {
		return text, false
	}
	fresh := protocol.Parse(sess.NewRequest(m.Method, nil)).ID
	raw, err := protocol.SetID([]byte(text), fresh)
	if err != nil {
		return text, false
	}
	return string(raw), true
}
