package view

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"mcploupe/recorder"
	"mcploupe/session"
	"mcploupe/ui/settings"
	"mcploupe/ui/view/human"
	"mcploupe/ui/view/safe"
)

// RecordingExt ends the name of every recording.
const RecordingExt = ".mcp.jsonl"

// titleRunes bounds names in tabs and lists.
const titleRunes = 40

func line(s string, max int) string { return safe.Line(s, max) }

func trimRecordingExt(name string) string { return strings.TrimSuffix(name, RecordingExt) }

// recording returns the log to write to, made on the first attempt and
// whenever the target has become another one.
func (c *Conn) recording(t session.Target) (*recorder.Log, error) {
	c.logs.Lock()
	defer c.logs.Unlock()
	header := t.RecordingHeader(c.o.App)
	c.mu.Lock()
	log := c.log
	c.mu.Unlock()
	if log != nil && sameServer(log.Header().Target, header.Target) {
		return log, nil
	}
	fresh, err := c.newLog(t, header)
	if err != nil {
		return nil, err
	}
	if log != nil {
		c.note(log.Close())
	}
	c.setLog(fresh)
	return fresh, nil
}

// newLog makes a recording of t with that header, named by server and time.
func (c *Conn) newLog(t session.Target, header recorder.Header) (*recorder.Log, error) {
	dir, _ := c.o.now()
	log, err := newLogIn(dir, t, header, c.o.Now())
	if err != nil {
		return c.newLogAside(dir, err, t, header)
	}
	c.setAside("")
	return log, nil
}

// setLog makes log the recording and watches it in place of an older one.
func (c *Conn) setLog(log *recorder.Log) {
	ctx, unwatch := context.WithCancel(c.ctx)
	c.mu.Lock()
	c.log = log
	if c.watch != nil {
		c.watch()
	}
	c.watch = unwatch
	c.mu.Unlock()
	wake, stop := log.Watch()
	c.work.Go(func() {
		defer unwatch()
		defer stop()
		trouble := false
		for {
			select {
			case <-wake:
				c.o.Grown()
				if t, any := log.Trouble(); any || trouble {
					trouble = t.Failing || t.Stopped
					c.o.Changed()
				}
			case <-ctx.Done():
				return
			}
		}
	})
	c.o.Grown()
}

// freeName is a path in dir, named by server and time, where no file is yet.
func freeName(dir, title string, at time.Time) (string, error) {
	base := fileName(title) + "-" + at.Format(stamp)
	for i := 1; i < 1000; i++ {
		name := base
		if i > 1 {
			name = fmt.Sprintf("%s-%d", base, i)
		}
		file := filepath.Join(dir, name+RecordingExt)
		switch _, err := os.Lstat(file); {
		case err == nil:
		case os.IsNotExist(err):
			return file, nil
		default:
			return "", fmt.Errorf("find a name for the recording: %w", err)
		}
	}
	return "", fmt.Errorf("find a name for the recording %s: %w", base, fs.ErrExist)
}

// fileName keeps what is harmless in a file name on every system.
func fileName(title string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_', r == '.':
			return r
		}
		return '_'
	}, title)
	clean = strings.Trim(clean, "._-")
	if clean == "" {
		return "server"
	}
	return clean
}

// TitleOf names a target: its own name, else what tells the command or the
// address apart.
func TitleOf(t session.Target) string {
	switch {
	case t.Name != "":
		return line(t.Name, titleRunes)
	case t.URL != "":
		if u, err := url.Parse(t.URL); err == nil && u.Host != "" {
			return line(u.Host+strings.TrimSuffix(u.Path, "/"), titleRunes)
		}
		return line(t.URL, titleRunes)
	}
	return line(commandTitle(t), titleRunes)
}

// launchers run something else, which names the server better.
var launchers = map[string]bool{
	"npx": true, "node": true, "bunx": true, "bun": true, "deno": true, "uvx": true, "uv": true, "python": true,
	"python3": true, "pipx": true, "docker": true, "podman": true, "go": true, "dotnet": true, "java": true, "env": true,
	"cmd": true, "sh": true, "bash": true,
}

// folders that say nothing about a program that lies in them.
var dullFolders = map[string]bool{"dist": true, "build": true, "src": true, "bin": true, "lib": true, "out": true, "target": true}

func commandTitle(t session.Target) string {
	base := strings.TrimSuffix(filepath.Base(t.Command), ".exe")
	if !launchers[base] {
		return base
	}
	for _, arg := range t.Args {
		if strings.HasPrefix(arg, "-") || arg == "run" || arg == "exec" || arg == "x" {
			continue
		}
		return programTitle(arg)
	}
	return base
}

