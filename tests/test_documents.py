"""Code blocks of the README and ``docs`` run in order and print the output they show."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from helpers.archs import need
from helpers.child import child_environment, run_scenario

from taichi_aot import Arch

ROOT = Path(__file__).parent.parent
README = "README.md"
PAGES = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "docs").glob("*.md"))

# Blocks that do not run here, by page and beginning, with the reason or the place where they run.
ELSEWHERE = {
    (README, "apt-get update"): ".ci/run and .ci/chroots run both commands",
    (README, "pip install '.[bench]'"): "takes minutes",
    ("docs/benchmarks.md", "pip install '.[bench]'"): "takes minutes",
    ("docs/build.md", "@export(template_types="): "a part of a source: tests/build",
    ("docs/build.md", "TI_ARCH=x64"): "needs a program that takes the name of the file: tests/build/test_in_program.py",
    ("docs/installing.md", "pip download"): ".ci/run runs it: it downloads 56 MB",
    ("docs/shipping.md", "FROM python"): ".ci/chroots follows it",
    ("docs/shipping.md", "pyinstaller"): "takes minutes: tests/freezing",
    ("docs/shipping.md", "python -m nuitka"): "takes minutes: tests/freezing",
    ("docs/interop.md", "import jax"): "needs JAX",
    ("docs/interop.md", "import cupy"): "needs a GPU and CuPy",
    ("docs/interop.md", "frame = tv.VulkanImageInfo("): "needs an image of a renderer: tests/interop/test_images.py",
    ("docs/memory.md", "x = rt.from_dlpack(constants"): "shows an error: tests/memory has it",
    ("docs/testing.md", "python benchmarks/soak.py"): "takes minutes: tests/test_soak.py runs half a minute of it",
    (
        "docs/testing.md",
        "cd tests",
    ): "takes minutes and two machines: tests/programs and tests/formats/test_generated.py",
    ("docs/testing.md", ".ci/chroots"): "takes minutes: .ci/run",
    ("docs/testing.md", "CFLAGS="): "takes 23 minutes and needs valgrind",
    ("docs/wheels.md", "[build-system]"): "tests/build/test_wheels.py builds the example",
    ("docs/wheels.md", "module = cast("): "a part of the example, which tests/build/test_wheels.py runs",
    ("docs/wheels.md", "[tool.hatch"): "tests/build/test_wheels.py builds the example with hatchling too",
    ("docs/wheels.md", "pip wheel --no-deps"): ".ci/run does it: it downloads taichi",
    ("docs/wheels.md", "pip install setuptools"): "tests/build/test_wheels.py builds without isolation",
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

pytestmark = pytest.mark.skipif(importlib.util.find_spec("taichi") is None, reason="needs taichi")


class Block(NamedTuple):
    """A fenced block of code."""

    language: str
    text: str

    @property
    def program(self) -> str:
        """The file of a Python block: the one its first line names, or the page's program."""
        named = re.match(r"# (\w+\.py)(, continued)?\n", self.text)
        return named[1] if named else "page.py"

    def needs(self, program: str) -> bool:
        """Return whether the block continues a program, or builds from it: a source of kernels is not run."""
        return self.program == program if self.language == "python" else f" build {program}" in self.text

    def is_elsewhere(self, page: str) -> bool:
        return any(page == other and self.text.startswith(begin) for other, begin in ELSEWHERE)


def blocks_of(page: str) -> list[Block]:
    """Return the blocks of a page, in order."""
    text = (ROOT / page).read_text(encoding="utf-8")
    return [Block(*found) for found in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)]


class Reader:
    """A reader who pastes the blocks of a page into files and a console, in a new folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "reader"
        self.folder.mkdir()
        for name in ("benchmarks", "examples"):
            (self.folder / name).symlink_to(ROOT / name)
        taichi = importlib.util.find_spec("taichi")
        assert taichi is not None
        assert taichi.origin is not None
        shutil.copy(Path(taichi.origin).parent / "examples/simulation/mpm88.py", self.folder)  # docs/build.md builds it
        commands = folder / "bin"
        commands.mkdir()
        for name, command in (("python", ""), ("taichi-aot", " -m taichi_aot")):
            (commands / name).write_text(f"#!/bin/sh\nexec '{sys.executable}'{command} \"$@\"\n")
            (commands / name).chmod(0o755)
        environment = child_environment()
        # Tests are only collected, to avoid endless recursion.
        changes = {"PATH": f"{commands}:{environment['PATH']}", "PYTEST_ADDOPTS": "--collect-only -q"}
        self.environment = {**environment, **changes}

    def follow(self, blocks: list[Block]) -> None:
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

    def append(self, block: Block) -> None:
        with open(self.folder / block.program, "a", encoding="utf-8") as file:
            file.write(block.text)

    def run_program(self, name: str) -> None:
        """Run a program; each call of print must show its output in a comment."""
        source = (self.folder / name).read_text(encoding="utf-8")
        shown = re.findall(r"^ *print\(.*\)  # (.*)$", source, re.MULTILINE)
        printed = self.run(f"python {name}")
        assert printed.splitlines() == shown, name
        assert len(shown) == len(re.findall(r"\bprint\(", source)), f"{name} does not show its output"

    def run_console(self, text: str) -> None:
        commands = re.findall(r"^\$ (.*)$", text, re.MULTILINE)
        printed = "".join(f"$ {command}\n{self.run(command)}" for command in commands)
        assert without_varying(printed) == without_varying(text)

    def run(self, script: str) -> str:
        """Run a shell script, which must succeed; return its output without Taichi's banner."""
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
        return "".join(line for line in done.stdout.splitlines(keepends=True) if not line.startswith("[Taichi]"))


