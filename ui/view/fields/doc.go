// Package fields says what a form shows: which lines it has, which control each
// needs, and the words around it. It reads a schema.Form and imports no widgets.
//
// Every string it returns for showing has passed package safe.
package fields
