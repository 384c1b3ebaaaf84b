"""Code blocks of the README and ``docs`` run in order and print the output they show."""

from __future__ import annotations

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

import pytest
from helpers.archs import HAS_TAICHI, need
from helpers.child import child_environment

from taichi_aot import Arch

ROOT = Path(__file__).parent.parent
README = "README.md"
PAGES = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").glob("*.md"))

# Blocks that do not run here, by page and beginning, with the reason or the place where they run.
ELSEWHERE = {
    (README, "apt-get update"): ".ci/run and .ci/chroots run both commands",
    ("docs/benchmarks.md", "pip install '.[bench]'"): "takes minutes",
    ("docs/build.md", "@export(template_types="): "a part of a source: tests/build",
    ("docs/editing.md", "taichi-aot build --watch"): "runs until Ctrl-C: tests/build/test_watch.py",
    ("docs/debugging.md", "$ taichi-aot build waves.py"): "shows an error: tests/build/test_traps.py",
    ("docs/build.md", "TI_ARCH=x64"): "needs a program that takes the name of the file: tests/build/test_in_program.py",
    ("docs/from-quadrants.md", "pip install"): ".ci/run installs the extra in an environment of its own",
    ("docs/index.md", "pip install ."): ".ci/run installs the package",
    ("docs/installing.md", "apt-get install -y debootstrap"): "takes minutes, as root: .ci/run runs .ci/arm64",
    ("docs/installing.md", "pip download"): ".ci/run runs it: it downloads 56 MB",
    ("docs/installing.md", "pip wheel"): "tests/test_build.py builds wheels, .ci/run installs one",
    ("docs/service.md", "COPY kernels.tib"): "needs Docker",
    ("docs/profiling.md", "nsys"): "needs Nsight Systems",
    ("docs/shipping.md", "pip install"): ".ci/run installs the wheel, docs/run-and-bench.md runs commands",
    ("docs/shipping.md", "FROM python"): ".ci/chroots follows it",
    ("docs/shipping.md", "pyinstaller"): "takes minutes: tests/freezing",
    ("docs/shipping.md", "python -m nuitka"): "takes minutes: tests/freezing",
    ("docs/distributed.md", "barrier ="): "a part of a program: tests/distributed/test_stencil.py",
    ("docs/distributed.md", "finish = parts"): "a part of a program that needs MPI",
    ("docs/distributed.md", "from mpi4py"): "needs MPI: tests/distributed/test_processes.py",
    ("docs/distributed.md", "python examples/wave.py"): "needs MPI: tests/distributed/test_example.py",
    ("docs/distributed.md", "# actors.py"): "needs Ray: tests/interop/test_ray.py",
    ("docs/functions.md", "import torch"): "needs PyTorch: tests/function/test_kinds.py",
    ("docs/interop.md", "import jax"): "needs JAX",
    ("docs/interop.md", "import cupy"): "needs a GPU and CuPy",
    ("docs/interop.md", "frame = tv.VulkanImageInfo("): "needs an image of a renderer: tests/interop/test_images.py",
    ("docs/memory.md", "x = rt.from_dlpack(constants"): "shows an error: tests/memory has it",
    ("docs/testing.md", "python -m pytest -n auto"): ".ci/run runs it",
    ("docs/testing.md", "@in_child"): "a part of a test: tests/runtime has it",
    ("docs/testing.md", "cd tests"): "takes minutes and two machines: tests/programs and tests/adopt/test_generated.py",
    ("docs/testing.md", ".ci/chroots"): "takes minutes: .ci/run",
    ("docs/wheels.md", "[build-system]"): "tests/build/test_wheels.py builds the example",
    ("docs/wheels.md", "# src/waves/__init__.py"): "a part of the example, which tests/build/test_wheels.py runs",
    ("docs/wheels.md", "[tool.hatch"): "tests/build/test_wheels.py builds the example with hatchling too",
    ("docs/wheels.md", "pip wheel --no-deps"): ".ci/run does it: it downloads taichi",
    ("docs/wheels.md", "pip install 'setuptools"): "tests/build/test_wheels.py builds without isolation",
}

