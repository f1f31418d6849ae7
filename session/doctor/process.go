package doctor

import (
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/session"
)

const (
	// downloadPatience is how long a command may take that may have to download
	// its package first.
	downloadPatience = 3 * time.Minute
	// slowStart is when a first answer is worth a word.
	slowStart = 5 * time.Second
	// maxStderr bounds what is read of standard error, in bytes.
	maxStderr = 64 << 10
	// quietLines are lines of standard error that are shown.
	quietLines = 12
)

// fetchers download what they start when it is not there yet.
var fetchers = []string{"npx", "uvx", "bunx", "pipx", "pnpm", "yarn", "docker", "podman", "dnx"}

func downloads(command string) bool {
	base := strings.ToLower(filepath.Base(command))
	for _, ext := range []string{".exe", ".cmd", ".bat"} {
		base = strings.TrimSuffix(base, ext)
	}
	return slices.Contains(fetchers, base)
}

// heard is what a process has said so far.
type heard struct {
	started, reply time.Duration // in the log; 0 for not yet
	starts         int
	noise          []string // lines on standard output that are no messages
	noises         int
	stderr         string // bounded, the last process alone
	exited         bool   // the last process ended by itself
}

// listen reads what the log holds of the process.
func listen(log *recorder.Log) heard {
	var h heard
	ending := false // by this client
	for seq := uint64(1); seq <= log.Len(); seq++ {
		head := log.Head(seq)
		if head.Dir != recorder.In {
			ending = ending || head.Kind == recorder.KindState && (head.Status == "failed" || head.Status == "closing")
			continue
		}
		switch head.Kind {
		case recorder.KindState:
			switch head.Status {
			case "started":
				h.starts++
				h.started, h.stderr, h.exited = head.Time, "", false
			case "exited":
				h.exited = !ending
			}
		case recorder.KindStderr:
			if len(h.stderr) < maxStderr {
				if e, err := log.Read(seq, maxStderr); err == nil {
					h.stderr += plain(string(e.Data))
				}
			}
		case recorder.KindBad:
			h.noises++
			if len(h.noise) < 5 {
				if e, err := log.Read(seq, 4<<10); err == nil {
					h.noise = append(h.noise, cutLine(plain(string(e.Data))))
				}
			}
		case recorder.KindMessage:
			if h.reply == 0 && (head.Message == protocol.Result || head.Message == protocol.Error) {
				h.reply = head.Time
			}
		}
	}
	return h
}

var colours = regexp.MustCompile("\x1b\\[[0-9;?]*[A-Za-z]")

// plain is text for a terminal without its colours.
func plain(s string) string { return colours.ReplaceAllString(s, "") }

// process starts the server and talks to it.
func (x *exam) process(ctx context.Context, path string) {
	x.begin(stepStart, "Starting "+path+" …")
	var watching sync.WaitGroup
	watched, stop := context.WithCancel(ctx)
	defer watching.Wait()
	defer stop()
	watching.Go(func() { x.follow(watched) })
	s, err := x.open(ctx, func(o *session.Options) {
		if downloads(x.t.Command) {
			o.InitTimeout = max(o.InitTimeout, downloadPatience)
		}
	})
	defer func() { _ = s.Close() }() // a server that does not end when it should is no fault of the way to it
	stop()
	watching.Wait()
	if ctx.Err() != nil {
		return
	}
	st, h := s.State(), listen(x.log)
	x.started(st, h, err)
	if err != nil && h.starts == 0 {
		return
	}
	ended := err != nil && h.exited && st.Exit != nil
	x.environment(h.stderr, ended)
	if ended {
		x.exited(st, h)
		return
	}
	x.runs(st, h)
	if !x.output(h, err != nil) || !x.answers(h, err) {
		return
	}
	x.revision(st, err)
	if err == nil {
		x.listing(ctx, s)
	}
}

// follow keeps the table up to date while the server starts.
func (x *exam) follow(ctx context.Context) {
	wake, stop := x.log.Watch()
	defer stop()
	for {
		select {
		case <-wake:
		case <-ctx.Done():
			return
		}
		if h := listen(x.log); h.starts > 0 && ctx.Err() == nil {
			x.pass(stepStart, "It runs.")
			x.begin(stepReply, x.waiting(h))
		}
		select {
		case <-time.After(followEvery):
		case <-ctx.Done():
			return
		}
	}
}

// followEvery is the shortest time between two looks at the log.
const followEvery = 200 * time.Millisecond

func (x *exam) waiting(h heard) string {
	text := "Waiting for the first answer …"
	if downloads(x.t.Command) && h.reply == 0 {
		text = "Waiting for the first answer; " + filepath.Base(x.t.Command) + " may be downloading the server first …"
	}
	if last := lastLines(h.stderr, 1); len(last) > 0 {
		text += " It says: " + last[len(last)-1]
	}
	return text
}

