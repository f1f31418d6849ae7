package cli

import (
	"fmt"
	"time"

	"mcploupe/session"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
)

// taskDefault is the value of --task without a ttl.
const taskDefault = "default"

// taskOptions are those of --task, nil without it.
func (inv *invocation) taskOptions() (*session.TaskOptions, error) {
	switch inv.opts.task {
	case "":
		return nil, nil
	case taskDefault:
		return &session.TaskOptions{}, nil
	}
	ttl, err := time.ParseDuration(inv.opts.task)
	if err != nil || ttl < time.Millisecond {
		return nil, usageError(fmt.Sprintf("--task=%s: a time such as 90s or 10m is wanted", safe.Line(inv.opts.task, 40)))
	}
	return &session.TaskOptions{TTL: ttl}, nil
}

// warnOfTask says that a call will not become a task.
func (inv *invocation) warnOfTask(c *connection, tool string) {
	support := ""
	for _, t := range c.Tools() {
		if t.Name == tool {
			support = t.TaskSupport
			break
		}
	}
	if c.State().TaskChoice(support) == session.TaskNever {
		fmt.Fprintf(inv.Err, "mcploupe: the server does not take calls of %s as tasks; it is called without one\n", safe.Line(tool, 120))
	}
}

// tellTasks prints what becomes of tasks to standard error until stop is called,
// which waits for the end of it.
func (c *connection) tellTasks() (stop func()) {
	end, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		wake, unwatch := c.Watch()
		defer unwatch()
		told := map[uint64]string{}
		tell := func() {
			for _, t := range c.State().Tasks {
				line := taskLine(t)
				if told[t.Key] != line {
					told[t.Key] = line
					fmt.Fprintln(c.inv.Err, line)
				}
			}
		}
		for {
			tell()
			select {
			case <-end:
				tell()
				return
			case <-wake:
			}
		}
	}()
	return func() {
		close(end)
		<-ended
	}
}

// taskLine is a task in a line that changes only with what the server says.
func taskLine(t session.Task) string {
	line := "task " + safe.Line(t.ID, 60) + ": " + safe.Line(string(t.Status), 30)
	switch {
	case t.Loss != session.TaskKept:
		line += " (" + t.Loss.String() + ")"
	case !t.Cancelling.IsZero() && !t.Over():
		line += " (cancelling)"
	}
	if t.Message != "" {
		line += ", " + safe.Line(t.Message, 300)
	}
	if t.Failures > 0 {
		line += fmt.Sprintf("; %s polls in succession came to nothing", human.Count(int64(t.Failures)))
	}
	return line
}
