package cli

import (
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
)

func TestBuildNamesVersionAndCommit(t *testing.T) {
	const long = "0123456789abcdef0123456789abcdef01234567"
	info := func(version string, settings ...debug.BuildSetting) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Version: version}, Settings: settings}
	}
	for name, c := range map[string]struct {
		build       Build
		short, line string
	}{
		"by make":       {Build{Number: "0.1.0", Commit: "abc123", info: info("(devel)")}, "0.1.0 (abc123)", "commit  abc123"},
		"by go build":   {Build{Number: "0.1.0", info: info("(devel)", debug.BuildSetting{Key: "vcs.revision", Value: long}, debug.BuildSetting{Key: "vcs.modified", Value: "true"})}, "0.1.0 (0123456789ab, changed)", "commit  0123456789ab, files had changed"},
		"by go install": {Build{info: info("v0.2.0", debug.BuildSetting{Key: "vcs.revision", Value: long}, debug.BuildSetting{Key: "vcs.modified", Value: "false"})}, "0.2.0 (0123456789ab)", "mcploupe 0.2.0\n"},
		"without notes": {Build{Number: "0.1.0"}, "0.1.0", "commit  unknown"},
		"nothing known": {Build{info: info("(devel)")}, "unknown", "mcploupe unknown\n"},
	} {
		if got := c.build.Short(); got != c.short {
			t.Errorf("%s: %q, want %q", name, got, c.short)
		}
		text := c.build.String()
		if !strings.Contains(text, c.line) || !strings.Contains(text, runtime.Version()+" "+runtime.GOOS+"/"+runtime.GOARCH+", verbs alone") {
			t.Errorf("%s: %q", name, text)
		}
	}
	if b := NewBuild("1", "", true); b.info == nil || !strings.HasSuffix(b.String(), "window and verbs") {
		t.Errorf("%q", b)
	}
}

func TestUsageNamesTheFlagForTheBuild(t *testing.T) {
	if !strings.Contains(Usage(), "--version") {
		t.Error("nobody learns of --version")
	}
}
