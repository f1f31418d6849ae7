// Package jsonvalue holds JSON texts as trees that remember how they were
// written: member order, duplicate names, number text. Numbers are compared
// exactly and never become floating point.
package jsonvalue
