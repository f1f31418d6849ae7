package main

import (
	"bytes"
	"context"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"mcploupe/assets"
	"mcploupe/recorder"
	"mcploupe/ui/cli"
)

// documents are all texts for people, by their file.
func documents(t *testing.T) map[string]string {
	t.Helper()
	docs := map[string]string{}
	for _, name := range []string{"README.md", "CONTRIBUTING.md"} {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		docs[name] = string(raw)
	}
	err := fs.WalkDir(assets.Guide(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := fs.ReadFile(assets.Guide(), path)
		docs["assets/docs/"+path] = string(raw)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(docs) < 10 {
		t.Fatalf("%d documents", len(docs))
	}
	return docs
}

var (
	codePattern = regexp.MustCompile("`([^`\n]+)`")
	linkPattern = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	pathPattern = regexp.MustCompile(`^(\.ci|assets|protocol|recorder|session|ui)(/[\w.*{},-]+)*/?$|^(Makefile|main\.go|window\.go|go\.mod|FyneApp\.toml|imports_test\.go|docs_test\.go|README\.md|CONTRIBUTING\.md|LICENSE)$`)
)

// Every path that a document names is there, and every link leads somewhere.
func TestDocumentsNameWhatExists(t *testing.T) {
	named := 0
	for doc, text := range documents(t) {
		for _, m := range codePattern.FindAllStringSubmatch(text, -1) {
			if path := m[1]; pathPattern.MatchString(path) {
				named++
				found, err := filepath.Glob(path)
				if err != nil || len(found) == 0 {
					t.Errorf("%s names %s, which is not there", doc, path)
				}
			}
		}
		for _, m := range linkPattern.FindAllStringSubmatch(text, -1) {
			target, _, _ := strings.Cut(m[1], "#")
			if target == "" || strings.Contains(target, "://") {
				continue
			}
			if _, err := os.Stat(filepath.Join(filepath.Dir(doc), target)); err != nil {
				t.Errorf("%s links to %s: %v", doc, target, err)
			}
		}
	}
	if named < 40 {
		t.Errorf("only %d paths seen", named)
	}
}

// commandPattern finds command lines of the program.
var commandPattern = regexp.MustCompile("(?m)(?:^|`)mcploupe ([a-z][^`\n]*)")

// flagsOf asks a verb for its flags.
func flagsOf(t *testing.T, verb string) string {
	t.Helper()
	var out bytes.Buffer
	if code := cli.Run(context.Background(), []string{verb, "--help"}, cli.Env{Out: &out, Err: &out}); code != cli.ExitOK {
		t.Fatalf("%s --help: %s", verb, out.String())
	}
	return out.String()
}

var flagPattern = regexp.MustCompile(`--[a-z][a-z-]*`)

// Every verb and every flag that a document names is there, and every verb is
// named by the page about them.
func TestDocumentsNameVerbsAndFlagsThatExist(t *testing.T) {
	var usage bytes.Buffer
	if cli.Run(context.Background(), []string{"help"}, cli.Env{Out: &usage, Err: &usage}) != cli.ExitOK {
		t.Fatal(usage.String())
	}
	all := ""
	var verbs []string
	for _, m := range regexp.MustCompile(`(?m)^  mcploupe ([a-z]+) `).FindAllStringSubmatch(usage.String(), -1) {
		if cli.Known(m[1]) {
			verbs = append(verbs, m[1])
			all += flagsOf(t, m[1])
		}
	}
	if len(verbs) < 10 {
		t.Fatalf("verbs %q", verbs)
	}
	docs := documents(t)
	commands := 0
	for doc, text := range docs {
		for _, m := range commandPattern.FindAllStringSubmatch(text, -1) {
			line, _, _ := strings.Cut(m[1], " # ")
			line, _, _ = strings.Cut(line+" ", " -- ") // what follows is another program's
			words := strings.Fields(line)
			verb := strings.Trim(words[0], ".,;:")
			if strings.HasPrefix(verb, "session.") {
				continue // a file
			}
			for _, v := range strings.Split(verb, "|") {
				commands++
				if !cli.Known(v) {
					t.Errorf("%s: no verb %q in %q", doc, v, m[1])
					continue
				}
				for _, flag := range flagPattern.FindAllString(line, -1) {
					if has := flagsOf(t, v); flag != "--help" && !regexp.MustCompile(regexp.QuoteMeta(flag)+`\b`).MatchString(has) {
						t.Errorf("%s: %s has no flag %s", doc, v, flag)
					}
				}
			}
		}
		for _, m := range codePattern.FindAllStringSubmatch(text, -1) {
			if flag := flagPattern.FindString(m[1]); flag != "" && strings.HasPrefix(m[1], "--") && flag != "--help" && flag != "--version" && !strings.Contains(all, flag) {
				t.Errorf("%s: no verb has the flag %s", doc, flag)
			}
		}
	}
	if commands < 30 {
		t.Errorf("only %d commands seen", commands)
	}
	for _, v := range verbs {
		if !strings.Contains(docs["assets/docs/verbs.md"], "mcploupe "+v) {
			t.Errorf("the page about verbs does not name %s", v)
		}
	}
}

// Every make target that a document names is there.
func TestDocumentsNameTargetsThatExist(t *testing.T) {
	raw, err := os.ReadFile("Makefile")
	if err != nil {
		t.Fatal(err)
	}
	targets := 0
	for doc, text := range documents(t) {
		for _, m := range regexp.MustCompile("(?m)(?:`|^)make ([a-z0-9-]+)").FindAllStringSubmatch(text, -1) {
			targets++
			if !regexp.MustCompile(`(?m)^` + m[1] + `:`).Match(raw) {
				t.Errorf("%s: no target %q", doc, m[1])
			}
		}
	}
	if targets < 8 {
		t.Errorf("only %d targets seen", targets)
	}
}

// The pictures are those that are shown, and small.
func TestPicturesAreShownAndSmall(t *testing.T) {
	found, err := filepath.Glob("assets/screenshots/*.png")
	if err != nil {
		t.Fatal(err)
	}
	readme := documents(t)["README.md"]
	for _, name := range found {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if info.Size() > 200<<10 {
			t.Errorf("%s has %d bytes", name, info.Size())
		}
		if !strings.Contains(readme, "("+filepath.ToSlash(name)+")") {
			t.Errorf("%s is shown nowhere", name)
		}
	}
	if len(found) < 2 {
		t.Errorf("pictures %q", found)
	}
	for _, size := range []string{"16", "24", "32", "48", "64", "128", "256"} {
		f, err := os.Open(filepath.Join("assets", "icons", size+".png"))
		if err != nil {
			t.Error(err)
			continue
		}
		c, err := png.DecodeConfig(f)
		if err := f.Close(); err != nil {
			t.Error(err)
		}
		if err != nil || size != strconv.Itoa(c.Width) || c.Width != c.Height {
			t.Errorf("icon %s is %d by %d: %v", size, c.Width, c.Height, err)
		}
	}
}

// The desktop is told of the type that recordings have.
func TestDesktopKnowsRecordings(t *testing.T) {
	entry, err := os.ReadFile("assets/linux/mcploupe.desktop")
	if err != nil {
		t.Fatal(err)
	}
	types, err := os.ReadFile("assets/linux/mcploupe.xml")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?m)^MimeType=([^;]+);$`).FindSubmatch(entry)
	if m == nil || !bytes.Contains(types, []byte(`type="`+string(m[1])+`"`)) {
		t.Errorf("MimeType %q is not the type that %s declares", m, "assets/linux/mcploupe.xml")
	}
	if !bytes.Contains(types, []byte(`pattern="*`+recorder.Ext+`"`)) {
		t.Errorf("the type is not that of %s files", recorder.Ext)
	}
	begin, _, _ := strings.Cut(recorder.Format, "/")
	if !bytes.Contains(types, []byte(`{&quot;format&quot;:&quot;`+begin+`/`)) {
		t.Errorf("the type is not told by %s", begin)
	}
	if i := slices.Index(strings.Split(string(entry), "\n"), "Exec=mcploupe %F"); i < 0 {
		t.Error("the desktop does not hand files over")
	}
}
