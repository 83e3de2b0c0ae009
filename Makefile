# bawab: `make` prints what can be made.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

ROOT := $(patsubst %/,%,$(dir $(abspath $(lastword $(MAKEFILE_LIST)))))
ARCH := $(subst aarch64,arm64,$(subst x86_64,amd64,$(shell uname -m)))
NATIVE := $(ROOT)/.native/$(ARCH)
VERSION := $(shell $(ROOT)/packaging/version.sh)
LISTEN ?= 127.0.0.1:8080
DATA ?= ./var
FUZZTIME ?= 10s
KEYS ?= $(HOME)/.bawab-release
REPOSITORY ?= $(ROOT)/dist/repository
PACKAGES ?= ./...

# First the toolchain that the set-up fetches where the machine's own is too
# old; the folder does not exist otherwise.
export PATH := $(NATIVE)/go/bin:$(PATH)
export GOTOOLCHAIN := local

# The cgo flags; those of releases are in packaging/release.sh. gocv would link all of OpenCV, its windows and
# its video codecs: `customenv` silences its own list, and sections that nobody
# calls take their libraries with them (the bfd linker only).
export CGO_ENABLED := 1
export CGO_CFLAGS := -O2 -ffunction-sections -fdata-sections -I$(ROOT)/inference/include
export CGO_CXXFLAGS := -O2 -std=c++11 -ffunction-sections -fdata-sections -I/usr/include/opencv4
export CGO_LDFLAGS := -L$(NATIVE)/lib -Wl,--as-needed -Wl,--gc-sections -lopencv_imgproc -lopencv_core
# What reads cameras comes to the linker apart: another CGO_LDFLAGS would build
# all of gocv again, and only programs that use a camera need these.
CAMERA := -extldflags=-Wl,-lopencv_videoio,-lopencv_imgcodecs
# Test programs are linked with the absolute place of the runtime; bin/bawab
# finds it relative to itself, here and where the packages install it.
export GOFLAGS := -tags=customenv -buildvcs=false -trimpath "-ldflags=-r=$(NATIVE)/lib $(CAMERA)"
# On arm64 the compiler would round a product and a sum once; on amd64 it
# rounds twice. Both are to read the same.
ifeq ($(ARCH),arm64)
export GOFLAGS += -gcflags=github.com/bawab/bawab/...=-d=fmahash=qn -gcflags=math=-d=fmahash=qn
endif
LDFLAGS := $(CAMERA) -s -w -X main.version=$(VERSION) -r $$ORIGIN/../lib/bawab:$$ORIGIN/../.native/$(ARCH)/lib

SETUP := $(NATIVE)/setup.done

.PHONY: help setup build run test race check format ratchet torture vulncheck fuzz bench models training-test numbers packages image release reproduce signing-key repository repositorycheck releasecheck clients-check armcheck packagetest env clean

help: ## print this list
	@echo "bawab $(VERSION): reads identity documents, on this machine alone"
	@echo
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 24

setup: $(SETUP) ## install what is missing: Debian packages, Go, the TFLite runtime

$(SETUP): packaging/setup.sh go.mod
	@packaging/setup.sh $(NATIVE)
	@touch $@

BROWSER := $(NATIVE)/browser.done

$(BROWSER): packaging/browser.sh
	@packaging/browser.sh $(NATIVE)
	@touch $@

build: $(SETUP) ## build bin/bawab
	go build -ldflags '$(LDFLAGS)' -o bin/bawab ./cmd/bawab

run: build ## build and serve on LISTEN (127.0.0.1:8080) with the data in DATA (./var)
	@exec bin/bawab serve --listen $(LISTEN) --data $(DATA)

test: $(SETUP) $(BROWSER) ## vet everything and run every test, with a summary
	go vet ./...
	@packaging/gotest.sh -count=1 -timeout 45m ./...

race: $(SETUP) ## run the tests of PACKAGES (./...) under the race detector
	@packaging/gotest.sh -count=1 -timeout 45m -race $(PACKAGES)

check: $(SETUP) ## run every static check: format, linters, shellcheck, ruff, mypy, alert rules
	@packaging/check.sh $(ROOT)/.native/check

format: $(SETUP) ## write all Go files as gofumpt has them (after make check, which brings it)
	@$(ROOT)/.native/check/golangci-lint-*/golangci-lint fmt ./...

