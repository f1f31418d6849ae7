package session

import (
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

// hinted takes what a page says of how long it may be kept: the listing is as
// good as its page that is out of date first (CACHE-05, 06, 14). mu is held.
func (s *Session) hinted(list *List, page int, ttlMs, scope string, seq uint64) {
	now := time.Now()
	var expires time.Time
	if d := ttl(ttlMs); d > 0 {
		expires = now.Add(d)
	}
	switch {
	case page == 1:
		list.Expires = expires
	case expires.IsZero() || list.Expires.IsZero():
		list.Expires = time.Time{}
	case expires.Before(list.Expires):
		list.Expires = expires
	}
	if r := s.view.revision; r != nil && r.CacheHints && page > 1 && scope != list.Scope {
		s.findOften(seq, violation("L-CACHE-02", "The pages of one list differ in cacheScope."))
	}
	list.TTL, list.Scope, list.Updated = ttlMs, scope, now
}

// judgeHints checks the cache hints of a result (L-CACHE-01, L-CACHE-03). mu is
// held.
func (s *Session) judgeHints(call *Call, in incoming) {
	r := call.p.send.Revision
	if r == nil || !r.CacheHints || in.m.Kind != protocol.Result {
		return
	}
	ttlMs, _, hasTTL := protocol.Lookup(in.m.Result, "/ttlMs")
	scope, _, hasScope := protocol.Lookup(in.m.Result, "/cacheScope")
	if call.st.ResultType == resultInputRequired {
		if hasTTL || hasScope {
			s.findOften(in.Seq, warning("L-CACHE-03", "An answer that wants input carries cache hints; it cannot be kept."))
		}
		return
	}
	switch call.st.Method {
	case protocol.MethodDiscover, protocol.MethodToolsList, protocol.MethodPromptsList, protocol.MethodResourcesList,
		protocol.MethodResourceTemplatesList, protocol.MethodResourcesRead:
	default:
		return
	}
	var faults []string
	if !hasTTL || !naturalNumber(ttlMs) {
		faults = append(faults, "ttlMs is not an integer from 0 on")
	}
	if name, ok := protocol.StringValue(scope); !hasScope || !ok || name != "public" && name != "private" {
		faults = append(faults, "cacheScope is neither public nor private")
	}
	if len(faults) > 0 {
		s.findOften(in.Seq, violation("L-CACHE-01", "The answer to "+call.st.Method+": "+strings.Join(faults, ", ")+"."))
	}
}

func naturalNumber(v jsontext.Value) bool {
	return len(v) > 0 && v.Kind() == '0' && strings.Trim(string(v), "0123456789") == ""
}
