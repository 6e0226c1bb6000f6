"""The MLP of published language models. Their "batch" B is the number of tokens that are worked on together."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Model:
    """One model's MLP, which is the same in every layer.

    Attributes:
        D: size of its input, and of its output (so O is D).
        H: hidden units.
        layers: how many layers, each with one such MLP.
        gated: whether a second matrix of W1's shape gates the hidden units.
        source: where the sizes are published.
    """

    D: int
    H: int
    layers: int
    gated: bool
    source: str

    @property
    def sizes(self) -> dict[str, int]:
        """`{"D": …, "H": …, "O": …}`, to be passed on with `**`."""
        return {"D": self.D, "H": self.H, "O": self.D}


MODELS = {
    "OPT-175B": Model(
        D=12288,
        H=4 * 12288,
        layers=96,
        gated=False,
        source="Zhang et al. 2022, arXiv:2205.01068, table 1, and section 2.2 for relu; H is 4 D as in GPT-3",
    ),
    "Llama-3-70B": Model(
        D=8192,
        H=28672,
        layers=80,
        gated=True,
        source="Grattafiori et al. 2024, arXiv:2407.21783, table 3 (SwiGLU)",
    ),
}
