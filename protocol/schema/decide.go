package schema

import "mcploupe/protocol/jsonvalue"

// decide settles kind, choices, members and items once all parts are known.
func (w *flattener) decide() {
	v := w.v
	v.nullable = w.sawNull && !w.noNull
	explicit := w.types != allTypes
	w.types &^= tNull
	if w.types&tNumber != 0 {
		w.types &^= tInteger
	}
	w.combine()
	switch {
	case w.never != "":
		v.kind, v.reason = KindJSON, w.never
		return
	case v.reason != "":
		v.kind = KindJSON
		return
	case v.choices != nil:
		w.decideChoices()
		return
	case !explicit:
		w.types = v.inferTypes()
	}
	switch {
	case w.types == 0 && v.nullable || w.types == 0 && w.sawNull:
		v.kind, v.nullable = KindConst, false
		v.setChoices([]Choice{{Title: "null", value: jsonvalue.Null(), key: "n"}})
		return
	case w.types == 0 && explicit:
		v.kind, v.reason = KindJSON, "the schema's types exclude each other, so no value fits"
		return
	case w.types == 0:
		v.kind = KindAny
		return
	}
	w.pickType()
	v.types = w.types
	switch w.types {
	case tString:
		v.kind = KindText
	case tInteger:
		v.kind = KindInteger
	case tNumber:
		v.kind = KindNumber
	case tBoolean:
		v.kind = KindBoolean
	case tArray:
		w.decideArray()
	case tObject:
		w.decideObject()
	default:
		v.kind = KindAny
	}
}

// combine keeps the choices that all lists and the types allow.
func (w *flattener) combine() {
	if len(w.lists) == 0 {
		return
	}
	out := make([]Choice, 0, len(w.lists[0]))
	seen := map[string]bool{}
	for _, c := range w.lists[0] {
		ok := w.types.admits(typeOf(c.value)) && !seen[c.key]
		for _, other := range w.lists[1:] {
			ok = ok && contains(other, c.key)
		}
		if ok {
			seen[c.key] = true
			out = append(out, c)
		}
	}
	if len(w.lists) > 1 {
		// The shortest list is often the outer one; titles may be in another.
		for i, c := range out {
			if c.Title != plainText(c.value) {
				continue
			}
			for _, other := range w.lists[1:] {
				for _, o := range other {
					if o.key == c.key && o.Title != plainText(o.value) {
						out[i].Title = o.Title
					}
				}
			}
		}
	}
	w.v.setChoices(out)
}

func contains(list []Choice, key string) bool {
	for _, c := range list {
		if c.key == key {
			return true
		}
	}
	return false
}

func (v *view) setChoices(list []Choice) {
	v.choices = list
	v.choiceIx = make(map[string]int, len(list))
	for i, c := range list {
		v.choiceIx[c.key] = i
	}
}

func (w *flattener) decideChoices() {
	v := w.v
	bools := 0
	for _, c := range v.choices {
		v.types |= typeOf(c.value)
		if typeOf(c.value) == tBoolean {
			bools++
		}
	}
	switch {
	case len(v.choices) == 0 && v.nullable:
		v.kind, v.nullable = KindConst, false
		v.setChoices([]Choice{{Title: "null", value: jsonvalue.Null(), key: "n"}})
	case len(v.choices) == 0:
		v.kind, v.reason = KindJSON, "the schema's lists of values exclude each other, so no value fits"
	case len(v.choices) == 1 && !v.nullable:
		v.kind = KindConst
	case len(v.choices) == 2 && bools == 2:
		v.kind = KindBoolean
	default:
		v.kind = KindSelect
	}
}

// inferTypes guesses the type from keywords that speak of one type only.
func (v *view) inferTypes() typeSet {
	var t typeSet
	for _, p := range v.parts {
		if p.shapesObject() || len(p.required) > 0 || p.names != nil || p.minProperties > 0 || p.maxProperties >= 0 ||
			len(p.depRequired) > 0 || len(p.depSchemas) > 0 {
			t |= tObject
		}
		if p.items != nil || p.prefix != nil || p.contains != nil || p.minItems > 0 || p.maxItems >= 0 || p.unique {
			t |= tArray
		}
		if p.pattern != nil || p.minLength > 0 || p.maxLength >= 0 || p.format != "" || p.contentEncoding != "" {
			t |= tString
		}
		if p.minimum != nil || p.maximum != nil || p.multipleOf != nil {
			t |= tNumber
		}
	}
	if t&(t-1) != 0 {
		return 0 // they speak of several: any JSON
	}
	return t
}

