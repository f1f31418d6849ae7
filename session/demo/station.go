//lint:file-ignore SA1019 what the newest revision deprecates, the older ones still have

package demo

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Version is the version that the demo server gives as its own.
const Version = "1.0.0"

const instructions = `Kestrel Hill Observatory is a small observatory that exists only in this server.

Start with the tool find_target or the resource kestrel://about. Things to try:
- kestrel://clock and kestrel://weather/now change every second: subscribe to them.
- raise_wind makes the weather change a thousand times a second; end_listening ends what listens.
- expose runs as long as you like, reports progress and can be cancelled.
- visitor_form asks you something; every kind of field that the protocol allows is in it.
- toggle_workshop changes the list of tools while you watch.
- count_photons gives numbers back exactly as they came.
- survey_sky and guided_survey run as tasks, and go on while you do something else.
- trip_alarm fails, in the way you choose.`

// A station is one running observatory with its server. Everything that runs in it ends with close.
type station struct {
	server *mcp.Server
	seals  sealer
	visits *visits
	log    *nightLog
	ears   listeners
	jobs   jobs

	support map[string]string // of tools that may be tasks, by name

	life context.Context // ends when the station closes
	end  context.CancelFunc

	mu       sync.Mutex // guards closed and workshop, and that busy only grows while not closed
	closed   bool
	workshop bool
	busy     sync.WaitGroup // requests, the ticker
}

// newStation builds a station and starts its clock. The caller closes it. The address of pages for people is given by
// pages, which may start to serve them at the first call.
func newStation(pages func(*visits) (string, error)) (*station, error) {
	icons, err := stationIcons()
	if err != nil {
		return nil, fmt.Errorf("drawing the icons: %w", err)
	}
	s := &station{seals: newSealer(), log: newNightLog(), ears: listeners{open: map[*listener]bool{}}, support: map[string]string{}}
	s.ears.jobs = &s.jobs
	s.life, s.end = context.WithCancel(context.Background())
	s.visits = newVisits(pages)
	s.server = mcp.NewServer(&mcp.Implementation{
		Name:        "kestrel-hill",
		Title:       "Kestrel Hill Observatory",
		Description: "An invented observatory that offers one of everything a server can offer.",
		Version:     Version,
		WebsiteURL:  "https://kestrel-hill.example/",
		Icons:       icons,
	}, &mcp.ServerOptions{
		Instructions:       instructions,
		PageSize:           10,
		CompletionHandler:  s.complete,
		SubscribeHandler:   s.subscribable,
		UnsubscribeHandler: func(context.Context, *mcp.UnsubscribeRequest) error { return nil },
		SetCacheable:       cacheHints,
		Capabilities: &mcp.ServerCapabilities{
			Logging:   &mcp.LoggingCapabilities{},
			Tools:     &mcp.ToolCapabilities{ListChanged: true},
			Prompts:   &mcp.PromptCapabilities{ListChanged: true},
			Resources: &mcp.ResourceCapabilities{ListChanged: true, Subscribe: true},

			Extensions: map[string]any{tasksExtension: map[string]any{}},
		},
	})
	if err := s.addTasks(); err != nil {
		s.end()
		return nil, err
	}
	s.server.AddReceivingMiddleware(s.ears.serve)
	s.server.AddReceivingMiddleware(s.tied)
	s.server.AddSendingMiddleware(unjudged)
	s.server.AddSendingMiddleware(s.ears.capture)
	for _, t := range s.tools() {
		if err := s.add(t); err != nil {
			s.end()
			return nil, err
		}
	}
	if err := s.addResources(); err != nil {
		s.end()
		return nil, err
	}
	s.addPrompts()
	s.busy.Add(1)
	go s.tick()
	return s, nil
}

// tools lists all tools but those of the workshop, by subject.
func (s *station) tools() []tool {
	var all []tool
	for _, some := range [][]tool{
		skyTools, formTools, exactTools, mediaTools, faultTools, jobTools, changeTools, askTools, visitTools, modelTools, liveTools, surveyTools,
	} {
		all = append(all, some...)
	}
	return all
}

var errClosed = errors.New("the observatory is closing")

// enter counts one more thing that close has to wait for; false once the station closes.
func (s *station) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.busy.Add(1)
	return true
}

// tied ties each request to the life of the station: its context ends when the station closes, and close waits for it.
func (s *station) tied(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if !s.enter() {
			return nil, errClosed
		}
		defer s.busy.Done()
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(s.life, cancel)()
		return next(ctx, method, req)
	}
}

// unjudged takes the decoded content out of elicitation answers, so that the SDK neither refuses an answer that breaks the
// schema nor fills in what was left out. The text of the answer stays in its _meta; see keepText.
func unjudged(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		res, err := next(ctx, method, req)
		if answer, ok := res.(*mcp.ElicitResult); ok && err == nil {
			answer.Content = nil
		}
		return res, err
	}
}

// tick tells subscribers once a second that what is live has changed, until the station closes.
func (s *station) tick() {
	defer s.busy.Done()
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-s.life.Done():
			return
		case <-ticker.C:
			s.jobs.sweep(time.Now())
			for _, uri := range live {
				// A client that cannot be reached is left to its own connection.
				_ = s.updated(s.life, uri, false)
			}
		}
	}
}

// updated tells subscribers of either era that a resource has changed; of fast changes each, or those that a listener can
// take.
func (s *station) updated(ctx context.Context, uri string, each bool) error {
	s.ears.tell(uri, each)
	return s.server.ResourceUpdated(ctx, &mcp.ResourceUpdatedNotificationParams{URI: uri})
}

// close ends all sessions and waits until nothing runs any more.
func (s *station) close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.end()
	var errs []error
	for session := range s.server.Sessions() {
		errs = append(errs, session.Close())
	}
	errs = append(errs, s.visits.close())
	s.busy.Wait()
	return errors.Join(errs...)
}

// cacheHints says how long a client may keep an answer. Lists change on demand, so briefly; what is live not at all.
func cacheHints(_ context.Context, req mcp.Request, c *mcp.Cacheable) {
	switch p := req.GetParams().(type) {
	case *mcp.ReadResourceParams:
		if _, still := stillResource(p.URI); still {
			c.TTLMs, c.CacheScope = 3_600_000, "public"
			return
		}
		c.CacheScope = "private"
	case *mcp.DiscoverParams:
		c.TTLMs, c.CacheScope = 60_000, "public"
	default:
		c.TTLMs, c.CacheScope = 2_000, "public"
	}
}
