package mcpjson

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// FuzzParse: any bytes are read to an end; places lie in the text; what is JSON
// has no faults and says the same when it is written again.
func FuzzParse(f *testing.F) {
	for _, x := range fixtures {
		f.Add(fixture(f, x.name))
	}
	f.Add(fixture(f, "broken.json"))
	f.Add([]byte("{\n \"a\": {\n  \"b\": 1\n \"c\": {\n  \"d\": \"x\n },\n \"e\": [1,,2}\n}"))
	f.Fuzz(func(t *testing.T, src []byte) {
		root, faults := Parse(src)
		for _, x := range faults {
			if x.Offset < 0 || x.Offset > len(src) || x.Line < 1 || x.Column < 1 {
				t.Fatalf("a fault is outside: %+v", x)
			}
		}
		if root != nil {
			checkNode(t, root, len(src))
			if !root.JSON().IsValid() {
				t.Fatalf("%q becomes %q", src, root.JSON())
			}
		}
		value := jsontext.Value(bytes.Clone(src))
		if value.IsValid() && len(faults) > 0 && !strings.Contains(fmt.Sprint(faults), "nested more") {
			t.Fatalf("JSON has faults: %v", faults)
		}
		if value.IsValid() && len(faults) == 0 {
			again := root.JSON()
			if value.Canonicalize() == nil && again.Canonicalize() == nil && !bytes.Equal(value, again) {
				t.Fatalf("%s became %s", value, again)
			}
		}
		Read(src, "mcp.json", "")
	})
}

func checkNode(t *testing.T, n *Node, length int) {
	if n.Start < 0 || n.End < n.Start || n.End > length {
		t.Fatalf("a value is outside: %+v", n)
	}
	for _, m := range n.Members {
		if m.At < n.Start || m.At > n.End || m.Value == nil {
			t.Fatalf("a member is outside: %+v of %+v", m, n)
		}
		checkNode(t, m.Value, length)
	}
	for _, v := range n.Items {
		checkNode(t, v, length)
	}
}

// FuzzParseEnv: any bytes are read to an end, and what is read can be written in
// single quotes and read again.
func FuzzParseEnv(f *testing.F) {
	f.Add([]byte("# c\nexport A=b # c\nB='x y'\nC=\"a\\nb\n c\" # d\nD=\nE\n=f\n'G'=h\nH=\"open\nI=1#2"))
	f.Fuzz(func(t *testing.T, src []byte) {
		list, faults := ParseEnv(src)
		for _, x := range faults {
			if x.Offset < 0 || x.Offset > len(src) || x.Line < 1 || x.Text == "" {
				t.Fatalf("fault %+v", x)
			}
		}
		var out strings.Builder
		for _, v := range list {
			if v.Name == "" || strings.ContainsAny(v.Name, "= \t\n") || strings.IndexByte(v.Value, 0) >= 0 {
				t.Fatalf("variable %+v", v)
			}
			if strings.ContainsAny(v.Value, "'\r") {
				return
			}
			out.WriteString(v.Name + "='" + v.Value + "'\n")
		}
		again, faults := ParseEnv([]byte(out.String()))
		if !slices.Equal(again, list) || len(faults) > 0 {
			t.Fatalf("%q became %q: %v", list, again, faults)
		}
	})
}

// FuzzWrite: whatever a file holds, a server that is put into it is in it
// afterwards, all other members say what they said, and putting it there again
// changes nothing.
func FuzzWrite(f *testing.F) {
	for i, x := range fixtures {
		f.Add(fixture(f, x.name), uint8(i), "name", "command")
	}
	f.Add([]byte("{\"mcpServers\":{}} // x"), uint8(0), "a", "b")
	f.Add([]byte("{\"a\":1,\n}"), uint8(3), "a", "b")
	f.Fuzz(func(t *testing.T, src []byte, dialect uint8, name, command string) {
		if command == "" || len(src) > 4000 {
			return
		}
		d := Dialects()[int(dialect)%len(Dialects())]
		command, name = strings.ToValidUTF8(command, "?"), strings.ToValidUTF8(name, "?")
		s := []Outgoing{{Server: Server{Name: name, Transport: stdio, Command: command, Args: []string{"a"}}, From: Generic}}
		w, err := Write(src, d, s)
		if err != nil {
			return
		}
		root, faults := Parse(w.Text)
		if Faulty(faults) {
			t.Fatalf("%q became %q: %v", src, w.Text, faults)
		}
		found := false
		for _, x := range Read(w.Text, "", d).Servers {
			found = found || x.Name == name && x.Command == command
		}
		if before, _ := Parse(src); before != nil {
			for i, m := range before.Members {
				if before.member(m.Name) == &before.Members[i] && m.Value.Kind != Object && m.Name != "inputs" &&
					(root.Get(m.Name) == nil || !bytes.Equal(root.Get(m.Name).JSON(), m.Value.JSON())) && root.Get(m.Name).Kind != Object {
					t.Fatalf("%q is lost: %q became %q", m.Name, src, w.Text)
				}
			}
		}
		again, err := Write(w.Text, d, s)
		if err != nil || !bytes.Equal(again.Text, w.Text) {
			t.Fatalf("twice: %v %q became %q", err, w.Text, again.Text)
		}
		if !found && len(w.Added)+len(w.Changed) > 0 {
			t.Fatalf("%s is not in it: %q", name, w.Text)
		}
	})
}