func (x *exam) started(st session.State, h heard, err error) {
	if h.starts > 0 {
		text := "It runs."
		if st.PID != 0 {
			text = fmt.Sprintf("Process %d.", st.PID)
		}
		x.judge(stepStart, Passed, finding{detail: text})
		return
	}
	failed := lastStep(st)
	f := finding{detail: failed.Detail, fix: failed.Advice, cause: "The system would not start it."}
	if f.detail == "" && err != nil {
		f.detail = sentence(err.Error())
	}
	x.judge(stepStart, Failed, f)
}

// runs is for a process that is still there.
func (x *exam) runs(st session.State, h heard) {
	if h.starts < 2 {
		x.pass(stepRuns, "It stays and waits for input.")
		return
	}
	x.warn(stepRuns, finding{detail: "It ended at a request that it did not know and was started once more.",
		cause: "The server ends at server/discover, which a server of an older revision should answer with an error.",
		fix:   "Force the revision that it speaks, which leaves the probe out; its makers should answer unknown requests with -32601."})
}

// exited is for a process that is gone.
func (x *exam) exited(st session.State, h heard) {
	f := finding{lines: lastLines(h.stderr, quietLines)}
	exit := st.Exit
	f.detail = fmt.Sprintf("It exited with code %d after %s.", exit.Code, rounded(exit.After))
	if exit.Signal != "" {
		f.detail = fmt.Sprintf("It was ended by a signal (%s) after %s.", exit.Signal, rounded(exit.After))
	}
	if len(f.lines) == 0 {
		f.detail += " It wrote nothing to standard error."
	}
	advice := lastStep(st).Advice
	f.cause, f.fix = whyExited(h.stderr, exit.Code, exit.Signal)
	if x.status(stepEnv) == Failed {
		f.cause, f.fix = "An environment variable is missing or wrong; see above.", "Set it in the environment of the server."
	}
	if x.status(stepScript) == Warned {
		f.cause, f.fix = "The file that it is to run is not there; see above.", "Correct the path or the working folder."
		x.edit(stepScript, true, func(s *Step) { s.Status = Failed })
	}
	if f.cause == "" {
		f.cause = "It did not want to stay: a server must run until its input ends."
	}
	if f.fix == "" {
		f.fix = advice
	}
	x.fail(stepRuns, f)
	if h.noises > 0 {
		x.judge(stepOutput, Failed, printed(h, true))
	}
}

func rounded(d time.Duration) string {
	if d < time.Second {
		return fmt.Sprintf("%d ms", d.Round(time.Millisecond).Milliseconds())
	}
	return fmt.Sprintf("%.1f s", d.Seconds())
}

// output judges what came on standard output that is no message.
func (x *exam) output(h heard, failed bool) bool {
	if h.noises == 0 {
		x.pass(stepOutput, "Messages alone.")
		return true
	}
	lost := failed && h.reply == 0
	status := Warned
	if lost {
		status = Failed
	}
	f := printed(h, lost)
	if url := addressIn(strings.Join(h.noise, "\n")); lost && url != "" {
		f.cause, f.fix = listens(url)
	}
	x.judge(stepOutput, status, f)
	return !lost
}

func printed(h heard, lost bool) finding {
	f := finding{lines: slices.Clone(h.noise)}
	f.detail = fmt.Sprintf("%d lines were printed that are no messages.", h.noises)
	if h.noises == 1 {
		f.detail = "A line was printed that is no message."
	}
	if more := h.noises - len(h.noise); more > 0 {
		f.lines = append(f.lines, fmt.Sprintf("… and %d more", more))
	}
	f.cause = "The server, or what starts it, logs to standard output, which is for messages alone; other clients may stop at it."
	f.fix = "Let it log to standard error; for a launcher, use its quiet flag."
	if lost {
		f.cause = "The server, or what starts it, prints text where messages belong, and none came."
		f.fix = "Read the lines: if this is no MCP server, correct the command; if it is one, let it log to standard error."
	}
	return f
}

// answers judges the first answer.
func (x *exam) answers(h heard, err error) bool {
	took := h.reply - h.started
	switch {
	case h.reply != 0:
		status, f := Passed, finding{detail: "It came " + rounded(took) + " after the start."}
		if h.starts > 1 {
			f.detail = "It came."
		} else if took > slowStart {
			status = Warned
			f.cause = "The server is slow to start."
			f.fix = "If it is always so, give Initialize a longer limit in the details of the server."
			if downloads(x.t.Command) {
				f.cause = filepath.Base(x.t.Command) + " may have had to download the server; the next start is faster."
				f.fix = "Check again; install the server if it stays slow, and start it without " + filepath.Base(x.t.Command) + "."
			}
		}
		x.judge(stepReply, status, f)
		x.edit(stepReply, true, func(s *Step) { s.Took = max(took, 0) })
		return true
	case err == nil:
		x.judge(stepReply, Passed, finding{detail: "It came."})
		return true
	}
	f := finding{lines: lastLines(h.stderr, quietLines), detail: "It runs, and answers nothing."}
	if len(f.lines) == 0 {
		f.detail += " It printed nothing either."
	}
	f.cause, f.fix = whySilent(h.stderr, x.t.Command)
	x.judge(stepReply, Failed, f)
	return false
}

