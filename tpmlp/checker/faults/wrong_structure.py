"""Faults in the program: its splits, its collectives, its copies of the weights, its compilation."""

from .fault import COMPILED, ONE_UNIT, TWO_UNITS, YOUR_TURN, Fault, in_gallery

STRUCTURE: tuple[Fault, ...] = (
    Fault(
        "no-shard-map",
        "jax.shard_map is not used.",
        "The specification wants the split written by hand: a body that sees one device's blocks.",
        ONE_UNIT,
        ("no-psum", "more-than-one-psum", "too-many-argument-bytes", "extra-collectives", "mesh-not-model"),
    ),
    Fault(
        "no-psum",
        "The partial outputs are not added up by a psum.",
        "Look at the collectives in the report: which one does the specification ask for?",
        COMPILED,
        ("extra-collectives",),
    ),
    Fault(
        "more-than-one-psum",
        "There is more than one psum.",
        "What has to be summed, and what is the same on every device anyway?",
        COMPILED,
        ("extra-collectives",),
    ),
    Fault(
        "extra-collectives",
        "The devices talk more than they need to.",
        "Print tpmlp.compiled_facts of your function: each collective names its line.",
        COMPILED,
    ),
    in_gallery(
        "w1-split-by-rows",
        "W1 is split by rows; the specification splits it by columns.",
        "Which dimension of W1 are the hidden units?",
        *("extra-collectives", "out-not-replicated", "hidden-not-split", "raises", "fixed-size", "wrong-out-specs"),
        *("more-than-one-psum", "no-psum", "too-many-argument-bytes", "psum-missing", "h-not-divisible"),
    ),
    in_gallery(
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
        TWO_UNITS,
        ("raises", "too-many-argument-bytes", "fixed-size", "extra-collectives"),
    ),
    in_gallery(
        "weights-closed-over",
        "The weights are not passed as arguments: they are baked into every device's program, in full.",
        "Which arrays does your function use that are not among its parameters?",
        "recompiles-every-call",
        "full-weight-on-every-device",
        "too-many-argument-bytes",
    ),
    in_gallery(
        "full-weight-built-first",
        "A full weight was built on one device before it was split.",
        "np.asarray stays on the host; what does jnp.asarray do? Let the blocks be cut from the host's array.",
    ),
    Fault(
        "full-weight-on-every-device",
        "A device holds a full weight matrix.",
        "Print w1.shape and w2.shape inside the body.",
        TWO_UNITS,
        ("too-many-argument-bytes", "wrong-in-specs"),
    ),
    Fault(
        "too-many-argument-bytes",
        "A device holds more of the inputs than 4(BD + DH/8 + H/8 + HO/8 + O) bytes.",
        "Print the shapes inside the body. Which array is larger than its block?",
        COMPILED,
    ),
    in_gallery(
        "recompiles-every-call",
        "It is compiled again at every call, even with the same shapes.",
        "jax.jit remembers by the function it is given. Is that a new function at every call?",
    ),
    in_gallery(
        "explicit-mesh",
        "The mesh's axes are Explicit, so shard_map refuses plain inputs.",
        "jax.make_mesh makes Explicit axes unless told otherwise. The specification says how.",
        "raises",
    ),
    in_gallery(
        "old-api-name",
        "A name from an older JAX is used.",
        "Look the name up in today's documentation of jax.shard_map.",
        "raises",
    ),
    in_gallery(
        "incompatible-devices",
        "An array was put on another device than the others.",
        "Which line places an array, and on which of the eight?",
        "raises",
    ),
    Fault(
        "numpy-in-the-body",
        "A NumPy function is applied to a JAX array that is being traced.",
        "Inside the body only JAX's functions work: jnp, jax.nn, jax.lax.",
        YOUR_TURN,
        ("raises", "cannot-be-traced"),
    ),
)
