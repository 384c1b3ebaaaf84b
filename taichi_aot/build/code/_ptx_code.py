"""The child processes that compile PTX: the C library compiles LLVM IR of kernels, for a driver that keeps the result.

The library compiles a kernel when it is fetched, and passes the PTX to the driver. The driver that `_archs` describes
hands it on here, and runs nothing.
"""

from __future__ import annotations

import base64
import ctypes
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from ...bundle._source import CODE_SUFFIX
from ...driver._child import answer, report
from ...driver._host import temporary_folder
from ...driver._library import library_path
from ...values._enums import Arch
from ...values._errors import LibraryNotFoundError
from .._archs import load_cuda_driver
from .._options import BuildError

RECEIVER = ctypes.CFUNCTYPE(None, ctypes.c_char_p)
MESSAGE_BYTES = 4096


class Request(NamedTuple):
    """A request to a child process."""

    metadata: Mapping[str, str]  # the files of the module that describe its kernels, in base 64
    code: Mapping[str, str]  # LLVM IR by kernel


def compile_ptx(values: Sequence[Any]) -> NoReturn:
    """Compile kernels for a `Request`, answer with their PTX by kernel, and end the process.

    Each kernel is reported before it is compiled: the compiler may crash or hang.
    """
    answer(_compile(Request(*values)))
    sys.stderr.flush()
    os._exit(0)  # the system cleans up all that the library would


def _compile(request: Request) -> dict[str, Any]:
    received: list[bytes] = []
    receiver = RECEIVER(received.append)
    load_cuda_driver().taichi_aot_receive_ptx(receiver)
    try:
        library = _Library(library_path())
    except LibraryNotFoundError:
        return {"unavailable": "needs the C library of Taichi"}
    with temporary_folder() as folder:
        for name, data in request.metadata.items():
            (folder / name).write_bytes(base64.b64decode(data))
        for kernel, code in request.code.items():
            (folder / f"{kernel}{CODE_SUFFIX}").write_text(code, encoding="utf-8")
        module = library.load_module(folder)
        compiled: dict[str, str] = {}
        refused: dict[str, str] = {}
        for kernel in request.code:
            report(kernel)
            received.clear()
            try:
                library.fetch_kernel(module, kernel)
            except BuildError as reason:
                refused[kernel] = str(reason)
                continue
            (compiled[kernel],) = (ptx.decode() for ptx in received)
    return {"ptx": compiled, "refused": refused}


class _Library:
    """The C library, without the package's runtimes: those would change the IR, and ask the driver for a device."""

    def __init__(self, path: str) -> None:
        self._c = ctypes.CDLL(path)
        self._c.ti_create_runtime.restype = ctypes.c_void_p
        self._c.ti_load_aot_module.restype = self._c.ti_get_aot_module_kernel.restype = ctypes.c_void_p
        self._runtime = self._made(self._c.ti_create_runtime(int(Arch.CUDA), 0))

    def load_module(self, folder: Path) -> ctypes.c_void_p:
        return self._made(self._c.ti_load_aot_module(self._runtime, os.fsencode(folder)))

    def fetch_kernel(self, module: ctypes.c_void_p, kernel: str) -> None:
        self._made(self._c.ti_get_aot_module_kernel(module, kernel.encode()))

    def _made(self, handle: int | None) -> ctypes.c_void_p:
        """Return a handle that the library has made, or raise its error."""
        if handle:
            return ctypes.c_void_p(handle)
        size = ctypes.c_uint64(MESSAGE_BYTES)
        message = ctypes.create_string_buffer(MESSAGE_BYTES)
        self._c.ti_get_last_error(ctypes.byref(size), message)
        raise BuildError(message.value.decode(errors="replace"))
