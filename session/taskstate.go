package session

import (
	"time"

	"mcploupe/protocol"
)

// TaskOrigin is how a task came to be known.
type TaskOrigin uint8

// The origins of a Task.
const (
	TaskOfCall   TaskOrigin = iota // a call of this session became it
	TaskListed                     // tasks/list named it: it may be another client's
	TaskNotified                   // the server told of it, unasked
	TaskRestored                   // an older session left it (TSKX-06)
	TaskByHand                     // a raw request was answered with it, or AddTask named it
)

// String is the origin in a few words.
func (o TaskOrigin) String() string {
	return [...]string{"called here", "found in the list", "told by the server", "from an earlier session", "named by hand"}[o]
}

// TaskLoss is why a task is not followed any more though the server did not say
// that it is over.
type TaskLoss uint8

// The reasons. TaskKept is none.
const (
	TaskKept        TaskLoss = iota
	TaskGone                 // the server does not know it any more
	TaskUnreachable          // too many polls in succession came to nothing
	TaskLeft                 // the person stopped following it
)

// String is the reason in a few words.
func (l TaskLoss) String() string {
	return [...]string{"", "gone", "unreachable", "not followed"}[l]
}

// TaskOptions make a call a task of 2025-11-25. In 2026-07-28 the server alone
// decides, and they change nothing (TSKX-02).
type TaskOptions struct {
	TTL   time.Duration // asked for, whole milliseconds; 0 leaves it to the server
	Force bool          // also where the server or the tool does not allow it (TASK-03, TASK-04)
}

// Task is a snapshot of one task of the server.
type Task struct {
	Key    uint64 // unique in the session
	ID     string
	Kind   protocol.TaskKind
	Origin TaskOrigin
	Tool   string // "" if unknown
	Call   uint64 // CallState.Key of the call that became it, 0 if none did

	Status               protocol.TaskStatus // as the server last said, "" before that
	Message              string
	CreatedAt, UpdatedAt string    // as sent
	Created, Updated     time.Time // of these, by the server's clock; zero when they cannot be read
	TTL                  string    // as sent: milliseconds, "null" for unlimited, "" when absent
	PollInterval         string    // as sent, milliseconds

	Since    time.Time // when it was first seen here
	Born     time.Time // when the server made it, by this side's clock, as near as is known; not after Since
	Changed  time.Time // when its status last changed here
	Expires  time.Time // when its ttl is over by this side's clock (TSKX-15), zero for never
	Interval time.Duration
	NextPoll time.Time // zero when none is due
	LastPoll time.Time
	Polling  bool // a poll is under way
	Polls    int  // so far
	Failures int  // in succession
	Err      string

	CreatedSeq uint64 // event that made it known
	StatusSeq  uint64 // event that last told its status
	ResultSeq  uint64 // event that told how it ended: see protocol.TaskOutcome; 0 before that

	InputKeys  []string  // extension: keys that the server waits for, answered here or not
	Answered   []string  // extension: keys that were answered
	Waiting    int       // questions of it among State.Asks
	Cancelling time.Time // when tasks/cancel was sent, zero if it was not
	Loss       TaskLoss
	Problems   []protocol.Problem
}

// Over reports whether the task has ended as the server says.
func (t Task) Over() bool { return t.Status.Over() }

// Followed reports whether the session asks for its status by itself.
func (t Task) Followed() bool { return !t.NextPoll.IsZero() || t.Polling }

// Age is how long ago the server made the task, by this side's clock.
func (t Task) Age(now time.Time) time.Duration {
	if t.Born.IsZero() {
		return now.Sub(t.Since)
	}
	return now.Sub(t.Born)
}

// age takes a report that came now: of a task that was not made by a call of this
// session the server's own times tell how long it has been there at least.
func (t *Task) age(now time.Time) {
	if t.Born.IsZero() {
		t.Born = t.Since
	}
	if t.Origin == TaskOfCall || t.Created.IsZero() || t.Updated.IsZero() {
		return
	}
	if least := now.Add(t.Created.Sub(t.Updated)); least.Before(t.Born) {
		t.Born = least
	}
}

// Left is how long its ttl lasts, negative when it is over; ok is false when
// there is none.
func (t Task) Left(now time.Time) (left time.Duration, ok bool) {
	if t.Expires.IsZero() {
		return 0, false
	}
	return t.Expires.Sub(now), true
}

// TaskRef names a task to a later session (TSKX-06).
type TaskRef struct {
	ID   string            `json:"id"`
	Kind protocol.TaskKind `json:"kind"`
	Tool string            `json:"tool,omitempty"`
}
