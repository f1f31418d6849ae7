package protocol

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// Content is a block of a result: of content, of contents or of a prompt's
// message. Members are filled wherever they stand, also in a block of an
// unknown type or of none. Pointers and offsets of problems count from the
// result.
type Content struct {
	Type             string // text, image, audio, resource, resource_link; anything else is kept
	Text             []byte // may lie in the message: not to be changed
	HasText          bool
	Data             string // base64 as sent: data of image and audio, blob of a resource
	HasData          bool
	MIMEType         string
	URI, Name, Title string
	Description      string
	Size             string // number text of a resource_link
	Annotations      Annotations
	Icons            []Icon
	Meta             jsontext.Value // nil when absent
	Raw              jsontext.Value
	Problems         []Problem
}

// ErrBase64 is wrapped by the error of Content.Decode.
var ErrBase64 = errors.New("not standard base64")

// Decode decodes Data (L-TOOL-10, L-RSRC-02). When Data is base64 in another
// dress (URL alphabet, no padding, blanks in between) it returns the bytes and
// an error that says so.
func (c Content) Decode() ([]byte, error) {
	data, err := base64.StdEncoding.Strict().DecodeString(c.Data)
	// The package skips line ends, which are not part of the alphabet.
	if err == nil && !strings.ContainsAny(c.Data, "\r\n") {
		return data, nil
	}
	plain := strings.NewReplacer("-", "+", "_", "/", " ", "", "\t", "", "\r", "", "\n", "", "=", "").Replace(c.Data)
	data, loose := base64.RawStdEncoding.DecodeString(plain)
	if loose != nil {
		return nil, fmt.Errorf("decoding %s: %w: %w", c.Type, ErrBase64, loose)
	}
	return data, fmt.Errorf("decoding %s: %w: it has another alphabet, padding or line ends", c.Type, ErrBase64)
}

// DecodedLen is the number of bytes that Data stands for if it is standard
// base64, without decoding it.
func (c Content) DecodedLen() int {
	return base64.RawStdEncoding.DecodedLen(len(strings.TrimRight(c.Data, "=")))
}

// DecodeContent decodes one content block.
func DecodeContent(v jsontext.Value) Content { return decodeContent(rootNode(v)) }

// decodeContent decodes a block of content (L-TOOL-09).
func decodeContent(n *node) (c Content) {
	const rule = "L-TOOL-09"
	d := decoder{rule: rule}
	c.Raw = n.raw()
	c.Text, c.HasText = stringBytes(n.raw())
	if n.kind() != '{' {
		d.add(n, rule, Violation, "The block is "+kindName(n.kind())+" instead of an object.")
		c.Problems = d.problems()
		return c
	}
	hasType := false
	n.members(func(m *node) {
		switch m.name {
		case "type":
			hasType = d.string(m, &c.Type)
		case "resource":
			var object jsontext.Value
			if d.object(m, &object) {
				m.members(func(r *node) { d.contentMember(r, &c) })
			}
		default:
			d.contentMember(m, &c)
		}
	})
	need := func(has bool, name string) {
		if !has {
			d.add(n, rule, Violation, "The "+c.Type+" block has no "+name+".")
		}
	}
	switch {
	case !hasType:
		d.add(n, rule, Violation, "The block has no type.")
	case c.Type == "text":
		need(c.HasText, "text")
	case c.Type == "image", c.Type == "audio":
		need(c.HasData, "data")
		need(c.MIMEType != "", "mimeType")
	case c.Type == "resource":
		need(c.URI != "", "resource.uri")
		if c.HasText == c.HasData {
			d.add(n, rule, Violation, "The resource has not exactly one of text and blob.")
		}
	case c.Type == "resource_link":
		need(c.URI != "", "uri")
		need(c.Name != "", "name")
	default:
		d.add(n, rule, Warning, "The type "+strconv.Quote(clip(c.Type))+" is none that a result may have.")
	}
	c.Problems = d.problems()
	return c
}

// decodeReadContent decodes one of the contents of resources/read (L-RSRC-02).
func decodeReadContent(n *node) Content {
	const rule = "L-RSRC-02"
	d := decoder{rule: rule}
	c := Content{Type: "resource", Raw: n.raw()}
	if n.kind() != '{' {
		d.add(n, rule, Violation, "The content is "+kindName(n.kind())+" instead of an object.")
		c.Text, c.HasText = stringBytes(n.raw())
		c.Problems = d.problems()
		return c
	}
	hasURI := false
	n.members(func(m *node) {
		d.contentMember(m, &c)
		hasURI = hasURI || m.name == "uri" && m.kind() == '"'
	})
	if !hasURI {
		d.add(n, rule, Violation, "The content has no usable uri.")
	}
	if c.HasText == c.HasData {
		d.add(n, rule, Violation, "The content has not exactly one of text and blob.")
	}
	c.Problems = d.problems()
	return c
}

// contentMember reads a member that a block or its resource may have.
func (d *decoder) contentMember(m *node, c *Content) {
	switch m.name {
	case "text":
		if c.Text, c.HasText = stringBytes(m.raw()); !c.HasText {
			d.wrong(m, "a string")
		}
	case "data", "blob":
		c.HasData = d.string(m, &c.Data)
	case "mimeType":
		d.string(m, &c.MIMEType)
	case "uri":
		d.string(m, &c.URI)
	case "name":
		d.string(m, &c.Name)
	case "title":
		d.string(m, &c.Title)
	case "description":
		d.string(m, &c.Description)
	case "size":
		d.number(m, &c.Size)
	case "annotations":
		d.annotations(m, &c.Annotations)
	case "icons":
		d.icons(m, &c.Icons)
	case "_meta":
		d.object(m, &c.Meta)
	}
}
