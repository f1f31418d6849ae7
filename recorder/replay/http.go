package replay

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/google/uuid"

	"mcploupe/protocol"
	"mcploupe/recorder/loopback"
)

const (
	maxBody     = 64 << 20 // of one request, in bytes
	maxSessions = 256      // clients that are known at one time
	maxGeneral  = 1024     // messages kept for a stream that is not open
)

// HTTPServer serves a recording over Streamable HTTP. Close it before its
// Server.
type HTTPServer struct {
	s      *Server
	server *loopback.Server
	end    context.CancelFunc

	mu       sync.Mutex
	sessions map[string]*visitor // by session id, or by what a client without one says of itself
	order    []string            // the longest known first
}

// visitor is one client with its stream for what belongs to no request.
type visitor struct {
	*conversation
	ctx context.Context // of the server: what goes on after an answer
	end context.CancelFunc

	mu     sync.Mutex
	stream sender
	number int      // of the stream
	queue  [][]byte // for the next stream, bounded
}

// ListenHTTP serves at addr, "host:port", with the endpoint /mcp for all
// revisions. Only loopback addresses are listened on; port 0 picks a free one.
// Requests whose Host or Origin is another machine's are refused.
func (s *Server) ListenHTTP(addr string) (*HTTPServer, error) {
	ctx, end := context.WithCancel(s.ctx)
	h := &HTTPServer{s: s, end: end, sessions: make(map[string]*visitor)}
	mux := http.NewServeMux()
	mux.HandleFunc("/mcp", h.serve)
	server, err := loopback.Listen(ctx, addr, mux)
	if err != nil {
		end()
		return nil, err
	}
	h.server = server
	return h, nil
}

// URL is the address of the endpoint.
func (h *HTTPServer) URL() string { return h.server.Origin() + "/mcp" }

// Close ends all requests and waits for every goroutine. It is idempotent.
func (h *HTTPServer) Close() error {
	h.end()
	return h.server.Close()
}

func (h *HTTPServer) serve(w http.ResponseWriter, r *http.Request) {
	version, _ := protocol.RevisionByName(r.Header.Get(protocol.HeaderVersion))
	modern := version != nil && version.Modern
	switch {
	case r.Method == http.MethodPost:
		h.post(w, r)
	case modern || r.Method != http.MethodGet && r.Method != http.MethodDelete:
		w.Header().Set("Allow", "POST")
		http.Error(w, "There are no streams and sessions here: POST requests.", http.StatusMethodNotAllowed)
	default:
		v := h.session(r.Header.Get(protocol.HeaderSession))
		switch {
		case v == nil:
			http.Error(w, "There is no such session.", http.StatusNotFound)
		case r.Method == http.MethodDelete:
			h.drop(r.Header.Get(protocol.HeaderSession))
			w.WriteHeader(http.StatusNoContent)
		default:
			v.listenAt(w, r)
		}
	}
}

func (h *HTTPServer) session(id string) *visitor {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.sessions[id]
}

// visit makes a client known; the one that has been known longest is forgotten
// when there are too many.
func (h *HTTPServer) visit(id string) *visitor {
	h.mu.Lock()
	defer h.mu.Unlock()
	if v := h.sessions[id]; v != nil {
		return v
	}
	if len(h.order) == maxSessions {
		h.forget(h.order[0])
	}
	v := &visitor{}
	v.ctx, v.end = context.WithCancel(h.s.ctx)
	v.conversation = h.s.converse(v.general)
	h.sessions[id] = v
	h.order = append(h.order, id)
	return v
}

func (h *HTTPServer) drop(id string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.forget(id)
}

// forget ends a session. mu is held.
func (h *HTTPServer) forget(id string) {
	v := h.sessions[id]
	if v == nil {
		return
	}
	delete(h.sessions, id)
	for i, o := range h.order {
		if o == id {
			h.order = append(h.order[:i], h.order[i+1:]...)
			break
		}
	}
	v.end()
	v.hangUp()
}

// general sends on the open stream, or keeps for the next one.
func (v *visitor) general(raw []byte) error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.stream != nil {
		if v.stream(raw) == nil {
			return nil
		}
		v.stream = nil
	}
	if len(v.queue) < maxGeneral {
		v.queue = append(v.queue, raw)
	}
	return nil
}

