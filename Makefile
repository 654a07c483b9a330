# Every target sets up what it needs: the environment in .venv, installed from uv.lock.
PYTHON  ?= python3
WORKERS ?= 2
BIN     := .venv/bin
# Our own modules name the encoding of every file; pytest turns the warning into an error.
PYTEST  := PYTHONWARNDEFAULTENCODING=1 $(BIN)/python -m pytest -n $(WORKERS) --dist load --maxschedchunk 1
CODE    := $(wildcard src scripts tests benchmarks docs)
TYPED   := $(wildcard src scripts tests benchmarks)

# Says in one sentence what is wrong with a Python that is missing or too old.
NEW_ENOUGH := import sys; v = sys.version_info; v >= (3, 11) or sys.exit("Mau-Mau needs Python 3.11 or newer, and this is Python %d.%d." % v[:2])
SET_UP      = @command -v $(PYTHON) >/dev/null || { echo "Mau-Mau needs Python 3.11 or newer, and there is no $(PYTHON)." >&2; exit 1; }; \
  $(PYTHON) -c '$(NEW_ENOUGH)' && $(PYTHON) scripts/setup.py

.PHONY: help setup play test check lint bench prove clean
.DEFAULT_GOAL := help

help: ## lists the targets
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1	\2/p' Makefile | expand -t 14

setup: ## makes the environment for playing, testing and checking
	$(SET_UP) dev

play: ## opens a table in the browser
	$(SET_UP) play
	@$(BIN)/maumau serve --open

test: setup ## runs the whole test suite
	@$(BIN)/python scripts/find_browser.py
	$(PYTEST)

lint: setup ## format, lint, types, import rules
	$(BIN)/ruff format --check $(CODE)
	$(BIN)/ruff check $(CODE)
	$(BIN)/mypy $(TYPED)
	$(BIN)/lint-imports --no-logo --no-cache

check: lint test ## everything that must hold before a change goes in

bench: setup ## prints the speed tables
	$(BIN)/python -m benchmarks

prove: setup ## runs the long proofs at full numbers
	@$(BIN)/python scripts/find_browser.py
	HYPOTHESIS_PROFILE=prove $(PYTEST) -m prove --timeout 0

clean: ## removes the environment and caches
	rm -rf .venv build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
