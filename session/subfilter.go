package session

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/protocol/jsonvalue"
)

// wire is the filter as params.notifications (SUB-01).
func (f SubscriptionFilter) wire() jsontext.Value {
	if f.Raw != nil {
		return f.Raw
	}
	b := []byte("{")
	member := func(name string, value []byte) {
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(append(append(b, protocol.QuoteString(name)...), ':'), value...)
	}
	for _, flag := range f.flags() {
		if flag.on {
			member(flag.name, []byte("true"))
		}
	}
	if len(f.URIs) > 0 {
		member("resourceSubscriptions", quoteAll(f.URIs))
	}
	if len(f.TaskIDs) > 0 {
		member("taskIds", quoteAll(f.TaskIDs))
	}
	return append(b, '}')
}

func quoteAll(texts []string) []byte {
	b := []byte("[")
	for i, text := range texts {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, protocol.QuoteString(text)...)
	}
	return append(b, ']')
}

// listFlag is one of the booleans of a filter.
type listFlag struct {
	name, method string
	on           bool
}

func (f SubscriptionFilter) flags() [3]listFlag {
	return [3]listFlag{
		{"toolsListChanged", protocol.NotificationToolsChanged, f.Tools},
		{"promptsListChanged", protocol.NotificationPromptsChanged, f.Prompts},
		{"resourcesListChanged", protocol.NotificationResourcesChanged, f.Resources},
	}
}

// DecodeFilter reads a filter as it crosses the wire; problems say what is wrong
// with its shape.
func DecodeFilter(v jsontext.Value) (f SubscriptionFilter, problems []protocol.Problem) {
	f.Raw = v
	if v.Kind() != '{' {
		return f, []protocol.Problem{violation("SUB-01", "A filter is an object.")}
	}
	wrong := func(name, want string) {
		p := violation("SUB-01", "In the filter "+name+" is not "+want+".")
		p.Pointer = "/" + jsonvalue.EscapeToken(name)
		problems = append(problems, p)
	}
	for name, value := range protocol.Members(v) {
		switch name {
		case "toolsListChanged", "promptsListChanged", "resourcesListChanged":
			on := value.Kind() == 't'
			if !on && value.Kind() != 'f' {
				wrong(name, "a boolean")
			}
			switch name {
			case "toolsListChanged":
				f.Tools = on
			case "promptsListChanged":
				f.Prompts = on
			default:
				f.Resources = on
			}
		case "resourceSubscriptions", "taskIds":
			var texts []string
			usable := value.Kind() == '['
			for _, item := range protocol.Elements(value) {
				if len(texts) == maxFilterTexts {
					usable = false
					break
				}
				text, ok := protocol.StringValue(item)
				usable = usable && ok
				if ok {
					texts = append(texts, text)
				}
			}
			if !usable {
				wrong(name, fmt.Sprintf("an array of at most %d strings", maxFilterTexts))
			}
			if name == "taskIds" {
				f.TaskIDs = texts
			} else {
				f.URIs = texts
			}
		}
	}
	return f, problems
}

// lacks names what f has and other does not (SUB-03).
func (f SubscriptionFilter) lacks(other SubscriptionFilter) []string {
	var out []string
	theirs := other.flags()
	for i, flag := range f.flags() {
		if flag.on && !theirs[i].on {
			out = append(out, flag.name)
		}
	}
	for _, uri := range f.URIs {
		if !slices.ContainsFunc(other.URIs, func(theirs string) bool { return covers(theirs, uri) }) {
			out = append(out, uri)
		}
	}
	for _, id := range f.TaskIDs {
		if !slices.Contains(other.TaskIDs, id) {
			out = append(out, id)
		}
	}
	return out
}

// allows reports whether a notification is one of those that the filter names.
func (f SubscriptionFilter) allows(method, name string) bool {
	for _, flag := range f.flags() {
		if flag.method == method {
			return flag.on
		}
	}
	switch method {
	case protocol.NotificationResourceUpdated:
		return slices.ContainsFunc(f.URIs, func(uri string) bool { return covers(uri, name) })
	case protocol.NotificationTasks:
		return slices.Contains(f.TaskIDs, name)
	}
	return false
}

// covers reports whether an update of uri is one of the subscribed resource: the
// same URI or a part of it (RES-07). The protocol does not say what a part is; a
// longer URI counts that goes on with a further segment, a query or a fragment.
func covers(subscribed, uri string) bool {
	rest, ok := strings.CutPrefix(uri, subscribed)
	if !ok || subscribed == "" {
		return false
	}
	return rest == "" || strings.HasSuffix(subscribed, "/") || strings.ContainsRune("/?#", rune(rest[0]))
}

// Offered is a filter for all list changes that the server declares (SUB-16).
func (st State) Offered() SubscriptionFilter { return offered(st.ServerCapabilities) }

func offered(caps protocol.ServerCapabilities) SubscriptionFilter {
	return SubscriptionFilter{Tools: caps.ToolsListChanged, Prompts: caps.PromptsListChanged, Resources: caps.ResourcesListChanged}
}
