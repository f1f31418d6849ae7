// Package schema turns a JSON Schema into two things: a validator and a form
// that a person can fill in. It does no I/O; nothing is ever fetched.
//
// The validator (Compile, Schema.Validate) reports everything that is wrong at
// once, by JSON Pointer, in sentences for a person, with exact numbers and
// bounded work.
package schema
