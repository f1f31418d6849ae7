package view

import (
	"fmt"
	"runtime"
	"strings"

	"mcploupe/session/doctor"
	"mcploupe/ui/view/human"
)

// DoctorMarkdown writes the report of a check for others. title names the
// server, app the program and its version.
func DoctorMarkdown(title, app string, r doctor.Report) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Check of the connection to %s\n\n", inline(title))
	fmt.Fprintf(&b, "- Server: %s\n", code(line(r.Target, 1000)))
	if r.Dir != "" {
		fmt.Fprintf(&b, "- Working folder: %s\n", code(line(r.Dir, 400)))
	}
	fmt.Fprintf(&b, "- Checked: %s with %s on %s/%s, in %s\n", human.Date(r.Started.Local()), inline(app), runtime.GOOS, runtime.GOARCH, human.Duration(r.Took))
	fmt.Fprintf(&b, "\n**%s**\n\n", inline(r.Summary()))
	b.WriteString("| | Step | Result | Found | Time |\n|---|---|---|---|---:|\n")
	steps := doctorSteps(r.Steps)
	for _, s := range steps {
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", s.Glyph, inline(s.Title), s.Word, inline(s.Detail), s.Took)
	}
	for i, s := range steps {
		if st := r.Steps[i].Status; st != doctor.Failed && st != doctor.Warned {
			continue
		}
		fmt.Fprintf(&b, "\n## %s: %s\n\n", inline(s.Title), s.Word)
		for _, part := range [][2]string{{"", s.Detail}, {"Likely cause: ", s.Cause}, {"What to do: ", s.Advice}} {
			if part[1] != "" {
				fmt.Fprintf(&b, "%s%s\n\n", part[0], inline(part[1]))
			}
		}
		if s.Said != "" {
			b.WriteString("    " + strings.ReplaceAll(s.Said, "\n", "\n    ") + "\n")
		}
	}
	return b.String()
}

// inline keeps text of others from being read as Markdown, on one line.
func inline(s string) string {
	return markdownEscapes.Replace(strings.Join(strings.Fields(s), " "))
}

var markdownEscapes = strings.NewReplacer(`\`, `\\`, "`", "\\`", "|", `\|`, "*", `\*`, "_", `\_`, "<", "&lt;", "[", `\[`, "]", `\]`, "#", `\#`)

// code is text on one line between marks that it does not hold.
func code(s string) string {
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		return fence + " " + s + " " + fence
	}
	return fence + s + fence
}
