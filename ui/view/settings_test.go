package view

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"mcploupe/protocol"
	"mcploupe/ui/settings"
	"mcploupe/ui/view/human"
)

var allFeatures = protocol.ClientCapabilities{Elicitation: true, ElicitationURL: true, Sampling: true, SamplingTools: true, Roots: true, Tasks: true}

func settingOf(t *testing.T, key string) Setting {
	t.Helper()
	for _, s := range Settings(allFeatures) {
		if s.Key == key {
			return s
		}
	}
	t.Fatalf("there is no setting %q", key)
	return Setting{}
}

// Every setting takes what it shows, changes the settings, and can be taken back.
func TestSettingsAreTakenAndTakenBack(t *testing.T) {
	for key, other := range map[string]string{
		"theme": "dark", "density": "comfortable", "zoom": "150", "alert": SettingOn, "zone": "UTC", "hours": "iso",
		"call": "90 s", "callMax": "off", "init": "500 ms", "probe": "2 min", "ping": "3 s", "ack": "off", "rounds": "7",
		"message": "1.5 MB", "cache": "200.0 MB", "feature.sampling": "", "feature.roots": "", "askRoots": SettingOn,
		"listen": SettingOn, "reread": SettingOn, "forget": SettingOn, "keepAlive": "30 s", "days": "90", "folderSize": "2.0 GB",
	} {
		s := settingOf(t, key)
		in := settings.Defaults()
		if s.Changed(in) {
			t.Errorf("%s is changed from the start", key)
		}
		if err := s.Check(other); err != nil {
			t.Errorf("%s = %q: %v", key, other, err)
			continue
		}
		s.Set(&in, other)
		if got := s.Value(in); got != other || !s.Changed(in) {
			t.Errorf("%s is %q, want %q", key, got, other)
		}
		s.Set(&in, s.Default())
		if s.Changed(in) {
			t.Errorf("%s was not taken back: %q", key, s.Value(in))
		}
	}
}

func TestSettingsAreChecked(t *testing.T) {
	for key, bad := range map[string][]string{
		"theme": {"pink", ""}, "zoom": {"69", "201", "big"}, "zone": {"Mars/Base"}, "call": {"soon", "0 s", "-3"},
		"init": {"off"}, "rounds": {"0", "1.5", "-1", "999999"}, "message": {"1 kB", "2 TB", "-5", "x MB", "1.2.3 MB", "0"},
		"keepAlive": {"10 ms"}, "days": {"0", "-1", "1.5", "99999"}, "folderSize": {"1 kB"},
		"editor": {"'not closed", "no-such-program-anywhere {file}"},
	} {
		s := settingOf(t, key)
		for _, text := range bad {
			in := settings.Defaults()
			s.Set(&in, text)
			if err := s.Check(text); err == nil || s.Changed(in) {
				t.Errorf("%s = %q is taken: %v", key, text, err)
			}
		}
	}
}

func TestSettingsHaveNamesAndAreFound(t *testing.T) {
	seen := map[string]bool{}
	group := ""
	var groups []string
	for _, s := range Settings(allFeatures) {
		if s.Label == "" || s.Group == "" || seen[s.Key] {
			t.Errorf("setting %+v", s)
		}
		seen[s.Key] = true
		if s.Group != group {
			group = s.Group
			groups = append(groups, group)
		}
	}
	if sorted := slices.Compact(slices.Sorted(slices.Values(groups))); len(sorted) != len(groups) {
		t.Errorf("a group is in two places: %v", groups)
	}
	if zoom := settingOf(t, "zoom"); !zoom.Matches("TEXT zoom") || !zoom.Matches("") || zoom.Matches("recording") {
		t.Error("the zoom is not found by its words")
	}
	for _, s := range Settings(protocol.ClientCapabilities{Roots: true}) {
		if s.Key == "feature.sampling" {
			t.Error("what the program cannot declare can be switched")
		}
	}
}

func TestSizesAreRead(t *testing.T) {
	for text, want := range map[string]int64{"": 0, "12": 12, "12B": 12, "1 kB": 1000, "1.5 MB": 1_500_000, "2gb": 2_000_000_000, "0.25 k": 250, "3t": 3e12} {
		if got, err := parseBytes(text); err != nil || got != want {
			t.Errorf("%q is %d, %v", text, got, err)
		}
	}
	for _, text := range []string{"kB", "-1 kB", "1,5 MB", "9999999 MB", "1.2345 MB", "99999999999999999999"} {
		if n, err := parseBytes(text); err == nil {
			t.Errorf("%q is taken as %d", text, n)
		}
	}
}

func TestLimitsAreWrittenAsTheyAreRead(t *testing.T) {
	for ms, want := range map[int64]string{0: "", -1: "off", 250: "250 ms", 1500: "1500 ms", 30_000: "30 s", 60_000: "60 s", 90_000: "90 s", 600_000: "10 min", 7_200_000: "2 h"} {
		got := formatLimit(ms)
		if got != want {
			t.Errorf("%d ms is written %q, want %q", ms, got, want)
		}
		if back, err := parseLimit(got); err != nil || back != ms {
			t.Errorf("%q is read as %d, %v", got, back, err)
		}
	}
}

func TestNewServersGetWhatIsChosen(t *testing.T) {
	in := settings.Defaults()
	settingOf(t, "feature.sampling").Set(&in, "")
	settingOf(t, "listen").Set(&in, SettingOn)
	s := in.NewServers.Of(settings.Server{ID: "x"})
	if s.ID != "x" || !s.Live.Listen || Declared(allFeatures, s.Off).Sampling || Declared(allFeatures, s.Off).SamplingTools {
		t.Fatalf("server %+v", s)
	}
}

func TestTimesOfSettings(t *testing.T) {
	s := settings.Defaults()
	s.Clock = settings.Clock{Zone: "Asia/Tokyo", Format: settings.ISO}
	times := TimesOf(s)
	if times.Hours != human.ISO || time.Unix(0, 0).In(times.Zone).Hour() != 9 {
		t.Fatalf("times %+v", times)
	}
}

func TestProgramLines(t *testing.T) {
	dir := t.TempDir()
	prog := filepath.Join(dir, "my editor")
	if err := os.WriteFile(prog, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ template, want string }{
		{"'" + prog + "' --goto {file}:1", prog + "|--goto|/a b;c:1"},
		{"'" + prog + "' -n", prog + "|-n|/a b;c"},
	} {
		words, err := ProgramLine(tt.template, "{file}", "/a b;c")
		if got := strings.Join(words, "|"); err != nil || got != tt.want {
			t.Errorf("%s gives %s, %v", tt.template, got, err)
		}
	}
}
