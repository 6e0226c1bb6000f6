"""Accelerators as data: what one chip computes, holds, reads and sends a second, each number with its source.

These are the vendors' peaks; real programs reach a part of them. Bandwidths of links are given here as what one chip
can SEND a second. Vendors like to add what it receives at the same time, which doubles the number.
"""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Hardware:
    """One kind of chip and how it is wired.

    Attributes:
        name: the vendor's.
        flops_per_second: dense matmul peak by dtype. "float32" is full precision, as `tpmlp.forward` asks for.
        memory_bytes: its HBM.
        memory_bytes_per_second: between HBM and the cores.
        link_bytes_per_second: what one chip can send to its neighbours in a ring over NVLink or ICI.
        hop_seconds: how long the shortest message takes to the next chip in the ring.
        link_reach: how many chips are wired together by such links.
        network_bytes_per_second: what one chip can send beyond those, its share of its host's network cards.
        chips_per_host: how many chips one host has.
        sources: where each number comes from, by the name of its attribute.
    """

    name: str
    flops_per_second: Mapping[str, float]
    memory_bytes: float
    memory_bytes_per_second: float
    link_bytes_per_second: float
    hop_seconds: float
    link_reach: int
    network_bytes_per_second: float
    chips_per_host: int
    sources: Mapping[str, str]


_BOOK = "https://jax-ml.github.io/scaling-book/"
_NVIDIA = "https://www.nvidia.com/en-us/data-center/"
_HGX = "https://docs.nvidia.com/reference-architectures/hgx-ai-factory-h100-h200-b200/abstract.md"

_NCCL = "https://github.com/NVIDIA/nccl/blob/v2.27.5-1/src/graph/tuning.cc"
_PASSES_PAGE = "https://docs.jax.dev/en/latest/jax.lax.html#jax.lax.DotAlgorithmPreset"
_TPU_PASSES = 6  # a TPU multiplies bfloat16; full float32 precision takes six such passes (BF16_BF16_F32_X6)


def _tpu(
    name: str,
    *,
    tflops: int | float,
    memory_gb: int | float,
    memory_gb_per_second: int | float,
    links: int,
    link_gb_per_second: int | float,
    pod: int,
    network_gb_per_second: int | float,
    network: str,
    chips_per_host: int,
) -> Hardware:
    """A TPU from the numbers on its page; `link_gb_per_second` is one link, one way; the network's is one chip's."""
    page = f"https://docs.cloud.google.com/tpu/docs/{name.removeprefix('TPU ')}"
    both_ways = 2 * links * link_gb_per_second
    return Hardware(
        name=name,
        flops_per_second={"bfloat16": tflops * 1e12, "float32": tflops * 1e12 / _TPU_PASSES},
        memory_bytes=memory_gb * 1e9,
        memory_bytes_per_second=memory_gb_per_second * 1e9,
        link_bytes_per_second=2 * link_gb_per_second * 1e9,
        hop_seconds=0.5e-6,
        link_reach=pod,
        network_bytes_per_second=network_gb_per_second * 1e9,
        chips_per_host=chips_per_host,
        sources={
            "flops_per_second": f"{page}; float32 is a sixth of it, six passes: {_PASSES_PAGE}",
            "memory_bytes": page,
            "memory_bytes_per_second": page,
            "link_bytes_per_second": f"{page}: {both_ways:g} GB/s in and out over {links} links, so "
            f"{link_gb_per_second:g} GB/s out of each; a ring uses two of them: {_BOOK}tpus/",
            "hop_seconds": f"{_BOOK}sharding/: about 1 µs; going both ways round a ring halves the number of hops",
            "link_reach": f"{page}: the chips of one pod",
            "network_bytes_per_second": f"{page}: {network}",
            "chips_per_host": f"{_BOOK}tpus/",
        },
    )


def _gpu(
    name: str,
    page: str,
    *,
    tflops: Mapping[str, int | float],
    tflops_page: str,
    memory_gb: int | float,
    memory_gb_per_second: int | float,
    nvlink_gb_per_second: int | float,
) -> Hardware:
    """An NVIDIA GPU on a board of eight; `nvlink_gb_per_second` is one way."""
    both_ways = 2 * nvlink_gb_per_second
    return Hardware(
        name=name,
        flops_per_second={dtype: value * 1e12 for dtype, value in tflops.items()},
        memory_bytes=memory_gb * 1e9,
        memory_bytes_per_second=memory_gb_per_second * 1e9,
        link_bytes_per_second=nvlink_gb_per_second * 1e9,
        hop_seconds=0.6e-6,
        link_reach=8,
        network_bytes_per_second=50e9,
        chips_per_host=8,
        sources={
            "flops_per_second": f"{tflops_page}: half of what it gives with sparsity; float32 without tensor cores",
            "memory_bytes": page,
            "memory_bytes_per_second": page,
            "link_bytes_per_second": f"{page}: NVLink {both_ways:g} GB/s, in and out; {_BOOK}gpus/",
            "hop_seconds": f"{_NCCL}: hwLatencies of a ring over NVLink, protocol LL",
            "link_reach": f"{_BOOK}gpus/: one board, joined by NVSwitches",
            "network_bytes_per_second": f"{_HGX}: one 400 Gb/s card for each GPU",
            "chips_per_host": _HGX,
        },
    )


_ALL = (
    _tpu(
        "TPU v5e",
        tflops=197,
        memory_gb=16,
        memory_gb_per_second=819,
        links=4,
        link_gb_per_second=50,
        pod=256,
        network_gb_per_second=3.125,
        network="two 100 Gb/s cards for the 8 chips of a host",
        chips_per_host=8,
    ),
    _tpu(
        "TPU v5p",
        tflops=459,
        memory_gb=95,
        memory_gb_per_second=2765,
        links=6,
        link_gb_per_second=100,
        pod=8960,
        network_gb_per_second=6.25,
        network="50 Gb/s for each chip",
        chips_per_host=4,
    ),
    _tpu(
        "TPU v6e",
        tflops=918,
        memory_gb=32,
        memory_gb_per_second=1638,
        links=4,
        link_gb_per_second=100,
        pod=256,
        network_gb_per_second=12.5,
        network="four 200 Gb/s cards for the 8 chips of a host",
        chips_per_host=8,
    ),
    _gpu(
        "H100",
        _NVIDIA + "h100/",
        tflops={"bfloat16": 989.5, "float32": 67},
        tflops_page=_NVIDIA + "h100/",
        memory_gb=80,
        memory_gb_per_second=3350,
        nvlink_gb_per_second=450,
    ),
    _gpu(
        "H200",
        _NVIDIA + "h200/",
        tflops={"bfloat16": 989.5, "float32": 67},
        tflops_page=_NVIDIA + "h200/",
        memory_gb=141,
        memory_gb_per_second=4800,
        nvlink_gb_per_second=450,
    ),
    _gpu(
        "B200",
        _NVIDIA + "dgx-b200/",
        tflops={"bfloat16": 2250, "float32": 80},
        tflops_page="https://resources.nvidia.com/en-us-blackwell-architecture",
        memory_gb=180,
        memory_gb_per_second=8000,
        nvlink_gb_per_second=900,
    ),
)
HARDWARE = {hardware.name: hardware for hardware in _ALL}
