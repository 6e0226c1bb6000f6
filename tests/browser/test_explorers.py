"""Lesson 04 with nothing but a keyboard: every control of every explorer, and what is shown then."""

import random
import re

import numpy as np
import pytest
from playwright.sync_api import expect

import tpmlp
from tpmlp.checks import Inputs
from tpmlp.explore.breakage import TITLES, show_breakage
from tpmlp.explore.entry import ALL, show_entry
from tpmlp.explore.shapes import START_LARGE, START_SMALL, show_shapes
from tpmlp.explore.steps import show_step

from .explorer import WAIT_MS, Explorer
from .lesson import LIGHT, Lesson

LESSON = "04_explore_shapes.ipynb"
START = START_SMALL | {"devices": 8, "seed": 0, "larger": False}
BACK = "Back to the beginning."
SHAPES, STEPS, ENTRY, BREAKAGE = range(4)


@pytest.fixture(scope="module")
def lesson(browser, lab):
    lab.choose_theme(LIGHT)
    lesson = Lesson(browser, lab, LESSON)
    lesson.run_all()
    yield lesson
    lesson.close()


@pytest.fixture(scope="module")
def inputs():
    return Inputs(**{name: np.asarray(values, np.float32) for name, values in tpmlp.EXAMPLES[1].inputs.items()})


@pytest.fixture(scope="module")
def trace(inputs):
    return tpmlp.trace(*inputs)


@pytest.fixture
def explorer(lesson):
    """A function that gives explorer number so-and-so, as it is at the beginning."""

    def at_its_beginning(number: int) -> Explorer:
        found = Explorer(lesson.explorers().nth(number))
        if not found.alt().startswith(BACK):
            found.press("button", "Reset", "Enter")
            expect(found.image).to_have_attribute("alt", re.compile(BACK), timeout=WAIT_MS)
        return found

    return at_its_beginning


def test_shapes_by_keyboard(explorer):
    shapes, values = explorer(SHAPES), dict(START)
    shapes.shows(show_shapes(**values), BACK)
    for name, title, key, to in (
        ("B", "B", "ArrowRight", 3),
        ("D", "D", "ArrowLeft", 2),
        ("units", "units per device", "End", 2),
        ("O", "O", "Home", 1),
        ("seed", "seed", "ArrowUp", 1),
    ):
        shapes.press("slider", title, key)
        before, values[name] = values[name], to
        shapes.shows(show_shapes(**values), f"{title}: {before}, now {to}.")
    expect(shapes.control("slider", "units per device")).to_have_attribute("aria-valuetext", "2: H = 8 × 2 = 16")
    shapes.press("combobox", "devices", "ArrowUp")
    values["devices"] = 4
    shapes.shows(show_shapes(**values), "devices: 8, now 4.")
    shapes.press("checkbox", "larger shapes", "Space")
    values |= START_LARGE | {"larger": True}
    shapes.shows(show_shapes(**values), "larger shapes: off, now on.")
    shapes.press("button", "Reset", "Enter")
    shapes.shows(show_shapes(**START), BACK)


def test_steps_by_keyboard(explorer, trace):
    steps, last = explorer(STEPS), len(tpmlp.plots.lane_steps(trace))
    steps.press("button", "Next", "Enter")
    steps.shows(show_step(trace, 2), "step: 1, now 2.")
    steps.press("button", "Next", "Space")
    steps.shows(show_step(trace, 3), "step: 2, now 3.")
    steps.press("button", "Previous", "Enter")
    steps.shows(show_step(trace, 2), "step: 3, now 2.")
    steps.press("slider", "step", "End")
    steps.shows(show_step(trace, last), f"step: 2, now {last}.")
    steps.press("button", "Next", "Enter")  # there is none
    steps.press("slider", "step", "ArrowLeft")
    steps.shows(show_step(trace, last - 1), f"step: {last}, now {last - 1}.")


def test_steps_play_by_themselves_and_stop_at_the_end(explorer, trace):
    steps, last = explorer(STEPS), len(tpmlp.plots.lane_steps(trace))
    steps.press("button", "Play", "Enter")
    expect(steps.control("button", "Pause")).to_be_visible()
    steps.shows(show_step(trace, 2), "step: 1, now 2.")
    steps.press("button", "Pause", "Enter")
    expect(steps.control("button", "Play")).to_be_visible()
    steps.press("slider", "step", "End")
    steps.press("slider", "step", "ArrowLeft")
    steps.press("button", "Play", "Enter")
    steps.shows(show_step(trace, last), f"step: {last - 1}, now {last}.")
    expect(steps.control("button", "Play")).to_be_visible()


