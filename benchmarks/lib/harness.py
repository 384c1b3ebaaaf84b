"""Shared parts of the benchmarks: options, variants that take turns, statistics, tables, budgets and their JSON.

A benchmark does the same work in several variants. Each variant runs in a child process, which runs one batch per
request. All variants take turns in each round, so that other load on the machine affects them equally. The cost of one
variant over another is the median of the differences within the rounds.
"""

from __future__ import annotations

import argparse
import datetime
import json
import math
import os
import platform
import random
import shlex
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from importlib import metadata
from pathlib import Path
from typing import Any

from lib import build, stub

ARCHS = ("x64", "vulkan", "cuda", "stub")
RECORDING_ARCHS = ("vulkan", "cuda")  # where the package records launches
MODULES = "TAICHI_AOT_BENCHMARK_MODULES"  # a folder of compiled modules
EXTRA = (
    "over_c_us",
    "over_own_us",
    "times_own",
    "times_base",
    "gb_per_s",
    "gflop_per_s",
    "rss_mb",
    "cpu_ms",
)  # columns of tables after the spread
TI_ARCHS = {"vulkan": 1, "cuda": 3, "x64": 4, "opengl": 6}  # TiArch


def options(description: str, rounds: int, archs: Sequence[str] = ARCHS) -> argparse.Namespace:
    """Parse the command line; return the options of all benchmarks."""
    return parser(description, rounds, archs).parse_args()


