package diff

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"mcploupe/protocol"
	"mcploupe/protocol/jsonvalue"
)

// SnapshotFormat is the value of "format" in a saved catalogue.
const SnapshotFormat = "mcploupe-catalogue/1"

// SnapshotExt ends the name of a saved catalogue.
const SnapshotExt = ".mcp-catalogue.json"

// ErrNoSnapshot says that a text is no catalogue.
var ErrNoSnapshot = errors.New("not a catalogue")

// snapshotLists are the lists of a catalogue as they are named in a file.
var snapshotLists = []struct {
	name, key string
	of        func(*Surface) *List
}{
	{"tools", "name", func(s *Surface) *List { return &s.Tools }},
	{"resources", "uri", func(s *Surface) *List { return &s.Resources }},
	{"resourceTemplates", "uriTemplate", func(s *Surface) *List { return &s.Templates }},
	{"prompts", "name", func(s *Surface) *List { return &s.Prompts }},
}

// AppendSnapshot writes what a server offers as one JSON document for people,
// version control and CI: lists sorted by name, definitions as they came, tags
// of secrets numbered, nothing that differs from run to run. A list that was
// never read is left out.
//
//	{
//	  "format": "mcploupe-catalogue/1",
//	  "protocolVersion": "2025-11-25",
//	  "serverInfo": {...},
//	  "capabilities": {...},
//	  "instructions": "...",
//	  "tools": [...],
//	  "resources": [...],
//	  "resourceTemplates": [...],
//	  "prompts": [...]
//	}
func AppendSnapshot(b []byte, s Surface) ([]byte, error) {
	var doc []byte
	put := func(name string, v jsontext.Value) {
		if len(v) == 0 {
			return
		}
		if doc == nil {
			doc = append(doc, '{')
		} else {
			doc = append(doc, ',')
		}
		doc = append(append(append(doc, jsonvalue.Quote(name)...), ':'), v...)
	}
	put("format", jsontext.Value(jsonvalue.Quote(SnapshotFormat)))
	if s.Revision != "" {
		put("protocolVersion", jsontext.Value(jsonvalue.Quote(s.Revision)))
	}
	if s.Supported != nil {
		versions := []jsontext.Value{}
		for _, v := range s.Supported {
			versions = append(versions, jsontext.Value(jsonvalue.Quote(v)))
		}
		put("supportedVersions", arrayOf(versions))
	}
	put("serverInfo", s.ServerInfo)
	put("capabilities", s.Capabilities)
	put("instructions", s.Instructions)
	for _, l := range snapshotLists {
		if list := l.of(&s); list.Known {
			items := slices.Clone(list.Items)
			slices.SortStableFunc(items, func(x, y jsontext.Value) int { return strings.Compare(nameIn(x, l.key), nameIn(y, l.key)) })
			put(l.name, arrayOf(items))
		}
	}
	out := jsontext.Value(append(numberTags(doc), '}'))
	if err := out.Format(append(slices.Clone(jsonvalue.Tolerant), jsontext.PreserveRawStrings(true), jsontext.CanonicalizeRawInts(false),
		jsontext.CanonicalizeRawFloats(false), jsontext.Multiline(true), jsontext.WithIndent("  "), jsontext.SpaceAfterColon(true))...); err != nil {
		return b, fmt.Errorf("write the catalogue: %w", err)
	}
	return append(append(b, out...), '\n'), nil
}

func nameIn(item jsontext.Value, key string) string {
	if v := parsed(item); v != nil {
		if name := v.Get(key); name != nil {
			return name.Str
		}
	}
	return ""
}

func arrayOf(items []jsontext.Value) jsontext.Value {
	out := []byte{'['}
	for i, it := range items {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(out, it...)
	}
	return append(out, ']')
}

var secretTag = regexp.MustCompile(`‹secret:[0-9a-f]{8}›`)

// numberTags replaces the tags of secrets, which differ from run to run, by
// their numbers.
func numberTags(doc []byte) []byte {
	seen := map[string]string{}
	return secretTag.ReplaceAllFunc(doc, func(tag []byte) []byte {
		n, has := seen[string(tag)]
		if !has {
			n = "‹secret:" + strconv.Itoa(len(seen)+1) + "›"
			seen[string(tag)] = n
		}
		return []byte(n)
	})
}

