package view

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/ui/view/human"
)

// messageRow fills the columns of a JSON-RPC message.
func messageRow(log *recorder.Log, h recorder.Head, r *Row) {
	method := line(h.Method, whatRunes)
	switch h.Message {
	case protocol.Request:
		r.What = method
		if h.Partner != 0 {
			r.Status, r.Tone = answered(h.Status)
			r.Took = human.Duration(h.Took)
		} else {
			r.Status, r.Tone = unanswered(log, h.Seq)
		}
	case protocol.Notification:
		r.What = method
		if gist := notificationGist(log, h); gist != "" {
			r.Name = gist
		}
	case protocol.Result, protocol.Error:
		r.What = "result"
		if h.Message == protocol.Error {
			r.What = "error"
		}
		if method != "" {
			r.What += " · " + method
		}
		if h.Message == protocol.Error {
			r.Name = line(strings.TrimSpace(h.Name+"  "+errorGist(log, h)), nameRunes)
		}
		r.Status, r.Tone = answered(h.Status)
		if h.Partner == 0 {
			r.Status, r.Tone = "no request", Caution
		} else {
			r.Took = human.Duration(h.Took)
		}
	case protocol.Batch:
		r.What = "batch"
	default:
		r.What, r.Status, r.Tone = "invalid message", "bad", Bad
		if method != "" {
			r.What += " · " + method
		}
	}
}

// unanswered is the word for a request without an answer: as its exchange
// stands, as far as that is known. A request within an exchange that has ended
// gets none any more.
func unanswered(log *recorder.Log, seq uint64) (string, Tone) {
	of := log.Exchanges()
	i, ok := of.Of(seq)
	if !ok {
		return recorder.ExchangePending.String(), Plain
	}
	e := of.At(i)
	switch {
	case e.State == recorder.ExchangePending:
		return e.State.String(), Plain
	case e.Request != seq:
		return "no answer", Muted
	}
	_, word, tone := exchangeState(e)
	return word, tone
}

// gistBytes is up to which size a message is read for its row.
const gistBytes = 4 << 10

func smallMessage(log *recorder.Log, h recorder.Head) (protocol.Message, bool) {
	if h.Size > gistBytes {
		return protocol.Message{}, false
	}
	e, err := log.Read(h.Seq, gistBytes)
	if err != nil {
		return protocol.Message{}, false
	}
	return protocol.Parse(e.Data), true
}

// notificationGist is what a log entry or a progress notification says, ""
// for others and for big ones.
func notificationGist(log *recorder.Log, h recorder.Head) string {
	if h.Method != protocol.NotificationMessage && h.Method != protocol.NotificationProgress {
		return ""
	}
	m, ok := smallMessage(log, h)
	if !ok {
		return ""
	}
	var parts []string
	add := func(s string) {
		if s != "" {
			parts = append(parts, s)
		}
	}
	if h.Method == protocol.NotificationMessage {
		entry := protocol.DecodeLog(m.Params)
		add(entry.Level)
		add(entry.Logger)
		text, isText := protocol.StringValue(entry.Data)
		if !isText {
			text = string(entry.Data)
		}
		add(text)
	} else {
		progress := protocol.DecodeProgress(m.Params)
		add(progress.Progress)
		if progress.Total != "" {
			add("of " + progress.Total)
		}
		add(progress.Message)
	}
	return line(strings.Join(parts, " "), nameRunes)
}

// errorGist is the message of an error answer.
func errorGist(log *recorder.Log, h recorder.Head) string {
	m, ok := smallMessage(log, h)
	if !ok {
		return ""
	}
	e, _ := protocol.DecodeError(m.Error)
	return e.Message
}

// answered is the word for how a request was answered, from Head.Status.
func answered(status string) (string, Tone) {
	switch status {
	case "", "ok":
		return "ok", Good
	case "tool error", "error": // the latter is one without a code
		return status, Bad
	case "input_required":
		return "asks", Caution
	}
	if strings.Trim(status, "-0123456789") == "" {
		return status, Bad // an error code
	}
	return line(status, 24), Muted // a result type that this program does not know
}

// httpRow fills the columns of a request head, a response head or the end of
// an exchange.
func httpRow(log *recorder.Log, h recorder.Head, r *Row) {
	r.What, r.Status, r.Tone, r.Size = "http", line(h.Status, 24), Muted, ""
	e, err := log.Read(h.Seq, previewBytes)
	head, ok := e.Fields.(*recorder.HTTPHead)
	if err != nil || !ok {
		return
	}
	switch {
	case head.Method != "":
		r.What = "http " + line(head.Method, 16)
		r.Name = line(pathOf(head.URL), nameRunes)
		r.Status = ""
	case head.Error != "":
		r.What, r.Status, r.Tone = "http failed", "failed", Bad
		r.Name = line(head.Error, nameRunes)
	case head.Status != 0:
		r.What = "http " + strconv.Itoa(head.Status)
		r.Name = line(head.Reason, nameRunes)
		r.Status = ""
		if head.Status >= 400 {
			r.Status, r.Tone = "refused", Caution
		}
	case head.Done:
		r.What, r.Status = "http end", ""
	}
	if head.Done && head.Bytes > 0 {
		r.Size = human.Bytes(head.Bytes)
	}
}

func pathOf(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return address
	}
	if u.RawQuery != "" {
		return u.Path + "?" + u.RawQuery
	}
	return u.Path
}

func sseText(log *recorder.Log, seq uint64) string {
	e, err := log.Read(seq, previewBytes)
	f, ok := e.Fields.(*recorder.SSEFields)
	if err != nil || !ok {
		return ""
	}
	var parts []string
	add := func(name, value string) {
		if value != "" {
			parts = append(parts, name+" "+value)
		}
	}
	add("event", f.Event)
	if f.HasID {
		parts = append(parts, "id "+f.ID)
	}
	add("retry", f.RetryMS)
	add("comment", f.Comment)
	return line(strings.Join(parts, "  "), nameRunes)
}

func stateRow(log *recorder.Log, h recorder.Head, r *Row) {
	r.What, r.Tone, r.Size, r.Arrow = line(h.Status, whatRunes), Muted, "", "·"
	e, err := log.Read(h.Seq, previewBytes)
	s, ok := e.Fields.(*recorder.StateChange)
	if err != nil || !ok {
		return
	}
	r.What = line(s.State, whatRunes)
	r.Name = line(stateText(s), nameRunes)
	switch s.State {
	case "failed", "timeout":
		r.Tone = Bad
	case "exited":
		r.Tone = Caution
	}
}

// stateText is the detail of a connection change, exit code and signal
// included.
func stateText(s *recorder.StateChange) string {
	var parts []string
	if s.PID != 0 {
		parts = append(parts, fmt.Sprintf("process %d", s.PID))
	}
	if s.ExitCode != nil && s.Signal == "" {
		parts = append(parts, fmt.Sprintf("exit code %d", *s.ExitCode))
	}
	if s.Signal != "" {
		parts = append(parts, "signal "+s.Signal)
	}
	if s.Detail != "" {
		parts = append(parts, s.Detail)
	}
	return strings.Join(parts, ", ")
}

// ShortMethod is a method for a menu.
func ShortMethod(method string) string { return line(method, 40) }

// Resendable reports whether an event is a message of ours that could be sent
// again.
func Resendable(h recorder.Head) bool {
	return h.Dir == recorder.Out && (h.Kind == recorder.KindMessage || h.Kind == recorder.KindBad)
}
