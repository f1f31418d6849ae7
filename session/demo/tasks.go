package demo

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// maxJobs bounds the tasks that are kept.
	maxJobs = 256
	// taskLife is how long a task is kept unless the client or the tool says otherwise; mostLife is the longest.
	taskLife = 5 * time.Minute
	mostLife = time.Hour
	// pollEvery is what clients are asked to wait between two polls.
	pollEvery = 500 * time.Millisecond
)

// The statuses of a task.
const (
	working       = "working"
	inputRequired = "input_required"
	completed     = "completed"
	failedStatus  = "failed"
	cancelled     = "cancelled"
)

// A job is a tool's call that goes on as a task, in either of the two shapes: that of revision 2025-11-25 (core), and that of
// the extension io.modelcontextprotocol/tasks.
type job struct {
	id      string
	core    bool
	session *mcp.ServerSession // core: who is told of the status
	born    time.Time
	stop    context.CancelFunc
	asks    chan *question // core: taken by tasks/result
	over    chan struct{}  // closed at the end
	changed func(*job)     // called after each change of the status, without the lock

	mu      sync.Mutex
	life    time.Duration
	updated time.Time
	status  string
	message string
	result  jsontext.Value // of the tool
	failure *jsonrpc.Error
	open    map[string]*question
	isError bool
}

// A question is one that a job waits for an answer to.
type question struct {
	key    string
	params mcp.InputRequest
	answer chan answer // capacity 1
	failed chan error  // capacity 1: the one who carried it could not
}

// jobs are the tasks of a station.
type jobs struct {
	mu  sync.Mutex
	all []*job // oldest first
}

var errManyJobs = &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: fmt.Sprintf("the observatory keeps %d tasks at most", maxJobs)}

// add keeps a job. It drops those whose time is over, and if need be the oldest that has ended.
func (js *jobs) add(j *job) error {
	js.sweep(time.Now())
	js.mu.Lock()
	defer js.mu.Unlock()
	if len(js.all) >= maxJobs {
		i := slices.IndexFunc(js.all, (*job).ended)
		if i < 0 {
			return errManyJobs
		}
		js.all = slices.Delete(js.all, i, i+1)
	}
	js.all = append(js.all, j)
	return nil
}

// find returns the job of that id and shape, unless its time is over.
func (js *jobs) find(id string, core bool) (*job, error) {
	js.mu.Lock()
	defer js.mu.Unlock()
	for _, j := range js.all {
		if j.id == id && j.core == core && !j.expired(time.Now()) {
			return j, nil
		}
	}
	return nil, invalidParams("there is no task with this id; it may have expired")
}

// kept lists the jobs of one shape that are kept.
func (js *jobs) kept(core bool) []*job {
	js.mu.Lock()
	defer js.mu.Unlock()
	var out []*job
	for _, j := range js.all {
		if j.core == core && !j.expired(time.Now()) {
			out = append(out, j)
		}
	}
	return out
}

// sweep stops and drops the jobs whose time is over.
func (js *jobs) sweep(now time.Time) {
	js.mu.Lock()
	defer js.mu.Unlock()
	js.all = slices.DeleteFunc(js.all, func(j *job) bool {
		if !j.expired(now) {
			return false
		}
		j.stop()
		return true
	})
}

func (j *job) expired(now time.Time) bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return now.After(j.born.Add(j.life))
}

func (j *job) ended() bool {
	select {
	case <-j.over:
		return true
	default:
		return false
	}
}

// keep changes how long the task is kept, counted from its beginning.
func (j *job) keep(life time.Duration) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.life = min(max(life, time.Second), mostLife)
}

