package doctor

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"mcploupe/protocol"
	"mcploupe/session"
)

// revision judges what the negotiation came to.
func (x *exam) revision(st session.State, err error) {
	var took, n = x.took(stepRevision), 0
	for _, s := range st.Steps {
		if s.Title == protocol.MethodDiscover || strings.HasPrefix(s.Title, protocol.MethodInitialize) {
			if n++; n == 1 {
				took = 0
			}
			took += s.Took
		}
	}
	f := finding{}
	status := Passed
	switch {
	case err != nil:
		failed := lastStep(st)
		status, f.detail, f.fix = Failed, failed.Detail, failed.Advice
		f.cause = "The server and this client found no revision of the protocol to speak."
		if f.detail == "" {
			f.detail = err.Error()
		}
	default:
		f.detail = fmt.Sprintf("%s over %s. %s", st.Revision.Name, st.Transport, serverName(st))
		if names := st.SupportedVersions; len(names) > 0 {
			f.detail += " It names " + strings.Join(names[:min(len(names), 10)], ", ") + "."
		}
		if st.Transport == string(session.SSE) {
			status = Warned
			f.cause = "The server speaks HTTP+SSE, the transport of 2024-11-05, which newer clients may not take."
			f.fix = "Nothing to do here; its makers should move to Streamable HTTP."
		} else if forced := x.t.Revision; forced != "" && forced != "auto" && forced != st.Revision.Name {
			status = Warned
			f.cause = "The revision " + forced + " was asked for, and the server answered with another one."
			f.fix = "Set the revision to automatic, unless this is what you test."
		}
	}
	x.edit(stepRevision, true, func(s *Step) {
		s.Status, s.Detail, s.Cause, s.Fix, s.Took = status, f.detail, f.cause, f.fix, took
	})
}

func serverName(st session.State) string {
	name := strings.TrimSpace(st.Server.Name + " " + st.Server.Version)
	if name == "" {
		return "The server gives no name."
	}
	return "The server is " + name + "."
}

// listing reads the first listing that the server offers.
func (x *exam) listing(ctx context.Context, s *session.Session) {
	kinds := []session.ListKind{session.Tools, session.Resources, session.Prompts}
	ctx, cancel := context.WithTimeoutCause(ctx, x.o.ListTimeout, fmt.Errorf("no answer within %s", x.o.ListTimeout))
	defer cancel()
	for _, k := range kinds {
		x.begin(stepList, "Listing "+k.String()+" …")
		err := s.Refresh(ctx, k)
		if ctx.Err() != nil && ctx.Err() == context.Canceled {
			return
		}
		list := s.State().Lists[k]
		switch {
		case err != nil:
			x.fail(stepList, finding{detail: err.Error(),
				cause: "The server declares " + k.String() + " and does not list them.",
				fix:   "Look at the answer: connect, and read the listing's row in the timeline; the server's own log may say more."})
			return
		case list.Status == session.ListUnsupported:
			continue
		}
		f := finding{detail: counted(list, k)}
		if i := slices.IndexFunc(list.Problems, func(p protocol.Problem) bool { return p.Severity == protocol.Violation }); i >= 0 {
			f.cause = "The listing breaks the protocol: " + list.Problems[i].Text
			f.fix = "Connect and read the problems of the listing; the server's makers have to mend it."
			x.warn(stepList, f)
			return
		}
		x.pass(stepList, f.detail)
		return
	}
	x.pass(stepList, "The server declares no tools, resources or prompts: there is nothing to list.")
}

func counted(list session.List, k session.ListKind) string {
	name := k.String()
	if list.Count == 1 {
		name = strings.TrimSuffix(name, "s")
	}
	text := fmt.Sprintf("%d %s", list.Count, name)
	if list.Pages > 1 {
		text += fmt.Sprintf(" in %d pages", list.Pages)
	}
	return text + "."
}