def without_varying(text: str) -> str:
    for pattern, replacement in VARYING:
        text = re.sub(pattern, replacement, text)
    return text


@pytest.fixture
def reader(tmp_path: Path) -> Reader:
    return Reader(tmp_path)


def readme_blocks(arch: str) -> list[Block]:
    """Return the README's blocks that run here, with the arch replaced as the README instructs."""
    changes = {'Runtime("x64")': f'Runtime("{arch}")', "arch=ti.x64": f"arch=ti.{arch}", "(x64)": f"({arch})"}
    blocks = []
    for block in blocks_of(README):
        text = block.text
        for shown, other in changes.items():
            text = text.replace(shown, other)
        blocks.append(Block(block.language, text))
    return [block for block in blocks if not block.is_elsewhere(README)]


@pytest.mark.slow(but="x64")
def test_readme_code_runs(arch, reader):
    blocks = readme_blocks(arch)
    if arch != "x64":  # the README shows a module for x64
        blocks = [block for block in blocks if "taichi_aot inspect" not in block.text]
    reader.follow(blocks)


@pytest.mark.parametrize("length", [0, 1, 1023, 5000])
def test_first_kernel_takes_arrays_of_any_length(length, arch, reader):
    reader.append(readme_blocks(arch)[0])
    reader.run("python compile_saxpy.py")
    run_scenario("readme:saxpy_of_any_length", arch, reader.folder / "saxpy.tcm", length)


def give_photo(reader: Reader) -> None:
    """Write a photo for docs/images.md."""
    images = pytest.importorskip("PIL.Image")
    images.new("RGB", (64, 48), (200, 100, 0)).save(reader.folder / "photo.png")


def give_saxpy(reader: Reader) -> None:
    """Compile the README's module for Vulkan, for docs/interop.md."""
    pytest.importorskip("vulkan")
    reader.append(readme_blocks("vulkan")[0])
    reader.run("python compile_saxpy.py")


def give_saxpy_for_x64(reader: Reader) -> None:
    """Compile the README's module for docs/memory.md and docs/from-functions.md."""
    reader.append(readme_blocks("x64")[0])
    reader.run("python compile_saxpy.py")


def give_checkout(reader: Reader) -> None:
    """Copy the tests for docs/testing.md."""
    shutil.copytree(ROOT / "tests", reader.folder / "tests", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", reader.folder)
    (reader.folder / ".ci").symlink_to(ROOT / ".ci")
    (reader.folder / "build_ffi.py").symlink_to(ROOT / "build_ffi.py")
    reader.run("python tests/helpers/compile_modules.py x64 tests")
    reader.run("python -m taichi_aot build examples/howto/kernels.py -o tests/howto.tcm --arch x64")


def give_kernels(reader: Reader) -> None:
    """Compile a module for docs/stubs.md."""
    give_saxpy_for_x64(reader)
    reader.run("mv saxpy.tcm kernels.tcm")


# Files that a page expects.
GIVEN = {
    "docs/from-functions.md": give_saxpy_for_x64,
    "docs/images.md": give_photo,
    "docs/interop.md": give_saxpy,
    "docs/memory.md": give_saxpy_for_x64,
    "docs/stubs.md": give_kernels,
    "docs/testing.md": give_checkout,
}


# The others take seconds each, mostly to build.
SOME = (
    "docs/architecture.md",
    "docs/errors.md",
    "docs/launching.md",
    "docs/prompt.md",
)


@pytest.mark.slow(but=SOME)
@pytest.mark.parametrize("page", PAGES)
def test_page_code_runs(page, reader, available):
    blocks = [block for block in blocks_of(page) if not block.is_elsewhere(page)]
    if any("vulkan" in block.text for block in blocks) and Arch("vulkan") not in available:
        need("vulkan", f"{page} uses it")
    if any("taichi-aot devices" in block.text for block in blocks) and Arch("cuda") in available:
        pytest.skip("the page shows the devices of a machine without a GPU")
    if page in GIVEN:
        GIVEN[page](reader)
    reader.follow(blocks)


def test_pages_have_no_other_code():
    """Each block in ELSEWHERE still exists, and all code is in fenced blocks."""
    begins = {(page, block.text) for page in (README, *PAGES) for block in blocks_of(page)}
    for page, begin in ELSEWHERE:
        assert any(page == other and text.startswith(begin) for other, text in begins), f"{page} has no {begin}"
    for page in (README, *PAGES):
        text = re.sub(r"^```.*?^```$", "", (ROOT / page).read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
        assert not re.search(r"^ {4}([A-Z_]+=\S+ )*(python|pip|cd|grep|import|\$) ", text, re.MULTILINE), page
