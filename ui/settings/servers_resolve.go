package settings

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mcploupe/protocol"
	"mcploupe/session"
	"mcploupe/session/mcpjson"
	"mcploupe/session/secret"
)

// Question is a value that is needed to connect and is nowhere to be found.
type Question struct {
	Key     secret.Key
	Label   string // "API_KEY", "the header X-Key"
	Text    string // what it is for
	Secret  bool
	Default string
	Options []string // to choose from, nil for any text
}

// Answer is what a person gave for a Question.
type Answer struct {
	Key   secret.Key
	Value string
}

// Resolver makes targets of saved servers: it reads environment files, replaces
// variables and finds secrets. The window and the headless verbs share it.
type Resolver struct {
	Vault *secret.Vault
	// Ask asks a person; nil where nobody can be asked, and then what is
	// missing is an error that says where it can be put.
	Ask func(ctx context.Context, x Server, questions []Question) ([]Answer, error)

	Getenv   func(string) (string, bool)  // nil means os.LookupEnv
	ReadFile func(string) ([]byte, error) // nil means os.ReadFile
	Home     string                       // "" means os.UserHomeDir
}

// maxEnvFile bounds an environment file, in bytes.
const maxEnvFile = 1 << 20

// Resolve returns the target of a server with all values in place. It may wait
// for the keyring and for a person, until ctx ends. Values of secrets are in
// Target.Secrets too, so that they are masked wherever they appear.
func (r Resolver) Resolve(ctx context.Context, x Server) (session.Target, error) {
	if r.Getenv == nil {
		r.Getenv = os.LookupEnv
	}
	if r.ReadFile == nil {
		r.ReadFile = os.ReadFile
	}
	if r.Home == "" {
		r.Home, _ = os.UserHomeDir() // what needs it says that it is not known
	}
	w := &resolving{Resolver: r, x: x, known: map[secret.Key]string{}}
	// The first pass finds out what is missing; what the person gives is there
	// for the second.
	t, err := w.target(ctx)
	if err != nil || len(w.questions) == 0 {
		return t, err
	}
	if r.Ask == nil {
		return session.Target{}, w.missing()
	}
	answers, err := r.Ask(ctx, x, w.questions)
	if err != nil {
		return session.Target{}, err
	}
	for _, a := range answers {
		w.known[a.Key] = a.Value
	}
	w.questions = nil
	t, err = w.target(ctx)
	if err == nil && len(w.questions) > 0 {
		err = w.missing()
	}
	return t, err
}

// resolving is the work on one server.
type resolving struct {
	Resolver
	x         Server
	known     map[secret.Key]string // answered by the person
	questions []Question
	trouble   error // of the keyring
	secrets   []string
}

// missing says what could not be found, and where it can be put.
func (w *resolving) missing() error {
	var lines []string
	for _, q := range w.questions {
		line := q.Label
		if q.Text != "" {
			line += " (" + q.Text + ")"
		}
		lines = append(lines, line+": set "+strings.Join(q.Key.Variables(), " or "))
	}
	err := fmt.Errorf("values are missing that are not in the settings: %s; or connect once in the window and keep them in the keyring", strings.Join(lines, "; "))
	if w.trouble != nil {
		err = fmt.Errorf("%w (the keyring cannot be asked: %w)", err, w.trouble)
	}
	return err
}

func (w *resolving) ask(q Question) {
	if !slices.ContainsFunc(w.questions, func(o Question) bool { return o.Key == q.Key }) {
		w.questions = append(w.questions, q)
	}
}

// find looks a value up; ok is false when it became a question.
func (w *resolving) find(ctx context.Context, q Question) (value string, ok bool) {
	q.Key.Server = w.x.ID
	value, ok = w.known[q.Key]
	if !ok && w.Vault != nil && w.x.ID != "" { // what is not saved has nothing kept
		v, source, err := w.Vault.Get(ctx, q.Key)
		if err != nil && w.trouble == nil {
			w.trouble = err
		}
		value, ok = v, source != secret.Nowhere
	}
	if !ok {
		value, ok = w.fromSource(q.Key)
	}
	if !ok {
		w.ask(q)
		return "", false
	}
	if q.Secret && value != "" {
		w.secrets = append(w.secrets, value)
	}
	return value, true
}

