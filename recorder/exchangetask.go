package recorder

import (
	"bytes"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
)

const (
	maxRoundsOpen = 1024 // exchanges that may wait for their next round
	maxCreators   = 256  // answers that may have started a task
	maxCreator    = 16 << 10
)

// roundBegins notes that an answer asked for input (MRTR-02).
func (x *Exchanges) roundBegins(v *liveExchange, at int64) {
	v.begins(at)
	v.round = true
	if ex := &x.list[v.n]; ex.rounds < 1<<16-1 {
		ex.rounds++
	}
	x.tie.rounds = append(x.tie.rounds, v.n)
	if len(x.tie.rounds) > maxRoundsOpen {
		x.tie.rounds = slices.Delete(x.tie.rounds, 0, 1)
	}
}

// retryOf finds the exchange whose next round a request is: the oldest one that
// waits for it, asked the same thing and gave the state that comes back. When
// only one waits, input that comes with another state is for it too: the state
// may have been edited.
func (x *Exchanges) retryOf(seq uint64, e *entry) (uint32, bool) {
	var waiting []uint32
	kept := x.tie.rounds[:0]
	for _, n := range x.tie.rounds {
		v, ok := x.tie.live.get(n)
		if !ok || !v.round {
			continue
		}
		kept = append(kept, n)
		if first := x.log.index.at(uint64(x.list[n].request)); first.dir() == e.dir() && first.id>>48 == e.id>>48 && first.ref>>48 == e.ref>>48 {
			waiting = append(waiting, n)
		}
	}
	x.tie.rounds = kept
	if len(waiting) == 0 {
		return 0, false
	}
	m, ok := x.peek(seq, e)
	if !ok {
		return 0, false
	}
	state, _, hasState := protocol.Lookup(m.Params, "/requestState")
	_, _, hasInput := protocol.Lookup(m.Params, "/inputResponses")
	if !hasState && !hasInput {
		return 0, false
	}
	found := -1
	for i, n := range waiting {
		answer := uint64(x.list[n].answer)
		m, ok := x.peek(answer, x.log.index.at(answer))
		if !ok {
			continue
		}
		if given, _, _ := protocol.Lookup(m.Result, "/requestState"); sameText(given, state) {
			found = i
			break
		}
	}
	if found < 0 && len(waiting) == 1 && hasInput {
		found = 0
	}
	if found < 0 {
		return 0, false
	}
	n := waiting[found]
	v, _ := x.tie.live.get(n)
	was := v.waiting()
	v.round, v.current = false, uint32(seq)
	x.waitEnds(v, was, e.time)
	return n, true
}

// sameText compares two JSON values as strings, or as they are written.
func sameText(a, b jsontext.Value) bool {
	s, ok := protocol.StringValue(a)
	t, both := protocol.StringValue(b)
	return bytes.Equal(a, b) || ok && both && s == t
}

// taskOf finds the exchange that started the task which a message names.
func (x *Exchanges) taskOf(seq uint64) (uint32, bool) {
	return x.taskNamed(x.log.Head(seq).Name)
}

// relatedTask finds the exchange that started the task which a question of the
// server says it belongs to (TASK-15).
func (x *Exchanges) relatedTask(seq uint64, e *entry) (uint32, bool) {
	if len(x.tie.creators) == 0 && x.tie.tasks.empty() {
		return 0, false // nothing is read
	}
	m, ok := x.peek(seq, e)
	if !ok {
		return 0, false
	}
	meta, _, _ := protocol.Lookup(m.Params, "/_meta")
	id, ok := protocol.RelatedTask(meta)
	if !ok {
		return 0, false
	}
	return x.taskNamed(string(cutWord([]byte(id))))
}

// taskNamed finds the exchange that started the task with that id.
func (x *Exchanges) taskNamed(name string) (uint32, bool) {
	if name == "" {
		return 0, false
	}
	if n, ok := x.tie.tasks.get(name); ok {
		return n, true
	}
	// Only now it pays to look at answers that do not say in their envelope
	// that they started a task; each is looked at once.
	for _, answer := range x.tie.creators {
		if n := x.owner[answer-1]; n != 0 && x.list[n-1].answer == answer {
			x.taskBegins(n-1, uint64(answer))
		}
	}
	x.tie.creators = x.tie.creators[:0]
	return x.tie.tasks.get(name)
}

