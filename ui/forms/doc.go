// Package forms shows a schema.Form as widgets: a field for each node, drawn
// only where the form is looked at.
//
// The form is the state; a widget copies what the model holds and hands it what
// the person does. What a widget says comes from package ui/view/fields.
package forms
