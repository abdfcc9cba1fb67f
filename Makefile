# The two front doors: `make demo` shows what Baton does, `make test` proves it. Both install what is missing.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c

# Debian packages: the C libraries that Baton stands on, what SwiftPM needs to fetch and find them, and, for the tests, openssl
# (certificates of test servers); curl waits for the demo's sandbox.
PACKAGES := git g++ libyaml-dev libcurl4-openssl-dev libre2-dev libsqlite3-dev pkg-config openssl curl
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

RELEASE := .build/release/baton
DEBUG := .build/debug/baton

.PHONY: demo test build deps format lint bench exam interop mutants kill-test clean

demo: build
	@Scripts/demo $(RELEASE)

# Swift starts every test at once; on few cores one that waits for a process or a server would then wait for a thousand others too.
test: export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH = $(shell echo $$((2 * $$(nproc))))
test: deps
	swift build --build-tests
	@swift test --skip-build 2>&1 | tee .build/test.log || \
	  { echo "--- what failed, once more:"; grep -aE -A 12 'recorded an issue|with [0-9]+ issue|Fatal error|signal code' .build/test.log; exit 1; }
	$(DEBUG) check flows
	$(DEBUG) test flows

build: deps
	swift build -c release --product baton --static-swift-stdlib

deps:
	@missing=""; for p in $(PACKAGES); do \
	  dpkg-query -W -f '$${Status}' $$p 2>/dev/null | grep -q 'ok installed' || missing="$$missing $$p"; done; \
	if [ -n "$$missing" ]; then \
	  echo "installing$$missing"; $(SUDO) apt-get update -qq; \
	  DEBIAN_FRONTEND=noninteractive $(SUDO) apt-get install -y -qq --no-install-recommends $$missing >/dev/null; fi

format:
	swift format --in-place --recursive --parallel Package.swift Sources Tests Benchmarks

lint:
	swift format lint --strict --recursive --parallel Package.swift Sources Tests Benchmarks

# What other people's tools say: check-jsonschema of every shipped file, schemathesis of the sandbox, openapi-core of the requests,
# Authlib of the log-ins, websockets of SAMI's sockets, moto of the photo upload, and mitmproxy, which loses the answers of a server.
exam: PACKAGES += python3-venv
exam: build
	Scripts/check-schemas
	Scripts/schemathesis $(RELEASE)
	Scripts/replay $(RELEASE)
	Scripts/authlib $(RELEASE)
	Scripts/websockets $(RELEASE)
	Scripts/moto $(RELEASE)
	Scripts/mitmproxy $(RELEASE)

# Plain HTTP against a stranger's server, httpbin under gunicorn.
interop: PACKAGES += python3-venv
interop: build
	Scripts/interop $(RELEASE)

# Makes one mistake at a time in a copy of the sources, and wants a case to fail; MUTANTS bounds them by a text of their names.
mutants: PACKAGES += python3
mutants: deps
	Scripts/mutants .build/mutants $(if $(MUTANTS),--only "$(MUTANTS)")

# Kills Baton at every point of an emergency; all of it takes long: KILL_SECONDS bounds it.
kill-test: PACKAGES += python3
kill-test: build
	Scripts/kill-test $(if $(KILL_SECONDS),--seconds $(KILL_SECONDS)) $(RELEASE)

bench: PACKAGES += nginx-light
bench: build
	Benchmarks/run $(RELEASE)
	swift run -c release --package-path Benchmarks/cel

clean:
	rm -rf .build
