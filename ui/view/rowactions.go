package view

import (
	"slices"
	"strconv"
	"strings"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/session"
)

// RowActionID names an action on an event of the timeline.
type RowActionID uint8

// The actions.
const (
	RowPartner RowActionID = iota + 1
	RowSend
	RowEdit
	RowCopyJSON
	RowCopyCurl
	RowCopyVerb
	RowCopyTest
	RowExport
	RowOnlyMethod
	RowOnlyName
	RowOnlyID
	RowOnlyExchange
	RowOnlyChannel
	RowWithoutMethod
)

// RowGroup is the part of a menu that an action stands in.
type RowGroup string

// The groups; those with a word are menus of their own.
const (
	RowGroupGo     RowGroup = ""
	RowGroupSend   RowGroup = " "
	RowGroupCopy   RowGroup = "Copy as"
	RowGroupFilter RowGroup = "Filter"
)

// RowSubject is what the actions act on.
type RowSubject struct {
	Log      *recorder.Log
	Head     recorder.Head // of the event; zero when none is selected
	Selected int           // events that are selected
	Live     bool          // the connection of the recording can send
	Others   int           // other connections that can send
	Target   session.Target
}

// NewRowSubject is the subject for an event, 0 for none.
func NewRowSubject(log *recorder.Log, seq uint64) RowSubject {
	s := RowSubject{Log: log}
	if log != nil && seq != 0 && seq <= log.Len() {
		s.Head, s.Selected = log.Head(seq), 1
	}
	return s
}

// RowAction is an action with the rule for when it is possible.
type RowAction struct {
	ID    RowActionID
	Group RowGroup
	Key   string // that does the same, "" for none

	label func(s *RowSubject) string
	why   func(s *RowSubject) string // why it is not possible, "" when it is
}

// Label is the action's name for a subject.
func (a RowAction) Label(s RowSubject) string { return a.label(&s) }

// Why says why the action is not possible, "" when it is.
func (a RowAction) Why(s RowSubject) string {
	if s.Head.Seq == 0 {
		return "no event is selected"
	}
	return a.why(&s)
}

// RowActions are all actions, in the order of the menus.
func RowActions() []RowAction {
	return []RowAction{
		{RowPartner, RowGroupGo, "Enter", partnerLabel, whyNoPartner},
		{RowSend, RowGroupSend, "Ctrl+Shift+Enter", sendLabel, whyNotSent},
		{RowEdit, RowGroupSend, "Ctrl+Shift+M", func(s *RowSubject) string { return sendWord(s, "Edit and send", "Edit for") }, whyNotEdited},
		{RowCopyJSON, RowGroupCopy, "Ctrl+C", fixed("JSON, exactly as it was"), whyNoData},
		{RowCopyCurl, RowGroupCopy, "", fixed("curl command"), whyNoCurl},
		{RowCopyVerb, RowGroupCopy, "", fixed("mcploupe command"), whyNoVerb},
		{RowCopyTest, RowGroupCopy, "", fixed("Go test"), whyNoTest},
		{RowExport, RowGroupSend, "Ctrl+Shift+X", exportLabel, func(*RowSubject) string { return "" }},
		{RowOnlyMethod, RowGroupFilter, "", only("Only ", "Only this method", func(s *RowSubject) string { return s.Head.Method }), whyNoMethod},
		{RowOnlyName, RowGroupFilter, "", only("Only ", "Only this tool, prompt or resource", nameWord), has("it has no name", func(s *RowSubject) string { return s.Head.Name })},
		{RowOnlyID, RowGroupFilter, "", only("Only id ", "Only this id", func(s *RowSubject) string { return s.Head.ID }), has("it has no id", func(s *RowSubject) string { return s.Head.ID })},
		{RowOnlyExchange, RowGroupFilter, "", fixed("Only this exchange"), whyNoExchange},
		{RowOnlyChannel, RowGroupFilter, "", only("Only channel ", "Only this channel", func(s *RowSubject) string { return s.Head.Channel }), has("it has no channel", func(s *RowSubject) string { return s.Head.Channel })},
		{RowWithoutMethod, RowGroupFilter, "", only("Without ", "Without this method", func(s *RowSubject) string { return s.Head.Method }), whyNoMethod},
	}
}

// RowActionOf is one action.
func RowActionOf(id RowActionID) RowAction {
	all := RowActions()
	return all[slices.IndexFunc(all, func(a RowAction) bool { return a.ID == id })]
}

func fixed(text string) func(*RowSubject) string { return func(*RowSubject) string { return text } }

// only is a label with what is selected, or a general one.
func only(prefix, general string, of func(*RowSubject) string) func(*RowSubject) string {
	return func(s *RowSubject) string {
		if word := of(s); word != "" {
			return prefix + line(word, 40)
		}
		return general
	}
}

func has(why string, of func(*RowSubject) string) func(*RowSubject) string {
	return func(s *RowSubject) string {
		if of(s) == "" {
			return why
		}
		return ""
	}
}

func nameWord(s *RowSubject) string {
	switch {
	case s.Head.Name == "":
		return ""
	case s.Head.Method == protocol.MethodToolsCall:
		return "tool " + s.Head.Name
	case s.Head.Method == protocol.MethodPromptsGet:
		return "prompt " + s.Head.Name
	}
	return s.Head.Name
}