ratchet: $(SETUP) ## lower packaging/ratchet.txt to what the linters still find (after make check)
	@{ $(ROOT)/.native/check/golangci-lint-*/golangci-lint run ./... || true; } | packaging/ratchet.sh packaging/ratchet.txt lower

torture: build ## kill, starve and flood the daemon for ten minutes and print what came of it
	@TORTURE=7m TORTURE_BINARY=$(ROOT)/bin/bawab go test -count=1 -v -timeout 20m -run '^TestTorture$$' ./cmd/bawab | grep -v '^=== '

vulncheck: $(SETUP) ## fail when the program calls what an advisory names
	@packaging/vulncheck.sh $(ROOT)/.native/vulncheck

fuzz: $(SETUP) ## run every fuzz target for FUZZTIME (10s)
	@packaging/gofuzz.sh $(FUZZTIME)

bench: $(SETUP) ## run every Go benchmark
	go test -run '^$$' -bench . -benchmem ./...

models: $(SETUP) ## train MODELS (all) again, MINUTES (100) each, from nothing or START=shipped (hours; resumes)
	@packaging/models.sh

training-test: ## draw a card, train a network for two minutes and compare its int8 file with it (after the set-up of make models)
	@packaging/trainingtest.sh

numbers: build ## photograph COUNT (6000) fresh national IDs and count wrong numbers without a flag (hours; resumes)
	@packaging/numbers.sh

packages: $(SETUP) ## build deb and rpm for amd64 and arm64 into dist (minutes at the first time)
	@env -u CGO_CFLAGS -u CGO_CXXFLAGS -u CGO_LDFLAGS -u GOFLAGS packaging/packages.sh $(ROOT)/.native $(ROOT)/dist

releasecheck: ## check libraries, symbol versions, hardening, size and form of the packages in dist
	@packaging/releasecheck.sh $(ROOT)/dist

reproduce: ## build the packages of this commit once more, elsewhere, and compare them with dist byte for byte
	@env -u CGO_CFLAGS -u CGO_CXXFLAGS -u CGO_LDFLAGS -u GOFLAGS packaging/reproduce.sh $(ROOT)/.native $(ROOT)/dist

signing-key: ## make the key that signs releases, once, in KEYS (~/.bawab-release)
	@packaging/signingkey.sh $(KEYS)

repository: ## put the packages in dist into a signed repository for apt and dnf, in REPOSITORY (dist/repository)
	@packaging/repository.sh $(ROOT)/dist $(KEYS) $(REPOSITORY)

repositorycheck: ## take the package out of REPOSITORY with apt and dnf, and see that neither takes an altered one
	@packaging/repositorycheck.sh $(REPOSITORY)

image: ## make a container image (OCI archive) of the package in dist, as root
	@packaging/image.sh $(ROOT)/dist

clients-check: build ## lint the API's description, generate seven clients, make a whole check with each, probe it with schemathesis (minutes)
	@packaging/clients/check.sh $(ROOT)/.native/clients

release: ## build, examine, sign and put into a repository what the file VERSION names: packages, bills of materials, checksums
	@[ "$(VERSION)" = "$$(cat VERSION)" ] || echo "set-up: no release yet: the commit has no tag v$$(cat VERSION), or the tree has changes"
	@$(MAKE) packages
	@$(MAKE) releasecheck reproduce repository repositorycheck

armcheck: ## run the arm64 binary in dist under qemu: doctor, and the samples as amd64 reads them
	@packaging/armcheck.sh $(ROOT)/dist

packagetest: armcheck ## install, use, upgrade, roll back, remove and purge the packages in dist in fresh Debian 12 and 13; armcheck first
	@packaging/packagetest.sh $(ROOT)/.native $(ROOT)/dist

env: ## print the environment for running go by hand: eval "$(make env)"
	@printf 'export PATH="%s:$$PATH"\n' '$(NATIVE)/go/bin'
	@printf "export %s='%s'\n" GOTOOLCHAIN "$$GOTOOLCHAIN" GOFLAGS "$$GOFLAGS" CGO_ENABLED "$$CGO_ENABLED" \
	  CGO_CFLAGS "$$CGO_CFLAGS" CGO_CXXFLAGS "$$CGO_CXXFLAGS" CGO_LDFLAGS "$$CGO_LDFLAGS"

clean: ## remove what was built (what was fetched stays)
	rm -rf bin dist