# Parts of console output that differ between machines and runs.
VARYING = (
    (r"at most \d+ CPU", "at most N CPU"),
    (r"(?m)^(.* on ).*(?= \()", r"\1CPU"),
    (r"(?m)^((x64|vulkan|opengl) +0 +cpu) .*", r"\1 NAME"),
    (r"(?m)^(arch +number +kind) +name +driver", r"\1 name driver"),
    (r"(?m)^taichi_aot [\d.]+, python .*", "versions"),
    (r"(?<= in ).*/taichi_aot/_bundle", "taichi_aot/_bundle"),
    (r"[\d,]+ bytes, [\d.]+ s, \d+ MiB", "N bytes"),
    (r"(launch|launches), [\d.e+]+ ms", r"\1, N ms"),
    (r"(?m)^arch +(device|us A) +.*", r"arch \1"),  # column widths depend on the numbers
    (r"(?m)^(x64|vulkan)  +.*", r"\1"),
)

# Calls the README's kernel with the sizes of the error that it quotes.
WRONG_SIZES = """\
import taichi_aot

module = taichi_aot.load("kernels.tib")
arrays = [module.runtime.zeros((rows, 400), "f32", elem_shape=2) for rows in (120, 60)]
try:
    module.react(0.055, 0.062, *arrays)
except ValueError as error:
    print(error)
"""

# Rows of benchmarks/results/cpu/install.txt.
SIZES = ("all wheels", "installed without numpy")
STARTS = ("aot.py", "jit.py, with its cache", "jit.py, without a cache")

BANNERS = ("[Taichi]", "[Quadrants]")
QUADRANTS = "docs/from-quadrants.md"  # whose compiler is in an environment of its own


class Block(NamedTuple):
    language: str
    text: str

    @property
    def program(self) -> str:
        """The file of a Python block: the one its first line names, or the page's program."""
        named = re.match(r"# (\w+\.py)(, continued)?\n", self.text)
        return named[1] if named else "page.py"

    def needs(self, program):
        """Return whether the block continues a program, or builds from it: a source of kernels is not run."""
        return self.program == program if self.language == "python" else f" build {program}" in self.text

    def is_elsewhere(self, page):
        return any(page == other and self.text.startswith(begin) for other, begin in ELSEWHERE)


def blocks_of(page):
    """Return the blocks of a page, in order."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [Block(*found) for found in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)]


class Reader:
    """A reader who pastes the blocks of a page into files and a console, in a new folder."""

    def __init__(self, folder):
        self.folder = folder / "reader"
        self.folder.mkdir()
        for name in ("benchmarks", "examples"):
            (self.folder / name).symlink_to(ROOT / name)
        taichi = importlib.util.find_spec("taichi")
        if taichi is not None and taichi.origin is not None:  # docs/build.md builds a program of its wheel
            shutil.copy(Path(taichi.origin).parent / "examples/simulation/mpm88.py", self.folder)
        commands = folder / "bin"
        commands.mkdir()
        for name, command in (("python", ""), ("taichi-aot", " -m taichi_aot")):
            (commands / name).write_text(f"#!/bin/sh\nexec '{sys.executable}'{command} \"$@\"\n")
            (commands / name).chmod(0o755)
        environment = child_environment()
        # Tests are only collected, to avoid endless recursion.
        changes = {"PATH": f"{commands}:{environment['PATH']}", "PYTEST_ADDOPTS": "--collect-only -q"}
        self.environment = {**environment, **changes}

    def follow(self, blocks):
        """Run all blocks and compare their output with what is shown; a program runs once it is complete."""
        for place, block in enumerate(blocks):
            if block.language == "python":
                self.append(block)
                if not any(later.needs(block.program) for later in blocks[place + 1 :]):
                    self.run_program(block.program)
            elif block.language == "console":
                self.run_console(block.text)
            elif block.language != "pycon":  # tests/test_docstrings.py runs sessions
                assert block.language == "sh", f"no rule for a block of {block.language!r}"
                self.run(block.text)

    def append(self, block):
        with open(self.folder / block.program, "a", encoding="utf-8") as file:
            file.write(block.text)

    def run_program(self, name):
        """Run a program; each call of print must show its output in a comment."""
        source = (self.folder / name).read_text(encoding="utf-8")
        shown = re.findall(r"^ *print\(.*\)  # (.*)$", source, re.MULTILINE)
        printed = self.run(f"python {name}")
        assert printed.splitlines() == shown, name
        assert len(shown) == len(re.findall(r"\bprint\(", source)), f"{name} does not show its output"

    def run_console(self, text):
        commands = re.findall(r"^\$ (.*)$", text, re.MULTILINE)
        printed = "".join(f"$ {command}\n{self.run(command)}" for command in commands)
        assert without_varying(printed) == without_varying(text)

    def run(self, script):
        """Run a shell script, which must succeed; return its output without the compilers' banners."""
        done = subprocess.run(
            ["bash", "-euc", script],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=900,
            check=False,
        )
        assert done.returncode == 0, f"{script}\n{done.stdout}\n{done.stderr}"
        return "".join(line for line in done.stdout.splitlines(keepends=True) if not line.startswith(BANNERS))


