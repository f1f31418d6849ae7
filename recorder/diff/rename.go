package diff

import (
	"slices"
	"strings"

	"mcploupe/protocol/jsonvalue"
)

// likely is the likeness in percent from which a rename is offered.
const likely = 60

// maxRenames bounds the pairs that are looked at.
const maxRenames = 200

// renames guesses which of the entries that are gone came back under another
// name: by the words of the names, by what they take and by what they say.
func renames(area Area, gone, come []definition) []Rename {
	if len(gone) == 0 || len(come) == 0 || len(gone) > maxRenames || len(come) > maxRenames {
		return nil
	}
	var all []Rename
	for _, a := range gone {
		for _, b := range come {
			if n := likeness(a, b); n >= likely {
				all = append(all, Rename{Area: area, From: a.name, To: b.name, Likeness: n})
			}
		}
	}
	slices.SortStableFunc(all, func(x, y Rename) int { return y.Likeness - x.Likeness })
	var out []Rename
	from, to := map[string]bool{}, map[string]bool{}
	for _, r := range all {
		if !from[r.From] && !to[r.To] {
			from[r.From], to[r.To] = true, true
			out = append(out, r)
		}
	}
	return out
}

// likeness of two definitions in percent: half for what they take or are, a
// third for their names, the rest for their descriptions.
func likeness(a, b definition) int {
	body := overlap(traits(a.val), traits(b.val))
	return (body*50 + overlap(words(a.name), words(b.name))*33 + overlap(words(describe(a.val)), words(describe(b.val)))*17) / 100
}

func describe(v *jsonvalue.Value) string {
	if d := v.Get("description"); d != nil {
		return d.Str
	}
	return ""
}

// traits lists what a definition is made of.
func traits(v *jsonvalue.Value) map[string]bool {
	out := map[string]bool{}
	if in := v.Get("inputSchema"); in != nil {
		n := newDocument(in, "").alone(both{{in, ""}})
		for name, c := range n.props {
			out[name] = true
			out[name+":"+strings.Join(newDocument(in, "").alone(c).types.words(), ",")] = true
		}
		out["{}"] = true
		return out
	}
	if args := v.Get("arguments"); args != nil {
		for _, it := range args.Items {
			if name := it.Get("name"); name != nil {
				out[name.Str] = true
			}
		}
	}
	if m := v.Get("mimeType"); m != nil {
		out[m.Str] = true
	}
	out["{}"] = true
	return out
}

// words splits a name or a text into lower-case words, at changes of case too.
func words(s string) map[string]bool {
	out := map[string]bool{}
	var word []rune
	flush := func() {
		if len(word) > 0 {
			out[strings.ToLower(string(word))] = true
			word = word[:0]
		}
	}
	lower := false
	for _, r := range s {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r > 127
		upper := r >= 'A' && r <= 'Z'
		if !letter || upper && lower {
			flush()
		}
		if letter {
			word = append(word, r)
		}
		lower = letter && !upper
	}
	flush()
	return out
}

// overlap is how much two sets share, in percent of what both have.
func overlap(a, b map[string]bool) int {
	shared := 0
	for w := range a {
		if b[w] {
			shared++
		}
	}
	all := len(a) + len(b) - shared
	if all == 0 {
		return 0
	}
	return shared * 100 / all
}
