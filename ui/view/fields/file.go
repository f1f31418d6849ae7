package fields

import (
	"encoding/base64"
	"mime"
	"path"
	"strings"

	"mcploupe/protocol/schema"
	"mcploupe/ui/view/human"
)

// FileText is a file as the text that a node with such hints takes.
func FileText(h schema.Hints, name string, data []byte) string {
	switch FileEncoding(h) {
	case "base64url":
		return base64.URLEncoding.EncodeToString(data)
	case "data-url":
		kind := mime.TypeByExtension(path.Ext(name))
		if kind == "" {
			kind = "application/octet-stream"
		}
		return "data:" + strings.ReplaceAll(kind, "; ", ";") + ";base64," + base64.StdEncoding.EncodeToString(data)
	}
	return base64.StdEncoding.EncodeToString(data)
}

// FileBrief says how much an encoded text holds.
func FileBrief(h schema.Hints, text string) string {
	encoded := text
	if FileEncoding(h) == "data-url" {
		encoded = text[strings.IndexByte(text, ',')+1:]
	}
	size := int64(len(strings.TrimRight(encoded, "="))) * 3 / 4
	return human.Bytes(size) + " in " + FileEncoding(h)
}