def without_varying(text):
    for pattern, replacement in VARYING:
        text = re.sub(pattern, replacement, text)
    return text


@pytest.fixture
def reader(tmp_path, request):
    callspec = getattr(request.node, "callspec", None)
    if not HAS_TAICHI and (callspec is None or callspec.params.get("page") != QUADRANTS):
        pytest.skip("needs taichi")
    return Reader(tmp_path)


def test_readme_runs_when_pasted(reader):
    """Paste all blocks into one shell, in an empty folder.

    The environment of this test replaces what apt and pip install; .ci/run runs these commands. Fewer frames are drawn.
    """
    blocks = [block for block in blocks_of(README) if not block.is_elsewhere(README)]
    assert {block.language for block in blocks} == {"sh"}
    (reader.folder / ".venv" / "bin").mkdir(parents=True)
    (reader.folder / ".venv" / "bin" / "activate").write_text("pip() { true; }\n")
    script = "".join(block.text for block in blocks)
    for shown, fewer in (("range(50)", "range(2)"), ("repeat=60", "repeat=2")):
        assert shown in script
        script = script.replace(shown, fewer)
    reader.run(script)
    (message,) = re.findall(r"`(react\(\): .*?)`", (ROOT / README).read_text(encoding="utf-8"))
    (reader.folder / "wrong.py").write_text(WRONG_SIZES)
    assert reader.run("cd coral && python ../wrong.py").strip() == message
    images = pytest.importorskip("PIL.Image")
    with images.open(reader.folder / "coral" / "coral.gif") as picture:
        assert (picture.size, picture.n_frames) == ((400, 120), 2)


def test_numbers_of_the_readme_are_those_of_the_records():
    results = ROOT / "benchmarks" / "results"
    launches = json.loads((results / "h200" / "launch-cuda.json").read_text(encoding="utf-8"))["variants"]
    bound, jit, c = (launches[name]["us_per_launch"] for name in ("bound", "taichi_jit", "c"))
    text = (ROOT / README).read_text(encoding="utf-8")
    assert f"| {bound:.1f} us | {jit:.0f} us | {c:.0f} us |" in text

    record = (results / "cpu" / "install.txt").read_text(encoding="utf-8")
    sizes = [re.findall(rf"^{row}.*?([\d,]+) bytes +([\d,]+) bytes", record, re.MULTILINE)[0] for row in SIZES]
    (ours, others), (installed, jit_installed) = [[round(int(n.replace(",", "")) / 1e6) for n in row] for row in sizes]
    assert f"{ours} MB of wheels instead of {others}" in text
    assert f"| {installed} MB, 3 packages | {jit_installed} MB, 7 packages |" in text
    starts = [int(re.findall(rf"^{re.escape(row)} +(\d+)", record, re.MULTILINE)[0]) / 1000 for row in STARTS]
    assert "| {:.2f} s | {:.2f} s, the first time {:.2f} s |".format(*starts) in text


# Rows of the first table of docs/when.md: loops of benchmarks/loops.py, by the record.
LOOPS_2_CORES = ("line", "stencil", "total", "exponentials", "newton", "uneven", "gather")


def test_numbers_of_the_comparison_are_those_of_the_record():
    text = (ROOT / "docs" / "when.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (.*) \|$", re.split(r"^## ", text, flags=re.MULTILINE)[1], re.MULTILINE)[2:]
    loops = [("loops-2-1048576", name) for name in LOOPS_2_CORES] + [("loops-2-2048", "line")]
    for row, (record, loop) in zip(rows, loops, strict=True):
        variants = json.loads((ROOT / "benchmarks/results/cpu" / f"{record}.json").read_text("utf-8"))["variants"]
        least = [variants.get(f"{loop}/{name}") for name in ("package", "numpy", "numba", "jax", "warp", "jit")]
        shown = [float(cell.replace(",", "")) if cell.strip() else None for cell in row.split(" | ")[1:]]
        assert shown == [each and (round(each["min"], 1 if each["min"] < 9 else None)) for each in least], loop


