# Everything starts here: `make demo` and `make test` do their own set-up on a fresh machine.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= 2

.PHONY: setup demo test check bench format lock system
.DEFAULT_GOAL := setup

setup: $(VENV)/.ready ## what running needs: .venv/bin/atrium

$(VENV)/bin/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Atrium needs Python 3.11 or later."; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || $(MAKE) --no-print-directory system PACKAGES=python3-venv
	$(PYTHON) -m venv $(VENV)

$(VENV)/.ready: requirements.txt pyproject.toml | $(VENV)/bin/pip
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

$(VENV)/.ready-dev: requirements-dev.txt $(VENV)/.ready
	$(BIN)/pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.txt
	@touch $@

demo: setup ## a served organization with a history, on http://127.0.0.1:8700
	@$(BIN)/python -m demo

test: $(VENV)/.ready-dev ## everything a release needs
	@command -v chromium >/dev/null || $(MAKE) --no-print-directory system PACKAGES=chromium
	@command -v espeak-ng >/dev/null || $(MAKE) --no-print-directory system PACKAGES=espeak-ng
	@command -v ffmpeg >/dev/null || $(MAKE) --no-print-directory system PACKAGES=ffmpeg
	@$(MAKE) --no-print-directory lint
	$(BIN)/pytest -n $(JOBS) --dist loadfile

check: $(VENV)/.ready-dev ## format, lint, types, import contract, sizes, fast tests
	@$(MAKE) --no-print-directory lint
	$(BIN)/pytest -n $(JOBS) --dist loadfile -m "not slow"

.PHONY: lint
lint: $(VENV)/.ready-dev
	$(BIN)/ruff format --check src tests bench demo
	$(BIN)/ruff check src tests bench demo
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo

format: $(VENV)/.ready-dev
	$(BIN)/ruff format src tests bench demo
	$(BIN)/ruff check --fix src tests bench demo

bench: setup ## every figure of the README
	@command -v wrk >/dev/null || $(MAKE) --no-print-directory system PACKAGES=wrk
	$(BIN)/python -m bench.run $(BENCH)

lock: ## pin what pyproject.toml asks for, with hashes and without addresses (needs uv)
	uv pip compile --quiet --generate-hashes --no-emit-index-url --no-header --python-version 3.11 --extra build \
		pyproject.toml --output-file requirements.txt
	uv pip compile --quiet --generate-hashes --no-emit-index-url --no-header --python-version 3.11 --all-extras \
		--constraint requirements.txt pyproject.toml --output-file requirements-dev.txt

system: ## Debian packages that are missing
	@test "$$(id -u)" = 0 || { echo "Please install: $(PACKAGES)"; exit 1; }
	apt-get update -qq
	DEBIAN_FRONTEND=noninteractive apt-get install -y -qq $(PACKAGES) >/dev/null
