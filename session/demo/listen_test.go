package demo

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
)

func listenTo(id, notifications string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"subscriptions/listen","params":{"notifications":%s,%s}}`, id, notifications, meta)
}

// SUB: several requests listen on one connection; each hears what it asked for, under its own id, and the end of one does
// not silence the others.
func TestListenersDoNotDisturbEachOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := openPipe(t)
		expect := func(method string, parts ...string) {
			t.Helper()
			got := p.next()
			if got.Method != method {
				t.Fatalf("%s came instead of %s", got.raw, method)
			}
			for _, part := range parts {
				if !strings.Contains(string(got.Params), part) {
					t.Errorf("%s lacks %s", got.raw, part)
				}
			}
		}
		p.send(listenTo(`9007199254740993`, `{"resourceSubscriptions":["kestrel://clock","kestrel://about"],"toolsListChanged":true}`))
		expect("notifications/subscriptions/acknowledged", `"io.modelcontextprotocol/subscriptionId":9007199254740993`,
			`"resourceSubscriptions":["kestrel://clock"]`, `"toolsListChanged":true`)
		p.send(listenTo(`"two"`, `{"resourceSubscriptions":["kestrel://clock"],"promptsListChanged":true,"resourcesListChanged":true}`))
		expect("notifications/subscriptions/acknowledged", `"io.modelcontextprotocol/subscriptionId":"two"`)
		heard := map[bool]int{}
		for range 6 {
			got := p.next()
			heard[strings.Contains(string(got.Params), `"two"`)]++
		}
		if heard[true] != 3 || heard[false] != 3 {
			t.Errorf("updates: %v", heard)
		}
		p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"two"}}`)
		if got := p.next(); string(got.ID) != `"two"` {
			t.Fatalf("the end of the second: %s", got.raw)
		}
		for range 2 {
			expect("notifications/resources/updated", "9007199254740993", "kestrel://clock")
		}
		p.send(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"toggle_workshop",` + meta + `}}`)
		seen := p.next().raw + p.next().raw
		if !strings.Contains(seen, `"method":"notifications/tools/list_changed"`) || !strings.Contains(seen, `"id":5`) || strings.Contains(seen, "prompts/list_changed") {
			t.Errorf("after the change: %s", seen)
		}
		p.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9007199254740993}}`)
		p.next()
	})
}

func TestListeningToNothingEndsAtOnce(t *testing.T) {
	p := openPipe(t)
	p.send(listenTo("1", `{"resourceSubscriptions":["kestrel://about"]}`))
	if got := p.next(); got.Method != "notifications/subscriptions/acknowledged" || strings.Contains(string(got.Params), "kestrel://about") {
		t.Errorf("acknowledged: %s", got.raw)
	}
	if got := p.next(); string(got.ID) != "1" || got.Error.Code != 0 {
		t.Errorf("the end: %s", got.raw)
	}
	p.send(listenTo("2", "null"))
	if got := p.next(); got.Error.Code != -32602 {
		t.Errorf("without a filter: %s", got.raw)
	}
}

func TestListeningCameWithTheStatelessRevision(t *testing.T) {
	p := openPipe(t)
	p.shakeHands()
	p.send(`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true}}}`)
	if got := p.next(); got.Error.Code != -32601 {
		t.Errorf("answer: %s", got.raw)
	}
}

func TestListenersAreBounded(t *testing.T) {
	ls := listeners{open: map[*listener]bool{}}
	for range maxListeners {
		if !ls.enter(&listener{}) {
			t.Fatal("no room too early")
		}
	}
	if ls.enter(&listener{}) {
		t.Error("no bound")
	}
}

// SUB-08: the server's own end of a subscription has its result, with the id in it.
func TestListeningIsEndedByATool(t *testing.T) {
	p := openPipe(t)
	p.send(listenTo(`"one"`, `{"toolsListChanged":true}`))
	p.next()
	p.send(`{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"end_listening",` + meta + `}}`)
	seen := map[string]string{}
	for range 2 {
		got := p.next()
		seen[string(got.ID)] = got.raw
	}
	if !strings.Contains(seen["5"], "1 listen request was ended") || !strings.Contains(seen[`"one"`], `"io.modelcontextprotocol/subscriptionId":"one"`) {
		t.Errorf("%v", seen)
	}
}

func TestTheWindIsToldAsOftenAsItChanges(t *testing.T) {
	for _, modern := range []bool{false, true} {
		t.Run(map[bool]string{false: "subscribe", true: "listen"}[modern], func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := openPipe(t)
				with := ""
				if modern {
					with = "," + meta
					p.send(listenTo("1", `{"resourceSubscriptions":["kestrel://weather/now"]}`))
				} else {
					p.shakeHands()
					p.send(`{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"kestrel://weather/now"}}`)
				}
				p.next()
				p.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"raise_wind","arguments":{"per_second":1000,"seconds":2}` + with + `}}`)
				updates, answered := 0, false
				for !answered || updates < 2000 {
					switch got := p.next(); {
					case string(got.ID) == "2":
						answered = true
					case got.Method == "notifications/resources/updated":
						updates++
					}
				}
				if updates > 2005 { // the clock of the station ticks too
					t.Errorf("%d updates", updates)
				}
			})
		})
	}
}

// What ticks by itself is told once to a listener that did not take the last ticks; what a tool does is told each time.
func TestListenersThatAreSlow(t *testing.T) {
	l := &listener{wake: make(chan struct{}, 1)}
	for range 3 {
		l.add("kestrel://clock", false)
		l.add(weatherURI, true)
	}
	if got := l.take(); len(got) != 2 || got[0] != (telling{"kestrel://clock", 1}) || got[1] != (telling{weatherURI, 3}) {
		t.Errorf("%v waits to be told", got)
	}
	if got := l.take(); len(got) != 0 {
		t.Errorf("%v waits still", got)
	}
}
