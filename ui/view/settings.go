package view

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"mcploupe/protocol"
	"mcploupe/recorder"
	"mcploupe/session"
	"mcploupe/session/link"
	"mcploupe/ui/settings"
	"mcploupe/ui/view/human"
)

// SettingKind is how a setting is given.
type SettingKind uint8

// The kinds of Setting.
const (
	SettingChoice SettingKind = iota // one of Choices
	SettingText                      // a text, "" for the default
	SettingSwitch                    // SettingOn or ""
)

// SettingOn is the value of a switch that is on.
const SettingOn = "on"

// Setting is one line of the settings page: a value as text, how it is read and
// what it changes.
type Setting struct {
	Key     string // for the page and tests
	Group   string
	Label   string
	About   string // in a sentence or two, "" when the label says it
	Kind    SettingKind
	Choices []Fact // labels and values, of SettingChoice
	Hint    string // what applies while a text is empty
	get     func(s *settings.Settings) string
	set     func(s *settings.Settings, text string) error
}

// The groups of settings, in their order.
const (
	GroupLook       = "Look"
	GroupTime       = "Times"
	GroupLimits     = "Time limits"
	GroupSizes      = "Sizes"
	GroupServers    = "New servers"
	GroupRecordings = "Recordings"
	GroupPrograms   = "Other programs"
)

// Value is what is set.
func (s Setting) Value(in settings.Settings) string { return s.get(&in) }

// Default is the value of a new installation.
func (s Setting) Default() string { return s.Value(settings.Defaults()) }

// Changed reports whether the value is another one than the default.
func (s Setting) Changed(in settings.Settings) bool { return s.Value(in) != s.Default() }

// Check says what is wrong with a value, nil when it can be set.
func (s Setting) Check(text string) error {
	scratch := settings.Defaults()
	return s.set(&scratch, text)
}

// Set changes a value that Check finds nothing wrong with; others change nothing.
func (s Setting) Set(in *settings.Settings, text string) {
	if s.Check(text) == nil {
		_ = s.set(in, text) // checked
	}
}

// Matches reports whether a setting is what somebody looks for.
func (s Setting) Matches(words string) bool {
	all := strings.ToLower(s.Group + " " + s.Label + " " + s.About)
	for _, w := range strings.Fields(strings.ToLower(words)) {
		if !strings.Contains(all, w) {
			return false
		}
	}
	return true
}

// Settings are all settings of the page, by group. can is what the program could
// declare to servers.
func Settings(can protocol.ClientCapabilities) []Setting {
	var all []Setting
	for _, part := range [][]Setting{lookSettings(), timeSettings(), limitSettings(), sizeSettings(), serverSettings(can), recordingSettings(), programSettings()} {
		all = append(all, part...)
	}
	return all
}

func choice(key, group, label, about string, choices []Fact, of func(s *settings.Settings) *string) Setting {
	s := Setting{Key: key, Group: group, Label: label, About: about, Kind: SettingChoice, Choices: choices}
	s.get = func(in *settings.Settings) string {
		if v := *of(in); slices.ContainsFunc(choices, func(f Fact) bool { return f.Value == v }) {
			return v
		}
		return choices[0].Value
	}
	s.set = func(in *settings.Settings, text string) error {
		if !slices.ContainsFunc(choices, func(f Fact) bool { return f.Value == text }) {
			return fmt.Errorf("%q is none of the choices", line(text, 40))
		}
		*of(in) = text
		return nil
	}
	return s
}

func toggle(key, group, label, about string, get func(s *settings.Settings) bool, set func(s *settings.Settings, on bool)) Setting {
	s := Setting{Key: key, Group: group, Label: label, About: about, Kind: SettingSwitch}
	s.get = func(in *settings.Settings) string {
		if get(in) {
			return SettingOn
		}
		return ""
	}
	s.set = func(in *settings.Settings, text string) error {
		set(in, text == SettingOn)
		return nil
	}
	return s
}

