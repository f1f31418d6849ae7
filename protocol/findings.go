package protocol

import (
	"math/bits"
	"strconv"
	"unicode/utf8"
)

// Bounds of what a scanner remembers and reports. None of them limits what it
// reads.
const (
	commonDepth = 128    // deeper nesting makes some JSON parsers give up
	frameDepth  = 10_000 // levels with a pointer and a check for duplicates
	pointerMax  = 256    // steps of a pointer; deeper findings name an ancestor
	stepMax     = 1024   // bytes of a step; longer names too
	findingsMax = 20     // findings of one rule in one message
)

// findings collects the problems of one message.
type findings struct {
	problems []Problem
	dropped  int
}

// full reports that a rule has all the findings that it may have, and counts
// the one that has no room.
func (f *findings) full(rule string) bool {
	if len(f.problems) < findingsMax {
		return false
	}
	n := 0
	for i := range f.problems {
		if f.problems[i].Rule == rule {
			n++
		}
	}
	if n < findingsMax {
		return false
	}
	f.dropped++
	return true
}

func (f *findings) add(p Problem) { f.problems = append(f.problems, p) }

// finish returns what was found.
func (f *findings) finish() []Problem {
	if f.dropped > 0 {
		f.problems = append(f.problems, Problem{"json.more", Info, "", -1,
			strconv.Itoa(f.dropped) + " further findings of the same kinds are not listed."})
	}
	return f.problems
}

func (s *scanner) find(rule string, severity Severity, at int, text string) {
	if s.report != nil && !s.report.full(rule) {
		s.report.add(Problem{rule, severity, s.pointer(), at, text})
	}
}

func (s *scanner) checkDepth(at int) {
	if s.level > commonDepth && s.report != nil && !s.deepSeen {
		s.deepSeen = true
		s.find("json.depth", Warning, at, "Values are nested more than "+strconv.Itoa(commonDepth)+" levels deep, where some JSON parsers stop.")
	}
}

// pointer names the value that is being read, or an ancestor pointerMax steps
// deep.
func (s *scanner) pointer() string {
	var p []byte
	for i := range min(len(s.frames), pointerMax) {
		f := &s.frames[i]
		switch {
		case !s.isObject(i):
			p = strconv.AppendInt(append(p, '/'), int64(f.index), 10)
		case f.nameAt >= 0:
			name, ok := s.nameText(f.nameAt)
			if !ok || len(name) > stepMax {
				return string(p)
			}
			p = appendPointer(p, name)
		}
	}
	return string(p)
}

func appendPointer(p []byte, step string) []byte {
	p = append(p, '/')
	for i := range len(step) {
		switch step[i] {
		case '~':
			p = append(p, "~0"...)
		case '/':
			p = append(p, "~1"...)
		default:
			p = append(p, step[i])
		}
	}
	return p
}

// nameText decodes the name whose quote is at i.
func (s *scanner) nameText(i int) (string, bool) {
	quiet := scanner{b: s.b}
	end, escaped, ok := quiet.str(i)
	if !ok {
		return "", false
	}
	if escaped {
		return string(unescape(nil, s.b[i+1:end-1])), true
	}
	return string(s.b[i+1 : end-1]), true
}

// duplicates reports names that an object has more than once. It is called
// when the object has just been closed.
func (s *scanner) duplicates(names []nameRef) {
	if len(names) <= 16 {
		for i := range names {
			for j := range i {
				if names[i].hash == names[j].hash && s.duplicate(names[j], names[i]) {
					break
				}
			}
		}
		return
	}
	size := 1 << bits.Len(uint(len(names)*2))
	if cap(s.table) < size {
		s.table = make([]int32, size)
	}
	table := s.table[:size]
	clear(table)
	mask := uint64(size - 1)
	for i := range names {
		for slot := names[i].hash & mask; ; slot = (slot + 1) & mask {
			if table[slot] == 0 {
				table[slot] = int32(i + 1)
				break
			}
			if other := names[table[slot]-1]; other.hash == names[i].hash && s.duplicate(other, names[i]) {
				break
			}
		}
	}
}

func (s *scanner) duplicate(first, again nameRef) bool {
	if s.report.full("json.duplicate") {
		return true
	}
	name, _ := s.nameText(again.at)
	if other, _ := s.nameText(first.at); other != name {
		return false
	}
	pointer := s.pointer()
	if len(name) <= stepMax {
		pointer = string(appendPointer([]byte(pointer), name))
	}
	s.report.add(Problem{"json.duplicate", Warning, pointer, again.at,
		"The member " + strconv.Quote(clip(name)) + " appears more than once; readers differ in which one they take."})
	return true
}

// clip shortens foreign text for a sentence.
func clip(s string) string {
	const most = 60
	if len(s) <= most {
		return s
	}
	cut := most
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}
