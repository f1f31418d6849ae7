// Package diff compares what two servers offer, or one server in two versions,
// and what was said in two recordings.
//
// Interfaces compares two catalogues: what a server says of itself, its tools,
// resources, resource templates and prompts. Schemas are compared as schemas, by
// the values that they admit and not by their text: a reference that moved, a
// property in another place or an enum in another order is no change. Every
// Change has a Verdict for those who use the server, a JSON Pointer and one
// sentence. Input schemas and output schemas vary in opposite senses: a narrower
// input breaks callers, a wider output breaks readers; the rules are one table.
package diff
