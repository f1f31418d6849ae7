package sessiontest

import (
	"fmt"
	"strings"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// Diff shows where got departs from want, for the message of a failed test:
// what is missing stands in [-…-], what is too much in {+…+}, and long
// stretches that agree are cut.
func Diff(want, got string) string {
	const context = 40
	var b strings.Builder
	for _, d := range diffmatchpatch.New().DiffMain(want, got, false) {
		text := fmt.Sprintf("%q", d.Text)
		text = text[1 : len(text)-1]
		switch d.Type {
		case diffmatchpatch.DiffDelete:
			b.WriteString("[-" + text + "-]")
		case diffmatchpatch.DiffInsert:
			b.WriteString("{+" + text + "+}")
		default:
			if len(text) > 2*context {
				text = text[:context] + " … " + text[len(text)-context:]
			}
			b.WriteString(text)
		}
	}
	return b.String()
}
