"""How long it takes, by the roofline: whichever is slower of computing and of reading memory, and then the all-reduce.

The model leaves out what a real program adds (starting kernels, running them below peak) and what it can save
(communicating while computing). It says what is possible and which resource stands in the way; see "How to Scale Your
Model", https://jax-ml.github.io/scaling-book/roofline/.
"""

import math
from dataclasses import dataclass

from .counts import backward_flops, forward_flops, weight_bytes
from .hardware import HARDWARE, Hardware
from .sizes import bytes_of, check_sizes


@dataclass(frozen=True)
class Time:
    """Seconds, on one device, where all devices work at the same time.

    Attributes:
        compute: the matmuls' FLOPs at the peak rate.
        memory: reading and writing all that must pass through HBM.
        all_reduce: the communication, which here waits for the matmuls and is not hidden behind them.
    """

    compute: float
    memory: float
    all_reduce: float

    @property
    def device(self) -> float:
        """What the device needs for its own work: the slower of compute and memory."""
        return max(self.compute, self.memory)

    @property
    def bound(self) -> str:
        """Which of the two that is: "compute" or "memory"."""
        return "compute" if self.compute >= self.memory else "memory"

    @property
    def total(self) -> float:
        """Its own work and then the all-reduce."""
        return self.device + self.all_reduce


def forward_time(
    B: int, D: int, H: int, O: int, n: int, hardware: Hardware, *, dtype: str = "bfloat16", gated: bool = False
) -> Time:
    """One forward over n devices.

    Through memory pass the weights and x once, the hidden units twice (written, then read) and out once.
    """
    flops = forward_flops(B, D, H, O, n, gated=gated)
    numbers = B * D + 2 * _hidden(B, H, n, gated) + B * O
    moved = weight_bytes(D, H, O, n, dtype=dtype, gated=gated) + bytes_of(dtype) * numbers
    return _time(flops, moved, bytes_of(dtype) * B * O, n, hardware, dtype)


def backward_time(
    B: int, D: int, H: int, O: int, n: int, hardware: Hardware, *, dtype: str = "bfloat16", gated: bool = False,
    dx: bool = True,
) -> Time:  # fmt: skip
    """One backward over n devices; with `dx` it all-reduces the B x D gradient of x, without it nothing.

    Through memory pass the gradients of the weights (written), W2 and, for that of x, also W1 (read), x, hidden units
    and the gradient of out (read), the gradient of the hidden units twice, and that of x.
    """
    flops = backward_flops(B, D, H, O, n, gated=gated, dx=dx)
    numbers = B * D + 3 * _hidden(B, H, n, gated) + B * O + (B * D if dx else 0)
    gradients = weight_bytes(D, H, O, n, dtype=dtype, gated=gated)
    read = gradients if dx else bytes_of(dtype) * (H // n) * O
    moved = gradients + read + bytes_of(dtype) * numbers
    return _time(flops, moved, bytes_of(dtype) * B * D if dx else 0, n, hardware, dtype)


def update_time(
    D: int, H: int, O: int, n: int, hardware: Hardware, *, dtype: str = "bfloat16", gated: bool = False
) -> float:
    """Seconds for Adam's update of one device's weights, which is bound by memory and needs no communication.

    28 bytes a weight pass through memory: the gradient, two running averages and the weight in float32 are read, and
    all but the gradient written; bfloat16 weights (2 bytes) have a 2-byte gradient and are written beside their float32
    copy, so that the sum is the same.
    """
    _check_hardware(hardware)
    weights = weight_bytes(D, H, O, n, dtype=dtype, gated=gated) // bytes_of(dtype)
    return 28 * weights / hardware.memory_bytes_per_second


def critical_batch(
    D: int, H: int, O: int, n: int, hardware: Hardware, *, dtype: str = "bfloat16", gated: bool = False
) -> int | None:
    """The smallest B for which a forward is bound by compute: enough samples to use every weight that is read.

    None if memory is slower whatever B is. "How to Scale Your Model" calls it the critical batch size,
    https://jax-ml.github.io/scaling-book/roofline/.
    """
    without, one = (forward_time(B, D, H, O, n, hardware, dtype=dtype, gated=gated) for B in (0, 1))
    gained = one.compute - (one.memory - without.memory)  # what each further sample adds to compute beyond memory
    return max(1, math.ceil(without.memory / gained)) if gained > 0 else None


def all_reduce_time(size: int | float, n: int, hardware: Hardware) -> float:
    """Seconds for an all-reduce of `size` bytes over n devices in a ring: 2(n - 1) hops, each with 1/n of the bytes.

    Beyond the reach of the fast links it goes in two stages, as libraries do it: within each group by the links, so
    that every chip has the sum of its own share, and for that share across the groups by the network (whose own
    latency is left out). The groups are as even as n allows; the largest one sets the time within, and the largest
    share, which is the smallest group's, the time across.
    """
    check_sizes(n=n)
    _check_hardware(hardware)
    if n == 1 or size == 0:
        return 0.0
    groups = math.ceil(n / hardware.link_reach)
    smallest, largest = n // groups, math.ceil(n / groups)
    within = 2 * (largest - 1) * (hardware.hop_seconds + size / largest / hardware.link_bytes_per_second)
    across = 2 * (groups - 1) / groups * size / smallest / hardware.network_bytes_per_second
    return within + across


def break_even(
    B: int, D: int, H: int, O: int, hardware: Hardware, *, dtype: str = "bfloat16", gated: bool = False
) -> int | None:
    """The fewest devices, among those that divide H, for which the all-reduce takes longer than the device's own work.

    From there on most of the time goes into talking. None if that never happens.
    """
    check_sizes(H=H)
    small = [n for n in range(1, math.isqrt(H) + 1) if H % n == 0]
    for n in sorted({*small, *(H // n for n in small)}):
        time = forward_time(B, D, H, O, n, hardware, dtype=dtype, gated=gated)
        if time.all_reduce > time.device:
            return n
    return None


def _check_hardware(hardware: Hardware) -> None:
    if not isinstance(hardware, Hardware):
        names = ", ".join(map(repr, HARDWARE))
        raise TypeError(f"hardware={hardware!r} is not a Hardware; use cost.HARDWARE[name] with one of {names}")


def _time(flops: int, moved: int, reduced: int, n: int, hardware: Hardware, dtype: str) -> Time:
    _check_hardware(hardware)
    return Time(
        compute=flops / hardware.flops_per_second[dtype],
        memory=moved / hardware.memory_bytes_per_second,
        all_reduce=all_reduce_time(reduced, n, hardware),
    )


def _hidden(B: int, H: int, n: int, gated: bool) -> int:
    return B * H // n * (2 if gated else 1)
