package demo

import (
	"crypto/rand"
	"errors"
	"fmt"
	"html/template"
	"net"
	"net/http"
	"sync"
	"time"
)

// maxVisits bounds the pages that wait for a person at one time; the oldest goes when a new one comes.
const maxVisits = 64

// visitPath is where the pages are, below the server's address.
const visitPath = "/visit/"

// A visit is a page that a person is asked to open in a browser, outside the protocol (elicitation in url mode).
type visit struct {
	id        string
	what      string        // what the person agrees to
	confirmed chan struct{} // closed when the person has pressed the button
	tell      func()        // called once after that
}

// visits holds the pages that wait, and what people have agreed to.
type visits struct {
	base func(*visits) (string, error) // address of the server that shows the pages

	mu      sync.Mutex
	open    map[string]*visit
	order   []string // ids, oldest first
	agreed  map[string]bool
	own     *http.Server // started by ownPages
	address string
	done    chan struct{} // closed when own has stopped serving
}

func newVisits(base func(*visits) (string, error)) *visits {
	return &visits{base: base, open: map[string]*visit{}, agreed: map[string]bool{}}
}

// start opens a page. tell may be nil.
func (v *visits) start(what string, tell func(id string)) (*visit, string, error) {
	base, err := v.base(v)
	if err != nil {
		return nil, "", fmt.Errorf("serving a page: %w", err)
	}
	w := &visit{id: rand.Text(), what: what, confirmed: make(chan struct{})}
	w.tell = func() {
		if tell != nil {
			tell(w.id)
		}
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.open[w.id] = w
	v.order = append(v.order, w.id)
	if len(v.order) > maxVisits {
		delete(v.open, v.order[0])
		v.order = v.order[1:]
	}
	return w, base + visitPath + w.id, nil
}

func (v *visits) find(id string) (*visit, bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	w, ok := v.open[id]
	return w, ok
}

// hasAgreed reports whether a person has confirmed a page for this.
func (v *visits) hasAgreed(what string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.agreed[what]
}

// confirm notes the person's consent; the second time it does nothing.
func (v *visits) confirm(w *visit) {
	v.mu.Lock()
	first := true
	select {
	case <-w.confirmed:
		first = false
	default:
		close(w.confirmed)
		v.agreed[w.what] = true
	}
	v.mu.Unlock()
	if first {
		w.tell()
	}
}

var visitPage = template.Must(template.New("visit").Parse(`<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Kestrel Hill Observatory</title>
<style>body{font:18px/1.5 sans-serif;max-width:32em;margin:4em auto;padding:0 1em;background:#16233f;color:#e8ecf5}
button{font:inherit;padding:.5em 1.5em;border:0;border-radius:.4em;background:#ffd479;color:#16233f}</style>
<h1>Kestrel Hill Observatory</h1>
{{if .Done}}<p>Thank you. You can close this page.</p>
{{else}}<p>An MCP client asks for your consent to: <strong>{{.What}}</strong>.</p><form method="post"><button>I agree</button></form>{{end}}
</html>`))

// ServeHTTP shows the page of a visit, and takes the consent. The caller checks Host and Origin.
func (v *visits) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	page, ok := v.find(r.PathValue("id"))
	if !ok {
		http.Error(w, "There is no such page, or it has been too long.", http.StatusNotFound)
		return
	}
	if r.Method == http.MethodPost {
		v.confirm(page)
	}
	done := false
	select {
	case <-page.confirmed:
		done = true
	default:
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'")
	w.Header().Set("Cache-Control", "no-store")
	// A browser that has gone away is nobody's error.
	_ = visitPage.Execute(w, struct {
		What string
		Done bool
	}{page.what, done})
}

// routes adds the pages to mux.
func (v *visits) routes(mux *http.ServeMux) {
	mux.Handle("GET "+visitPath+"{id}", v)
	mux.Handle("POST "+visitPath+"{id}", v)
}

// ownPages serves the pages on a loopback port of their own, from the first call on. It is the base of a stdio server.
func ownPages(v *visits) (string, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.own != nil {
		return v.address, nil
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	mux := http.NewServeMux()
	v.routes(mux)
	v.address = "http://" + l.Addr().String()
	v.own = &http.Server{Handler: guard("127.0.0.1", mux), ReadHeaderTimeout: 10 * time.Second}
	v.done = make(chan struct{})
	go func(server *http.Server) {
		defer close(v.done)
		_ = server.Serve(l) // always ErrServerClosed, from close
	}(v.own)
	return v.address, nil
}

// close stops the server that ownPages started.
func (v *visits) close() error {
	v.mu.Lock()
	own := v.own
	v.mu.Unlock()
	if own == nil {
		return nil
	}
	err := own.Close()
	<-v.done
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}
