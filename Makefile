# Everything starts here: `make demo` and `make test` do their own set-up on a fresh machine, `make help` lists what there is.
# The system's Python before one of the path's, where it will do: distributions build theirs with profile-guided
# optimization, pyenv does not (docs/decisions/0012-speed.md).
PYTHON ?= $(or $(shell for python in /usr/bin/python3 python3; do \
	$$python -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$python && break; \
	done),python3)
# Some images turn bytecode off for everything: then each of the hundreds of processes that the tests start compiles anew.
unexport PYTHONDONTWRITEBYTECODE
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= 3

.PHONY: setup demo test check bench format lock system
.DEFAULT_GOAL := setup

.PHONY: help
help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

# Each step says in a line what it does and where to; where nothing is to be done, nothing is said. The requirements files
# are whole, so pip looks for nothing besides (--no-deps): older ones stop at a package's extra once a newer release is out.
setup: $(VENV)/.ready ui ## what running needs: .venv/bin/atrium, and the web application where Node.js is there
	@:

$(VENV)/bin/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Atrium needs Python 3.11 or later."; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || $(MAKE) --no-print-directory system PACKAGES=python3-venv
	@echo "Making a virtual environment of Python in $(VENV)"
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.ready: requirements.txt pyproject.toml | $(VENV)/bin/pip
	@echo "Installing the packages of requirements.txt into $(VENV)"
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements.txt
	@echo "Installing Atrium itself, as $(BIN)/atrium"
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

# What developing needs holds all that running needs, so one look at it is enough; of its thousands of files most are
# never imported, and those that are get compiled then.
$(VENV)/.ready-dev: requirements-dev.txt pyproject.toml | $(VENV)/bin/pip
	@echo "Installing the packages of requirements-dev.txt into $(VENV)"
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-compile --no-deps --require-hashes -r requirements-dev.txt
	@echo "Installing Atrium itself, as $(BIN)/atrium"
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $(VENV)/.ready $@

# The web application. Its types come from the route table, so that whatever the API lacks does not compile; where only
# the server changed and its API did not, nothing is built anew.
NODE := $(shell command -v npm >/dev/null && node -e 'const [a, b] = process.versions.node.split("."); process.exit(a > 20 || (a == 20 && b >= 19) ? 0 : 1)' 2>/dev/null && echo yes)
NPM := npm --prefix ui --silent
UI_SOURCES := $(shell find ui/src ui/public -type f -not -name schema.ts 2>/dev/null) ui/index.html ui/vite.config.ts ui/scripts/firstLoad.ts ui/tsconfig.json

.PHONY: ui ui-check pictures
ifeq ($(NODE),yes)
ui: src/atrium/server/ui/index.html ## the web application, where Node.js is there, into src/atrium/server/ui
	@:
else
ui:
	@echo "No Node.js 20.19 or later (with npm) here: Atrium serves its API without the web application."
endif

ui/node_modules/.ready: ui/package-lock.json ui/package.json
	@echo "Installing what the web application is built with into ui/node_modules"
	@npm --prefix ui ci --silent --no-audit --no-fund
	@touch $@

ui/build/.described: $(VENV)/.ready ui/scripts/openapi.py $(shell find src/atrium -name '*.py' -not -path '*/migrations/*')
	@echo "Describing the API in ui/build/openapi.json"
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

ui-check: ui ## the web application: lint, types against the API as it is, unit tests, the size of the first load
ifeq ($(NODE),yes)
	@$(NPM) run lint
	@$(NPM) run check
	@$(NPM) run test -- --reporter=dot
	@$(NPM) run size
endif

.PHONY: wheel
wheel: $(VENV)/.ready ui ## dist/atrium-….whl, with the web application in it
ifneq ($(NODE),yes)
	@echo "A wheel has the web application in it, which Node.js 20.19 or later builds."; exit 1
endif
	@rm -f dist/atrium-*.whl
	@$(BIN)/python -m hatchling build --target wheel

pictures: $(VENV)/.ready-dev ui ## the README's pictures of the demo into docs/pictures, and every page into .pictures
	@fc-list 2>/dev/null | grep -qi emoji || $(MAKE) --no-print-directory system PACKAGES="chromium fonts-noto-color-emoji"
	$(BIN)/python -m tests.browser.pictures --all

demo: setup ## a team with a month of history, served on http://127.0.0.1:8700
	@$(BIN)/python -m demo

.PHONY: dev
dev: ## what developing needs; Python's packages and npm's come side by side
	@$(MAKE) --no-print-directory -j 2 $(VENV)/.ready-dev $(NODE:yes=ui/node_modules/.ready)

