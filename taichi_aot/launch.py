"""Launch: a kernel or compute graph with its arguments, checked and packed once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .arguments import Packer
from .enums import Arch
from .errors import check
from .signature import Signature

__all__ = ["Launch"]


class Launch:
    """A launch that is ready to go. Made by ``kernel.bind(...)`` and ``graph.bind(...)``; call it to launch.

    It keeps the arrays among its arguments alive. Closing one of them makes the launch raise.
    """

    __slots__ = ("__weakref__", "_arguments", "_block", "_handles", "_packer")

    def __init__(self, packer: Packer, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
        self._packer = packer
        self._block = packer.block()
        self._handles = [array._handle for array in self._block.fill(*args, **kwargs)]
        self._arguments = packer.order(args, kwargs)

    @property
    def signature(self) -> Signature:
        """What the kernel or graph takes."""
        return self._packer.signature

    def __call__(self) -> None:
        """Launch.

        Raises
        ------
        ValueError
            If an array, the module or the runtime is closed.
        TaichiError
            If the library reports an error.
        """
        packer = self._packer
        runtime = packer.module.runtime
        with runtime.lock:
            if runtime.pointer is None or not packer.module.open or any(h.pointer is None for h in self._handles):
                raise packer.refuse(self._arguments)
            if runtime.released or runtime.arch is Arch.OPENGL:
                runtime.use()
            code = packer.launch(runtime.pointer, packer.native, self._block.length, self._block.native)
            runtime.busy = not runtime.arch.is_cpu
            check(code)

    def __reduce__(self) -> str:
        raise TypeError("cannot pickle or copy a Launch: it belongs to a native module of this process")

    def __repr__(self) -> str:
        return f"<Launch of {self.signature}>"
