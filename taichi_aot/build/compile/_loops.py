"""The number of threads of loops, which the compiler would limit to this machine's cores."""

from __future__ import annotations

from typing import Any

from .._taichi import CORE

DEFAULT_CPU_THREADS = 16
LOOPS = (
    "begin_frontend_range_for",
    "begin_frontend_struct_for_on_external_tensor",
    "begin_frontend_struct_for_on_snode",
    "begin_frontend_mesh_for",
)


class StatedThreads:
    """A context in which each loop that is compiled states its number of threads."""

    def __init__(self, threads: int) -> None:
        self.threads = threads  # the number for loops that do not state their own by ``ti.loop_config``
        self._is_stated = False  # by ti.loop_config before the loop
        self._own: dict[str, Any] = {}

    def __enter__(self) -> None:
        builder = CORE.ASTBuilder
        self._own = {name: getattr(builder, name) for name in ("parallelize", *LOOPS)}
        builder.parallelize = self._stating_by_source()
        for name in LOOPS:
            setattr(builder, name, self._stating(self._own[name]))

    def __exit__(self, *error: object) -> None:
        for name, own in self._own.items():
            setattr(CORE.ASTBuilder, name, own)

    def _stating_by_source(self) -> Any:
        def parallelize(builder: Any, threads: int) -> None:
            self._is_stated = True
            self._own["parallelize"](builder, threads)

        return parallelize

    def _stating(self, begin: Any) -> Any:
        def begin_loop(builder: Any, *arguments: Any) -> Any:
            if not self._is_stated:
                self._own["parallelize"](builder, self.threads)
            self._is_stated = False
            return begin(builder, *arguments)

        return begin_loop
