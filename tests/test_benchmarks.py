"""The benchmarks' arithmetic: what is called, how often, in what order, and what the table says of it."""

import json

import pytest

from benchmarks import __main__ as bench
from benchmarks.measure import Limit, Pair, Row, measured
from benchmarks.table import heading, line


def recorder(name, called, seconds):
    """A function that notes that it was called and says that it took the next of `seconds`."""

    def function():
        called.append(name)
        return seconds[called.count(name) - 1]

    return function


def test_a_pair_is_measured_in_turn_after_a_warm_up_and_the_medians_count():
    called = []
    ours = recorder("ours", called, [900.0, 6.0, 1.0, 2.0])
    other = recorder("other", called, [900.0, 8.0, 50.0, 4.0])
    row = measured(Pair("a", "b", ours, other, bound=0.5, rounds=3, self_timed=True))
    assert called == ["ours", "other", "other", "ours", "ours", "other", "other", "ours"]
    assert (row.ours, row.other, row.ratio, row.holds) == (2.0, 8.0, 0.5, True)


def test_calls_are_timed_together():
    called = []
    row = measured(Pair("a", "b", lambda: called.append("ours"), lambda: called.append("other"), rounds=2, calls=3))
    assert called.count("ours") == called.count("other") == 3 * (1 + 2)
    assert row.ours > 0
    assert row.holds is None


def test_a_limit_is_a_ratio_to_the_limit():
    row = measured(Limit("memory", "MB", 1000, lambda: 400.0))
    assert (row.ratio, row.bound, row.holds) == (0.4, 1.0, True)
    assert measured(Limit("memory", "MB", 1000, lambda: 1001.0)).holds is False


@pytest.mark.parametrize(
    ("ours", "bound", "says"),
    [
        (0.0021, 1.05, ["2.10 ms", "2.00 ms", "1.050", "1.05", "holds"]),
        (0.0022, 1.05, ["2.20 ms", "1.100", "BROKEN"]),
        (0.000042, None, ["42.0 µs", "0.021"]),
    ],
)
def test_a_line_says_it_all(ours, bound, says):
    text = line(Row("name", ours, "against", 0.002, "s", bound, ours / 0.002))
    for part in ("name", "against", *says):
        assert part in text
    if bound is None:
        assert "holds" not in text
        assert "BROKEN" not in text


def test_the_heading_names_the_columns():
    assert all(word in heading() for word in ("what", "ours", "against", "other", "ratio", "bound"))


def test_every_benchmark_file_is_found():
    assert {"forward", "imports", "lessons"} <= set(bench.benchmark_files())
    assert "measure" not in bench.benchmark_files()


@pytest.mark.parametrize(("value", "status"), [(1.0, 0), (3.0, 1)])
def test_the_command_prints_keeps_and_judges(monkeypatch, tmp_path, capsys, value, status):
    monkeypatch.setattr(bench, "RESULTS", tmp_path / "results.json")
    monkeypatch.setattr("benchmarks.imports.benchmarks", lambda: [Limit("thing", "MB", 2.0, lambda: value)])
    assert bench.main(["imports"]) == status
    assert "thing" in capsys.readouterr().out
    kept = json.loads((tmp_path / "results.json").read_text())
    assert [row["ratio"] for row in kept["rows"]] == [value / 2]
    assert kept["machine"]["devices"].startswith("8 ")


def test_an_unknown_name_is_refused(capsys):
    with pytest.raises(SystemExit):
        bench.main(["nothing"])
    assert "there is no benchmark nothing" in capsys.readouterr().err
