"""What holds for every unit test."""

import hypothesis
import jax

# No silent promotion: an int or a float64 that slips into the computation is an error here.
jax.config.update("jax_numpy_dtype_promotion", "strict")

# Compiling takes as long as it takes. The same examples on every run, so that a failure can be seen again.
hypothesis.settings.register_profile("course", deadline=None, derandomize=True, max_examples=25)
hypothesis.settings.load_profile("course")
