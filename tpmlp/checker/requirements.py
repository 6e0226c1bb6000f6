"""What the specification asks of a forward."""

# Each requirement of the specification, in the order in which it is told: key → (part, words).
REQUIREMENTS = {
    "runs": ("values", "takes x, w1, b1, w2, b2 and comes back"),
    "keys": ("values", 'a dict with exactly the keys "out" and "hidden"'),
    "shapes": ("values", "out is (B, O), hidden is (B, H)"),
    "dtype": ("values", "both are float32 JAX arrays"),
    "examples": ("values", "the specification's three examples"),
    "hidden": ("values", "hidden = relu(xW1 + b1), other sizes and numbers"),
    "out": ("values", "out = hidden W2 + b2, other sizes and numbers"),
    "lists": ("values", "plain lists are accepted"),
    "inputs": ("values", "the inputs are left as they were"),
    "odd": ("values", "an H that 8 does not divide gives no wrong answer"),
    "mesh": ("placement", 'the mesh is one axis "model" over all eight devices'),
    "specs": ("placement", "W1 and b1 are split by columns, W2 by rows; x and b2 are whole"),
    "replicated": ("placement", "out is replicated on all eight devices"),
    "split": ("placement", "hidden: device d holds units dH/8 to (d+1)H/8-1"),
    "shard_map": ("structure", "jax.shard_map is used"),
    "psum": ("structure", "one psum adds the partial outputs"),
    "collectives": ("structure", "one all-reduce and no other collective"),
    "weights": ("structure", "no device holds a full weight"),
    "bytes": ("structure", "inputs per device: 4(BD + DH/8 + H/8 + HO/8 + O) bytes"),
    "compiles": ("structure", "compiles once per shape"),
}
