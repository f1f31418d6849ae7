package doctor

import (
	"fmt"
	"net/http"
	"strings"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/session/link"
)

// hop is one HTTP answer as it was recorded, or an exchange that had none.
type hop struct {
	channel string
	method  string // HTTP method
	rpc     string // MCP method of what was sent, "" for none
	status  int    // 0 when no answer came
	reason  string
	fields  []recorder.HeaderField
	content string // of a body that carried no message
	fault   string // transport failure
	message bool   // the answer carried one
	request bool   // what was sent wants an answer
}

// maxHops bounds what is read of the log; a negotiation has a dozen.
const maxHops = 200

// hopsOf reads the exchanges of a log in the order of their answers.
func hopsOf(log *recorder.Log) []hop {
	var all []hop
	open := map[string]hop{} // what was sent and is not answered, by channel
	last := map[string]int{} // the newest answer of a channel
	for seq := uint64(1); seq <= log.Len() && len(all) < maxHops; seq++ {
		head := log.Head(seq)
		switch {
		case head.Kind == recorder.KindMessage && head.Dir == recorder.Out:
			h := open[head.Channel]
			h.rpc, h.request = head.Method, head.Message == protocol.Request
			open[head.Channel] = h
		case head.Kind == recorder.KindMessage:
			if i, has := last[head.Channel]; has {
				all[i].message = true
			}
		case head.Kind == recorder.KindHTTP:
			e, err := log.Read(seq, 0)
			fields, ok := e.Fields.(*recorder.HTTPHead)
			if err != nil || !ok {
				continue
			}
			h := open[head.Channel]
			h.channel = head.Channel
			switch {
			case head.Dir == recorder.Out:
				h.method = fields.Method
				open[head.Channel] = h
			case fields.Status != 0:
				h.status, h.reason, h.fields = fields.Status, fields.Reason, fields.Headers
				last[head.Channel] = len(all)
				all = append(all, h)
			case fields.Done:
				if i, has := last[head.Channel]; has {
					all[i].content, all[i].fault = fields.Body, fields.Error
				} else if fields.Error != "" {
					h.fault = fields.Error
					all = append(all, h)
				}
			}
		}
	}
	return all
}

func (h *hop) headers(name string) []string {
	var out []string
	for _, f := range h.fields {
		if strings.EqualFold(f.Name, name) {
			out = append(out, f.Value)
		}
	}
	return out
}

func (h *hop) header(name string) string {
	if all := h.headers(name); len(all) > 0 {
		return all[0]
	}
	return ""
}

// text is the status line.
func (h *hop) text() string {
	reason := h.reason
	if reason == "" {
		reason = http.StatusText(h.status)
	}
	return strings.TrimSpace(fmt.Sprintf("HTTP %d %s", h.status, reason))
}

// what names what was asked.
func (h *hop) what() string {
	if h.rpc != "" {
		return h.rpc
	}
	return h.method
}

// isRPC reports whether the answer carried a message, whatever its status.
func (h *hop) isRPC() bool { return h.message }

// body is the beginning of a body that carried no message, in lines.
func (h *hop) body() []string { return firstLines(h.content, 6) }

// lastGood is the newest successful answer to a request, and the newest refusal
// before it.
func lastGood(hops []hop) (good, before *hop) {
	for i := range hops {
		h := &hops[i]
		switch {
		case h.status/100 == 2 && (h.request || h.method == http.MethodGet):
			if good == nil || h.request {
				good = h
			}
		case h.status >= 400 && h.request:
			before = h
		}
	}
	return good, before
}

// decisive is the answer at which a session failed: the first that tells nothing
// of the era, else the newest.
func decisive(hops []hop) *hop {
	var newest *hop
	for i := range hops {
		h := &hops[i]
		switch {
		case h.status == 0:
		case h.status == 401 || h.status == 403 || h.status == 407 || h.status == 429 || h.status >= 500:
			return h
		case h.request || newest == nil:
			newest = h
		}
	}
	return newest
}

// lastError is the newest failure of an exchange that had no answer. That the
// check itself ended one, or its connection, says nothing of the server.
func lastError(hops []hop) string {
	text := ""
	for _, h := range hops {
		if h.status == 0 && h.fault != "" && !strings.HasPrefix(h.fault, link.ErrCancelled.Error()) && !strings.HasPrefix(h.fault, link.ErrClosed.Error()) {
			text = h.fault
		}
	}
	return text
}

// maxLine bounds a line of foreign text in the table, in bytes.
const maxLine = 300

// firstLines are the first lines of a text that are not blank.
func firstLines(text string, most int) []string {
	var out []string
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\r\n"); strings.TrimSpace(line) == "" {
			continue
		}
		if len(out) == most {
			return append(out, "…")
		}
		out = append(out, cutLine(line))
	}
	return out
}

// lastLines are the last lines of a text that are not blank.
func lastLines(text string, most int) []string {
	var all []string
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, "\r\n"); strings.TrimSpace(line) != "" {
			all = append(all, line)
		}
	}
	var out []string
	if len(all) > most {
		all = all[len(all)-most:]
		out = append(out, "…")
	}
	for _, line := range all {
		out = append(out, cutLine(line))
	}
	return out
}

func cutLine(s string) string {
	if len(s) <= maxLine {
		return s
	}
	return strings.ToValidUTF8(s[:maxLine], "") + " …"
}
