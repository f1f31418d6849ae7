package diff

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"mcploupe/recorder"
)

// RecordedSurface is what a recording tells of a server, as it was sent.
func RecordedSurface(ctx context.Context, log *recorder.Log) (Surface, error) {
	cat, err := log.Catalogue(ctx)
	if err != nil {
		return Surface{}, err
	}
	return SurfaceOf(cat), nil
}

// MaskedSurface is what a recording tells of a server, with secrets masked as in
// an export. It writes a masked copy of the recording to the folder for temporary
// files and takes it away again.
func MaskedSurface(ctx context.Context, log *recorder.Log) (s Surface, err error) {
	plan, err := recorder.PlanMask(ctx, log, recorder.MaskOptions{Tokens: true})
	if err != nil {
		return s, err
	}
	scratch, err := os.MkdirTemp("", "mcploupe-")
	if err != nil {
		return s, fmt.Errorf("make a folder for what is masked: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(scratch)) }()
	path := filepath.Join(scratch, "masked"+recorder.Ext)
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return s, fmt.Errorf("make a file for what is masked: %w", err)
	}
	_, err = recorder.Export(ctx, f, log, recorder.ExportOptions{Format: recorder.ExportRecording, Mask: plan})
	if err := errors.Join(err, f.Close()); err != nil {
		return s, fmt.Errorf("mask the recording: %w", err)
	}
	masked, err := recorder.OpenContext(ctx, path, nil)
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, masked.Close()) }()
	return RecordedSurface(ctx, masked)
}
