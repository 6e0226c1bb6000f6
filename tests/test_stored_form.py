"""Each thing that must not be in a stored notebook, put into a good one."""

import copy

import nbformat
import pytest

from gate.store import METADATA
from gate.stored_form import MAX_BYTES, faults, notebook_faults


@pytest.fixture
def good():
    stream = nbformat.v4.new_output("stream", name="stdout", text="f32[2, 8] of W1:\nat 10:30, 1/8 of all\n")
    picture = nbformat.v4.new_output("display_data", data={"text/plain": "psum 1.79", "image/png": "/tmp/"})
    html = nbformat.v4.new_output(
        "display_data", data={"text/html": '<img src="data:image/png;base64,a/tmp/0x1234567">'}
    )
    cells = [
        nbformat.v4.new_markdown_cell("# Title"),
        nbformat.v4.new_code_cell("1", execution_count=1, outputs=[stream]),
        nbformat.v4.new_code_cell("2", execution_count=2, outputs=[picture, html]),
    ]
    return nbformat.v4.new_notebook(cells=cells, metadata=copy.deepcopy(METADATA))


def test_a_good_one_has_no_fault(good, tmp_path):
    assert notebook_faults(good) == []
    nbformat.write(good, tmp_path / "good.ipynb")
    assert faults(tmp_path / "good.ipynb") == []


def test_counts_run_from_one_without_a_gap(good):
    good.cells[2].execution_count = None
    assert "cell 1 has execution count None" in notebook_faults(good)[0]
    good.cells[2].execution_count = 3
    assert "cell 1 has execution count 3, not 2" in notebook_faults(good)[0]


def output(kind, **content):
    return nbformat.v4.new_output(kind, **content)


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (output("stream", name="stderr", text="careful"), "cell 0 stores stderr"),
        (output("error", ename="ValueError", evalue="", traceback=[]), "cell 0 stores an error: ValueError"),
        (output("stream", name="stdout", text="<object at 0x7f12ab34cd56>"), "a memory address: 0x7f12ab34cd56"),
        (output("stream", name="stdout", text="read from /home/ada/x.npy"), "a path of one machine: /home/"),
        (output("execute_result", data={"text/plain": "WindowsPath('C:\\x')"}), "a path of one machine: C:\\"),
        (output("display_data", data={"text/html": "lib/site-packages/jax"}), "a path of one machine: site-packages"),
    ],
)
def test_outputs(good, bad, says):
    good.cells[1].outputs = [bad]
    (fault,) = notebook_faults(good)
    assert says in fault


@pytest.mark.parametrize("key", ["execution", "ExecuteTime", "collapsed", "scrolled"])
def test_passing_metadata(good, key):
    good.cells[1].metadata[key] = {}
    assert notebook_faults(good) == [f"cell 0 stores metadata that changes from run to run: {key}"]


@pytest.mark.parametrize("source", ["# NBVAL_SKIP\n1", "# NBVAL_IGNORE_OUTPUT\n1", "#PYTEST_VALIDATE_IGNORE_OUTPUT\n1"])
def test_comments_that_switch_the_comparison_off(good, source):
    good.cells[1].source = source
    assert notebook_faults(good) == ["cell 0 switches the comparison of outputs off"]


@pytest.mark.parametrize("tag", ["nbval-skip", "nbval-ignore-output", "nbval-raises-exception", "raises-exception"])
def test_tags_that_switch_the_comparison_off(good, tag):
    good.cells[1].metadata["tags"] = [tag]
    assert notebook_faults(good) == ["cell 0 switches the comparison of outputs off"]


@pytest.mark.parametrize(
    ("metadata", "says"),
    [
        ({**METADATA, "widgets": {}}, "widget state is stored"),
        ({"kernelspec": {"name": "my-env", "display_name": "mine"}}, "the kernel is 'my-env', not 'python3'"),
        ({}, "the kernel is None, not 'python3'"),
        ({**METADATA, "language_info": {"name": "python", "version": "3.11.7"}}, "the version of Python is stored"),
    ],
)
def test_notebook_metadata(good, metadata, says):
    good.metadata = nbformat.from_dict(metadata)
    assert notebook_faults(good) == [says]


def test_size(good, tmp_path):
    good.cells[2].outputs[0].data["image/png"] = "A" * MAX_BYTES
    nbformat.write(good, tmp_path / "large.ipynb")
    (fault,) = faults(tmp_path / "large.ipynb")
    assert "at most 1000000 are allowed" in fault


@pytest.mark.parametrize("text", ["", "{}", '{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{}]}'])
def test_not_a_notebook(tmp_path, text):
    (tmp_path / "broken.ipynb").write_text(text)
    (fault,) = faults(tmp_path / "broken.ipynb")
    assert fault.startswith("not a valid notebook")
