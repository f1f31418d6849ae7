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
//
// Conversations compares two recordings. Their exchanges are aligned in order by
// what they say, then by what they are and by the likeness of their arguments;
// what stands elsewhere has moved. Inside a pair JSON is compared exactly: number
// text, absent and null, arrays with moves, JSON in strings. What the protocol
// makes differ never counts; what varies from run to run is left out by rules
// that can be switched off and say how often they hid something, as do those of
// a RuleSet. A value that the server gave and that is sent back later is the same
// on both sides. B compared to A is A compared to B read the other way round.
//
// Work and memory are bounded: what a limit cut is said.
//
// Compare does both, for recordings and for catalogues as AppendSnapshot saves
// them; its Result can be written as JSON, JUnit XML and Markdown.
package diff