// listenAt is the stream of a GET.
func (v *visitor) listenAt(w http.ResponseWriter, r *http.Request) {
	events := newEventWriter(w)
	if events.open() != nil {
		return
	}
	v.mu.Lock()
	v.number++
	number := v.number
	for len(v.queue) > 0 && events.send(v.queue[0]) == nil {
		v.queue = v.queue[1:]
	}
	v.stream = events.send
	v.mu.Unlock()
	select {
	case <-r.Context().Done():
	case <-v.ctx.Done():
	}
	v.mu.Lock()
	if v.number == number {
		v.stream = nil
	}
	v.mu.Unlock()
	events.close()
}

func (h *HTTPServer) post(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			http.Error(w, fmt.Sprintf("A request has at most %d bytes.", tooLarge.Limit), http.StatusRequestEntityTooLarge)
		}
		return
	}
	m := protocol.Parse(body)
	v, status, text := h.visitorOf(w, r, m)
	if v == nil {
		writeJSON(w, status, protocol.NewError(m.ID, protocol.CodeInvalidRequest, text, nil))
		return
	}
	items := []protocol.Message{m}
	if m.Kind == protocol.Batch {
		items = m.Items
	}
	var requests []protocol.Message
	for _, item := range items {
		switch item.Kind {
		case protocol.Request:
			requests = append(requests, item)
		case protocol.Notification:
			v.notified(item)
		case protocol.Result, protocol.Error:
			v.reply(item)
		default:
			writeJSON(w, http.StatusBadRequest, invalid(item))
			return
		}
	}
	if len(requests) == 0 {
		w.WriteHeader(http.StatusAccepted)
		return
	}
	v.answer(w, r, requests, m.Kind == protocol.Batch)
}

// visitorOf finds the client: by its session, or where there is none by what it
// says of itself.
func (h *HTTPServer) visitorOf(w http.ResponseWriter, r *http.Request, m protocol.Message) (v *visitor, status int, text string) {
	if version := lookup(m.Params, metaPath+"protocolVersion"); version != nil || m.Method == protocol.MethodDiscover {
		return h.visit("client " + string(lookup(m.Params, metaPath+"clientInfo"))), 0, ""
	}
	if m.Method == protocol.MethodInitialize {
		id := uuid.NewString()
		w.Header().Set(protocol.HeaderSession, id)
		return h.visit(id), 0, ""
	}
	id := r.Header.Get(protocol.HeaderSession)
	if id == "" {
		if version, _ := protocol.RevisionByName(r.Header.Get(protocol.HeaderVersion)); version != nil && version.Modern {
			return h.visit("client "), 0, ""
		}
		return nil, http.StatusBadRequest, "There is no " + protocol.HeaderSession + " header: begin with initialize"
	}
	if v = h.session(id); v == nil {
		return nil, http.StatusNotFound, "There is no such session: begin with initialize"
	}
	return v, 0, ""
}

// answer plays requests into the response: as JSON when there is nothing but one
// answer, else as a stream of events.
func (v *visitor) answer(w http.ResponseWriter, r *http.Request, requests []protocol.Message, batch bool) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(v.ctx, cancel)()
	events := newEventWriter(w)
	defer events.close()
	accepts := strings.Join(r.Header.Values("Accept"), ",")
	var wg sync.WaitGroup
	var after []func(context.Context)
	var mu sync.Mutex
	for _, m := range requests {
		wg.Go(func() {
			answer, then := v.handle(ctx, m, events.send)
			mu.Lock()
			defer mu.Unlock()
			if then != nil {
				after = append(after, then)
			}
			switch {
			case answer == nil:
			case !batch && !strings.Contains(accepts, "text/event-stream") || !batch && !events.begun():
				events.answer(statusOf(m, answer), answer)
			default:
				_ = events.send(answer) // a client that left needs none
			}
		})
	}
	wg.Wait()
	if len(after) > 0 {
		v.s.spawn(func() {
			for _, then := range after {
				then(v.ctx)
			}
		})
	}
}

// statusOf is the HTTP status of an answer that is not in a stream (HTTP-26, 27).
func statusOf(m protocol.Message, answer []byte) int {
	if lookup(m.Params, metaPath+"protocolVersion") == nil {
		return http.StatusOK
	}
	e, _ := protocol.DecodeError(protocol.Parse(answer).Error)
	switch {
	case e.HasCode(protocol.CodeMethodNotFound):
		return http.StatusNotFound
	case e.HasCode(protocol.CodeUnsupportedVersion), e.HasCode(protocol.CodeMissingCapability), e.HasCode(protocol.CodeHeaderMismatch):
		return http.StatusBadRequest
	}
	return http.StatusOK
}

func writeJSON(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client may be gone
}