PACKAGE = ROOT / "taichi_aot"
LAUNCHES = ["kernels/_launch.py", "kernels/_arguments.py", "_c/core/launch.c", "_c/core/sequence.c"]
DEVICES = {"stub": ["_c/cpu"], "x64": ["_c/cpu"], "cuda": ["_c/cuda"], "vulkan": ["_c/vulkan"]}
# What benchmarks measure, beside the files of the device: files and folders of the package.
MEASURED = {
    **dict.fromkeys(["launch", "graphs", "structs", "scaling", "fluid", "grids", "until"], LAUNCHES),
    "waits": [*LAUNCHES, "_c/core/wait.c"],
    "cpu_launch": [*LAUNCHES, "_c/core/pool.c"],
    "cpu_pool": ["_c/core/pool.c"],
    "loops": ["build/vector"],
    "throughput": ["build/vector"],
    "allocation": ["handles/_memory.py", "backends/_llvm.py", "_c/core/memory.c"],
    "transfers": ["handles/_memory.py", "_c/core/memory.c"],
    "halo": ["distributed", "handles/_memory.py"],
    "gpus": ["_c/core/sequence.c", "handles/_memory.py"],
    "scale": ["interop/dask.py"],
    "startup": ["bundle/_files.py", "bundle/_plan.py", "kernels/_loading.py"],
    "quadrants": ["build/quadrants", "adopt/_quadrants.py"],
}


def git(*arguments):
    done = subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


def is_old(record):
    """Return whether the code that a record measures has changed since."""
    files = [str(PACKAGE / name) for name in MEASURED[record["benchmark"]] + DEVICES[record["arch"]]]
    assert all(Path(file).exists() for file in files)
    last, changed = git("log", "-1", "--format=%H %at", "--", *files).split()
    commit = record["machine"].get("commit", "")
    if commit and git("rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}"):
        return git("merge-base", "--is-ancestor", last, commit) is None
    # A record without a commit, or with one that the history has no longer.
    return datetime.fromisoformat(record["machine"]["date"]).timestamp() < int(changed)


def test_old_records_are_listed_as_old():
    """Measure again what is old now, or list it; remove from the list what was measured again."""
    if git("rev-parse", "--is-shallow-repository") != "false":
        pytest.skip("needs the history of the repository")
    results = ROOT / "benchmarks" / "results"
    records = {path.relative_to(results).with_suffix("").as_posix(): path for path in results.glob("*/*.json")}
    old = {name for name, path in records.items() if is_old(json.loads(path.read_text(encoding="utf-8")))}
    listed = (results / "old.txt").read_text(encoding="utf-8").split()
    assert (sorted(old - set(listed)), sorted(set(listed) - old)) == ([], [])
    assert listed == sorted(listed)


def test_pages_are_short():
    """The README, and all pages but the reference of the API."""
    text = (ROOT / README).read_text(encoding="utf-8")
    assert len(text.split()) <= 720
    assert "apt-get update" in "".join(text.splitlines()[:25])
    pages = [ROOT / page for page in PAGES] + [ROOT / "docs" / "gallery" / "index.md"]
    assert sum(len(page.read_text(encoding="utf-8").split()) for page in pages) <= 32_500


def give_photo(reader, compiled):
    """Write a photo for docs/images.md."""
    images = pytest.importorskip("PIL.Image")
    images.new("RGB", (64, 48), (200, 100, 0)).save(reader.folder / "photo.png")


def give_saxpy(reader, compiled):
    """Copy a module of `ti.aot.Module` for x64, for docs/memory.md."""
    shutil.copy(compiled("x64") / "basic.tcm", reader.folder / "saxpy.tcm")


def give_saxpy_for_vulkan(reader, compiled):
    """Copy modules for the CPU and Vulkan, for docs/interop.md."""
    pytest.importorskip("vulkan")
    shutil.copy(compiled("x64") / "basic.tcm", reader.folder / "kernels.tcm")
    shutil.copy(compiled("vulkan") / "basic.tcm", reader.folder / "saxpy.tcm")


