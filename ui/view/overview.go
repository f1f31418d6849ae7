package view

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
)

// Overview is what the first tab of a connection shows.
type Overview struct {
	Server       []Fact // who the server says it is
	Connection   []Fact // how it is reached
	Recording    []Fact
	Offers       []Capability // of the server
	Declared     []Capability // of this client
	Instructions string
	Steps        []Step
	Stderr       string
	Findings     []FindingRow
	FindingCount int
}

// Capability is one declared capability.
type Capability struct {
	Name   string
	On     bool
	Detail string
}

// FindingRow is one problem with its place.
type FindingRow struct {
	Seq    uint64
	Word   string // violation, warning, info
	Rule   string
	Text   string
	Place  string
	Tone   Tone
	Number string
}

const (
	factBytes        = 4 << 10
	instructionBytes = 64 << 10
)

// OverviewOf makes the overview of c.
func OverviewOf(c *Conn) Overview {
	st := c.State()
	phase, _ := c.Phase()
	o := Overview{
		Server:       serverFacts(st.Server),
		Connection:   connectionFacts(c, st, phase),
		Recording:    recordingFacts(c),
		Instructions: safe.Text(st.Server.Instructions, instructionBytes),
		Steps:        Steps(st),
		Stderr:       PlainTerminal(st.StderrTail),
		FindingCount: st.FindingCount,
	}
	if st.Server.Capabilities != nil {
		o.Offers = capabilities(st.Server.Capabilities, []string{"tools", "resources", "prompts", "completions", "logging", "tasks"})
	}
	if st.ClientCapabilities != nil {
		o.Declared = capabilities(st.ClientCapabilities, []string{"roots", "sampling", "elicitation", "tasks"})
	}
	for _, f := range slices.Backward(st.Findings) {
		o.Findings = append(o.Findings, FindingOf(f.Seq, f.Problem))
	}
	return o
}

// FindingOf makes the row of a problem.
func FindingOf(seq uint64, p protocol.Problem) FindingRow {
	row := FindingRow{
		Seq: seq, Word: strings.ToLower(p.Severity.String()), Rule: line(p.Rule, 40), Text: line(p.Text, 300),
		Place: line(p.Pointer, 80),
	}
	if seq != 0 {
		row.Number = "#" + human.Count(seq)
	}
	switch p.Severity {
	case protocol.Violation:
		row.Tone = Bad
	case protocol.Warning:
		row.Tone = Caution
	}
	return row
}

type facts []Fact

func (f *facts) add(label, value string) {
	if value != "" {
		*f = append(*f, Fact{label, safe.Text(value, factBytes)})
	}
}

func serverFacts(s protocol.ServerInfo) []Fact {
	var f facts
	f.add("Name", s.Name)
	f.add("Title", s.Title)
	f.add("Version", s.Version)
	f.add("Description", s.Description)
	f.add("Website", s.WebsiteURL)
	return f
}

func connectionFacts(c *Conn, st session.State, phase Phase) []Fact {
	var f facts
	_, why := c.Phase()
	state := phase.Glyph() + " " + phase.Word()
	if why != "" {
		state += ": " + why
	}
	f.add("State", state)
	if st.Revision != nil {
		f.add("Revision", st.Revision.Name+" ("+eraWord(st.Revision)+")")
	}
	if len(st.SupportedVersions) > 0 {
		f.add("Server speaks", strings.Join(st.SupportedVersions, ", "))
	}
	f.add("Transport", TransportName(transportOf(c, st)))
	f.add("Target", c.Server().Target.String())
	f.add("Folder", c.Server().Target.Dir)
	if st.PID != 0 {
		f.add("Process", strconv.Itoa(st.PID))
	}
	f.add("Process ended", ExitText(st.Exit))
	f.add("Session id", st.SessionID)
	if st.RoundTrip > 0 {
		f.add("Round trip", human.Duration(st.RoundTrip))
	}
	return f
}

func eraWord(r *protocol.Revision) string {
	if r.Modern {
		return "stateless"
	}
	return "handshake"
}

func transportOf(c *Conn, st session.State) string {
	if st.Transport != "" {
		return st.Transport
	}
	if log := c.Log(); log != nil {
		return log.Header().Target.Transport
	}
	return string(c.Server().Target.Transport)
}

// TransportName spells a transport out.
func TransportName(t string) string {
	switch t {
	case "stdio":
		return "stdio"
	case "http":
		return "Streamable HTTP"
	case "sse":
		return "HTTP with server-sent events"
	}
	return t
}

func recordingFacts(c *Conn) []Fact {
	log := c.Log()
	if log == nil {
		return nil
	}
	var f facts
	h := log.Header()
	f.add("File", log.Path())
	f.add("Started", human.Date(h.Created.Local()))
	f.add("Events", human.Count(log.Len()))
	if n := log.Len(); n > 0 {
		f.add("Length", human.Duration(log.Head(n).Time))
	}
	f.add("Recorded by", h.App)
	f.add("Repaired", log.Repaired())
	if err := log.Err(); err != nil {
		f.add("Not written", err.Error())
	}
	return f
}

// capabilities lists the known capabilities, declared or not, and then what
// else the object holds.
func capabilities(v jsontext.Value, known []string) []Capability {
	var out []Capability
	at := map[string]int{}
	for _, name := range known {
		at[name] = len(out)
		out = append(out, Capability{Name: name})
	}
	for name, value := range protocol.Members(v) {
		i, ok := at[name]
		if !ok {
			i = len(out)
			at[name] = i
			out = append(out, Capability{Name: line(name, 60)})
		}
		out[i].On, out[i].Detail = true, capabilityDetail(value)
	}
	return out
}

// capabilityDetail shows the members that are switched on, or the value when
// it is more than switches.
func capabilityDetail(v jsontext.Value) string {
	if v.Kind() != '{' {
		return line(string(v), 200)
	}
	var on []string
	for name, value := range protocol.Members(v) {
		switch text := string(value); text {
		case "true", "{}":
			on = append(on, name)
		case "false":
			on = append(on, name+" off")
		default:
			if paths, ok := switches(value, 3); ok {
				text = strings.Join(paths, ", ")
			} else {
				text = string(protocol.Compact(value))
			}
			on = append(on, name+" "+text)
		}
	}
	return line(strings.Join(on, ", "), 200)
}

// switches names what is switched on in objects within objects: tools/call. ok is
// false when there is anything else in them, or more levels.
func switches(v jsontext.Value, levels int) (paths []string, ok bool) {
	if v.Kind() != '{' || levels == 0 {
		return nil, false
	}
	for name, value := range protocol.Members(v) {
		if text := string(protocol.Compact(value)); text == "true" || text == "{}" {
			paths = append(paths, name)
			continue
		}
		below, ok := switches(value, levels-1)
		if !ok {
			return nil, false
		}
		for _, path := range below {
			paths = append(paths, name+"/"+path)
		}
	}
	return paths, len(paths) > 0
}