// mayBeTask remembers an answer that may have started a task.
func (x *Exchanges) mayBeTask(seq uint64, e *entry) {
	if e.size > maxCreator || e.msg() != protocol.Result || x.statusWord(e) != statusOK {
		return
	}
	if len(x.tie.creators) >= maxCreators {
		x.tie.creators = slices.Delete(x.tie.creators, 0, maxCreators/2)
	}
	x.tie.creators = append(x.tie.creators, uint32(seq))
}

// taskBegins makes an exchange one that goes on as a task, if its answer is one.
func (x *Exchanges) taskBegins(n uint32, answer uint64) {
	e := x.log.index.at(answer)
	m, ok := x.peek(answer, e)
	if !ok {
		return
	}
	id := taskMember(m.Result, "taskId")
	if id == "" {
		if x.list[n].state == ExchangePending { // said to be a task, and is none
			x.list[n].state = ExchangeInvalid
			x.close(n, e.time)
		}
		return
	}
	x.tie.tasks.put(string(cutWord([]byte(id))), n)
	x.close(n, e.time)
	x.list[n].flags |= flagTask
	x.list[n].state = ExchangePending
	x.open(n, x.list[n].request, false)
}

// taskMember is a string of a task: flat in the result, or in its member task
// (2025-11-25).
func taskMember(result jsontext.Value, name string) string {
	for _, at := range []string{"/task/", "/"} {
		if v, _, ok := protocol.Lookup(result, at+name); ok {
			s, _ := protocol.StringValue(v)
			return s
		}
	}
	return ""
}

// taskReplied takes the answer to a request about the task of an exchange.
func (x *Exchanges) taskReplied(n, asked uint32, class methodClass, seq uint64, e *entry) {
	ex := &x.list[n]
	switch {
	case class == classTaskResult:
		ex.flags |= flagTaskOver
		ex.answer = uint32(seq)
		x.list[n].state = x.resultOf(seq, e)
		x.close(n, e.time)
	case class == classTaskGet && e.msg() == protocol.Result:
		if m, ok := x.peek(seq, e); ok {
			x.taskStatus(n, m.Result, seq, e.time)
		}
	case class == classTaskGet && e.msg() == protocol.Error && ex.flags&flagTaskOver == 0 &&
		x.log.Head(uint64(asked)).Method == protocol.MethodTasksGet:
		m, ok := x.peek(seq, e)
		if failure, _ := protocol.DecodeError(m.Error); !ok || !failure.HasCode(protocol.CodeInvalidParams) {
			return
		}
		ex.flags |= flagTaskOver // the server does not know it any more: nobody will hear how it ended
		x.list[n].state = ExchangeLost
		x.close(n, e.time)
	}
}

// taskStatus takes what a message says of the task of an exchange: its status,
// and where it is over perhaps how (TASK-23, TSKX-07).
func (x *Exchanges) taskStatus(n uint32, task jsontext.Value, seq uint64, at int64) {
	ex := &x.list[n]
	if ex.flags&flagTaskOver != 0 {
		return
	}
	failed, _, _ := protocol.Lookup(task, "/result/isError")
	end := ExchangePending
	status := taskMember(task, "status")
	switch {
	case status == "cancelled":
		end = ExchangeCancelled
	case (status == "completed" || status == "failed") && string(failed) == "true":
		end = ExchangeToolError
	case status == "completed":
		end = ExchangeOK
	case status == "failed":
		end = ExchangeError
	}
	if end == ExchangePending {
		_, _, asks := protocol.Lookup(task, "/inputRequests")
		if status != resultInputRequired {
			x.taskAnswered(n, at)
		} else if v, ok := x.tie.live.get(n); ok && asks {
			v.begins(at)
			v.asked = true
		}
		return
	}
	ex.flags |= flagTaskOver
	if end != ExchangeCancelled {
		ex.answer = uint32(seq)
	}
	x.list[n].state = end
	x.close(n, at)
}

// taskAnswered notes that a task has the input that it waited for.
func (x *Exchanges) taskAnswered(n uint32, at int64) {
	if v, ok := x.tie.live.get(n); ok {
		was := v.waiting()
		v.asked = false
		x.waitEnds(v, was, at)
	}
}
