# The two front doors: `make demo` shows what Baton does, `make test` proves it. Both install what is missing.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c

# Debian packages: the C libraries that Baton stands on, what SwiftPM needs to fetch and find them, and, for the tests, openssl
# (certificates of test servers); curl waits for the demo's sandbox.
PACKAGES := git g++ libyaml-dev libcurl4-openssl-dev libre2-dev libsqlite3-dev pkg-config openssl curl
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

RELEASE := .build/release/baton
DEBUG := .build/debug/baton

.PHONY: demo test build deps format lint bench exam interop kill-test clean

demo: build
	@Scripts/demo $(RELEASE)

test: deps
	swift build --build-tests
	swift test --skip-build
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

# What other people's tools say: schemathesis of the sandbox, moto of the photo upload, check-jsonschema of every shipped file, and
# mitmproxy, which loses the answers of a server.
exam: PACKAGES += python3-venv
exam: build
	Scripts/check-schemas
	Scripts/schemathesis $(RELEASE)
	Scripts/replay $(RELEASE)
	Scripts/authlib $(RELEASE)
	Scripts/moto $(RELEASE)
	Scripts/mitmproxy $(RELEASE)

# Plain HTTP against a stranger's server, httpbin under gunicorn.
interop: PACKAGES += python3-venv
interop: build
	Scripts/interop $(RELEASE)

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
