"""The asserts of kernels in modules: left out, or with their line in the message."""

from __future__ import annotations

from typing import Any

from .._taichi import IMPL


def asserts_of_modules(make: Any) -> Any:
    """Return the replacement of the compiler's function for asserts.

    Without ``debug`` the JIT does not report asserts, but code of LLVM has them. The condition is computed before, so
    what it changes is changed on every arch.
    """

    def ti_assert(condition: Any, message: str, arguments: Any, place: Any) -> None:
        number = IMPL.Expr(condition)  # which raises for what is none, also where the assert is left out
        if IMPL.current_cfg().debug:
            make(number, f"{message}\n{place.tb}", arguments, place)  # as in the compiler's messages about indices

    return ti_assert
