// Package textview shows and edits text of any size: JSON, plain text, bytes.
//
// [Build] makes an [Index] over the raw bytes, on any goroutine: where values, lines and strings are, no decoded value.
// [View] shows an index: pretty (key order and number text as sent, coloured, foldable), raw (the bytes as they came)
// or as hex. It keeps just the rows on the screen as canvas objects, so 20 MB open as fast as 20 bytes once the index
// is built. [Editor] is its editable sister for JSON that a person writes.
//
// Nothing is hidden: control, bidirectional and zero-width characters and broken bytes are drawn as marks (package
// safe) and copied as what they are. Long lines are broken into pieces, strings beyond 2 KiB are folded until opened.
package textview
