"""The kernels of the demos but mpm88, in one bundle.

python -m taichi_aot build examples/gallery/demos.py -o taichi_aot/demo/demos.tib --arch x64,vulkan,cuda
"""

import taichi as ti

ti.init(fast_math=False)

# A file exports its kernels when it is imported.
import filter_kernels  # noqa: E402, F401
import julia_kernels  # noqa: E402, F401
import life_kernels  # noqa: E402, F401
import nbody_kernels  # noqa: E402, F401
import wave_kernels  # noqa: E402, F401
