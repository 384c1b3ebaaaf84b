"""What builds change in a started compiler: its options, the asserts of kernels, and calls of real functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .._options import option

SPIRV = "vulkan"  # the arch for which a compiler starts to generate SPIR-V


def exact_matrices(config: Any) -> dict[str, bool]:
    """Return options without which a copied element of a vector may follow later assignments to the vector.

    Code with checks keeps its vectors: messages about elements of scalarized ones have no line.
    """
    return {"cfg_optimization": False} if config.debug else {"force_scalarize_matrix": True}


def set_options(config: Any, options: Mapping[str, Any]) -> dict[str, Any]:
    """Set options of the compiler; return what they were before."""
    own = {name: getattr(config, name) for name in options}
    for name, value in options.items():
        setattr(config, name, value)
    return own


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


def without_real_functions(call: Any, error: Callable[[str], Exception], alias: str) -> Any:
    """Return the replacement for ``__call__`` of the compiler's functions, for SPIR-V, which has only inlined ones.

    The compiler fails where a result is used, and leaves the call out where none is.
    """

    def call_inlined(function: Any, *arguments: Any, **named: Any) -> Any:
        if function.is_real_function:
            raise error(
                f"SPIR-V cannot have {function.func.__name__}, which is a {alias}.real_func: make it a {alias}.func, "
                f"or {option('others')}"
            )
        return call(function, *arguments, **named)

    return call_inlined
