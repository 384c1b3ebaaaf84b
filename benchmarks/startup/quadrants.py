"""Programs of kernels of Quadrants by its own JIT and by this package: from start to end, and by call.

    python benchmarks/startup.py --quadrants        # in the environment of the extra quadrants

cold_N, warm_N     N small kernels, each launched once, by the JIT with an empty and with a full cache
fast_N             the same with fastcache=True and a full cache
bundle_N           the same by this package
import             starting Python and importing numpy
call_...           a call in a loop: of 1 task with a number and an array of 64 elements, of 1 task on a field, and
                   of 2 tasks with two arrays

Beside the time is that of the cores, cpu_ms, on which other load on the machine has less influence.
"""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path

from lib.harness import Result, turns
from taichi_aot.build import build

COUNTS = (1, 20, 200)
LARGE_ROUNDS = 3  # of 200 kernels with an empty cache, which takes seconds
CALLS, BATCHES = 50, 400  # in a loop, and loops of which the fastest counts
HEAD = "import quadrants as qd\nX = qd.types.ndarray(dtype=qd.f32, ndim=1)\n"
EXPORT = "from taichi_aot.build import export\n"
KERNEL = """
{export}@qd.kernel{options}
def k{i}(a: qd.f32, x: X):
    for i in x:
        x[i] = qd.sin(a * x[i]) + qd.sqrt(x[i] + {i}.5)
"""
START = 'qd.init(arch=qd.cpu, offline_cache=True, offline_cache_file_path={cache!r}, log_level="error")\n'
JIT = """
x = qd.ndarray(qd.f32, (64,))
for kernel in ({names}):
    kernel(2.0, x)
assert x.to_numpy()[0] > 0
"""
BUNDLE = """
import taichi_aot
with taichi_aot.Runtime("cpu") as rt:
    kernels, x = rt.load_module({bundle!r}).kernels, rt.zeros(64)
    for name in ({names}):
        kernels[name](2.0, x)
    assert x.to_numpy()[0] > 0
"""
CALLED = """
grid = qd.field(qd.f32, shape=64)
{export}@qd.kernel
def number(a: qd.f32, x: X):
    for i in range(64):
        x[i] += a
{export}@qd.kernel
def field(a: qd.f32):
    for i in grid:
        grid[i] += a
{export}@qd.kernel
def arrays(a: qd.f32, x: X, y: X):
    for i in x:
        y[i] += a * x[i]
"""
TIMES = """
import time
for name, kernel, arguments in (
    ("number", number, (2.0, x)), ("field", field, (2.0,)), ("arrays", arrays, (2.0, x, y))
):
    for _ in range(100):
        kernel(*arguments)
    best = 1e9
    for _ in range({batches}):
        begin = time.perf_counter()
        for _ in range({count}):
            kernel(*arguments)
        best = min(best, time.perf_counter() - begin)
    print(name, 1e6 * best / {count})
"""


def measure(rounds: int, most: int) -> Result:
    """Measure all variants of at most so many kernels, which take turns."""
    counts = [count for count in COUNTS if count <= most]
    result = Result("quadrants", "x64", "ms")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        programs = {"import": folder / "import.py"}
        programs["import"].write_text("import numpy\n")
        for count in counts:
            programs |= _programs(folder, count)
        found: dict[str, list[float]] = {each: [] for each in programs}
        cores: dict[str, list[float]] = {each: [] for each in programs}
        for variant in programs:  # which fills the caches
            _run(programs[variant])
        large = f"cold_{COUNTS[-1]}"
        for variant in [*turns([*programs], rounds, "starts of Quadrants")]:
            if variant == large and len(found[variant]) >= LARGE_ROUNDS:
                continue
            if variant.startswith("cold"):
                shutil.rmtree(programs[variant].with_suffix(""))
            begin, used = time.perf_counter(), _used()
            _run(programs[variant])
            found[variant].append(1000 * (time.perf_counter() - begin))
            cores[variant].append(1000 * (_used() - used))
        for variant, samples in found.items():
            result.add(variant, samples, cpu_ms=min(cores[variant]))
        calls: dict[str, list[float]] = {}
        for variant, program in [*_calling(folder).items()] * min(rounds, LARGE_ROUNDS):
            for kernel, time_us in _numbers(_run(program)).items():
                calls.setdefault(f"call_{kernel}_{variant}", []).append(time_us / 1000)
        for variant, samples in sorted(calls.items()):
            result.add(variant, samples, us=1000 * min(samples))
    return result


def _programs(folder: Path, count: int) -> dict[str, Path]:
    """Write the programs of so many kernels; return them by variant."""
    names = "".join(f"k{i}, " for i in range(count))
    quoted = "".join(f'"k{i}", ' for i in range(count))
    source = folder / f"kernels_{count}.py"
    source.write_text(HEAD + EXPORT + _kernels(count, export="@export\n"))
    bundle = folder / f"kernels_{count}.tib"
    build(source, bundle, archs=["x64"])
    found = {f"bundle_{count}": BUNDLE.format(bundle=str(bundle), names=quoted)}
    for variant, options in (("cold", ""), ("warm", ""), ("fast", "(fastcache=True)")):
        cache = str(folder / f"{variant}_{count}")
        program = HEAD + START.format(cache=cache) + _kernels(count, options=options) + JIT.format(names=names)
        found[f"{variant}_{count}"] = program
    for variant, text in found.items():
        (folder / f"{variant}.py").write_text(text)
    return {variant: folder / f"{variant}.py" for variant in found}


def _kernels(count: int, export: str = "", options: str = "") -> str:
    return "".join(KERNEL.format(i=i, export=export, options=options) for i in range(count))


def _calling(folder: Path) -> dict[str, Path]:
    """Write the programs that time calls; return them by variant."""
    source, bundle = folder / "called.py", folder / "called.tib"
    source.write_text(HEAD + EXPORT + CALLED.format(export="@export\n"))
    build(source, bundle, archs=["x64"])
    arrays = "x, y = qd.ndarray(qd.f32, (64,)), qd.ndarray(qd.f32, (64,))\n"
    start = START.format(cache=str(folder / "called"))
    ours = (
        f"import taichi_aot\nrt = taichi_aot.Runtime('cpu')\nkernels = rt.load_module({str(bundle)!r}).kernels\n"
        "number, field, arrays = kernels['number'], kernels['field'], kernels['arrays']\n"
        "x, y = rt.zeros(64), rt.zeros(64)\n"
    )
    texts = {"jit": HEAD + start + CALLED.format(export="") + arrays, "bundle": ours}
    for variant, text in texts.items():
        (folder / f"calls_{variant}.py").write_text(text + TIMES.format(count=CALLS, batches=BATCHES))
    return {variant: folder / f"calls_{variant}.py" for variant in texts}


def _used() -> float:
    """Return the seconds of cores that processes of this one have used."""
    found = resource.getrusage(resource.RUSAGE_CHILDREN)
    return found.ru_utime + found.ru_stime


def _run(program: Path) -> str:
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, check=False, timeout=600)
    if done.returncode:
        raise SystemExit(f"{program.name} ended with exit status {done.returncode}:\n{done.stderr}")
    return done.stdout


def _numbers(printed: str) -> Mapping[str, float]:
    pairs = (line.split() for line in printed.splitlines() if not line.startswith("["))
    return {name: float(number) for name, number in pairs}
