package secret

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/zalando/go-keyring"
)

func noEnv(string) (string, bool) { return "", false }

var key = Key{Server: "id-1", Kind: Env, Name: "API_KEY"}

func TestASecretOutlivesTheProgramInTheKeyring(t *testing.T) {
	keyring.MockInit()
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
	keyring.MockInitWithError(errors.New("no bus"))
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
	if _, source, err := New(System(), noEnv).Get(ctx, key); source != Nowhere || err == nil || !strings.Contains(err.Error(), "no bus") {
		t.Errorf("%s %v", source.Word(), err)
	}
	if _, source, err := New(nil, noEnv).Get(ctx, key); source != Nowhere || err != nil {
		t.Errorf("%s %v", source.Word(), err)
	}
}

func TestTheEnvironmentGivesSecretsHeadless(t *testing.T) {
	keyring.MockInit()
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
type slowRing struct{ Keyring }

func (slowRing) Get(string) (string, error) {
	time.Sleep(time.Hour)
	return "", ErrNotFound
}

func TestAKeyringThatWaitsIsGivenUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, stop := context.WithTimeout(context.Background(), time.Second)
		defer stop()
		start := time.Now()
		_, source, err := New(slowRing{}, noEnv).Get(ctx, key)
		if source != Nowhere || !errors.Is(err, context.DeadlineExceeded) || time.Since(start) != time.Second {
			t.Errorf("%s %v after %s", source.Word(), err, time.Since(start))
		}
	})
}
