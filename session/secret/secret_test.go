package secret

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zalando/go-keyring"
)

func noEnv(string) (string, bool) { return "", false }

// mock puts the library's stand-in in the place of the system's keyring.
func mock(t *testing.T, err error) {
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nowhere")
	if err != nil {
		keyring.MockInitWithError(err)
		return
	}
	keyring.MockInit()
}

func TestNoBusIsStartedForTheKeyring(t *testing.T) {
	if runtime.GOOS != "linux" {
		return // elsewhere the keyring needs none
	}
	t.Setenv("DBUS_SESSION_BUS_ADDRESS", "")
	t.Setenv("XDG_RUNTIME_DIR", t.TempDir())
	if _, err := os.Stat(fmt.Sprintf("/run/user/%d/bus", os.Getuid())); err == nil {
		return // there is one in any case
	}
	keyring.MockInit() // which is not asked
	if err := New(System(), noEnv).Usable(context.Background()); !errors.Is(err, errNoBus) {
		t.Errorf("%v", err)
	}
	if err := System().Set("a", "b"); !errors.Is(err, errNoBus) {
		t.Errorf("set: %v", err)
	}
	if err := System().Delete("a"); !errors.Is(err, errNoBus) {
		t.Errorf("delete: %v", err)
	}
}

var key = Key{Server: "id-1", Kind: Env, Name: "API_KEY"}

func TestASecretOutlivesTheProgramInTheKeyring(t *testing.T) {
	mock(t, nil)
	ctx := context.Background()
	v := New(System(), noEnv)
	if err := v.Usable(ctx); err != nil {
		t.Fatal(err)
	}
	v.Put(key, "s3cret")
	if _, source, _ := v.Get(ctx, key); source != Memory {
		t.Errorf("before it is stored it is %s", source.Word())
	}
	if err := v.Store(ctx, key); err != nil {
		t.Fatal(err)
	}
	next := New(System(), noEnv)
	if got, source, err := next.Get(ctx, key); got != "s3cret" || source != Stored || err != nil {
		t.Errorf("%q %s %v", got, source.Word(), err)
	}
	if err := next.Copy(ctx, "id-2", []Key{key}); err != nil {
		t.Fatal(err)
	}
	if err := next.Forget(ctx, key); err != nil {
		t.Fatal(err)
	}
	third := New(System(), noEnv)
	if _, source, err := third.Get(ctx, key); source != Nowhere || err != nil {
		t.Errorf("forgotten, and still %s, %v", source.Word(), err)
	}
	other := key
	other.Server = "id-2"
	if got, _, _ := third.Get(ctx, other); got != "s3cret" {
		t.Errorf("the copy is %q", got)
	}
}

func TestWithoutAKeyringSecretsLastForTheRun(t *testing.T) {
	mock(t, errors.New("locked out"))
	ctx := context.Background()
	for name, v := range map[string]*Vault{"broken": New(System(), noEnv), "none": New(nil, noEnv)} {
		if err := v.Usable(ctx); err == nil {
			t.Errorf("%s: a keyring that does not answer is usable", name)
		}
		v.Put(key, "s3cret")
		if err := v.Store(ctx, key); err == nil {
			t.Errorf("%s: it says that it has stored the secret", name)
		}
		if got, source, err := v.Get(ctx, key); got != "s3cret" || source != Memory || err != nil {
			t.Errorf("%s: %q %s %v", name, got, source.Word(), err)
		}
	}
	if _, source, err := New(System(), noEnv).Get(ctx, key); source != Nowhere || err == nil || !strings.Contains(err.Error(), "locked out") {
		t.Errorf("%s %v", source.Word(), err)
	}
	if _, source, err := New(nil, noEnv).Get(ctx, key); source != Nowhere || err != nil {
		t.Errorf("%s %v", source.Word(), err)
	}
}

func TestTheEnvironmentGivesSecretsHeadless(t *testing.T) {
	mock(t, nil)
	env := map[string]string{}
	v := New(System(), func(name string) (string, bool) { value, ok := env[name]; return value, ok })
	ctx := context.Background()
	env["API_KEY"] = "same name"
	if got, source, _ := v.Get(ctx, key); got != "same name" || source != Environment {
		t.Errorf("%q %s", got, source.Word())
	}
	if err := System().Set(key.account(), "kept"); err != nil {
		t.Fatal(err)
	}
	if got, _, _ := v.Get(ctx, key); got != "kept" {
		t.Errorf("the keyring comes before a variable of the same name: %q", got)
	}
	env["MCPLOUPE_SECRET_API_KEY"] = "meant"
	fresh := New(System(), v.getenv)
	if got, _, _ := fresh.Get(ctx, key); got != "meant" {
		t.Errorf("what is meant for it comes first: %q", got)
	}
	if got := (Key{Kind: Header, Name: "X-Api key"}).Variables(); len(got) != 1 || got[0] != "MCPLOUPE_SECRET_X_API_KEY" {
		t.Errorf("variables %q", got)
	}
}

// slowRing is a keyring that waits for a person.
type slowRing struct {
	Keyring
	unlocked chan struct{}
}

func (r slowRing) Get(string) (string, error) {
	<-r.unlocked
	return "", ErrNotFound
}

func TestAKeyringThatWaitsIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithTimeout(context.Background(), time.Second)
		defer stop()
		start := time.Now()
		unlocked := make(chan struct{})
		defer close(unlocked)
		_, source, err := New(slowRing{unlocked: unlocked}, noEnv).Get(ctx, key)
		if source != Nowhere || !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Second {
			t.Errorf("%s %v after %s", source.Word(), err, time.Since(start))
		}
	})
}
