package diff

import (
	"time"

	"mcploupe/recorder"
)

// Severity says whether a difference between two conversations counts.
type Severity uint8

// Remark is worth knowing: a number that is spelled otherwise, a slower answer.
// Difference is a change of what was said.
const (
	Remark Severity = iota
	Differs
)

// String returns the severity as a word.
func (s Severity) String() string {
	if s == Differs {
		return "difference"
	}
	return "note"
}

// Class is a set of kinds of traffic, each of which can be left out of a
// comparison.
type Class uint16

// The classes.
const (
	Params        Class = 1 << iota // of requests, and client notifications
	Results                         // results and errors, and what came in place of them
	PeerRequests                    // what the server asked
	PeerAnswers                     // and was answered
	Notifications                   // of the server
	Stderr
	Stray  // what is no message
	Exit   // how the process of the server ended
	Status // of HTTP
	Headers
	EventStream // fields of server-sent events besides their data
	Timing
	AllClasses = Params | Results | PeerRequests | PeerAnswers | Notifications | Stderr | Stray | Exit | Status | Headers | EventStream | Timing
)

// Classes lists the classes with their keys, in the order of a menu.
var Classes = []struct {
	Class      Class
	Key, Title string
}{
	{Params, "params", "parameters of requests"},
	{Results, "results", "results and errors"},
	{PeerRequests, "peer-requests", "requests of the server"},
	{PeerAnswers, "peer-answers", "answers to the server"},
	{Notifications, "notifications", "notifications of the server"},
	{Stderr, "stderr", "standard error"},
	{Stray, "stray", "lines that are no messages"},
	{Exit, "exit", "exit codes and signals of processes"},
	{Status, "status", "HTTP status"},
	{Headers, "headers", "HTTP headers"},
	{EventStream, "sse", "fields of server-sent events"},
	{Timing, "timing", "durations of answers"},
}

// String returns the key of a single class.
func (c Class) String() string {
	for _, x := range Classes {
		if x.Class == c {
			return x.Key
		}
	}
	return ""
}

// Volatile is a set of rules for values that vary from run to run.
type Volatile uint8

// The rules.
const (
	Timestamps Volatile = 1 << iota
	Durations
	UUIDs
	VaryingHeaders
	Implementations
)

// Volatiles lists the rules with their keys, in the order of a menu.
var Volatiles = []struct {
	Rule       Volatile
	Key, Title string
}{
	{Timestamps, "timestamps", "dates with times, times of day, numbers named as times"},
	{Durations, "durations", "numbers with a unit of time, or named as durations"},
	{UUIDs, "uuids", "UUIDs"},
	{VaryingHeaders, "headers", "HTTP headers that vary by nature: Date, Content-Length, Set-Cookie …"},
	{Implementations, "implementations", "the serverInfo that every result repeats, and the clientInfo of every request"},
}

// Options say how two sides are compared. The zero value compares all.
type Options struct {
	InterfaceOnly    bool
	ConversationOnly bool
	Without          Class    // left out
	Count            Volatile // rules that are off: such values count
	Rules            *RuleSet // may be nil
	// Limit ends the reading of exchanges; what it cut is said. 0 is 10 seconds.
	Limit    time.Duration
	Progress recorder.Progress // may be nil
}

// RowKind is what became of something in a conversation.
type RowKind uint8

// The kinds of a Row.
const (
	Same RowKind = iota
	Different
	OnlyA
	OnlyB
	NotCompared // a pair that the limit left unread
)

// String returns the kind as a word.
func (k RowKind) String() string {
	return [...]string{"same", "different", "only in A", "only in B", "not compared"}[k]
}

// Lane is a strand of a conversation; each is aligned for itself.
type Lane uint8

// The lanes.
const (
	Exchanges  Lane = iota // requests of the client with all that belongs to them
	PeerLane               // requests of the server that belong to no other
	NoticeLane             // notifications that belong to no exchange
	StderrLane             // standard error, one row
	StrayLane              // lines that are no messages, one row
	EventLane              // what event streams say besides messages, one row; see EventLines
	ExitLane               // ends of the process, one row; see ExitLine
)

// String returns the lane as a word.
func (l Lane) String() string {
	return [...]string{"exchange", "request of the server", "notification", "stderr", "stray lines", "event stream", "end of the process"}[l]
}

// Row is a pair of the two conversations, or what only one has.
type Row struct {
	Kind  RowKind
	Lane  Lane
	Moved bool // it stands in another place among the others of its lane

	// A and B are numbers of exchanges in recorder.Exchanges, -1 where there is none.
	A, B       int
	SeqA, SeqB uint64 // events that the row begins with, 0 for none
	Dir        recorder.Direction
	Method     string
	Name       string // of the tool, the URI ...; that of A where they differ

	Differences []Difference
	More        int // differences that are not kept
}

// Counts is the number of differences of a severity among those that are kept.
func (r Row) Counts(s Severity) (n int) {
	for _, d := range r.Differences {
		if d.Severity == s {
			n++
		}
	}
	return n
}

// Difference is one change inside a row.
type Difference struct {
	Severity   Severity
	Kind       Kind
	Class      Class
	SeqA, SeqB uint64 // events, 0 for none

	// PointerA and PointerB are the places in the messages; the one of the side that has nothing is empty. In HTTP heads
	// they are /status or /headers/NAME, of server-sent events /event, /retry or /id. Inside leads on in the JSON text of the string at the pointer.
	PointerA, PointerB string
	Inside             string
	Text               string // one sentence
	Before, After      string // JSON text, or plain text outside of messages; cut at 16 KB, "" where there is none
	Lines              []LineChange
}

// Pointer is the place in B, or in A for what only A has.
func (d Difference) Pointer() string {
	if d.Kind == Removed {
		return d.PointerA
	}
	return d.PointerB
}

// LineChange is a line of a long text that changed.
type LineChange struct {
	A, B         int // numbers of the lines, from 1; 0 where there is none
	TextA, TextB string
	MarksA       []Span // bytes that differ from the line of the other side
	MarksB       []Span
}

// Span is a stretch of bytes.
type Span struct{ From, To int }

// Hidden counts what a rule kept out of the differences.
type Hidden struct {
	Key, Title string
	Count      int
}

// Origin is a value that the server gave and that was later sent back.
type Origin struct {
	A, B       string
	SeqA, SeqB uint64 // events that it came with
	Sent       int    // how often it was sent back
}

// Conversation is the outcome of comparing two recordings.
type Conversation struct {
	Rows []Row // in the order of B, what only A has in its place among them

	// Of the exchanges and requests of the server:
	Same, Different, OnlyA, OnlyB, NotCompared int
	Moved                                      int // of them, those that stand in another place

	Hidden  []Hidden  // rules that hid something
	Rules   []RuleUse // each rule of Options.Rules with its count, also when it is 0
	Origins []Origin  // at most 1,000
	Remarks []string  // what has to be known of the comparison, in sentences
	Cut     []string  // what was left out by limits, in sentences
}

// Equal reports whether nothing but remarks was found and nothing left out.
func (c *Conversation) Equal() bool {
	for _, r := range c.Rows {
		if r.Kind != Same || r.Moved {
			return false
		}
	}
	return len(c.Cut) == 0
}
