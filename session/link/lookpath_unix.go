//go:build unix

package link

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// locate finds the file of a command: on the PATH of env, or from dir when it
// is a path.
func locate(command, dir string, env []string) (string, error) {
	if strings.Contains(command, "/") {
		path := command
		if !filepath.IsAbs(path) {
			base, err := filepath.Abs(dir)
			if err != nil {
				return "", fmt.Errorf("finding %s: %w", command, err)
			}
			path = filepath.Join(base, path)
		}
		return path, checkProgram(path)
	}
	path := envValue(env, "PATH")
	if path == "" {
		return "", fmt.Errorf("%s was not found: PATH is empty", command)
	}
	var refused error
	for _, d := range filepath.SplitList(path) {
		if !filepath.IsAbs(d) {
			continue // running what lies in the current directory would be a surprise
		}
		found := filepath.Join(d, command)
		err := checkProgram(found)
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

// checkProgram says why a file cannot be run.
func checkProgram(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR):
		return fmt.Errorf("%s does not exist: %w", path, os.ErrNotExist)
	case err != nil:
		return fmt.Errorf("%s cannot be used: %w", path, err)
	case info.IsDir():
		return fmt.Errorf("%s is a directory, not a program", path)
	}
	return executable(path, info)
}

func executable(path string, info fs.FileInfo) error {
	if info.Mode()&0o111 == 0 {
		return fmt.Errorf("%s is not executable (mode %v): %w", path, info.Mode().Perm(), os.ErrPermission)
	}
	return nil
}