// IsSnapshot reports whether a text seems to begin a catalogue that
// ReadSnapshot reads: one that AppendSnapshot wrote, the result of a list, or
// the document that the inspect verb prints.
func IsSnapshot(head []byte) bool {
	dec := jsontext.NewDecoder(bytes.NewReader(head), jsonvalue.Tolerant...)
	if tok, err := dec.ReadToken(); err != nil || tok.Kind() != '{' {
		return false
	}
	for {
		tok, err := dec.ReadToken()
		if err != nil || tok.Kind() != '"' {
			return false
		}
		name := tok.String()
		switch name {
		case "tools", "resources", "resourceTemplates", "prompts":
			return dec.PeekKind() == '['
		case "format":
			v, err := dec.ReadToken()
			return err == nil && v.Kind() == '"' && v.String() == SnapshotFormat
		case "result":
			if _, err := dec.ReadToken(); err != nil {
				return false
			}
			continue // look into the result
		}
		if err := dec.SkipValue(); err != nil {
			return false
		}
	}
}

// ReadSnapshot reads a catalogue. The error is ErrNoSnapshot when the text is
// something else.
func ReadSnapshot(text []byte) (Surface, error) {
	var s Surface
	if !jsontext.Value(text).IsValid(jsonvalue.Tolerant...) {
		if _, err := jsonvalue.Parse(text); err != nil {
			return s, fmt.Errorf("%w: %s%w", ErrNoSnapshot, placeOfError(text, err), err)
		}
		return s, ErrNoSnapshot
	}
	doc := jsontext.Value(text)
	if r, _, ok := protocol.Lookup(doc, "/result"); ok {
		doc = r
	}
	format, _, has := protocol.Lookup(doc, "/format")
	if has && string(format) != jsonvalue.Quote(SnapshotFormat) {
		return s, fmt.Errorf("%w: the format is %.60s, this program reads %q", ErrNoSnapshot, format, SnapshotFormat)
	}
	from := func(v jsontext.Value, pointers ...string) jsontext.Value {
		for _, p := range pointers {
			if found, _, ok := protocol.Lookup(v, p); ok && found.Kind() != 'n' {
				return bytes.Clone(found)
			}
		}
		return nil
	}
	unquoted := func(v jsontext.Value) string {
		if v.Kind() != '"' {
			return ""
		}
		return jsonvalue.Unquote(string(v))
	}
	s.Revision = unquoted(from(doc, "/protocolVersion", "/revision"))
	s.ServerInfo = from(doc, "/serverInfo", "/server/serverInfo", "/_meta/io.modelcontextprotocol~1serverInfo")
	s.Capabilities = from(doc, "/capabilities", "/server/capabilities")
	s.Instructions = from(doc, "/instructions", "/server/instructions")
	if versions := from(doc, "/supportedVersions", "/server/supportedVersions"); versions.Kind() == '[' {
		s.Supported = []string{}
		for _, v := range protocol.Elements(versions) {
			s.Supported = append(s.Supported, unquoted(v))
		}
	}
	listed := has
	for _, l := range snapshotLists {
		list := from(doc, "/"+l.name)
		status := from(doc, "/lists/"+l.name+"/status")
		if list.Kind() != '[' || status != nil && unquoted(status) != "complete" {
			continue
		}
		listed = true
		to := l.of(&s)
		to.Known = true
		for _, it := range protocol.Elements(list) {
			to.Items = append(to.Items, bytes.Clone(it))
		}
	}
	if !listed {
		return Surface{}, ErrNoSnapshot
	}
	return s, nil
}

// Unknown lists the lists that the server offers, by its capabilities, and that
// were not read. Templates are not told of: a server with resources need not
// have them.
func (s Surface) Unknown() []string {
	capabilities := parsed(s.Capabilities)
	var out []string
	for _, l := range snapshotLists {
		if l.name != "resourceTemplates" && !l.of(&s).Known && isObject(capabilities) && offered(capabilities.Get(l.name)) {
			out = append(out, l.name)
		}
	}
	return out
}
