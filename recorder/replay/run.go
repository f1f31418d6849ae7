package replay

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/recorder/diff"
)

// Pace says when the next message is sent.
type Pace uint8

// The paces. AsAnswered sends a message as soon as all that the recorded client
// had heard by then has come; AsRecorded waits for its time, too.
const (
	AsAnswered Pace = iota
	AsRecorded
)

// RunOptions tune Run. The zero value is fine.
type RunOptions struct {
	Pace             Pace
	StopAtDifference bool
	// Next is asked before each message; it may wait, and so pauses the run. Its
	// error ends it.
	Next func(context.Context, Step) (Decision, error)
	// OnResult is told of each result, in the order in which they become known.
	OnResult func(Result)
	// OnQuestion is told of each question of the target and what is replied to it,
	// from a goroutine of its own.
	OnQuestion func(Asked)
	// LeaveOpen leaves a question to which the recording has no reply to whoever
	// else answers it, such as a person. Otherwise it is answered with cancel, with
	// no roots or with an error.
	LeaveOpen bool
	// Patience is how much longer than recorded a notification is waited for;
	// default 2 s, negative for not at all.
	Patience time.Duration
	// Heads lets the status and the headers of HTTP and the fields of server-sent
	// events count too.
	Heads bool
	Diff  diff.Options
}

const (
	defaultPatience = 2 * time.Second
	maxGap          = 30 * time.Second // that is waited for because it was recorded
	maxDiffers      = 100              // of one result, across revisions
	drainTime       = 10 * time.Second // for what is under way at the end
)

var errStop = errors.New("stopped")

// Run sends what is chosen of a plan to a target and compares what comes back.
// The target stays open. The error says why the run could not go on, the
// Summary holds what came of it until then.
func Run(ctx context.Context, p *Plan, t Target, o RunOptions) (*Summary, error) {
	if o.Patience == 0 {
		o.Patience = defaultPatience
	}
	o.Diff.Without |= diff.Exit // the target stays open
	if !o.Heads {
		o.Diff.Without |= diff.Status | diff.Headers | diff.EventStream
	}
	r := &run{p: p, t: t, o: o, s: p.script, bind: newBinder(), answers: newAnswerer(p.script), sum: &Summary{},
		open: make(map[int32]*sending), results: make(map[int]*Result), began: time.Now(), done: make(chan *sending, 64)}
	r.was, r.is = p.script.revision, t.Revision()
	r.cross = r.was != nil && r.is != nil && r.was.Modern != r.is.Modern
	r.answers.tell, r.answers.leave = o.OnQuestion, o.LeaveOpen
	r.pairs = diff.NewPairs(p.script.log, t.Log(), o.Diff)
	r.notes = newNotes(r)
	ctx, cancel := context.WithCancel(ctx)
	var serving sync.WaitGroup
	serving.Go(func() { r.answers.serve(ctx, t) })
	r.listChanges(ctx)
	err := r.all(ctx)
	if err == nil || errors.Is(err, errStop) {
		err = r.finish(ctx)
	}
	cancel()
	for _, s := range r.open {
		s.request.Cancel("The replay is over.")
	}
	r.watching.Wait()
	serving.Wait()
	r.summarise()
	return r.sum, err
}

// run is Run at work. One goroutine runs it, but for answers.
type run struct {
	p       *Plan
	t       Target
	o       RunOptions
	s       *script
	bind    *binder
	answers *answerer
	sum     *Summary
	was, is *protocol.Revision
	cross   bool // the revisions are of two eras
	pairs   *diff.Pairs
	notes   *notes
	began   time.Time
	steps   int

	open      map[int32]*sending // by recorded exchange: sent and not ended
	done      chan *sending
	watching  sync.WaitGroup
	results   map[int]*Result // by call
	different bool
}

// sending is a request of the target that stands for a recorded exchange.
type sending struct {
	exchange int32
	call     int
	request  Request
	bindings []Binding
	aside    bool // it belongs to another call's exchange
	givenUp  bool // as it was when recorded
}

