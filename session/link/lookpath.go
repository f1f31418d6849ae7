package link

import (
	"errors"
	"fmt"
	"os"
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
	return locate(command, dir, env)
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