def give_checkout(reader, compiled):
    """Copy the tests for docs/testing.md."""
    shutil.copytree(ROOT / "tests", reader.folder / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", reader.folder)
    (reader.folder / ".ci").symlink_to(ROOT / ".ci")
    (reader.folder / "build_ffi.py").symlink_to(ROOT / "build_ffi.py")
    for module in compiled("x64").glob("*.tcm"):
        shutil.copy(module, reader.folder / "tests")
    reader.run("python -m taichi_aot build examples/howto/kernels.py -o tests/howto.tcm --arch x64")


def give_tests_a_run(reader, compiled):
    """Let docs/service.md run its tests, which are not those of the package."""
    reader.environment["PYTEST_ADDOPTS"] = "-p no:cacheprovider"


# Files that a page expects.
GIVEN = {
    "docs/images.md": give_photo,
    "docs/interop.md": give_saxpy_for_vulkan,
    "docs/memory.md": give_saxpy,
    "docs/service.md": give_tests_a_run,
    "docs/testing.md": give_checkout,
}

# What a page needs that most machines do not have.
FRAMEWORKS = {
    QUADRANTS: ["quadrants._lib"],  # not the folder of its tests
    "docs/jax.md": ["jax"],
    "docs/service.md": ["fastapi", "httpx"],
    "docs/torch.md": ["torch"],
}

# The others take seconds each, mostly to build.
SOME = ("docs/architecture.md", "docs/errors.md", "docs/launching.md", "docs/prompt.md")


@pytest.mark.slow(but=SOME)
@pytest.mark.parametrize("page", PAGES)
def test_page_code_runs(page, reader, available, compiled):
    blocks = [block for block in blocks_of(page) if not block.is_elsewhere(page)]
    if any("vulkan" in block.text for block in blocks) and Arch("vulkan") not in available:
        need("vulkan", f"{page} uses it")
    if any("taichi-aot devices" in block.text for block in blocks) and Arch("cuda") in available:
        pytest.skip("the page shows the devices of a machine without a GPU")
    for name in FRAMEWORKS.get(page, ()):
        pytest.importorskip(name)
    if page in GIVEN:
        GIVEN[page](reader, compiled)
    reader.follow(blocks)


def mistakes_of_kernels():
    """Return the table of docs/taichi-in-ten-minutes.md: a statement, the error, and what to write instead."""
    text = (ROOT / "docs" / "taichi-in-ten-minutes.md").read_text(encoding="utf-8")
    table = re.findall(r"^\| statement \| error \| instead \|\n.*\n((?:\|.*\n)+)", text, re.MULTILINE)[0]
    return re.findall(r"^\| `(.*?)` \| (.*?) \| (.*?) \|$", table, re.MULTILINE)


KERNEL_WITH = """\
import numpy as np
import taichi as ti
from taichi_aot.build import export


@export
@ti.kernel
def mistaken(x: ti.types.ndarray(ti.f32, 1)) -> ti.f32:
    total = 0.0
    for i in x:
{}
    return total
"""


def write_kernel(reader, *statements):
    """Write a kernel that has these statements in its loop."""
    (reader.folder / "kernels.py").write_text(KERNEL_WITH.format("".join(f"        {line}\n" for line in statements)))


@pytest.mark.slow
@pytest.mark.parametrize(("statement", "error", "_instead"), mistakes_of_kernels())
def test_build_rejects_mistakes_as_shown(reader, statement, error, _instead):
    write_kernel(reader, statement)
    shown = reader.run("! taichi-aot build kernels.py --arch x64 2>&1")
    for part in error.replace("`", "").split("..."):
        assert part.strip() in shown.replace("`", "")


@pytest.mark.slow
def test_remedies_for_mistakes_build(reader):
    remedies = [text[1:-1] for *_, text in mistakes_of_kernels() if re.fullmatch("`[^`]*`", text)]
    assert len(remedies) > 6
    write_kernel(reader, *remedies)
    reader.run("taichi-aot build kernels.py --arch x64")


def test_pages_have_no_other_code():
    """Each block in ELSEWHERE still exists, and all code is in fenced blocks."""
    begins = {(page, block.text) for page in (README, *PAGES) for block in blocks_of(page)}
    for page, begin in ELSEWHERE:
        assert any(page == other and text.startswith(begin) for other, text in begins), f"{page} has no {begin}"
    for page in (README, *PAGES):
        text = re.sub(r"^```.*?^```$", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
        assert not re.search(r"^ {4}([A-Z_]+=\S+ )*(python|pip|cd|grep|import|\$) ", text, re.MULTILINE), page
