"""What it takes to start: imports, the first result of a new process, loading of modules, memory in use.

Every number comes from a process of its own, and the processes take turns. Files are in the page cache, as they are
from a program's second start on.

import_numpy, import_taichi_aot  the import statement alone, timed within the process
process_python, process_numpy    from the start of a process to its first line, with nothing or numpy imported
first_c, first_taichi_aot        from the start of a process to the first result: runtime, module (a folder, since the
                                 C library takes nothing else on LLVM archs), arrays, launch, copy back
load_c, load_folder, load_tcm    loading of a module of one kernel, and fetching of it, the first time in a process
load_again                       the same once more in the same process, from the archive
load_..._1000                    the same for a module of 1,000 kernels, all of which are fetched
load_c_1000_one                  of which only one is fetched: the package has to fetch all
rss_...                          memory in use at the end, in MB
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import native
from harness import NATIVE_ARCHS, Bench, Result, bench, options, turns

IMPORT_BUDGET = 1.5  # times the import of numpy
FIRST_BUDGET_MS = 60.0  # over C, the import of numpy aside
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
    """Run a process: the numbers in its lines ``NAME NUMBER``, and milliseconds until the first of them."""
    words = [str(word) for word in command]
    found: Found = {}
    with tempfile.TemporaryFile("w+") as log:
        begin = time.perf_counter()
        with subprocess.Popen(words, env=env, stdout=subprocess.PIPE, stderr=log, text=True) as process:
            assert process.stdout is not None
            for line in process.stdout:
                if len(line.split()) == 2:  # the library may print lines of its own
                    found.setdefault("first_ms", (time.perf_counter() - begin) * 1000)
                    name, number = line.split()
                    found[name] = float(number)
        if process.returncode != 0:
            log.seek(0)
            raise SystemExit(f"{Path(words[0]).name} ended with exit status {process.returncode}:\n{log.read()}")
    return found


def commands(work: Bench) -> dict[str, Process]:
    """The processes by name."""
    program = native.compile_against(work.library, native.BENCHMARKS / "first_result.c", work.folder / "first_result")
    script, arch = native.BENCHMARKS / "first_result.py", work.real_arch

    def importing(name: str) -> Process:
        return (sys.executable, "-c", IMPORT.format(name=name)), work.environment

    def first(module: str) -> Process:
        return (sys.executable, script, arch, work.folder / module), work.environment

    def first_c(module: str, kernels: int) -> Process:
        return (program, str(NATIVE_ARCHS[arch]), work.folder / module, str(kernels)), work.c_environment

    return {
        "python": importing("sys"),
        "numpy": importing("numpy"),
        "taichi_aot": importing("taichi_aot"),
        "c": first_c("kernels_1", 1),
        "folder": first("kernels_1"),
        "tcm": first("kernels_1.tcm"),
        "c_1000": first_c("kernels_1000", 1000),
        "c_1000_one": first_c("kernels_1000", 1),
        "tcm_1000": first("kernels_1000.tcm"),
    }


def evaluate(found: dict[str, list[Found]], result: Result) -> None:
    def add(name: str, process: str, number: str, scale: float) -> None:
        result.add(name, [one[number] / scale for one in found[process]])

    for name in ("numpy", "taichi_aot"):
        add(f"import_{name}", name, "import_ns", 1e6)
    for name in ("python", "numpy"):
        add(f"process_{name}", name, "first_ms", 1)
    add("first_c", "c", "first_ms", 1)
    add("first_taichi_aot", "folder", "first_ms", 1)
    for name in ("c", "folder", "tcm", "c_1000", "c_1000_one", "tcm_1000"):
        add(f"load_{name}", name, "load_ns", 1e6)
    add("load_again", "tcm", "load_again_ns", 1e6)
    add("load_again_1000", "tcm_1000", "load_again_ns", 1e6)
    median = {name: rung["ms"] for name, rung in result.rungs.items()}
    result.budget(
        "import taichi_aot", median["import_taichi_aot"] / median["import_numpy"], IMPORT_BUDGET, "times import numpy"
    )
    numpy = median["process_numpy"] - median["process_python"]
    result.budget(
        "start to first result over c, the import of numpy aside",
        median["first_taichi_aot"] - median["first_c"] - numpy,
        FIRST_BUDGET_MS,
        "ms",
    )
    for process, name in (("python", "python"), ("numpy", "numpy"), ("taichi_aot", "import"), ("c", "first_c")):
        add(f"rss_{name}", process, "rss_kb", 1000)
    add("rss_first_taichi_aot", "folder", "rss_kb", 1000)


def main() -> None:
    given = options("What it takes to start.", rounds=10)
    result = Result("startup", given.arch, "ms", notes=["the unit of rss_... is MB"])
    with bench(given.arch) as work:
        work.modules("kernels_1", "kernels_1000")
        processes = commands(work)
        found: dict[str, list[Found]] = {name: [] for name in processes}
        for name in turns(list(processes), given.rounds, f"startup on {given.arch}"):
            found[name].append(observe(*processes[name]))
    evaluate(found, result)
    result.print()
    result.write(given.json)


if __name__ == "__main__":
    main()
