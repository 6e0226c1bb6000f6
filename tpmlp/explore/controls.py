"""Controls that a screen reader can name and the keyboard can move, and the view below them.

The slider and the play control of ipywidgets draw a handle and buttons without a name, and the arrow keys in its
drop-down list move JupyterLab to another cell. So these are the browser's own.
"""

from pathlib import Path

import ipywidgets
from anywidget import AnyWidget
from traitlets import Bool, Bytes, Int, Unicode

_HERE = Path(__file__).parent
_STYLE = _HERE / "explore.css"


class Slider(AnyWidget, ipywidgets.IntSlider):
    """An `ipywidgets.IntSlider` that is an `<input type="range">` with its label.

    It sends its value when the handle is let go or a key is pressed, not while it is dragged.

    Attributes:
        note: a word on what the value means, said and shown after the number.
    """

    _esm = _HERE / "slider.js"
    _css = _STYLE
    continuous_update = Bool(False, read_only=True).tag(sync=True)
    note = Unicode().tag(sync=True)


class Stepper(Slider):
    """A slider with buttons "Previous", "Next" and "Play", which goes on by one every `interval` milliseconds."""

    interval = Int(1200).tag(sync=True)


class Choice(AnyWidget, ipywidgets.Dropdown):
    """An `ipywidgets.Dropdown` that is a `<select>` with its label, and keeps its arrow keys from JupyterLab."""

    _esm = _HERE / "choice.js"
    _css = _STYLE


class View(AnyWidget):
    """A sentence, a picture and its words; or, in their place, what went wrong.

    Attributes:
        png: the picture.
        alt: what the picture shows, in one line: the `alt` of its `<img>`.
        sentence: said by a screen reader whenever it changes.
        text: all of the picture in words, folded away below it.
        error: the message shown instead; empty if all is well.
    """

    _esm = _HERE / "view.js"
    _css = _STYLE
    png = Bytes().tag(sync=True)
    alt = Unicode().tag(sync=True)
    sentence = Unicode().tag(sync=True)
    text = Unicode().tag(sync=True)
    error = Unicode().tag(sync=True)


def choice(description: str, options, value=None) -> Choice:
    """A drop-down list; `options` as in `ipywidgets.Dropdown`. It starts on `value`, or on the first option."""
    made = Choice(description=description, options=options)
    if value is not None:
        made.value = value
    return made


def switch(description: str) -> ipywidgets.Checkbox:
    """A check box with a label."""
    return ipywidgets.Checkbox(value=False, description=description, indent=False, layout=_as_wide_as_needed())


def button(description: str, tooltip: str) -> ipywidgets.Button:
    """A button with a word on it and a sentence about it."""
    return ipywidgets.Button(description=description, tooltip=tooltip, layout=_as_wide_as_needed())


def _as_wide_as_needed() -> ipywidgets.Layout:
    return ipywidgets.Layout(width="auto", margin="2px 16px 2px 0")
