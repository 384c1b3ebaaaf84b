"""The cost of a launch, from plain C to the Taichi JIT.

The kernel is ``saxpy`` on one element, with a number and two arrays. A batch is a number of launches and a wait for the
device. Each variant counts the time of both, so archs that queue launches execute them within the batch. The variants:

c                a C program
raw              the library's function through cffi, with prepared arguments, without checks
sequence         ``runtime.sequence([launch])(repeat=count)``; recorded on Vulkan and CUDA
bound            ``launch = kernel.bind(a, x, y)``, then ``launch()``; on CUDA launched through the driver
checked          ``kernel(a, x, y)``
checked_by_name  ``kernel(a=a, x=x, y=y)``
shapes           ``kernel(a, x, y)``, with the stated shapes ``{"x": "n", "y": "n"}``
ctypes           the library's function through ctypes, with prepared arguments, without checks
library_...      on Vulkan and CUDA: sequence, bound and checked by the library (``TAICHI_AOT_CUDA_RECORDING=0``)
taichi_jit       the Taichi JIT, which compiled the kernel in its own process
cupy             on CUDA: CuPy's RawKernel, with the same kernel written in CUDA
cupy_graph       on CUDA: a CUDA graph of 100 of these launches, captured by CuPy
cuda.core        on CUDA: ``launch`` of cuda.core, with the same kernel

On x64 even a parallel loop of one element uses the library's thread pool, whose variation hides the caller's cost: a
caller that is 1 us slower can get a launch that is 3 us slower, or a faster one. A GPU starts many threads too, and a
software driver even more. Therefore each variant also runs a kernel with a serial loop, as ``serial/c`` and so on. The
exception is the stub, which does not run kernels.

Return values are compared with 8 bytes that a kernel writes to an array. These variants wait for each launch:

returned/c        a C program: launch, wait, map, copy, unmap
returned/by_hand  ``launch()``, ``rt.wait()``, ``memory.read(0, 8)``
returned/call     ``value = kernel(a)``
returned/result   ``launch()``, ``value = launch.result()``

Arrays of others are compared with the package's own. These variants call a kernel with three arrays, checked.
The kernel adds the first elements of arrays of 16:

arguments/c            a C program
arguments/aot          ``kernel(x, y, out)`` with arrays of this package
arguments/aot_numpy    the same with numpy's arrays; on x64
arguments/aot_torch    the same with PyTorch's tensors
arguments/aot_jax      the same with two arrays of JAX and one of this package, because JAX's are read-only
arguments/aot_cupy     the same with CuPy's arrays; on CUDA
arguments/aot_warp     the same with arrays of Warp
arguments/aot_beside_  arrays of this package in the process of that framework: the base of its differences
arguments/warp         Warp's ``launch`` with arrays of Warp
arguments/warp_numpy   the same with numpy's arrays, and ``warp_torch`` with PyTorch's tensors; on x64
arguments/tvm_ffi      a function in C++, called through tvm-ffi with PyTorch's tensors; on x64
arguments/cupy         CuPy's RawKernel with CuPy's arrays; on CUDA

On the stub the kernels of Warp and tvm-ffi run, which is one addition; those of this package do not.
"""

from __future__ import annotations

import statistics
from argparse import Namespace
from functools import partial
from importlib.util import find_spec

from lib import raw_binding
from lib.harness import RECORDING_ARCHS, Bench, Child, Measure, Result, bench, over, take_turns

RETURNED = ("by_hand", "call", "result")
PACKAGE = ("sequence", "bound", "checked", "checked_by_name", "shapes")
BUDGETS_US = {"sequence": 0.05, "bound": 0.4, "checked": 2.0, "checked_by_name": 2.5, "shapes": 2.0}
TENSORS_BUDGET_US = 1.0  # of three tensors of PyTorch over three arrays of the package
# The kinds of launch.arguments, and the variants of each. Vulkan takes no arrays of others.
ON_CPU = {
    "own": ("aot", "aot_numpy"),
    "torch": ("aot_torch", "aot_beside_torch"),
    "jax": ("aot_jax", "aot_beside_jax"),
    "warp": ("aot_warp", "aot_beside_warp", "warp", "warp_numpy", "warp_torch"),
    "tvm_ffi": ("tvm_ffi",),
}
ON_CUDA = {
    "own": ("aot",),
    "torch": ("aot_torch", "aot_beside_torch"),
    "jax": ("aot_jax", "aot_beside_jax"),
    "cupy": ("aot_cupy", "aot_beside_cupy", "cupy"),
    "warp": ("aot_warp", "aot_beside_warp", "warp"),
}
ARGUMENTS = {"stub": ON_CPU, "x64": ON_CPU, "vulkan": {"own": ("aot",)}, "cuda": ON_CUDA}
# Long enough for the clock, and short enough that launches do not pile up before the wait.
BATCH = {"stub": 1000, "x64": 50, "vulkan": 100, "cuda": 100}
# Number of starts of the processes: the placement of threads and memory makes a difference of microseconds.
STARTS = 5
IN_CUDA = ("cupy", "cupy_graph", "cuda.core")  # without a kernel with a serial loop
NO_JIT = "variant taichi_jit left out: the JIT does not use the C library, so there is no stub for it"