// programTitle shortens a script path or a package name: the file's name, or
// its folder's when the file is an index.
func programTitle(arg string) string {
	arg = filepath.ToSlash(arg)
	name := path.Base(arg)
	stem := strings.TrimSuffix(name, path.Ext(name))
	if stem != "index" && stem != "main" && stem != "cli" && stem != "server" {
		if i := strings.LastIndexByte(name, '@'); i > 0 { // a version
			name = name[:i]
		}
		return name
	}
	for dir := path.Dir(arg); dir != "." && dir != "/"; dir = path.Dir(dir) {
		base := path.Base(dir)
		switch {
		case dullFolders[base]:
		case base == "mcp" || base == "server" || base == "mcp-server": // says whose only with its scope
			return strings.TrimPrefix(path.Base(path.Dir(dir)), "@") + " " + base
		default:
			return base
		}
	}
	return name
}

// stamp is how a recording's name tells its time.
const stamp = "20060102-150405"

// RecordingName takes the name of a recording file apart: the server, and when
// it was, "" when the name does not say.
func RecordingName(path string) (title, when string) {
	name := trimRecordingExt(filepath.Base(path))
	for i := len(name) - len(stamp); i > 0; i-- {
		at, err := time.ParseInLocation(stamp, name[i:i+len(stamp)], time.Local)
		rest := name[i+len(stamp):]
		if err == nil && name[i-1] == '-' && (rest == "" || rest[0] == '-') {
			return line(name[:i-1], titleRunes), human.Date(at) + strings.Replace(rest, "-", " no. ", 1)
		}
	}
	return line(name, titleRunes), ""
}

// SameServer reports whether two targets are reached in the same way: the
// environment, credentials and names do not count.
func SameServer(a, b session.Target) bool {
	return sameServer(a.RecordingHeader("").Target, b.RecordingHeader("").Target)
}

func sameServer(a, b recorder.Target) bool {
	if a.Transport != b.Transport || a.Command != b.Command || a.Dir != b.Dir || a.URL != b.URL || len(a.Args) != len(b.Args) {
		return false
	}
	for i := range a.Args {
		if a.Args[i] != b.Args[i] {
			return false
		}
	}
	return true
}

// targetOf is the target that a recording's header describes.
func targetOf(t recorder.Target) session.Target {
	out := session.Target{
		Name: t.Name, Transport: session.Transport(t.Transport), Command: t.Command, Args: t.Args, Dir: t.Dir, URL: t.URL,
	}
	for _, name := range slices.Sorted(maps.Keys(t.Env)) {
		v := session.EnvVar{Name: name, Value: t.Env[name]}
		if recorder.IsTag(v.Value) {
			v.Value, v.Secret = "", true // the recording does not have it
		}
		out.Env = append(out.Env, v)
	}
	return out
}

// sessionOptions are the options for a session with server.
func (c *Conn) sessionOptions(server settings.Server, log *recorder.Log) session.Options {
	o := session.Options{Log: log, Client: c.o.Client, Capabilities: Declared(c.o.Capabilities, server.Off), Roots: server.Roots, AskRoots: server.AskRoots}
	live := server.Live
	o.ListenToLists, o.AutoReread, o.KeepAlive = live.Listen, live.Reread, keepAlive(server)
	_, general := c.o.now()
	o.ProbeTimeout = limit(server.Limits.ProbeMS, general.ProbeMS)
	o.InitTimeout = limit(server.Limits.InitMS, general.InitMS)
	o.CallTimeout, o.CallMaximum = callLimits(server, general)
	o.PingTimeout, o.AckTimeout = limit(0, general.PingMS), limit(0, general.AckMS)
	o.MaxRounds, o.MaxMessage = general.Rounds, general.MessageBytes
	return o
}

// limit is a server's own limit, or else the program's, in milliseconds.
func limit(own, general int64) time.Duration {
	if own != 0 {
		return time.Duration(own) * time.Millisecond
	}
	return time.Duration(general) * time.Millisecond
}

func callLimits(server settings.Server, general settings.Limits) (timeout, maximum time.Duration) {
	return limit(server.Limits.CallMS, general.CallMS), limit(server.Limits.CallMaxMS, general.CallMaxMS)
}

// UseLimits gives the session that is there the limits of calls that are in force
// now; the others count from the next connection on.
func (c *Conn) UseLimits() {
	if sess := c.Session(); sess != nil {
		_, general := c.o.now()
		sess.SetCallLimits(callLimits(c.Server(), general))
	}
}

// keepAlive is the time between the pings to a server, 0 for none.
func keepAlive(server settings.Server) time.Duration {
	return time.Duration(server.Live.KeepAliveMS) * time.Millisecond
}
