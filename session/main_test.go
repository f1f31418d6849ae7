package session

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"testing"

	"mcploupe/session/demo"
	"mcploupe/session/sessiontest"
)

// demoVar makes the test binary the demo server over stdio.
const demoVar = "SESSION_TEST_DEMO"

func TestMain(m *testing.M) {
	sessiontest.Main()
	if os.Getenv(demoVar) != "" {
		ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
		defer stop()
		if err := demo.ServeStdio(ctx, os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}
