package view

import (
	"regexp"
	"strings"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
)

// TableRow is a line of a table of names and values, or the title of a section.
type TableRow struct {
	Section string   // title; the rest is empty then
	Name    string   // safe
	Value   string   // safe, cut for a line; ••• stands for each of Secrets
	Secrets []string // tags of what is masked in the value
	Whole   string   // the value as it is copied
	Seq     uint64   // event that the row leads to, 0 for none
	Tone    Tone
}

// Table is a list of names and values, by section.
type Table []TableRow

// secretTag is how a recording writes a secret.
var secretTag = regexp.MustCompile(`‹secret:([0-9A-Za-z]+)›`)

// maskedAs stands for a secret in a line.
const maskedAs = "•••"

func newTableRow(name, value string) TableRow {
	row := TableRow{Name: safe.Line(name, nameRunes), Whole: value[:min(len(value), fieldBytes)]}
	for _, tag := range secretTag.FindAllStringSubmatch(row.Whole, 3) {
		row.Secrets = append(row.Secrets, "secret "+tag[1])
	}
	row.Value = safe.Line(secretTag.ReplaceAllString(row.Whole, maskedAs), 2000)
	return row
}

// add appends a row; one without a value is left out.
func (t *Table) add(name, value string) {
	if value != "" {
		*t = append(*t, newTableRow(name, value))
	}
}

// link makes the last row lead to an event.
func (t Table) link(seq uint64) {
	if len(t) > 0 {
		t[len(t)-1].Seq = seq
	}
}

func (t *Table) section(title string) { *t = append(*t, TableRow{Section: title}) }

// Text is the table as lines of "name: value", for the clipboard.
func (t Table) Text() string {
	var b strings.Builder
	for i, r := range t {
		if r.Section != "" {
			if i > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(r.Section + "\n")
			continue
		}
		b.WriteString(r.Name + ": " + safe.Line(r.Whole, fieldBytes) + "\n")
	}
	return b.String()
}

// head appends the head of an HTTP request or response, or the end of one.
func (t *Table) head(seq uint64, h *recorder.HTTPHead) {
	switch {
	case h.Method != "":
		t.section("HTTP request")
		t.add("request", strings.TrimSpace(h.Method+" "+h.URL+" "+h.Proto))
	case h.Status != 0:
		t.section("HTTP response")
		t.add("status", strings.TrimSpace(h.Proto+" "+itoa(h.Status)+" "+h.Reason))
		if h.Status >= 400 {
			(*t)[len(*t)-1].Tone = Bad
		}
	default:
		t.section("HTTP end")
	}
	t.link(seq)
	if h.Error != "" {
		t.add("failed", h.Error)
		(*t)[len(*t)-1].Tone = Bad
	}
	for _, line := range h.Headers {
		t.add(line.Name, line.Value)
	}
	if h.Done {
		t.add("body", sizeText(int(h.Bytes)))
	}
}

func (t *Table) sse(s *recorder.SSEFields) {
	t.section("Server-sent event")
	t.add("event", s.Event)
	if s.HasID {
		*t = append(*t, newTableRow("id", s.ID)) // an empty id is one too
	}
	t.add("retry", s.RetryMS)
	t.add("comment", s.Comment)
	if s.Bytes > 0 {
		t.add("data", sizeText(s.Bytes))
	}
}

// ProblemRow is a finding of an event as a row.
type ProblemRow struct {
	Rule, Text string // safe
	Where      string // pointer, or line and column, or nothing; safe
	Pointer    string // as found
	Tone       Tone
	Offset     int // in Detail.Body, -1 for none
}

// problemRows lists findings with their places, the place as the raw text
// counts lines.
func problemRows(body []byte, problems []protocol.Problem) []ProblemRow {
	rows := make([]ProblemRow, 0, len(problems))
	lines := lineCounter{body: body}
	for _, p := range problems {
		row := ProblemRow{Rule: safe.Line(p.Rule, 60), Text: safe.Line(p.Text, 1000), Pointer: p.Pointer, Offset: p.Offset, Tone: severityTone(p.Severity)}
		if p.Offset > len(body) {
			row.Offset = -1
		}
		switch {
		case p.Pointer != "":
			row.Where = safe.Line(p.Pointer, nameRunes)
		case row.Offset >= 0:
			line, col := lines.at(row.Offset)
			row.Where = "line " + human.Count(line) + ", column " + human.Count(col)
		}
		rows = append(rows, row)
	}
	return rows
}

func severityTone(s protocol.Severity) Tone {
	switch s {
	case protocol.Violation:
		return Bad
	case protocol.Warning:
		return Caution
	}
	return Muted
}

// lineCounter finds lines and columns of offsets that mostly grow.
type lineCounter struct {
	body     []byte
	at0      int // where the line begins that was looked at last
	line     int // its number, from 0
	upToByte int
}

// at returns line and column of a byte, in characters, from 1.
func (l *lineCounter) at(offset int) (line, col int) {
	if offset < l.upToByte {
		*l = lineCounter{body: l.body}
	}
	for i := l.upToByte; i < offset; i++ {
		if l.body[i] == '\n' {
			l.line, l.at0 = l.line+1, i+1
		}
	}
	l.upToByte = offset
	return l.line + 1, len([]rune(string(l.body[l.at0:offset]))) + 1
}
