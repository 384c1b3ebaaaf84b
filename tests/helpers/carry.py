"""Compile modules on a machine with the compiler, for tests on another one with the device.

    python -m helpers.carry FOLDER --kernels 1000       # in the folder of the tests
    python -m helpers.carry FOLDER --arm64
    python -m helpers.carry FOLDER --cuda
    python -m helpers.carry FOLDER --quadrants          # in the environment of the extra quadrants

``docs/testing.md`` says how to run them. The folder gets the bundles of the programs of ``tests/programs``, and in
``generated/cuda`` the modules of generated kernels for CUDA with the results of the CPU's JIT. With ``--arm64`` it gets
the modules of ``compile_modules.py`` instead, with machine code for arm64 and for Vulkan. With ``--cuda`` it gets most
of those modules for CUDA with PTX, and others that many tests build. With ``--quadrants`` it gets a bundle of kernels
of Quadrants, with the results of its JIT. Existing files are not compiled again.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Callable
from pathlib import Path

from helpers.archives import pack
from helpers.child import TESTS, run_child
from helpers.compile_planned import compile_planned
from helpers.generated import draw
from helpers.generating import carry_models
from helpers.plans import parsed
from helpers.programs import PROGRAMS, build_program
from taichi_aot import Arch
from taichi_aot.adopt._make import module_files
from taichi_aot.adopt._module import ParsedModule
from taichi_aot.build import build
from taichi_aot.build.code._native import with_native_code
from taichi_aot.build.code._ptx import with_ptx

BATCH = 50  # generated kernels per module
WIDE_TYPES = [f"spirv_has_{name}" for name in ("int8", "int16", "int64", "float16", "float64")]
# What tests build for each arch, or for the one that they record on.
SOURCES = (
    "field_kernels",
    "field_steps",
    "kept_kernels",
    "loop_kernels",
    "operator_kernels",
    "pack_kernels",
    "ptx_kernels",
    "simulation",
    "sparse_kernels",
    "stencil_kernels",
    "struct_kernels",
    "tree_kernels",
)
# Of compile_modules.py: those that are compiled without a device.
MODULES = (
    "basic",
    "edges",
    "empty",
    "fields",
    "late_tree",
    "lists",
    "lost_fields",
    "lost_tree",
    "returns",
    "table",
    "trees",
    "kinds",
)
QUADRANTS_ARCHS = (Arch.X64, Arch.VULKAN, Arch.CUDA)
QUADRANTS = TESTS / "helpers" / "quadrants_kernels.py"
QUADRANTS_ON_GPUS = TESTS / "helpers" / "quadrants_gpu_kernels.py"
BODIES = TESTS.parent / "examples" / "bodies_kernels.py"
JACOBI = TESTS.parent / "examples" / "jacobi_kernels.py"


def batch_folder(carried: Path, arch: str, start: int) -> Path:
    """Return the folder of the batch that begins with kernel `start`."""
    return carried / "generated" / arch / f"{start:06}"


def source_path(carried: Path, source: Path, arch: str) -> Path:
    return carried / "sources" / f"{source.stem}-{arch}.tcm"


def main() -> None:
    parser = argparse.ArgumentParser(description="Compile programs and generated kernels for other machines.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--kernels", type=int, default=0, help="generated kernels for CUDA")
    parser.add_argument("--first-kernel", type=int, default=0)
    parser.add_argument("--arm64", action="store_true", help="the modules of most tests, for Linux on arm64")
    parser.add_argument("--cuda", action="store_true", help="the modules of many tests, for CUDA")
    parser.add_argument("--quadrants", action="store_true", help="a bundle of kernels of Quadrants")
    options = parser.parse_args()
    folder: Path = options.folder.resolve()  # the compiler's child processes run in other folders
    folder.mkdir(parents=True, exist_ok=True)
    if options.arm64:
        _carry_machine_code(folder / "compile_modules-arm64")
        _carry_modules("vulkan", folder / "compile_modules-vulkan")
        return
    if options.cuda:
        _carry_cuda(folder)
        return
    if options.quadrants:
        (folder / "quadrants").mkdir()
        carry_quadrants(folder / "quadrants")
        return
    for name in PROGRAMS:
        if not (folder / f"{name}.tib").exists():
            print(build_program(name, folder), flush=True)
    numbers = range(options.first_kernel, options.first_kernel + options.kernels)
    for start in numbers[::BATCH]:
        _carry_batch(batch_folder(folder, "cuda", start), range(start, min(start + BATCH, numbers.stop)))


def _carry_machine_code(folder: Path) -> None:
    """Compile the modules for x64, and add machine code to them, which arm64 machines run."""
    _carry_modules("x64", folder)
    for path in folder.glob("*.tcm"):
        add_machine_code(path)


def _carry_modules(arch: str, folder: Path) -> None:
    folder.mkdir()
    run_child(TESTS / "helpers/compile_modules.py", arch, folder)


def add_machine_code(path: Path) -> None:
    """Add machine code to a module that Taichi wrote."""
    _add_code(path, with_native_code)


def add_ptx(path: Path) -> None:
    """Add PTX to a module for CUDA that Taichi wrote."""
    _add_code(path, with_ptx)


def _add_code(path: Path, compiler: Callable[[ParsedModule, float], ParsedModule]) -> None:
    module = parsed(path)
    compiled = compiler(module, 600)
    if compiled.native is not None or compiled.ptx is not None:
        path.write_bytes(pack(module_files(compiled)))


def _carry_cuda(folder: Path) -> None:
    modules = folder / "compile_modules-cuda"
    modules.mkdir()
    (folder / "sources").mkdir()
    compile_planned("cuda", "compile_modules.py", modules, *MODULES, timeout=600)
    for path in modules.glob("*.tcm"):
        add_ptx(path)
    for source in (*(TESTS / "helpers" / f"{name}.py" for name in SOURCES), JACOBI):
        build(source, source_path(folder, source, "cuda"), archs=["cuda"], caps=WIDE_TYPES)


def carry_quadrants(folder: Path) -> None:
    """Make the bundles of kernels of Quadrants, and a file with what its own JIT computes."""
    build(QUADRANTS, folder / "kernels.tib", archs=QUADRANTS_ARCHS, math="exact", caps=WIDE_TYPES)
    build(BODIES, folder / "bodies.tib", archs=QUADRANTS_ARCHS, math="exact")
    build(QUADRANTS_ON_GPUS, folder / "gpu.tib", archs=(Arch.VULKAN, Arch.CUDA))
    run_child(TESTS / "helpers" / "quadrants_cases.py", folder / "results.npz")


def _carry_batch(folder: Path, numbers: range) -> None:
    if folder.exists():
        return
    part = folder.with_suffix(".part")  # renamed when complete
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    carry_models("cuda", draw("cuda", numbers), part)
    part.rename(folder)
    print(folder, flush=True)


if __name__ == "__main__":
    main()
