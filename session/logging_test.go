package session

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mcploupe/protocol"
	"mcploupe/session/link"
)

func logMessage(level, data string) string {
	return `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"` + level + `","data":` + data + `}}`
}

func TestLogLevelOfTheHandshakeRevisions(t *testing.T) { // LOG-01, LOG-02, LOG-05, LOG-07, L-LOG-01, L-LOG-02, L-LOG-06, L-LOG-07, case 126
	synctest.Test(t, func(t *testing.T) {
		s, f, done := ready(t, stdioTarget, Options{}, declaring(func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
			if protocol.NameOf(m.Method, m.Params) == "alert" {
				l.fail(m, "-32603", "")
				return
			}
			l.result(m, `{}`)
		}))
		defer done()
		l := f.link()
		l.in(logMessage("debug", `{"free":["form",1e400]}`)) // the server's choice until then
		if err := s.SetLogLevel(t.Context(), "warning"); err != nil {
			t.Fatal(err)
		}
		if st := s.State().Logging; st.Level != "warning" || st.By != LogBySetLevel || st.Levels["debug"] != 1 || st.Count != 1 {
			t.Errorf("%+v", st)
		}
		if err := s.SetLogLevel(t.Context(), "alert"); err == nil || s.State().Logging.Level != "warning" || s.State().Phase != Ready {
			t.Errorf("a refused level: %v, %+v", err, s.State().Logging)
		}
		if s.SetLogLevel(t.Context(), "") == nil {
			t.Error("no level at all can be set")
		}
		l.in(logMessage("info", "1")) // was on its way
		if got := rules(s.State()); got != "" {
			t.Errorf("findings %s", got)
		}
		time.Sleep(time.Minute)
		for _, c := range []struct{ level, data, rule string }{
			{"warning", "null", ""}, {"emergency", `"x"`, ""}, {"notice", "1", "L-LOG-02"}, {"loud", "1", "L-LOG-07"},
			{"error", `{"header":"Bearer abcdefghijklmnopqrstuvwxyz"}`, "L-LOG-06"},
			{"error", `"postgres://u:secret@db/x"`, "L-LOG-06"}, {"error", `"http://db:80/x user@host"`, ""},
		} {
			before := s.State().FindingCount
			l.in(logMessage(c.level, c.data))
			st := s.State()
			if found := st.FindingCount > before; found != (c.rule != "") || found && st.Findings[len(st.Findings)-1].Rule != c.rule {
				t.Errorf("%+v: findings %s", c, rules(st))
			}
		}
		if st := s.State().Logging; st.Levels["other"] != 1 || st.Levels["error"] != 3 || st.Count != 9 || st.Last == 0 {
			t.Errorf("%+v", st)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		s, f, done := ready(t, stdioTarget, Options{}, legacy(silent))
		defer done()
		if s.SetLogLevel(t.Context(), "info") == nil || strings.Contains(f.methods(), "setLevel") {
			t.Error("a level was set that the server does not declare")
		}
		f.link().in(logMessage("info", "1"))
		if got := rules(s.State()); got != "L-LOG-01" {
			t.Errorf("findings %s", got)
		}
	})
}

func TestLogLevelOfTheModernRevision(t *testing.T) { // LOG-03, LOG-04, L-LOG-02, L-LOG-03, L-LOG-04
	discover := strings.Replace(discoverResult, `"tools":{}`, `"tools":{},"logging":{}`, 1)
	for name, target := range map[string]Target{"stdio": stdioTarget, "http": httpTarget} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, f, done := ready(t, target, Options{}, func(l *fakeLink, m protocol.Message, _ link.SendOptions) {
					if m.Method == protocol.MethodDiscover {
						l.result(m, discover)
					}
				})
				defer done()
				l := f.link()
				message := func(m protocol.Message, level string) string {
					in := link.Incoming{Seq: 1, Raw: []byte(logMessage(level, "1")), Channel: "x"}
					if name == "http" {
						in.For, in.Status = m.ID, 200
					}
					before := s.State().FindingCount
					l.h.Receive(in)
					if st := s.State(); st.FindingCount > before {
						return st.Findings[len(st.Findings)-1].Rule
					}
					return ""
				}
				quiet := callTool(t, s, CallOptions{})
				synctest.Wait()
				if got := message(request(quiet), "info"); got != "L-LOG-03" {
					t.Errorf("not asked for: %s", got)
				}
				quiet.Cancel("")
				if err := s.SetLogLevel(t.Context(), "warning"); err != nil {
					t.Fatal(err)
				}
				if st := s.State().Logging; st.Level != "warning" || st.By != LogByMeta || strings.Contains(f.methods(), "setLevel") {
					t.Errorf("%+v, sent %s", st, f.methods())
				}
				call := callTool(t, s, CallOptions{})
				synctest.Wait()
				if got := string(request(call).Params); !strings.Contains(got, `"io.modelcontextprotocol/logLevel":"warning"`) {
					t.Errorf("sent %s", got)
				}
				if got := message(request(call), "error"); got != "" {
					t.Errorf("as asked for: %s", got)
				}
				if got := message(request(call), "info"); got != "L-LOG-02" {
					t.Errorf("below the level: %s", got)
				}
				m := request(call)
				l.result(m, `{"resultType":"complete","content":[]}`)
				if got := message(m, "error"); got != "L-LOG-04" {
					t.Errorf("after the answer: %s", got)
				}
				if err := s.SetLogLevel(t.Context(), ""); err != nil || s.State().Logging.By != LogUnset {
					t.Errorf("%v, %+v", err, s.State().Logging)
				}
				if got := string(s.NewRequest("tools/list", nil)); strings.Contains(got, "logLevel") {
					t.Errorf("sent %s", got)
				}
			})
		})
	}
}
