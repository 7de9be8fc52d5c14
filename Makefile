# `make demo` and `make test` are all that a newcomer needs. Each makes .venv if it is missing (Python 3.11 or newer),
# installs the checkout into it when pyproject.toml has changed, and runs.

VENV := .venv
BIN := $(VENV)/bin
RUNTIME := $(VENV)/.installed
STAMP := $(VENV)/.installed-dev
export PATH := $(CURDIR)/$(BIN):$(PATH)

.NOTPARALLEL:
.PHONY: help demo test check style types contracts conformance conformance-vllm live-vllm harvest bench clean

help:
	@echo "make demo         lint the examples, show a fix, show what the engine receives, render a spec"
	@echo "make test         the tests"
	@echo "make check        format, lint, types, import contracts, and the tests: what CI runs"
	@echo "make conformance  ask five real llama.cpp builds (downloads them; minutes)"
	@echo "make conformance-vllm  ask the real vLLM (the first time installs it: 4 GB; then five minutes)"
	@echo "make live-vllm    run real vLLM servers on the processor (the same installation; 10 to 40 minutes)"
	@echo "make harvest      read new releases of the engines into rules/ (the first time downloads about 4 GB)"
	@echo "make bench        start-up and throughput on this machine"
	@echo "make clean        remove .venv and everything that can be made again"

# what `make demo` needs, in seconds; the tools of development come on top when something asks for them
$(RUNTIME): pyproject.toml
	@python=; for each in $(PYTHON) python3.13 python3.12 python3.11 python3; do \
	  "$$each" -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && python=$$each && break; \
	done; \
	if [ -z "$$python" ]; then \
	  echo "mtpconfig needs Python 3.11 or newer with the venv module (Debian, Ubuntu: apt install python3-venv); name one with make PYTHON=..." >&2; \
	  exit 1; \
	fi; \
	echo "installing into $(VENV) with $$python ..."; \
	"$$python" -m venv $(VENV) && $(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(STAMP): $(RUNTIME)
	@echo "installing the tools of development into $(VENV) ..."; \
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

# Prints a command and runs it; exit code 1 says that something was found, which the demo is about.
run = @printf '\n$$ %s\n' '$(1)'; $(1) || test $$? -eq 1

demo: $(RUNTIME)
	$(call run,mtpconfig lint examples)
	$(call run,mtpconfig lint --diff examples/start.sh)
	$(call run,mtpconfig show examples/launcher.sh)
	$(call run,mtpconfig show examples/serve.py)
	$(call run,cat examples/mtp.toml)
	$(call run,mtpconfig render --engine llama.cpp --spec examples/mtp.toml --explain)

test: $(STAMP)
	$(BIN)/python -m pytest --numprocesses auto --dist worksteal $(ARGS)

check: style types contracts test

style: $(STAMP)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(STAMP)
	$(BIN)/mypy

contracts: $(STAMP)
	$(BIN)/lint-imports --no-logo

conformance: $(STAMP)
	$(BIN)/python -m tools.conformance check
	MTPCONFIG_OLDER_BUILDS=1 $(BIN)/python -m pytest tests/live/test_verify_builds.py

conformance-vllm: $(STAMP)
	$(BIN)/python -m tools.conformance.vllm check

live-vllm: $(STAMP)
	MTPCONFIG_LIVE_VLLM=1 $(BIN)/python -m pytest tests/live_vllm $(ARGS)

harvest: $(STAMP)
	$(BIN)/python -m tools.harvest llama.cpp
	$(BIN)/python -m tools.harvest ollama
	$(BIN)/python -m tools.harvest sglang
	$(BIN)/python -m tools.harvest vllm

bench: $(STAMP)
	$(BIN)/python -m benchmarks.run

clean:
	rm -rf $(VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
