"""The tables ``[tool.taichi-aot.NAME]`` of a pyproject.toml, each of which describes a bundle of the project.

``taichi-aot build --watch`` builds again whenever the source changes.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from importlib.machinery import PathFinder
from pathlib import Path
from time import sleep
from typing import Any, cast

from ..bundle._files import Stamp, identity_of
from ..bundle._plan import source_digest
from ..values._errors import short
from ..values._numbers import Arch
from ._options import KINDS, MATHS, BuildError, UnavailableError, written_as
from ._processes import Kept
from .output._build import BuildResult, build

INTERVAL = 0.1  # seconds


def watch(source: str, build: Callable[[], BuildResult]) -> Iterator[BuildResult | BuildError | OSError]:
    """Build, and build again whenever the source changes; yield each result or error, without end.

    The files of a result are watched. After an error, which may come before the source has imported anything, these are
    the files of the last result and all Python files in the folder of the source. UnavailableError if the compiler is
    missing, which no change of the source remedies, OSError from the first build.

    Each build uses what those before it have left; see `Kept`.
    """
    with closing(Kept()) as kept:
        yield from _watch(source, build, kept)


def _watch(source: str, build: Callable[[], BuildResult], kept: Kept) -> Iterator[BuildResult | BuildError | OSError]:
    sources: tuple[Path, ...] = ()

    def candidates() -> list[Path]:
        return [*sources, *_files_beside(source)]

    while True:
        before = _state(candidates())
        try:
            with kept.used():
                result = build()
        except UnavailableError:
            raise
        except (BuildError, OSError) as error:
            if isinstance(error, OSError) and not sources:
                raise
            yield error
            while _settled(candidates) == before:
                sleep(INTERVAL)
        else:
            sources = result.sources
            yield result
            _wait_for_other_contents(result)


def _wait_for_other_contents(result: BuildResult) -> None:
    """Wait until the files have other contents than those that were built, also if they changed during the build."""
    files, looked_at = [*map(str, result.sources)], None
    while True:
        state = _settled(lambda: result.sources)
        if state != looked_at and source_digest("", files) not in (None, result.source_sha256):
            return
        looked_at = state
        sleep(INTERVAL)


def _settled(files: Callable[[], Sequence[Path]]) -> dict[Path, Stamp | None]:
    """Return the state of files when it has not changed for a moment: editors may write a file in several steps."""
    state = _state(files())
    while True:
        sleep(INTERVAL / 4)
        last, state = state, _state(files())
        if state == last:
            return state


def _state(files: Iterable[Path]) -> dict[Path, Stamp | None]:
    return {path: identity_of(path) for path in files}


def _files_beside(source: str) -> list[Path]:
    """Return the Python files in the folder of a source; for a module, those in its top package."""
    if source.endswith(".py"):
        return [*Path(source).absolute().parent.glob("*.py")]
    spec = PathFinder.find_spec(source.partition(".")[0], [os.getcwd(), *sys.path])
    if spec is None or spec.origin is None:
        return []
    return [*Path(spec.origin).parent.rglob("*.py")] if spec.submodule_search_locations else [Path(spec.origin)]


# The tables ``[tool.taichi-aot.NAME]`` of a pyproject.toml; each describes a bundle of the project.


ARCHS = tuple(map(str, Arch))


@dataclass(frozen=True)
class _Option:
    """A key of a table that is an argument of `build`."""

    argument: str
    expected: str  # in messages
    is_valid: Callable[[object], bool]


def _is_flag(value: object) -> bool:
    return isinstance(value, bool)


def _is_list_of(names: Sequence[str]) -> Callable[[object], bool]:
    return lambda value: isinstance(value, list) and all(each in names for each in cast("list[object]", value))


def _is_list_of_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in cast("list[object]", value))


PATHS = {"source": ".py", "output": ".tib", "python": ".py"}  # with their suffixes
OPTIONS = {
    "archs": _Option("archs", f"a list of {', '.join(ARCHS)}", lambda value: bool(value) and _is_list_of(ARCHS)(value)),
    "cpu-threads": _Option("cpu_threads", "an integer", lambda value: type(value) is int),
    "caps": _Option("caps", 'a table, such as { spirv_version = "1.5" }', lambda value: isinstance(value, Mapping)),
    "all": _Option("all_kernels", "true or false", _is_flag),
    "debug": _Option("debug", "true or false", _is_flag),
    "ignore": _Option("ignore", f"a list of {', '.join(KINDS)}", _is_list_of(KINDS)),
    "native": _Option("native", "true or false", _is_flag),
    "math": _Option("math", f"one of {', '.join(MATHS)}", lambda value: value in MATHS),
    "cubins": _Option("cubins", 'a list of capabilities, such as ["sm_90"]', _is_list_of_texts),
}
KEYS = (*PATHS, *OPTIONS)


@dataclass(frozen=True)
class ProjectBundle:
    """A bundle of a project. Its paths are absolute."""

    table: str  # the table's name in messages
    root: Path  # the folder of pyproject.toml
    # source, output: the file of kernels, and the bundle.
    source: Path
    output: Path
    python: Path | None  # the Python module of the bundle, if the table names one
    options: dict[str, Any]  # further arguments of `build`

    @property
    def files(self) -> tuple[Path, ...]:
        """The files that `build` writes."""
        return (self.output,) if self.python is None else (self.output, self.python)

    @property
    def marker(self) -> Path | None:
        """The file by which type checkers read the types of the Python module; None if it is not in a package."""
        if self.python is None or not self.python.with_name("__init__.py").is_file():
            return None
        return self.python.with_name("py.typed")

    @property
    def shipped(self) -> tuple[Path, ...]:
        """The files that a wheel contains."""
        return self.files if self.marker is None else (*self.files, self.marker)

    @property
    def is_current(self) -> bool:
        """Whether the files are newer than pyproject.toml and all Python files in the folder of the source."""
        if not all(path.is_file() for path in self.shipped):
            return False
        inputs = {self.root / "pyproject.toml", *self.source.parent.glob("*.py")} - set(self.files)
        return max(path.stat().st_mtime for path in inputs) < min(path.stat().st_mtime for path in self.files)

    def build(self) -> BuildResult:
        """Build the bundle, and write the marker unless the package has one; a BuildError names the table."""
        try:
            with written_as("key"):
                result = build(self.source, self.output, python=self.python, **self.options)
            if self.marker is not None:
                self.marker.touch()
            return result
        except (BuildError, OSError, TypeError, ValueError) as error:
            raise BuildError(f"{self.table}: {error}") from error


def read_project(config: Mapping[str, object], root: Path) -> tuple[ProjectBundle, ...]:
    """Return the bundles that pyproject.toml states; a BuildError names the wrong table and the key."""
    tools = _as_table(config.get("tool")) or {}
    if "taichi_aot" in tools:
        raise BuildError("[tool.taichi_aot...] is not read: write [tool.taichi-aot...], with a hyphen")
    tables = _as_table(tools.get("taichi-aot", {}))
    if tables is None:
        raise BuildError("[tool.taichi-aot] must contain tables, such as [tool.taichi-aot.kernels]")
    bundles = tuple(_read_table(name, table, root.resolve()) for name, table in tables.items())
    outputs: dict[Path, str] = {}
    for bundle in bundles:
        for path in bundle.files:
            other = outputs.setdefault(path, bundle.table)
            if other != bundle.table:
                raise BuildError(f"{bundle.table}: {path} is written by {other} too")
    return bundles


def _as_table(value: object) -> Mapping[str, object] | None:
    return cast("Mapping[str, object]", value) if isinstance(value, Mapping) else None


def _read_table(name: str, table: object, root: Path) -> ProjectBundle:
    where, contents = f"[tool.taichi-aot.{name}]", _as_table(table)
    if contents is None:
        raise BuildError(f"[tool.taichi-aot] {name}: must be a table, [tool.taichi-aot.NAME], not {short(table)}")
    for key in contents:
        if key not in KEYS:
            raise BuildError(f"{where} {key}: unknown key; the keys are {', '.join(KEYS)}")
    paths = {key: _path(where, key, contents[key], root) for key in PATHS if key in contents}
    if "source" not in paths:
        raise BuildError(f"{where} source: is missing; it is the file of kernels")
    source = paths["source"]
    if not source.is_file():
        raise BuildError(f"{where} source: there is no file {source}")
    options = {key: contents[key] for key in OPTIONS if key in contents}
    for key, value in options.items():
        if not OPTIONS[key].is_valid(value):
            raise _wrong(where, key, OPTIONS[key].expected, value)
    return ProjectBundle(
        where,
        root,
        source,
        paths.get("output", source.with_name(f"{name}.tib")),
        paths.get("python"),
        {OPTIONS[key].argument: value for key, value in options.items()},
    )


def _path(where: str, key: str, value: object, root: Path) -> Path:
    path = (root / value).resolve() if isinstance(value, str) and "\0" not in value else None
    if path is None or path.suffix != PATHS[key] or not path.is_relative_to(root):
        raise _wrong(where, key, f"the path of a {PATHS[key]} file in the project's folder", value)
    return path


def _wrong(where: str, key: str, expected: str, value: object) -> BuildError:
    return BuildError(f"{where} {key}: must be {expected}, not {short(value)}")
