package view

import (
	"cmp"
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/protocol/schema"
	"mcploupe/session"
	"mcploupe/ui/view/human"
)

// PartKind says how a part of a result is shown.
type PartKind uint8

// The kinds of part.
const (
	PartText  PartKind = iota // text as it is
	PartJSON                  // a JSON value
	PartImage                 // a picture that can be drawn
	PartFile                  // bytes to save or open: audio, other blobs
	PartLink                  // a resource that can be read
)

// Part is one entry of a result: a content block, the structured content, or
// the whole answer.
type Part struct {
	Kind     PartKind
	Label    string   // "text", "image", "structured", "answer"; short and safe
	Detail   string   // type and size
	Tone     Tone     //
	Notes    []string // annotations and what is odd, one line each, safe
	Body     []byte   // for the text view
	Data     []byte   // decoded bytes of PartImage and PartFile
	FileName string   // to save Data under
	URI      string   // resource that the part is or links to, as sent; "" if none
	Problems []protocol.Problem
}

// Outcome is how a call ended, ready to be shown.
type Outcome struct {
	Head     string // "Result · 4 ms · 212 B"
	Tone     Tone
	Verdict  string // on the output schema, "" when it does not apply
	Fits     bool   // the verdict is good
	Text     string // what to say when there is no result: error, limit, reason
	Parts    []Part
	Findings []FindingRow
	Seq      uint64 // of the answer, or of the request when there is none
	Inputs   bool   // the server asks for input before it goes on
}

// Line is the head with the verdict next to the first word: where there is little
// room, time and size go before it.
func (o Outcome) Line() string {
	word, rest, more := strings.Cut(o.Head, " · ")
	if o.Verdict != "" {
		word += " · " + o.Verdict
	}
	if more {
		word += " · " + rest
	}
	return word
}

// OutcomeOf makes the outcome of a call that has ended. outputSchema is that
// of the tool, nil if it has none. It may take long for a long answer: call it
// away from the drawing goroutine.
func OutcomeOf(c session.CallState, outputSchema jsontext.Value) Outcome {
	o := Outcome{Seq: c.AnswerSeq}
	if o.Seq == 0 {
		o.Seq = c.RequestSeq
	}
	word, tone := phaseOutcome(c.Phase)
	o.Tone = tone
	head := []string{word, human.Duration(c.Took)}
	if c.Waited > 0 {
		head = append(head, "waited "+human.Duration(c.Waited)+" for you")
	}
	if n := len(c.Answer.Raw); n > 0 {
		head = append(head, human.Bytes(int64(n)))
	}
	if c.Late {
		head = append(head, lateWords(c))
	}
	if len(c.Reports) > 0 {
		head = append(head, oddWords(c.Reports))
	}
	problems := c.Problems
	phase := c.Phase
	if c.Late && phase != session.CallOK && phase != session.CallError {
		o.Text = c.Err
		switch c.Answer.Kind {
		case protocol.Result: // shown with its content, under the word for how the call ended
			problems = append(problems[:len(problems):len(problems)], o.takeResult(c, outputSchema)...)
			o.Tone = tone
		case protocol.Error:
			o.Text += " What came is the " + errorText(c.Answer.Error)
		}
	}
	switch phase {
	case session.CallError:
		o.Text = errorText(c.Answer.Error)
	case session.CallOK:
		problems = append(problems[:len(problems):len(problems)], o.takeResult(c, outputSchema)...)
		o.Inputs = o.Inputs || c.ResultType == resultInputRequired
		if o.Inputs {
			requests, _, _ := protocol.Lookup(c.Answer.Result, "/inputRequests")
			o.Parts = append(questionParts(protocol.DecodeInputRequests(requests)), o.Parts...)
			o.Tone = Caution
			head[0] = "Asks for input"
		}
	default:
		o.Text = cmp.Or(o.Text, c.Err)
	}
	if o.Tone == Bad && c.Phase == session.CallOK {
		head[0] = "Tool error"
	}
	o.Head = strings.Join(head, " · ")
	if len(c.Answer.Raw) > 0 {
		o.Parts = append(o.Parts, Part{
			Kind: PartJSON, Label: "answer", Detail: human.Bytes(int64(len(c.Answer.Raw))), Tone: Muted,
			Body: c.Answer.Raw, Problems: c.Answer.Problems,
		})
	}
	for _, p := range problems {
		o.Findings = append(o.Findings, FindingOf(o.Seq, p))
	}
	problems = problems[:len(problems):len(problems)]
	for _, f := range c.Reports {
		o.Findings = append(o.Findings, FindingOf(f.Seq, f.Problem))
		problems = append(problems, f.Problem)
	}
	if len(problems) > 0 {
		o.Parts = append(o.Parts, findingsPart(problems))
	}
	return o
}

