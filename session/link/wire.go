package link

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"mcploupe/protocol"
	"mcploupe/recorder"
)

// HTTPTarget says where a server listens and what every request carries.
type HTTPTarget struct {
	URL          string
	Headers      []protocol.HeaderField // replace the link's own of the same name
	Bearer       string                 // token for Authorization, unless Headers has one
	CAFile       string                 // PEM file of further certificate authorities
	Masker       *recorder.Masker       // masks credentials in the log; a new one when nil
	UserAgent    string                 // default "mcploupe"
	MaxBody      int64                  // bytes of a body or of one event that are taken; default DefaultMaxBody
	CloseTimeout time.Duration          // for the DELETE of the session at Close; default 2 s
	Trace        *httptrace.ClientTrace // sees how each exchange reaches the server; may be nil
}

// DefaultMaxBody is the longest body or event that is taken.
const DefaultMaxBody = 256 << 20

const (
	defaultUserAgent    = "mcploupe"
	defaultCloseTimeout = 2 * time.Second
	// bodyText is how much of a body without a message an Answer shows.
	bodyText = 64 << 10
	// maxRedirects bounds 307 and 308 answers in a row.
	maxRedirects = 5
)

// wire is what the HTTP links share: one client, its log and its life.
type wire struct {
	target HTTPTarget
	url    *url.URL
	client *http.Client
	log    recorder.Appender
	h      Handler

	waits waits

	ctx    context.Context // ends with Close, its cause is ErrClosed
	cancel context.CancelCauseFunc
	wg     sync.WaitGroup

	mu      sync.Mutex
	closed  bool
	bearer  string
	numbers map[string]int // of channels by kind
}

// waits are the times that the links choose by themselves.
type waits struct {
	// backoffFirst and backoffMax bound our own waits between connects; the
	// server's retry replaces them.
	backoffFirst, backoffMax time.Duration
	// linger is how long a stream may stay open after the answer that should
	// end it (L-HTTP-14).
	linger time.Duration
}

var defaultWaits = waits{backoffFirst: time.Second, backoffMax: 30 * time.Second, linger: 10 * time.Second}

func newWire(t HTTPTarget, log recorder.Appender, h Handler) (*wire, error) {
	u, err := url.Parse(strings.TrimSpace(t.URL))
	if err != nil {
		return nil, fmt.Errorf("reading the URL: %w", err)
	}
	if (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return nil, fmt.Errorf("%q is not an http or https URL", t.URL)
	}
	u.Fragment = ""
	transport, proxy, err := newTransport(t.CAFile)
	if err != nil {
		return nil, err
	}
	if t.Masker == nil {
		t.Masker = recorder.NewMasker()
	}
	if t.UserAgent == "" {
		t.UserAgent = defaultUserAgent
	}
	if t.MaxBody <= 0 {
		t.MaxBody = DefaultMaxBody
	}
	if t.CloseTimeout <= 0 {
		t.CloseTimeout = defaultCloseTimeout
	}
	if t.Bearer != "" {
		t.Masker.Add(t.Bearer)
	}
	w := &wire{target: t, url: u, log: log, h: h, bearer: t.Bearer, waits: defaultWaits, numbers: map[string]int{}}
	w.client = &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	w.ctx, w.cancel = context.WithCancelCause(context.Background())
	if p, err := proxy(u); err == nil && p != nil {
		w.note(recorder.Out, "", 0, "requests go through the proxy "+p.Redacted())
	}
	return w, nil
}

// SetBearer replaces the token for all later requests.
func (w *wire) SetBearer(token string) {
	if token != "" {
		w.target.Masker.Add(token)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.bearer = token
}

// begin counts a goroutine in, unless the link is closed. done counts it out.
func (w *wire) begin() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed {
		return false
	}
	w.wg.Add(1)
	return true
}

// end closes the wire for new work. It reports whether it was open.
func (w *wire) end() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	was := !w.closed
	w.closed = true
	return was
}

// finish cancels what runs and waits for it.
func (w *wire) finish() {
	w.cancel(ErrClosed)
	w.wg.Wait()
	w.client.CloseIdleConnections()
}

// lifetime is how long an exchange may run: until the link closes, and until
// the sender's context ends unless it was released from that.
type lifetime struct {
	ctx     context.Context
	cancel  context.CancelCauseFunc
	release func() bool
}

// errLinger ends an exchange that has done what it was for.
var errLinger = errors.New("the exchange stayed open although nothing more was to come")

func (w *wire) newLifetime(ctx context.Context) *lifetime {
	t := &lifetime{}
	t.ctx, t.cancel = context.WithCancelCause(w.ctx)
	t.release = context.AfterFunc(ctx, func() { t.cancel(fmt.Errorf("%w: %w", ErrCancelled, context.Cause(ctx))) })
	return t
}

// end frees what the lifetime holds.
func (t *lifetime) end() {
	t.release()
	t.cancel(context.Canceled)
}

func (w *wire) channel(kind string) string {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.numbers[kind]++
	return kind + "-" + strconv.Itoa(w.numbers[kind])
}

func (w *wire) note(dir recorder.Direction, channel string, cause uint64, text string) {
	w.log.Append(recorder.Event{Dir: dir, Kind: recorder.KindNote, Channel: channel, Cause: cause, Data: []byte(text)})
}

func (w *wire) state(channel string, s recorder.StateChange) uint64 {
	return w.log.Append(recorder.Event{Dir: recorder.In, Kind: recorder.KindState, Channel: channel, Fields: &s})
}

// header puts the layers together: own, the target's, those of one exchange.
// Each replaces what the ones before it had under the same name.
func (w *wire) header(own, extra []protocol.HeaderField) http.Header {
	h := http.Header{}
	w.mu.Lock()
	bearer := w.bearer
	w.mu.Unlock()
	base := []protocol.HeaderField{{Name: "User-Agent", Value: w.target.UserAgent}}
	if bearer != "" {
		base = append(base, protocol.HeaderField{Name: "Authorization", Value: "Bearer " + bearer})
	}
	for _, layer := range [][]protocol.HeaderField{base, own, w.target.Headers, extra} {
		set := map[string]bool{}
		for _, f := range layer {
			name := http.CanonicalHeaderKey(strings.TrimSpace(f.Name))
			if !set[name] {
				h.Del(name)
				set[name] = true
			}
			h[name] = append(h[name], f.Value)
		}
	}
	return h
}
