package ui

import (
	"time"

	"mcploupe/ui/settings"
)

// keepTasksEvery is the shortest time between two writes of the tasks that are
// not over.
const keepTasksEvery = time.Second

// markTasks has the tasks of the server kept, soon, if there are any.
func (p *connPage) markTasks() {
	if len(p.conn.State().Tasks) > 0 {
		p.unfinished.Mark()
	}
}

// keepTasks writes which tasks of a saved server are not over into the settings,
// so that they outlive the program (TSKX-06).
func (p *connPage) keepTasks() {
	if p.conn == nil {
		return
	}
	server, changed := p.conn.KeepTasks()
	if !changed {
		return
	}
	p.u.update(func(s *settings.Settings) {
		for i := range s.Servers {
			if s.Servers[i].ID == server.ID {
				s.Servers[i].Tasks = server.Tasks
			}
		}
	})
}