// fromSource looks into the file that the server was imported from, where a
// secret stands that no keyring has.
func (w *resolving) fromSource(k secret.Key) (string, bool) {
	from := w.x.Source
	if from == nil || k.Kind != secret.Env && k.Kind != secret.Header {
		return "", false
	}
	text, err := w.ReadFile(from.File)
	if err != nil {
		return "", false // it is asked for instead
	}
	file := mcpjson.Read(text, from.File, from.Dialect)
	i := slices.IndexFunc(file.Servers, func(s mcpjson.Server) bool { return s.Name == from.Name && s.Project == from.Project })
	if i < 0 {
		return "", false
	}
	list := file.Servers[i].Env
	if k.Kind == secret.Header {
		list = file.Servers[i].Headers
	}
	for _, v := range list {
		if strings.EqualFold(v.Name, k.Name) && v.Value != "" && !w.x.Syntax.Refers(v.Value) {
			return v.Value, true
		}
	}
	return "", false
}

// target puts all values in place that are known.
func (w *resolving) target(ctx context.Context) (session.Target, error) {
	w.secrets = nil
	t := w.x.Target
	var err error
	expand := func(what, value string) string {
		out, e := w.expand(ctx, what, value)
		err = errors.Join(err, e)
		return out
	}
	t.Command = expand("the command", t.Command)
	t.Dir = w.home(expand("the folder", t.Dir))
	t.URL = expand("the address", t.URL)
	t.Args = slices.Clone(t.Args)
	for i := range t.Args {
		t.Args[i] = expand("an argument", t.Args[i])
	}
	t.Env, t.Headers = slices.Clone(t.Env), slices.Clone(t.Headers)
	for i, v := range t.Env {
		if v.Secret && v.Value == "" {
			t.Env[i].Value, _ = w.find(ctx, Question{Key: secret.Key{Kind: secret.Env, Name: v.Name}, Label: v.Name, Text: "environment variable", Secret: true})
			continue
		}
		t.Env[i].Value = expand(v.Name, v.Value)
	}
	for i, h := range t.Headers {
		isSecret := w.x.IsSecretHeader(h.Name)
		if isSecret && h.Value == "" {
			t.Headers[i].Value, _ = w.find(ctx, Question{Key: secret.Key{Kind: secret.Header, Name: h.Name}, Label: h.Name, Text: "header", Secret: true})
			continue
		}
		t.Headers[i].Value = expand("the header "+h.Name, h.Value)
		if isSecret && t.Headers[i].Value != "" && !protocol.IsSecretHeader(h.Name) {
			w.secrets = append(w.secrets, t.Headers[i].Value)
		}
	}
	if w.x.SecretBearer && t.Bearer == "" {
		t.Bearer, _ = w.find(ctx, Question{Key: secret.Key{Kind: secret.Bearer}, Label: "Bearer token", Text: "sent as Authorization", Secret: true})
	}
	if w.x.EnvFile != "" && t.Command != "" {
		fromFile, e := w.envFile(ctx, t.Dir)
		err = errors.Join(err, e)
		for _, v := range slices.Backward(fromFile) {
			if !slices.ContainsFunc(t.Env, func(o session.EnvVar) bool { return o.Name == v.Name }) {
				t.Env = slices.Insert(t.Env, 0, v)
			}
		}
	}
	t.Secrets = slices.Clone(w.secrets)
	return t, err
}

