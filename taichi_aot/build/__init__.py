"""Compile kernels ahead of time for several archs, into one file.

A file of kernels marks the kernels to export:

    import taichi as ti
    from taichi_aot.build import export

    @export(shapes={"x": "n", "y": "n"})
    @ti.kernel
    def saxpy(a: ti.f32, x: ti.types.ndarray(ti.f32, 1), y: ti.types.ndarray(ti.f32, 1)):
        for i in y:
            y[i] = a * x[i] + y[i]

``python -m taichi_aot build kernels.py``, or `build` here, compiles it. Taichi must be installed on the machine that
builds; only child processes import it.
"""

from ._archs import CudaDevice
from ._options import BuildError
from .compile._children import Progress
from .output._build import BuildResult, BuiltModule, build
from .output._in_program import Module
from .output._python import make_python
from .source._source import export, export_field

__all__ = [
    "BuildError",
    "BuildResult",
    "BuiltModule",
    "CudaDevice",
    "Module",
    "Progress",
    "build",
    "export",
    "export_field",
    "make_python",
]
