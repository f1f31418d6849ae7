package ui

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/dialog"

	"mcploupe/session"
	"mcploupe/session/secret"
	"mcploupe/ui/settings"
	"mcploupe/ui/theme"
	"mcploupe/ui/view"
	"mcploupe/ui/view/safe"
	"mcploupe/ui/widget"
)

// keyringTime is how long the keyring may take to take a secret; it may ask the
// person to unlock it.
const keyringTime = 2 * time.Minute

// save keeps a server and returns it with its id. One that is kept already is
// not kept twice. Its secrets go to the vault and not to the settings.
func (u *UI) save(server settings.Server) settings.Server {
	if server.ID == "" {
		plain, _ := server.SplitSecrets()
		for _, kept := range u.cfg.Settings.Get().Servers {
			if reflect.DeepEqual(kept.Target, plain.Target) {
				server.ID = kept.ID
			}
		}
	}
	var secrets []settings.Secret
	var err error
	if server.ID == "" {
		server, secrets, err = u.cfg.Settings.Add(server)
	} else {
		kept, ok := u.cfg.Settings.Server(server.ID)
		if ok {
			server.LastUsed = kept.LastUsed
		}
		server, secrets, err = u.cfg.Settings.Replace(server)
		u.forgetSecrets(view.DroppedSecrets(kept, server))
	}
	u.kept(err)
	u.keepSecrets(server, secrets)
	u.retarget(server)
	u.serversChanged()
	return server
}

// retarget lets the connections to a saved server go to what it is now, when they
// are made again.
func (u *UI) retarget(server settings.Server) {
	for _, c := range u.conns() {
		if server.ID != "" && c.Server().ID == server.ID {
			c.SetServer(server)
		}
	}
}

// serversChanged shows the saved servers again.
func (u *UI) serversChanged() {
	u.side.refresh()
	u.start.refresh()
}

// keepSecrets gives secrets to the vault, and to the keyring unless the server
// says otherwise. That there is none is said, and what it means.
func (u *UI) keepSecrets(server settings.Server, secrets []settings.Secret) {
	if len(secrets) == 0 {
		return
	}
	for _, s := range secrets {
		u.cfg.Secrets.Put(s.Key, s.Value)
	}
	if server.NotKept {
		return
	}
	u.storeSecrets(func() []secret.Key {
		var keys []secret.Key
		for _, s := range secrets {
			keys = append(keys, s.Key)
		}
		return keys
	}())
}

// storeSecrets puts what the vault has into the keyring, in the background.
func (u *UI) storeSecrets(keys []secret.Key) {
	u.work.Go(func() {
		ctx, stop := context.WithTimeout(u.ctx, keyringTime)
		defer stop()
		for _, k := range keys {
			if err := u.cfg.Secrets.Store(ctx, k); err != nil {
				u.cfg.Do(func() { u.notes.notify(view.NoKeyring(err)) })
				return
			}
		}
	})
}

// duplicate keeps a copy of a server, with its secrets.
func (u *UI) duplicate(server settings.Server) {
	keys := server.SecretKeys()
	server.ID = ""
	server.LastUsed = time.Time{}
	server.Source = nil // a change of the file is not meant for the copy
	server.Target.Name = view.TitleOf(server.Target) + " copy"
	made := u.save(server)
	if len(keys) == 0 {
		return
	}
	u.work.Go(func() {
		ctx, stop := context.WithTimeout(u.ctx, keyringTime)
		defer stop()
		if err := u.cfg.Secrets.Copy(ctx, made.ID, keys); err != nil {
			u.cfg.Do(func() { u.notes.notify("The secrets of the copy: " + err.Error()) })
		}
	})
}

func (u *UI) removeServer(server settings.Server) {
	name := view.TitleOf(server.Target)
	text := "Remove " + name + " from the list?\nIts recordings are kept, the calls remembered for it are not."
	keys := server.SecretKeys()
	if len(keys) > 0 {
		text += "\nIts secrets are taken out of the keyring."
	}
	d := dialog.NewConfirm("Remove server", text, func(yes bool) {
		if !yes {
			return
		}
		u.update(func(s *settings.Settings) {
			s.Servers = slices.DeleteFunc(s.Servers, func(x settings.Server) bool { return x.ID == server.ID })
		})
		u.forgetServer(server)
		u.serversChanged()
	}, u.win)
	destroys(d, "Remove")
	u.showDialog(d, d.MinSize())
}

// forgetServer drops what is kept elsewhere for a server that is gone.
func (u *UI) forgetServer(server settings.Server) {
	calls := u.cfg.Settings.Calls()
	calls.Forget(server.ID)
	u.work.Go(func() { // another program may have its turn with the file
		if err := calls.Write(); err != nil {
			u.cfg.Do(func() { u.notes.notify(err.Error()) })
		}
	})
	u.forgetSecrets(server.SecretKeys())
}

// forgetSecrets takes secrets out of the vault and the keyring, in the background.
func (u *UI) forgetSecrets(keys []secret.Key) {
	if len(keys) == 0 {
		return
	}
	u.work.Go(func() {
		ctx, stop := context.WithTimeout(u.ctx, keyringTime)
		defer stop()
		if err := u.cfg.Secrets.Forget(ctx, keys...); err != nil && u.cfg.Secrets.Usable(ctx) == nil {
			u.cfg.Do(func() { u.notes.notify("Its secrets may still be there: " + err.Error()) })
		}
	})
}

// resolve puts the values of a server in place that the settings do not hold. It
// is called off the UI goroutine and asks the person for what is missing.
func (u *UI) resolve(ctx context.Context, server settings.Server) (session.Target, error) {
	return settings.Resolver{Vault: u.cfg.Secrets, Ask: u.askValues}.Resolve(ctx, server)
}

// askName asks for a line of text.
func (u *UI) askName(title, label, text, button string, done func(string)) {
	var d *dialog.CustomDialog
	entry := newKeyedEntry(nil)
	submit := func() {
		if name := strings.TrimSpace(entry.Text); name != "" {
			d.Hide()
			done(name)
		}
	}
	entry.keys = func(e *fyne.KeyEvent) bool {
		switch e.Name {
		case fyne.KeyEscape:
			d.Dismiss()
		case fyne.KeyReturn, fyne.KeyEnter:
			submit()
		default:
			return false
		}
		return true
	}
	entry.SetText(text)
	ok := widget.NewButton(button, submit)
	ok.Importance = widget.HighImportance
	d = dialog.NewCustomWithoutButtons(safe.Line(title, 60), container.NewBorder(nil, nil, caption(label), nil, entry), u.win)
	d.SetButtons([]fyne.CanvasObject{widget.NewButton("Cancel", d.Dismiss), ok})
	u.showDialog(d, fyne.NewSize(min(u.win.Canvas().Size().Width*0.8, theme.Scaled(460)), d.MinSize().Height))
	u.win.Canvas().Focus(entry)
	entry.TypedShortcut(&fyne.ShortcutSelectAll{})
}
