# Every command of the project. `make setup` makes .venv, on which the others stand; TORCH=0 leaves PyTorch out.
TORCH ?= 1
WORKERS ?= 2
ARGS ?=
FUZZ_SECONDS ?= 60
BIN := .venv/bin
READY := .venv/.ready-$(TORCH)

.DEFAULT_GOAL := help
.PHONY: help setup lab classroom lite build check quick test test-classroom notebooks docs screenshots fuzz browser

help:  ## list these commands
	@sed -n 's/^\([a-z-]*\):.*##/\1\t/p' $(MAKEFILE_LIST) | expand -t 16

setup: $(READY)  ## make .venv with everything (TORCH=0: without PyTorch; PYTHON=…: with that one)

$(READY): pyproject.toml constraints.txt $(wildcard package-lock.json) tools/setup.sh
	@TORCH=$(TORCH) bash tools/setup.sh

lab: $(READY)  ## open the course in JupyterLab (ARGS=--no-browser and others go to JupyterLab)
	@$(BIN)/quiz-widgets lab $(ARGS)

classroom: $(READY)  ## run a JupyterHub on this machine with the grading desk and an exam, until Ctrl+C (ARGS=--port …)
	@$(BIN)/python -m tools.classroom $(ARGS)

lite: $(READY)  ## write the course as a JupyterLite site, which needs no Python on a reader's machine, into build/lite
	@$(BIN)/python -m tools.lite

build: $(READY)  ## compile content/, write the notebooks and everything else that is generated
	@$(BIN)/quiz-widgets build

notebooks: build  ## the same as build

check: $(READY)  ## format, rules, types, layers, front-end types, fresh generated files
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo --no-cache
	PATH="$(CURDIR)/$(BIN):$$PATH" node_modules/.bin/tsc --project jsconfig.json
	$(BIN)/quiz-widgets build --check
	$(BIN)/quiz-widgets check content

browser: $(READY)
	@bash tools/browser.sh

quick: $(READY)  ## the tests that take no Jupyter server and no classroom
	$(BIN)/pytest -m "not slow and not classroom" $(ARGS)

test: check browser  ## check, then every test
	$(BIN)/pytest --numprocesses=$(WORKERS) --dist=loadfile $(ARGS)

test-classroom: browser  ## the tests of the desk and the classroom, in real JupyterHubs too (part of make test)
	$(BIN)/pytest -m classroom $(ARGS)

docs: $(READY)  ## build the documentation, with live quizzes, into build/docs
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going docs build/docs

fuzz: $(READY)  ## send damaged files to the reader and to every importer, 60 seconds each (FUZZ_SECONDS=…)
	FUZZ_SECONDS=$(FUZZ_SECONDS) $(BIN)/pytest tests/test_authoring_fuzz.py tests/test_formats.py -k no_bytes --timeout=0 $(ARGS)

screenshots: browser  ## make docs/images again
	$(BIN)/python -m tools.screenshots
