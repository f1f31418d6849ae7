package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// rank orders the rooms of the house: a package may import its own room and
// those of a lower rank.
var rank = map[string]int{"protocol": 1, "recorder": 2, "session": 3, "ui": 4, "": 5}

// TestImports keeps the house rules: imports run protocol <- recorder <-
// session <- ui <- main, the engine knows no toolkit, and only main needs the
// toolkit's driver.
func TestImports(t *testing.T) {
	files := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && path != "." || path == "build" || path == "dist") {
			return filepath.SkipDir
		}
		if d.IsDir() || !strings.HasSuffix(path, ".go") {
			return nil
		}
		files++
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		room := ""
		if dir, _, nested := strings.Cut(filepath.ToSlash(path), "/"); nested {
			room = dir
		}
		for _, spec := range f.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			if fault := importFault(path, room, name); fault != "" {
				t.Errorf("%s imports %s: %s", path, name, fault)
			}
		}
		if room == "protocol" && !strings.HasSuffix(path, "_test.go") {
			for _, used := range clocks(f) {
				t.Errorf("%s uses time.%s: protocol has no clock", path, used)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 20 {
		t.Fatalf("only %d files seen: the walk misses the tree", files)
	}
}

func importFault(path, room, name string) string {
	test := strings.HasSuffix(path, "_test.go")
	if own, ok := strings.CutPrefix(name, "mcploupe/"); ok {
		other, _, _ := strings.Cut(own, "/")
		if other != "assets" && rank[other] > rank[room] {
			return "imports run protocol <- recorder <- session <- ui <- main"
		}
	}
	if name == "fyne.io/fyne/v2/widget" && room == "ui" && !within(path, "ui", "widget") {
		return "widgets are those of mcploupe/ui/widget, which show and give away the keyboard"
	}
	toolkit := name == "fyne.io/fyne/v2" || strings.HasPrefix(name, "fyne.io/fyne/v2/")
	if toolkit && room != "ui" && room != "" && room != "assets" {
		return "the engine knows no toolkit"
	}
	if toolkit && within(path, "ui", "view") {
		return "view models know no widget"
	}
	if toolkit && (within(path, "ui", "cli") || within(path, "ui", "settings")) {
		return "verbs and settings work without a display"
	}
	if name == "fyne.io/fyne/v2/app" && room != "" {
		return "only main needs cgo and a display"
	}
	if room == "protocol" && !test {
		for _, impure := range []string{"os", "net", "net/http", "os/exec"} {
			if name == impure {
				return "protocol is pure: no I/O"
			}
		}
	}
	return ""
}

// within reports whether a file is somewhere in a folder.
func within(path string, folder ...string) bool {
	return strings.HasPrefix(path, filepath.Join(folder...)+string(filepath.Separator))
}

// clocks are the uses of the machine's clock in a file; reading a date from
// text is none.
func clocks(f *ast.File) []string {
	var used []string
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && x.Name == "time" {
				switch s.Sel.Name {
				case "Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker":
					used = append(used, s.Sel.Name)
				}
			}
		}
		return true
	})
	return used
}

// TestClocks makes sure that a clock is found, and a date is none.
func TestClocks(t *testing.T) {
	f, err := parser.ParseFile(token.NewFileSet(), "x.go", "package x\nimport \"time\"\nvar a, _ = time.Parse(time.DateOnly, \"\")\nvar b = time.Now()\n", 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := clocks(f); len(got) != 1 || got[0] != "Now" {
		t.Errorf("found %v, want [Now]", got)
	}
}

// TestImportFault makes sure that the check itself can fail.
func TestImportFault(t *testing.T) {
	for _, c := range []struct {
		path, room, name string
		bad              bool
	}{
		{"protocol/a.go", "protocol", "mcploupe/recorder", true},
		{"recorder/a.go", "recorder", "mcploupe/session/link", true},
		{"session/a.go", "session", "mcploupe/recorder", false},
		{"ui/cli/a.go", "ui", "mcploupe/session", false},
		{"ui/a.go", "ui", "fyne.io/fyne/v2/widget", true},
		{"ui/forms/a.go", "ui", "fyne.io/fyne/v2/widget", true},
		{"ui/widget/a.go", "ui", "fyne.io/fyne/v2/widget", false},
		{"ui/a.go", "ui", "fyne.io/fyne/v2/container", false},
		{"session/a.go", "session", "fyne.io/fyne/v2/widget", true},
		{"ui/view/a.go", "ui", "fyne.io/fyne/v2", true},
		{"ui/rows/a.go", "ui", "fyne.io/fyne/v2/canvas", false},
		{"ui/a.go", "ui", "fyne.io/fyne/v2/app", true},
		{"window.go", "", "fyne.io/fyne/v2/app", false},
		{"protocol/a.go", "protocol", "os", true},
		{"protocol/a_test.go", "protocol", "os", false},
	} {
		if got := importFault(filepath.FromSlash(c.path), c.room, c.name) != ""; got != c.bad {
			t.Errorf("%s importing %s: fault %v, want %v", c.path, c.name, got, c.bad)
		}
	}
}
