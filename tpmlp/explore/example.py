"""What an explorer shows when it is given nothing: the specification's example 2."""

from ..examples import EXAMPLES
from ..tracing import Trace, trace


def example_trace() -> Trace:
    """A trace of example 2."""
    return trace(**EXAMPLES[1].inputs)
