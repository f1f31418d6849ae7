// Package recorder keeps everything that crossed the wire in one append-only
// file and answers questions about it without reading it again.
//
// A recording is written while it happens, repaired after a crash, and gives
// back every message byte for byte. In memory an event costs one index entry
// of fixed size; strings that repeat are kept once and in bounded number, and
// all else is read from the file when it is asked for.
//
// # The file
//
// A recording is JSON Lines: UTF-8 text, one JSON object a line, each line
// ended by one line feed. Its name ends in .mcp.jsonl. The first line is the
// header:
//
//	{"format":"mcploupe/1","created":"2026-11-30T03:12:09Z","target":{"transport":"stdio","command":"npx","args":["-y","..."]},"app":"mcploupe 0.1.0"}
//
// A recording that began in the middle of a connection has a member "continues"
// that names the file before and keeps what the server had said of itself.
//
// Every other line is an event, and its place in the file is its number: the
// line after the header is event 1. An event is an envelope of one-letter
// members followed by what was recorded:
//
//	{"q":1,"t":0,"d":"out","k":"msg","c":"stdio","y":"request","m":"tools/call","i":1,"n":"echo","s":83,"msg":{"jsonrpc":"2.0","id":1,...}}
//	{"q":2,"t":41234567,"d":"in","k":"msg","c":"stdio","y":"result","i":1,"a":1,"w":"ok","s":36,"msg":{"jsonrpc":"2.0","id":1,"result":{}}}
//	{"q":3,"t":41300000,"d":"in","k":"stderr","c":"stdio","s":10,"text":"listening\n"}
//
// The members of the envelope, in the order in which they are written. All but
// q, t and k are left out when they are empty:
//
//	q  number of the event
//	t  nanoseconds since the header's time, on a clock that never steps
//	d  direction: out to the server, in from it
//	k  kind: msg, bad, stderr, http, sse, state or note
//	c  channel: the stream, HTTP exchange or subscription that carried it
//	r  number of the event that this one belongs to
//	y  of a message, what it is: request, notification, result, error, batch or invalid
//	m  of a message, its method, cut at 512 bytes
//	i  of a message, its id, a JSON string or number as sent; of a batch, an array of [y, i] pairs
//	n  what it is about: name, URI or task of a request, URL of an HTTP request, detail of a state; cut at 512 bytes
//	f  id or token that a message refers to: progress token, cancelled request, subscription
//	a  of a response, the number of the request that it answers, 0 if there was none
//	p  true when parsing found a problem
//	w  a word for the outcome: ok, tool error, an error code, an HTTP method or status, a state
//	s  size of the recorded bytes
//
// What was recorded comes last:
//
//	http, sse, state  an object, see HTTPHead, SSEFields and StateChange
//	mark              an object, see below
//	msg               the bytes, verbatim: a JSON text with no line feed in it, no
//	                  blanks around it and at most 9,999 levels deep
//	text              any other valid UTF-8, as a JSON string
//	b64               any other bytes, in standard base64
//
// A reader takes the members in any order, finds m, i and the like in the
// message when the envelope has no y, reads the line as a whole when s is not
// what is left of it, and keeps members that it does not know.
// A line that is no event at all is listed as an event of kind 0, whose Data
// is the line, and Log.Faults says what is wrong with it. A file without a header
// can be read only. Where recordings were put together, numbers mean the nearest
// line before.
//
// # Marks
//
// What a person marks is kept in the file as a note of its own, whose r is the
// number of the event that is marked:
//
//	{"q":9,"t":41300000,"k":"note","r":2,"n":"too slow","w":"mark","mark":{"pinned":true,"color":"red","note":"too slow"}}
//
// The last mark of an event counts; one without members takes the mark away. The
// colours are those of MarkColors. In a recording that was opened again such
// notes have the time of the last event.
//
// # Exchanges
//
// An exchange is a request with all that belongs to it; each event is in one at
// most. These rules are tried in turn:
//
//   - A response belongs to the request that it answers, paired by direction and
//     id; once more to the same id, or to the same id of another type, too.
//   - A request that brings back the state of an answer input_required, to the
//     same method and name, is the next round of that exchange. If one exchange
//     alone waits for it, input with another state is.
//   - Requests about a task (tasks/get, tasks/result, tasks/update, tasks/cancel)
//     and its status belong to the exchange that started the task.
//   - Progress belongs to the request with its token, a cancellation to the request
//     with its id, a subscription's notification to the request that opened it, the
//     end of a request's time to the request that it names.
//   - What one HTTP exchange carried belongs to the message that was posted in it:
//     heads, fields of server-sent events, requests and notifications of the server,
//     what is no message. A stream that was resumed is a part of it.
//   - A log message and a question of the server (elicitation, sampling, roots) that
//     come any other way belong to the only request of the client that is being
//     worked on; when there are several, to none.
//   - What names an event as its cause belongs to the exchange of that event.
//
// A question of the server is thus a part of the exchange that it was asked in,
// and an exchange of its own only where that is not known. A batch with requests
// is one exchange, which ends with the last answer. While a question is open, an
// answer input_required waits for its next round or a task waits for input, a
// person is waited for: Took is without that time.
//
// # Crashes
//
// Data is handed to the system within a quarter of a second or 256 KiB, and synced
// when the log is closed. What a crash left of a last line is moved to a file
// of the same name with .cut added, and Log.Repaired says so.
//
// # Secrets
//
// Messages are recorded as they are. Headers, environment values, arguments
// and URLs pass a Masker before they get here.
package recorder
