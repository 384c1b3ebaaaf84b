"""The cost of starting: imports, the first result of a new process, loading of modules, memory in use.

The package is installed from a wheel into an environment of its own, with bytecode and with links to the numpy and cffi
of this one. ``--wheel`` names the wheel; otherwise it is built from this checkout, which needs setuptools, patchelf and
a C compiler. A machine without Taichi and without a compiler gets modules and programs from build_modules.py. Each
number comes from a separate process, and the processes take turns. Files are in the page cache, as at a program's
second and later starts, and code for a GPU in the driver's cache.

import_numpy, import_taichi_aot  only the import statement, timed within the process
process_...                      from the start of a process to its first line, with this imported
first_c, first_taichi_aot        from the start of a process to the first result: runtime, module (in C a folder, since
                                 the library accepts only folders on LLVM archs), arrays, launch, copy back
first_library                    on x64 and CUDA, first_taichi_aot without machine code and PTX: by the C library
load_c, load_folder, load_tcm, load_library
                                 loading a module of one kernel and fetching the kernel, the first time in a process
load_again                       the same again in the same process, from the archive
load_next, read_next             the same for other modules of one kernel in a process that has loaded one, and only
                                 reading their bytes
load_..._1000                    the same for a module of 1,000 kernels, but fetching one; --kernels N: for N kernels
load_..._1000_all                and fetching the other kernels too
launch_1000                      and launching each of them once

The processes report the memory that they use after their first result or import, in MB: rss_mb.

With ``--quadrants`` it compares programs of kernels of Quadrants instead: see startup/quadrants.py.
"""

from __future__ import annotations

import statistics
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from lib import build
from lib.harness import TI_ARCHS, Bench, Result, bench, over, parser, turns
from lib.installed import build_wheel, install, without_python

IMPORT_BUDGET = 1.35  # times the import of numpy
FIRST_BUDGET_MS = 25.0  # over C, without the import of numpy
SMALL_BUDGET_MS = 8.0  # loading a module of one kernel, over C
LARGE_BUDGET_MS, AGAIN_BUDGET_MS = 80.0, 10.0  # loading one of 1,000, the first time and again
# On the CPU
START_TIMES, START_MS = 1.15, 25.0  # a first result, over starting a process that imports numpy
NEXT_BUDGET_MS = 0.2  # loading another module of one kernel, over reading its bytes
LAUNCH_BUDGET_MS = 50.0  # loading 1,000 kernels and launching each
# On CUDA, with PTX
FETCH_BUDGET_MS = 300.0  # loading 1,000 kernels and fetching all
OVER_C_MS = 0.0  # a first result
NATIVE_ARCHS = ("x64", "cuda")  # with machine code or PTX
# Variants that are whole processes, and the processes they are.
PROCESSES = {
    "process_python": "python",
    "process_numpy": "numpy",
    "process_taichi_aot": "taichi_aot",
    "first_c": "c",
    "first_taichi_aot": "tcm",
    "first_library": "library",
}
LARGE_ROUNDS = 3  # for variants that fetch all kernels, which takes seconds
IMPORT = """
import time
begin = time.perf_counter_ns()
import {name}
print("import_ns", time.perf_counter_ns() - begin, flush=True)
with open("/proc/self/status") as status:
    print("rss_kb", next(line for line in status if line.startswith("VmRSS:")).split()[1])
"""
Found = dict[str, float]
Process = tuple[Sequence[str | Path], Mapping[str, str]]  # command and environment


def observe(command: Sequence[str | Path], env: Mapping[str, str]) -> Found:
    """Run a process; return the numbers in its lines ``NAME NUMBER``, and the milliseconds until the first line."""
    words = [str(word) for word in command]
    found: Found = {}
    with tempfile.TemporaryFile("w+") as log:
        begin = time.perf_counter()
        with subprocess.Popen(words, env=env, stdout=subprocess.PIPE, stderr=log, text=True) as process:
            assert process.stdout is not None
            for line in process.stdout:
                if len(line.split()) == 2:  # the library may print its own lines
                    found.setdefault("first_ms", (time.perf_counter() - begin) * 1000)
                    name, number = line.split()
                    found[name] = float(number)
        if process.returncode != 0:
            log.seek(0)
            raise SystemExit(f"{Path(words[0]).name} ended with exit status {process.returncode}:\n{log.read()}")
    return found


def commands(work: Bench, kernels: int, wheel: Path | None) -> dict[str, Process]:
    """Return the processes by name."""
    program = work.compile_program("first_result")
    python = install(wheel or build_wheel(work.folder), work.folder / "installed")
    environment = without_python(work.environment)
    scripts, arch = build.BENCHMARKS / "startup", work.real_arch

    def importing(name: str) -> Process:
        return (python, "-c", IMPORT.format(name=name)), environment

    def first(module: str, *all_kernels: str) -> Process:
        return (python, scripts / "first_result.py", arch, work.folder / module, *all_kernels), environment

    def first_c(module: str, fetched: int = 1) -> Process:
        return (program, str(TI_ARCHS[arch]), work.folder / module, str(fetched)), work.c_environment

    large = f"kernels_{kernels}"
    by_library = {**environment, "TAICHI_AOT_NATIVE": "0"}
    native = {"library": (first("kernels_1.tcm")[0], by_library)} if arch in NATIVE_ARCHS else {}

    return native | {
        "python": importing("sys"),
        "numpy": importing("numpy"),
        "taichi_aot": importing("taichi_aot"),
        "c": first_c("kernels_1"),
        "folder": first("kernels_1"),
        "tcm": first("kernels_1.tcm"),
        "next": ((python, scripts / "loads.py", arch, work.folder / "kernels_1.tcm"), environment),
        f"c_{kernels}": first_c(large),
        f"tcm_{kernels}": first(f"{large}.tcm"),
        f"c_{kernels}_all": first_c(large, kernels),
        f"tcm_{kernels}_all": first(f"{large}.tcm", "all"),
    }