// expand replaces the variables of a value.
func (w *resolving) expand(ctx context.Context, what, value string) (string, error) {
	var err error
	out, missing := w.x.Syntax.Expand(value, func(p mcpjson.Part) (string, bool) {
		switch p.Kind {
		case mcpjson.EnvVar:
			if v, ok := w.Getenv(p.Name); ok {
				if session.IsSecretName(p.Name) && v != "" {
					w.secrets = append(w.secrets, v)
				}
				return v, true
			}
			if p.HasDefault {
				return "", false
			}
			return w.find(ctx, Question{Key: secret.Key{Kind: secret.Env, Name: p.Name}, Label: p.Name,
				Text: "environment variable that is not set, for " + what, Secret: session.IsSecretName(p.Name)})
		case mcpjson.Input:
			return w.find(ctx, w.inputQuestion(p.Name))
		case mcpjson.Home:
			return w.Home, w.Home != ""
		case mcpjson.Workspace:
			return w.x.Workspace, w.x.Workspace != ""
		case mcpjson.WorkspaceName:
			return filepath.Base(w.x.Workspace), w.x.Workspace != ""
		case mcpjson.Separator:
			return string(filepath.Separator), true
		case mcpjson.FileText:
			text, e := w.read(w.home(p.Name))
			err = errors.Join(err, e)
			text = strings.TrimSpace(text)
			if text != "" {
				w.secrets = append(w.secrets, text)
			}
			return text, e == nil
		}
		return "", false
	})
	for _, p := range missing {
		switch p.Kind {
		case mcpjson.Home:
			err = errors.Join(err, fmt.Errorf("%s: your home folder is not known", what))
		case mcpjson.Workspace, mcpjson.WorkspaceName:
			err = errors.Join(err, fmt.Errorf("%s holds %s: say in the server's details which folder that is", what, p.Raw))
		case mcpjson.Unknown:
			err = errors.Join(err, fmt.Errorf("%s holds %s, which is no variable that is known here; replace it", what, p.Raw))
		}
	}
	return out, err
}

// inputQuestion is what a file asks for.
func (w *resolving) inputQuestion(id string) Question {
	q := Question{Key: secret.Key{Kind: secret.Input, Name: id}, Label: id}
	i := slices.IndexFunc(w.x.Inputs, func(a mcpjson.Asked) bool { return a.ID == id })
	if i < 0 {
		q.Secret = session.IsSecretName(id)
		return q
	}
	a := w.x.Inputs[i]
	q.Text, q.Secret, q.Default, q.Options = a.Description, a.Password, a.Default, a.Options
	if a.Type == "command" {
		q.Text = strings.TrimSpace(q.Text + " (VS Code runs its command " + a.Command + " for it, which cannot be done here)")
	}
	return q
}

// envFile reads the environment file of the server.
func (w *resolving) envFile(ctx context.Context, dir string) ([]session.EnvVar, error) {
	path, err := w.expand(ctx, "the environment file", w.x.EnvFile)
	if err != nil {
		return nil, err
	}
	path = w.home(path)
	if !filepath.IsAbs(path) {
		base := dir
		if base == "" {
			base = w.x.Workspace
		}
		path = filepath.Join(base, path)
	}
	text, err := w.read(path)
	if err != nil {
		return nil, fmt.Errorf("environment file: %w", err)
	}
	list, faults := mcpjson.ParseEnv([]byte(text))
	if len(faults) > 0 {
		return nil, fmt.Errorf("environment file %s: %s", path, faults[0])
	}
	var out []session.EnvVar
	for _, v := range list {
		out = slices.DeleteFunc(out, func(o session.EnvVar) bool { return o.Name == v.Name })
		out = append(out, session.EnvVar{Name: v.Name, Value: v.Value, Secret: session.IsSecretName(v.Name)})
	}
	return out, nil
}

func (w *resolving) read(path string) (string, error) {
	text, err := w.ReadFile(path)
	switch {
	case err != nil:
		return "", fmt.Errorf("read %s: %w", path, err)
	case len(text) > maxEnvFile:
		return "", fmt.Errorf("read %s: it is larger than %d kB", path, maxEnvFile>>10)
	}
	return string(text), nil
}

// home is a path with its ~ replaced.
func (w *resolving) home(path string) string {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && w.Home != "" {
		return filepath.Join(w.Home, rest)
	}
	return path
}
