package link

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// The named default environment: what a program needs to find its home, its
// tools and its language, and nothing that is likely to be a secret. A name
// that ends in * stands for all that begin so.
var (
	unixEnv = []string{
		"HOME", "LANG", "LC_*", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER", "XDG_*",
	}
	windowsEnv = []string{
		"ALLUSERSPROFILE", "APPDATA", "COMMONPROGRAMFILES", "COMMONPROGRAMFILES(X86)", "COMMONPROGRAMW6432",
		"COMPUTERNAME", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "NUMBER_OF_PROCESSORS", "OS",
		"PATH", "PATHEXT", "PROCESSOR_ARCHITECTURE", "PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)",
		"PROGRAMW6432", "PSMODULEPATH", "PUBLIC", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERDOMAIN",
		"USERNAME", "USERPROFILE", "WINDIR",
	}
)

// DefaultEnvNames lists the names of the default environment on this system;
// one that ends in * stands for all that begin so.
func DefaultEnvNames() []string {
	if runtime.GOOS == "windows" {
		return slices.Clone(windowsEnv)
	}
	return slices.Clone(unixEnv)
}

// DefaultEnv is the named default environment that a child gets from ours, as
// KEY=VALUE, in the order of the names. See DefaultEnvNames.
func DefaultEnv() []string { return pickEnv(os.Environ(), DefaultEnvNames()) }

// ChildEnv is the environment that a child of t gets: DefaultEnv (or all of
// ours), then t.Env. Of several values for one name the last one wins.
func ChildEnv(t StdioTarget) []string {
	env := DefaultEnv()
	if t.InheritEnv {
		env = os.Environ()
		if dir, err := filepath.Abs(t.Dir); err == nil && t.Dir != "" {
			env = append(env, "PWD="+dir) // ours would name another directory
		}
	}
	return mergeEnv(env, t.Env)
}

func pickEnv(environ, names []string) []string {
	var env []string
	for _, kv := range environ {
		name, value, ok := cutEnv(kv)
		// A value that begins so is a shell function, which only a shell needs.
		if ok && !strings.HasPrefix(value, "()") && slices.ContainsFunc(names, func(n string) bool { return envMatch(n, name) }) {
			env = append(env, kv)
		}
	}
	slices.Sort(env)
	return env
}

func envMatch(pattern, name string) bool {
	if prefix, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(envKey(name), prefix)
	}
	return envKey(name) == pattern
}

// mergeEnv puts over on top of env and keeps one value a name.
func mergeEnv(env, over []string) []string {
	var out []string
	at := map[string]int{}
	for _, kv := range slices.Concat(env, over) {
		name, _, ok := cutEnv(kv)
		if !ok {
			continue
		}
		if i, seen := at[envKey(name)]; seen {
			out[i] = kv
			continue
		}
		at[envKey(name)] = len(out)
		out = append(out, kv)
	}
	return out
}

// cutEnv splits at the first =, except for the one that begins the hidden
// variables of Windows ("=C:=C:\dir").
func cutEnv(kv string) (name, value string, ok bool) {
	if kv == "" {
		return "", "", false
	}
	i := strings.IndexByte(kv[1:], '=')
	if i < 0 {
		return "", "", false
	}
	return kv[:i+1], kv[i+2:], true
}

// envKey is what two spellings of one variable have in common.
func envKey(name string) string {
	if runtime.GOOS == "windows" {
		return strings.ToUpper(name)
	}
	return name
}

// envValue returns the value of a variable in env.
func envValue(env []string, name string) string {
	for _, kv := range env {
		if k, v, ok := cutEnv(kv); ok && envKey(k) == envKey(name) {
			return v
		}
	}
	return ""
}
