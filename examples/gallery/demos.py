"""The kernels of the demos but mpm88, in one bundle, which ``.ci/make_demos.py`` writes for the package."""

import taichi as ti

ti.init(fast_math=False)

# A file exports its kernels when it is imported.
import filter_kernels  # noqa: E402, F401
import julia_kernels  # noqa: E402, F401
import life_kernels  # noqa: E402, F401
import nbody_kernels  # noqa: E402, F401
import wave_kernels  # noqa: E402, F401
