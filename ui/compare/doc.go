// Package compare shows two sequences beside each other: what both have stands
// in one row, what one has alone faces a gap, and between the columns connectors
// say how the two sides hang together, by shape and sign and not by colour
// alone.
//
// Pairs knows nothing of what it shows; it asks for each visible row, so that
// its cost does not depend on their number. All of this package is for the
// drawing goroutine.
package compare
