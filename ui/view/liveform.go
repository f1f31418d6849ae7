package view

import (
	"slices"
	"strings"

	"mcploupe/protocol"
	"mcploupe/session"
)

// SubForm is what a person fills in to subscribe.
type SubForm struct {
	Key     uint64 // of the subscription that is edited, 0 for a new one
	Tools   bool
	Prompts bool
	// Resources asks for changes of the list; URIs, one a line, for those of
	// resources.
	Resources bool
	URIs      string
	TaskIDs   string
}

// SubOffer is what a subscription can ask of a server.
type SubOffer struct {
	Modern bool // one request for all; before it list changes come unasked
	Tasks  bool // task ids mean something
	// What the server does not declare can be asked for all the same; a word
	// says so.
	Tools, Prompts, Resources, Subscribe, Extension bool
}

// SubOfferOf is what the server of a session offers.
func SubOfferOf(st session.State) SubOffer {
	caps := st.ServerCapabilities
	o := SubOffer{
		Tools: caps.ToolsListChanged, Prompts: caps.PromptsListChanged, Resources: caps.ResourcesListChanged, Subscribe: caps.ResourcesSubscribe,
	}
	o.Modern = st.Revision != nil && st.Revision.Modern
	o.Tasks, o.Extension = o.Modern, caps.ExtendsTasks()
	return o
}

// NewSubForm begins with all list changes that the server declares.
func NewSubForm(st session.State) *SubForm {
	f := &SubForm{}
	if st.Revision != nil && st.Revision.Modern {
		offered := st.Offered()
		f.Tools, f.Prompts, f.Resources = offered.Tools, offered.Prompts, offered.Resources
	}
	return f
}

// EditSubForm begins with what a subscription asked for.
func EditSubForm(s session.Subscription) *SubForm {
	a := s.Asked
	return &SubForm{Key: s.Key, Tools: a.Tools, Prompts: a.Prompts, Resources: a.Resources, URIs: strings.Join(a.URIs, "\n"), TaskIDs: strings.Join(a.TaskIDs, "\n")}
}

// AddURI puts a URI on a line of its own, if it is not there.
func (f *SubForm) AddURI(uri string) {
	all := textLines(f.URIs)
	if !slices.Contains(all, uri) {
		f.URIs = strings.Join(append(all, uri), "\n")
	}
}

// textLines are the lines of a text that are not blank.
func textLines(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// Filter is what is filled in. problem says why it cannot be sent, note what is
// odd about it.
func (f *SubForm) Filter(o SubOffer) (filter session.SubscriptionFilter, problem, note string) {
	filter = session.SubscriptionFilter{Tools: f.Tools, Prompts: f.Prompts, Resources: f.Resources, URIs: textLines(f.URIs), TaskIDs: textLines(f.TaskIDs)}
	if !o.Modern {
		filter.Tools, filter.Prompts, filter.Resources, filter.TaskIDs = false, false, false, nil
		if len(filter.URIs) == 0 {
			return filter, "Name at least one resource: list changes come unasked in this revision.", ""
		}
	}
	var odd []string
	for _, uri := range filter.URIs {
		if strings.ContainsAny(uri, "{}") {
			return filter, "Fill in what stands in braces: " + line(uri, 80), ""
		}
	}
	if len(filter.URIs) > 0 && !o.Subscribe {
		odd = append(odd, "resources.subscribe")
	}
	for _, l := range []struct {
		asked, offered bool
		word           string
	}{
		{filter.Tools, o.Tools, "tools.listChanged"}, {filter.Prompts, o.Prompts, "prompts.listChanged"}, {filter.Resources, o.Resources, "resources.listChanged"},
	} {
		if l.asked && !l.offered {
			odd = append(odd, l.word)
		}
	}
	if len(filter.TaskIDs) > 0 && !o.Extension {
		odd = append(odd, "the extension "+protocol.TasksExtension)
	}
	if len(odd) > 0 {
		note = "This server does not declare " + strings.Join(odd, ", ") + " (SUB-16). It may refuse, or leave it out."
	}
	if filter.IsEmpty() {
		note = "Nothing is asked for: the server should agree to nothing."
	}
	return filter, "", note
}
