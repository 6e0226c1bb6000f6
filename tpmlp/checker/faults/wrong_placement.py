"""Faults in where the results lie."""

from .fault import COMPILED, GALLERY, ONE_UNIT, TWO_UNITS, Fault

PLACEMENT: tuple[Fault, ...] = (
    Fault(
        "mesh-not-model",
        'The mesh is not one axis named "model" over all eight devices.',
        "Print your mesh next to tpmlp.make_mesh().",
        ONE_UNIT,
        ("out-not-replicated", "hidden-not-split", "too-many-argument-bytes", "extra-collectives"),
    ),
    Fault(
        "wrong-axis-name",
        "A mesh axis is named that does not exist where it is used.",
        "Compare the names in your specs and in the psum with the mesh's. Does the psum run inside shard_map? Outside "
        "of it there are no axes.",
        ONE_UNIT,
        ("raises",),
    ),
    Fault(
        "out-not-replicated",
        "out is not replicated: not every device holds all of it.",
        "Print out.sharding. Which entry of out_specs says that every device holds the same?",
        ONE_UNIT,
    ),
    Fault(
        "out-differs-between-devices",
        "out is declared replicated, but the devices hold different numbers.",
        "Print every shard of out. Who may switch off check_vma, and at what price?",
        f"{GALLERY}#psum-missing",
    ),
    Fault(
        "hidden-not-split",
        "hidden is not split by columns with device d holding units dH/8 up to (d + 1)H/8 - 1.",
        "Print hidden.sharding. Which dimension of hidden are the units?",
        TWO_UNITS,
        ("extra-collectives",),
    ),
    Fault(
        "wrong-out-specs",
        "out_specs does not say how the devices' blocks make up the whole.",
        "For each result: is it the same on every device, or is it a block, and along which dimension?",
        TWO_UNITS,
        ("wrong-shape", "raises", "out-not-replicated", "hidden-not-split", "out-differs-between-devices"),
    ),
    Fault(
        "replication-not-seen",
        "JAX cannot see that a result declared replicated is the same on every device.",
        "In JAX's eyes psum makes a value the same everywhere. Other collectives need check_vma=False, and care.",
        COMPILED,
        ("raises",),
    ),
)
