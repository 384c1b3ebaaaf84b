"""The machine code of a module, opened for a CPU, with what its kernels have for a runtime."""

from __future__ import annotations

import os
from functools import cache, partial
from typing import TYPE_CHECKING, Any

from ..driver._host import anonymous_pages, temporary_folder
from ..driver._library import address_of, ffi, lib, put_address
from ..values._errors import CorruptedDataError

if TYPE_CHECKING:
    from .._cdata import Array, Pointer
    from ..bundle._plan import Plan
    from ._runtime import RuntimeHandle


class NativeCode:
    """Opened machine code for a kind of CPU, as `PtxCode`; it is closed with the last reference to it.

    All modules of a runtime draw random numbers from the same states. The code does not end with modules, as it takes
    little memory, and the pool remembers its loops.
    """

    ends_with_modules = is_of_runtime = False
    has_fields = True
    trees: Pointer[Any] = ffi.NULL
    way = "native"
    device_threads = 0  # plans do not ask

    def __init__(self, plan: Plan, target: str, runtime: RuntimeHandle) -> None:
        self.target = target
        self._random = runtime.random  # the states live as long as it
        self._memory: list[Any] = []  # that the struct points to
        stated = plan.stated["runtime"]
        self.runtime: Array[bytes] = ffi.new("char[]", stated["size"])
        self._fill(stated)
        self.roots: int = address_of(self.runtime) + stated["members"]["roots"]
        self.checks: int = self._check_record(runtime, plan) if "errors" in stated["needs"] else 0
        code = plan.files[plan.stated["code"][target]]
        self._library = lib.taichi_aot_native_open(ffi.from_buffer(code), len(code)) or _open_file(code)

    def _fill(self, stated: dict[str, Any]) -> None:
        put, needs = partial(put_address, ffi.buffer(self.runtime), stated), stated["needs"]
        if "pool" in needs:
            put("parallel_for", int(lib.taichi_aot_pool_function("random" in needs)))
        if "temporaries" in needs:
            put("temporaries", self._pages(stated["temporaries"]))
        if "random" in needs:
            put("rand_states", self._random.host_states())
        if "prints" in needs:
            put("host_printf", int(lib.taichi_aot_print_function()))
        for tree, size in stated["trees"]:
            put("roots", self._pages(size), tree)

    def _check_record(self, runtime: RuntimeHandle, plan: Plan) -> int:
        """Return the address of what code with checks writes."""
        stated = plan.stated["runtime"]
        begin = stated["members"]["error_message_template"]
        if not 0 <= begin <= stated["size"] - ffi.sizeof("taichi_aot_check_record"):
            raise plan.damaged("the runtime", "the record of failed checks leaves its struct")
        runtime.check(lib.taichi_aot_check_addresses(runtime.c, ffi.new("uint64_t[7]")))  # makes the failure
        return address_of(self.runtime) + int(begin)

    def _pages(self, size: int) -> int:
        pages = anonymous_pages(size)
        memory = ffi.from_buffer(pages)
        self._memory.append(memory)
        return address_of(memory)

    def open(self, kernel: str) -> bool:
        """Open the code of a kernel, and return whether it can be used."""
        return True

    def function(self, kernel: str, symbol: str) -> int:
        """Return the address of a function of a kernel; CorruptedDataError if the code does not have it."""
        address = address_of(lib.taichi_aot_symbol(self._library, symbol.encode()))
        if not address:
            raise CorruptedDataError(f"the machine code of the module lacks the function {symbol!r}")
        return address

    def __del__(self) -> None:
        if getattr(self, "_library", None) and lib:  # None if the interpreter has cleared the module first
            lib.taichi_aot_native_close(self._library)


def _open_file(code: bytes) -> Any:
    """Open code from a file, because files in memory have no path without ``/proc``."""
    with temporary_folder() as folder:
        path = folder / "kernels.so"
        path.write_bytes(code)
        library = lib.taichi_aot_native_open_file(os.fsencode(path))
    if not library:
        raise OSError(ffi.string(lib.taichi_aot_error_message()).decode(errors="replace"))
    return library


def open_code(plan: Plan, runtime: RuntimeHandle) -> NativeCode | str:
    """Open the machine code of a module; return the reason if it has none for this CPU, or cannot be opened."""
    target = native_target(plan)
    if not target:
        return f"the module has no machine code{' for this CPU' * bool(plan.stated.get('code'))}"
    try:
        return plan.read("its machine code", lambda: NativeCode(plan, target, runtime))
    except OSError as error:
        return f"its machine code cannot be opened: {error}"


def native_target(plan: Plan) -> str:
    """Return the best of the kinds of CPU for which a module has machine code and that this machine runs, if any."""
    code = plan.stated.get("code", ())
    for target in _targets():
        if target in code:
            return target
    return ""


@cache
def _targets() -> list[str]:
    """Return the kinds of CPU whose code this machine runs, the best first."""
    return ffi.string(lib.taichi_aot_native_targets()).decode().split()
