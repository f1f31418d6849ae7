package view

import (
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/session"
)

// Secret stands for each credential in what is copied for others.
const Secret = "<secret>"

// sessionPlace stands for the session's id in what is copied.
const sessionPlace = "<session id>"

// ShellQuote writes a word so that a POSIX shell reads it back unchanged. Line
// breaks stay line breaks.
func ShellQuote(word string) string {
	plain := func(r rune) bool {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || strings.ContainsRune("_-./:=@%+,", r)
	}
	if word != "" && strings.IndexFunc(word, func(r rune) bool { return !plain(r) }) < 0 {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// ArgumentsOf are the arguments in the params of a request, "" when there are
// none.
func ArgumentsOf(params jsontext.Value) string {
	v, _, ok := protocol.Lookup(params, "/arguments")
	if !ok {
		return ""
	}
	return string(v)
}

// Arguments are the arguments of the request as they were typed, drafts
// included; "" when there are none.
func (r Request) Arguments() string {
	if r.Draft != "" {
		return strings.Replace(ArgumentsOf(r.Params), Hole, r.Draft, 1)
	}
	return ArgumentsOf(r.Params)
}

// CommandCall is the command line that makes the request of a tool's call
// without the window, Secret standing for all credentials. ok is false for
// requests that the verb does not make.
func CommandCall(t session.Target, r Request) (line string, ok bool) {
	nameValue, _, _ := protocol.Lookup(r.Params, "/name")
	name, named := protocol.StringValue(nameValue)
	if r.Method != protocol.MethodToolsCall || !named || strings.HasPrefix(name, "-") {
		return "", false
	}
	var flags []flag
	if arguments := r.Arguments(); arguments != "" {
		flags = append(flags, flag{"args", arguments})
	}
	flags = append(flags, metaFlags(r.Meta)...)
	if r.Timeout > 0 {
		flags = append(flags, flag{"timeout", r.Timeout.Round(time.Millisecond).String()})
	}
	return command(t, "call", []string{name}, flags), true
}

// CommandRaw is the command line that makes a request as it was sent: with the
// verb for it where there is one that sends the same, else with the message
// itself.
func CommandRaw(t session.Target, m protocol.Message) string {
	text := func(pointer string) string {
		v, _, _ := protocol.Lookup(m.Params, pointer)
		s, _ := protocol.StringValue(v)
		return s
	}
	flags := metaFlags(ownMeta(m.Params))
	switch m.Method {
	case protocol.MethodToolsCall:
		if line, ok := CommandCall(t, Request{Method: m.Method, Params: m.Params, Meta: ownMeta(m.Params)}); ok && onlyMembers(m.Params, "name", "arguments", "_meta") {
			return line
		}
	case protocol.MethodResourcesRead:
		if uri := text("/uri"); uri != "" && uri[0] != '-' && onlyMembers(m.Params, "uri", "_meta") {
			return command(t, "read", []string{uri}, flags)
		}
	case protocol.MethodPromptsGet:
		words := []string{text("/name")}
		arguments, _, _ := protocol.Lookup(m.Params, "/arguments")
		plain := words[0] != "" && words[0][0] != '-' && onlyMembers(m.Params, "name", "arguments", "_meta")
		for name, value := range protocol.Members(arguments) {
			s, ok := protocol.StringValue(value)
			plain = plain && ok && name != "" && name[0] != '-' && !strings.ContainsAny(name, "=:")
			words = append(words, name+"="+s)
		}
		if plain {
			return command(t, "prompt", words, flags)
		}
	}
	return command(t, "raw", []string{string(m.Raw)}, nil)
}

// onlyMembers reports whether an object has no members but some.
func onlyMembers(object jsontext.Value, known ...string) bool {
	for name := range protocol.Members(object) {
		if !slices.Contains(known, name) {
			return false
		}
	}
	return true
}

// ownMeta are the members of _meta that the sender of a request does not give
// it by itself.
func ownMeta(params jsontext.Value) jsontext.Value {
	meta, _, _ := protocol.Lookup(params, "/_meta")
	var b []byte
	for name, value := range protocol.Members(meta) {
		if name == protocol.MetaProgressToken || strings.HasPrefix(name, "io.modelcontextprotocol/") {
			continue
		}
		b = append(append(append(append(b, ','), protocol.QuoteString(name)...), ':'), value...)
	}
	if b == nil {
		return nil
	}
	b[0] = '{'
	return append(b, '}')
}

// flag is a flag of a verb with its value.
type flag struct{ name, value string }

func metaFlags(meta jsontext.Value) []flag {
	var flags []flag
	for name, value := range protocol.Members(meta) {
		flags = append(flags, flag{"meta", name + "=" + string(value)})
	}
	return flags
}

// command is the command line of a verb for a target.
func command(t session.Target, verb string, args []string, flags []flag) string {
	t = t.WithoutSecrets(Secret)
	words := []string{"mcploupe", verb}
	if t.Command == "" {
		words = append(words, ShellQuote(t.URL))
	}
	for _, a := range args {
		words = append(words, ShellQuote(a))
	}
	add := func(name, value string) { words = append(words, "--"+name, ShellQuote(value)) }
	for _, f := range flags {
		add(f.name, f.value)
	}
	if t.Revision != "" && t.Revision != "auto" {
		add("revision", t.Revision)
	}
	if t.Transport != session.Auto {
		add("transport", string(t.Transport))
	}
	if t.Dir != "" && t.Command != "" {
		add("cwd", t.Dir)
	}
	if t.Command != "" {
		for _, e := range t.Env {
			add("env", e.Name+"="+e.Value)
		}
		words = append(words, "--", ShellQuote(t.Command))
		for _, a := range t.Args {
			words = append(words, ShellQuote(a))
		}
		return strings.Join(words, " ")
	}
	if t.Bearer != "" {
		add("bearer", t.Bearer)
	}
	for _, h := range t.Headers {
		add("header", h.Name+": "+h.Value)
	}
	if t.CAFile != "" {
		add("ca", t.CAFile)
	}
	return strings.Join(words, " ")
}

// Curl is the command line that posts body, a request, as the session in st
// would over HTTP; Secret stands for all credentials. ok is false for other
// transports.
func Curl(t session.Target, st session.State, body string, inputSchema jsontext.Value) (line string, ok bool) {
	if st.Transport != string(session.HTTP) {
		return "", false
	}
	var fields []protocol.HeaderField
	if st.Revision != nil {
		fields, _ = protocol.Headers(st.Revision, protocol.Parse([]byte(body)), inputSchema)
	}
	return curlWith(t, st, body, fields), true
}

// ownHeaders are the headers that say what a message is and what may come back.
func ownHeaders() []protocol.HeaderField {
	return []protocol.HeaderField{
		{Name: "Accept", Value: "application/json, text/event-stream"},
		{Name: "Content-Type", Value: "application/json"},
	}
}

// curlWith is Curl with the headers that describe the message.
func curlWith(t session.Target, st session.State, body string, fields []protocol.HeaderField) string {
	t = t.WithoutSecrets(Secret)
	own := append(ownHeaders(), fields...)
	if st.SessionID != "" {
		own = append(own, protocol.HeaderField{Name: protocol.HeaderSession, Value: sessionPlace})
	}
	if t.Bearer != "" {
		own = append(own, protocol.HeaderField{Name: "Authorization", Value: "Bearer " + t.Bearer})
	}
	command := "curl -sS -N"
	if strings.ContainsAny(t.URL, "[]{}") {
		command += " -g" // they are part of the address
	}
	if t.CAFile != "" {
		command += " --cacert " + ShellQuote(t.CAFile)
	}
	parts := []string{command + " " + ShellQuote(t.URL)}
	for _, h := range append(own, t.Headers...) {
		field := h.Name + ": " + h.Value
		if h.Value == "" {
			field = h.Name + ";" // without a value curl would leave it out
		}
		parts = append(parts, "-H "+ShellQuote(field))
	}
	parts = append(parts, "--data-raw "+ShellQuote(body))
	return strings.Join(parts, " \\\n  ")
}
