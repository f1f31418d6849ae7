package diff

import (
	"slices"
	"strconv"
	"strings"

	"mcploupe/protocol/jsonvalue"
)

// arrays compares arrays by their longest common subsequence; items that stand
// elsewhere have moved, others are paired by what they are.
func (m *messages) arrays(a, b *jsonvalue.Value, at spot) {
	ka, kb := itemKeys(a.Items), itemKeys(b.Items)
	match, coarse := align(ka, kb)
	if coarse {
		m.t.coarse = true
	}
	moved, taken := moves(ka, kb, match)
	for i, j := range match {
		if j >= 0 {
			m.values(a.Items[i], b.Items[j], at.items(i, int(j))) // numbers may be spelled otherwise
		}
	}
	freeA := make([]bool, len(ka))
	for i := range ka {
		freeA[i] = match[i] < 0 && moved[i] < 0
	}
	ia, ib := identities(a.Items, freeA, true), identities(b.Items, taken, false)
	pair := make([]int32, len(ka))
	for i := range pair {
		pair[i] = -1
	}
	gaps(match, len(kb), func(a0, a1, b0, b1 int) {
		as, bs := free(a0, a1, func(i int) bool { return freeA[i] }), free(b0, b1, func(j int) bool { return !taken[j] })
		for _, p := range pairGap(len(as), len(bs), slices.Compare(kb, ka) < 0, func(i, j int) int {
			return itemLikeness(a.Items[as[i]], b.Items[bs[j]], ia[as[i]], ib[bs[j]])
		}) {
			pair[as[p[0]]], freeA[as[p[0]]], taken[bs[p[1]]] = int32(bs[p[1]]), false, true
		}
	})
	// What is left and known by its identity has moved and changed.
	byIdentity := map[string]int{}
	for j := range kb {
		if !taken[j] && ib[j] != "" {
			byIdentity[ib[j]] = j
		}
	}
	for i := range ka {
		j, ok := byIdentity[ia[i]]
		if freeA[i] && ia[i] != "" && ok {
			moved[i], freeA[i], taken[j] = int32(j), false, true
			delete(byIdentity, ia[i])
		}
	}
	for i := range ka {
		switch here := at.items(i, int(max(moved[i], pair[i]))); {
		case freeA[i]:
			m.alone(Removed, a.Items[i], here)
		case moved[i] >= 0:
			m.moved(a.Items[i], b.Items[moved[i]], at, here, i, int(moved[i]))
			m.values(a.Items[i], b.Items[moved[i]], here)
		case pair[i] >= 0:
			m.values(a.Items[i], b.Items[pair[i]], here)
		}
	}
	for j := range kb {
		if !taken[j] {
			m.alone(Added, b.Items[j], at.items(j, j))
		}
	}
}

func (m *messages) moved(a, b *jsonvalue.Value, array, here spot, from, to int) {
	if i := m.rule(Unordered, array); i >= 0 {
		m.t.rules.uses[i]++
		return
	}
	m.add(Difference{Severity: Differs, Kind: Moved, Text: "has moved, before it was number " + strconv.Itoa(from+1)}, a, b, here)
}

func itemKeys(items []*jsonvalue.Value) []uint64 {
	keys := make([]uint64, len(items))
	for i, v := range items {
		keys[i] = treeHash(v, nil, "")
	}
	return keys
}

// identities are what the free items are known by, "" for those without or of
// which there are several.
func identities(items []*jsonvalue.Value, flags []bool, free bool) []string {
	out, times := make([]string, len(items)), map[string]int{}
	for i, v := range items {
		if flags[i] != free || v.Kind != '{' {
			continue
		}
		if out[i] = identityOf(v); out[i] != "" {
			times[out[i]]++
		}
	}
	for i, s := range out {
		if times[s] > 1 {
			out[i] = ""
		}
	}
	return out
}

// identityOf is what an object is known by, with the name of the member, "" for
// nothing.
func identityOf(v *jsonvalue.Value) string {
	for _, name := range []string{"id", "uri", "uriTemplate", "name", "key"} {
		if x := v.Get(name); x != nil && (x.Kind == '"' || x.Kind == '0') && len(x.Lit) <= 256 {
			return name + " " + x.Text()
		}
	}
	return ""
}

func free(from, to int, is func(int) bool) (out []int) {
	for i := from; i < to; i++ {
		if is(i) {
			out = append(out, i)
		}
	}
	return out
}

// itemLikeness says how well two items go together, 0 for not at all.
func itemLikeness(a, b *jsonvalue.Value, ia, ib string) int {
	switch {
	case a.Kind != b.Kind:
		return 1
	case ia != "" && ia == ib:
		return 300
	case ia != "" && ib != "" && ia[:strings.IndexByte(ia, ' ')] == ib[:strings.IndexByte(ib, ' ')]:
		// Each is known by another name; what is nearly the same has got a new one.
		if n := sketchOf(a).likeness(sketchOf(b)); n >= 50 {
			return n / 10
		}
		return 0
	}
	return 10 + sketchOf(a).likeness(sketchOf(b))
}