// set changes the status, unless the task has ended, and reports whether it did.
func (j *job) set(status, message string, also func()) bool {
	j.mu.Lock()
	if j.status == completed || j.status == failedStatus || j.status == cancelled {
		j.mu.Unlock()
		return false
	}
	j.status, j.message, j.updated = status, message, time.Now()
	if also != nil {
		also()
	}
	ended := status == completed || status == failedStatus || status == cancelled
	if ended {
		clear(j.open)
		close(j.over)
	}
	j.mu.Unlock()
	if ended {
		j.stop()
	}
	j.changed(j)
	return true
}

// say tells how the work is going.
func (j *job) say(format string, args ...any) { j.set(working, fmt.Sprintf(format, args...), nil) }

// ask puts a question to the client and waits for the answer.
func (j *job) ask(ctx context.Context, key string, params mcp.InputRequest) (answer, error) {
	q := &question{key: key, params: params, answer: make(chan answer, 1), failed: make(chan error, 1)}
	j.set(inputRequired, "Waiting for your answer.", func() { j.open[key] = q })
	defer func() {
		j.mu.Lock()
		delete(j.open, key)
		rest := len(j.open)
		j.mu.Unlock()
		if rest == 0 {
			j.say("Thank you.")
		}
	}()
	for {
		asks := j.asks
		if !j.core {
			asks = nil // the client comes with tasks/update
		}
		select {
		case <-ctx.Done():
			return answer{}, ctx.Err()
		case a := <-q.answer:
			return a, nil
		case asks <- q:
		}
		if asks == nil {
			continue
		}
		select {
		case <-ctx.Done():
			return answer{}, ctx.Err()
		case a := <-q.answer:
			return a, nil
		case <-q.failed: // whoever asked for the result is gone: the next one takes it
		}
	}
}

// finish ends the job with what the tool came to.
func (j *job) finish(res mcp.Result, err error) {
	if errors.Is(err, context.Canceled) {
		j.set(cancelled, "The task was cancelled.", nil)
		return
	}
	if err != nil {
		failure := &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: err.Error()}
		_ = errors.As(err, &failure)
		j.set(failedStatus, failure.Message, func() { j.failure = failure })
		return
	}
	text, err := asSDK(res)
	if err != nil {
		j.finish(nil, fmt.Errorf("writing the result: %w", err))
		return
	}
	tool, _ := res.(*mcp.CallToolResult)
	isError := tool != nil && tool.IsError
	status, message := completed, "The survey is done."
	if isError {
		message = "The survey failed."
		if j.core { // where a tool that fails is a task that fails
			status = failedStatus
		}
	}
	j.set(status, message, func() { j.result, j.isError = text, isError })
}

// start runs a tool's call as a job. The context of the work ends with the station or the job.
func (s *station) start(p peer, life time.Duration, work func(context.Context) (mcp.Result, error)) (*job, error) {
	ctx, stop := context.WithCancel(s.life)
	now := time.Now()
	j := &job{
		id: rand.Text(), core: !p.modern(), session: p.session, born: now, updated: now, stop: stop, status: working,
		asks: make(chan *question), over: make(chan struct{}), changed: s.taskChanged, open: map[string]*question{},
	}
	j.keep(life)
	if err := s.jobs.add(j); err != nil {
		stop()
		return nil, err
	}
	if !s.enter() {
		stop()
		return nil, errClosed
	}
	go func() {
		defer s.busy.Done()
		defer stop()
		j.finish(work(withJob(ctx, j)))
	}()
	return j, nil
}

type jobKey struct{}

func withJob(ctx context.Context, j *job) context.Context { return context.WithValue(ctx, jobKey{}, j) }

// jobOf is the job that a tool's call runs as, nil if it is no task.
func jobOf(ctx context.Context) *job {
	j, _ := ctx.Value(jobKey{}).(*job)
	return j
}

// reply gives a job the answers of tasks/update; keys that are not open are ignored.
func (j *job) reply(answers map[string]answer) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for key, a := range answers {
		if q := j.open[key]; q != nil {
			select {
			case q.answer <- a:
			default: // it has one
			}
		}
	}
}
