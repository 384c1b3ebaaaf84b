"""The Python variants of throughput.py, as a child process: throughput.variants ARCH FOLDER taichi_aot|cupy|cuda.core.

A child first does each work once and compares the result with numpy's.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np

from lib.serve import answers, serve
from throughput.workloads import (
    BODIES,
    GRAVITY,
    GRID,
    LENGTH,
    PARTICLES,
    SIDE,
    TIME_STEP,
    Work,
    dam,
    data,
    numpy_works,
    times,
)

CUDA_SOURCE = r"""
extern "C" __global__ void saxpy(float a, const float *x, float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" __global__ void reduction(const float *x, float *total, int n) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i];
  for (int k = 16; k > 0; k /= 2) sum += __shfl_down_sync(0xffffffff, sum, k);
  if (threadIdx.x % 32 == 0) atomicAdd(total, sum);
}

extern "C" __global__ void stencil(const float *old, float *out, int side) {
  int j = blockIdx.x * blockDim.x + threadIdx.x + 1, i = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (i >= side - 1 || j >= side - 1) return;
  const float *here = old + (size_t)i * side + j;
  out[(size_t)i * side + j] = 0.25f * (here[-side] + here[side] + here[-1] + here[1]);
}

extern "C" __global__ void nbody(const float *position, float *acceleration, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = position[3 * i], y = position[3 * i + 1], z = position[3 * i + 2], ax = 0, ay = 0, az = 0;
  for (int j = 0; j < n; ++j) {
    float dx = position[3 * j] - x, dy = position[3 * j + 1] - y, dz = position[3 * j + 2] - z;
    float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-4f);
    float weight = inverse * inverse * inverse;
    ax += dx * weight, ay += dy * weight, az += dz * weight;
  }
  acceleration[3 * i] = ax, acceleration[3 * i + 1] = ay, acceleration[3 * i + 2] = az;
}
"""
# Grid and block of each of them, and the integer argument.
CUDA_LAUNCHES = {
    "saxpy": ((LENGTH // 256,), (256,), LENGTH),
    "reduction": ((2048,), (256,), LENGTH),
    "stencil": ((SIDE // 32, SIDE // 8), (32, 8), SIDE),
    "nbody": ((BODIES // 128,), (128,), BODIES),
}


def package(arch: str, folder: Path) -> dict[str, Work]:
    """taichi_aot, with everything bound."""
    from taichi_aot import Runtime

    rt = Runtime(arch)
    kernels = rt.load_module(folder / "throughput.tcm").kernels
    works = {}
    for name, arrays in data().items():
        elements = (3,) if name == "nbody" else ()
        *inputs, output = [rt.asarray(array, elem_shape=elements) for array in arrays]
        if name == "copy":
            works[name] = Work(times(_copy(output, *inputs), rt.wait), output.to_numpy)
        else:
            scalars = (2.0,) if name == "saxpy" else ()
            works[name] = Work(times(kernels[name].bind(*scalars, *inputs, output), rt.wait), output.to_numpy)
    return works | {"mpm": fluid(rt, folder / "mpm.tcm")}


def _copy(target: Any, source: Any) -> Any:
    return lambda: target.copy_from(source)


def fluid(rt: Any, path: Path) -> Work:
    x = rt.asarray(dam(), elem_shape=2)
    step = (
        rt.load_module(path)
        .graphs["substep"]
        .bind(
            dt=TIME_STEP,
            gravity=GRAVITY,
            x=x,
            v=rt.zeros(PARTICLES, elem_shape=2),
            affine=rt.zeros(PARTICLES, elem_shape=(2, 2)),
            stretch=rt.full(PARTICLES, 1.0, np.float32),
            momentum=rt.zeros((GRID, GRID), elem_shape=2),
            mass=rt.zeros((GRID, GRID)),
        )
    )
    return Work(times(step, rt.wait), x.to_numpy)


def cupy_works() -> dict[str, Work]:
    """CuPy's RawKernel."""
    import cupy

    module = cupy.RawModule(code=CUDA_SOURCE)
    wait = cupy.cuda.get_current_stream().synchronize
    works = {}
    for name, arrays in data().items():
        source, target = (cupy.asarray(array) for array in arrays)
        if name == "copy":
            works[name] = Work(times(_copy_cupy(cupy, target, source), wait), target.get)
        else:
            works[name] = Work(times(_launch_cupy(module, name, source, target), wait), target.get)
    return works


def _copy_cupy(cupy: Any, target: Any, source: Any) -> Any:
    return lambda: cupy.copyto(target, source)


def _launch_cupy(module: Any, name: str, source: Any, target: Any) -> Any:
    kernel = module.get_function(name)
    grid, block, size = CUDA_LAUNCHES[name]
    arguments: tuple[Any, ...] = (source, target, np.int32(size))
    if name == "saxpy":
        arguments = (np.float32(2), *arguments)
    return lambda: kernel(grid, block, arguments)


def cuda_core_works() -> dict[str, Work]:
    """cuda.core, on arrays that CuPy made."""
    import cupy
    from cuda.core import Device, Program, ProgramOptions

    device = Device()
    device.set_current()
    stream = device.create_stream()
    options = ProgramOptions(std="c++17", arch=f"sm_{device.arch}")
    module = Program(CUDA_SOURCE, code_type="c++", options=options).compile("cubin")
    works = {}
    for name, arrays in data().items():
        if name in CUDA_LAUNCHES:
            source, target = (cupy.asarray(array) for array in arrays)
            call = _launch_cuda_core(stream, module.get_kernel(name), name, source, target)
            works[name] = Work(times(call, stream.sync), target.get)
    cupy.cuda.Device().synchronize()
    return works


def _launch_cuda_core(stream: Any, kernel: Any, name: str, source: Any, target: Any) -> Any:
    from cuda.core import LaunchConfig, launch

    grid, block, size = CUDA_LAUNCHES[name]
    config = LaunchConfig(grid=grid, block=block)
    arguments: tuple[Any, ...] = (source.data.ptr, target.data.ptr, np.int32(size))
    if name == "saxpy":
        arguments = (np.float32(2), *arguments)
    return lambda keep=(source, target): launch(stream, config, kernel, *arguments)


def compare(works: dict[str, Work], right: dict[str, Work], variant: str) -> None:
    """Run each work once in both variants and compare the results."""
    for name, work in works.items():
        for one in (work, right[name]):
            one.run(1)
        np.testing.assert_allclose(work.result(), right[name].result(), 1e-3, 1e-3, err_msg=f"{name}/{variant}")


def main() -> None:
    descriptor = answers()
    arch, folder, variant = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    numpy = numpy_works()
    if variant == "taichi_aot":
        works = package(arch, folder)
    else:
        works = {"cupy": cupy_works, "cuda.core": cuda_core_works}[variant]()
    compare(works, numpy, variant)
    runs = {f"{name}/{variant}": work.run for name, work in works.items()}
    serve(runs | {f"{name}/numpy": work.run for name, work in numpy.items()}, descriptor)


if __name__ == "__main__":
    main()
