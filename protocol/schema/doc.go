// Package schema turns a JSON Schema into two things: a validator and a form
// that a person can fill in. It does no I/O; nothing is ever fetched.
//
// The validator (Compile, Schema.Validate) reports everything that is wrong at
// once, by JSON Pointer, in sentences for a person, with exact numbers and
// bounded work. Broken keywords are findings and cost themselves alone.
//
// The form (NewForm) is a tree of Nodes, worked out lazily. A widget asks a node
// for its Kind, Label, Hints, Choices, State and Problems, sets it with the
// setter for its kind, and looks at Revision to see what else has changed: no
// node ever calls back. Absent, null and a value are three states; text that
// does not parse stays as a draft. Form.Value is the exact JSON and
// Form.SetValue loads it back: they are two views of one value.
//
// Generate makes a value that a schema accepts.
package schema
