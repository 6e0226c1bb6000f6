"""The report reads well in a terminal and in a notebook, and as JSON."""

import json
from html.parser import HTMLParser

import pytest

import tpmlp
from tpmlp.checker.faults import FAULTS
from tpmlp.checker.requirements import REQUIREMENTS
from tpmlp.checker.sheet import Sheet


@pytest.fixture
def report():
    sheet = Sheet("my <forward>")
    sheet.passes("runs")
    sheet.fails("out", "psum-twice", "out is 8 hW2 + b2\nand more")
    sheet.fails("collectives", "extra-collectives", "2 all-reduce")
    sheet.remark("compiles", "not jitted")
    sheet.printed = "\n".join(map(str, range(12)))
    return sheet.report()


def test_faults_that_follow_from_another_are_not_told_again(report):
    assert report.faults == ("psum-twice",)
    assert not report.passed


def test_every_requirement_has_a_row(report):
    assert [row.key for row in report.rows] == list(REQUIREMENTS)
    assert {row.status for row in report.rows} == {"pass", "fail", "remark", "not reached"}


def test_text(report):
    text = repr(report)
    fault = FAULTS["psum-twice"]
    for words in ("my <forward>: not yet, 2 of 20", fault.says, fault.hint, fault.lesson, "[psum-twice]"):
        assert words in text
    assert "Seen: out is 8 hW2 + b2\n         and more" in text
    assert "... and 2 more lines" in text
    assert max(map(len, text.splitlines())) <= 120


def test_a_single_fail_does_not_become_a_pass():
    sheet = Sheet("forward")
    sheet.fails("shapes", "wrong-shape", "first")
    sheet.passes("shapes")
    sheet.fails("shapes", "wrong-shape", "second")
    row = next(row for row in sheet.report().rows if row.key == "shapes")
    assert (row.status, row.detail) == ("fail", "first")


def test_html_is_well_formed_and_escaped(report):
    class Parser(HTMLParser):
        def __init__(self):
            super().__init__()
            self.open, self.links, self.text = [], [], ""

        def handle_starttag(self, tag, attrs):
            if tag != "br":
                self.open.append(tag)
            self.links += [value for name, value in attrs if name == "href"]

        def handle_endtag(self, tag):
            assert self.open.pop() == tag

        def handle_data(self, data):
            self.text += data

    parser = Parser()
    parser.feed(report._repr_html_())
    assert parser.open == []
    assert parser.links == [FAULTS["psum-twice"].lesson]
    assert "my <forward>" in parser.text
    assert FAULTS["psum-twice"].says in parser.text


def test_as_dict_is_json(report):
    told = json.loads(json.dumps(report.as_dict()))
    assert told["faults"][0]["code"] == "psum-twice"
    assert told["passed"] is False
    assert len(told["requirements"]) == len(REQUIREMENTS)


def test_a_report_that_passed_says_so():
    report = Sheet("forward").report()
    assert report.passed
    assert isinstance(report, tpmlp.Report)