def start(work: Bench, graphs: bool) -> tuple[dict[str, Child], list[str]]:
    """Start the variants' processes; for kernels, add other packages. Return them, and notes on missing ones."""
    children = {"c": work.program(), "raw": work.python("launch.variants", "raw", raw=True)}
    children |= dict.fromkeys(PACKAGE, work.python("launch.variants", "package"))
    children["ctypes"] = work.python("launch.variants", "ctypes", work.library, raw=True)
    if work.arch in RECORDING_ARCHS:
        library = work.python("launch.variants", "package", library=True)
        children |= {f"library_{name}": library for name in ("sequence", "bound", "checked")}
    notes = []
    if work.arch == "stub":
        notes.append(NO_JIT)
        return children, notes
    others = {"taichi_jit": ("taichi_jit",)}
    if work.arch == "cuda" and not graphs:
        others |= {"cupy": ("cupy", "cupy_graph"), "cuda.core": ("cuda.core",)}
    for name, variants in others.items():
        child = work.start_if_possible(name, notes, "launch.variants", name)
        if child is not None:
            children |= dict.fromkeys(variants, child)
    return children, notes


def measures(children: dict[str, Child], kernel: str, batch: int, prefix: str = "") -> dict[str, Measure]:
    """Return, for each variant, a function that measures one batch of launches."""
    commands = {name: kernel if name == "c" else f"{kernel}/{name.removeprefix('library_')}" for name in children}
    return {prefix + name: partial(child.microseconds, commands[name], batch) for name, child in children.items()}


def measures_of_returns(children: dict[str, Child], batch: int) -> dict[str, Measure]:
    """Return functions that measure one batch of launches whose return value is read."""
    named = {f"returned/{name}": children["bound"] for name in RETURNED}
    variants = {name: partial(child.microseconds, name, batch) for name, child in named.items()}
    return {"returned/c": partial(children["c"].microseconds, "stored", batch)} | variants


def measures_of_arguments(work: Bench, program: Child, batch: int, notes: list[str]) -> dict[str, Measure]:
    """Start the processes of `launch.arguments`; return functions that measure a batch of each variant."""
    found = {"arguments/c": partial(program.microseconds, "added", batch)}
    for kind, variants in ARGUMENTS[work.arch].items():
        child = work.start_if_possible(f"arguments/{variants[0]}", notes, "launch.arguments", kind)
        if child is not None:
            found |= {f"arguments/{name}": partial(child.microseconds, name, batch) for name in variants}
    return found


def compare_arguments(samples: dict[str, list[float]], result: Result) -> None:
    """Add how much longer each call with arrays of others takes than with the package's own in the same process."""
    own = samples.get("arguments/aot")
    for name, times in samples.items():
        if own is None or not name.startswith("arguments/"):
            continue
        base = samples.get(f"arguments/aot_beside_{name.removeprefix('arguments/aot_')}", own)
        difference, interval = over(times, base)
        ratio = statistics.median(a / b for a, b in zip(times, base, strict=True))
        result.variants[name] |= {"over_own_us": difference, "over_own_us_95": interval, "times_own": ratio}
        if name == "arguments/aot_torch":
            result.budget(f"{name} over own arrays", difference, TENSORS_BUDGET_US, "us per launch", interval)


def evaluate(samples: dict[str, list[float]], result: Result) -> None:
    """Add each variant's statistics, its cost over C, and whether the cost is within the budget."""
    for name, times in samples.items():
        prefix, _, variant = name.rpartition("/")
        difference, interval = over(times, samples[f"{prefix}/c" if prefix else "c"])
        result.add(name, times, over_c_us=difference, over_c_us_95=interval)
        if variant in BUDGETS_US:
            result.budget(f"{name} over c", difference, BUDGETS_US[variant], "us per launch", interval)
    for name in [name for name in samples if name.endswith("shapes")]:
        pairs = zip(samples[name], samples[name.replace("shapes", "checked")], strict=True)
        result.budget(f"{name} over checked", statistics.median(a / b for a, b in pairs), 1.25, "times")
    for variant in RETURNED[1:] if "returned/by_hand" in samples else ():
        pairs = zip(samples[f"returned/{variant}"], samples["returned/by_hand"], strict=True)
        ratio = statistics.median(times / by_hand for times, by_hand in pairs)
        result.budget(f"returned/{variant} over by_hand", ratio, 1.0, "times")
    compare_arguments(samples, result)


def measure(given: Namespace, benchmark: str, suffix: str = "") -> None:
    """Measure the launch of ``saxpy``, or of its graph if the suffix is ``_graph``."""
    samples: dict[str, list[float]] = {}
    with bench(given.arch) as work:
        work.modules("launch", *(("arguments",) if find_spec("jax") and not suffix else ()))
        work.compile_program()
        raw_binding.build(work.folder, work.library)
        starts = min(STARTS, given.rounds)
        for i in range(starts):
            children, notes = start(work, bool(suffix))
            variants = measures(children, f"saxpy{suffix}", BATCH[given.arch])
            if given.arch != "stub":
                ours = {name: child for name, child in children.items() if name not in IN_CUDA}
                variants |= measures(ours, f"serial_saxpy{suffix}", BATCH[given.arch], "serial/")
            if not suffix:
                variants |= measures_of_returns(children, BATCH[given.arch])
                variants |= measures_of_arguments(work, children["c"], BATCH[given.arch], notes)
            title = f"{benchmark} on {given.arch}, {i + 1} of {starts}"
            for name, times in take_turns(variants, given.rounds // starts, title).items():
                samples.setdefault(name, []).extend(times)
            work.end_children()
    result = Result(benchmark, given.arch, "us_per_launch", notes=notes)
    evaluate(samples, result)
    result.print()
    result.write(given.json)
