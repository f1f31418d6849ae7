package view

import (
	"errors"
	"fmt"
	"os/exec"
	"strings"

	"mcploupe/session"
)

// ProgramLine is the command line of another program, made of a template of the
// settings: mark, such as {file}, is replaced by what the program is to open,
// which comes last where there is no mark. The words are those of the template,
// whatever value holds. The error says what is wrong with the template.
func ProgramLine(template, mark, value string) ([]string, error) {
	words, err := session.Words(template)
	if err != nil {
		return nil, err
	}
	if len(words) == 0 {
		return nil, errors.New("no program is named")
	}
	if _, err := exec.LookPath(words[0]); err != nil {
		return nil, fmt.Errorf("there is no program %q", line(words[0], 60))
	}
	if mark == "" {
		return words, nil
	}
	placed := false
	for i, w := range words[1:] {
		if strings.Contains(w, mark) {
			words[i+1], placed = strings.ReplaceAll(w, mark, value), true
		}
	}
	if !placed {
		words = append(words, value)
	}
	return words, nil
}

// ownName is what this program is called in recordings of its demo.
const ownName = "mcploupe"

// OwnProgram is a recorded target that can be started when it is the demo of this
// program, which need not be on the path under its name: program is where it is.
func OwnProgram(t session.Target, program string) session.Target {
	if t.Command != ownName || program == "" || len(t.Args) == 0 || t.Args[0] != "demo" {
		return t
	}
	if _, err := exec.LookPath(ownName); err != nil {
		t.Command = program
	}
	return t
}
