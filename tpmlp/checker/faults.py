"""Every fault that the checker can name: its stable code, what it means, and where to look for the cure."""

from dataclasses import dataclass

_GALLERY = "07_wrong_ways.ipynb"
_FIRST = "01_one_unit_per_device.ipynb"
_BLOCKS = "03_two_units_per_device.ipynb"
_YOURS = "06_your_turn.ipynb"
_COMPILED = "08_what_the_compiler_built.ipynb"


@dataclass(frozen=True)
class Fault:
    """One kind of mistake.

    Attributes:
        code: short and stable, such as "b2-in-every-shard".
        says: what is wrong, in one sentence.
        hint: where to look for the cure, without giving it away.
        lesson: the notebook that treats it, with the heading where there is one.
        explains: codes of faults that follow from this one, so that they need not be told as well.
    """

    code: str
    says: str
    hint: str
    lesson: str
    explains: tuple[str, ...] = ()


def _in_gallery(code: str, says: str, hint: str, *explains: str) -> Fault:
    return Fault(code, says, hint, f"{_GALLERY}#{code}", explains)


_VALUES = (
    _in_gallery(
        "b2-in-every-shard",
        "b2 was added on every device before the psum, so it was counted eight times.",
        "The psum adds up all that the eight devices put into it. What of it may go in only once?",
        "more-than-one-psum",
        "extra-collectives",
    ),
    Fault("b2-missing", "b2 is not in out.", "What should out be where hidden is all zeros?", _FIRST),
    Fault("b1-missing", "b1 is not in hidden.", "What should hidden be where x is all zeros?", _FIRST),
    _in_gallery(
        "b1-after-relu",
        "b1 was added after the relu, not before.",
        "Print the smallest entry of hidden. Which step of h = relu(xW1 + b1) is the last?",
    ),
    Fault(
        "relu-missing",
        "There is no relu: negative values pass through.",
        "Print the smallest entry of hidden. Can it be negative?",
        _FIRST,
    ),
    _in_gallery(
        "relu-after-psum",
        "The relu was applied to the sum of the partial outputs, not to each device's hidden units.",
        "relu(a) + relu(b) is not relu(a + b). Between which two matmuls does the relu belong?",
    ),
    _in_gallery(
        "relu-on-partial",
        "A relu was applied to each device's partial output before the psum.",
        "A partial output may be negative: it is one part of a sum.",
    ),
    Fault(
        "relu-on-out",
        "One relu too many: out has no negative entries.",
        "How many relus are in out = hW2 + b2?",
        _FIRST,
    ),
    Fault(
        "out-from-preactivation",
        "hidden is right, but W2 was multiplied with the values before the relu.",
        "Follow the one variable that goes into the second matmul.",
        _FIRST,
    ),
    Fault(
        "hidden-before-relu",
        "What is returned as hidden are the values before the relu.",
        "out is right, so the right values exist in your body. Which variable do you return?",
        _FIRST,
    ),
    _in_gallery(
        "gelu-instead-of-relu",
        "The activation is a gelu.",
        "What becomes of a pre-activation of -0.3? The first example says it.",
    ),
    Fault(
        "leaky-relu-instead-of-relu",
        "The activation is a leaky relu.",
        "What becomes of a pre-activation of -0.3? The first example says it.",
        f"{_GALLERY}#gelu-instead-of-relu",
    ),
    Fault(
        "activation-not-relu",
        "The activation is not a relu.",
        "What becomes of a pre-activation of -0.3? The first example says it.",
        f"{_GALLERY}#gelu-instead-of-relu",
    ),
    _in_gallery(
        "psum-twice",
        "A sum that was complete went through a psum once more, so it is eight times too large.",
        "After a psum every device holds the whole sum. What does a second one add up?",
        "more-than-one-psum",
        "extra-collectives",
    ),
    _in_gallery(
        "psum-missing",
        "The partial outputs were never added up across the devices.",
        "Each device knows only its own H/8 hidden units. What has to happen before anyone knows out?",
        "no-psum",
        "out-differs-between-devices",
        "wrong-out-specs",
        "out-not-replicated",
        "extra-collectives",
        "wrong-shape",
    ),
    _in_gallery(
        "mean-instead-of-sum",
        "The partial outputs were averaged, so hW2 is eight times too small.",
        "Which of JAX's collectives adds, and which one divides as well?",
    ),
    _in_gallery(
        "blocks-in-wrong-order",
        "The hidden units are not where they belong.",
        "Device d holds units dH/8 up to (d + 1)H/8 - 1, in W1, b1, W2 and hidden alike. H = 16 shows more than H = 8.",
    ),
    Fault(
        "same-block-on-every-device",
        "Every device works on the same hidden units.",
        "What tells a device which of the eight it is?",
        f"{_GALLERY}#blocks-in-wrong-order",
    ),
    _in_gallery(
        "h-not-divisible",
        "Where 8 does not divide H, the hidden units left over are dropped without a word.",
        "Try H = 12. An error is better than a wrong answer.",
    ),
    Fault(
        "fixed-size",
        "It is right for one size only.",
        "Look for a number in your code that ought to be a shape.",
        _BLOCKS,
        ("wrong-shape", "raises"),
    ),
    Fault(
        "one-sample-only",
        "It is right only for B = 1, a single sample.",
        "Run the second example, which has two samples, and print the shapes.",
        "02_rows_and_columns.ipynb",
        ("wrong-shape", "raises"),
    ),
    Fault(
        "answers-baked-in",
        "It is right for the specification's numbers, but not for other numbers in the same shapes.",
        "Change one number of the first example and run it again.",
        _FIRST,
    ),
    Fault(
        "low-precision",
        "The values are nearly right, but off by more than float32 explains.",
        "Look for a conversion to a dtype of 16 bits, or for an integer division.",
        _YOURS,
    ),
    Fault(
        "wrong-values",
        "The values are wrong, and the checker cannot tell why.",
        "Run the first example, H = 8, and compare every step of your body with lesson 01.",
        _FIRST,
    ),
)

