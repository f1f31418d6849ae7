package view

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"mcploupe/session/secret"
	"mcploupe/ui/settings"
	"mcploupe/ui/view/human"
)

// NoKeyring says that secrets cannot be kept, why, and what it means.
func NoKeyring(err error) string {
	return "Secrets are kept until MCP Loupe is closed and no longer: no keyring answers (" + line(err.Error(), 160) + ")"
}

// PlainSecretsText says that secrets of a server stand in the settings file, ""
// when none do.
func PlainSecretsText(x settings.Server) string {
	switch _, plain := x.PlainSecrets(); len(plain) {
	case 0:
		return ""
	case 1:
		return "One of its secrets stands in the settings file, where an older version has written it."
	default:
		return human.Count(len(plain)) + " of its secrets stand in the settings file, where an older version has written them."
	}
}

// MoveSecrets takes the secrets of a saved server out of the settings file into
// the keyring. When one cannot be kept there all of them stay where they are. It
// may wait for the keyring.
func MoveSecrets(ctx context.Context, v *secret.Vault, store *settings.Store, id string) error {
	x, ok := store.Server(id)
	if !ok {
		return errors.New("the server is not saved any more")
	}
	_, plain := x.PlainSecrets()
	for _, s := range plain {
		v.Put(s.Key, s.Value)
		if err := v.Store(ctx, s.Key); err != nil {
			return fmt.Errorf("the secrets stay in the settings file: %w", err)
		}
	}
	return store.MovedSecrets(id, plain)
}

// DroppedSecrets are the secrets that a server had and has no more.
func DroppedSecrets(was, is settings.Server) []secret.Key {
	keys := is.SecretKeys()
	return slices.DeleteFunc(was.SecretKeys(), func(k secret.Key) bool { return slices.Contains(keys, k) })
}

// SecretRow is a secret of a server for the screen.
type SecretRow struct {
	Key    secret.Key
	Title  string
	Where  string // where its value is
	Source secret.Source
}

// SecretRows looks where the secrets of a server are. It may wait for the
// keyring.
func SecretRows(ctx context.Context, v *secret.Vault, x settings.Server) (rows []SecretRow, trouble error) {
	for _, k := range x.SecretKeys() {
		_, source, err := v.Get(ctx, k)
		if err != nil {
			trouble = err
		}
		title := line(k.Name, 80)
		switch k.Kind {
		case secret.Header:
			title = "Header " + title
		case secret.Bearer:
			title = "Bearer token"
		case secret.Input:
			title = "Input " + title
		}
		rows = append(rows, SecretRow{Key: k, Title: title, Where: source.Word(), Source: source})
	}
	return rows, trouble
}