var addressPattern = regexp.MustCompile(`https?://(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\])(?::[0-9]{1,5})?[^\s"'<>)\]]*`)

// addressIn is the address of this computer that a text names, "" if none.
func addressIn(text string) string {
	return strings.TrimRight(addressPattern.FindString(text), ".,;")
}

func listens(url string) (cause, fix string) {
	return "The server says that it listens at " + url + ": it speaks HTTP, not stdio.",
		"Start it yourself and connect to that address, or give it the argument for stdio."
}

var promptPattern = regexp.MustCompile(`(?i)(?:password|passphrase|username|login|\(y/n\)|\[y/n\]|\(yes/no\)|ok to proceed|press (?:enter|any key)|continue)[^\n]{0,40}$`)

// whySilent tells why a process that runs does not answer.
func whySilent(stderr, command string) (cause, fix string) {
	text := strings.TrimSpace(stderr)
	switch url := addressIn(text); {
	case url != "":
		return listens(url)
	case promptPattern.MatchString(text):
		return "It asks a question, and nobody is at its terminal.", "Start it once in a terminal and answer, or give it the flag that answers for you (npx has -y)."
	case downloads(command):
		return filepath.Base(command) + " may still be downloading the server, or what it starts does not speak MCP over stdio.",
			"Start the same command once in a terminal until it waits for input, then check again."
	}
	return "It waits for input and takes what comes for something else, or waits for a service that it cannot reach.",
		"Is this an MCP server? Some need an argument such as stdio; try the same command in a terminal."
}

// causes are what the last words of a process and its exit tell.
var causes = []struct {
	pattern    *regexp.Regexp
	cause, fix string
}{
	{regexp.MustCompile(`(?i)cannot find module|modulenotfounderror|no module named|cannot find package`),
		"A module of the server is missing.", "Install the server's dependencies (npm install, uv sync, pip install), or check the path and the working folder."},
	{regexp.MustCompile(`(?i)eaddrinuse|address already in use`),
		"A port that the server wants is taken.", "End the other process, or give the server another port."},
	{regexp.MustCompile(`(?i)can't open file|no such file or directory|enoent`),
		"The server does not find a file: a path is wrong, or the working folder is.", "Correct the path in the arguments, or set the working folder that it is relative to."},
	{regexp.MustCompile(`(?i)eacces|permission denied`),
		"The server may not read or write something.", "Check the rights of the files that it names."},
	{regexp.MustCompile(`(?i)e404|404 not found|could not find a version|no matching distribution|not in this registry|unable to resolve`),
		"The package was not found: its name or version is wrong.", "Correct the name of the package."},
	{regexp.MustCompile(`(?i)enotfound|getaddrinfo|network is unreachable|could not resolve host|etimedout`),
		"The server, or what downloads it, has no way to the network.", "Check network and proxy; a server gets no proxy variables unless they are given in its environment."},
	{regexp.MustCompile(`(?i)syntaxerror|unsupported engine|requires node|requires python|requires a newer`),
		"The program that runs the server is too old for it, or the server is broken.", "Update Node.js, Python or what else runs it."},
	{regexp.MustCompile(`(?i)\busage:|unknown option|unrecognized arguments|missing required argument|error: unknown`),
		"The server does not like its arguments.", "Correct the arguments: it printed how it wants to be called."},
	{regexp.MustCompile(`(?i)api[ _-]?key|access[ _-]?token|unauthorized|credentials|authentication`),
		"The server wants a credential.", "Give it in the environment of the server, as NAME=value before the command."},
}

func whyExited(stderr string, code int, signal string) (cause, fix string) {
	for _, c := range causes {
		if c.pattern.MatchString(stderr) {
			return c.cause, c.fix
		}
	}
	switch {
	case signal != "":
		return "Something outside ended it: the system when memory ran out, a supervisor, or a person.", "Look at the system's log, and give it more memory if that was the reason."
	case code == 127:
		return "A shell says with code 127 that a command was not found.", "Install that command, or set PATH in the environment of the server."
	case code == 126:
		return "A shell says with code 126 that a file may not be executed.", "Make the file executable (chmod +x)."
	case code == 0 && strings.TrimSpace(stderr) == "":
		return "It ended as if its work were done: it is no server, or needs an argument such as stdio to stay.", "Check the arguments, and try the same command in a terminal: it must stay and wait for input."
	}
	return "", ""
}
