"""The variants ``arguments/...`` of launch.py, as a child process: launch.arguments ARCH FOLDER KIND.

Each is a loop of checked calls with three small arrays, followed by a wait. The kinds are

own               arrays of this package; on x64 also numpy's
torch, jax, cupy, warp
                  arrays of that framework, and for comparison the package's own in the same process; for CuPy also its
                  RawKernel, for Warp its launch, on x64 also with numpy's and PyTorch's arrays
tvm_ffi           a function in C++ that tvm-ffi has compiled, with PyTorch's tensors; on x64
"""

# Warp reads the annotations of its kernel, so they must not become text.
import sys
from collections.abc import Callable
from functools import partial
from itertools import repeat
from pathlib import Path
from typing import Any

from lib.cuda_source import cupy_module
from lib.serve import Run, answers, serve

SIZE = 16  # elements of an array; kernels use the first
TVM_SOURCE = """
void added(tvm::ffi::TensorView x, tvm::ffi::TensorView y, tvm::ffi::TensorView out) {
  static_cast<float *>(out.data_ptr())[0] =
      static_cast<const float *>(x.data_ptr())[0] + static_cast<const float *>(y.data_ptr())[0];
}
"""


def calls(kernel: Any, arrays: Any, wait: Callable[[], Any]) -> Run:
    """Return a loop of calls of `kernel` with three arrays."""
    x, y, out = arrays

    def run(count: int) -> None:
        for _ in repeat(None, count):
            kernel(x, y, out)
        wait()

    run(1)
    return run


def package(arch: str, folder: Path) -> tuple[Any, Any]:
    """Return a runtime of this package, and the kernel."""
    from taichi_aot import Runtime

    rt = Runtime(arch)
    return rt, rt.load_module(folder / "launch.tcm", {"added": ("x", "y", "out")}).kernels["added"]


def own_arrays(rt: Any) -> list[Any]:
    return [rt.zeros(SIZE) for _ in range(3)]


def own(arch: str, folder: Path) -> dict[str, Run]:
    import numpy as np

    rt, kernel = package(arch, folder)
    runs = {"aot": calls(kernel, own_arrays(rt), rt.wait)}
    if arch == "x64":
        runs["aot_numpy"] = calls(kernel, [np.ones(SIZE, np.float32) for _ in range(3)], rt.wait)
    return runs


def torch(arch: str, folder: Path) -> dict[str, Run]:
    tensors = torch_tensors(arch)
    rt, kernel = package(arch, folder)
    return {
        "aot_torch": calls(kernel, tensors, rt.wait),
        "aot_beside_torch": calls(kernel, own_arrays(rt), rt.wait),
    }


def torch_tensors(arch: str) -> list[Any]:
    import torch

    return [torch.ones(SIZE, device="cpu" if arch == "x64" else arch) for _ in range(3)]


def jax(arch: str, folder: Path) -> dict[str, Run]:
    """Arrays of JAX are read-only, so the kernel writes to one of this package."""
    import jax

    x, y = (jax.device_put(jax.numpy.ones(SIZE), jax.devices("cpu" if arch == "x64" else arch)[0]) for _ in range(2))
    rt, _ = package(arch, folder)
    kernel = rt.load_module(folder / "arguments.tib").kernels["added"]
    own = own_arrays(rt)
    return {"aot_jax": calls(kernel, [x, y, own[2]], rt.wait), "aot_beside_jax": calls(kernel, own, rt.wait)}


def cupy(arch: str, folder: Path) -> dict[str, Run]:
    import cupy

    arrays = [cupy.ones(SIZE, cupy.float32) for _ in range(3)]
    rt, kernel = package(arch, folder)
    added = cupy_module(folder).get_function("added")

    def launch(x: Any, y: Any, out: Any) -> None:
        added((1,), (1,), (x, y, out))

    return {
        "aot_cupy": calls(kernel, arrays, rt.wait),
        "aot_beside_cupy": calls(kernel, own_arrays(rt), rt.wait),
        "cupy": calls(launch, arrays, cupy.cuda.Device().synchronize),
    }


def warp(arch: str, folder: Path) -> dict[str, Run]:
    import warp as wp

    wp.config.quiet = True
    wp.config.kernel_cache_dir = str(folder / "warp")
    wp.init()

    @wp.kernel
    def added(
        x: wp.array(dtype=wp.float32),  # pyright: ignore[reportInvalidTypeForm]
        y: wp.array(dtype=wp.float32),  # pyright: ignore[reportInvalidTypeForm]
        out: wp.array(dtype=wp.float32),  # pyright: ignore[reportInvalidTypeForm]
    ):
        i = wp.tid()
        out[i] = x[i] + y[i]

    device = "cpu" if arch == "x64" else "cuda:0"

    def launch(x: Any, y: Any, out: Any) -> None:
        wp.launch(added, dim=1, inputs=[x, y, out], device=device)

    wait = partial(wp.synchronize_device, device)
    arrays = [wp.ones(SIZE, dtype=wp.float32, device=device) for _ in range(3)]
    rt, kernel = package(arch, folder)
    runs = {
        "aot_warp": calls(kernel, arrays, rt.wait),
        "aot_beside_warp": calls(kernel, own_arrays(rt), rt.wait),
        "warp": calls(launch, arrays, wait),
    }
    if arch == "x64":
        import numpy as np
        import torch

        runs["warp_numpy"] = calls(launch, [np.ones(SIZE, np.float32) for _ in range(3)], wait)
        runs["warp_torch"] = calls(launch, [torch.ones(SIZE) for _ in range(3)], wait)
    return runs


def tvm_ffi(arch: str, folder: Path) -> dict[str, Run]:
    import tvm_ffi.cpp

    (folder / "tvm_ffi").mkdir(exist_ok=True)
    module = tvm_ffi.cpp.load_inline(
        name="added", cpp_sources=TVM_SOURCE, functions="added", build_directory=str(folder / "tvm_ffi")
    )
    return {"tvm_ffi": calls(module.added, torch_tensors(arch), lambda: None)}


KINDS = {"own": own, "torch": torch, "jax": jax, "cupy": cupy, "warp": warp, "tvm_ffi": tvm_ffi}


def main() -> None:
    descriptor = answers()
    arch, folder, kind = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    serve(KINDS[kind](arch, folder), descriptor)


if __name__ == "__main__":
    main()