func (r *run) all(ctx context.Context) error {
	for i := range r.p.acts {
		a := &r.p.acts[i]
		if err := r.before(ctx, a); err != nil {
			return err
		}
		if r.different && r.o.StopAtDifference {
			r.sum.Stopped = "stopped at the first difference"
			return errStop
		}
		if err := r.act(ctx, a); err != nil {
			return err
		}
	}
	return nil
}

// before waits until an act is due: until all that the recorded client had
// heard by then has come.
func (r *run) before(ctx context.Context, a *act) error {
	for {
		waits := false
		for exchange, s := range r.open {
			e := r.s.ex.At(int(exchange))
			if !s.aside && e.Answer != 0 && e.Answer < a.place.seq && e.State != recorder.ExchangePending {
				waits = true
			}
		}
		if !waits {
			break
		}
		select {
		case s := <-r.done:
			r.ended(s)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	for len(r.done) > 0 {
		r.ended(<-r.done)
	}
	if err := r.notes.await(ctx, a.place.seq); err != nil {
		return err
	}
	at := r.s.time(a.place)
	if r.o.Pace == AsRecorded && len(r.p.acts) > 0 {
		if !sleep(ctx, time.Until(r.began.Add(at-r.s.time(r.p.acts[0].place)))) {
			return context.Cause(ctx)
		}
	}
	return ctx.Err()
}

func (r *run) act(ctx context.Context, a *act) error {
	if a.call >= 0 && !r.p.Calls[a.call].Chosen && a.kind != actNegotiate {
		text := "not chosen"
		if r.p.Calls[a.call].Risk == Destructive {
			text = "not chosen: the tool may destroy something"
		}
		r.result(Result{Call: a.call, Outcome: Skipped, Text: text})
		return nil
	}
	switch a.kind {
	case actNegotiate:
		r.negotiated(a)
		return nil
	case actCancel:
		return r.cancel(ctx, a)
	case actNotify:
		return r.notify(ctx, a)
	}
	return r.send(ctx, a)
}

// negotiated compares what the connection agreed on with what was recorded.
func (r *run) negotiated(a *act) {
	call := r.p.Calls[a.call]
	ex := r.t.Log().Exchanges()
	ex.Take(context.Background())
	for i := range ex.Len() {
		if e := ex.At(i); e.Method == call.Method {
			r.compared(Result{Call: a.call, Exchange: i, Request: e.Request, Answer: e.Answer, Took: e.Took}, call.Exchange)
			return
		}
	}
	r.result(Result{Call: a.call, Outcome: Unmapped, Exchange: -1, Text: "the connection negotiated " + revisionName(r.is) + " without it"})
}

func revisionName(v *protocol.Revision) string {
	if v == nil {
		return "nothing"
	}
	return v.Name
}

// ask lets whoever watches the run decide.
func (r *run) ask(ctx context.Context, a *act, method string, raw []byte, bindings []Binding) ([]byte, Verdict, error) {
	r.steps++
	if r.o.Next == nil {
		return raw, Go, nil
	}
	d, err := r.o.Next(ctx, Step{Call: a.call, Index: r.steps - 1, Of: len(r.p.acts), Seq: a.place.seq, Method: method, Raw: raw, Bindings: bindings})
	if err != nil {
		return nil, Stop, err
	}
	if d.Raw != nil && raw != nil {
		raw = d.Raw
	}
	return raw, d.Verdict, nil
}

// decided handles every verdict but Go; over says that there is nothing left to
// do.
func (r *run) decided(a *act, v Verdict, err error) (over bool, _ error) {
	switch {
	case err != nil:
		return true, fmt.Errorf("before event %d: %w", a.place.seq, err)
	case v == Stop:
		r.sum.Stopped = "stopped by hand"
		return true, errStop
	case v == Skip:
		if a.call >= 0 {
			r.result(Result{Call: a.call, Outcome: Skipped, Exchange: -1, Text: "skipped by hand"})
		}
		return true, nil
	}
	return false, nil
}

func (r *run) notify(ctx context.Context, a *act) error {
	m := r.s.message(a.place)
	if r.cross && m.Kind == protocol.Notification && r.was.Knows(protocol.FromClient, m.Method) && !r.is.Knows(protocol.FromClient, m.Method) {
		r.unmapped(a, m.Method+" has no counterpart in "+r.is.Name)
		return nil
	}
	raw, bindings := r.bind.message(m.Raw, protocol.ID{})
	raw, v, err := r.ask(ctx, a, m.Method, raw, bindings)
	if over, err := r.decided(a, v, err); over {
		return err
	}
	res := Result{Call: a.call, Outcome: Sent, Exchange: -1, Bindings: bindings}
	if err := r.t.Write(ctx, raw); err != nil {
		res.Outcome, res.Text = Failed, err.Error()
	}
	r.result(res)
	return nil
}

// cancel gives up the request that the recorded client gave up. How long it had
// waited until then is what it was about, so it is waited for as recorded.
func (r *run) cancel(ctx context.Context, a *act) error {
	m := r.s.message(a.place)
	s := r.open[a.exchange]
	if s == nil {
		if a.call >= 0 {
			r.result(Result{Call: a.call, Outcome: Skipped, Exchange: -1, Text: "the request was not under way any more"})
		}
		return nil
	}
	gap := r.s.time(a.place) - r.s.time(place{r.s.ex.At(int(a.exchange)).Request, -1})
	wait := time.NewTimer(min(gap, maxGap))
	defer wait.Stop()
	for {
		select {
		case <-wait.C:
			_, reason := protocol.DecodeCancelled(m.Params)
			_, v, err := r.ask(ctx, a, protocol.NotificationCancelled, nil, nil)
			if over, err := r.decided(a, v, err); over {
				return err
			}
			s.givenUp = true
			s.request.Cancel(reason)
			return nil
		case done := <-r.done:
			r.ended(done)
			if done == s {
				return nil // it was faster than before
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

// send sends a request, or does what the target's revision has for it.
func (r *run) send(ctx context.Context, a *act) error {
	m := r.s.message(a.place)
	if r.cross {
		if handled, err := r.mapped(ctx, a, m); handled || err != nil {
			return err
		}
	}
	id := r.t.NextID()
	raw, bindings := r.bind.message(m.Raw, id)
	raw = across(raw, r.was, r.is, r.t.Meta())
	if r.cross && !r.is.Modern && r.becameTask(a) {
		raw = splice(raw, "/params", withMember(lookup(raw, "/params"), "task", jsontext.Value("{}")))
	}
	if r.is != nil && r.is.Modern {
		r.bind.learn(BindSubscription, jsontext.Value(m.ID.String()), jsontext.Value(id.String()))
	}
	raw, v, err := r.ask(ctx, a, m.Method, raw, bindings)
	if over, err := r.decided(a, v, err); over {
		return err
	}
	request, err := r.t.Send(ctx, raw)
	if err != nil {
		if a.call >= 0 {
			r.result(Result{Call: a.call, Outcome: Failed, Exchange: -1, Text: err.Error(), Bindings: bindings})
		}
		return ctx.Err()
	}
	s := &sending{exchange: a.exchange, call: a.call, request: request, bindings: bindings, aside: a.call < 0}
	if !s.aside {
		r.open[a.exchange] = s
		r.answers.played(request.State().Key, a.exchange)
	}
	r.watching.Go(func() {
		select {
		case <-request.Done():
			select {
			case r.done <- s:
			case <-ctx.Done():
			}
		case <-ctx.Done():
		}
	})
	return nil
}

// becameTask reports whether a call was answered with a task: where the client
// chooses that, it has to be asked for again.
func (r *run) becameTask(a *act) bool {
	i := r.s.legAt(a.place.seq)
	return i >= 0 && text(lookup(r.s.message(r.s.legs[i].answer).Result, "/resultType")) == protocol.ResultTask
}

// ended takes a request that is over.
func (r *run) ended(s *sending) {
	st := s.request.State()
	if s.aside {
		return
	}
	delete(r.open, s.exchange)
	res := Result{Call: s.call, Exchange: -1, Request: st.First, Answer: st.Answer, Took: st.Took, Bindings: s.bindings}
	ex := r.t.Log().Exchanges()
	ex.Take(context.Background())
	if i, ok := ex.Of(st.First); ok {
		res.Exchange = i
		r.learn(int(s.exchange), i)
	}
	before := r.s.ex.At(int(s.exchange))
	switch {
	case st.Answer == 0 && before.Answer != 0 && s.givenUp:
		// What a server still says to it is up to the clock.
		res.Outcome, res.Text = Same, "given up, as it was"
	case st.Answer == 0 && before.Answer != 0:
		res.Outcome, res.Text = Missing, st.Err
	case st.Answer == 0:
		r.compared(res, int(s.exchange))
		return
	case st.Message.Error != nil && before.State != recorder.ExchangeError:
		e, _ := protocol.DecodeError(st.Message.Error)
		res.Outcome, res.Text = Failed, e.Error()
	default:
		r.compared(res, int(s.exchange))
		return
	}
	r.result(res)
}

func (r *run) result(res Result) {
	if res.Call < 0 {
		return
	}
	if c := r.p.Calls[res.Call]; c.Exchange >= 0 {
		res.TookBefore = r.s.ex.At(c.Exchange).Took
	}
	r.different = r.different || res.Outcome.Differs()
	r.results[res.Call] = &res
	if r.o.OnResult != nil {
		r.o.OnResult(res)
	}
}

func (r *run) unmapped(a *act, text string) {
	if !slices.Contains(r.sum.Unmapped, text) {
		r.sum.Unmapped = append(r.sum.Unmapped, text)
	}
	if a.call >= 0 {
		r.result(Result{Call: a.call, Outcome: Unmapped, Exchange: -1, Text: text})
	}
}

// finish waits for what is still to come, and compares the recordings.
func (r *run) finish(ctx context.Context) error {
	stopped := r.sum.Stopped != ""
	limit := time.NewTimer(drainTime)
	defer limit.Stop()
	for waiting := !stopped; waiting; {
		waiting = false
		for exchange := range r.open {
			waiting = waiting || r.s.ex.At(int(exchange)).Answer != 0
		}
		if !waiting {
			break
		}
		select {
		case s := <-r.done:
			r.ended(s)
		case <-limit.C:
			waiting = false
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	if !stopped {
		if err := r.notes.await(ctx, r.s.log.Len()+1); err != nil {
			return err
		}
	}
	for exchange, s := range r.open {
		st := s.request.State()
		res := Result{Call: s.call, Exchange: -1, Request: st.First, Bindings: s.bindings}
		if i, ok := r.t.Log().Exchanges().Of(st.First); ok {
			res.Exchange = i
		}
		if r.s.ex.At(int(exchange)).Answer != 0 {
			res.Outcome, res.Text = Missing, "no answer came"
			r.result(res)
			continue
		}
		r.compared(res, int(exchange)) // a subscription, open as it was
	}
	if r.cross {
		return nil
	}
	c, err := diff.Conversations(ctx, r.s.log, r.t.Log(), r.o.Diff)
	if err != nil {
		return fmt.Errorf("comparing the two recordings: %w", err)
	}
	r.sum.Conversation = c
	r.reconcile(c)
	return nil
}

// summarise puts the results in order and says what belongs to no call.
func (r *run) summarise() {
	for i := range r.p.Calls {
		if res := r.results[i]; res != nil {
			r.sum.Results = append(r.sum.Results, *res)
		}
	}
	r.answers.mu.Lock()
	r.sum.Unasked = append(r.sum.Unasked, r.answers.missing...)
	r.answers.mu.Unlock()
	was, is := headers(r.s.log), headers(r.t.Log())
	for name, to := range is {
		from, kind := was[name], BindCredentials
		if strings.EqualFold(name, protocol.HeaderSession) {
			kind = BindSession
		}
		r.sum.Bindings = append(r.sum.Bindings, Binding{kind, from, to, name})
	}
	slices.SortFunc(r.sum.Bindings, func(a, b Binding) int { return strings.Compare(a.Where, b.Where) })
}
