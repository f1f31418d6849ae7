package recorder

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// MaskKind says what a secret was recognised by.
type MaskKind uint8

// The kinds of secrets.
const (
	MaskHeader      MaskKind = iota + 1 // a header that carries credentials
	MaskBearer                          // credentials after the name of an authorization scheme
	MaskJWT                             // a JSON Web Token
	MaskKey                             // a key with the form that some service gives its keys
	MaskURL                             // user information or a secret-like parameter of a URL
	MaskEnvironment                     // an environment variable or argument with a secret-like name
	MaskMember                          // a JSON member with a secret-like name
	MaskPointer                         // a place that the person chose
	MaskWord                            // a text that the person gave
	MaskHome                            // the folder of a user
)

var maskKinds = [...]string{
	MaskHeader: "header", MaskBearer: "bearer token", MaskJWT: "JSON Web Token", MaskKey: "key", MaskURL: "URL",
	MaskEnvironment: "environment", MaskMember: "JSON member", MaskPointer: "your pointer", MaskWord: "your word",
	MaskHome: "home folder",
}

// String returns the word for the kind.
func (k MaskKind) String() string {
	if int(k) < len(maskKinds) {
		return maskKinds[k]
	}
	return ""
}

// MaskOptions say what PlanMask looks for.
type MaskOptions struct {
	Tokens   bool     // everything that is a secret by its place or form
	Pointers []string // JSON Pointers into messages; a step * is any member or item
	Words    []string // texts to mask anywhere, with their capitals
	Home     bool     // home folders, which tell the name of a user
	Progress Progress // may be nil
}

// MaskPlace is one place where a secret stands.
type MaskPlace struct {
	Seq   uint64 // 0 is the header of the recording
	Where string // JSON Pointer into the message, or a word for another place: "header Authorization", "url", "stderr"
}

// MaskEntry is one secret, or one pointer of the person, with its switch.
type MaskEntry struct {
	Kind   MaskKind
	Shown  string      // the pointer, or the first characters, never more than a quarter of the secret
	Tag    string      // what takes its place, "" for a pointer: its values have their own
	Count  int         // places
	Places []MaskPlace // the first of them, at most MaxMaskPlaces
	Off    bool        // the person wants to leave it as it is
}

// MaxMaskPlaces is how many places of a secret a plan lists.
const MaxMaskPlaces = 100

// maxMaskSecrets bounds a plan.
const maxMaskSecrets = 1 << 16

// ErrTooManySecrets says that a recording holds more different secrets than a
// plan can list.
var ErrTooManySecrets = fmt.Errorf("more than %d different secrets", maxMaskSecrets)

// MaskPlan says what is masked in an export. The person may set Off in
// Entries; all else is to be left alone. It holds the secrets: it is not to be
// kept. A plan with no entries masks nothing.
//
// A secret is masked wherever it stands, also percent-encoded, in base64 or
// escaped as in JSON; one of fewer than 6 bytes only where it was recognised by
// its place, or when the person gave it. Places of a pointer are masked with
// whatever stands there. Equal secrets get equal tags.
type MaskPlan struct {
	Entries []MaskEntry

	key      [32]byte
	label    string
	secrets  []maskSecret
	known    map[string]int32 // entry of a secret
	pointers []maskPointer
	members  bool // secret-like names of members count
}

type maskSecret struct {
	text  string
	entry int32
	short bool // masked at its place only
}

// PlanMask looks through all of l for what o says.
func PlanMask(ctx context.Context, l *Log, o MaskOptions) (*MaskPlan, error) {
	p := &MaskPlan{known: map[string]int32{}, members: o.Tokens}
	_, _ = rand.Read(p.key[:]) // never fails
	for _, text := range o.Pointers {
		pointer, err := parseMaskPointer(text)
		if err != nil {
			return nil, fmt.Errorf("plan what to mask: %w", err)
		}
		pointer.entry = int32(len(p.Entries))
		p.Entries = append(p.Entries, MaskEntry{Kind: MaskPointer, Shown: text})
		p.pointers = append(p.pointers, pointer)
	}
	for _, word := range o.Words {
		if word != "" {
			p.add(MaskWord, word)
		}
	}
	last := l.Len()
	total := 2 * last
	meter := newMeter(o.Progress, total)
	c := newSecretCollector(p, o)
	c.header(l.Header())
	for seq := uint64(1); seq <= last; seq++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		e, err := l.Read(seq, 0)
		if err != nil {
			return nil, fmt.Errorf("plan what to mask: %w", err)
		}
		c.event(&e)
		if c.full {
			return nil, fmt.Errorf("plan what to mask: %w", ErrTooManySecrets)
		}
		meter.at(seq)
	}
	p.chooseTags()
	if err := p.count(ctx, l, last, meter); err != nil {
		return nil, err
	}
	return p, nil
}

