# Everything runs in a virtual environment of its own, which the first command makes. `make` lists the commands.
PYTHON ?= python3
VENV ?= .venv
# Further arguments: make lab LAB_ARGS="--no-browser --port 9999"; make bench BENCH="forward imports".
LAB_ARGS ?=
BENCH ?=
NOTEBOOKS ?= notebooks/*.ipynb notebooks/solutions/*.ipynb

PY := $(VENV)/bin/python
READY := $(VENV)/ready

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help lab test gate notebooks screenshots bench lint lock

help: ## list the commands
	@sed -n 's/^\([a-z]*\):.*## /  make \1	/p' Makefile | expand -t 20

lab: $(READY) ## the course in JupyterLab
	$(PY) -m jupyterlab notebooks/00_start_here.ipynb $(LAB_ARGS)

test: gate ## all tests: unit tests, every notebook, JupyterLab in a real browser
	$(PY) -m pytest tests/browser

gate: $(READY) ## unit tests and every notebook
	$(PY) -m pytest

notebooks: $(READY) ## run every notebook again and store what comes out
	$(PY) -m gate.store $(NOTEBOOKS)

screenshots: $(READY) ## a picture of every lesson in JupyterLab, in screenshots/
	$(PY) -m tests.browser.screenshots

bench: $(READY) ## measure, and print a table of ratios with their bounds
	$(PY) -m benchmarks $(BENCH)

lint: $(READY) ## ruff and pyright
	$(PY) -m ruff check
	$(PY) -m ruff format --check
	$(PY) -m pyright --pythonpath $(PY)

lock: $(READY) ## compile requirements.txt from pyproject.toml, for every Python and system at once
	$(PY) -m uv pip compile --universal --python-version 3.11 --no-emit-index-url --extra course --extra test --extra dev \
		--custom-compile-command "make lock" --quiet pyproject.toml -o requirements.txt

# The package itself goes in last and editable, so that a change of its code counts at once.
$(READY): requirements.txt pyproject.toml | $(PY)
	@echo "Installing the locked packages into $(VENV): a minute or two, and only this once."
	$(PY) -m pip install --disable-pip-version-check --quiet -r requirements.txt
	$(PY) -m pip install --disable-pip-version-check --quiet --no-deps --editable .
	touch $@

$(PY):
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "The course needs Python 3.11 or newer, and this is " \
		+ sys.version.split()[0] + ". With a newer one at hand: make PYTHON=python3.13 ...")'
	$(PYTHON) -m venv --clear $(VENV)
