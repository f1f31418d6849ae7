// Package secret keeps the secrets of saved servers: in the system's keyring
// where the person wants that and there is one, else in memory until the program
// ends. They are never written anywhere else.
//
// A Vault is safe for concurrent use. Calls of the keyring may take as long as a
// person needs to unlock it: they end with their context, and none belongs on a
// goroutine that draws.
package secret

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/zalando/go-keyring"
)

// service is what the program is called in the keyring.
const service = "mcploupe"

// EnvPrefix begins the names of variables of the environment that give secrets
// where nobody can be asked.
const EnvPrefix = "MCPLOUPE_SECRET_"

// Kind is the place in a server that a secret is for.
type Kind string

// The kinds of secrets.
const (
	Env    Kind = "env"    // a variable of the program's environment
	Header Kind = "header" // a header of its requests
	Bearer Kind = "bearer" // the token of its Authorization header
	Input  Kind = "input"  // what an imported file asks for
)

// Key names a secret. Server is the id of a saved server, which never changes.
type Key struct {
	Server string
	Kind   Kind
	Name   string // of the variable, header or input
}

// account is the key's name in the keyring.
func (k Key) account() string {
	return k.Server + "/" + string(k.Kind) + "/" + k.Name
}

// Variables are the names of variables of the environment that may give the
// secret, the first of them before the keyring is asked.
func (k Key) Variables() []string {
	name := k.Name
	if k.Kind == Bearer {
		name = "BEARER"
	}
	out := []string{EnvPrefix + envName(name)}
	if k.Kind == Env {
		out = append(out, k.Name)
	}
	return out
}

func envName(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			return r
		}
		return '_'
	}, name)
}

// ErrNotFound is the error of a keyring that does not have a secret.
var ErrNotFound = errors.New("the keyring does not have it")

// Keyring is where secrets outlive the program.
type Keyring interface {
	Get(account string) (string, error) // ErrNotFound when it is not there
	Set(account, value string) error
	Delete(account string) error // ErrNotFound likewise
}

// System is the keyring of the person's session: the Secret Service on Linux,
// the Keychain on macOS, the Credential Manager on Windows.
func System() Keyring { return system{} }

type system struct{}

// errNoBus is why there is no keyring in a session without a message bus. The
// library would start one of its own.
var errNoBus = errors.New("this session has no message bus: DBUS_SESSION_BUS_ADDRESS is not set")

// bus says why the keyring cannot be reached.
func (system) bus() error {
	switch runtime.GOOS {
	case "windows", "darwin":
		return nil
	}
	if os.Getenv("DBUS_SESSION_BUS_ADDRESS") != "" {
		return nil
	}
	if dir := os.Getenv("XDG_RUNTIME_DIR"); dir != "" {
		if _, err := os.Stat(filepath.Join(dir, "bus")); err == nil {
			return nil
		}
	}
	if _, err := os.Stat(fmt.Sprintf("/run/user/%d/bus", os.Getuid())); err == nil {
		return nil
	}
	return errNoBus
}

func (x system) Get(account string) (string, error) {
	if err := x.bus(); err != nil {
		return "", err
	}
	value, err := keyring.Get(service, account)
	return value, translate(err)
}

func (x system) Set(account, value string) error {
	if err := x.bus(); err != nil {
		return err
	}
	return translate(keyring.Set(service, account, value))
}

func (x system) Delete(account string) error {
	if err := x.bus(); err != nil {
		return err
	}
	return translate(keyring.Delete(service, account))
}

func translate(err error) error {
	switch {
	case errors.Is(err, keyring.ErrNotFound):
		return ErrNotFound
	case errors.Is(err, keyring.ErrSetDataTooBig):
		return errors.New("it is too long for the keyring")
	}
	return err
}

// Source is where a secret was found.
type Source uint8

// The sources, in the order in which they are asked.
const (
	Nowhere     Source = iota
	Memory             // given in this run
	Environment        // a variable whose name begins with EnvPrefix, or a variable of the same name
	Stored             // in the keyring
)

var sourceWords = [...]string{"not known", "for this run only", "from the environment", "in the keyring"}

// Word says the source to a person.
func (s Source) Word() string { return sourceWords[s] }

// Vault finds and keeps secrets.
type Vault struct {
	ring   Keyring
	getenv func(string) (string, bool)

	mu     sync.Mutex
	memory map[Key]string
	stored map[Key]bool // what is known to be in the keyring as well
}

// New returns a vault over a keyring; nil stands for none. getenv may be nil,
// for that of the process.
func New(ring Keyring, getenv func(string) (string, bool)) *Vault {
	if getenv == nil {
		getenv = os.LookupEnv
	}
	return &Vault{ring: ring, getenv: getenv, memory: map[Key]string{}, stored: map[Key]bool{}}
}

