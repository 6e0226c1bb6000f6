"""What all explorers share, without a browser: controls, one view, and what becomes of a mistake in between."""

import threading

import pytest
from matplotlib.figure import Figure

from tpmlp.explore.controls import Slider, Stepper, choice, switch
from tpmlp.explore.shell import Explorer, Shown
from tpmlp.plots import Picture


def show(size: int, kind: str = "plain", on: bool = False) -> Shown:
    if size == 7:
        raise ValueError("seven is not to be had")
    return Shown(Picture(Figure(figsize=(1, 1)), f"size {size}, {kind}, {on}\nand more"), f"The size is {size}.")


@pytest.fixture
def explorer():
    controls = {
        "size": Slider(description="the size", min=1, max=9, value=2),
        "kind": choice("kind", [("Plain one", "plain"), ("Fancy one", "fancy")]),
        "on": switch("switched on"),
    }
    return Explorer("tests", controls, show)


def test_a_move_shows_the_new_state_and_says_what_changed(explorer):
    explorer.controls["size"].value = 5
    assert explorer.view.sentence == "The size is 5."
    assert explorer.view.alt == "the size: 2, now 5. size 5, plain, False"
    assert explorer.view.text == "size 5, plain, False\nand more" == explorer.picture.text
    assert explorer.view.png == explorer.picture.png()


def test_what_changed_is_said_in_the_controls_own_words(explorer):
    explorer.controls["kind"].value = "fancy"
    assert explorer.view.alt.startswith("kind: Plain one, now Fancy one.")
    explorer.controls["on"].value = True
    assert explorer.view.alt.startswith("switched on: off, now on.")


def test_an_exception_is_shown_and_raised(explorer):
    with pytest.raises(ValueError, match="seven"):
        explorer.controls["size"].value = 7
    assert explorer.view.error == "This did not work. ValueError: seven is not to be had"
    explorer.controls["size"].value = 3
    assert explorer.view.error == ""
    assert explorer.view.sentence == "The size is 3."


def test_an_exception_while_other_controls_adapt_is_shown_too():
    def adapt(changed: str) -> None:
        if changed == "size":
            raise RuntimeError("no way")

    explorer = Explorer("tests", {"size": Slider(description="size", max=9)}, show, adapt=adapt)
    with pytest.raises(RuntimeError, match="no way"):
        explorer.controls["size"].value = 1
    assert "RuntimeError: no way" in explorer.view.error


def test_reset_brings_back_values_and_ranges_with_one_picture(explorer):
    size, pictures = explorer.controls["size"], []
    size.value, explorer.controls["on"].value = 9, True
    with size.hold_trait_notifications():
        size.min, size.max, size.value = 20, 30, 25
    explorer.view.observe(pictures.append, "sentence")
    explorer.reset()
    assert (size.min, size.max, size.value) == (1, 9, 2)
    assert explorer.values == {"size": 2, "kind": "plain", "on": False}
    assert explorer.view.alt == "Back to the beginning. size 2, plain, False"
    assert len(pictures) == 1


def test_controls_that_adapt_make_one_picture_only():
    shown = []
    first, second = Slider(description="first", max=9), Slider(description="second", max=9)

    def adapt(changed: str) -> None:
        second.value = first.value

    def show_both(first: int, second: int) -> Shown:
        shown.append((first, second))
        return show(second)

    Explorer("tests", {"first": first, "second": second}, show_both, adapt=adapt)
    first.value = 4
    assert shown == [(0, 0), (4, 4)]


def test_what_is_stored_of_an_explorer_is_words(explorer):
    data = explorer._repr_mimebundle_()
    assert data["text/plain"] == "The explorer of tests. Run this cell to use it.\nThe size is 2."
    assert set(data) == {"text/plain", "application/vnd.jupyter.widget-view+json"}


def test_the_last_state_set_is_the_one_shown_whatever_thread_sets_it(explorer):
    def move(name: str, values) -> None:
        for value in values:
            explorer.controls[name].value = value

    threads = [
        threading.Thread(target=move, args=("size", [3, 4, 5, 6] * 10)),
        threading.Thread(target=move, args=("kind", ["fancy", "plain"] * 20)),
        threading.Thread(target=move, args=("on", [True, False] * 20 + [True])),
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert explorer.values == {"size": 6, "kind": "plain", "on": True}
    assert explorer.picture.text == show(**explorer.values).picture.text
    assert explorer.view.text == explorer.picture.text


def test_sliders_wait_until_they_are_let_go():
    for slider in (Slider(description="B"), Stepper(description="step")):
        assert slider.continuous_update is False
        with pytest.raises(Exception, match="read-only"):
            slider.continuous_update = True


def test_a_choice_starts_where_it_is_told_to():
    assert choice("n", (1, 2, 4, 8)).value == 1
    assert choice("n", (1, 2, 4, 8), 8).value == 8
