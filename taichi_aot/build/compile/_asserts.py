"""The asserts of kernels in modules: left out, or with their line in the message."""

from __future__ import annotations

from typing import Any


def asserts_of_modules(impl: Any, make: Any) -> Any:
    """Return the replacement of the compiler's function for asserts; `impl` is its module.

    Without ``debug`` the JIT does not report asserts, but code of LLVM has them. The condition is computed before, so
    what it changes is changed on every arch.
    """

    def make_assert(condition: Any, message: str, arguments: Any, place: Any) -> None:
        number = impl.Expr(condition)  # which raises for what is none, also where the assert is left out
        if impl.current_cfg().debug:
            make(number, f"{message}\n{place.tb}", arguments, place)  # as in the compiler's messages about indices

    return make_assert
