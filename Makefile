# make run and make test do all the set-up on a fresh Debian or Ubuntu.
SHELL   := /bin/bash
VERSION := 0.1.0
GO       = $$(.ci/go-path)
COMMIT  := $(shell git rev-parse --short=12 HEAD 2>/dev/null)
LDFLAGS  = -X main.version=$(VERSION) -X main.commit=$(COMMIT)
# The window ships with the toolkit's checked-thread mode left out; see e2e.
WINDOW   = -tags migrated_fynedo -ldflags "$(LDFLAGS)"
# Tests leave out the toolkit's driver: it alone needs cgo and minutes to build.
TESTTAGS = -tags headless,migrated_fynedo

.PHONY: run build headless cross package test e2e screenshots peers conformance bench fuzz lint ci fresh clean

run: build            ## build what is missing and open the window
	./build/mcploupe

build:
	@.ci/setup build
	@[ -x build/mcploupe ] || echo "The first build takes some minutes: the bindings to OpenGL are large."
	$(GO) build $(WINDOW) -o build/mcploupe .

headless:             ## the verbs alone: no cgo, no display libraries
	@.ci/setup test
	CGO_ENABLED=0 $(GO) build -tags headless -ldflags "$(LDFLAGS)" -o build/mcploupe-headless .

cross:                ## the verbs for Linux, macOS and Windows, amd64 and arm64, with checksums, in dist
	@.ci/setup test
	.ci/cross $(VERSION) "$(LDFLAGS)"

package:              ## a tarball for Linux in dist: program, desktop entry, icons, rules to install
	@.ci/setup package
	$(GO) build -trimpath -tags migrated_fynedo -ldflags "-s -w $(LDFLAGS)" -o build/mcploupe-package .
	.ci/check-package build/mcploupe-package $(VERSION)

test:                 ## unit tests with the race detector
	@.ci/setup test
	$(GO) test -race $(TESTTAGS) -timeout 30m ./...

e2e:                  ## drive the real window on a virtual screen; pictures in build/e2e
	@.ci/setup e2e
	$(GO) build -ldflags "$(LDFLAGS)" -o build/mcploupe-e2e .
	$(GO) test -count=1 -tags e2e,headless -timeout 15m ./ui/e2e/...

screenshots:          ## take the pictures of the README anew
	@.ci/setup e2e
	$(GO) build -ldflags "$(LDFLAGS)" -o build/mcploupe-e2e .
	$(GO) test -count=1 -tags e2e,headless,screenshots -run '^TestScreenshots$$' -timeout 15m -v ./ui/e2e/

peers:                ## against servers that others wrote
	@.ci/setup peers
	.ci/peers

conformance:          ## the public conformance suite for clients
	@.ci/setup peers
	.ci/conformance

bench:                ## the budgets; LOUPE_BENCH_EVENTS=n for another size than 1,000,000 events
	@.ci/setup test
	$(GO) test $(TESTTAGS) -run '^$$' -bench . -benchtime 1x -timeout 30m ./recorder/ ./recorder/diff/
	$(GO) test $(TESTTAGS) -run '^$$' -bench . -benchtime 200ms -p 1 -timeout 30m ./protocol/... ./session/ ./ui/...

export LOUPE_BENCH_EVENTS
FUZZTIME ?= 60s
fuzz:                 ## every fuzzer for FUZZTIME
	@.ci/setup test
	.ci/fuzz $(FUZZTIME)

lint:
	@.ci/setup test
	.ci/lint

fresh:                ## clone into an empty home, and time the first window and the tests
	@.ci/setup e2e
	.ci/fresh

ci:                   ## what the build server runs
	.ci/run

clean:
	rm -rf build dist
