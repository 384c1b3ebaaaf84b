"""Run code while nothing can be imported and no file opened."""

from __future__ import annotations

import builtins
import resource
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

from helpers.machine import driver_opens_files
from taichi_aot import Arch


@contextmanager
def sealed(arch: Arch) -> Generator[list[str]]:
    """Refuse what `without_imports` does, and file descriptors, unless the driver of `arch` opens files itself."""
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    opens_files = driver_opens_files(arch)
    with without_imports() as refused:
        if not opens_files:
            resource.setrlimit(resource.RLIMIT_NOFILE, (0, limits[1]))
        try:
            yield refused
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, limits)


@contextmanager
def without_imports() -> Generator[list[str]]:
    """Refuse all imports within the package, and imports of new modules elsewhere.

    Yield the names of the refused modules, because code may catch the ImportError.
    """
    refused: list[str] = []
    statement = builtins.__import__

    def refuse(name: str) -> NoReturn:
        refused.append(name)
        raise ImportError(f"{name} is imported inside without_imports()")

    def import_(
        name: str,
        scope: Mapping[str, Any] | None = None,
        variables: Mapping[str, Any] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> Any:
        is_statement = not isinstance(fromlist, list)  # as C code passes it, which numpy calls
        if is_statement and ((scope or {}).get("__name__") or "").startswith("taichi_aot"):
            refuse(name)
        return statement(name, scope, variables, fromlist, level)

    class Finder:
        @staticmethod
        def find_spec(name: str, path: Sequence[str] | None = None, target: object = None) -> None:
            refuse(name)

    vars(builtins)["__import__"] = import_
    sys.meta_path.insert(0, Finder)
    try:
        yield refused
    finally:
        sys.meta_path.remove(Finder)
        vars(builtins)["__import__"] = statement
