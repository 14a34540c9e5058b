# `make help` lists the targets. `make demo` and `make test` install what they need.
# Prefer the system's Python to the one on PATH if it is recent enough: distributions build theirs with profile-guided
# optimization, pyenv does not (docs/measurements.md).
PYTHON ?= $(or $(shell for python in /usr/bin/python3 python3; do \
	$$python -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; \
	done),python3)
# Some images set PYTHONDONTWRITEBYTECODE; every process that the tests start would then recompile every module.
unexport PYTHONDONTWRITEBYTECODE
VENV := .venv
BIN := $(VENV)/bin
# Processes of tests: with two of them, two cores are idle a quarter of the time.
JOBS ?= 3

.PHONY: setup demo check test verify bench format lock system
.DEFAULT_GOAL := setup

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-16s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# Each step prints one line, or nothing if it is up to date. The requirements files are complete, so pip resolves
# nothing (--no-deps): older versions of pip fail on a package's extra once a newer release exists.
setup: $(VENV)/.ready ui ## install Atrium into .venv, and build the web application if Node.js is installed
	@:

$(VENV)/bin/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Atrium needs Python 3.11 or later."; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || $(MAKE) --no-print-directory system PACKAGES=python3-venv
	@echo "Creating a virtual environment in $(VENV)"
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.ready: requirements.txt pyproject.toml | $(VENV)/bin/pip
	@echo "Installing requirements.txt into $(VENV)"
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements.txt
	@echo "Installing Atrium as $(BIN)/atrium"
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

# requirements-dev.txt includes requirements.txt, so installing it is enough. --no-compile, because most of its
# files are never imported; the others are compiled when they are.
$(VENV)/.ready-dev: requirements-dev.txt pyproject.toml | $(VENV)/bin/pip
	@echo "Installing requirements-dev.txt into $(VENV)"
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-compile --no-deps --require-hashes -r requirements-dev.txt
	@echo "Installing Atrium as $(BIN)/atrium"
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $(VENV)/.ready $@

