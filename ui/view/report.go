package view

import (
	"fmt"
	"strconv"
	"strings"

	"mcploupe/session"
	"mcploupe/session/link"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
)

// Step is one line of the connection checklist.
type Step struct {
	Glyph  string
	Word   string // what the glyph says
	Title  string
	Detail string
	Cause  string // the likely one, of a failure
	Advice string
	Said   string // lines of a peer
	Took   string
	Seq    uint64 // event to look at, 0 if none
	Tone   Tone
}

// Steps makes the checklist of a session.
func Steps(st session.State) []Step {
	var out []Step
	for _, s := range st.Steps {
		row := Step{
			Title: line(s.Title, 80), Detail: safe.Text(s.Detail, 2000), Advice: safe.Text(s.Advice, 1000), Seq: s.Seq,
		}
		if s.Took > 0 {
			row.Took = human.Duration(s.Took)
		}
		switch s.Status {
		case session.StepRunning:
			row.Glyph, row.Word, row.Tone = "◌", "running", Muted
		case session.StepOK:
			row.Glyph, row.Word, row.Tone = "✓", "done", Good
		case session.StepFailed:
			row.Glyph, row.Word, row.Tone = "✕", "failed", Bad
		case session.StepSkipped:
			row.Glyph, row.Word, row.Tone = "–", "went on", Muted
		}
		out = append(out, row)
	}
	return out
}

// Report says why a connection failed or was lost, and what to try.
type Report struct {
	Title  string // "Could not connect to everything"
	Reason string // one sentence
	Target string // command line or address
	Dir    string // working folder when it was set
	Steps  []Step
	Exit   string // how the process ended, "" if there is none
	Stderr string // last lines
	HTTP   string // status line of the last answer that was no success
	Body   string // its body
	Advice []string
}

// reportBytes bounds each text of a report.
const reportBytes = 8 << 10

// ReportOf describes the failure of c.
func ReportOf(c *Conn) Report {
	phase, why := c.Phase()
	st := c.State()
	server := c.Server()
	r := Report{
		Reason: safe.Text(why, reportBytes), Target: line(server.Target.String(), 1000), Dir: line(server.Target.Dir, 400),
		Steps: Steps(st), Exit: ExitText(st.Exit), Stderr: safe.Text(lastLines(PlainTerminal(st.StderrTail), reportBytes), reportBytes),
	}
	r.Title = "Could not connect to " + c.Title()
	if phase == Lost {
		r.Title = "The connection to " + c.Title() + " was lost"
	}
	if a := st.LastAnswer; a != nil {
		r.HTTP = line(strings.TrimSpace(strconv.Itoa(a.Status)+" "+a.Reason+"  "+a.ContentType), 300)
		r.Body = safe.Text(a.Body, reportBytes)
	}
	for _, s := range r.Steps {
		if s.Advice != "" && s.Tone == Bad {
			r.Advice = append(r.Advice, s.Advice)
		}
	}
	if phase == Failed && c.Log() == nil && len(r.Steps) == 0 && strings.HasPrefix(why, startRecording) {
		r.Advice = []string{"Make room on the disk, or choose a folder for recordings that can be written to in the settings. Nothing was sent: each session is recorded."}
	}
	if len(r.Advice) == 0 {
		r.Advice = advise(phase, st, r)
	}
	return r
}

// advise finds something to try when no step says it.
func advise(phase Phase, st session.State, r Report) []string {
	switch {
	case phase == Lost && st.Exit != nil:
		return []string{"The server's process ended. Its last words on standard error are below; Reconnect starts it afresh."}
	case phase == Lost:
		return []string{"Check that the server still runs, then reconnect."}
	case st.Exit != nil:
		return []string{"The process ended before it answered. Run the same command in a terminal to see what it says."}
	case r.HTTP != "":
		return []string{"Check the address and the headers. The server's answer is below."}
	}
	return []string{"Check the command line or the address, then try again."}
}

// ExitText says how a process ended, "" for nil.
func ExitText(e *link.Exit) string {
	if e == nil {
		return ""
	}
	text := fmt.Sprintf("exit code %d", e.Code)
	if e.Signal != "" {
		text = "signal: " + line(e.Signal, 40)
	}
	if e.After > 0 {
		text += " after " + human.Duration(e.After)
	}
	return text
}

// lastLines cuts s to about max bytes from its end, at a line's start.
func lastLines(s string, max int) string {
	if len(s) <= max {
		return s
	}
	s = s[len(s)-max+3:]
	if i := strings.IndexByte(s, '\n'); i >= 0 && i < len(s)-1 {
		s = s[i+1:]
	}
	return "…\n" + s
}

// Text is the report for the clipboard.
func (r Report) Text() string {
	var b strings.Builder
	put := func(label, text string) {
		if text == "" {
			return
		}
		if strings.Contains(strings.TrimRight(text, "\n"), "\n") {
			b.WriteString(label + ":\n    " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n    ") + "\n")
			return
		}
		b.WriteString(label + ": " + strings.TrimRight(text, "\n") + "\n")
	}
	b.WriteString(r.Title + "\n")
	put("Reason", r.Reason)
	put("Server", r.Target)
	put("Working folder", r.Dir)
	for _, s := range r.Steps {
		text := s.Glyph + " " + s.Title
		if s.Took != "" {
			text += " (" + s.Took + ")"
		}
		if s.Detail != "" {
			text += ": " + strings.ReplaceAll(s.Detail, "\n", "\n    ")
		}
		b.WriteString("  " + text + "\n")
	}
	put("Process", r.Exit)
	put("HTTP", r.HTTP)
	put("Body", r.Body)
	put("Standard error", r.Stderr)
	for _, a := range r.Advice {
		put("Try", a)
	}
	return b.String()
}
