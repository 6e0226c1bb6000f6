"""Faults in how the function is called and what it returns."""

from .fault import COMPILED, TWO_UNITS, YOUR_TURN, Fault

FORM: tuple[Fault, ...] = (
    Fault("not-callable", "This is not a function.", "Give the function itself, not its result.", YOUR_TURN),
    Fault("cannot-be-loaded", "The file could not be loaded.", "Run the file by itself with python.", YOUR_TURN),
    Fault("process-died", "Python itself died.", "Run the file by itself with python.", YOUR_TURN),
    Fault(
        "wrong-arguments",
        "It does not take the five arrays x, w1, b1, w2, b2.",
        "Compare the first line of your function with that of tpmlp.forward.",
        YOUR_TURN,
        ("raises", "lists-refused"),
    ),
    Fault("raises", "It raises an error.", "Read the last line of the message, then your line above it.", YOUR_TURN),
    Fault(
        "runs-too-long",
        "It did not come back in time and was stopped.",
        "Look for a loop without an end.",
        YOUR_TURN,
    ),
    Fault("returns-nothing", "It returns None.", "Is there a return at the end?", YOUR_TURN),
    Fault("not-a-dict", "It does not return a dict.", "The specification asks for a dict with two keys.", YOUR_TURN),
    Fault("wrong-keys", 'The keys are not exactly "out" and "hidden".', "Compare them letter by letter.", YOUR_TURN),
    Fault(
        "out-and-hidden-swapped",
        'What belongs under "out" stands under "hidden", and the other way round.',
        "Which of the two has O columns?",
        YOUR_TURN,
        ("wrong-shape", "out-not-replicated", "hidden-not-split"),
    ),
    Fault("wrong-shape", "A shape is wrong.", "Print the shapes, inside the body and outside.", TWO_UNITS),
    Fault("not-float32", "The results are not float32.", "What is the dtype of the arrays that go in?", YOUR_TURN),
    Fault(
        "not-a-jax-array",
        "The results are not JAX arrays, so they do not lie on the eight devices.",
        "Return what shard_map returns.",
        YOUR_TURN,
        ("out-not-replicated", "hidden-not-split", "cannot-be-traced", "mesh-not-model"),
    ),
    Fault(
        "lists-refused",
        "Plain lists, as in the specification's examples, are refused.",
        "What turns a list into an array without touching a device?",
        YOUR_TURN,
    ),
    Fault(
        "changes-its-inputs",
        "It changes the arrays it was given.",
        "Look for an assignment into an input, or for an operator such as +=.",
        YOUR_TURN,
    ),
    Fault(
        "cannot-be-traced",
        "JAX cannot trace it, so its program cannot be read.",
        "Look for a place that needs the numbers themselves: float(), if, np. functions on JAX arrays.",
        COMPILED,
    ),
)
