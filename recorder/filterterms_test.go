package recorder

import (
	"fmt"
	"testing"
)

func TestFilterTermsAreTakenApartAndWrittenAgain(t *testing.T) {
	for text, want := range map[string]string{
		"":    "[]",
		"a b": `["a" "b"]`,
		`  -kind:stderr|"b |c"  Dur>=2s "two words"|x `: `["-kind:stderr|\"b |c\"" "dur>=2s" "\"two words\"|x"]`,
		`is:error nokey:x kind:http`:                    `["is:error"]`,
		`kind:"open`:                                    `[]`,
	} {
		var got []string
		for _, term := range FilterTerms(text) {
			got = append(got, term.String())
			if term.Start < 0 || term.End > len(text) || term.Start >= term.End {
				t.Errorf("%q: a term at %d..%d", text, term.Start, term.End)
			}
		}
		if s := fmt.Sprintf("%q", got); s != want {
			t.Errorf("%q: %s, want %s", text, s, want)
		}
	}
}

func TestFilterValueIsTakenAsItIs(t *testing.T) {
	for _, text := range []string{"plain", "two words", `a|b`, `a*b`, `say "x"`, `back\slash`, `back\ slash "q"`, "tab\tnl\n", "", "-x", "https://h/p?q=1"} {
		f, err := ParseFilter("name:" + FilterValue(text))
		if text == "" {
			continue // no head has an empty name that could be asked for
		}
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		h := Head{Name: text}
		if !f.matchColumns(nil, &h) {
			t.Errorf("%q does not match itself as %s", text, f)
		}
		if other := (Head{Name: text + "x"}); f.matchColumns(nil, &other) {
			t.Errorf("%q as %s matches more", text, f)
		}
	}
}
