// Package difftext shows what differs between two texts, side by side or as one
// column: changed lines and characters marked by ground and sign, unchanged
// parts folded, the next change a key away.
//
// View is the list of lines, over ui/rows, so that its cost does not depend on
// the length of the texts. Box is a View with a line above it that says how
// much changed and has the buttons. Comparing is the work of ui/view/textdiff
// and takes time: do it away from the drawing goroutine. All of this package is
// for the drawing goroutine.
package difftext
