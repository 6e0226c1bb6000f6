"""PyTorch's tensor parallelism: `parallelize_module` over eight processes that talk by gloo.

This file is both sides: `Torch` starts the processes and asks for runs; run as a script it is one of them.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

PROCESSES = 8


class Torch:
    """Eight processes with the MLP split over them; use it in a `with`, and call `run` for one forward."""

    def __init__(self, sizes: dict[str, int], arrays: list[np.ndarray]):
        self._sizes, self._arrays = sizes, arrays

    def __enter__(self) -> "Torch":
        self._folder = tempfile.TemporaryDirectory()
        folder = Path(self._folder.name)
        np.savez(folder / "inputs.npz", *self._arrays)
        self._processes = [_Process(folder, rank) for rank in range(PROCESSES)]
        try:
            for process in self._processes:
                process.expect("ready")
        except RuntimeError:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_) -> None:
        for process in self._processes:
            process.close()
        self._folder.cleanup()

    def run(self) -> None:
        """One forward on all processes; returns when every one is done."""
        self._ask("run")

    def outputs(self) -> dict[str, np.ndarray]:
        """`out` of the first process, and the `hidden` blocks of all, put together."""
        self._ask("save")
        saved = [np.load(Path(self._folder.name) / f"{rank}.npz") for rank in range(PROCESSES)]
        return {"out": saved[0]["out"], "hidden": np.concatenate([each["hidden"] for each in saved], axis=1)}

    def _ask(self, word: str) -> None:
        for process in self._processes:
            process.say(word)
        for process in self._processes:
            process.expect("done")


class _Process:
    """One of the eight, seen from outside: lines go in and come out."""

    def __init__(self, folder: Path, rank: int):
        self._errors = (folder / f"{rank}.log").open("w+")
        self._popen = subprocess.Popen(
            [sys.executable, "-m", __name__, str(folder), str(rank)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            bufsize=1,
        )
        assert self._popen.stdin is not None
        assert self._popen.stdout is not None
        self._in, self._out = self._popen.stdin, self._popen.stdout

    def say(self, word: str) -> None:
        self._in.write(f"{word}\n")

    def expect(self, word: str) -> None:
        if self._out.readline() != f"{word}\n":
            self._errors.seek(0)
            raise RuntimeError(f"a PyTorch process stopped before it was {word}:\n{self._errors.read()}")

    def close(self) -> None:
        self._in.close()
        self._popen.wait(60)
        self._out.close()
        self._errors.close()


def main(folder: Path, rank: int) -> None:
    """One process: build its part of the MLP, then run a forward for every line on stdin."""
    import torch  # pyright: ignore[reportMissingImports]
    from torch import distributed  # pyright: ignore[reportMissingImports]
    from torch.distributed.device_mesh import init_device_mesh  # pyright: ignore[reportMissingImports]
    from torch.distributed.tensor import parallel  # pyright: ignore[reportMissingImports]

    class MLP(torch.nn.Module):
        def __init__(self, w1, b1, w2, b2):
            super().__init__()
            self.up, self.down = linear(w1, b1), linear(w2, b2)

        def forward(self, x):
            hidden = torch.relu(self.up(x))
            return self.down(hidden), hidden

    def linear(weight, bias):
        layer = torch.nn.Linear(*weight.shape)
        layer.load_state_dict({"weight": torch.from_numpy(weight.T.copy()), "bias": torch.from_numpy(bias)})
        return layer

    torch.set_num_threads(1)
    store = distributed.FileStore(str(folder / "store"), PROCESSES)
    distributed.init_process_group("gloo", store=store, rank=rank, world_size=PROCESSES)
    arrays = np.load(folder / "inputs.npz")
    x, *weights = (arrays[name] for name in arrays.files)
    mesh = init_device_mesh("cpu", (PROCESSES,), mesh_dim_names=("model",))
    plan = {"up": parallel.ColwiseParallel(), "down": parallel.RowwiseParallel()}
    model = parallel.parallelize_module(MLP(*weights), mesh, plan)
    x = torch.from_numpy(x)
    print("ready", flush=True)
    # Not inference_mode: in it DTensor does not take linear apart, and gathers where one all-reduce would do.
    with torch.no_grad():
        for line in sys.stdin:
            out, hidden = model(x)
            out = getattr(out, "wait", lambda out=out: out)()  # the all-reduce may still be under way
            if line == "save\n":
                np.savez(folder / f"{rank}.npz", out=out.numpy(), hidden=hidden.numpy())
            print("done", flush=True)
    distributed.destroy_process_group()


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