func lookSettings() []Setting {
	zoom := Setting{Key: "zoom", Group: GroupLook, Label: "Text zoom", About: "Ctrl+plus and Ctrl+minus change it, Ctrl+0 takes it back.", Kind: SettingChoice}
	for n := settings.MinZoom; n <= settings.MaxZoom; n += settings.ZoomStep {
		zoom.Choices = append(zoom.Choices, Fact{strconv.Itoa(n) + " %", strconv.Itoa(n)})
	}
	zoom.get = func(s *settings.Settings) string {
		if s.Zoom == 0 {
			return "100"
		}
		return strconv.Itoa(s.Zoom)
	}
	zoom.set = func(s *settings.Settings, text string) error {
		n, err := strconv.Atoi(strings.TrimSpace(strings.TrimSuffix(text, "%")))
		if err != nil || n < settings.MinZoom || n > settings.MaxZoom {
			return fmt.Errorf("a number from %d to %d", settings.MinZoom, settings.MaxZoom)
		}
		if n == 100 {
			n = 0
		}
		s.Zoom = n
		return nil
	}
	return []Setting{
		choice("theme", GroupLook, "Theme", "", []Fact{{"As the system", settings.ThemeSystem}, {"Light", settings.ThemeLight}, {"Dark", settings.ThemeDark}},
			func(s *settings.Settings) *string { return &s.Theme }),
		choice("density", GroupLook, "Density", "How close rows and fields stand.",
			[]Fact{{"Compact", settings.DensityCompact}, {"Comfortable", settings.DensityComfortable}},
			func(s *settings.Settings) *string { return &s.Density }),
		zoom,
		toggle("alert", GroupLook, "Tell the desktop when a server asks", "Only while the window is not in front.",
			func(s *settings.Settings) bool { return s.Alert }, func(s *settings.Settings, on bool) { s.Alert = on }),
	}
}

func timeSettings() []Setting {
	zone := Setting{Key: "zone", Group: GroupTime, Label: "Time zone", Kind: SettingText, Hint: "this machine's",
		About: "UTC, or the name of a zone such as Europe/Paris or Asia/Tokyo. Recordings keep the moment itself: nothing in them changes."}
	zone.get = func(s *settings.Settings) string { return s.Clock.Zone }
	zone.set = func(s *settings.Settings, text string) error {
		text = strings.TrimSpace(text)
		if strings.EqualFold(text, "local") {
			text = ""
		}
		if strings.EqualFold(text, settings.ZoneUTC) {
			text = settings.ZoneUTC
		}
		c := settings.Clock{Zone: text}
		if _, err := c.Location(); err != nil {
			return err
		}
		s.Clock.Zone = text
		return nil
	}
	return []Setting{zone,
		choice("hours", GroupTime, "Time of day", "", []Fact{
			{"24 hours: 21:04:05.678", ""}, {"12 hours: 09:04:05.678 pm", settings.Hours12}, {"ISO 8601: 21:04:05.678+02:00", settings.ISO},
		}, func(s *settings.Settings) *string { return &s.Clock.Format }),
	}
}

// TimesOf is how the settings want times of day to be shown.
func TimesOf(s settings.Settings) human.Times {
	zone, err := s.Clock.Location()
	if err != nil {
		zone = time.Local
	}
	return human.Times{Zone: zone, Hours: map[string]human.Hours{settings.Hours12: human.Hours12, settings.ISO: human.ISO}[s.Clock.Format]}
}

