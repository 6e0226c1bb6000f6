"""One explorer in a page, as somebody with a keyboard and a screen reader has it."""

import base64

from playwright.sync_api import Locator, expect

WAIT_MS = 30_000
_FETCH = """async (image) => {
  const blob = await (await fetch(image.src)).blob();
  const reader = new FileReader();
  await new Promise((done) => { reader.onload = done; reader.readAsDataURL(blob); });
  return reader.result.split(",")[1];
}"""
# What a screen reader says when the focus is here, as far as the browser tests need to know it.
_FOCUS = """() => {
  const element = document.activeElement;
  const name = element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent ?? element.textContent;
  return name.trim();
}"""


class Explorer:
    """What one explorer of a lesson shows, and its controls by the names that are said."""

    def __init__(self, root: Locator):
        self.root = root
        self.page = root.page
        self.image = root.locator("img.tpmlp-picture")

    def control(self, role: str, name: str) -> Locator:
        """The one control with this role and this accessible name."""
        return self.root.get_by_role(role, name=name, exact=True)

    def press(self, role: str, name: str, key: str) -> None:
        """Press a key while the control has the focus, and nothing else."""
        self.control(role, name).focus()
        self.page.keyboard.press(key)

    def shows(self, shown, changed: str = "") -> None:
        """Wait until sentence, alt and picture are those of `shown`."""
        expect(self.root.get_by_role("status")).to_have_text(shown.sentence, timeout=WAIT_MS)
        expect(self.image).to_have_attribute("alt", f"{changed} {shown.picture.alt}".strip(), timeout=WAIT_MS)
        assert self.png() == shown.picture.png(), "the picture is another than the sentence says"

    def alt(self) -> str:
        """What is said instead of the picture."""
        return self.image.get_attribute("alt") or ""

    def png(self) -> bytes:
        """The picture that is shown."""
        return base64.b64decode(self.image.evaluate(_FETCH))

    def tab_order(self, first: Locator, count: int) -> list[str]:
        """The names of what has the focus, from `first` on, with Tab alone."""
        first.focus()
        names = []
        for _ in range(count):
            names.append(self.page.evaluate(_FOCUS))
            self.page.keyboard.press("Tab")
        return names
