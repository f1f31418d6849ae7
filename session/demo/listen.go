package demo

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxListeners bounds the subscriptions/listen requests that are open at one time.
const maxListeners = 256

// requestIDKey is the _meta member in which the id of a subscriptions/listen request travels past the SDK, as JSON text.
const requestIDKey = "kestrel-hill.example/requestId"

// What a listener can be told, besides the URIs of resources.
const (
	toolsChanged     = "notifications/tools/list_changed"
	promptsChanged   = "notifications/prompts/list_changed"
	resourcesChanged = "notifications/resources/list_changed"
)

// A listener is one subscriptions/listen request while it is open. The SDK keeps one such request a session and forgets
// the others' filters when one ends; over stdio, where all share a session, a client may have many. So the demo keeps them.
type listener struct {
	session *mcp.ServerSession
	id      jsontext.Value // of the request, as it came
	agreed  mcp.NotificationSubscriptions
	tasks   []string // ids of those to be told of

	mu      sync.Mutex
	pending []telling     // what is to be told, each event at one place
	wake    chan struct{} // capacity 1: pending is not empty
	over    chan struct{} // closed by end
}

// A telling is an event and how often it is to be told.
type telling struct {
	event string
	times int
}

func (l *listener) wants(event string) bool {
	switch event {
	case toolsChanged:
		return l.agreed.ToolsListChanged
	case promptsChanged:
		return l.agreed.PromptsListChanged
	case resourcesChanged:
		return l.agreed.ResourcesListChanged
	}
	if id, ok := strings.CutPrefix(event, taskEvent); ok {
		return slices.Contains(l.tasks, id)
	}
	return slices.Contains(l.agreed.ResourceSubscriptions, event)
}

// add has an event told. One that waits to be told is told once more only if each is to be.
func (l *listener) add(event string, each bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch i := slices.IndexFunc(l.pending, func(t telling) bool { return t.event == event }); {
	case i < 0:
		l.pending = append(l.pending, telling{event, 1})
	case each:
		l.pending[i].times++
	}
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

func (l *listener) take() []telling {
	l.mu.Lock()
	defer l.mu.Unlock()
	tellings := l.pending
	l.pending = nil
	return tellings
}

// listeners are the open ones, and the way to send to them.
type listeners struct {
	mu   sync.Mutex
	open map[*listener]bool
	send mcp.MethodHandler // the SDK's, set before the server runs
	jobs *jobs
}

// tell has event sent to everyone who listens for it: one of the list changes, or the URI of a resource that changed. Those
// that come faster than a listener takes them are told as one, unless each is to be told.
func (ls *listeners) tell(event string, each bool) {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	for l := range ls.open {
		if l.wants(event) {
			l.add(event, each)
		}
	}
}

// end ends all that are open and returns how many.
func (ls *listeners) end() int {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	n := len(ls.open)
	for l := range ls.open {
		close(l.over)
		delete(ls.open, l)
	}
	return n
}

func (ls *listeners) enter(l *listener) bool {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	if len(ls.open) >= maxListeners {
		return false
	}
	ls.open[l] = true
	return true
}

func (ls *listeners) leave(l *listener) {
	ls.mu.Lock()
	defer ls.mu.Unlock()
	delete(ls.open, l)
}

// capture is a sending middleware that only keeps the way to send.
func (ls *listeners) capture(next mcp.MethodHandler) mcp.MethodHandler {
	ls.send = next
	return next
}

// serve is a receiving middleware that answers subscriptions/listen.
func (ls *listeners) serve(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		listen, ok := req.(*mcp.SubscriptionsListenRequest)
		if !ok || listen.Params.Notifications == nil {
			return next(ctx, method, req)
		}
		if !peerOf(listen).modern() {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeMethodNotFound, Message: method + " came with revision " + stateless}
		}
		id, ok := listen.Params.Meta[requestIDKey].(string)
		if !ok { // the method was written in an unusual way; the SDK's own way will do
			return next(ctx, method, req)
		}
		return ls.listen(ctx, listen, jsontext.Value(id))
	}
}

