"""From an HLO instruction to the line of Python that asked for it."""

import linecache
import re


class Sources:
    """The tables at the top of the text that lead from an instruction to a line of Python."""

    def __init__(self, text: str):
        """Read the tables; older versions of XLA write none, and file and line into each instruction instead."""
        top = text.split("\n\n%", 1)[0].split("\nENTRY", 1)[0]
        self._files = dict(re.findall(r'^(\d+) "(.*)"$', _section(top, "FileNames"), re.M))
        locations = re.findall(r"^(\d+) \{file_name_id=(\d+) .*?\bline=(\d+)", _section(top, "FileLocations"), re.M)
        self._locations = {number: (file, line) for number, file, line in locations}
        self._frames = dict(re.findall(r"^(\d+) \{file_location_id=(\d+)", _section(top, "StackFrames"), re.M))

    def find(self, attributes: str) -> str:
        """The "file:line" of an instruction, or ""."""
        if frame := re.search(r"stack_frame_id=(\d+)", attributes):
            file, line = self._locations.get(self._frames.get(frame[1], ""), ("", ""))
            return f"{self._files[file]}:{line}" if file in self._files else ""
        if inline := re.search(r'source_file="([^"]*)".*?source_line=(\d+)', attributes):
            return f"{inline[1]}:{inline[2]}"
        return ""


def _section(top: str, title: str) -> str:
    found = re.search(rf"^{title}\n(.*?)(?:\n\n|\Z)", top, re.M | re.S)
    return found[1] if found else ""


def code(source: str) -> str:
    """The Python line at "file:line", without its comment; "" where it cannot be read."""
    file, _, line = source.rpartition(":")
    return linecache.getline(file, int(line)).split("  #")[0].strip() if file else ""