func partnerLabel(s *RowSubject) string {
	if s.Head.Message == protocol.Result || s.Head.Message == protocol.Error {
		return "Go to request"
	}
	return "Go to answer"
}

func whyNoPartner(s *RowSubject) string {
	switch h := &s.Head; {
	case h.Partner != 0:
		return ""
	case h.Kind != recorder.KindMessage || h.Message == protocol.Notification:
		return "it is neither a request nor an answer"
	case h.Message == protocol.Request:
		return "no answer has come"
	}
	return "no request is known for it"
}

// sendWord is the verb for a connection of its own, or for others.
func sendWord(s *RowSubject, own, other string) string {
	if s.Live || s.Others == 0 {
		return own
	}
	return other
}

func sendLabel(s *RowSubject) string {
	if s.Head.Message == protocol.Request && s.Head.ID != "" {
		return sendWord(s, "Send again, with a new id", "Send with a new id to")
	}
	return sendWord(s, "Send again", "Send to")
}

// whyNotSent is the rule for sending the exact bytes of an event once more.
func whyNotSent(s *RowSubject) string {
	switch {
	case !Resendable(s.Head):
		return "it is no message to the server"
	case !s.Live && s.Others == 0:
		return "nothing is connected that it could go to"
	}
	return ""
}

func whyNotEdited(s *RowSubject) string {
	switch {
	case s.Head.Kind != recorder.KindMessage && s.Head.Kind != recorder.KindBad:
		return "it is no message"
	case !s.Live && s.Others == 0:
		return "nothing is connected that it could go to"
	}
	return ""
}

func whyNoData(s *RowSubject) string {
	if s.Head.Size == 0 && s.Head.Kind != recorder.KindHTTP && s.Head.Kind != recorder.KindState && s.Head.Kind != recorder.KindSSE {
		return "it has no bytes"
	}
	return ""
}

// asked is the request that an event is about: itself or what it answers. Only
// those to the server count.
func (s *RowSubject) asked() (recorder.Head, bool) {
	h := s.Head
	if h.Message == protocol.Result || h.Message == protocol.Error {
		if h.Partner == 0 {
			return h, false
		}
		h = s.Log.Head(h.Partner)
	}
	return h, h.Kind == recorder.KindMessage && h.Message == protocol.Request && h.Dir == recorder.Out
}

func whyNoRequest(s *RowSubject) string {
	if _, ok := s.asked(); !ok {
		return "it belongs to no request to the server"
	}
	return ""
}

func whyNoCurl(s *RowSubject) string {
	if why := whyNoRequest(s); why != "" {
		return why
	}
	if s.Log.Header().Target.Transport != string(session.HTTP) {
		return "only Streamable HTTP can be spoken with curl"
	}
	return ""
}

func whyNoVerb(s *RowSubject) string {
	if why := whyNoRequest(s); why != "" {
		return why
	}
	if s.Target.Command == "" && s.Target.URL == "" {
		return "the recording does not say which server it was"
	}
	return ""
}

func whyNoTest(s *RowSubject) string {
	if why := whyNoVerb(s); why != "" {
		return why
	}
	if s.Log.Header().Target.Transport == string(session.SSE) {
		return "the older HTTP with SSE answers on another stream"
	}
	return ""
}

func exportLabel(s *RowSubject) string {
	if s.Selected > 1 {
		return "Export the " + strconv.Itoa(s.Selected) + " selected events …"
	}
	return "Export this event …"
}

func whyNoMethod(s *RowSubject) string {
	if s.Head.Method == "" {
		return "it has no method"
	}
	return ""
}

func whyNoExchange(s *RowSubject) string {
	if s.Head.Kind != recorder.KindMessage && s.Head.Kind != recorder.KindHTTP && s.Head.Kind != recorder.KindSSE {
		return "it belongs to no exchange"
	}
	return ""
}

// RowFilter is the filter of one of the filter actions: what it asks for is
// added to text, in place of what text asks for of the same key.
func RowFilter(id RowActionID, s RowSubject, text string) string {
	h := s.Head
	switch id {
	case RowOnlyMethod:
		return withTerm(text, "method", h.Method, false)
	case RowWithoutMethod:
		return withTerm(text, "method", h.Method, true)
	case RowOnlyName:
		switch h.Method {
		case protocol.MethodToolsCall:
			return withTerm(text, "tool", h.Name, false)
		case protocol.MethodPromptsGet:
			return withTerm(text, "prompt", h.Name, false)
		}
		return withTerm(text, "name", h.Name, false)
	case RowOnlyID:
		id := h.ID
		if plain, ok := protocol.StringValue([]byte(id)); ok {
			id = plain
		}
		return withTerm(text, "id", id, false)
	case RowOnlyExchange:
		return "of:" + strconv.FormatUint(h.Seq, 10)
	case RowOnlyChannel:
		return withTerm(text, "channel", h.Channel, false)
	}
	return text
}

// withTerm puts key:value into a filter, in place of the terms of that key. One
// that excludes leaves those that exclude.
func withTerm(text, key, value string, exclude bool) string {
	for _, t := range slices.Backward(recorder.FilterTerms(text)) {
		if t.Key == key && (!t.Negate || !exclude) {
			text = joinTerms(text[:t.Start], text[t.End:])
		}
	}
	term := key + ":" + recorder.FilterValue(value)
	if exclude {
		term = "-" + term
	}
	if strings.Contains(" "+text+" ", " "+term+" ") {
		return text
	}
	return joinTerms(text, term)
}
