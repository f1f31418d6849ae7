package session

import (
	"fmt"
	"slices"
	"time"

	"mcploupe/protocol"
)

// takeNotification handles a notification of the server; one that is not known
// is only in the log (BASE-22). mu is held.
func (s *Session) takeNotification(c *conn, in incoming) {
	s.takeLive(c, in)
	switch in.m.Method {
	case protocol.NotificationProgress:
		s.takeProgress(in)
	case protocol.NotificationCancelled:
		s.takeCancelled(c, in)
	case protocol.NotificationElicitationComplete:
		s.takeComplete(in)
	case protocol.NotificationToolsChanged:
		s.toldOfChange(Tools)
	case protocol.NotificationResourcesChanged:
		s.toldOfChange(Resources)
		s.toldOfChange(ResourceTemplates)
	case protocol.NotificationPromptsChanged:
		s.toldOfChange(Prompts)
	}
}

// takeProgress gives a progress report to its call and sets back its idle clock
// (BASE-36). mu is held.
func (s *Session) takeProgress(in incoming) {
	p := protocol.DecodeProgress(in.m.Params)
	s.findAll(in.Seq, p.Problems)
	if p.Token.IsZero() {
		return
	}
	call, how := s.calls.byProgress(p.Token)
	switch {
	case call == nil:
		s.findOften(in.Seq, violation("L-PROG-01", "Progress came for the token "+p.Token.String()+", which no request has."))
		return
	case call.ended():
		if !call.st.Late && call.abandoned.IsZero() && time.Since(call.gaveUp) > raceWindow {
			s.findReport(call, in.Seq, violation("L-PROG-03", "Progress came for the token "+p.Token.String()+" after its request had ended."))
		}
		return
	case how == matchLoose:
		s.findReport(call, in.Seq, violation("L-PROG-01", "Progress names the token "+p.Token.String()+", the request had "+call.token.String()+"."))
	}
	if last := call.st.Progress.Progress; last != "" {
		if order, ok := compareNumbers(p.Progress, last); ok && order <= 0 {
			s.findReport(call, in.Seq, violation("L-PROG-02", "Progress went from "+last+" to "+p.Progress+"; it must rise."))
		}
	}
	if order, ok := compareNumbers(p.Progress, p.Total); ok && order > 0 {
		s.findReport(call, in.Seq, information("L-PROG-04", "Progress is "+p.Progress+" of "+p.Total+"."))
	}
	if order, ok := compareNumbers(p.Total, call.st.Progress.Total); ok && order < 0 {
		s.findReport(call, in.Seq, information("L-PROG-04", "The total went down from "+call.st.Progress.Total+" to "+p.Total+"."))
	}
	now := time.Now()
	if call.reports.over(now) {
		s.findReport(call, in.Seq, warning("L-PROG-05", fmt.Sprintf("More than %d progress reports in a second came for %s %s.", maxProgressRate, call.st.Method, call.st.ID)))
	}
	call.st.Progress, call.progressAt = p, now
	if call.paused == 0 {
		call.active = now
	}
	s.callsChanged()
}

// maxReports bounds the findings about progress that are kept with a call.
const maxReports = 20

// findReport adds a finding about the progress of a call. mu is held.
func (s *Session) findReport(call *Call, seq uint64, p protocol.Problem) {
	s.findOften(seq, p)
	if len(call.st.Reports) < maxReports {
		call.st.Reports = append(slices.Clip(call.st.Reports), Finding{Seq: seq, Problem: p})
		s.callsChanged()
	}
}
