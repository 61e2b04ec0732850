# Two ways in: `make play` to try Tableside, `make test` to check it.
# Everything is installed into .venv beside this file and nowhere else.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# what `make play` hands on: `make play ARGS="--camera 0"`
ARGS ?= --demo

# pip must neither read another project's environment nor write to the home folder
unexport PYTHONPATH PYTHONHOME
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# ultralytics would otherwise install packages and write settings behind our back
export YOLO_AUTOINSTALL := false
export YOLO_OFFLINE := true
export YOLO_CONFIG_DIR := $(CURDIR)/$(VENV)/ultralytics

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help play firmware test lint types imports doctests wheel tests clean

help:  ## say what there is
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/make \1\t\2/p' Makefile

play: $(VENV)/runtime-installed  ## install the runtime and open the demo table
	$(BIN)/tableside play $(ARGS)

firmware:  ## build the button box's firmware with avr-gcc, print its size
	$(MAKE) -C firmware_bridge/firmware BUILD=$(CURDIR)/build/firmware

test: lint types imports doctests wheel tests  ## install everything and run all checks

lint: $(VENV)/tests-installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/tests-installed
	$(BIN)/mypy

imports: $(VENV)/tests-installed
	$(BIN)/lint-imports

doctests: $(VENV)/tests-installed
	$(BIN)/pytest --doctest-modules scoring web_ui/sse.py

tests: $(VENV)/tests-installed
	$(BIN)/pytest

wheel: $(VENV)/tests-installed
	.ci/check-wheel $(BIN)/python $(PYTHON)

clean:  ## remove what the other commands made
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache

# The stamps are written last, so that an interrupted install is taken up again;
# they are older than a changed pyproject.toml, so that new requirements are met.
$(VENV)/runtime-installed: pyproject.toml
	@.ci/check-python $(PYTHON)
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --editable .
	@touch $@

$(VENV)/tests-installed: $(VENV)/runtime-installed
	@echo "Installing what the tests need; PyTorch alone takes several GB."
	$(BIN)/python -m pip install --editable '.[train,dev]'
	@touch $@
