package demo

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A sealer signs the requestState that a client carries from one round of a stateless request to the next, so that a
// state that was changed, or that belongs to another request, is refused. The key lives as long as the station.
type sealer struct{ key []byte }

func newSealer() sealer {
	key := make([]byte, 32)
	rand.Read(key)
	return sealer{key}
}

var errForeignState = errors.New("requestState was changed on the way, or belongs to another request or an earlier run of the server")

func (s sealer) sign(subject, body string) []byte {
	mac := hmac.New(sha256.New, s.key)
	mac.Write([]byte(subject))
	mac.Write([]byte{0})
	mac.Write([]byte(body))
	return mac.Sum(nil)
}

// seal writes v as a state for the subject, a method and the name of what it is about.
func (s sealer) seal(subject string, v any) (string, error) {
	data, err := json.Marshal(v, json.Deterministic(true), jsontext.AllowDuplicateNames(true))
	if err != nil {
		return "", fmt.Errorf("writing requestState: %w", err)
	}
	body := base64.RawURLEncoding.EncodeToString(data)
	return body + "." + base64.RawURLEncoding.EncodeToString(s.sign(subject, body)), nil
}

// open reads a state that seal wrote for the same subject.
func (s sealer) open(subject, state string, into any) error {
	body, sum, ok := strings.Cut(state, ".")
	if !ok {
		return errForeignState
	}
	got, err := base64.RawURLEncoding.DecodeString(sum)
	if err != nil || !hmac.Equal(got, s.sign(subject, body)) {
		return errForeignState
	}
	data, err := base64.RawURLEncoding.DecodeString(body)
	if err != nil {
		return errForeignState
	}
	if err := json.Unmarshal(data, into, jsontext.AllowDuplicateNames(true)); err != nil {
		return fmt.Errorf("reading requestState: %w", err)
	}
	return nil
}