def parser(description: str, rounds: int, archs: Sequence[str] = ARCHS) -> argparse.ArgumentParser:
    """Create a parser of the options of all benchmarks, for a benchmark with more options."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--arch", choices=archs, default=archs[0], help="default: %(default)s")
    parser.add_argument("--json", type=Path, help="file to write the result to")
    parser.add_argument("--rounds", type=int, default=rounds, help="turns of each variant (default: %(default)s)")
    return parser


class Child:
    """A process that times batches on request; see serve.py."""

    def __init__(self, command: Sequence[str | Path], env: Mapping[str, str], stderr: Any) -> None:
        self._command = [str(word) for word in command]
        self._stderr = stderr
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(self._command, env=env, stdin=pipe, stdout=pipe, stderr=stderr, text=True)
        self._answer()

    def _answer(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            status = self._process.wait()
            self._stderr.seek(0)
            words = " ".join(Path(word).name for word in self._command[:3])
            raise SystemExit(f"{words} ended with exit status {status}:\n{self._stderr.read()[-4000:]}")
        return line

    def microseconds(self, name: str, count: int) -> float:
        """Run `name` `count` times; return the microseconds per run."""
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):  # `_answer` says how the process ended
            self._process.stdin.write(f"{name} {count}\n")
            self._process.stdin.flush()
        return int(self._answer()) / count / 1000

    def close(self) -> None:
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):
            self._process.stdin.close()
        self._process.wait()


class Bench:
    """One run of a benchmark on one arch: its folder, the C library, and its children, which it ends."""

    def __init__(self, arch: str, folder: Path, children: ExitStack) -> None:
        self.arch = arch
        self.real_arch = "x64" if arch == "stub" else arch  # the stub pretends to be x64
        self.folder = folder
        self._children = children
        self.environment = dict(os.environ)
        if arch == "stub":
            (folder / "stub").mkdir()
            self.library = stub.build(folder / "stub")
            self.environment["TAICHI_C_API_INSTALL_DIR"] = str(folder / "stub")
            self.environment["TAICHI_AOT_NATIVE"] = "0"  # that of modules: the stub is measured

    @cached_property
    def library(self) -> Path:
        """The C library, which variants by machine code alone do not need."""
        return build.find_library()

    @cached_property
    def c_environment(self) -> dict[str, str]:
        """The environment of C programs, with what the package sets itself."""
        # Where the runtime of the library is, and OpenGL without a display.
        runtime = str(self.library.parent.parent / "runtime")
        # Programs that were compiled on another machine look for the library there.
        paths = [str(self.library.parent), *filter(None, [os.environ.get("LD_LIBRARY_PATH")])]
        found = {"TI_LIB_DIR": runtime, "EGL_PLATFORM": "surfaceless", **self.environment}
        return {**found, "LD_LIBRARY_PATH": os.pathsep.join(paths)}

    def modules(self, *names: str) -> None:
        """Compile modules into the folder, or link to modules and programs from build_modules.py."""
        if MODULES not in os.environ and self.arch == "opengl":
            # The compiler has no OpenGL device here, so build_modules.py compiles for one without it.
            script = build.BENCHMARKS / "build_modules.py"
            build.run(sys.executable, script, "--arch", self.arch, self.folder, "--modules", *names)
            return
        if MODULES not in os.environ:
            build.compile_modules(self.real_arch, self.folder, *names)
            return
        for path in Path(os.environ[MODULES]).resolve().iterdir():
            (self.folder / path.name).symlink_to(path)

    def compile_program(self, name: str = "program") -> Path:
        """Compile a C program, unless it is among the modules from build_modules.py."""
        target = self.folder / name
        if target.is_file():
            return target
        return build.compile_against(self.library, build.SOURCES / f"{name}.c", target)

    def child(self, *command: str | Path, env: Mapping[str, str], quiet: bool = False) -> Child:
        """Start a child that serves; `quiet` discards its log, which can be large."""
        log = open(os.devnull, "w+") if quiet else tempfile.TemporaryFile("w+")  # noqa: SIM115
        self._children.callback(log.close)
        child = Child(command, env, log)
        self._children.callback(child.close)
        return child

    def program(self, size: int = 4, memories: int = 0, quiet: bool = False) -> Child:
        """Start program.c with a memory of `size` bytes and a number of unused memories."""
        arch = str(TI_ARCHS[self.real_arch])
        command = (self.folder / "program", arch, self.folder / "launch", str(size), str(memories))
        return self.child(*command, env=self.c_environment, quiet=quiet)

    def python(self, module: str, *arguments: str | Path, raw: bool = False, library: bool = False) -> Child:
        """Start a module of variants in a child process.

        `raw`: it does not use the package; `library`: the C library makes all launches.
        """
        env = self.c_environment if raw else self.environment
        if library:
            env = {**env, f"TAICHI_AOT_{self.real_arch.upper()}_RECORDING": "0"}
        command = (sys.executable, build.BENCHMARKS / "child.py", module, self.real_arch, self.folder, *arguments)
        return self.child(*command, env=env)

    def start_if_possible(self, title: str, notes: list[str], module: str, *arguments: str | Path) -> Child | None:
        """Start a child as `python` does; if it cannot start, add the reason to the notes and return None."""
        try:
            return self.python(module, *arguments)
        except SystemExit as error:
            notes.append(f"variant {title} left out: {str(error).strip().splitlines()[-1]}")
            return None

    def end_children(self) -> None:
        """End all children."""
        self._children.close()

    def ask(self, code: str) -> str:
        """Run a line of Python in a new process, which may use the library; return the output."""
        return build.run(sys.executable, "-c", code, env=self.environment).strip()


@contextmanager
def bench(arch: str) -> Iterator[Bench]:
    with tempfile.TemporaryDirectory(prefix="taichi_aot_bench") as folder, ExitStack() as children:
        yield Bench(arch, Path(folder), children)


Measure = Callable[[], float]


def take_turns(variants: Mapping[str, Measure], rounds: int, what: str) -> dict[str, list[float]]:
    """Measure each variant once per round."""
    samples: dict[str, list[float]] = {name: [] for name in variants}
    for name in turns(list(variants), rounds, what):
        samples[name].append(variants[name]())
    return samples


def turns(names: list[str], rounds: int, what: str) -> Iterator[str]:
    """Yield each name once per round, in a different order each round."""
    generator = random.Random(0)
    for _ in progress(rounds, what):
        yield from generator.sample(names, len(names))


def progress(count: int, what: str) -> Any:
    """Return ``range(count)``, with a progress bar if tqdm is installed."""
    try:
        from tqdm import tqdm
    except ImportError:
        return range(count)
    return tqdm(range(count), desc=what, leave=False, disable=None)


def statistics_of(samples: Sequence[float], key: str) -> dict[str, Any]:
    """Return the median under `key`, and the spread."""
    quartiles = statistics.quantiles(samples, n=4) if len(samples) > 1 else [samples[0]] * 3
    return {
        key: statistics.median(samples),
        "min": min(samples),
        "max": max(samples),
        "quartiles": [quartiles[0], quartiles[2]],
    }


def over(samples: Sequence[float], base: Sequence[float]) -> tuple[float, list[float]]:
    """Return the median of the differences within the rounds, and its 95 % interval."""
    differences = sorted(a - b for a, b in zip(samples, base, strict=True))
    count = len(differences)
    low = max(0, math.floor(count / 2 - 0.98 * math.sqrt(count)))
    return statistics.median(differences), [differences[low], differences[count - 1 - low]]


@dataclass
class Result:
    """The result of a benchmark.

    Attributes
    ----------
    benchmark, arch : str
        Names of the benchmark and of the arch.
    key : str
        The measured quantity with its unit: ``us_per_launch``.
    variants : dict
        Statistics by variant.
    budgets : list of dict
        Each has its limit, the value, and whether it is met.
    notes : list of str
        Variants that were left out, with the reason, and other remarks.
    """

    benchmark: str
    arch: str
    key: str
    variants: dict[str, dict[str, Any]] = field(default_factory=dict)
    budgets: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, name: str, samples: Sequence[float], **more: Any) -> None:
        self.variants[name] = statistics_of(samples, self.key) | more

    def budget(self, what: str, value: float, limit: float, unit: str, interval: list[float] | None = None) -> None:
        """Compare `value`, which lies in `interval` at 95 %, with its maximum."""
        budget = {"what": what, "value": value, "limit": limit, "unit": unit, "pass": value <= limit}
        self.budgets.append(budget | {"interval_95": interval} if interval else budget)

    def print(self) -> None:
        print(f"\n{self.benchmark} on {self.arch}, {self.key}")
        width = max(map(len, self.variants), default=0)
        extra = [key for key in EXTRA if any(key in variant for variant in self.variants.values())]
        print(" " * width + "".join(f"{title:>12}" for title in ("median", "min", "max", *extra)))
        for name, variant in self.variants.items():
            cells = [variant[self.key], variant["min"], variant["max"], *(variant.get(key) for key in extra)]
            print(f"{name:{width}}" + "".join(f"{_number(cell):>12}" for cell in cells))
        for note in self.notes:
            print(f"note: {note}")
        for b in self.budgets:
            print(f"{'PASS' if b['pass'] else 'MISSED':6} {budget_text(b)}")

    def write(self, path: Path | None) -> None:
        if path is not None:
            text = json.dumps(self.__dict__ | {"machine": machine(self.arch)}, indent=1)
            path.write_text(text + "\n", encoding="utf-8")


def budget_text(budget: Mapping[str, Any]) -> str:
    """Describe a budget in words."""
    low, high = map(_number, budget.get("interval_95", (None, None)))
    interval = f" (95 %: {low} to {high})" if low else ""
    return (
        f"{budget['what']}: {_number(budget['value'])} {budget['unit']}{interval}, at most {_number(budget['limit'])}"
    )


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.4g}" if abs(value) < 1000 else f"{value:,.0f}"


def machine(arch: str) -> dict[str, Any]:
    """Describe the machine and the versions of this run."""
    command = [f"benchmarks/{Path(sys.argv[0]).name}", *(Path(word).name for word in sys.argv[1:])]
    found = {
        "command": f"python {shlex.join(command)}",
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
        "system": f"{platform.system()} {platform.machine()}, {' '.join(platform.libc_ver())}",
        "python": platform.python_version(),
        "cpu": _cpu_name(),
        "cores": build.cores(),
        "versions": {name: _version(name) for name in ("taichi", "numpy", "cffi")},
        "taichi_aot": build.run(sys.executable, "-c", "import taichi_aot; print(taichi_aot.__version__)").strip(),
        "commit": _commit(),
    }
    if arch not in ("stub", "x64"):
        code = f"import taichi_aot as t; print(*[d.name for d in t.devices() if str(d.arch) == {arch!r}][:1])"
        found["device"] = build.run(sys.executable, "-c", code).strip()
    return found


def _commit() -> str:
    """Return the commit that was measured; empty without a repository, or if the package differs from it."""
    git = ("git", "-C", str(build.ROOT))
    try:
        changed = subprocess.run([*git, "diff", "--quiet", "HEAD", "--", "taichi_aot", "build_ffi.py"], check=False)
        return "" if changed.returncode else build.run(*git, "rev-parse", "HEAD").strip()
    except (OSError, SystemExit):
        return ""


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return ""


def _cpu_name() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.machine())
