"""The README shows and says what the package does."""

import re
from pathlib import Path

from PIL import Image

import tpmlp

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_picture_shows_example_1():
    (path,) = re.findall(r"!\[.*?\]\((.*?)\)", README, flags=re.DOTALL)
    picture = tpmlp.plots.plot_lanes(tpmlp.trace(**tpmlp.EXAMPLES[0].inputs))
    with Image.open(ROOT / path) as image:
        assert image.info["Description"] == picture.text


def test_the_ten_lines_run_and_print_what_they_say(capsys):
    (code,) = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    assert len([line for line in code.splitlines() if line]) <= 10
    exec(code, {})
    printed = capsys.readouterr().out.splitlines()
    said = re.findall(r"# (\[.*\]|P\(.*\))[,:]", code)
    assert printed == said
    assert printed[0] == str(tpmlp.EXAMPLES[0].out)


def test_every_lesson_is_in_the_table():
    linked = re.findall(r"\(notebooks/(\w+\.ipynb)\)", README)
    assert linked == sorted(path.name for path in (ROOT / "notebooks").glob("*.ipynb"))