# The web application. Its types are generated from the route table, so a call that the API lacks is a type error. A
# change of the server that leaves the API unchanged rebuilds nothing.
NODE := $(shell command -v npm >/dev/null && node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' 2>/dev/null && echo yes)
NPM := npm --prefix ui --silent
UI_SOURCES := $(shell find ui/src ui/public -type f -not -name schema.ts 2>/dev/null) ui/index.html ui/vite.config.ts ui/scripts/firstLoad.ts ui/tsconfig.json

.PHONY: ui ui-check pictures
ifeq ($(NODE),yes)
ui: src/atrium/server/ui/index.html ## build the web application into src/atrium/server/ui, if Node.js is installed
	@:
else
ui:
	@echo "Node.js 20.19 or later with npm not found: Atrium will serve the API without the web application."
endif

ui/node_modules/.ready: ui/package-lock.json ui/package.json
	@echo "Installing the packages of the web application into ui/node_modules"
	@npm --prefix ui ci --silent --no-audit --no-fund
	@touch $@

ui/build/.described: $(VENV)/.ready ui/scripts/openapi.py $(shell find src/atrium -name '*.py' -not -path '*/migrations/*')
	@echo "Writing the OpenAPI document to ui/build/openapi.json"
	@$(BIN)/python ui/scripts/openapi.py ui/build/openapi.json
	@touch $@

ui/build/openapi.json: ui/build/.described
	@:

ui/src/api/schema.ts: ui/build/openapi.json ui/node_modules/.ready
	@echo "Writing the types of the API to ui/src/api/schema.ts"
	@$(NPM) run types >/dev/null

src/atrium/server/ui/index.html: $(UI_SOURCES) ui/node_modules/.ready ui/src/api/schema.ts
	@echo "Building the web application into src/atrium/server/ui"
	@$(NPM) run build -- --logLevel warn

ui-check: ui ## check the web application: lint, types, unit tests, the size of the first load
ifeq ($(NODE),yes)
	@$(NPM) run lint
	@$(NPM) run check
	@$(NPM) run test -- --reporter=dot
	@$(NPM) run size
endif

# The TypeScript client. Its types are those of the web application, and so are the tools that build and check it.
TYPESCRIPT := clients/typescript
TYPESCRIPT_SOURCES := $(shell find $(TYPESCRIPT)/src -name '*.ts' -not -name schema.ts 2>/dev/null) $(wildcard $(TYPESCRIPT)/*.json $(TYPESCRIPT)/*.md)
TYPESCRIPT_NPM := npm --prefix $(TYPESCRIPT) --silent

.PHONY: typescript typescript-check
ifeq ($(NODE),yes)
typescript: $(TYPESCRIPT)/build/.packed ## build dist/atrium-client-….tgz, the TypeScript client
	@:

typescript-check: $(TYPESCRIPT)/build/.packed ## check the TypeScript client: lint, and the types of its tests
	@$(TYPESCRIPT_NPM) run lint
	@$(TYPESCRIPT_NPM) run check
else
typescript typescript-check:
	@echo "Node.js 20.19 or later with npm not found: the TypeScript client is not built."
endif

$(TYPESCRIPT)/src/schema.ts: ui/src/api/schema.ts
	@cp $< $@

$(TYPESCRIPT)/build/.packed: $(TYPESCRIPT_SOURCES) $(TYPESCRIPT)/src/schema.ts LICENSE
	@echo "Building the TypeScript client into dist"
	@mkdir -p dist $(@D) && rm -rf dist/atrium-client-*.tgz $(TYPESCRIPT)/dist && cp LICENSE $(TYPESCRIPT)/LICENSE
	@$(TYPESCRIPT_NPM) run build
	@cd $(TYPESCRIPT) && npm pack --silent --pack-destination ../../dist >/dev/null
	@touch $@

.PHONY: wheel
wheel: $(VENV)/.ready ui ## build dist/atrium-….whl, with the web application in it
ifneq ($(NODE),yes)
	@echo "A wheel contains the web application, which needs Node.js 20.19 or later to build."; exit 1
endif
	@rm -f dist/atrium-*.whl
	@$(BIN)/python -m hatchling build --target wheel

.PHONY: release
release: wheel typescript ## build what is released into dist: the wheel, the sources, the TypeScript client
	@rm -f dist/atrium-*.tar.gz
	@$(BIN)/python -m hatchling build --target sdist

.PHONY: packages-check
packages-check: dev wheel ## run the container and the systemd unit in roots of Debian's packages, as root
	@for each in debootstrap podman-compose runc systemd-nspawn; do command -v $$each >/dev/null || missing=1; done; \
		[ -z "$$missing" ] || $(MAKE) --no-print-directory system PACKAGES="debootstrap podman podman-compose runc systemd-container"
	$(BIN)/python -m tests.packaging

pictures: $(VENV)/.ready-dev ui programs ## take screenshots of the demo: the README's into docs/pictures, every page into .pictures
	@fc-list 2>/dev/null | grep -qi emoji || $(MAKE) --no-print-directory system PACKAGES=fonts-noto-color-emoji
	$(BIN)/python -m tests.browser.pictures --all

demo: setup ## serve a demo team with a month of history on http://127.0.0.1:8700
	@$(BIN)/python -m demo

.PHONY: dev
dev: ## install the development dependencies, Python's and npm's in parallel
	@$(MAKE) --no-print-directory -j 2 $(VENV)/.ready-dev $(NODE:yes=ui/node_modules/.ready)

CHECKS := $(MAKE) --no-print-directory -j 2 --output-sync=target lint ui-check typescript-check
PYTEST = $(BIN)/pytest -n $(JOBS) --dist worksteal

# tests/tiers.py says which tests each of the three runs.
check: dev ## run all checks (format, lint, prose, types, imports, web application), and the tests of rules and of the API
	@$(CHECKS)
	$(PYTEST) --tier=check

test: ## run all checks and the tests of every behavior: API, command line, clients, web application
	@$(MAKE) --no-print-directory -j 2 dev programs
	@$(CHECKS)
	$(PYTEST) --tier=test

# Some of these tests take both cores themselves.
verify: JOBS = 2
verify: ## run the other tests: faults, failovers, memory, guides, packages, arbitrary requests, upgrades, mutants
	@$(MAKE) --no-print-directory -j 2 dev programs
	@$(MAKE) --no-print-directory ui typescript
	$(PYTEST) --tier=verify
	@$(MAKE) --no-print-directory test-failover FAILOVERS=2

ROUNDS ?= 200
.PHONY: chaos
chaos: dev ## kill parts of a server under load at random, ROUNDS= times; SEED= repeats a run
	$(BIN)/python -m tests.faults.chaos --rounds $(ROUNDS) $(if $(SEED),--seed $(SEED))

FAILOVERS ?= 10
PATRONI := .venv-patroni
.PHONY: test-failover
test-failover: dev $(PATRONI)/.ready ## let the primary of a Patroni cluster fail under load, FAILOVERS= times
	@command -v etcd >/dev/null || $(MAKE) --no-print-directory system PACKAGES=etcd-server
	$(BIN)/python -m tests.failover $(PATRONI)/bin/patroni --rounds $(FAILOVERS)

$(PATRONI)/.ready: tests/failover/requirements.txt
	@echo "Installing Patroni into $(PATRONI)"
	@umask 022; $(PYTHON) -m venv $(PATRONI)
	@umask 022; $(PATRONI)/bin/pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r $<
	@touch $@

.PHONY: mutants
mutants: dev ## break one rule of the contract or of security at a time and check that a test fails; ONLY=word selects
	$(PYTEST) tests/mutants $(if $(ONLY),-k "$(ONLY)")

.PHONY: contract
contract: dev ## list the rules of docs/contract.md with their tests; RULE= selects one, or a section
	@$(BIN)/python -m tests.house.contract $(RULE)

# Each with the name of its package, if that differs.
PROGRAMS := chromium chromium-headless-shell curl ffmpeg jq php=php-cli systemd-analyze=systemd
.PHONY: programs
programs: ## install the programs that the tests run, from Debian
	@missing="$(strip $(foreach each,$(PROGRAMS), \
		$(shell command -v $(firstword $(subst =, ,$(each))) >/dev/null || echo $(lastword $(subst =, ,$(each))))))"; \
		[ -z "$$missing" ] || $(MAKE) --no-print-directory system PACKAGES="$$missing"
	@$(MAKE) --no-print-directory alertmanager

# The package starts a service that listens on every address: policy-rc.d prevents that, and the service is disabled.
.PHONY: alertmanager
alertmanager: ## install Alertmanager's amtool, which tests of the alerts need
	@command -v amtool >/dev/null || { \
		policy=/usr/sbin/policy-rc.d; made=; trap '[ -z "$$made" ] || rm -f $$made' EXIT INT TERM; \
		[ "$$(id -u)" != 0 ] || [ -e $$policy ] || { printf '#!/bin/sh\nexit 101\n' >$$policy; chmod +x $$policy; made=$$policy; }; \
		$(MAKE) --no-print-directory system PACKAGES=prometheus-alertmanager || echo "Alertmanager could not be installed; tests that need it are skipped."; \
		[ -z "$$made" ] || rm -f $$made; \
		! command -v systemctl >/dev/null || systemctl disable --quiet prometheus-alertmanager 2>/dev/null || true; }

.PHONY: lint
lint: $(VENV)/.ready-dev ## check Python's format, lint, types and imports, and the prose of the docs
	$(BIN)/ruff format --check src tests bench demo
	$(BIN)/ruff check src tests bench demo
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/proselint check --config proselint.json $(wildcard *.md docs/*.md docs/*/*.md)

format: $(VENV)/.ready-dev ## format the code and apply ruff's fixes
	$(BIN)/ruff format src tests bench demo
	$(BIN)/ruff check --fix src tests bench demo

.PHONY: client
client: $(VENV)/.ready-dev ## generate the sync client from the async one
	$(BIN)/python -m tests.client.generate

bench: setup ## measure the figures of docs/performance.md
	@command -v wrk >/dev/null || $(MAKE) --no-print-directory system PACKAGES=wrk
	$(BIN)/python -m bench.run $(BENCH)

.PHONY: bench-cluster
bench-cluster: dev ## measure what a request costs on a cluster, with several servers and with reads by a replica
	@command -v wrk >/dev/null || $(MAKE) --no-print-directory system PACKAGES=wrk
	@$(BIN)/python -m bench.cluster

.PHONY: cold-start
cold-start: dev ui ## measure how long the web application takes to show a room, on slow networks and a slow processor
	@$(BIN)/python -m bench.cold_start

.PHONY: typing
typing: dev ui ## measure the time from a keystroke to its letter on the screen, in a room of 22,172 messages
	@$(BIN)/python -m bench.typing

lock: ## pin the dependencies of pyproject.toml, with hashes and without index URLs (needs uv)
	uv pip compile --quiet --generate-hashes --no-emit-index-url --no-header --python-version 3.11 --extra build \
		pyproject.toml --output-file requirements.txt
	uv pip compile --quiet --generate-hashes --no-emit-index-url --no-header --python-version 3.11 --all-extras \
		--constraint requirements.txt pyproject.toml --output-file requirements-dev.txt
	uv pip compile --quiet --generate-hashes --no-emit-index-url --no-header --python-version 3.11 --no-annotate \
		tests/failover/requirements.in --output-file tests/failover/requirements.txt

system: ## install the Debian packages PACKAGES= as root; other targets call this for what is missing
	@test "$$(id -u)" = 0 || { echo "Please install: $(PACKAGES)"; exit 1; }
	@echo "Installing $(PACKAGES)"
	@flock Makefile sh -c "apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $(PACKAGES) >/dev/null"
