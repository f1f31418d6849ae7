package view

import (
	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/recorder/replay"
	"mcploupe/session"
)

// ReplayQuestion is something that the server asked during a run.
type ReplayQuestion struct {
	Method string
	About  string // the message or the prompt
	From   uint64 // event of the recorded question whose answer was given, 0 for none
	Answer string // on one line, "" when the person is asked
	Key    uint64 // as in session.Ask
}

// maxAsked bounds the questions of a server that are kept.
const maxAsked = 1000

// question takes a question of the server, from the run.
func (r *Replay) question(q replay.Asked) {
	r.mu.Lock()
	row := ReplayQuestion{Method: line(q.Method, 60), About: line(aboutQuestion(q.Method, q.Params), 200), From: q.Seq, Key: q.Key}
	if !q.Open {
		answer := q.Result
		if answer == nil {
			answer = q.Fault
		}
		row.Answer = line(string(answer[:min(len(answer), 400)]), 200)
	}
	if len(r.run.asked) < maxAsked {
		r.run.asked = append(r.run.asked, row)
	} else {
		r.run.more++
	}
	r.mu.Unlock()
	r.o.Changed()
}

// aboutQuestion is what a question of the server says.
func aboutQuestion(method string, params jsontext.Value) string {
	switch method {
	case protocol.MethodElicit:
		return protocol.DecodeElicitation(params, nil).Message
	case protocol.MethodSampling:
		return SamplingOf(params).Brief(200)
	}
	return ""
}

// Questions are what the server asked during the last run. The slice is shared:
// do not change it.
func (r *Replay) Questions() (asked []ReplayQuestion, more int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.run == nil {
		return nil, 0
	}
	return r.run.asked[:len(r.run.asked):len(r.run.asked)], r.run.more
}

// OpenQuestion is the first question of the server that the recording has no
// answer to and that still waits for the person.
func (r *Replay) OpenQuestion() (q ReplayQuestion, waits int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.run == nil || r.run.conn == nil {
		return q, 0
	}
	if phase, _ := r.run.conn.Phase(); !phase.Live() || r.phase != ReplayRunning && !r.keep {
		return q, 0
	}
	open := map[uint64]bool{}
	for _, a := range r.run.conn.State().Asks {
		open[a.Key] = a.State == session.AskOpen
	}
	for _, asked := range r.run.asked {
		if asked.Answer == "" && open[asked.Key] {
			if waits++; waits == 1 {
				q = asked
			}
		}
	}
	return q, waits
}
