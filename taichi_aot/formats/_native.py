"""The machine code of an x64 module: ``native.json``, and a shared object for each kind of CPU.

`taichi_aot.build` compiles them from the LLVM IR of the kernels. ``native.json`` also states what the IR shows, so that
loading a module does not read it. Reading compares the names of the kernels and the sizes of all files with what is
stated. Only `verify` reads the IR and compares digests: an archive has checksums, which are compared when a file is
read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ..values._enums import Arch
from ..values._errors import CorruptedDataError
from ._files import CODE_SUFFIX, NATIVE, NATIVE_CODE
from ._llvm_ir import CodeFacts, facts_of
from ._native_elf import check_code, check_symbols
from ._source import Files

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
    "code_digest",
    "native_files",
    "parse_native",
    "read_native",
    "state_ir",
    "verify",
]

VERSION = 1

POOL, TEMPORARIES, ROOTS, RANDOM, ERRORS, RESULTS = "pool", "temporaries", "roots", "random", "errors", "results"
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

MAX_BYTES = 1 << 28  # of each file
MAX_RUNTIME = 1 << 20  # bytes of the runtime's struct, which has 37 KB
MAX_TEMPORARIES = 1 << 24
MAX_KERNELS, MAX_TASKS, MAX_TREES, MAX_TEXT = 100_000, 10_000, 512, 1000
MAX_ARGUMENTS, MAX_THREADS = 10_000, 1 << 31
DIGEST = re.compile("[0-9a-f]{64}")


class NativeMember(NamedTuple):
    """A member of the runtime's struct."""

    offset: int
    size: int


class NativeKernel(NamedTuple):
    """A kernel that has machine code.

    Attributes
    ----------
    tasks : tuple of str
        The symbols of its tasks, in the order in which they are called.
    needs : frozenset of str
        What its code uses, of `NEEDS`.
    trees : tuple of int
        The trees of fields whose roots it uses, all of them dense.
    """

    tasks: tuple[str, ...]
    needs: frozenset[str]
    trees: tuple[int, ...]


