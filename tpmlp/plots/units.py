"""Bytes and seconds as people say them, to three digits."""


def told_bytes(count: int | float) -> str:
    """`29 GB`, decimal units as vendors use them."""
    return _told(count, ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1, "bytes")))


def told_seconds(seconds: int | float) -> str:
    """`1.64 ms`."""
    return _told(seconds, ((1, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")))


def told_share(share: int | float) -> str:
    """`24%`; 0 only where it is 0."""
    return f"{100 * share:.0f}%" if share == 0 or share >= 0.005 else "<1%"


def _told(value: int | float, units: tuple[tuple[int | float, str], ...]) -> str:
    if value == 0:
        return "0"
    # Compare what will be printed, so that 999.9 kB becomes 1 MB instead of 1e+03 kB.
    scale, name = next(((s, u) for s, u in units if float(f"{value / s:.3g}") >= 1), units[-1])
    return f"{float(f'{value / scale:.3g}'):,g} {name}"
