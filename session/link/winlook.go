package link

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

// winLook finds the file that a command means on Windows, where a program is
// told by its extension: npx is npx.cmd in one of the folders of PATH. It looks
// at nothing but what it is given.
type winLook struct {
	env []string
	// isDir reports what stands at a path. The error wraps os.ErrNotExist when
	// nothing does.
	isDir func(path string) (bool, error)
}

// defaultPathExt is what PATHEXT says on a fresh system, as far as such files
// can be started.
const defaultPathExt = ".COM;.EXE;.BAT;.CMD"

// find returns the path of the program. dir is an absolute path, from which a
// relative path is taken. The errors are for a person.
func (w winLook) find(command, dir string) (string, error) {
	if strings.ContainsRune(command, 0) {
		return "", fmt.Errorf("%q has a NUL character in it", command)
	}
	if strings.ContainsAny(command, `\/:`) {
		path := strings.ReplaceAll(command, "/", `\`)
		switch {
		case winAbs(path):
		case strings.HasPrefix(path, `\`): // of the drive that dir is on
			path = winVolume(dir) + path
		case winVolume(path) != "":
			return "", fmt.Errorf("%s depends on the current folder of drive %s: name the whole path", command, path[:2])
		default:
			path = winJoin(dir, path)
		}
		return w.check(path)
	}
	list := winEnv(w.env, "PATH")
	if list == "" {
		return "", fmt.Errorf("%s was not found: PATH is empty", command)
	}
	var refused error
	for _, d := range strings.Split(list, ";") {
		d = strings.ReplaceAll(strings.Trim(strings.TrimSpace(d), `"`), "/", `\`)
		if !winAbs(d) {
			continue // running what lies in the current directory would be a surprise
		}
		found, err := w.check(winJoin(d, command))
		if err == nil {
			return found, nil
		}
		if refused == nil && !errors.Is(err, os.ErrNotExist) {
			refused = err
		}
	}
	if refused != nil {
		return "", refused
	}
	return "", fmt.Errorf("%s was not found on PATH (%s): %w", command, list, os.ErrNotExist)
}

// check tries path as it stands when it ends like a program, and with each
// extension of PATHEXT.
func (w winLook) check(path string) (string, error) {
	exts := winExts(w.env)
	names := make([]string, 0, len(exts)+1)
	own := winExt(path)
	if own != "" {
		names = append(names, path)
	}
	for _, ext := range exts {
		names = append(names, path+ext)
	}
	var first error
	for _, name := range names {
		dir, err := w.isDir(name)
		switch {
		case errors.Is(err, os.ErrNotExist):
			err = fmt.Errorf("%s does not exist: %w", name, os.ErrNotExist)
		case err != nil:
			err = fmt.Errorf("%s cannot be used: %w", name, err)
		case dir:
			err = fmt.Errorf("%s is a directory, not a program", name)
		default:
			if err = winRuns(name); err == nil {
				return name, nil
			}
		}
		if first == nil || errors.Is(first, os.ErrNotExist) && !errors.Is(err, os.ErrNotExist) {
			first = err
		}
	}
	if own == "" && errors.Is(first, os.ErrNotExist) {
		// Tools put a script for other systems beside the one for this.
		if dir, err := w.isDir(path); err == nil && !dir {
			return "", fmt.Errorf("%s has no extension, and Windows starts only files with one of %s", path, strings.Join(exts, " "))
		}
	}
	return "", first
}

// winRuns says why the system would not start a file that is there.
func winRuns(path string) error {
	switch ext := winExt(path); ext {
	case ".exe", ".com", ".bat", ".cmd":
		return nil
	case ".js", ".mjs", ".cjs":
		return fmt.Errorf("%s is a script: give the command node and the script as its first argument", path)
	case ".py", ".pyw":
		return fmt.Errorf("%s is a script: give the command python and the script as its first argument", path)
	case ".ps1":
		return fmt.Errorf("%s is a script: give the command powershell with the arguments -File and the script", path)
	default:
		return fmt.Errorf("%s is opened by another program on Windows: name that program, and the file as its argument", path)
	}
}

// winExts are the extensions that a command may leave out, in the order in
// which they are tried.
func winExts(env []string) []string {
	list := winEnv(env, "PATHEXT")
	if strings.Trim(list, "; ") == "" {
		list = defaultPathExt
	}
	var exts []string
	for _, ext := range strings.Split(strings.ToLower(list), ";") {
		ext = strings.TrimSpace(ext)
		if ext == "" || strings.ContainsAny(ext, `\/:`) {
			continue
		}
		if ext[0] != '.' {
			ext = "." + ext
		}
		exts = append(exts, ext)
	}
	return exts
}

// winExt is the extension of the last element of a path, in small letters.
func winExt(path string) string {
	name := path[strings.LastIndexAny(path, `\/:`)+1:]
	// The system leaves trailing dots and blanks away.
	name = strings.TrimRight(name, ". ")
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		return strings.ToLower(name[i:])
	}
	return ""
}

// winBatch reports whether cmd.exe runs the file.
func winBatch(path string) bool {
	ext := winExt(path)
	return ext == ".bat" || ext == ".cmd"
}

// winVolume is the drive of a path, or the server and share of a UNC path.
func winVolume(path string) string {
	if len(path) >= 2 && path[1] == ':' && (path[0]|0x20 >= 'a' && path[0]|0x20 <= 'z') {
		return path[:2]
	}
	if rest, ok := strings.CutPrefix(path, `\\`); ok {
		server, rest, ok := strings.Cut(rest, `\`)
		if share, _, _ := strings.Cut(rest, `\`); ok && server != "" && share != "" {
			return path[:2+len(server)+1+len(share)]
		}
	}
	return ""
}

// winAbs reports whether a path depends on no current folder.
func winAbs(path string) bool {
	volume := winVolume(path)
	return strings.HasPrefix(volume, `\\`) || volume != "" && strings.HasPrefix(path[len(volume):], `\`)
}

// winJoin puts a relative path behind a folder.
func winJoin(dir, rel string) string {
	for strings.HasPrefix(rel, `.\`) {
		rel = rel[2:]
	}
	return strings.TrimRight(dir, `\`) + `\` + rel
}

// winEnv returns the value of a variable, whose name is the same in any case.
func winEnv(env []string, name string) string {
	for _, kv := range env {
		if k, v, ok := cutEnv(kv); ok && strings.EqualFold(k, name) {
			return v
		}
	}
	return ""
}
