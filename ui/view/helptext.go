package view

import (
	"strings"
	"unicode"
)

// HelpKind is what a block of a page is.
type HelpKind uint8

// The kinds of blocks.
const (
	HelpText    HelpKind = iota // a paragraph
	HelpTitle                   // of the page
	HelpSection                 // a heading in it
	HelpItem                    // of a list
	HelpStep                    // of a numbered list
	HelpCode                    // lines as they stand
	HelpFacts                   // a table of two columns
)

// HelpBlock is a part of a page, from top to bottom.
type HelpBlock struct {
	Kind   HelpKind
	Anchor string // of a heading: what a link names
	Number int    // of a step
	Spans  []HelpSpan
	Code   string
	Facts  [][2][]HelpSpan // rows; the first one is the head
}

// HelpSpan is a piece of text of one look.
type HelpSpan struct {
	Text   string
	Bold   bool
	Italic bool
	Code   bool
	Page   string // the link's page, "" for none or for an address
	Anchor string // in that page
	URL    string // the link's address
}

// Plain is the text of a block without looks.
func (b HelpBlock) Plain() string {
	var out strings.Builder
	add := func(spans []HelpSpan) {
		for _, s := range spans {
			out.WriteString(s.Text)
		}
	}
	add(b.Spans)
	out.WriteString(b.Code)
	for _, row := range b.Facts {
		add(row[0])
		out.WriteString("  ")
		add(row[1])
		out.WriteString("\n")
	}
	return out.String()
}

// parseHelp reads the Markdown that the guide is written in: headings of two
// levels, paragraphs, lists, fenced code, and tables of two columns.
func parseHelp(text string) []HelpBlock {
	var blocks []HelpBlock
	var open []string // lines of the paragraph or item that is being read
	var kind HelpKind
	number := 0
	flush := func() {
		if len(open) > 0 {
			blocks = append(blocks, HelpBlock{Kind: kind, Number: number, Spans: parseSpans(strings.Join(open, " "))})
		}
		open, kind, number = nil, HelpText, 0
	}
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		line := strings.TrimRight(lines[i], " \t\r")
		item, step, isItem := listItem(line)
		switch {
		case line == "":
			flush()
		case strings.HasPrefix(line, "```"):
			flush()
			var code []string
			for i++; i < len(lines) && !strings.HasPrefix(lines[i], "```"); i++ {
				code = append(code, strings.TrimRight(lines[i], " \t\r"))
			}
			blocks = append(blocks, HelpBlock{Kind: HelpCode, Code: strings.Join(code, "\n")})
		case strings.HasPrefix(line, "# "), strings.HasPrefix(line, "## "):
			flush()
			b := HelpBlock{Kind: HelpTitle, Spans: parseSpans(strings.TrimLeft(line, "# "))}
			if strings.HasPrefix(line, "## ") {
				b.Kind = HelpSection
			}
			b.Anchor = helpAnchor(b.Plain())
			blocks = append(blocks, b)
		case strings.HasPrefix(line, "|"):
			flush()
			b := HelpBlock{Kind: HelpFacts}
			for ; i < len(lines) && strings.HasPrefix(lines[i], "|"); i++ {
				if row, ok := tableRow(lines[i]); ok {
					b.Facts = append(b.Facts, row)
				}
			}
			i--
			blocks = append(blocks, b)
		case isItem:
			flush()
			open, kind, number = []string{item}, HelpItem, step
			if step > 0 {
				kind = HelpStep
			}
		default:
			open = append(open, strings.TrimSpace(line))
		}
	}
	flush()
	return blocks
}

// listItem reads the beginning of an item: "- " or "1. ".
func listItem(line string) (text string, number int, ok bool) {
	if text, ok := strings.CutPrefix(line, "- "); ok {
		return text, 0, true
	}
	digits, text, ok := strings.Cut(line, ". ")
	if !ok || digits == "" || len(digits) > 2 {
		return "", 0, false
	}
	for _, r := range digits {
		if r < '0' || r > '9' {
			return "", 0, false
		}
		number = 10*number + int(r-'0')
	}
	return text, number, true
}

// tableRow reads a row of a table; the line below the head is none.
func tableRow(line string) (row [2][]HelpSpan, ok bool) {
	left, right, _ := strings.Cut(strings.Trim(strings.TrimSpace(line), "|"), "|")
	if strings.Trim(left+right, "-: |") == "" {
		return row, false
	}
	return [2][]HelpSpan{parseSpans(strings.TrimSpace(left)), parseSpans(strings.TrimSpace(right))}, true
}

// helpAnchor is how a link names a heading: small letters, hyphens for blanks.
func helpAnchor(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ' || r == '-':
			return '-'
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}

// parseSpans reads the looks of a line: **bold**, *italic*, `code` and
// [links](page.md#section). A mark that is not closed is text.
func parseSpans(text string) []HelpSpan {
	var spans []HelpSpan
	plain := ""
	add := func(s HelpSpan) {
		if plain != "" {
			spans = append(spans, HelpSpan{Text: plain})
			plain = ""
		}
		spans = append(spans, s)
	}
	for text != "" {
		if inner, rest, ok := between(text, "`", "`"); ok {
			add(HelpSpan{Text: inner, Code: true})
			text = rest
		} else if inner, rest, ok := between(text, "**", "**"); ok {
			for _, s := range parseSpans(inner) {
				s.Bold = true
				add(s)
			}
			text = rest
		} else if inner, rest, ok := between(text, "*", "*"); ok && inner[0] != ' ' {
			add(HelpSpan{Text: inner, Italic: true})
			text = rest
		} else if label, target, rest, ok := pageLink(text); ok {
			s := HelpSpan{Text: label}
			if strings.Contains(target, "://") {
				s.URL = target
			} else {
				page, anchor, _ := strings.Cut(target, "#")
				s.Page, s.Anchor = strings.TrimSuffix(page, ".md"), anchor
			}
			add(s)
			text = rest
		} else {
			n := 1
			if strings.HasPrefix(text, "**") {
				n = 2
			}
			for n < len(text) && strings.IndexByte("`*[", text[n]) < 0 {
				n++
			}
			plain += text[:n]
			text = text[n:]
		}
	}
	if plain != "" {
		spans = append(spans, HelpSpan{Text: plain})
	}
	return spans
}

// between takes what stands between two marks at the beginning of a text.
func between(text, open, close string) (inner, rest string, ok bool) {
	text, ok = strings.CutPrefix(text, open)
	if !ok {
		return "", "", false
	}
	inner, rest, ok = strings.Cut(text, close)
	return inner, rest, ok && inner != ""
}

// pageLink takes a link at the beginning of a text. A page of "" is this one.
func pageLink(text string) (label, target, rest string, ok bool) {
	label, rest, ok = between(text, "[", "](")
	if !ok || strings.ContainsAny(label, "[]") {
		return "", "", "", false
	}
	target, rest, ok = strings.Cut(rest, ")")
	return label, target, rest, ok && target != ""
}
