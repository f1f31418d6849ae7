package view

import (
	"slices"

	"mcploupe/session"
	"mcploupe/ui/settings"
)

// maxKeptTasks bounds the tasks of a server that outlive the program; the newest
// are kept.
const maxKeptTasks = 64

// KeepTasks tells which tasks of a saved server are not over, for its settings
// (TSKX-06). changed is false when they are those that it told of last.
func (c *Conn) KeepTasks() (server settings.Server, changed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	of := c.server.Target.String()
	if c.server.ID == "" || c.state.Revision == nil || c.state.Target.String() != of {
		return c.server, false
	}
	var refs []session.TaskRef
	if !c.server.Live.Forget {
		refs = unfinished(c.state, c.server.Tasks, of)
	}
	if slices.Equal(refs, c.server.Tasks.Refs) {
		return c.server, false
	}
	c.server.Tasks = settings.Tasks{}
	if len(refs) > 0 {
		c.server.Tasks = settings.Tasks{Of: of, Refs: refs}
	}
	return c.server, true
}

// unfinished are the tasks that are not over: those of the session, after those
// kept before that it has not come to yet.
func unfinished(st session.State, kept settings.Tasks, of string) []session.TaskRef {
	var refs []session.TaskRef
	for _, ref := range kept.Refs {
		known := slices.ContainsFunc(st.Tasks, func(t session.Task) bool { return t.ID == ref.ID && t.Kind == ref.Kind })
		if kept.Of == of && !known {
			refs = append(refs, ref)
		}
	}
	refs = append(refs, st.Restoration().Tasks...)
	return slices.Clone(refs[max(0, len(refs)-maxKeptTasks):])
}
