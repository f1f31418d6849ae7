package replay

import (
	"context"
	"regexp"
	"slices"

	"mcploupe/protocol"
	"mcploupe/protocol/jsonvalue"
	"mcploupe/recorder/diff"
)

// mapped does in the target's revision what a request says in the recorded one;
// handled is false when the request can be sent as it is.
func (r *run) mapped(ctx context.Context, a *act, m protocol.Message) (handled bool, err error) {
	var do func() error
	switch {
	case r.is.Modern && m.Method == protocol.MethodSetLevel:
		do = func() error { return r.t.SetLevel(ctx, text(lookup(m.Params, "/level"))) }
	case r.is.Modern && m.Method == protocol.MethodResourcesSubscribe:
		do = func() error { return r.t.Subscribe(ctx, Wanted{URIs: []string{protocol.NameOf(m.Method, m.Params)}}) }
	case r.is.Modern && m.Method == protocol.MethodResourcesUnsubscribe:
		do = func() error { return r.t.Unsubscribe(ctx, protocol.NameOf(m.Method, m.Params)) }
	case !r.is.Modern && m.Method == protocol.MethodSubscriptionsListen:
		w := Wanted{}
		for _, uri := range protocol.Elements(lookup(m.Params, "/notifications/resourceSubscriptions")) {
			w.URIs = append(w.URIs, text(uri))
		}
		do = func() error { return r.t.Subscribe(ctx, w) }
	case r.was.Knows(protocol.FromClient, m.Method) && !r.is.Knows(protocol.FromClient, m.Method):
		r.unmapped(a, m.Method+" has no counterpart in "+r.is.Name)
		return true, nil
	default:
		return false, r.level(ctx, m)
	}
	_, v, err := r.ask(ctx, a, m.Method, nil, nil)
	if over, err := r.decided(a, v, err); over {
		return true, err
	}
	res := Result{Call: a.call, Outcome: Same, Exchange: -1, Text: "done in the way of " + r.is.Name}
	if err := do(); err != nil {
		res.Outcome, res.Text = Failed, err.Error()
	}
	r.result(res)
	return true, ctx.Err()
}

// listChanges asks a modern target for the changes of lists that an older server
// told of unasked.
func (r *run) listChanges(ctx context.Context) {
	if !r.cross || !r.is.Modern {
		return
	}
	var w Wanted
	for seq := uint64(1); seq <= r.s.log.Len(); seq++ {
		switch r.s.log.Head(seq).Method {
		case protocol.NotificationToolsChanged:
			w.Tools = true
		case protocol.NotificationPromptsChanged:
			w.Prompts = true
		case protocol.NotificationResourcesChanged:
			w.Resources = true
		}
	}
	if !w.Tools && !w.Prompts && !w.Resources {
		return
	}
	if err := r.t.Subscribe(ctx, w); err != nil {
		r.sum.Unmapped = append(r.sum.Unmapped, "The changes of lists could not be asked for: "+err.Error())
	}
}

// level asks an older target for the log messages that a modern request asks
// for in its _meta.
func (r *run) level(ctx context.Context, m protocol.Message) error {
	level := text(lookup(m.Params, metaPath+"logLevel"))
	if r.is.Modern || level == "" || level == r.notes.level {
		return nil
	}
	r.notes.level = level
	if err := r.t.SetLevel(ctx, level); err != nil {
		r.sum.Unmapped = append(r.sum.Unmapped, "The log level could not be set: "+err.Error())
	}
	return nil
}

// acrossEras compares the outcomes of two exchanges in the words of both eras.
func (r *run) acrossEras(before int, res Result) (out []diff.Difference) {
	was := r.s.ex.At(before)
	if was.Method == protocol.MethodInitialize || was.Method == protocol.MethodDiscover || res.Answer == 0 {
		return nil
	}
	a, errA := r.s.log.Message(was.Answer)
	b, errB := r.t.Log().Message(res.Answer)
	if errA != nil || errB != nil {
		return nil
	}
	for _, d := range compare(core(a), core(b), maxDiffers, func(_, x, y string) bool { return r.oneOrigin(x, y) }) {
		kind := diff.Changed
		switch {
		case taskSupport.MatchString(d.Pointer): // which 2026-07-28 says otherwise
			continue
		case d.Before == nil:
			kind = diff.Added
		case d.After == nil:
			kind = diff.Removed
		}
		out = append(out, diff.Difference{Severity: diff.Differs, Kind: kind, Class: diff.Results, SeqA: was.Answer, SeqB: res.Answer,
			PointerA: d.Pointer, PointerB: d.Pointer, Before: string(d.Before), After: string(d.After), Text: d.String()})
	}
	return out
}

var taskSupport = regexp.MustCompile(`^/tools/\d+/execution$`)

// core is an answer without what only one era says.
func core(m protocol.Message) *jsonvalue.Value {
	v := m.Result
	if v == nil {
		v = m.Error
	}
	if lookup(v, "/taskId") != nil { // a task that has ended holds what it came to
		if ended := lookup(v, "/result"); ended != nil {
			v = ended
		} else if ended := lookup(v, "/error"); ended != nil {
			v = ended
		}
	}
	v = without(v, func(name string) bool {
		return slices.Contains([]string{"resultType", "ttlMs", "cacheScope", "_meta"}, name)
	})
	parsed, err := jsonvalue.Parse(v)
	if err != nil {
		return &jsonvalue.Value{Kind: 'n', Lit: "null"}
	}
	return parsed
}
