package session

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/protocol/jsonvalue"
)

// otherLevel counts messages whose level is none of the eight.
const otherLevel = "other"

func levelIndex(level string) int { return slices.Index(protocol.LogLevels, level) }

// SetLogLevel asks for log messages from level on: with logging/setLevel
// (LOG-01), or in 2026-07-28 in the _meta of all further requests (LOG-03), where
// "" asks for none.
func (s *Session) SetLogLevel(ctx context.Context, level string) error {
	if !s.begin() {
		return errClosed
	}
	defer s.wg.Done()
	s.mu.Lock()
	r, phase, declared := s.view.revision, s.view.phase, s.view.serverCaps.Logging || s.o.AskAll
	if phase != Ready || r == nil {
		s.mu.Unlock()
		return errors.New("setting the log level: the connection is not ready")
	}
	if r.Modern {
		s.o.LogLevel = level
		s.live.logging.Level, s.live.logging.By = level, LogByMeta
		if level == "" {
			s.live.logging.By = LogUnset
		}
		s.changed()
		s.mu.Unlock()
		return nil
	}
	s.mu.Unlock()
	switch {
	case level == "":
		return errors.New("setting the log level: this revision has no way to ask for no log messages; emergency is the least of them")
	case !declared:
		return errors.New("setting the log level: the server does not declare logging (LOG-01)")
	}
	params := append(append(jsontext.Value(`{"level":`), protocol.QuoteString(level)...), '}')
	call, err := s.do(ctx, s.NewRequest(protocol.MethodSetLevel, params), callParams{})
	if err == nil {
		<-call.done
		err = call.State().failure()
	}
	if err != nil {
		return fmt.Errorf("setting the log level: %w", err)
	}
	return nil
}

// levelSet takes the answer to a logging/setLevel, whoever sent it. mu is held.
func (s *Session) levelSet(call *Call) {
	if call.st.Method != protocol.MethodSetLevel || call.st.Phase != CallOK || call.p.send.Revision == nil || call.p.send.Revision.Modern {
		return
	}
	v, _, _ := protocol.Lookup(protocol.Parse(call.raw).Params, "/level")
	if level, ok := protocol.StringValue(v); ok {
		s.live.logging.Level, s.live.logging.By = level, LogBySetLevel
		s.live.levelSince = time.Now()
	}
}

// loggingState is State.Logging. mu is held.
func (s *Session) loggingState() Logging {
	l := s.live.logging
	l.Levels = make(map[string]uint64, len(s.live.levels))
	for i, n := range s.live.levels {
		if n > 0 {
			l.Levels[levelName(i)] = n
		}
	}
	return l
}

func levelName(i int) string {
	if i < len(protocol.LogLevels) {
		return protocol.LogLevels[i]
	}
	return otherLevel
}

// takeLog counts a log message and checks it. mu is held.
func (s *Session) takeLog(c *conn, in incoming) {
	e := protocol.DecodeLog(in.m.Params)
	l := &s.live.logging
	level := levelIndex(e.Level)
	slot := level
	if level < 0 {
		slot = len(protocol.LogLevels)
	}
	s.live.levels[slot]++
	l.Count++
	l.Last = in.Seq
	s.changed()
	_, at, _ := protocol.Lookup(in.m.Raw, "/params")
	for _, p := range e.Problems {
		p.Pointer = "/params" + p.Pointer
		if p.Offset >= 0 {
			p.Offset += at
		}
		s.findOften(in.Seq, p)
	}
	if what := secretIn(e.Data); what != "" {
		s.findOften(in.Seq, warning("L-LOG-06", "The log message holds what looks like "+what+"."))
	}
	r := s.view.revision
	if r == nil {
		return // before the end of the handshake the capabilities are not known
	}
	if !s.view.serverCaps.Logging {
		s.findOften(in.Seq, violation("L-LOG-01", "A log message came, and the server does not declare logging."))
	}
	if !r.Modern {
		if set := levelIndex(l.Level); l.By == LogBySetLevel && level >= 0 && level < set && time.Since(s.live.levelSince) > raceWindow {
			s.findOften(in.Seq, warning("L-LOG-02", "A log message of level "+e.Level+" came; the level set is "+l.Level+"."))
		}
		return
	}
	if s.strayOnListen(c, in, "L-LOG-04") {
		return
	}
	s.judgeModernLog(c, in, e.Level, level)
}

// judgeModernLog checks that a log message belongs to a request that asked for
// it (LOG-04). Over stdio nothing says which one that is: any that runs will do.
// mu is held.
func (s *Session) judgeModernLog(c *conn, in incoming, name string, level int) {
	var askers []*Call
	if carrier := s.calls.inExchange(c, in); carrier != nil {
		if !carrier.inFlight() {
			s.findOften(in.Seq, violation("L-LOG-04", "A log message came on the stream of "+carrier.st.Method+" "+carrier.st.ID.String()+" after its answer."))
			return
		}
		askers = append(askers, carrier)
	} else if in.For.IsZero() {
		for _, call := range s.calls.all {
			if call.inFlight() && call.sub == nil {
				askers = append(askers, call)
			}
		}
	}
	if len(askers) == 0 {
		s.findOften(in.Seq, violation("L-LOG-04", "A log message came while no request was running that it could belong to."))
		return
	}
	least, asked := len(protocol.LogLevels), ""
	for _, call := range askers {
		if wanted := call.logLevel(); wanted != "" && levelIndex(wanted) < least {
			least, asked = levelIndex(wanted), wanted
		}
	}
	switch {
	case asked == "":
		s.findOften(in.Seq, violation("L-LOG-03", "A log message came, and the request did not ask for any."))
	case level >= 0 && level < least:
		s.findOften(in.Seq, violation("L-LOG-02", "A log message of level "+name+" came; asked for was "+asked+"."))
	}
}

// logLevel is the level that the request asked for, "" for none.
func (c *Call) logLevel() string {
	v, _, _ := protocol.Lookup(jsontext.Value(c.raw), "/params/_meta/"+jsonvalue.EscapeToken(protocol.MetaLogLevel))
	level, _ := protocol.StringValue(v)
	return level
}

// secretPatterns are texts that are credentials and hardly anything else.
var secretPatterns = []struct {
	what string
	text *regexp.Regexp
}{
	{"a private key", regexp.MustCompile(`-----BEGIN [A-Z ]*PRIVATE KEY-----`)},
	{"an access key of a cloud", regexp.MustCompile(`\b(?:AKIA|ASIA)[0-9A-Z]{16}\b`)},
	{"an API token", regexp.MustCompile(`\b(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,}|xox[abprs]-[A-Za-z0-9-]{10,}|sk-[A-Za-z0-9_-]{20,}|glpat-[A-Za-z0-9_-]{20,})`)},
	{"a bearer token", regexp.MustCompile(`(?i)\bbearer\s+[A-Za-z0-9._~+/-]{20,}`)},
	{"a JSON web token", regexp.MustCompile(`\beyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]+`)},
	{"a password in a URL", regexp.MustCompile(`[a-z][a-z0-9+.-]*://[^\s/:@"]+:[^\s/@"]+@`)},
}

// secretScan bounds how much of a log message is looked at, in bytes.
const secretScan = 16 << 10

// secretIn says what looks like a credential in the data of a log message
// (LOG-07), "" if nothing does.
func secretIn(data jsontext.Value) string {
	text := string(data[:min(len(data), secretScan)])
	if !strings.ContainsAny(text, "-_:. ") {
		return ""
	}
	for _, p := range secretPatterns {
		if p.text.MatchString(text) {
			return p.what
		}
	}
	return ""
}
