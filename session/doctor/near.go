package doctor

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mcploupe/session/link"
)

const (
	maxNear    = 5      // names that are offered
	maxFolders = 200    // of PATH that are looked through
	maxEntries = 20_000 // of all of them
)

// nearNames finds programs whose names differ from a command in a letter or two:
// on the PATH of the child, or beside the path that was given.
func nearNames(command string, t link.StdioTarget) []string {
	var folders []string
	name := filepath.Base(command)
	if strings.ContainsAny(command, `/\`) {
		dir := filepath.Dir(command)
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(t.Dir, dir)
		}
		folders = []string{dir}
	} else {
		folders = filepath.SplitList(link.EnvValue(link.ChildEnv(t), "PATH"))
	}
	type candidate struct {
		name string
		far  int
	}
	var found []candidate
	limit := 1 + min(len(name)/4, 2)
	left := maxEntries
	for _, dir := range folders[:min(len(folders), maxFolders)] {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue // a folder of PATH that is not there is none of our business
		}
		for _, e := range entries {
			if left--; left < 0 {
				break
			}
			far := distance(strings.ToLower(name), strings.ToLower(e.Name()), limit)
			if far > limit || e.IsDir() || slices.ContainsFunc(found, func(c candidate) bool { return c.name == e.Name() }) {
				continue
			}
			if info, err := os.Stat(filepath.Join(dir, e.Name())); err == nil && !info.IsDir() {
				found = append(found, candidate{e.Name(), far})
			}
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return a.far - b.far })
	var names []string
	for _, c := range found[:min(len(found), maxNear)] {
		names = append(names, c.name)
	}
	return names
}

// distance counts the letters to add, drop, change or swap with the next to make
// b of a; above limit it may be any number above it.
func distance(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	before := make([]int, len(b)+1) // two rows up
	above := make([]int, len(b)+1)
	row := make([]int, len(b)+1)
	for j := range above {
		above[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(above[j+1]+1, row[j]+1, above[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, above, row = above, row, before
	}
	return above[len(b)]
}