// pickType lets the person pick when a type list names several types.
func (w *flattener) pickType() {
	if w.types&(w.types-1) == 0 {
		return
	}
	if w.types == allTypes&^(tNull|tInteger) {
		w.types = 0
		return
	}
	g := group{key: pickKey{keyword: "type"}}
	var bits []typeSet
	for i, t := range typeNames {
		if w.types&t.bit != 0 {
			g.branches = append(g.branches, i)
			g.titles = append(g.titles, t.says)
			bits = append(bits, t.bit)
		}
	}
	if i, ok := w.picks[g.key]; ok {
		for at, b := range g.branches {
			if b == i {
				g.picked = at
			}
		}
	} else if value, _, ok := w.value(); ok && value != nil {
		for at, bit := range bits {
			if bit.admits(plainType(value)) {
				g.picked = at
			}
		}
		if w.learned != nil {
			w.learned[g.key] = g.branches[g.picked]
		}
	}
	w.types = bits[g.picked]
	w.v.groups = append(w.v.groups, g)
}

func (w *flattener) decideArray() {
	v := w.v
	v.kind = KindArray
	for _, p := range v.parts {
		v.places = max(v.places, len(p.prefix))
	}
	v.itemRoots = v.itemParts(v.places)
	if v.places > 0 {
		v.kind = KindTuple
		return
	}
	if len(v.itemRoots) == 0 {
		return
	}
	items := (&flattener{schema: w.schema, value: noValue, steps: w.steps, has: func(string) bool { return false }}).flatten(v.itemRoots)
	if items.kind == KindSelect && !items.conditional && !items.nullable && len(items.groups) == 0 {
		v.kind, v.itemView = KindMultiSelect, items
		v.choices, v.choiceIx = items.choices, items.choiceIx
	}
}

func noValue() (any, int, bool) { return nil, 0, false }

// itemParts are the schemas of the item at index i.
func (v *view) itemParts(i int) []*part {
	var out []*part
	for _, p := range v.parts {
		switch {
		case i < len(p.prefix):
			out = append(out, p.prefix[i])
		case p.items != nil:
			out = append(out, p.items)
		case p.unevalItems != nil:
			out = append(out, p.unevalItems)
		}
	}
	return out
}

func (w *flattener) decideObject() {
	v := w.v
	v.declaredIx = map[string]int{}
	v.open = true
	declare := func(name string) *declared {
		i, ok := v.declaredIx[name]
		if !ok {
			i = len(v.declared)
			v.declaredIx[name] = i
			v.declared = append(v.declared, declared{name: name})
		}
		return &v.declared[i]
	}
	extra, named := false, false
	for _, p := range v.parts {
		for _, c := range p.properties {
			declare(c.name)
		}
		named = named || p.raw.Get("properties") != nil
		for _, closed := range []*part{p.additional, p.unevalProps} {
			if closed == nil {
				continue
			}
			if closed.always != nil && !*closed.always {
				v.open = len(p.patterns) > 0 && v.open
			} else {
				extra = true
			}
		}
		extra = extra || len(p.patterns) > 0
	}
	for _, p := range v.parts {
		for _, name := range p.required {
			declare(name).required = true
		}
		for _, d := range p.depRequired {
			if !w.has(d.name) {
				continue
			}
			for _, name := range d.required {
				declare(name).required = true
			}
		}
	}
	for i := range v.declared {
		v.declared[i].roots, _ = v.memberParts(v.declared[i].name)
	}
	v.kind = KindObject
	if len(v.declared) == 0 && v.open && (extra || !named) {
		v.kind = KindMap
	}
}

// memberParts are the schemas of the member with a name, and whether one of
// them names or matches it.
func (v *view) memberParts(name string) (out []*part, described bool) {
	rest := -1
	for i, p := range v.parts {
		hit := false
		if c := p.propertyIx[name]; c != nil {
			out, hit = append(out, c), true
		}
		for _, pp := range p.patterns {
			if pp.pattern.re != nil && pp.pattern.re.MatchString(name) {
				out, hit = append(out, pp.part), true
			}
		}
		if !hit && p.additional != nil {
			out = append(out, p.additional)
			hit = p.additional.always == nil
		}
		if p.unevalProps != nil {
			rest = i
		}
		described = described || hit
	}
	if !described && rest >= 0 {
		out = append(out, v.parts[rest].unevalProps)
	}
	return out, described
}
