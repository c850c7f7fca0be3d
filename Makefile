# Everything a user or a developer of the project runs. Bare `make` prints this help.
SHELL := /bin/bash
.ONESHELL:
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help setup demo refresh test check bench quality docs lock clean

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export EVIDENCE_HOME ?= $(CURDIR)/data
PUBMED ?=
AACT ?=
MESH ?=

help: ## print this help
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-9s %s\n", $$1, $$2}'
	echo
	echo "  make refresh PUBMED=DIR AACT=ZIP [MESH=FILE]   data goes to EVIDENCE_HOME ($(EVIDENCE_HOME))"

# The stamp is as new as the lock: a changed lock installs again, an unchanged one costs nothing.
$(VENV)/.installed: requirements-dev.lock pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed, $$($(PYTHON) --version) found: make setup PYTHON=python3.12" >&2; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-dev.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

setup: $(VENV)/.installed ## create .venv with the locked versions and the command `evidence`

demo: setup ## build a warehouse from the bundled sample and show what it answers
	$(BIN)/python -m cli.demo

refresh: setup ## bring EVIDENCE_HOME up to date (safe on cron)
	$(BIN)/evidence refresh $(foreach s,$(PUBMED),--pubmed "$(s)") $(foreach s,$(AACT),--aact "$(s)") $(foreach s,$(MESH),--mesh "$(s)")

test: setup ## run all tests
	$(BIN)/python -m pytest -q -n auto --dist loadfile

check: setup ## ruff, mypy strict, import contract, generated docs up to date
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m etl.store.dictionary --check
	$(BIN)/python -m cli.reference --check

bench: setup ## measure speed and memory (long; writes benchmarks/out/)
	$(BIN)/python -m benchmarks

quality: setup ## measure extraction and grading against the gold labels (writes benchmarks/QUALITY.md)
	$(BIN)/python benchmarks/quality.py

docs: setup ## write the generated pages: data dictionary, command reference
	$(BIN)/python -m etl.store.dictionary
	$(BIN)/python -m cli.reference

lock: setup ## resolve the newest allowed versions again (needs pip-tools on PATH)
	pip-compile --quiet --generate-hashes --strip-extras --allow-unsafe --no-header --no-emit-options --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --extra dev -o requirements-dev.lock pyproject.toml
	pip-compile --quiet --generate-hashes --strip-extras --allow-unsafe --no-header --no-emit-options --no-emit-index-url --no-emit-find-links --no-emit-trusted-host -o requirements.lock pyproject.toml

clean: ## remove the environment and caches (never data)
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
