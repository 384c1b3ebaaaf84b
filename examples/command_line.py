"""Shared parts of the examples with pictures: arguments, the module, and a progress bar."""

from __future__ import annotations

import argparse
import importlib.util
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from taichi_aot import AotModule, Runtime, TaichiError

KERNELS = Path(__file__).with_name("picture_kernels.py")
BAR = 40  # characters


def parser(description: str, suffix: str) -> argparse.ArgumentParser:
    """Return a parser for the file to write, with its suffix, and for the module."""
    result = argparse.ArgumentParser(description=description)
    result.add_argument("out", type=_path_with(suffix), help=f"picture to write, ending in {suffix}")
    result.add_argument("--module", type=Path, help="module from picture_kernels.py; by default, taichi compiles it")
    return result


def _path_with(suffix: str) -> Callable[[str], Path]:
    def path(text: str) -> Path:
        if Path(text).suffix.lower() != suffix:
            raise argparse.ArgumentTypeError(f"{text} does not end in {suffix}")
        if not Path(text).absolute().parent.is_dir():
            raise argparse.ArgumentTypeError(f"the folder of {text} does not exist")
        return Path(text)

    return path


def positive(text: str) -> int:
    value = int(text)
    if value < 1:
        raise argparse.ArgumentTypeError(f"must be at least 1, not {value}")
    return value


@contextmanager
def open_module(path: Path | None) -> Iterator[tuple[Runtime, AotModule]]:
    """Open a Vulkan runtime and the module with the picture kernels; exit with a message if something is missing."""
    if importlib.util.find_spec("PIL") is None:
        raise SystemExit("error: the example needs pillow: pip install pillow")
    try:
        with Runtime("vulkan") as runtime, tempfile.TemporaryDirectory() as folder:
            yield runtime, runtime.load_module(path or _compile(Path(folder) / "pictures.tcm"))
    except (TaichiError, OSError) as error:
        raise SystemExit(f"error: {error}") from error


def _compile(path: Path) -> Path:
    if importlib.util.find_spec("taichi") is None:
        raise SystemExit("error: without --module the example needs the compiler: pip install taichi==1.7.4")
    done = subprocess.run([sys.executable, str(KERNELS), str(path)], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SystemExit(f"error: the module cannot be compiled\n{done.stderr}")
    return path


def progress(count: int, label: str) -> Iterator[int]:
    """Yield the numbers from 0 to `count`, with a progress bar if stderr is a terminal."""
    for i in range(count):
        _show(label, i, count)
        yield i
    _show(label, count, count, end="\n")


def _show(label: str, done: int, count: int, end: str = "") -> None:
    if sys.stderr.isatty():
        bar = "#" * (BAR * done // count)
        print(f"\r{label} [{bar:.<{BAR}}] {done}/{count}", end=end, file=sys.stderr, flush=True)
