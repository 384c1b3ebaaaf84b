"""The machine code of an x64 module: ``native.json``, and a shared object for each kind of CPU.

`taichi_aot.build` compiles them from the LLVM IR of the kernels. ``native.json`` also states what the IR shows, so that
loading a module does not read it. Reading compares the names of the kernels and the sizes of all files with what is
stated. Only `verify` reads the IR and compares all digests: an archive has checksums, which are compared when a file is
read. A file in a folder is compared with its digest then.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ..values._enums import Arch
from ..values._errors import CorruptedDataError
from ._files import NATIVE, NATIVE_CODE
from ._native_elf import check_code, check_symbols
from ._source import Files, check_digest
from ._stated import (
    ROOTS,
    NativeKernel,
    NativeMember,
    Parsed,
    StatedFile,
    StatedIr,
    described_ir,
    described_kernel,
    state_ir,
)

if TYPE_CHECKING:
    from ._info import ModuleInfo

__all__ = [
    "ERRORS",
    "MEMBERS",
    "NEEDS",
    "POOL",
    "RANDOM",
    "RESULTS",
    "ROOTS",
    "TEMPORARIES",
    "NativeKernel",
    "NativeMember",
    "NativeModule",
    "StatedIr",
    "native_files",
    "parse_native",
    "read_native",
    "state_ir",
    "verify",
]

VERSION = 1

POOL, TEMPORARIES, RANDOM, ERRORS, RESULTS = "pool", "temporaries", "random", "errors", "results"
# What the code of a kernel may use, with the members of the runtime's struct that have it. Return values are written to
# the buffer in the context.
MEMBERS: dict[str, tuple[str, ...]] = {
    POOL: ("thread_pool", "parallel_for"),
    TEMPORARIES: ("temporaries",),
    ROOTS: ("roots",),
    RANDOM: ("rand_states",),
    ERRORS: ("error_message_template", "error_message_arguments", "error_message_lock", "error_code"),
    RESULTS: (),
}
NEEDS = frozenset(MEMBERS)

KEYS = {"version", "runtime_size", "members", "temporaries", "kernels", "ir", "refused", "code"}
STATED = StatedFile(NATIVE, KEYS, VERSION)


class NativeModule(NamedTuple):
    """The machine code of a module.

    Attributes
    ----------
    runtime_size : int
        Bytes of the runtime's struct, ``LLVMRuntime``, which the caller allocates, zeroes and fills.
    members : dict of str to NativeMember
        The members that `MEMBERS` names. ``roots`` is an array of addresses by tree of fields.
    temporaries : int
        Bytes that ``temporaries`` points to.
    kernels : dict of str to NativeKernel
        The kernels that have machine code.
    refused : dict of str to str
        The other kernels, each with the reason: a short clause whose subject is the kernel.
    code : mapping of str to bytes
        A shared object for each kind of CPU. `checked_code` returns one that can be opened.
    digests : dict of str to str
        SHA-256 of `code` by target.
    ir : dict of str to StatedIr
        The IR of each kernel, also of those that have no machine code.
    """

    runtime_size: int
    members: dict[str, NativeMember]
    temporaries: int
    kernels: dict[str, NativeKernel]
    refused: dict[str, str]
    code: Mapping[str, bytes]
    digests: dict[str, str]
    ir: dict[str, StatedIr]

    def checked_code(self, target: str) -> bytes:
        """Return the shared object for a target, after a check of what the system's loader trusts.

        Raises
        ------
        CorruptedDataError
            If its headers are damaged, or it is cut off. In a folder, if it does not have the digest that is stated.
        """
        code = self.code[target]
        check_code(NATIVE_CODE[target], code, target)
        return code


def parse_native(files: Files, code: Files) -> Parsed:
    """Parse ``native.json``, and check what it states of the IR.

    Parameters
    ----------
    files : Files
        Those of `NATIVE_FILES` that the module has.
    code : Files
        The IR of each kernel by the name of its file.

    Raises
    ------
    CorruptedDataError
        If it is damaged, or belongs to other kernels.
    """
    if NATIVE not in files:
        raise CorruptedDataError(f"{NATIVE} is missing, which {min(files)} needs")
    return STATED.parse(files[NATIVE], code, Arch.X64)


def read_native(parsed: Parsed, files: Files, info: ModuleInfo) -> NativeModule:
    """Read and check what a module states of its machine code.

    Parameters
    ----------
    parsed : Parsed
        What `parse_native` returned.
    files : Files
        Those of `NATIVE_FILES` that the module has. Shared objects are not read.
    info : ModuleInfo
        The contents of the module.

    Raises
    ------
    CorruptedDataError
        If it is damaged, or belongs to other kernels.
    """
    stated = parsed.stated
    size, members = STATED.members(stated, {name for names in MEMBERS.values() for name in names})
    kernels, refused = STATED.kernels(parsed, NEEDS, info)
    code, digests = _read_code(files, STATED.object(stated["code"]))
    return NativeModule(size, members, STATED.temporaries(stated), kernels, refused, code, digests, parsed.ir)


def _read_code(files: Files, stated: Mapping[str, Any]) -> tuple[Files, dict[str, str]]:
    names = {NATIVE_CODE[target]: target for target in stated if target in NATIVE_CODE}
    if len(names) != len(stated) or names.keys() != files.keys() - {NATIVE}:
        raise STATED.error("its files of machine code are not those of the module")
    digests = {target: STATED.file(name, stated[target], files.sizes[name]) for name, target in names.items()}
    sizes = {target: files.sizes[name] for name, target in names.items()}
    compared = files.compared({name: digests[target] for name, target in names.items()}, NATIVE)
    return Files(sizes, lambda target: compared[NATIVE_CODE[target]]), digests


def verify(native: NativeModule, code: Mapping[str, bytes]) -> None:
    """Check what reading a module leaves out, because it takes long: digests, and the symbols of each shared object.

    Parameters
    ----------
    native : NativeModule
    code : mapping
        The IR of each kernel by the name of its file.

    Raises
    ------
    CorruptedDataError
        If machine code is damaged, or was compiled from another IR.
    """
    STATED.verify_ir(native.ir, code)
    symbols = {symbol for kernel in native.kernels.values() for symbol in kernel.tasks}
    for target, data in native.code.items():
        check_digest(NATIVE_CODE[target], data, native.digests[target], NATIVE)
        check_symbols(NATIVE_CODE[target], native.checked_code(target), target, symbols)


def native_files(native: NativeModule) -> dict[str, bytes]:
    """The files of a module that have its machine code, by name."""
    return {NATIVE: _to_json(native), **{NATIVE_CODE[target]: data for target, data in native.code.items()}}


def _to_json(native: NativeModule) -> bytes:
    stated = {
        "version": VERSION,
        "runtime_size": native.runtime_size,
        "members": native.members,
        "temporaries": native.temporaries,
        "kernels": {name: described_kernel(kernel) for name, kernel in native.kernels.items()},
        "ir": {name: described_ir(ir) for name, ir in native.ir.items()},
        "refused": native.refused,
        "code": {target: [len(data), native.digests[target]] for target, data in native.code.items()},
    }
    return json.dumps(stated, separators=(",", ":"), sort_keys=True).encode()
