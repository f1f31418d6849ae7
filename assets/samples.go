package assets

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

//go:embed samples/*.mcp.jsonl
var samples embed.FS

// Names of the sample recordings: a walk through two versions of one server,
// the older one first.
const (
	SampleOld = "kestrel-hill-0.9.0.mcp.jsonl"
	SampleNew = "kestrel-hill-1.0.0.mcp.jsonl"
)

// Sample is the text of a sample recording.
func Sample(name string) ([]byte, error) { return samples.ReadFile("samples/" + name) }

// PutSamples writes the sample recordings into the folder dir, which it makes,
// and returns their paths, the older version first. Files that are there and
// are the samples already are left alone.
func PutSamples(dir string) (paths [2]string, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return paths, fmt.Errorf("making room for the sample recordings: %w", err)
	}
	for i, name := range []string{SampleOld, SampleNew} {
		text, err := Sample(name)
		if err != nil {
			return paths, fmt.Errorf("reading the sample recording %s: %w", name, err)
		}
		paths[i] = filepath.Join(dir, name)
		if err := put(paths[i], text); err != nil {
			return paths, fmt.Errorf("writing the sample recording: %w", err)
		}
	}
	return paths, nil
}

// put writes a file at once or not at all.
func put(path string, text []byte) error {
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, text) {
		return nil
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".sample-*")
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	if err := errors.Join(err, f.Close()); err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return os.Rename(f.Name(), path)
}
