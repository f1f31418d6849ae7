package diff

import (
	"hash/maphash"
	"slices"
	"strings"

	"mcploupe/protocol/jsonvalue"
)

// sketch is a set of hashes of what a value is made of, sorted.
type sketch []uint32

const maxSketch = 256

func sketchOf(v *jsonvalue.Value) sketch {
	var s sketch
	var walk func(v *jsonvalue.Value, at string)
	walk = func(v *jsonvalue.Value, at string) {
		if len(s) >= maxSketch {
			return
		}
		for _, x := range v.Members {
			walk(x.Value, at+"/"+x.Name)
		}
		for _, x := range v.Items {
			walk(x, at+"/*")
		}
		switch v.Kind {
		case '{', '[':
		case '"':
			for i, w := range strings.FieldsFunc(v.Str[:min(len(v.Str), 2048)], func(r rune) bool { return r == ' ' || r == '\n' || r == '/' || r == ',' }) {
				if i == 64 {
					break
				}
				s = append(s, uint32(maphash.String(seed, at+"="+w)))
			}
			fallthrough
		default:
			s = append(s, uint32(maphash.String(seed, at+"="+v.Lit)))
		}
	}
	walk(v, "")
	slices.Sort(s)
	return s
}

// likeness is how much two sketches share, in percent.
func (s sketch) likeness(o sketch) int {
	if len(s) == 0 && len(o) == 0 {
		return 100
	}
	shared := 0
	for i, j := 0, 0; i < len(s) && j < len(o); {
		switch {
		case s[i] == o[j]:
			shared, i, j = shared+1, i+1, j+1
		case s[i] < o[j]:
			i++
		default:
			j++
		}
	}
	return shared * 100 / max(len(s), len(o))
}
