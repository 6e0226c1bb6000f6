"""`python -m gate.readme`: draw the README's picture again, with its text inside for the test that compares it."""

import io
from pathlib import Path

from PIL import Image
from PIL.PngImagePlugin import PngInfo

import tpmlp

PICTURE = Path(__file__).parent.parent / ".github" / "lanes.png"


def main() -> None:
    """Draw the lanes of example 1 into `.github/lanes.png`."""
    picture = tpmlp.plots.plot_lanes(tpmlp.trace(**tpmlp.EXAMPLES[0].inputs))
    info = PngInfo()
    info.add_itxt("Description", picture.text)
    with Image.open(io.BytesIO(picture.png())) as image:
        image.save(PICTURE, pnginfo=info, optimize=True)


if __name__ == "__main__":
    main()
