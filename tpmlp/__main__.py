"""`python -m tpmlp`: can this machine run the course? `python -m tpmlp check FILE`: grade a forward in a file."""

import platform
import sys

import jax
import numpy as np

import tpmlp

TOLERANCE = 1e-6


def main() -> int:
    """Print versions, devices and the three examples; 0 if the course can run here, else 1 and why."""
    print(f"Python {platform.python_version()}, jax {jax.__version__}, NumPy {np.__version__}")
    try:
        devices = tpmlp.make_mesh().devices.flat
        print("devices:", ", ".join(f"{device.platform}:{device.id}" for device in devices))
        errors = [_worst_error(example) for example in tpmlp.EXAMPLES]
    except Exception as error:  # whatever it is, it is the reason why the course cannot run
        print(f"This machine cannot run the course: {type(error).__name__}: {error}")
        return 1
    for number, error in enumerate(errors, start=1):
        print(f"example {number}: {'pass' if error <= TOLERANCE else 'FAIL'} (largest error {error:.1e})")
    if max(errors) > TOLERANCE:
        print(f"This machine cannot run the course: an example is off by more than {TOLERANCE:.0e}.")
        return 1
    print("This machine can run the course.")
    return 0


def _worst_error(example: tpmlp.Example) -> float:
    """The largest distance of any entry of `out` and `hidden` from the specification's."""
    trace = tpmlp.trace(**example.inputs)
    pairs = ((trace.out, example.out), (trace.hidden, example.hidden))
    return max(float(np.abs(got - np.asarray(expected)).max()) for got, expected in pairs)


if __name__ == "__main__":
    if sys.argv[1:2] == ["check"]:
        from tpmlp.checker.command import run_and_exit

        run_and_exit(sys.argv[2:])
    sys.exit(main())
