package link

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// findProgram finds the file to run for a command as the child would: with the
// PATH of env, and relative paths from dir. The errors are for a person.
func findProgram(command, dir string, env []string) (string, error) {
	command = strings.TrimSpace(command)
	if command == "" {
		return "", errors.New("no command was given")
	}
	if dir != "" {
		info, err := os.Stat(dir)
		if err != nil {
			return "", fmt.Errorf("the working directory %s cannot be used: %w", dir, err)
		}
		if !info.IsDir() {
			return "", fmt.Errorf("the working directory %s is not a directory", dir)
		}
	}
	if strings.ContainsRune(command, filepath.Separator) || strings.Contains(command, "/") {
		path := command
		if !filepath.IsAbs(path) {
			base, err := filepath.Abs(dir)
			if err != nil {
				return "", fmt.Errorf("finding %s: %w", command, err)
			}
			path = filepath.Join(base, path)
		}
		return checkProgram(path, env)
	}
	return searchPath(command, env)
}

func searchPath(command string, env []string) (string, error) {
	path := envValue(env, "PATH")
	if path == "" {
		return "", fmt.Errorf("%s was not found: PATH is empty", command)
	}
	var refused error
	for _, d := range filepath.SplitList(path) {
		if !filepath.IsAbs(d) {
			continue // running what lies in the current directory would be a surprise
		}
		found, err := checkProgram(filepath.Join(d, command), env)
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
	return "", fmt.Errorf("%s was not found on PATH (%s): %w", command, path, os.ErrNotExist)
}

// checkProgram tries path and, where the system has them, its variants with an
// extension.
func checkProgram(path string, env []string) (string, error) {
	var first error
	for _, p := range programNames(path, env) {
		info, err := os.Stat(p)
		switch {
		case errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
			err = fmt.Errorf("%s does not exist: %w", p, os.ErrNotExist)
		case err != nil:
			err = fmt.Errorf("%s cannot be used: %w", p, err)
		case info.IsDir():
			err = fmt.Errorf("%s is a directory, not a program", p)
		default:
			if err = executable(p, info); err == nil {
				return p, nil
			}
		}
		if first == nil || errors.Is(first, os.ErrNotExist) {
			first = err
		}
	}
	return "", first
}

// startError explains why the system would not run a file that is there.
func startError(path string, err error) error {
	switch {
	case errors.Is(err, syscall.ENOENT):
		return fmt.Errorf("%s cannot run: the interpreter or loader that it names does not exist: %w", path, err)
	case errors.Is(err, syscall.ENOEXEC):
		return fmt.Errorf("%s is not a program for this machine, or a script without a #! line: %w", path, err)
	case errors.Is(err, syscall.E2BIG):
		return fmt.Errorf("the arguments or the environment for %s are too large: %w", path, err)
	}
	return fmt.Errorf("starting %s: %w", path, err)
}