// maxMemory bounds the secrets of one run.
const maxMemory = 10000

// Put keeps a secret for this run. It takes no time.
func (v *Vault) Put(k Key, value string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if _, ok := v.memory[k]; ok || len(v.memory) < maxMemory {
		v.memory[k] = value
		delete(v.stored, k)
	}
}

// Store puts a secret that this run has into the keyring. When that fails it is
// kept for this run, as it was before; the error says what is wrong with the
// keyring.
func (v *Vault) Store(ctx context.Context, k Key) error {
	v.mu.Lock()
	value, ok := v.memory[k]
	done := v.stored[k]
	v.mu.Unlock()
	if !ok || done {
		return nil
	}
	_, err := v.ask(ctx, func(ring Keyring) (string, error) { return "", ring.Set(k.account(), value) })
	if err != nil {
		return err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.memory[k] == value {
		v.stored[k] = true
	}
	return nil
}

// Get finds a secret. The error says what is wrong with the keyring; a secret
// that is nowhere is no error.
func (v *Vault) Get(ctx context.Context, k Key) (string, Source, error) {
	v.mu.Lock()
	value, ok := v.memory[k]
	stored := v.stored[k]
	v.mu.Unlock()
	if ok && stored {
		return value, Stored, nil
	}
	if ok {
		return value, Memory, nil
	}
	names := k.Variables()
	if value, ok := v.getenv(names[0]); ok {
		return value, Environment, nil
	}
	value, err := v.ask(ctx, func(ring Keyring) (string, error) { return ring.Get(k.account()) })
	if err == nil {
		v.mu.Lock()
		if len(v.memory) < maxMemory {
			v.memory[k], v.stored[k] = value, true
		}
		v.mu.Unlock()
		return value, Stored, nil
	}
	for _, name := range names[1:] {
		if value, ok := v.getenv(name); ok {
			return value, Environment, nil
		}
	}
	if errors.Is(err, ErrNotFound) || errors.Is(err, errNone) {
		return "", Nowhere, nil
	}
	return "", Nowhere, err
}

// Forget takes secrets out of memory and the keyring. What a keyring does not
// have, or no keyring, is no error.
func (v *Vault) Forget(ctx context.Context, keys ...Key) error {
	v.mu.Lock()
	for _, k := range keys {
		delete(v.memory, k)
		delete(v.stored, k)
	}
	v.mu.Unlock()
	var errs []error
	for _, k := range keys {
		_, err := v.ask(ctx, func(ring Keyring) (string, error) { return "", ring.Delete(k.account()) })
		if err != nil && !errors.Is(err, ErrNotFound) && !errors.Is(err, errNone) {
			errs = append(errs, fmt.Errorf("take %s out of the keyring: %w", k.Name, err))
		}
	}
	return errors.Join(errs...)
}

// Copy gives one server the secrets of another that are known in this run, or
// are in the keyring.
func (v *Vault) Copy(ctx context.Context, to string, keys []Key) error {
	var errs []error
	for _, k := range keys {
		value, source, err := v.Get(ctx, k)
		if err != nil {
			errs = append(errs, err)
		}
		if source != Memory && source != Stored {
			continue
		}
		k.Server = to
		v.Put(k, value)
		if source == Stored {
			errs = append(errs, v.Store(ctx, k))
		}
	}
	return errors.Join(errs...)
}

// Usable says why there is no keyring to keep secrets in; nil when there is one.
func (v *Vault) Usable(ctx context.Context) error {
	_, err := v.ask(ctx, func(ring Keyring) (string, error) { return ring.Get("is-there-a-keyring") })
	if err == nil || errors.Is(err, ErrNotFound) {
		return nil
	}
	return err
}

var errNone = errors.New("there is no keyring")

// ask calls the keyring and waits no longer than ctx. The libraries that talk to
// keyrings cannot be interrupted, so that a call which is given up goes on until
// the keyring answers.
func (v *Vault) ask(ctx context.Context, call func(Keyring) (string, error)) (string, error) {
	if v.ring == nil {
		return "", errNone
	}
	if err := ctx.Err(); err != nil {
		return "", err
	}
	type answer struct {
		value string
		err   error
	}
	done := make(chan answer, 1)
	go func() { // ends with the call
		value, err := call(v.ring)
		done <- answer{value, err}
	}()
	select {
	case a := <-done:
		return a.value, a.err
	case <-ctx.Done():
		return "", fmt.Errorf("the keyring has not answered: %w", ctx.Err())
	}
}
