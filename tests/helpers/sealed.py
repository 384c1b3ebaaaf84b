"""Run code while nothing can be imported and no file opened."""

from __future__ import annotations

import builtins
import resource
import sys
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

from helpers.machine import driver_opens_files


@contextmanager
def sealed(arch: str) -> Generator[list[str]]:
    """Refuse all imports within the package, imports of new modules elsewhere, and file descriptors.

    File descriptors are allowed if the driver of `arch` opens files itself.

    Yield the names of the refused modules, because code may catch the ImportError.
    """
    refused: list[str] = []
    opens_files = driver_opens_files(arch)
    statement = builtins.__import__

    def refuse(name: str) -> NoReturn:
        refused.append(name)
        raise ImportError(f"{name} is imported inside sealed()")

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

    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    vars(builtins)["__import__"] = import_
    sys.meta_path.insert(0, Finder)
    if not opens_files:
        resource.setrlimit(resource.RLIMIT_NOFILE, (0, limits[1]))
    try:
        yield refused
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        sys.meta_path.remove(Finder)
        vars(builtins)["__import__"] = statement
