package diff

import (
	"hash/maphash"
	"math/bits"
	"strconv"
	"strings"

	"mcploupe/protocol/jsonvalue"
)

// treeHash is equal for equal values, whatever the order of their members and
// the spelling of their numbers. What skip says of a pointer is left out; nil
// leaves nothing out.
func treeHash(v *jsonvalue.Value, skip func(pointer string, v *jsonvalue.Value) bool, at string) uint64 {
	switch v.Kind {
	case '{':
		sum := uint64(0)
		for _, m := range v.Members {
			here := ""
			if skip != nil && len(at) < 32 {
				here = jsonvalue.Child(at, m.Name)
				if skip(here, m.Value) {
					continue
				}
			}
			below := skip
			if here == "" {
				below = nil
			}
			sum += mix(maphash.String(seed, m.Name), treeHash(m.Value, below, here))
		}
		return mix(1, sum)
	case '[':
		sum := uint64(2)
		for _, it := range v.Items {
			sum = mix(sum, treeHash(it, nil, ""))
		}
		return mix(2, sum)
	case '"':
		return maphash.String(seed, v.Str)
	case '0':
		return maphash.String(seed, numberKey(v))
	}
	return mix(3, uint64(v.Kind))
}

// numberKey is equal for equal numbers; short whole ones are spelled in one way
// only.
func numberKey(v *jsonvalue.Value) string {
	plain := len(v.Lit) > 0 && v.Lit != "-0" && v.Lit[len(v.Lit)-1] != '0'
	for i := 0; i < len(v.Lit) && plain; i++ {
		plain = v.Lit[i] >= '0' && v.Lit[i] <= '9' || v.Lit[i] == '-' && i == 0
	}
	if plain {
		return "#" + v.Lit + "e" + strconv.Itoa(len(strings.TrimPrefix(v.Lit, "-"))) + ";" // as Key writes it
	}
	return v.Key()
}

func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^0x9e3779b97f4a7c15, b^0xc2b2ae3d27d4eb4f)
	return (hi ^ lo) + bits.RotateLeft64(a, 29) + bits.RotateLeft64(b, 7)
}

// messageKey is equal for messages that say the same, ids left out.
func messageKey(data []byte) uint64 {
	v, err := jsonvalue.Parse(data)
	if err != nil {
		return maphash.Bytes(seed, data)
	}
	return treeHash(v, func(p string, v *jsonvalue.Value) bool {
		at := spot{b: p}
		return isProtocolID(at) || isMetaOfIDs(v, at)
	}, "")
}
