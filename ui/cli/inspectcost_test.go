package cli

import (
	"strings"
	"testing"

	"mcploupe/session/sessiontest"
)

func TestInspectWeighsTheCatalogue(t *testing.T) {
	got := run(t, "", against(t, sessiontest.Server(), "inspect", "--json")...)
	if got.code != ExitOK {
		t.Fatalf("code %d\n%s", got.code, got.err)
	}
	if kind := at(t, got.out, "/cost/definitions/0/kind"); kind != `"tool"` {
		t.Errorf("the heaviest is a %s", kind)
	}
	for _, pointer := range []string{"/cost/told/aboutTokens", "/cost/whole/bytes", "/cost/definitions/0/parts/input/aboutTokens"} {
		if n := at(t, got.out, pointer); n == "" || n == "0" || strings.Trim(string(n), "0123456789") != "" {
			t.Errorf("%s is %s", pointer, n)
		}
	}
	plain := run(t, "", against(t, sessiontest.Server(), "inspect")...)
	if !strings.Contains(plain.out, "context cost: about ") || strings.Contains(plain.out, "Input schema") {
		t.Errorf("without --cost:\n%s", plain.out)
	}
	table := run(t, "", against(t, sessiontest.Server(), "inspect", "--cost")...)
	for _, want := range []string{"Input schema", "tool good", "estimated"} {
		if !strings.Contains(table.out, want) {
			t.Errorf("no %q in\n%s", want, table.out)
		}
	}
}
