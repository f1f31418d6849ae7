package ui

import (
	"context"
	"slices"
	"strings"
	"testing"

	"mcploupe/session"
	"mcploupe/session/sessiontest"
	"mcploupe/ui/view"
)

// Servers that answer a listen request wrongly are named in words where their
// subscription is looked at (SUB-04, SUB-05, SUB-08, SUB-09).
func TestMisbehavingListenersAreNamed(t *testing.T) {
	says := map[string][]string{
		"an immediate result":              {"ended by the server with its result", "had not acknowledged it", "L-SUB-01", "was answered with a result before it was acknowledged", "nothing"},
		"types that were not asked for":    {"open", "L-SUB-03", "notifications/prompts/list_changed came on subscription", "which was not acknowledged"},
		"the wrong id":                     {"open", "L-SUB-02", `names the subscription id "other"`},
		"the stream drops":                 {"broken, again in", "the stream ended without a result", "L-SUB-06", "Listen again now"},
		"sends before the acknowledgement": {"acknowledged", "L-SUB-01", "before it was acknowledged"},
		"agrees to more":                   {"acknowledged", "L-SUB-04", "agreed to more than was asked for"},
	}
	for _, c := range sessiontest.MisbehavingListen {
		words := says[c.Name]
		if words == nil {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			server := sessiontest.NewHTTP(t)
			c.Serve(server)
			d := newDesk(t)
			kept, err := d.store.AddServer(session.Target{Name: "bad", URL: server.URL})
			if err != nil {
				t.Fatal(err)
			}
			p := d.open(kept, view.Connected)
			live := paneOf[*livePane](t, d, p)
			p.showPane(slices.Index(p.panes, Pane(live)))
			p.env.withSession(p.conn, "", func(ctx context.Context, sess *session.Session) error {
				_, err := sess.Subscribe(ctx, session.SubscriptionFilter{Raw: []byte(sessiontest.ListenFilter)})
				return err
			})
			for _, want := range words {
				d.await(want, func() bool {
					p.flush()
					return strings.Contains(strings.Join(strings.Fields(texts(live.Object())), " "), want)
				})
			}
		})
	}
}
