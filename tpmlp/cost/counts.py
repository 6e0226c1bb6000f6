"""FLOPs and bytes of one device, by formula.

A `gated` MLP has a second matrix beside W1, of the same shape and split the same way: `(act(x W1) * (x W3)) W2`, as in
Shazeer 2020, arXiv:2002.05202. The output, and so the all-reduce, stays the same.

All refuse sizes that are no whole numbers (TypeError) or too small, an H that n does not divide and an unknown dtype
(ValueError).
"""

from .sizes import bytes_of, check_divisible, check_sizes


def forward_flops(B: int, D: int, H: int, O: int, n: int, *, gated: bool = False) -> int:
    """FLOPs of the matmuls of one forward: 2 B (D + O) H/n.

    A matmul of (B, K) with (K, N) is 2BKN: K multiplications and K additions for every entry. Biases, relu and the
    all-reduce's own additions are left out; they are one operation an entry.
    """
    check_sizes(B=B, D=D, O=O)
    return 2 * B * (_in_matrices(gated) * D + O) * _units(H, n)


def backward_flops(B: int, D: int, H: int, O: int, n: int, *, gated: bool = False, dx: bool = True) -> int:
    """FLOPs of the matmuls of one backward: each matmul of the forward needs two, one for each of its operands.

    Args:
        B: samples, or tokens.
        D: size of the input.
        H: hidden units.
        O: size of the output.
        n: devices.
        gated: count the second input matrix of a gated MLP.
        dx: also the gradient of x, which a first layer does not need.
    """
    of_weights = forward_flops(B, D, H, O, n, gated=gated)
    of_hidden = 2 * B * O * _units(H, n)
    of_x = 2 * B * _in_matrices(gated) * D * _units(H, n)
    return of_weights + of_hidden + (of_x if dx else 0)


def weight_bytes(D: int, H: int, O: int, n: int, *, dtype: str = "float32", gated: bool = False) -> int:
    """Bytes of W1, b1, W2 and b2 on one device: DH/n + H/n + HO/n + O numbers."""
    check_sizes(D=D, O=O)
    units = _units(H, n)
    return bytes_of(dtype) * (_in_matrices(gated) * (D + 1) * units + units * O + O)


def argument_bytes(B: int, D: int, H: int, O: int, n: int, *, dtype: str = "float32", gated: bool = False) -> int:
    """Bytes of all five inputs on one device: BD + DH/n + H/n + HO/n + O numbers, x and b2 being replicated."""
    check_sizes(B=B)
    return bytes_of(dtype) * B * D + weight_bytes(D, H, O, n, dtype=dtype, gated=gated)


def activation_bytes(B: int, D: int, H: int, n: int, *, dtype: str = "float32", gated: bool = False) -> int:
    """Bytes that the forward leaves on one device for the backward: x, whole, and its own B x H/n hidden units.

    A gated MLP leaves both factors of its hidden units; their product is quickly made again.
    """
    check_sizes(B=B, D=D)
    return bytes_of(dtype) * (B * D + _in_matrices(gated) * B * _units(H, n))


def training_bytes(
    B: int, D: int, H: int, O: int, n: int, *, dtype: str = "float32", gated: bool = False
) -> dict[str, int]:
    """Bytes on one device while training with Adam, by what they are for.

    Adam keeps two float32 numbers for every weight; with bfloat16 weights also a float32 copy of them. Either way it
    makes 16 bytes a weight with the gradients (Rajbhandari et al. 2020, arXiv:1910.02054, section 3.1).

    Returns:
        `{"weights", "gradients", "Adam", "activations"}`; the first three are split over n as the weights are.
    """
    weights = weight_bytes(D, H, O, n, dtype=dtype, gated=gated)
    per_weight = 8 if dtype == "float32" else 12
    return {
        "weights": weights,
        "gradients": weights,
        "Adam": weights // bytes_of(dtype) * per_weight,
        "activations": activation_bytes(B, D, H, n, dtype=dtype, gated=gated),
    }


def all_reduce_bytes(B: int, O: int, n: int, *, dtype: str = "float32") -> float:
    """Bytes that one device sends in an all-reduce of B x O numbers over a ring: 2(n - 1)/n of the array.

    In a ring each device passes on n - 1 of n parts while they are summed, and again while they are handed round
    (Patarasuk and Yuan 2009, doi:10.1016/j.jpdc.2008.09.002). Unless the switches add, no algorithm sends less.
    """
    check_sizes(B=B, O=O, n=n)
    return 2 * (n - 1) / n * bytes_of(dtype) * B * O


def _units(H: int, n: int) -> int:
    """H/n, the hidden units of one device."""
    check_sizes(H=H, n=n)
    check_divisible(H, n)
    return H // n


def _in_matrices(gated: bool) -> int:
    return 2 if gated else 1