// lateWords says by how much an answer was late (CAN-05, case 135).
func lateWords(c session.CallState) string {
	after := "after the call had ended"
	switch c.Phase {
	case session.CallCancelled:
		after = "after it was cancelled"
	case session.CallTimedOut:
		after = "after the time-out"
	}
	return "the answer came " + human.Duration(c.LateBy) + " " + after
}

// findingsPart lists what is odd about an answer.
func findingsPart(problems []protocol.Problem) Part {
	var text strings.Builder
	for _, p := range problems[:min(len(problems), 500)] {
		fmt.Fprintf(&text, "%s  %s  %s  %s\n", p.Severity, p.Rule, p.Pointer, p.Text)
	}
	worst, _ := protocol.Worst(problems)
	part := Part{Kind: PartText, Label: "findings", Detail: human.Count(len(problems)), Body: []byte(text.String())}
	if worst >= protocol.Warning {
		part.Tone = Caution
	}
	return part
}

func phaseOutcome(p session.CallPhase) (string, Tone) {
	switch p {
	case session.CallOK:
		return "Result", Good
	case session.CallError:
		return "Error", Bad
	case session.CallInvalid:
		return "An answer came that is not valid", Bad
	case session.CallCancelled:
		return "Cancelled", Caution
	case session.CallTimedOut:
		return "Timed out", Bad
	case session.CallLost:
		return "Lost", Bad
	default:
		return "Pending", Muted
	}
}

func errorText(v jsontext.Value) string {
	e, _ := protocol.DecodeError(v)
	text := "error " + e.Code
	if name := protocol.CodeName(e.Code); name != "" {
		text += " (" + name + ")"
	}
	return text + ": " + e.Message
}

// takeResult fills the parts of a result and returns what is odd about it.
func (o *Outcome) takeResult(c session.CallState, outputSchema jsontext.Value) []protocol.Problem {
	result := c.Answer.Result
	switch c.Method {
	case protocol.MethodToolsCall:
		return o.takeToolResult(protocol.DecodeToolResult(result), outputSchema)
	case protocol.MethodResourcesRead:
		r := protocol.DecodeReadResult(result)
		o.Inputs = r.ResultType == resultInputRequired
		for _, content := range r.Contents {
			o.Parts = append(o.Parts, partOf(content))
		}
		if len(r.Contents) == 0 && !o.Inputs {
			o.Text = "Completed; the resource has no contents."
		}
		return r.Problems
	case protocol.MethodPromptsGet:
		r := protocol.DecodePromptResult(result)
		o.Inputs = r.ResultType == resultInputRequired
		o.Text = r.Description
		for _, m := range r.Messages {
			part := partOf(m.Content)
			part.Label = line(m.Role, 20) + ": " + part.Label
			o.Parts = append(o.Parts, part)
		}
		if len(r.Messages) == 0 && !o.Inputs {
			o.Text = cmp.Or(o.Text, "Completed; the prompt has no messages.")
		}
		return r.Problems
	}
	return nil
}

// resultInputRequired is the result type of a round that asks for input.
const resultInputRequired = "input_required"

func (o *Outcome) takeToolResult(r protocol.ToolResult, outputSchema jsontext.Value) []protocol.Problem {
	o.Inputs = r.ResultType == resultInputRequired
	if r.IsError {
		o.Tone = Bad
	}
	for _, content := range r.Content {
		o.Parts = append(o.Parts, partOf(content))
	}
	problems := r.Problems
	if r.HasStructured {
		part := Part{Kind: PartJSON, Label: "structured", Detail: human.Bytes(int64(len(r.Structured))), Body: r.Structured}
		// An error owes no structured content, and validating it would hide the
		// message (TOOL-08, trap 70).
		if len(outputSchema) > 0 && !r.IsError {
			compiled, _ := schema.Compile(outputSchema)
			broken := violations(compiled.Validate(r.Structured))
			o.Fits = len(broken) == 0
			o.Verdict = "matches its schema"
			if !o.Fits {
				o.Verdict = human.Plural(len(broken), "mismatch", "mismatches") + " with its schema"
				part.Tone, part.Problems = Caution, broken
				for _, p := range broken {
					part.Notes = append(part.Notes, line(strings.TrimSpace(p.Pointer+" "+p.Text), 300))
				}
			}
			problems = append(problems[:len(problems):len(problems)], broken...)
		}
		o.Parts = append(o.Parts, part)
	} else if len(outputSchema) > 0 && !r.IsError && !o.Inputs {
		o.Verdict = "no structured content, though the tool has an output schema"
	}
	if len(o.Parts) == 0 && !o.Inputs {
		o.Text = "Completed; the result is empty."
	}
	return problems
}

func violations(all []protocol.Problem) []protocol.Problem {
	var found []protocol.Problem
	for _, p := range all {
		if p.Severity == protocol.Violation {
			found = append(found, p)
		}
	}
	return found
}

// imageTypes are the pictures that can be drawn; everything else is a file.
var imageTypes = map[string]bool{"image/png": true, "image/jpeg": true, "image/jpg": true, "image/gif": true, "image/webp": true}