// count notes where the secrets are.
func (p *MaskPlan) count(ctx context.Context, l *Log, last uint64, meter *meter) error {
	if len(p.Entries) == 0 {
		meter.at(2 * last)
		return nil
	}
	k := newMasking(p)
	seq := uint64(0)
	k.hit = func(entry int32, where string) {
		e := &p.Entries[entry]
		e.Count++
		if len(e.Places) < MaxMaskPlaces {
			e.Places = append(e.Places, MaskPlace{Seq: seq, Where: where})
		}
	}
	k.header(l.Header())
	for seq = 1; seq <= last; seq++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		e, err := l.Read(seq, 0)
		if err != nil {
			return fmt.Errorf("plan what to mask: %w", err)
		}
		k.event(&e)
		meter.at(last + seq)
	}
	return nil
}

// add enters a secret and reports whether there was room.
func (p *MaskPlan) add(kind MaskKind, secret string) bool {
	if _, ok := p.known[secret]; ok || secret == "" || IsTag(secret) {
		return true
	}
	if len(p.secrets) >= maxMaskSecrets {
		return false
	}
	entry := int32(len(p.Entries))
	p.Entries = append(p.Entries, MaskEntry{Kind: kind, Shown: shownPart(secret)})
	p.known[secret] = entry
	p.secrets = append(p.secrets, maskSecret{text: secret, entry: entry, short: len(secret) < minSecret && kind != MaskWord})
	return true
}

// addValue enters what stands at a pointer, to be found elsewhere too; it is
// switched with the pointer. What finds no room is masked at the pointer only.
func (p *MaskPlan) addValue(entry int32, value string) {
	if _, ok := p.known[value]; ok || len(value) < minSecret || IsTag(value) || len(p.secrets) >= maxMaskSecrets {
		return
	}
	p.known[value] = entry
	p.secrets = append(p.secrets, maskSecret{text: value, entry: entry})
}

// shownPart is the beginning of a secret that may be seen.
func shownPart(secret string) string {
	n := min(4, utf8.RuneCountInString(secret)/4)
	at := 0
	for range n {
		_, size := utf8.DecodeRuneInString(secret[at:])
		at += size
	}
	return strings.ToValidUTF8(secret[:at], "\uFFFD") + "…"
}

// tagLabels are words for a tag, to have one that is not itself part of a
// secret.
var tagLabels = []string{"secret", "masked", "hidden", "xxxx", "•"}

// chooseTags gives every secret its tag: one that holds no secret.
func (p *MaskPlan) chooseTags() {
	f := newSecretFinder()
	for _, s := range p.secrets {
		if !s.short {
			f.add(s.text, s.entry, "")
		}
	}
	f.build()
	for _, p.label = range tagLabels {
		if len(f.find([]byte(p.tag("")))) == 0 || p.label == tagLabels[len(tagLabels)-1] {
			break
		}
	}
	// A digit or two may be a word of the person: then other digits may do.
	for range 16 {
		clean := true
		for _, s := range p.secrets {
			clean = clean && len(f.find([]byte(p.tag(s.text)))) == 0
		}
		if clean {
			break
		}
		_, _ = rand.Read(p.key[:])
	}
	for _, s := range p.secrets {
		if e := &p.Entries[s.entry]; e.Kind != MaskPointer {
			e.Tag = p.tag(s.text)
		}
	}
}

// tag is what takes the place of a secret.
func (p *MaskPlan) tag(secret string) string {
	h := hmac.New(sha256.New, p.key[:])
	h.Write([]byte(secret))
	return "‹" + p.label + ":" + hex.EncodeToString(h.Sum(nil)[:4]) + "›"
}

// maskPointer is a JSON Pointer with wildcards.
type maskPointer struct {
	steps []string // unescaped; "*" is any
	any   []bool
	entry int32
}

var pointerSteps = strings.NewReplacer("~1", "/", "~0", "~")

func parseMaskPointer(text string) (maskPointer, error) {
	var p maskPointer
	if !strings.HasPrefix(text, "/") {
		return p, fmt.Errorf("the pointer %q: %w", text, errors.New("a JSON Pointer starts with /, as in /params/arguments/password"))
	}
	for _, step := range strings.Split(text[1:], "/") {
		p.any = append(p.any, step == "*")
		p.steps = append(p.steps, pointerSteps.Replace(step))
	}
	return p, nil
}

// meter tells a Progress now and then.
type meter struct {
	tell        Progress
	total, step uint64
	next        uint64
}

func newMeter(tell Progress, total uint64) *meter {
	return &meter{tell: tell, total: total, step: max(1, total/200)}
}

func (m *meter) at(done uint64) {
	if m.tell != nil && (done >= m.next || done == m.total) {
		m.next = done + m.step
		m.tell(done, m.total)
	}
}
