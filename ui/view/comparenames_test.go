package view

import "testing"

func TestNamesOfTwoSidesAreToldApart(t *testing.T) {
	for _, c := range []struct{ a, b, left, right, title string }{
		{"server-everything 1.0.0", "server-everything 2.0.0", "…1.0.0", "…2.0.0", "server-everyt… 1.0.0 ⇄ 2.0.0"},
		{"kestrel-hill-0.9.0", "kestrel-hill-1.0.0", "…0.9.0", "…1.0.0", "kestrel-hill 0.9.0 ⇄ 1.0.0"},
		{"old", "new", "old", "new", "old ⇄ new"},
		{"same", "same", "same", "same", "same ⇄ same"},
		{"a 1", "a ", "a 1", "a ", "a 1 ⇄ a "},
		{"größe-é1", "größe-é2", "…é1", "…é2", "größe é1 ⇄ é2"},
		{"a-very-long-name-of-something x", "b", "a-very-long-name-of-something x", "b", "a-very-long-n… ⇄ b"},
	} {
		if left, right := TellApart(c.a, c.b); left != c.left || right != c.right {
			t.Errorf("%q and %q: %q and %q", c.a, c.b, left, right)
		}
		if got := PairTitle(c.a, c.b, 14); got != c.title {
			t.Errorf("%q and %q: %q", c.a, c.b, got)
		}
	}
}