_FORM = (
    Fault("not-callable", "This is not a function.", "Give the function itself, not its result.", _YOURS),
    Fault("cannot-be-loaded", "The file could not be loaded.", "Run the file by itself with python.", _YOURS),
    Fault("process-died", "Python itself died.", "Run the file by itself with python.", _YOURS),
    Fault(
        "wrong-arguments",
        "It does not take the five arrays x, w1, b1, w2, b2.",
        "Compare the first line of your function with that of tpmlp.forward.",
        _YOURS,
        ("raises", "lists-refused"),
    ),
    Fault("raises", "It raises an error.", "Read the last line of the message, then your line above it.", _YOURS),
    Fault(
        "runs-too-long",
        "It did not come back in time and was stopped.",
        "Look for a loop without an end.",
        _YOURS,
    ),
    Fault("returns-nothing", "It returns None.", "Is there a `return` at the end?", _YOURS),
    Fault("not-a-dict", "It does not return a dict.", "The specification asks for a dict with two keys.", _YOURS),
    Fault("wrong-keys", 'The keys are not exactly "out" and "hidden".', "Compare them letter by letter.", _YOURS),
    Fault(
        "out-and-hidden-swapped",
        'What belongs under "out" stands under "hidden", and the other way round.',
        "Which of the two has O columns?",
        _YOURS,
        ("wrong-shape", "out-not-replicated", "hidden-not-split"),
    ),
    Fault("wrong-shape", "A shape is wrong.", "Print the shapes, inside the body and outside.", _BLOCKS),
    Fault("not-float32", "The results are not float32.", "What is the dtype of the arrays that go in?", _YOURS),
    Fault(
        "not-a-jax-array",
        "The results are not JAX arrays, so they do not lie on the eight devices.",
        "Return what shard_map returns.",
        _YOURS,
        ("out-not-replicated", "hidden-not-split", "cannot-be-traced", "mesh-not-model"),
    ),
    Fault(
        "lists-refused",
        "Plain lists, as in the specification's examples, are refused.",
        "What turns a list into an array without touching a device?",
        _YOURS,
    ),
    Fault(
        "changes-its-inputs",
        "It changes the arrays it was given.",
        "Look for an assignment into an input, or for an operator such as +=.",
        _YOURS,
    ),
    Fault(
        "cannot-be-traced",
        "JAX cannot trace it, so its program cannot be read.",
        "Look for a place that needs the numbers themselves: float(), if, np. functions on JAX arrays.",
        _COMPILED,
    ),
)

_PLACEMENT = (
    Fault(
        "mesh-not-model",
        'The mesh is not one axis named "model" over all eight devices.',
        "Print your mesh next to tpmlp.make_mesh().",
        _FIRST,
        ("out-not-replicated", "hidden-not-split", "too-many-argument-bytes", "extra-collectives"),
    ),
    Fault(
        "wrong-axis-name",
        "A mesh axis is named that the mesh does not have.",
        "Compare the names in your specs and in the psum with the mesh's.",
        _FIRST,
        ("raises",),
    ),
    Fault(
        "out-not-replicated",
        "out is not replicated: not every device holds all of it.",
        "Print out.sharding. Which entry of out_specs says that every device holds the same?",
        _FIRST,
    ),
    Fault(
        "out-differs-between-devices",
        "out is declared replicated, but the devices hold different numbers.",
        "Print every shard of out. Who may switch off check_vma, and at what price?",
        f"{_GALLERY}#psum-missing",
    ),
    Fault(
        "hidden-not-split",
        "hidden is not split by columns with device d holding units dH/8 up to (d + 1)H/8 - 1.",
        "Print hidden.sharding. Which dimension of hidden are the units?",
        _BLOCKS,
        ("extra-collectives",),
    ),
    Fault(
        "wrong-out-specs",
        "out_specs does not say how the devices' blocks make up the whole.",
        "For each result: is it the same on every device, or is it a block, and along which dimension?",
        _BLOCKS,
        ("wrong-shape", "raises", "out-not-replicated", "hidden-not-split", "out-differs-between-devices"),
    ),
)

