package protocol

import "strconv"

// itemsMax bounds the parsed members of a batch. The rest stays in Raw only.
const itemsMax = 100_000

// batch reads the array at i.
func (p *parser) batch(i int) (m Message, end int, ok bool) {
	b := p.b
	m.Kind = Batch
	start := i
	i = skipBlanks(b, i+1)
	if i < len(b) && b[i] == ']' {
		p.find("jsonrpc.batch", Violation, start, "A batch has at least one message.")
		return m, i + 1, true
	}
	batch := p.report
	defer func() { p.report = batch }()
	for {
		i = skipBlanks(b, i)
		if len(m.Items) == itemsMax {
			p.report = nil
			for ; len(m.Items) == itemsMax; i++ {
				if i, ok = p.value(i); !ok {
					return p.brokenBatch(m, batch)
				}
				if i = skipBlanks(b, i); i >= len(b) || b[i] != ',' {
					break
				}
			}
			p.report = batch
			p.find("jsonrpc.batch", Warning, start, "The batch has more than "+strconv.Itoa(itemsMax)+" messages; the rest is kept but not read.")
		} else {
			var found findings
			p.report = &found
			item := Message{}
			at := i
			if i < len(b) && b[i] == '{' {
				item, i, ok = p.object(i)
			} else if i, ok = p.value(i); ok {
				p.find("jsonrpc.shape", Violation, at, "A member of a batch is a JSON object.")
			}
			p.report = batch
			if !ok {
				if at < len(b) && b[at] == '{' {
					item.Raw = b[at:]
					item.Problems = moved(found.finish(), at)
					m.Items = append(m.Items, item)
				}
				return p.brokenBatch(m, batch)
			}
			item.Raw = b[at:i:i]
			item.Problems = moved(found.finish(), at)
			m.Items = append(m.Items, item)
		}
		i = skipBlanks(b, i)
		switch {
		case i < len(b) && b[i] == ',':
			i++
		case i < len(b) && b[i] == ']':
			return m, i + 1, true
		default:
			p.unexpected(i, "',' or ']'")
			return p.brokenBatch(m, batch)
		}
	}
}

func (p *parser) brokenBatch(m Message, batch *findings) (Message, int, bool) {
	m.Kind = Invalid
	batch.add(Problem{"json.syntax", Violation, "", p.errOffset, p.errText})
	return m, len(p.b), false
}

// moved makes offsets count from by.
func moved(problems []Problem, by int) []Problem {
	for i := range problems {
		if problems[i].Offset >= 0 {
			problems[i].Offset -= by
		}
	}
	return problems
}