// listen acknowledges what the observatory agrees to, and stays until the request ends.
func (ls *listeners) listen(ctx context.Context, req *mcp.SubscriptionsListenRequest, id jsontext.Value) (mcp.Result, error) {
	l := &listener{session: req.Session, id: id, agreed: *req.Params.Notifications, wake: make(chan struct{}, 1), over: make(chan struct{})}
	l.agreed.ResourceSubscriptions = slices.DeleteFunc(slices.Clone(l.agreed.ResourceSubscriptions), func(uri string) bool {
		return !slices.Contains(live, uri)
	})
	var err error
	if l.tasks, err = ls.taskIDs(req); err != nil {
		return nil, err
	}
	if !ls.enter(l) {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: fmt.Sprintf("more than %d requests listen", maxListeners)}
	}
	defer ls.leave(l)
	// From here on changes are noted; they are told after the acknowledgement, which has to be the first message.
	ack := &ackParams{}
	ack.Meta, ack.Notifications.NotificationSubscriptions, ack.Notifications.TaskIDs = l.meta(), l.agreed, l.tasks
	_, err = ls.send(ctx, "notifications/subscriptions/acknowledged", &mcp.ServerRequest[*ackParams]{Session: l.session, Params: ack})
	if err != nil {
		return nil, fmt.Errorf("acknowledging the subscription: %w", err)
	}
	done := &mcp.SubscriptionsListenResult{Meta: l.meta()}
	if a := l.agreed; !a.ToolsListChanged && !a.PromptsListChanged && !a.ResourcesListChanged && len(a.ResourceSubscriptions) == 0 && len(l.tasks) == 0 {
		return done, nil
	}
	for {
		select {
		case <-ctx.Done():
			return done, nil
		case <-l.over:
			return done, nil
		case <-l.wake:
		}
		for _, t := range l.take() {
			switch over, err := ls.notifyAll(ctx, l, t); {
			case err != nil:
				return nil, err
			case over:
				return done, nil
			}
		}
	}
}

// notifyAll tells of an event as often as it is to be told. It reports true when the subscription ends meanwhile.
func (ls *listeners) notifyAll(ctx context.Context, l *listener, t telling) (over bool, err error) {
	for range t.times {
		select {
		case <-ctx.Done():
			return true, nil
		case <-l.over:
			return true, nil
		default:
		}
		if err := ls.notify(ctx, l, t.event); err != nil && ctx.Err() == nil {
			return false, fmt.Errorf("sending to a listener: %w", err)
		}
	}
	return false, nil
}

// meta says to which request a message belongs.
func (l *listener) meta() mcp.Meta { return mcp.Meta{mcp.MetaKeySubscriptionID: l.id} }

func (ls *listeners) notify(ctx context.Context, l *listener, event string) error {
	if id, ok := strings.CutPrefix(event, taskEvent); ok {
		return ls.notifyTask(ctx, l, id)
	}
	var req mcp.Request
	method := event
	switch event {
	case toolsChanged:
		req = &mcp.ServerRequest[*mcp.ToolListChangedParams]{Session: l.session, Params: &mcp.ToolListChangedParams{Meta: l.meta()}}
	case promptsChanged:
		req = &mcp.ServerRequest[*mcp.PromptListChangedParams]{Session: l.session, Params: &mcp.PromptListChangedParams{Meta: l.meta()}}
	case resourcesChanged:
		req = &mcp.ServerRequest[*mcp.ResourceListChangedParams]{Session: l.session, Params: &mcp.ResourceListChangedParams{Meta: l.meta()}}
	default:
		method = "notifications/resources/updated"
		req = &mcp.ServerRequest[*mcp.ResourceUpdatedNotificationParams]{
			Session: l.session, Params: &mcp.ResourceUpdatedNotificationParams{Meta: l.meta(), URI: event},
		}
	}
	_, err := ls.send(ctx, method, req)
	return err
}
