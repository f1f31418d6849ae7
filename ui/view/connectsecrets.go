package view

import (
	"context"

	"mcploupe/session/secret"
	"mcploupe/ui/settings"
)

// NoKeyring says that secrets cannot be kept, why, and what it means.
func NoKeyring(err error) string {
	return "Secrets are kept until MCP Loupe is closed and no longer: no keyring answers (" + line(err.Error(), 160) + ")"
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
