"""Faults in the numbers."""

from .fault import GALLERY, ONE_UNIT, TWO_SAMPLES, TWO_UNITS, YOUR_TURN, Fault, in_gallery

VALUES: tuple[Fault, ...] = (
    in_gallery(
        "b2-in-every-shard",
        "b2 was added on every device before the psum, so it was counted eight times.",
        "The psum adds up all that the eight devices put into it. What of it may go in only once?",
        "more-than-one-psum",
        "extra-collectives",
    ),
    Fault("b2-missing", "b2 is not in out.", "What should out be where hidden is all zeros?", ONE_UNIT),
    Fault("b1-missing", "b1 is not in hidden.", "What should hidden be where x is all zeros?", ONE_UNIT),
    in_gallery(
        "b1-after-relu",
        "b1 was added after the relu, not before.",
        "Print the smallest entry of hidden. Which step of h = relu(xW1 + b1) is the last?",
    ),
    Fault(
        "relu-missing",
        "There is no relu: negative values pass through.",
        "Print the smallest entry of hidden. Can it be negative?",
        ONE_UNIT,
    ),
    in_gallery(
        "relu-after-psum",
        "The relu was applied to the sum of the partial outputs, not to each device's hidden units.",
        "relu(a) + relu(b) is not relu(a + b). Between which two matmuls does the relu belong?",
    ),
    in_gallery(
        "relu-on-partial",
        "A relu was applied to each device's partial output before the psum.",
        "A partial output may be negative: it is one part of a sum.",
    ),
    Fault(
        "relu-on-out",
        "One relu too many: out has no negative entries.",
        "How many relus are in out = hW2 + b2?",
        ONE_UNIT,
    ),
    Fault(
        "out-from-preactivation",
        "hidden is right, but W2 was multiplied with the values before the relu.",
        "Follow the one variable that goes into the second matmul.",
        ONE_UNIT,
    ),
    Fault(
        "hidden-before-relu",
        "What is returned as hidden are the values before the relu.",
        "out is right, so the right values exist in your body. Which variable do you return?",
        ONE_UNIT,
    ),
    in_gallery(
        "gelu-instead-of-relu",
        "The activation is a gelu.",
        "What becomes of a pre-activation of -0.3? The first example says it.",
    ),
    Fault(
        "leaky-relu-instead-of-relu",
        "The activation is a leaky relu.",
        "What becomes of a pre-activation of -0.3? The first example says it.",
        f"{GALLERY}#gelu-instead-of-relu",
    ),
    Fault(
        "activation-not-relu",
        "The activation is not a relu.",
        "What becomes of a pre-activation of -0.3? The first example says it.",
        f"{GALLERY}#gelu-instead-of-relu",
    ),
    in_gallery(
        "psum-twice",
        "A sum that was complete went through a psum once more, so it is eight times too large.",
        "After a psum every device holds the whole sum. What does a second one add up?",
        "more-than-one-psum",
        "extra-collectives",
    ),
    in_gallery(
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
    in_gallery(
        "mean-instead-of-sum",
        "The partial outputs were averaged, so hW2 is eight times too small.",
        "Which of JAX's collectives adds, and which one divides as well?",
    ),
    in_gallery(
        "blocks-in-wrong-order",
        "The hidden units are not where they belong.",
        "Device d holds units dH/8 up to (d + 1)H/8 - 1, in W1, b1, W2 and hidden alike. H = 16 shows more than H = 8.",
    ),
    Fault(
        "same-block-on-every-device",
        "Every device works on the same hidden units.",
        "What tells a device which of the eight it is?",
        f"{GALLERY}#blocks-in-wrong-order",
    ),
    in_gallery(
        "h-not-divisible",
        "Where 8 does not divide H, the hidden units left over are dropped without a word.",
        "Try H = 12. An error is better than a wrong answer.",
    ),
    Fault(
        "fixed-size",
        "It is right for one size only.",
        "Look for a number in your code that ought to be a shape.",
        TWO_UNITS,
        ("wrong-shape", "raises"),
    ),
    Fault(
        "one-sample-only",
        "It is right only for B = 1, a single sample.",
        "Run the second example, which has two samples, and print the shapes.",
        TWO_SAMPLES,
        ("wrong-shape", "raises"),
    ),
    Fault(
        "answers-baked-in",
        "It is right for the specification's numbers, but not for other numbers in the same shapes.",
        "Change one number of the first example and run it again.",
        ONE_UNIT,
    ),
    Fault(
        "low-precision",
        "The values are nearly right, but off by more than float32 explains.",
        "Look for a conversion to a dtype of 16 bits, or for an integer division.",
        YOUR_TURN,
    ),
    Fault(
        "wrong-values",
        "The values are wrong, and the checker cannot tell why.",
        "Run the first example, H = 8, and compare every step of your body with lesson 01.",
        ONE_UNIT,
    ),
)
