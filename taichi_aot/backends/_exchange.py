"""Copies between runtimes of CUDA in one call, on streams of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..driver._library import ffi, lib
from ..driver._pointers import address_of
from ..driver._status import Status, error_of, log_debug
from ..handles._copies import RangeCopy
from ..handles._runtime import RuntimeHandle

if TYPE_CHECKING:
    from .._capi import taichi_aot_exchange_p

__all__ = ["MOST_RUNTIMES", "CudaExchange"]

MOST_RUNTIMES = 64  # of one exchange


def _in_order(runtimes: Sequence[RuntimeHandle]) -> list[RuntimeHandle]:
    """Return each runtime once, in the order in which their locks are taken."""
    different = {id(runtime): runtime for runtime in runtimes}
    return sorted(different.values(), key=lambda runtime: address_of(runtime.context.c))


def _reason(status: int) -> str:
    return ffi.string(lib.taichi_aot_error_message()).decode(errors="replace") or f"status {status}"


class CudaExchange:
    """A list of copies, in memory that C reads.

    Attributes
    ----------
    c : cdata
        ``taichi_aot_exchange *``.
    runtimes : list of RuntimeHandle
        The runtimes, in the order of their locks.
    """

    __slots__ = ("_copies", "_memory", "c", "runtimes")

    def __init__(self, copies: Sequence[RangeCopy]) -> None:
        memories = [memory for copy in copies for memory in (copy.target, copy.source)]
        self._copies = copies  # which keep the memories
        self.runtimes = _in_order([memory.runtime for memory in memories])
        places: dict[int, int] = {}  # of the first runtime of each context
        for i, runtime in enumerate(self.runtimes):
            places.setdefault(id(runtime.context), i)
        c_runtimes = ffi.new("taichi_aot_runtime *[]", [runtime.c for runtime in self.runtimes])
        c_copies = ffi.new(
            "taichi_aot_peer_copy[]",
            [
                {
                    "target_place": places[id(copy.target.runtime.context)],
                    "source_place": places[id(copy.source.runtime.context)],
                    "target": copy.target.c,
                    "target_generation": copy.target.generation,
                    "target_offset": copy.offset,
                    "source": copy.source.c,
                    "source_generation": copy.source.generation,
                    "source_offset": copy.source_offset,
                    "size": copy.size,
                }
                for copy in copies
            ],
        )
        self._memory = c_runtimes, c_copies
        self.c: taichi_aot_exchange_p = ffi.new(
            "taichi_aot_exchange *",
            {
                "runtimes": c_runtimes,
                "runtime_count": len(self.runtimes),
                "count": len(copies),
                "copies": c_copies,
            },
        )

    def run(self) -> bool:
        return self._queue(is_ended=True)

    def begin(self) -> bool:
        return self._queue(is_ended=False)

    def _queue(self, *, is_ended: bool) -> bool:
        status = lib.taichi_aot_cuda_exchange(self.c, is_ended)
        if status:
            log_debug("exchange of %d runtimes: one copy after the other: %s", len(self.runtimes), _reason(status))
        return not status

    def end(self) -> None:
        errors: list[Exception] = []
        for runtime in self.runtimes:
            status = lib.taichi_aot_cuda_exchange_end(runtime.c)
            if status and status != Status.CLOSED:  # closing has waited
                errors.append(error_of(status))
        if errors:
            raise errors[0]