func limitSettings() []Setting {
	limit := func(key, label, about string, std time.Duration, off bool, of func(l *settings.Limits) *int64) Setting {
		s := Setting{Key: key, Group: GroupLimits, Label: label, About: about, Kind: SettingText, Hint: formatLimit(std.Milliseconds())}
		s.get = func(in *settings.Settings) string { return formatLimit(*of(&in.Limits)) }
		s.set = func(in *settings.Settings, text string) error {
			ms, err := parseLimit(text)
			if err != nil {
				return err
			}
			if ms < 0 && !off {
				return errors.New("this limit cannot be switched off")
			}
			*of(&in.Limits) = ms
			return nil
		}
		return s
	}
	rounds := Setting{Key: "rounds", Group: GroupLimits, Label: "Rounds of a call, at most", Kind: SettingText, Hint: strconv.Itoa(session.DefaultMaxRounds),
		About: "How often one call may be answered with a wish for more input."}
	rounds.get = func(in *settings.Settings) string {
		if in.Limits.Rounds == 0 {
			return ""
		}
		return strconv.Itoa(in.Limits.Rounds)
	}
	rounds.set = func(in *settings.Settings, text string) error {
		if text = strings.TrimSpace(text); text == "" {
			in.Limits.Rounds = 0
			return nil
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > maxRoundsSetting {
			return fmt.Errorf("a number from 1 to %s", human.Count(maxRoundsSetting))
		}
		in.Limits.Rounds = n
		return nil
	}
	return []Setting{
		limit("call", "Call, without progress", "A call ends when nothing is heard of it for so long. A server's own limits win, and those of a single call.",
			session.DefaultCallTimeout, true, func(l *settings.Limits) *int64 { return &l.CallMS }),
		limit("callMax", "Call, at most", "Whatever progress is reported.", session.DefaultCallMaximum, true, func(l *settings.Limits) *int64 { return &l.CallMaxMS }),
		limit("init", "Connecting: initialize", "", session.DefaultInitTimeout, false, func(l *settings.Limits) *int64 { return &l.InitMS }),
		limit("probe", "Connecting: probe for the revision", "", session.DefaultProbeTimeout, false, func(l *settings.Limits) *int64 { return &l.ProbeMS }),
		limit("ping", "Answer to a ping", "", session.DefaultPingTimeout, false, func(l *settings.Limits) *int64 { return &l.PingMS }),
		limit("ack", "Acknowledgement of a subscription", "", session.DefaultAckTimeout, true, func(l *settings.Limits) *int64 { return &l.AckMS }),
		rounds,
	}
}

const maxRoundsSetting = 10_000

func sizeSettings() []Setting {
	return []Setting{
		sizeSetting("message", GroupSizes, "Message, at most", "A longer one is recorded in pieces and not read as a message.",
			human.Bytes(link.DefaultMaxLine)+" on stdio, "+human.Bytes(link.DefaultMaxBody)+" over HTTP", 64_000, 1_000_000_000, func(s *settings.Settings) *int64 { return &s.Limits.MessageBytes }),
		sizeSetting("cache", GroupSizes, "Messages kept in memory", "Of each open recording, so that they need not be read again.",
			human.Bytes(recorder.DefaultCache), 1_000_000, 1_000_000_000, func(s *settings.Settings) *int64 { return &s.Limits.CacheBytes }),
	}
}

func sizeSetting(key, group, label, about, hint string, least, most int64, of func(s *settings.Settings) *int64) Setting {
	s := Setting{Key: key, Group: group, Label: label, About: about, Kind: SettingText, Hint: hint}
	s.get = func(in *settings.Settings) string {
		if *of(in) == 0 {
			return ""
		}
		return human.Bytes(*of(in))
	}
	s.set = func(in *settings.Settings, text string) error {
		n, err := parseBytes(text)
		if err != nil {
			return err
		}
		if n != 0 && n < least || most > 0 && n > most {
			return fmt.Errorf("at least %s and at most %s", human.Bytes(least), human.Bytes(most))
		}
		*of(in) = n
		return nil
	}
	return s
}

func serverSettings(can protocol.ClientCapabilities) []Setting {
	var all []Setting
	for _, f := range Features {
		if !*f.of(&can) {
			continue
		}
		s := toggle("feature."+f.Key, GroupServers, "Declare: "+f.Label, strings.ToUpper(f.About[:1])+f.About[1:]+".",
			func(s *settings.Settings) bool { return !slices.Contains(s.NewServers.Off, f.Key) },
			func(s *settings.Settings, on bool) {
				off := slices.DeleteFunc(slices.Clone(s.NewServers.Off), func(k string) bool { return k == f.Key })
				if !on {
					off = append(off, f.Key)
				}
				s.NewServers.Off = off
			})
		all = append(all, s)
	}
	live := func(key, label, about string, of func(l *settings.Live) *bool) Setting {
		return toggle(key, GroupServers, label, about, func(s *settings.Settings) bool { return *of(&s.NewServers.Live) },
			func(s *settings.Settings, on bool) { *of(&s.NewServers.Live) = on })
	}
	alive := Setting{Key: "keepAlive", Group: GroupServers, Label: "Ping every", Kind: SettingText, Hint: "never", About: "Where the revision has pings."}
	alive.get = func(s *settings.Settings) string { return formatLimit(s.NewServers.Live.KeepAliveMS) }
	alive.set = func(s *settings.Settings, text string) error {
		ms, err := parseLimit(text)
		if err != nil {
			return err
		}
		if ms > 0 && ms < 1000 {
			return errors.New("at least 1 s")
		}
		s.NewServers.Live.KeepAliveMS = max(ms, 0)
		return nil
	}
	return append(all,
		toggle("askRoots", GroupServers, "Ask before roots are given", "Else they are answered by themselves.",
			func(s *settings.Settings) bool { return s.NewServers.AskRoots }, func(s *settings.Settings, on bool) { s.NewServers.AskRoots = on }),
		live("listen", "Listen to the changes of lists", "In 2026-07-28, as soon as the server is ready.", func(l *settings.Live) *bool { return &l.Listen }),
		live("reread", "Read lists again when they changed", "", func(l *settings.Live) *bool { return &l.Reread }),
		live("forget", "Begin anew after a reconnect", "Subscriptions are not taken up again.", func(l *settings.Live) *bool { return &l.Forget }),
		alive)
}

func recordingSettings() []Setting {
	days := Setting{Key: "days", Group: GroupRecordings, Label: "Older than, days", Kind: SettingText, Hint: "any age", About: "Since the last event was written."}
	days.get = func(s *settings.Settings) string {
		if s.Retention.Days == 0 {
			return ""
		}
		return strconv.Itoa(s.Retention.Days)
	}
	days.set = func(s *settings.Settings, text string) error {
		if text = strings.TrimSpace(text); text == "" {
			s.Retention.Days = 0
			return nil
		}
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > settings.MaxDays {
			return fmt.Errorf("a whole number of days, at most %s", human.Count(settings.MaxDays))
		}
		s.Retention.Days = n
		return nil
	}
	return []Setting{days,
		sizeSetting("folderSize", GroupRecordings, "Folder larger than", "The oldest recordings go until it fits.", "any size",
			10_000_000, 1e15, func(s *settings.Settings) *int64 { return &s.Retention.Bytes }),
	}
}

func programSettings() []Setting {
	program := func(key, label, about, hint string, of func(p *settings.Programs) *string) Setting {
		s := Setting{Key: key, Group: GroupPrograms, Label: label, About: about, Kind: SettingText, Hint: hint}
		s.get = func(in *settings.Settings) string { return *of(&in.Programs) }
		s.set = func(in *settings.Settings, text string) error {
			text = strings.TrimSpace(text)
			if text != "" {
				if _, err := ProgramLine(text, "", ""); err != nil {
					return err
				}
			}
			*of(&in.Programs) = text
			return nil
		}
		return s
	}
	return []Setting{
		program("editor", "Editor", "For texts and recordings. {file} stands for the file, for instance code --goto {file}. No shell is involved.", "what the system has for the file",
			func(p *settings.Programs) *string { return &p.Editor }),
		program("browser", "Browser", "{url} stands for the address. It is asked before an address is opened.", "the system's",
			func(p *settings.Programs) *string { return &p.Browser }),
	}
}

// parseBytes reads "20 MB", "1.5 GB", "500 kB" or a number of bytes; "" is 0.
// Units are decimal, as everywhere.
func parseBytes(text string) (int64, error) {
	wrong := errors.New("a size such as 20 MB or 1.5 GB")
	text = strings.ToLower(strings.Join(strings.Fields(text), ""))
	if text == "" {
		return 0, nil
	}
	unit := int64(1)
	number := strings.TrimSuffix(text, "b")
	if n := len(number); n > 0 {
		if i := strings.IndexByte("kmgt", number[n-1]); i >= 0 {
			number = number[:n-1]
			for range i + 1 {
				unit *= 1000
			}
		}
	}
	whole, part, _ := strings.Cut(number, ".")
	if len(whole) == 0 || len(whole) > 6 && unit > 1 || len(whole) > 18 || len(part) > 3 || strings.Trim(whole+part, "0123456789") != "" {
		return 0, wrong
	}
	n, err := strconv.ParseInt(whole, 10, 64)
	if err != nil {
		return 0, wrong
	}
	n *= unit
	for _, digit := range part {
		unit /= 10
		n += int64(digit-'0') * unit
	}
	if n == 0 {
		return 0, wrong
	}
	return n, nil
}
