package diff

import (
	"regexp"
	"strings"

	"mcploupe/protocol/jsonvalue"
)

// volatileRules are the rules that are on.
type volatileRules struct {
	on             Volatile
	server, client *regexp.Regexp // nil when there is nothing to look for
	rules          []Volatile     // by group of server
	clientRules    []Volatile
}

const (
	months = `(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)`
	days   = `(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)`
	zone   = `(?: ?(?:UTC|GMT)?[+-]\d{2}:?\d{2}\b| ?(?:Z|UTC|GMT)\b)?`
	clock  = `\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?(?: ?[AaPp][Mm])?` + zone + `(?: ?\([A-Z][A-Za-z ]+\))?`

	timestampPattern = `\b\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?` + zone +
		`|\b` + days + `,? (?:\d{1,2} ` + months + `|` + months + ` \d{1,2}),? \d{4},? ` + clock +
		`|\b\d{1,2}[/.]\d{1,2}[/.]\d{4},? ` + clock +
		`|\b` + clock
	durationPattern = `\b\d+(?:\.\d+)? ?(?:ns|µs|us|ms|s|secs?|seconds?|millis(?:econds)?|milliseconds?|microseconds?|mins?|minutes?|hours?|h)\b` +
		`|\b(?:\d+(?:\.\d+)?(?:h|ms|m|s|µs|us|ns)){2,}\b|\bPT(?:\d+(?:\.\d+)?[HMS])+\b`
	uuidPattern = `\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b`
)

var (
	timeName     = regexp.MustCompile(`(?i:^(?:ts|time|timestamp|date|datetime|now|epoch|mtime|ctime|atime|birthtime)$|[_-](?:at|ts|time|date|timestamp|ms)$|timestamp$)|[a-z](?:At|Time|Date|TimeMs|Ms)$`)
	durationName = regexp.MustCompile(`(?i:^(?:duration|elapsed|latency|took|uptime|runtime|ms|seconds)|[_-](?:ms|millis|seconds|secs|us|ns|duration|elapsed|latency|uptime)$|(?:duration|elapsed|latency|uptime)$)|[a-z](?:Ms|Millis|Seconds|Duration|Latency)$`)
	settingName  = regexp.MustCompile(`(?i)timeout|ttl|limit|interval|max|min`)
)

func newVolatile(off Volatile) volatileRules {
	v := volatileRules{on: (Timestamps | Durations | UUIDs | VaryingHeaders | Implementations) &^ off}
	build := func(which Volatile) (*regexp.Regexp, []Volatile) {
		var parts []string
		var rules []Volatile
		for _, p := range []struct {
			rule    Volatile
			pattern string
		}{{UUIDs, uuidPattern}, {Timestamps, timestampPattern}, {Durations, durationPattern}} {
			if v.on&which&p.rule != 0 {
				parts, rules = append(parts, "("+p.pattern+")"), append(rules, p.rule)
			}
		}
		if len(parts) == 0 {
			return nil, nil
		}
		return regexp.MustCompile(strings.Join(parts, "|")), rules
	}
	// What a client sends as a duration is a setting.
	v.server, v.rules = build(Timestamps | Durations | UUIDs)
	v.client, v.clientRules = build(Timestamps | UUIDs)
	return v
}

// strip takes out of two texts what varies; kinds are the rules that found
// something that differs.
func (v volatileRules) strip(a, b string, fromServer bool) (x, y string, kinds Volatile) {
	re, rules := v.server, v.rules
	if !fromServer {
		re, rules = v.client, v.clientRules
	}
	if re == nil {
		return a, b, 0
	}
	var all [2]Volatile
	take := func(i int, s string) string {
		places := re.FindAllStringSubmatchIndex(s, -1)
		if places == nil {
			return s
		}
		var out strings.Builder
		at := 0
		for _, p := range places {
			for g, rule := range rules {
				if p[2+2*g] >= 0 {
					out.WriteString(s[at:p[0]])
					out.Write([]byte{0, byte(rule)}) // no word has such characters
					all[i] |= rule
				}
			}
			at = p[1]
		}
		out.WriteString(s[at:])
		return out.String()
	}
	x, y = take(0, a), take(1, b)
	return x, y, all[0] & all[1]
}

// sinceYear2000 is the least number that is taken for a time, in seconds.
var sinceYear2000, _ = jsonvalue.ParseDecimal("946684800")

// number returns the rule by which numbers under a name may differ, 0 for none.
func (v volatileRules) number(name string, a, b jsonvalue.Decimal, fromServer bool) Volatile {
	switch {
	case v.on&Timestamps != 0 && timeName.MatchString(name) && a.Cmp(sinceYear2000) > 0 && b.Cmp(sinceYear2000) > 0:
		return Timestamps
	case v.on&Durations != 0 && fromServer && durationName.MatchString(name) && !settingName.MatchString(name):
		return Durations
	}
	return 0
}

// varyingHeaders are the names of HTTP headers that vary by nature.
var varyingHeaders = map[string]bool{
	"age": true, "authorization": true, "cf-ray": true, "content-length": true, "cookie": true, "date": true, "etag": true,
	"expires": true, "host": true, "last-modified": true, "nel": true, "origin": true, "report-to": true, "server-timing": true,
	"set-cookie": true, "traceparent": true, "tracestate": true, "x-amzn-requestid": true, "x-amzn-trace-id": true,
	"x-correlation-id": true, "x-ratelimit-remaining": true, "x-ratelimit-reset": true, "x-request-id": true,
	"x-response-time": true, "x-runtime": true, "x-trace-id": true,
}

// idHeaders name sessions and events, and never count.
var idHeaders = map[string]bool{"mcp-session-id": true, "last-event-id": true}

// protocolIDs are the places of what names something for the length of a
// session; it never counts.
var protocolIDs = map[string]bool{
	"/id": true, "/params/progressToken": true, "/params/requestId": true, "/params/elicitationId": true,
	"/params/requestState": true, "/result/requestState": true,
	"/params/taskId": true, "/result/taskId": true, "/result/task/taskId": true,
}

var metaIDs = map[string]bool{
	"progressToken": true, "io.modelcontextprotocol~1subscriptionId": true, "io.modelcontextprotocol~1related-task": true,
	"traceparent": true, "tracestate": true,
}

// implementations are the places where every message says anew who is speaking,
// since 2026-07-28; what a server says of itself is compared with its interface.
var implementations = map[string]bool{
	"/params/_meta/io.modelcontextprotocol~1clientInfo": true, "/result/_meta/io.modelcontextprotocol~1serverInfo": true,
}

func isProtocolID(at spot) bool {
	if at.nested || len(at.b) > 64 {
		return false
	}
	if protocolIDs[at.b] {
		return true
	}
	for _, root := range []string{"/params/_meta/", "/result/_meta/"} {
		if rest, ok := strings.CutPrefix(at.b, root); ok && metaIDs[rest] {
			return true
		}
	}
	return false
}

// isMetaOfIDs reports whether a value is a _meta with nothing but ids in it.
func isMetaOfIDs(v *jsonvalue.Value, at spot) bool {
	if at.nested || at.b != "/params/_meta" && at.b != "/result/_meta" || len(v.Members) == 0 {
		return false
	}
	for _, x := range v.Members {
		if !metaIDs[jsonvalue.Child("", x.Name)[1:]] {
			return false
		}
	}
	return true
}
