package view

import (
	"net/url"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/session"
)

// Roots are the folders that a server may know of, while a person edits them.
// It belongs to one goroutine.
type Roots struct {
	list []session.Root
	turn uint64
}

// NewRoots starts with a list.
func NewRoots(list []session.Root) *Roots { return &Roots{list: slices.Clone(list)} }

// List is a copy of the roots.
func (r *Roots) List() []session.Root { return slices.Clone(r.list) }

// Len counts the roots.
func (r *Roots) Len() int { return len(r.list) }

// Turn changes with every edit.
func (r *Roots) Turn() uint64 { return r.turn }

// AddFolder adds a folder of this machine under its own name, unless it is
// there already.
func (r *Roots) AddFolder(path string) {
	uri := FolderURI(path)
	if slices.ContainsFunc(r.list, func(x session.Root) bool { return x.URI == uri }) {
		return
	}
	r.list = append(r.list, session.Root{URI: uri, Name: filepath.Base(path)})
	r.turn++
}

// Add adds an empty root.
func (r *Roots) Add() {
	r.list = append(r.list, session.Root{URI: "file:///"})
	r.turn++
}

// Set changes a root.
func (r *Roots) Set(i int, root session.Root) {
	if i >= 0 && i < len(r.list) && r.list[i] != root {
		r.list[i] = root
		r.turn++
	}
}

// Remove takes a root away.
func (r *Roots) Remove(i int) {
	if i >= 0 && i < len(r.list) {
		r.list = slices.Delete(r.list, i, i+1)
		r.turn++
	}
}

// Note says what is odd about a root, "" for nothing. there tells whether a
// folder exists; nil means that nobody looks (ROOT-03, ROOT-05).
func (r *Roots) Note(i int, there func(path string) bool) string {
	root := r.list[i]
	u, err := url.Parse(root.URI)
	switch {
	case root.URI == "":
		return "A root needs a URI."
	case err != nil:
		return line("This is not a URI: "+err.Error(), 200)
	case !strings.EqualFold(u.Scheme, "file"):
		return "The URI of a root begins with file:// (ROOT-03). It is sent as it is all the same."
	case u.Host != "" && !strings.EqualFold(u.Host, "localhost"):
		return "The URI names the machine " + line(u.Host, 60) + "."
	case slices.IndexFunc(r.list, func(x session.Root) bool { return x.URI == root.URI }) != i:
		return "This root is there already."
	case slices.Contains(strings.Split(u.Path, "/"), ".."):
		return `The path leads upwards with "..".`
	case there != nil && !there(folderOf(u)):
		return "There is no such folder on this machine."
	}
	return ""
}

// folderOf is the path on this machine that a file URI means.
func folderOf(u *url.URL) string {
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/")
	}
	return filepath.FromSlash(path)
}

// FolderURI is the file URI of a folder of this machine.
func FolderURI(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// rootsJSON is the answer to roots/list (ROOT-03).
func rootsJSON(list []session.Root) jsontext.Value {
	b := []byte(`{"roots":[`)
	for i, r := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(b, `{"uri":`...), protocol.QuoteString(r.URI)...)
		if r.Name != "" {
			b = append(append(b, `,"name":`...), protocol.QuoteString(r.Name)...)
		}
		b = append(b, '}')
	}
	return append(b, "]}"...)
}

// Preview is the answer that the server gets when it asks for the roots.
func (r *Roots) Preview() string { return string(rootsJSON(r.list)) }