def test_an_entry_by_keyboard(explorer, trace):
    entry = explorer(ENTRY)
    entry.press("slider", "row of out", "ArrowRight")
    entry.shows(show_entry(trace, 1, 0, ALL), "row of out: 0, now 1.")
    entry.press("slider", "column of out", "End")
    entry.shows(show_entry(trace, 1, 1, ALL), "column of out: 0, now 1.")
    entry.press("combobox", "known to", "ArrowDown")
    entry.shows(show_entry(trace, 1, 1, 0), "known to: all devices, now device 0.")
    entry.press("combobox", "known to", "End")
    entry.shows(show_entry(trace, 1, 1, 7), "known to: device 0, now device 7.")
    entry.press("button", "Reset", "Space")
    entry.shows(show_entry(trace, 0, 0, ALL), BACK)
    expect(entry.control("combobox", "known to")).to_have_value("all devices")


def test_mistakes_by_keyboard(explorer, trace, inputs):
    breakage, off = explorer(BREAKAGE), dict.fromkeys(TITLES, False)
    for name, title in TITLES.items():
        breakage.press("checkbox", title, "Space")
        breakage.shows(show_breakage(inputs, trace, 0, **off | {name: True}), f"{title}: off, now on.")
        breakage.press("checkbox", title, "Space")
        breakage.shows(show_breakage(inputs, trace, 0, **off), f"{title}: on, now off.")
    breakage.press("checkbox", TITLES["no_psum"], "Space")
    breakage.press("combobox", "out of", "ArrowDown")
    breakage.shows(show_breakage(inputs, trace, 1, **off | {"no_psum": True}), "out of: device 0, now device 1.")


@pytest.mark.parametrize(
    ("number", "names"),
    [
        (SHAPES, ["B", "D", "units per device", "O", "devices", "seed", "larger shapes", "Reset"]),
        (STEPS, ["step", "Previous", "Next", "Play", "Reset"]),
        (ENTRY, ["row of out", "column of out", "known to", "Reset"]),
        (BREAKAGE, [*TITLES.values(), "out of", "Reset"]),
    ],
)
def test_tab_goes_through_the_controls_in_their_order(explorer, number, names):
    found = explorer(number)
    first = found.root.locator("input, select, button").first
    assert found.tab_order(first, len(names)) == names


def test_sixty_fast_key_presses_end_in_the_right_state(explorer):
    shapes, values = explorer(SHAPES), dict(START)
    keys = random.Random(0).choices(("ArrowLeft", "ArrowRight"), k=60)
    shapes.control("slider", "B").focus()
    for key in keys:
        shapes.page.keyboard.press(key)
        values["B"] = min(max(values["B"] + (1 if key == "ArrowRight" else -1), 1), 4)
    expect(shapes.root.get_by_role("status")).to_have_text(show_shapes(**values).sentence, timeout=WAIT_MS)
    assert shapes.control("slider", "B").input_value() == str(values["B"])
    shapes.page.wait_for_timeout(1000)  # nothing comes in late
    assert shapes.root.get_by_role("status").inner_text() == show_shapes(**values).sentence
    assert shapes.png() == show_shapes(**values).picture.png()


def test_the_picture_is_changed_in_place(lesson, explorer):
    shapes, outputs = explorer(SHAPES), lesson.outputs().count()
    shapes.image.evaluate("(image) => { image.dataset.first = 'yes' }")
    shapes.press("slider", "B", "End")
    shapes.shows(show_shapes(**START | {"B": 4}), "B: 2, now 4.")
    expect(shapes.image).to_have_attribute("data-first", "yes")
    assert shapes.root.locator("img").count() == 1
    assert lesson.outputs().count() == outputs


def test_a_screen_reader_can_have_all_of_the_picture(explorer, trace):
    steps = explorer(STEPS)
    steps.root.get_by_text("The picture in words").press("Enter")
    expect(steps.root.locator("pre")).to_be_visible()
    assert steps.root.locator("pre").inner_text() == show_step(trace, 1).picture.text
