package protocol

// salvage finds the members of an object whose text breaks the grammar
// somewhere, by counting brackets and quotes only. It serves to say which
// request a broken answer belongs to; values are not to be trusted as JSON.
func salvage(b []byte, i int) (f fields) {
	i++
	for i < len(b) {
		for i < len(b) && (isBlank(b[i]) || b[i] == ',') {
			i++
		}
		if i >= len(b) || b[i] != '"' {
			return f
		}
		m := member{nameAt: i}
		if m.nameTo = looseString(b, i); m.nameTo < 0 {
			return f
		}
		i = skipBlanks(b, m.nameTo)
		if i >= len(b) || b[i] != ':' {
			return f
		}
		m.at = skipBlanks(b, i+1)
		m.to = looseValue(b, m.at)
		i = m.to
		for m.to > m.at && isBlank(b[m.to-1]) {
			m.to--
		}
		// A value that the end of the text cut off may not be all of it.
		if i < len(b) && m.to > m.at {
			f.set(b[m.nameAt+1:m.nameTo-1], m)
		}
		if i >= len(b) || b[i] != ',' {
			return f
		}
	}
	return f
}

// looseString returns the offset after the string at i, -1 if it has no end.
func looseString(b []byte, i int) int {
	for i++; i < len(b); i++ {
		switch b[i] {
		case '"':
			return i + 1
		case '\\':
			i++
		}
	}
	return -1
}

// looseValue returns the offset of the comma or bracket after the value at i.
func looseValue(b []byte, i int) int {
	level := 0
	for ; i < len(b); i++ {
		switch b[i] {
		case '"':
			end := looseString(b, i)
			if end < 0 {
				return len(b)
			}
			i = end - 1
		case '{', '[':
			level++
		case '}', ']':
			if level == 0 {
				return i
			}
			level--
		case ',':
			if level == 0 {
				return i
			}
		}
	}
	return i
}
