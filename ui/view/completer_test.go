package view

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"mcploupe/protocol"
)

// desk of a completer: counts what is asked and answers after a while.
type answering struct {
	wg      sync.WaitGroup
	mu      sync.Mutex
	asked   []string
	takes   time.Duration
	err     error
	changes int
}

func (a *answering) completer(ctx context.Context) *Completer {
	return newCompleter(func(ctx context.Context, q Subject) (protocol.Completion, error) {
		a.mu.Lock()
		a.asked = append(a.asked, q.Value)
		a.mu.Unlock()
		select {
		case <-time.After(a.takes):
			return protocol.Completion{Values: []string{q.Value + "!"}, HasMore: true, Total: "12"}, a.err
		case <-ctx.Done():
			return protocol.Completion{}, ctx.Err()
		}
	}, func(f func(context.Context)) { a.wg.Go(func() { f(ctx) }) }, func() { a.mu.Lock(); a.changes++; a.mu.Unlock() })
}

func TestCompletionWaitsForAPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &answering{takes: 10 * time.Millisecond}
		c := a.completer(t.Context())
		for _, text := range []string{"", "a", "an", "and"} {
			c.Want(Subject{Argument: "x", Value: text})
			time.Sleep(CompletionDelay / 2)
		}
		time.Sleep(CompletionDelay)
		synctest.Wait()
		if len(a.asked) != 1 || a.asked[0] != "and" {
			t.Errorf("asked %q", a.asked)
		}
		got := c.Suggestions()
		if got == nil || len(got.Values) != 1 || got.Values[0] != "and!" || got.More == "" || a.changes != 1 {
			t.Errorf("suggestions %+v, %d changes", got, a.changes)
		}
		a.wg.Wait()
	})
}

func TestCompletionForgetsLateAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &answering{takes: time.Second}
		c := a.completer(t.Context())
		c.Want(Subject{Argument: "x", Value: "old"})
		time.Sleep(CompletionDelay + time.Millisecond)
		synctest.Wait()
		c.Want(Subject{Argument: "x", Value: "new"})
		time.Sleep(CompletionDelay + 2*time.Second)
		synctest.Wait()
		if got := c.Suggestions(); got == nil || got.Value != "new" || a.changes != 1 {
			t.Errorf("suggestions %+v, %d changes", got, a.changes)
		}
		c.Want(Subject{Argument: "x", Value: "third"})
		c.Drop()
		time.Sleep(CompletionDelay + 2*time.Second)
		synctest.Wait()
		if len(a.asked) != 2 || c.Suggestions() != nil {
			t.Errorf("after Drop: asked %q, %+v", a.asked, c.Suggestions())
		}
		a.wg.Wait()
	})
}

func TestCompletionEndsWithItsOwner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &answering{takes: time.Hour}
		ctx, end := context.WithCancel(t.Context())
		c := a.completer(ctx)
		c.Want(Subject{Argument: "x"})
		time.Sleep(CompletionDelay + time.Millisecond)
		synctest.Wait()
		end()
		a.wg.Wait()
		if a.changes != 0 {
			t.Error("an answer that nobody waited for was shown")
		}
	})
}

func TestCompletionFailureIsSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		a := &answering{err: errors.New("no such prompt")}
		c := a.completer(t.Context())
		c.Want(Subject{Argument: "x"})
		a.wg.Wait()
		if got := c.Suggestions(); got == nil || got.Err != "no such prompt" {
			t.Errorf("suggestions %+v", got)
		}
	})
}

// COMP-03: older revisions do not know the other arguments.
func TestCompletionContextByRevision(t *testing.T) {
	q := Subject{Ref: PromptRef(`a"b`), Argument: "repo", Value: "m", Others: []NamedValue{{"owner", "x"}}}
	old, _ := protocol.RevisionByName("2025-03-26")
	if got, want := string(completionParams(q, old)), `{"ref":{"type":"ref/prompt","name":"a\"b"},"argument":{"name":"repo","value":"m"}}`; got != want {
		t.Errorf("2025-03-26: %s", got)
	}
	now, _ := protocol.RevisionByName("2025-11-25")
	if got, want := string(completionParams(q, now)), `{"ref":{"type":"ref/prompt","name":"a\"b"},"argument":{"name":"repo","value":"m"},"context":{"arguments":{"owner":"x"}}}`; got != want {
		t.Errorf("2025-11-25: %s", got)
	}
}