class StatedIr(NamedTuple):
    """The IR of a kernel: its size, its SHA-256 in hexadecimal digits, and what it shows."""

    size: int
    sha256: str
    facts: CodeFacts


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
            If its headers are damaged, or it is cut off.
        """
        check_code(NATIVE_CODE[target], self.code[target], target)
        return self.code[target]


class Parsed(NamedTuple):
    """``native.json``, whose contents except for the IR are not checked yet."""

    stated: dict[str, Any]
    ir: dict[str, StatedIr]

    @property
    def facts(self) -> dict[str, CodeFacts]:
        """What the IR of each kernel shows."""
        return {name: ir.facts for name, ir in self.ir.items()}


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
    stated = _parse(files[NATIVE])
    ir = {name: _read_ir(name, parts, code) for name, parts in _object(stated["ir"], MAX_KERNELS).items()}
    return Parsed(stated, ir)


def _read_ir(name: str, parts: Any, code: Files) -> StatedIr:
    size, digest, threads, trees, gradients, checked = _items(name, parts, 6)
    if type(size) is not int or size != code.sizes.get(f"{name}{CODE_SUFFIX}"):
        raise _error(f"the code of kernel {name!r} was compiled from another IR")
    if not isinstance(digest, str) or not DIGEST.fullmatch(digest):
        raise _error(f"kernel {name!r} has no digest of its IR")
    if threads is not None:
        _integer(threads, 0, MAX_THREADS)
    numbers = [_integer(tree, 0, MAX_TREES - 1) for tree in _list(trees, MAX_TREES)]
    arrays = [_integer(index, 0, MAX_ARGUMENTS) for index in _list(gradients, MAX_ARGUMENTS)]
    if type(checked) is not bool:
        raise _error(f"kernel {name!r} does not state whether it has checks")
    return StatedIr(size, digest, CodeFacts(Arch.X64, threads, tuple(numbers), frozenset(arrays), checked))


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
    members = {name: NativeMember(*_integers(pair, 2)) for name, pair in _object(stated["members"]).items()}
    size = _integer(stated["runtime_size"], 1, MAX_RUNTIME)
    if members.keys() != {name for names in MEMBERS.values() for name in names}:
        raise _error("the members of the runtime's struct are not those that kernels use")
    for name, member in members.items():
        if not 0 < member.size <= size - member.offset:
            raise _error(f"member {name!r} is not within the runtime's struct of {size} bytes")
    described = _object(stated["kernels"], MAX_KERNELS)
    kernels = {name: _read_kernel(name, parts, info) for name, parts in described.items()}
    refused = {name: _text(reason) for name, reason in _object(stated["refused"], MAX_KERNELS).items()}
    names = info.all_kernels.keys()
    if kernels.keys() & refused.keys() or kernels.keys() | refused.keys() != names or parsed.ir.keys() != names:
        raise _error("its kernels are not those of the module")
    code, digests = _read_code(files, _object(stated["code"]))
    temporaries = _integer(stated["temporaries"], 0, MAX_TEMPORARIES)
    return NativeModule(size, members, temporaries, kernels, refused, code, digests, parsed.ir)


def _items(name: str, parts: Any, count: int) -> Sequence[Any]:
    if not isinstance(parts, list) or len(cast("Sequence[Any]", parts)) != count:
        raise _error(f"kernel {name!r} is not described by a list of {count} items")
    return cast("Sequence[Any]", parts)


def _read_kernel(name: str, parts: Any, info: ModuleInfo) -> NativeKernel:
    symbols, needs, own_trees = _items(name, parts, 3)
    symbols, needs, own_trees = _list(symbols, MAX_TASKS), _list(needs, len(NEEDS)), _list(own_trees, MAX_TREES)
    if name not in info.all_kernels or len(symbols) != len(info.all_kernels[name].tasks):
        raise _error(f"kernel {name!r} has other tasks than the module states")
    for symbol in symbols:
        if not _text(symbol):
            raise _error(f"kernel {name!r} has a task without a name")
    if not all(isinstance(need, str) for need in needs) or not NEEDS.issuperset(needs):
        raise _error(f"kernel {name!r} needs what is not known")
    if any(type(tree) is not int or tree not in info.field_trees for tree in own_trees) or bool(own_trees) != (
        ROOTS in needs
    ):
        raise _error(f"kernel {name!r} uses other fields than the module has")
    return NativeKernel(tuple(symbols), frozenset(needs), tuple(own_trees))


def _read_code(files: Files, stated: Mapping[str, Any]) -> tuple[Files, dict[str, str]]:
    names = {NATIVE_CODE[target]: target for target in stated if target in NATIVE_CODE}
    if len(names) != len(stated) or names.keys() != files.keys() - {NATIVE}:
        raise _error("its files of machine code are not those of the module")
    digests: dict[str, str] = {}
    for name, target in names.items():
        entry, size = _list(stated[target], 2), files.sizes[name]
        if len(entry) != 2 or type(entry[0]) is not int or entry[0] != size or size > MAX_BYTES:
            raise _error(f"{name} has another size")
        if not isinstance(entry[1], str) or not DIGEST.fullmatch(entry[1]):
            raise _error(f"{name} has no digest")
        digests[target] = entry[1]
    sizes = {target: files.sizes[name] for name, target in names.items()}
    return Files(sizes, lambda target: files[NATIVE_CODE[target]]), digests


def state_ir(name: str, code: bytes) -> StatedIr:
    """What a module with machine code states of the IR of a kernel."""
    return StatedIr(len(code), code_digest(code), facts_of(name, code))


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
    for name, stated in native.ir.items():
        if state_ir(name, code[f"{name}{CODE_SUFFIX}"]) != stated:
            raise _error(f"the code of kernel {name!r} was compiled from another IR")
    symbols = {symbol for kernel in native.kernels.values() for symbol in kernel.tasks}
    for target, data in native.code.items():
        if code_digest(data) != native.digests[target]:
            raise _error(f"{NATIVE_CODE[target]} has another digest")
        check_symbols(NATIVE_CODE[target], native.checked_code(target), target, symbols)


def code_digest(data: bytes) -> str:
    """SHA-256 of a file, in hexadecimal digits."""
    import hashlib

    return hashlib.sha256(data).hexdigest()


def native_files(native: NativeModule) -> dict[str, bytes]:
    """The files of a module that have its machine code, by name."""
    return {NATIVE: _to_json(native), **{NATIVE_CODE[target]: data for target, data in native.code.items()}}


def _to_json(native: NativeModule) -> bytes:
    stated = {
        "version": VERSION,
        "runtime_size": native.runtime_size,
        "members": native.members,
        "temporaries": native.temporaries,
        "kernels": {
            name: [kernel.tasks, sorted(kernel.needs), kernel.trees] for name, kernel in native.kernels.items()
        },
        "ir": {
            name: [size, digest, facts.threads, facts.trees, sorted(facts.gradients), facts.checked]
            for name, (size, digest, facts) in native.ir.items()
        },
        "refused": native.refused,
        "code": {target: [len(data), native.digests[target]] for target, data in native.code.items()},
    }
    return json.dumps(stated, separators=(",", ":"), sort_keys=True).encode()


KEYS = {"version", "runtime_size", "members", "temporaries", "kernels", "ir", "refused", "code"}


def _parse(data: bytes) -> dict[str, Any]:
    if len(data) > MAX_BYTES:
        raise _error("it is too large")
    try:
        stated: Any = json.loads(data)
    except (ValueError, RecursionError) as reason:
        raise CorruptedDataError(f"{NATIVE} is not JSON: {reason}") from None
    found = _object(stated)
    version = found.get("version")
    if type(version) is int and version > VERSION:
        raise _error(f"it has version {version}, which a newer version of this package wrote: upgrade taichi_aot")
    if found.keys() != KEYS or version != VERSION:
        raise _error("keys are missing or unknown")
    return found


def _object(value: Any, limit: int = MAX_TEXT) -> dict[str, Any]:
    if not isinstance(value, dict) or len(cast("dict[str, Any]", value)) > limit:
        raise _error("expected an object")
    return cast("dict[str, Any]", value)


def _list(value: Any, limit: int) -> Sequence[Any]:
    if not isinstance(value, list) or len(cast("Sequence[Any]", value)) > limit:
        raise _error("expected a list")
    return cast("Sequence[Any]", value)


def _integers(value: Any, count: int) -> list[int]:
    items = _list(value, count)
    if len(items) != count:
        raise _error(f"expected {count} integers")
    return [_integer(item, 0, MAX_RUNTIME) for item in items]


def _integer(value: Any, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise _error(f"expected an integer from {low} to {high}")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str) or "\0" in value or len(value) > MAX_TEXT:
        raise _error("expected a text")
    if not value.isascii() and any("\ud800" <= character <= "\udfff" for character in value):
        raise _error("expected a text")
    return value


def _error(what: str) -> CorruptedDataError:
    return CorruptedDataError(f"{NATIVE}: {what}")