_STRUCTURE = (
    Fault(
        "no-shard-map",
        "jax.shard_map is not used.",
        "The specification wants the split written by hand: a body that sees one device's blocks.",
        _FIRST,
        ("no-psum", "more-than-one-psum", "too-many-argument-bytes", "extra-collectives", "mesh-not-model"),
    ),
    Fault(
        "no-psum",
        "The partial outputs are not added up by a psum.",
        "Look at the collectives in the report: which one does the specification ask for?",
        _COMPILED,
        ("extra-collectives",),
    ),
    Fault(
        "more-than-one-psum",
        "There is more than one psum.",
        "What has to be summed, and what is the same on every device anyway?",
        _COMPILED,
        ("extra-collectives",),
    ),
    Fault(
        "extra-collectives",
        "The devices talk more than they need to.",
        "Print tpmlp.compiled_facts of your function: each collective names its line.",
        _COMPILED,
    ),
    _in_gallery(
        "w1-split-by-rows",
        "W1 is split by rows; the specification splits it by columns.",
        "Which dimension of W1 are the hidden units?",
        *("extra-collectives", "out-not-replicated", "hidden-not-split", "raises", "fixed-size", "wrong-out-specs"),
        *("more-than-one-psum", "no-psum", "too-many-argument-bytes", "psum-missing", "h-not-divisible"),
    ),
    _in_gallery(
        "w2-split-by-columns",
        "W2 is split by columns; the specification splits it by rows.",
        "Device d multiplies its H/8 hidden units. With which part of W2?",
        *("extra-collectives", "out-not-replicated", "hidden-not-split", "raises", "fixed-size", "wrong-out-specs"),
        *("more-than-one-psum", "no-psum", "too-many-argument-bytes", "psum-missing", "h-not-divisible"),
    ),
    Fault(
        "wrong-in-specs",
        "An input is not split as the specification says.",
        "Which dimension of each input are the hidden units? x and b2 have none.",
        _BLOCKS,
        ("raises", "too-many-argument-bytes", "fixed-size", "extra-collectives"),
    ),
    _in_gallery(
        "weights-closed-over",
        "The weights are not passed as arguments: they are baked into every device's program, in full.",
        "Which arrays does your function use that are not among its parameters?",
        "recompiles-every-call",
        "full-weight-on-every-device",
        "too-many-argument-bytes",
    ),
    _in_gallery(
        "full-weight-built-first",
        "A full weight was built on one device before it was split.",
        "np.asarray stays on the host; what does jnp.asarray do? Let the blocks be cut from the host's array.",
    ),
    Fault(
        "full-weight-on-every-device",
        "A device holds a full weight matrix.",
        "Print w1.shape and w2.shape inside the body.",
        _BLOCKS,
        ("too-many-argument-bytes", "wrong-in-specs"),
    ),
    Fault(
        "too-many-argument-bytes",
        "A device holds more of the inputs than 4(BD + DH/8 + H/8 + HO/8 + O) bytes.",
        "Print the shapes inside the body. Which array is larger than its block?",
        _COMPILED,
    ),
    _in_gallery(
        "recompiles-every-call",
        "It is compiled again at every call, even with the same shapes.",
        "jax.jit remembers by the function it is given. Is that a new function at every call?",
    ),
    _in_gallery(
        "explicit-mesh",
        "The mesh's axes are Explicit, so shard_map refuses plain inputs.",
        "jax.make_mesh makes Explicit axes unless told otherwise. The specification says how.",
        "raises",
    ),
    _in_gallery(
        "old-api-name",
        "A name from an older JAX is used.",
        "Look the name up in today's documentation of jax.shard_map.",
        "raises",
    ),
    _in_gallery(
        "incompatible-devices",
        "An array was put on another device than the others.",
        "Which line places an array, and on which of the eight?",
        "raises",
    ),
    Fault(
        "numpy-in-the-body",
        "A NumPy function is applied to a JAX array that is being traced.",
        "Inside the body only JAX's functions work: jnp, jax.nn, jax.lax.",
        _YOURS,
        ("raises", "cannot-be-traced"),
    ),
)

FAULTS: dict[str, Fault] = {fault.code: fault for fault in (*_VALUES, *_FORM, *_PLACEMENT, *_STRUCTURE)}