// maxImage bounds the bytes of a picture that is drawn (ICON-07).
const maxImage = 32 << 20

// partOf shows a content block by what it holds.
func partOf(c protocol.Content) Part {
	p := Part{Kind: PartJSON, Label: line(c.Type, 24), Body: c.Raw, URI: c.URI, Problems: c.Problems}
	switch {
	case c.HasText:
		p.Kind, p.Body = PartText, c.Text
		if isJSONType(c.MIMEType) || looksLikeJSON(p.Body) {
			p.Kind = PartJSON
		}
		p.Detail = strings.TrimSpace(line(c.MIMEType, 40) + " " + human.Bytes(int64(len(c.Text))))
	case c.HasData:
		data, err := c.Decode()
		if err != nil {
			p.Tone = Caution
			p.Notes = append(p.Notes, "The data is not valid base64: "+line(err.Error(), 200))
			p.Detail = line(c.MIMEType, 40)
			break
		}
		p.Kind, p.Data = PartFile, data
		if imageTypes[strings.ToLower(c.MIMEType)] && len(data) <= maxImage {
			p.Kind = PartImage
		}
		p.Detail = strings.TrimSpace(line(c.MIMEType, 40) + " " + human.Bytes(int64(len(data))))
		p.FileName = contentName(c)
	case c.Type == "resource_link":
		p.Kind = PartLink
		p.Detail = line(cmp.Or(c.Title, c.Name, c.URI), 60)
	default:
		p.Notes = append(p.Notes, fmt.Sprintf("Content of the type %q is not known here; this is the block as sent.", line(c.Type, 40)))
	}
	if p.Label == "" {
		p.Label = partWord[p.Kind]
	}
	if c.URI != "" {
		p.Notes = append(p.Notes, line(c.URI, 400))
	}
	if c.Description != "" {
		p.Notes = append(p.Notes, line(c.Description, 400))
	}
	p.Notes = append(p.Notes, annotationNotes(c.Annotations)...)
	for _, problem := range c.Problems {
		p.Tone = Caution
		p.Notes = append(p.Notes, line(problem.Text, 300))
	}
	return p
}

var partWord = map[PartKind]string{PartText: "text", PartJSON: "JSON", PartImage: "image", PartFile: "file", PartLink: "link"}

func annotationNotes(a protocol.Annotations) []string {
	var notes []string
	if len(a.Audience) > 0 {
		notes = append(notes, "for "+line(strings.Join(a.Audience, ", "), 80))
	}
	if a.Priority != "" {
		notes = append(notes, "priority "+line(a.Priority, 20))
	}
	if a.LastModified != "" {
		notes = append(notes, "last modified "+line(a.LastModified, 40))
	}
	return notes
}

func isJSONType(mime string) bool {
	mime, _, _ = strings.Cut(strings.ToLower(mime), ";")
	return mime == "application/json" || strings.HasSuffix(mime, "+json")
}

// looksLikeJSON is for texts that are an object or an array written as text,
// as many servers do. Long ones are left to the text view.
func looksLikeJSON(text []byte) bool {
	const enough = 1 << 20
	trimmed := strings.TrimSpace(string(text[:min(len(text), 64)]))
	return len(text) <= enough && (strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[")) && jsontext.Value(text).IsValid()
}

// extensions are the usual endings of types that the system's table may lack.
var extensions = map[string]string{
	"audio/wav": ".wav", "audio/x-wav": ".wav", "audio/mpeg": ".mp3", "audio/ogg": ".ogg", "image/png": ".png", "image/jpeg": ".jpg",
	"image/gif": ".gif", "image/webp": ".webp", "image/svg+xml": ".svg", "application/pdf": ".pdf", "application/gzip": ".gz", "text/html": ".html",
	"application/zip": ".zip", "text/csv": ".csv",
}

// contentName is a plain name to save a block under: the last element of its URI
// or its type, never a path.
func contentName(c protocol.Content) string {
	base := path.Base(strings.ReplaceAll(c.URI, "\\", "/"))
	if c.URI == "" || base == "." || base == "/" {
		base = cmp.Or(c.Name, c.Type, "content")
	}
	base = strings.Map(func(r rune) rune {
		if r < ' ' || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '_'
		}
		return r
	}, line(base, 80))
	base = strings.TrimLeft(base, ".")
	if base == "" {
		base = "content"
	}
	if ext := extensions[strings.ToLower(c.MIMEType)]; ext != "" && path.Ext(base) == "" {
		base += ext
	}
	return base
}

// Share is how much of a call is done, from 0 to 1, when its progress has a
// total. It is for a bar alone: what the server sent stays text.
func Share(p protocol.Progress) (float64, bool) {
	done, err := strconv.ParseFloat(p.Progress, 64)
	if err != nil {
		return 0, false
	}
	total, err := strconv.ParseFloat(p.Total, 64)
	if err != nil || total <= 0 {
		return 0, false
	}
	return min(max(done/total, 0), 1), true
}
