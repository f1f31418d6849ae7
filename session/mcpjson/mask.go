package mcpjson

import "strings"

// hidden stands for a secret on the screen.
const hidden = "••••••"

// Mask hides the values of members and arguments that secret takes for secret by
// their name, in the text of a file, for the screen. Values that refer to a
// variable stay.
func Mask(src []byte, secret func(name string) bool) []byte {
	root, _ := Parse(src)
	if root == nil {
		return src
	}
	var out []byte
	done := 0
	hide := func(n *Node, keep string) {
		out = append(out, src[done:n.Start]...)
		out = append(out, quoted(nil, keep+hidden)...)
		done = n.End
	}
	shown := func(value string) bool { return value == "" || strings.Contains(value, "${") }
	var walk func(n *Node)
	walk = func(n *Node) {
		for _, m := range n.Members {
			if m.Value.Kind == String && secret(m.Name) {
				if !shown(m.Value.Text) {
					hide(m.Value, "")
				}
				continue
			}
			walk(m.Value)
		}
		next := false
		for _, v := range n.Items {
			flag, value, has := strings.Cut(v.Text, "=")
			switch {
			case v.Kind != String:
				walk(v)
			case next && !shown(v.Text) && !strings.HasPrefix(v.Text, "-"):
				hide(v, "")
			case has && secret(strings.TrimLeft(flag, "-")) && !shown(value):
				hide(v, flag+"=")
			}
			next = v.Kind == String && !has && strings.HasPrefix(v.Text, "-") && secret(strings.TrimLeft(v.Text, "-"))
		}
	}
	walk(root)
	return append(out, src[done:]...)
}
