package doctor

import (
	"testing"

	"mcploupe/session/sessiontest"
)

func TestMain(m *testing.M) {
	sessiontest.Main()
	m.Run()
}
