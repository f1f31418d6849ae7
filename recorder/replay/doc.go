// Package replay plays a recording again: against a server, as the client that
// was recorded, or for a client, as the server that was recorded.
//
// A Server answers any client from a recording, over stdio and Streamable HTTP,
// in the handshake revisions and in 2026-07-28. A request is matched by method
// and identity (tool name, URI, prompt name), then by its arguments; repeated
// requests get the recorded answers in turn. What the recording cannot answer
// is refused with an error that names the nearest recorded request and where it
// differs, and is listed in the Report.
//
// Run sends what the recorded client sent to a Target, in order, and compares
// each answer with the recorded one. Ids, progress tokens, cursors, request
// states, task ids and subscription ids are bound to those of the new
// connection, each with a Binding that says so; nothing else is changed, unless
// the two sides speak revisions in which a thing is said differently. What has
// no counterpart is listed as unmapped.
//
// The package knows no connection: Target is what it needs of one, and whoever
// calls it gives it streams to serve.
package replay
