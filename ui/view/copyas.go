package view

import (
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
	t = t.WithoutSecrets(Secret)
	words := []string{"mcploupe", "call"}
	if t.Command == "" {
		words = append(words, ShellQuote(t.URL))
	}
	words = append(words, ShellQuote(name))
	flag := func(name, value string) { words = append(words, "--"+name, ShellQuote(value)) }
	if arguments := r.Arguments(); arguments != "" {
		flag("args", arguments)
	}
	for name, value := range protocol.Members(r.Meta) {
		flag("meta", name+"="+string(value))
	}
	if r.Timeout > 0 {
		flag("timeout", r.Timeout.Round(time.Millisecond).String())
	}
	if t.Revision != "" && t.Revision != "auto" {
		flag("revision", t.Revision)
	}
	if t.Transport != session.Auto {
		flag("transport", string(t.Transport))
	}
	if t.Dir != "" && t.Command != "" {
		flag("cwd", t.Dir)
	}
	if t.Command != "" {
		for _, e := range t.Env {
			flag("env", e.Name+"="+e.Value)
		}
		words = append(words, "--", ShellQuote(t.Command))
		for _, a := range t.Args {
			words = append(words, ShellQuote(a))
		}
		return strings.Join(words, " "), true
	}
	if t.Bearer != "" {
		flag("bearer", t.Bearer)
	}
	for _, h := range t.Headers {
		flag("header", h.Name+": "+h.Value)
	}
	if t.CAFile != "" {
		flag("ca", t.CAFile)
	}
	return strings.Join(words, " "), true
}

// Curl is the command line that posts body, a request, as the session in st
// would over HTTP; Secret stands for all credentials. ok is false for other
// transports.
func Curl(t session.Target, st session.State, body string, inputSchema jsontext.Value) (line string, ok bool) {
	if st.Transport != string(session.HTTP) {
		return "", false
	}
	t = t.WithoutSecrets(Secret)
	own := []protocol.HeaderField{
		{Name: "Accept", Value: "application/json, text/event-stream"},
		{Name: "Content-Type", Value: "application/json"},
	}
	if st.Revision != nil {
		fields, _ := protocol.Headers(st.Revision, protocol.Parse([]byte(body)), inputSchema)
		own = append(own, fields...)
	}
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
	return strings.Join(parts, " \\\n  "), true
}
