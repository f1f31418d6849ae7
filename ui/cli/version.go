package cli

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// Build says which program this is. Number and Commit come from the linker and
// may be empty.
type Build struct {
	Number string
	Commit string
	Window bool // it has the window
	info   *debug.BuildInfo
}

// NewBuild fills in what the Go command has noted in the program.
func NewBuild(number, commit string, window bool) Build {
	b := Build{Number: number, Commit: commit, Window: window}
	b.info, _ = debug.ReadBuildInfo()
	return b
}

// commitRunes is how much of a commit is named.
const commitRunes = 12

// commit is the revision that it was built from, and whether files had changed
// since; "" when that is not known.
func (b Build) commit() (revision string, changed bool) {
	revision = b.Commit
	if b.info != nil {
		for _, s := range b.info.Settings {
			switch {
			case s.Key == "vcs.revision" && revision == "":
				revision = s.Value
			case s.Key == "vcs.modified":
				changed = s.Value == "true"
			}
		}
	}
	return revision[:min(len(revision), commitRunes)], changed
}

// number is the version: of the linker, or else of the module as it was
// installed.
func (b Build) number() string {
	if b.Number != "" {
		return b.Number
	}
	if b.info != nil && b.info.Main.Version != "" && b.info.Main.Version != "(devel)" {
		return strings.TrimPrefix(b.info.Main.Version, "v")
	}
	return "unknown"
}

// Short is the version with the commit, for recordings and for servers that ask.
func (b Build) Short() string {
	if c, changed := b.commit(); c != "" && changed {
		return fmt.Sprintf("%s (%s, changed)", b.number(), c)
	} else if c != "" {
		return fmt.Sprintf("%s (%s)", b.number(), c)
	}
	return b.number()
}

// String is what --version prints.
func (b Build) String() string {
	kind := "verbs alone"
	if b.Window {
		kind = "window and verbs"
	}
	commit, changed := b.commit()
	switch {
	case commit == "":
		commit = "unknown"
	case changed:
		commit += ", files had changed"
	}
	return fmt.Sprintf("mcploupe %s\ncommit  %s\nbuilt   %s %s/%s, %s", b.number(), commit, runtime.Version(), runtime.GOOS, runtime.GOARCH, kind)
}
