"""The tables ``[tool.taichi-aot.NAME]`` of a pyproject.toml; each describes a bundle of the project."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from ...values._enums import Arch
from ...values._wording import short
from .._errors import BuildError
from .._options import KINDS, MATHS, written_as
from ..output._build import build
from ..output._result import BuildResult

KEYS = (
    "source",
    "output",
    "python",
    "archs",
    "cpu-threads",
    "caps",
    "all",
    "debug",
    "ignore",
    "native",
    "math",
    "cubins",
)


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
    bundles = tuple(_Table(name, table, root).bundle() for name, table in tables.items())
    outputs: dict[Path, str] = {}
    for bundle in bundles:
        for path in bundle.files:
            other = outputs.setdefault(path, bundle.table)
            if other != bundle.table:
                raise BuildError(f"{bundle.table}: {path} is written by {other} too")
    return bundles


def _as_table(value: object) -> Mapping[str, object] | None:
    return cast("Mapping[str, object]", value) if isinstance(value, Mapping) else None


class _Table:
    """One table; each method reads a key."""

    def __init__(self, name: str, table: object, root: Path) -> None:
        self.name = f"[tool.taichi-aot.{name}]"
        self.default_output = f"{name}.tib"
        self.root = root.resolve()
        contents = _as_table(table)
        if contents is None:
            raise BuildError(f"[tool.taichi-aot] {name}: must be a table, [tool.taichi-aot.NAME], not {short(table)}")
        self.table = contents
        for key in self.table:
            if key not in KEYS:
                raise BuildError(f"{self.name} {key}: unknown key; the keys are {', '.join(KEYS)}")

    def bundle(self) -> ProjectBundle:
        source = self.path("source", ".py")
        if source is None:
            raise BuildError(f"{self.name} source: is missing; it is the file of kernels")
        if not source.is_file():
            raise BuildError(f"{self.name} source: there is no file {source}")
        output = self.path("output", ".tib") or source.with_name(self.default_output)
        options = {
            "archs": self.archs(),
            "cpu_threads": self.cpu_threads(),
            "caps": self.caps(),
            "all_kernels": self.switch("all"),
            "debug": self.switch("debug"),
            "ignore": self.ignore(),
            "native": self.native(),
            "math": self.math(),
            "cubins": self.cubins(),
        }
        return ProjectBundle(self.name, self.root, source, output, self.path("python", ".py"), options)

    def wrong(self, key: str, expected: str) -> BuildError:
        return BuildError(f"{self.name} {key}: must be {expected}, not {short(self.table[key])}")

    def path(self, key: str, suffix: str) -> Path | None:
        value = self.table.get(key)
        if value is None:
            return None
        path = (self.root / value).resolve() if isinstance(value, str) and "\0" not in value else None
        if path is None or path.suffix != suffix or not path.is_relative_to(self.root):
            raise self.wrong(key, f"the path of a {suffix} file in the project's folder")
        return path

    def archs(self) -> list[Arch] | None:
        value = self.table.get("archs")
        if value is None:
            return None
        names = list(map(str, Arch))
        if not isinstance(value, list) or not value or not all(each in names for each in cast("list[object]", value)):
            raise self.wrong("archs", f"a list of {', '.join(names)}")
        return list(map(Arch, cast("list[str]", value)))

    def cpu_threads(self) -> int | None:
        value = self.table.get("cpu-threads")
        if value is not None and type(value) is not int:
            raise self.wrong("cpu-threads", "an integer")
        return value

    def switch(self, key: str) -> bool:
        value = self.table.get(key, False)
        if not isinstance(value, bool):
            raise self.wrong(key, "true or false")
        return value

    def ignore(self) -> list[str]:
        value = self.table.get("ignore", [])
        if not isinstance(value, list) or not all(each in KINDS for each in cast("list[object]", value)):
            raise self.wrong("ignore", f"a list of {', '.join(KINDS)}")
        return cast("list[str]", value)

    def native(self) -> bool | None:
        value = self.table.get("native")
        if value is not None and not isinstance(value, bool):
            raise self.wrong("native", "true or false")
        return value

    def math(self) -> str:
        value = self.table.get("math", "default")
        if value not in MATHS:
            raise self.wrong("math", f"one of {', '.join(MATHS)}")
        return value

    def cubins(self) -> list[str]:
        value = self.table.get("cubins", [])
        if not isinstance(value, list) or not all(isinstance(each, str) for each in cast("list[object]", value)):
            raise self.wrong("cubins", 'a list of capabilities, such as ["sm_90"]')
        return cast("list[str]", value)

    def caps(self) -> Mapping[str, Any] | None:
        value = self.table.get("caps")
        caps = _as_table(value)
        if value is not None and caps is None:
            raise self.wrong("caps", 'a table, such as { spirv_version = "1.5" }')
        return caps
