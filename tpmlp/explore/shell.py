"""What all explorers share: controls above, one view below, and one function that turns the one into the other.

An explorer is made of controls by name and a function that takes their values and returns what to show:

    def show(B: int, n: int) -> Shown:
        trace = tpmlp.trace(...)
        return Shown(plot_lanes(trace), f"Each device holds ... bytes.")

    controls = {
        "B": Slider(description="B", min=1, max=4, value=2),
        "n": choice("devices", (1, 2, 4, 8), 8),
    }
    Explorer("bytes", controls, show)

`show` knows nothing of widgets, so it is tested without a browser. Every change of a control runs it once, and the
change is over only when the view has what came of it, so the last value set is the one shown.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import ipywidgets

from ..plots import Picture
from .controls import View, button

# What a reset brings back: a control's range as well as its value, and whether it can be used.
_STATE = ("min", "max", "step", "value", "disabled", "note")
# One change at a time, in all explorers: JupyterLab and ipykernel 7 bring the messages of different controls to
# different threads.
_lock = threading.RLock()


class Shown(NamedTuple):
    """What an explorer shows of one state: the picture and a sentence or two about it."""

    picture: Picture
    sentence: str


class Explorer(ipywidgets.VBox):
    """Controls, and below them what `show` makes of their values.

    Args:
        name: one word, such as "shapes", for the reset button and for the text that a stored notebook keeps.
        controls: widgets with a `value`, by name, in the order in which they stand.
        show: takes the controls' values as keyword arguments; what it raises is shown in the view and raised again.
        adapt: called before `show`, with the name of the control that changed ("" on a reset); it may change ranges,
            notes or values of other controls without `show` being run for each of them.

    Attributes:
        controls: as given.
        view: the picture, its words and the sentence.
        picture: the `Picture` that the view shows.
    """

    def __init__(
        self,
        name: str,
        controls: dict[str, Any],
        show: Callable[..., Shown],
        *,
        adapt: Callable[[str], None] = lambda changed: None,
    ):
        self.name, self.controls, self.view = name, dict(controls), View()
        self._show, self._adapt, self._quiet = show, adapt, False
        reset = button("Reset", f"Back to where the explorer of {name} began")
        reset.on_click(lambda _: self.reset())
        row = ipywidgets.Box(
            [*self.controls.values(), reset], layout={"flex_flow": "row wrap", "align_items": "center"}
        )
        super().__init__([row, self.view])
        self.add_class("tpmlp-explorer")
        self._start = {each: _state(control) for each, control in self.controls.items()}
        self._update("", "")
        for each, control in self.controls.items():
            control.observe(lambda change, each=each: self._on_change(each, change), "value")

    @property
    def values(self) -> dict[str, Any]:
        """The controls' values, by name."""
        return {name: control.value for name, control in self.controls.items()}

    def reset(self) -> None:
        """Back to the beginning: every control, then one new picture."""
        with _lock:
            with self._quietly():
                for name, state in self._start.items():
                    _restore(self.controls[name], state)
            self._update("", "Back to the beginning.")

    def _on_change(self, name: str, change) -> None:
        control = self.controls[name]
        with _lock:
            if not self._quiet:
                old, new = _spoken(control, change.old), _spoken(control, change.new)
                self._update(name, f"{control.description}: {old}, now {new}.")

    def _update(self, name: str, changed: str) -> None:
        """Show the state that the controls are in, after the one called `name` has changed."""
        try:
            with self._quietly():
                self._adapt(name)
            shown = self._show(**self.values)
            png = shown.picture.png()
        except Exception as error:
            # The message instead of a picture that would be of an earlier state; and for whoever moved the control.
            self.view.error = f"This did not work. {type(error).__name__}: {error}"
            raise
        self.picture = shown.picture
        with self.view.hold_sync():
            self.view.png = png
            self.view.alt = f"{changed} {shown.picture.alt}".strip()
            self.view.sentence = shown.sentence
            self.view.text = shown.picture.text
            self.view.error = ""

    @contextmanager
    def _quietly(self) -> Iterator[None]:
        """Controls may change without a new picture for each."""
        self._quiet = True
        try:
            yield
        finally:
            self._quiet = False

    def __repr__(self) -> str:
        return f"The explorer of {self.name}. Run this cell to use it.\n{self.view.sentence}"

    def _repr_mimebundle_(self, **kwargs) -> dict[str, Any]:
        # What a stored notebook keeps of it: words that are the same everywhere, not a list of widgets.
        return {**(super()._repr_mimebundle_(**kwargs) or {}), "text/plain": repr(self)}


def _state(control) -> dict[str, Any]:
    return {trait: getattr(control, trait) for trait in _STATE if control.has_trait(trait)}


def _restore(control, state: dict[str, Any]) -> None:
    with control.hold_trait_notifications():  # a range and the value in it change together
        for trait, value in state.items():
            setattr(control, trait, value)


def _spoken(control, value) -> str:
    """A value as the control itself calls it."""
    if isinstance(value, bool):
        return "on" if value else "off"
    names = {option[1]: option[0] for option in getattr(control, "options", ()) if isinstance(option, tuple)}
    return str(names.get(value, value))
