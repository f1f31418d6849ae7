package session

import "time"

// maxProgressRate is how many progress reports a second of one request are no
// flood (L-PROG-05).
const maxProgressRate = 100

// burst counts what comes within one second.
type burst struct {
	second int64
	count  int
	told   bool
}

// over counts one more, and reports true the first time that there are too many
// in a second.
func (b *burst) over(now time.Time) bool {
	if n := now.Unix(); n != b.second {
		b.second, b.count = n, 0
	}
	b.count++
	if b.count <= maxProgressRate || b.told {
		return false
	}
	b.told = true
	return true
}
