"""Loops as they are compiled: their number of threads, which the compiler would limit to this machine's cores.

A loop with constant bounds is refused if it is too long: the compiler casts numbers to i32, so it would run nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._archs import CORE, TI

DEFAULT_CPU_THREADS = 16
LOOPS = (
    "begin_frontend_range_for",
    "begin_frontend_struct_for_on_external_tensor",
    "begin_frontend_struct_for_on_snode",
    "begin_frontend_mesh_for",
)
OF_CONSTANTS = ("make_const_expr_int", "value_cast")  # functions of the compiler
LEAST, MOST = -(1 << 31), (1 << 31) - 1
TOO_LONG = "a loop from {:,} to {:,} has too many iterations: it counts with i32, at most 2,147,483,647"


class StatedThreads:
    """A context in which each loop that is compiled states its number of threads."""

    def __init__(self, threads: int) -> None:
        self.threads = threads  # the number for loops that do not state their own by ``ti.loop_config``
        self._is_stated = False  # by ti.loop_config before the loop
        self._own: dict[str, Any] = {}
        self._functions: dict[str, Any] = {}
        self._constants: dict[int, tuple[int, Any]] = {}  # since the last loop, by address, with their expressions

    def __enter__(self) -> None:
        builder = CORE.ASTBuilder
        self._own = {name: getattr(builder, name) for name in ("parallelize", *LOOPS)}
        builder.parallelize = self._stating_by_source()
        for name in LOOPS:
            setattr(builder, name, self._stating(self._own[name]))
        self._functions = {name: getattr(CORE, name) for name in OF_CONSTANTS}
        CORE.make_const_expr_int = self._noting(self._functions["make_const_expr_int"], lambda given: given[1])
        CORE.value_cast = self._noting(self._functions["value_cast"], lambda given: self._value(given[0]))

    def __exit__(self, *error: object) -> None:
        for name, own in self._own.items():
            setattr(CORE.ASTBuilder, name, own)
        for name, own in self._functions.items():
            setattr(CORE, name, own)
        self._constants.clear()

    def _value(self, expression: Any) -> int | None:
        """The value of an expression, if it is a constant."""
        value, _ = self._constants.get(expression.get_underlying_ptr_address(), (None, None))
        return value

    def _noting(self, function: Any, value_of: Callable[[tuple[Any, ...]], int | None]) -> Any:
        """A function of the compiler that makes an expression, which notes its value, if its arguments have one."""

        def noting(*arguments: Any) -> Any:
            made = function(*arguments)
            value = value_of(arguments)
            if value is not None:
                self._constants[made.get_underlying_ptr_address()] = value, made
            return made

        return noting

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
            bounds = [self._value(each) for each in arguments if isinstance(each, CORE.Expr)]
            self._constants.clear()
            known = [each for each in bounds if each is not None]
            if len(known) == 2 and not (LEAST <= known[0] <= MOST and known[1] <= MOST and known[1] - known[0] <= MOST):
                raise TI.TaichiSyntaxError(TOO_LONG.format(*known))
            return begin(builder, *arguments)

        return begin_loop