def evaluate(found: dict[str, list[Found]], result: Result, kernels: int) -> None:
    def add(variant: str, process: str, number: str, nanoseconds: bool = True) -> None:
        result.add(variant, [one[number] / (1e6 if nanoseconds else 1) for one in found[process]])

    for name in ("numpy", "taichi_aot"):
        add(f"import_{name}", name, "import_ns")
    for variant, process in PROCESSES.items():
        if process not in found:
            continue
        add(variant, process, "first_ms", nanoseconds=False)
        result.variants[variant]["rss_mb"] = statistics.median(one["rss_kb"] for one in found[process]) / 1000
    for name, observed in found.items():
        if "load_ns" in observed[0]:
            add(f"load_{name}", name, "load_ns")
        if "rss_kb" in observed[0] and f"load_{name}" in result.variants:
            result.variants[f"load_{name}"]["rss_mb"] = statistics.median(one["rss_kb"] for one in observed) / 1000
    add("read_next", "next", "read_ns")
    add("load_again", "tcm", "load_again_ns")
    add(f"launch_{kernels}", f"tcm_{kernels}_all", "launch_ns")
    add(f"load_again_{kernels}", f"tcm_{kernels}", "load_again_ns")
    judge(found, result, kernels)


def judge(found: dict[str, list[Found]], result: Result, kernels: int) -> None:
    ratio = result.variants["import_taichi_aot"]["ms"] / result.variants["import_numpy"]["ms"]
    result.budget("import taichi_aot", ratio, IMPORT_BUDGET, "times import numpy")
    small, c_small = ([one["load_ns"] / 1e6 for one in found[name]] for name in ("folder", "c"))
    difference, interval = over(small, c_small)
    result.budget("load and fetch one kernel, over c", difference, SMALL_BUDGET_MS, "ms", interval)
    large, again = (result.variants[f"load_{name}_{kernels}"]["ms"] for name in ("tcm", "again"))
    result.budget(f"load {kernels:,} kernels and fetch one", large, LARGE_BUDGET_MS, "ms")
    result.budget(f"load {kernels:,} kernels again", again, AGAIN_BUDGET_MS, "ms")
    taichi_aot, c, numpy, python = (
        [one["first_ms"] for one in found[name]] for name in ("tcm", "c", "numpy", "python")
    )
    allowed = [a + b - c for a, b, c in zip(c, numpy, python, strict=True)]
    difference, interval = over(taichi_aot, allowed)
    result.budget("start to first result over c and the import of numpy", difference, FIRST_BUDGET_MS, "ms", interval)
    if result.arch == "x64":
        judge_on_the_cpu(taichi_aot, numpy, result, kernels)
    if result.arch == "cuda":
        judge_on_cuda(taichi_aot, c, result, kernels)


def judge_on_the_cpu(first: list[float], numpy: list[float], result: Result, kernels: int) -> None:
    difference, interval = over(first, [START_TIMES * time for time in numpy])
    what = f"start to first result over {START_TIMES} times that of numpy's import"
    result.budget(what, difference, START_MS, "ms", interval)
    of_next, of_reading, of_all = (
        result.variants[name]["ms"] for name in ("load_next", "read_next", f"launch_{kernels}")
    )
    result.budget("load the next kernel, over reading its module", of_next - of_reading, NEXT_BUDGET_MS, "ms")
    result.budget(f"load {kernels:,} kernels and launch each", of_all, LAUNCH_BUDGET_MS, "ms")


def judge_on_cuda(first: list[float], c: list[float], result: Result, kernels: int) -> None:
    difference, interval = over(first, c)
    result.budget("start to first result over c", difference, OVER_C_MS, "ms", interval)
    of_all = result.variants[f"load_tcm_{kernels}_all"]["ms"]
    result.budget(f"load {kernels:,} kernels and fetch all", of_all, FETCH_BUDGET_MS, "ms")


def main() -> None:
    arguments = parser("What it takes to start.", rounds=20)
    arguments.add_argument("--kernels", type=int, default=1000, help="in the large module (default: %(default)s)")
    arguments.add_argument("--wheel", type=Path, help="of the package (default: built from this checkout)")
    arguments.add_argument("--quadrants", action="store_true", help="kernels of Quadrants, in its environment")
    given = arguments.parse_args()
    if given.quadrants:
        from startup.quadrants import measure  # whose imports are in that environment

        result = measure(given.rounds, given.kernels)
        result.print()
        result.write(given.json)
        return
    result = Result("startup", given.arch, "ms")
    with bench(given.arch) as work:
        work.modules("kernels_1", f"kernels_{given.kernels}")
        processes = commands(work, given.kernels, given.wheel)
        found: dict[str, list[Found]] = {name: [] for name in processes}
        quick = [name for name in processes if not name.endswith("_all")]
        for name in turns(quick, given.rounds, f"startup on {given.arch}"):
            found[name].append(observe(*processes[name]))
        slow = [name for name in processes if name.endswith("_all")]
        for name in turns(slow, min(given.rounds, LARGE_ROUNDS), f"all kernels on {given.arch}"):
            found[name].append(observe(*processes[name]))
    evaluate(found, result, given.kernels)
    result.print()
    result.write(given.json)


if __name__ == "__main__":
    main()
