// Package rows shows rows of one height, as many as there are: ten million scroll as exactly as ten.
//
// [Viewport] is the arithmetic, [Area] a widget that keeps just the visible rows as canvas objects and lets a [Drawer]
// fill them, and [View] a list with columns, selection, keyboard and header on top of it. The text view stands on Area.
//
// Cost does not depend on the number of rows. A row that already shows its entry (same [Drawer.RowKey]) is moved, not
// drawn again. Everything here is for the drawing goroutine.
package rows