CHECKS := $(MAKE) --no-print-directory -j 2 --output-sync=target lint ui-check
PYTEST := $(BIN)/pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder

test: ## everything a release needs
	@$(MAKE) --no-print-directory -j 2 dev programs
	@$(CHECKS)
	$(PYTEST)

check: dev ## format, lint, prose, types, import contract, sizes, the web application's own checks, fast tests
	@$(CHECKS)
	$(PYTEST) -m "not slow"

ROUNDS ?= 200
.PHONY: chaos
chaos: dev ## parts of a server under load are killed at random, ROUNDS= times; SEED= repeats the choices of a run
	$(BIN)/python -m tests.faults.chaos --rounds $(ROUNDS) $(if $(SEED),--seed $(SEED))

.PHONY: mutants
mutants: dev ## rules of the contract are broken one after the other, and a test has to notice; ONLY=word selects
	$(BIN)/python -m tests.mutants $(if $(ONLY),--only "$(ONLY)") $(if $(TRUSTED),--trusted)

PROGRAMS := chromium chromium-headless-shell curl espeak-ng ffmpeg jq
.PHONY: programs
programs: ## the programs that the tests run, from Debian
	@missing="$(strip $(foreach each,$(PROGRAMS),$(shell command -v $(each) >/dev/null || echo $(each))) \
		$(shell command -v systemd-analyze >/dev/null || echo systemd))"; \
		[ -z "$$missing" ] || $(MAKE) --no-print-directory system PACKAGES="$$missing"
	@$(MAKE) --no-print-directory alertmanager

# The package would start a service that listens on every address: a policy keeps it from that, and it is not enabled.
.PHONY: alertmanager
alertmanager: ## Alertmanager's amtool, which tests of the alerts need
	@command -v amtool >/dev/null || { \
		policy=/usr/sbin/policy-rc.d; made=; trap '[ -z "$$made" ] || rm -f $$made' EXIT INT TERM; \
		[ "$$(id -u)" != 0 ] || [ -e $$policy ] || { printf '#!/bin/sh\nexit 101\n' >$$policy; chmod +x $$policy; made=$$policy; }; \
		$(MAKE) --no-print-directory system PACKAGES=prometheus-alertmanager || echo "Without it, what needs Alertmanager is skipped."; \
		[ -z "$$made" ] || rm -f $$made; \
		! command -v systemctl >/dev/null || systemctl disable --quiet prometheus-alertmanager 2>/dev/null || true; }

.PHONY: lint
lint: $(VENV)/.ready-dev ## format, lint, types and the import contract of Python; the prose of the docs
	$(BIN)/ruff format --check src tests bench demo
	$(BIN)/ruff check src tests bench demo
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/proselint check --config proselint.json $(wildcard *.md docs/*.md docs/*/*.md)

format: $(VENV)/.ready-dev ## what ruff can put right, put right
	$(BIN)/ruff format src tests bench demo
	$(BIN)/ruff check --fix src tests bench demo

.PHONY: client
client: $(VENV)/.ready-dev ## the sync client, written from the async one
	$(BIN)/python -m tests.client.generate

.PHONY: schema
schema: $(VENV)/.ready-dev ## docs/schema.sql, the database schema after all migrations
	$(BIN)/python -m tests.house.schema

bench: setup ## every figure of docs/performance.md
	@command -v wrk >/dev/null || $(MAKE) --no-print-directory system PACKAGES=wrk
	$(BIN)/python -m bench.run $(BENCH)

.PHONY: cold-start
cold-start: dev ui ## how long the web application takes to show a room, on slow networks and a slow processor
	@$(BIN)/python -m bench.cold_start

.PHONY: typing
typing: dev ui ## how long the browser takes from a key to its letter, in a room of 22,172 messages
	@$(BIN)/python -m bench.typing

lock: ## pin what pyproject.toml asks for, with hashes and without addresses (needs uv)
	uv pip compile --quiet --generate-hashes --no-emit-index-url --no-header --python-version 3.11 --extra build \
		pyproject.toml --output-file requirements.txt
	uv pip compile --quiet --generate-hashes --no-emit-index-url --no-header --python-version 3.11 --all-extras \
		--constraint requirements.txt pyproject.toml --output-file requirements-dev.txt

system: ## the Debian packages PACKAGES=, as root; other targets ask for what is missing
	@test "$$(id -u)" = 0 || { echo "Please install: $(PACKAGES)"; exit 1; }
	@echo "Installing $(PACKAGES)"
	@flock Makefile sh -c "apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $(PACKAGES) >/dev/null"
