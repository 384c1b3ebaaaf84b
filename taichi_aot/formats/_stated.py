"""What ``native.json`` and ``ptx.json`` have in common: how they are read, and what both state of kernels."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ..values._enums import Arch
from ..values._errors import CorruptedDataError
from ._files import CODE_SUFFIX
from ._llvm_ir import CodeFacts, facts_of
from ._runtime_members import RUNTIME_PLACES, RUNTIME_SIZE, TEMPORARIES_SIZE, NativeMember
from ._source import Files, code_digest

if TYPE_CHECKING:
    from ._info import ModuleInfo

__all__ = [
    "ROOTS",
    "NativeKernel",
    "NativeMember",
    "Parsed",
    "StatedFile",
    "StatedIr",
    "described_ir",
    "described_kernel",
    "is_symbol_of",
    "state_ir",
]

ROOTS = "roots"

MAX_BYTES = 1 << 28  # of each file
MAX_RUNTIME = 1 << 20  # bytes of the runtime's struct, which has 37 KB
MAX_KERNELS, MAX_TASKS, MAX_TREES, MAX_TEXT = 100_000, 10_000, 512, 1000
MAX_ARGUMENTS, MAX_THREADS = 10_000, 1 << 31
DIGEST = re.compile("[0-9a-f]{64}")


class NativeKernel(NamedTuple):
    """A kernel that has machine code, or PTX.

    Attributes
    ----------
    tasks : tuple of str
        The symbols of its tasks, in the order in which they are called.
    needs : frozenset of str
        What its code uses.
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


class Parsed(NamedTuple):
    """The contents of the file, what it states of the IR, which has been checked, and the files that have the IR."""

    stated: dict[str, Any]
    ir: dict[str, StatedIr]
    files: Files

    @property
    def facts(self) -> dict[str, CodeFacts]:
        """What the IR of each kernel shows."""
        return {name: ir.facts for name, ir in self.ir.items()}


class StatedFile:
    """A JSON file whose values are checked when they are read.

    Parameters
    ----------
    name : str
        Its name, for messages.
    keys : set of str
        The keys that it has.
    version : int
        The version of what is read here.
    """

    def __init__(self, name: str, keys: set[str], version: int) -> None:
        self.name = name
        self._keys = keys
        self._version = version

    def error(self, what: str) -> CorruptedDataError:
        """Return the error for what is wrong in it."""
        return CorruptedDataError(f"{self.name}: {what}")

    def parse(self, data: bytes, code: Files, arch: Arch) -> Parsed:
        """Return its contents, with what it states of the IR of a module for `arch`, whose files are `code`."""
        stated = self._parse(data)
        described = self.object(stated["ir"], MAX_KERNELS)
        ir = {name: self._ir(name, parts, code, arch) for name, parts in described.items()}
        digests = {f"{name}{CODE_SUFFIX}": each.sha256 for name, each in ir.items()}
        return Parsed(stated, ir, code.compared(digests, self.name))

    def _parse(self, data: bytes) -> dict[str, Any]:
        if len(data) > MAX_BYTES:
            raise self.error("it is too large")
        try:
            stated: Any = json.loads(data)
        except RecursionError:
            raise self.error("it is nested too deeply") from None
        except ValueError as reason:
            raise CorruptedDataError(f"{self.name} is not JSON: {reason}") from None
        found = self.object(stated)
        version = found.get("version")
        if type(version) is int and version > self._version:
            raise self.error(
                f"it has version {version}, which a newer version of this package wrote: upgrade taichi_aot"
            )
        if type(version) is int and 0 < version < self._version:
            raise self.error(
                f"it has version {version}, which this version of the package does not read: build it again"
            )
        if found.keys() != self._keys or version != self._version:
            raise self.error("keys are missing or unknown")
        return found

    def object(self, value: Any, limit: int = MAX_TEXT) -> dict[str, Any]:
        """Return an object of JSON."""
        if not isinstance(value, dict) or len(cast("dict[str, Any]", value)) > limit:
            raise self.error("expected an object")
        return cast("dict[str, Any]", value)

    def list(self, value: Any, limit: int) -> Sequence[Any]:
        """Return a list of at most so many items."""
        if not isinstance(value, list) or len(cast("Sequence[Any]", value)) > limit:
            raise self.error("expected a list")
        return cast("Sequence[Any]", value)

    def items(self, name: str, parts: Any, count: int) -> Sequence[Any]:
        """Return what describes a kernel: a list of so many items."""
        if not isinstance(parts, list) or len(cast("Sequence[Any]", parts)) != count:
            raise self.error(f"kernel {name!r} is not described by a list of {count} items")
        return cast("Sequence[Any]", parts)

    def integers(self, value: Any, count: int) -> Sequence[int]:
        """Return so many sizes or offsets."""
        items = self.list(value, count)
        if len(items) != count:
            raise self.error(f"expected {count} integers")
        return [self.integer(item, 0, MAX_RUNTIME) for item in items]

    def integer(self, value: Any, low: int, high: int) -> int:
        """Return an integer in this range."""
        if type(value) is not int or not low <= value <= high:
            raise self.error(f"expected {low if low == high else f'an integer from {low} to {high}'}")
        return value

    def text(self, value: Any) -> str:
        """Return a text that can be encoded."""
        if not isinstance(value, str) or "\0" in value or len(value) > MAX_TEXT:
            raise self.error("expected a text")
        if not value.isascii() and any("\ud800" <= character <= "\udfff" for character in value):
            raise self.error("expected a text")
        return value

    def members(self, stated: Mapping[str, Any], names: set[str]) -> tuple[int, dict[str, NativeMember]]:
        """Return the size of the runtime's struct, and the members of these names."""
        described = self.object(stated["members"])
        members = {name: NativeMember(*self.integers(pair, 2)) for name, pair in described.items()}
        size = self.integer(stated["runtime_size"], 1, MAX_RUNTIME)
        if members.keys() != names:
            raise self.error("the members of the runtime's struct are not those that kernels use")
        for name, member in members.items():
            if not 0 < member.size <= size - member.offset:
                raise self.error(f"member {name!r} is not within the runtime's struct of {size} bytes")
            if member != RUNTIME_PLACES[name]:
                offset, own_size = RUNTIME_PLACES[name]
                raise self.error(f"member {name!r} of the runtime's struct has {own_size} bytes, at {offset}")
        if size != RUNTIME_SIZE:
            raise self.error(f"the runtime's struct has {RUNTIME_SIZE} bytes, not {size}")
        return size, members

    def temporaries(self, stated: Mapping[str, Any]) -> int:
        """Return the bytes of temporaries, which are those that the compiler counts on."""
        return self.integer(stated["temporaries"], TEMPORARIES_SIZE, TEMPORARIES_SIZE)

    def kernels(
        self, parsed: Parsed, known: frozenset[str], info: ModuleInfo
    ) -> tuple[dict[str, NativeKernel], dict[str, str]]:
        """Return the kernels that have code, which may need what is known, and the reasons of the others."""
        stated = parsed.stated
        described = self.object(stated["kernels"], MAX_KERNELS)
        kernels = {name: self._kernel(name, parts, known, info) for name, parts in described.items()}
        refused = {name: self.text(why) for name, why in self.object(stated["refused"], MAX_KERNELS).items()}
        names = info.all_kernels.keys()
        if kernels.keys() & refused.keys() or kernels.keys() | refused.keys() != names or parsed.ir.keys() != names:
            raise self.error("its kernels are not those of the module")
        return kernels, refused

    def _kernel(self, name: str, parts: Any, known: frozenset[str], info: ModuleInfo) -> NativeKernel:
        symbols, needs, own_trees = self.items(name, parts, 3)
        symbols, needs = self.list(symbols, MAX_TASKS), self.list(needs, len(known))
        own_trees = self.list(own_trees, MAX_TREES)
        if name not in info.all_kernels or len(symbols) != len(info.all_kernels[name].tasks):
            raise self.error(f"kernel {name!r} has other tasks than the module states")
        for symbol, task in zip(symbols, info.all_kernels[name].tasks, strict=True):
            if not is_symbol_of(self.text(symbol), task.name):
                raise self.error(f"kernel {name!r} has {symbol!r} in the place of its task {task.name!r}")
        if not all(isinstance(need, str) for need in needs) or not known.issuperset(needs):
            raise self.error(f"kernel {name!r} needs what is not known")
        if any(type(tree) is not int or tree not in info.field_trees for tree in own_trees) or bool(own_trees) != (
            ROOTS in needs
        ):
            raise self.error(f"kernel {name!r} uses other fields than the module has")
        return NativeKernel(tuple(symbols), frozenset(needs), tuple(own_trees))

    def _ir(self, name: str, parts: Any, code: Files, arch: Arch) -> StatedIr:
        size, digest, threads, trees, gradients, checked = self.items(name, parts, 6)
        if type(size) is not int or size != code.sizes.get(f"{name}{CODE_SUFFIX}"):
            raise self.other_ir(name)
        if not isinstance(digest, str) or not DIGEST.fullmatch(digest):
            raise self.error(f"kernel {name!r} has no digest of its IR")
        if threads is not None:
            self.integer(threads, 1, MAX_THREADS)
        numbers = [self.integer(tree, 0, MAX_TREES - 1) for tree in self.list(trees, MAX_TREES)]
        arrays = [self.integer(index, 0, MAX_ARGUMENTS) for index in self.list(gradients, MAX_ARGUMENTS)]
        if type(checked) is not bool:
            raise self.error(f"kernel {name!r} does not state whether it has checks")
        return StatedIr(size, digest, CodeFacts(arch, threads, tuple(numbers), frozenset(arrays), checked))

    def verify_ir(self, stated: Mapping[str, StatedIr], code: Mapping[str, bytes]) -> None:
        """Check what it states of the IR of each kernel, by the IR."""
        for name, ir in stated.items():
            if state_ir(name, code[f"{name}{CODE_SUFFIX}"]) != ir:
                raise self.other_ir(name)

    def other_ir(self, kernel: str) -> CorruptedDataError:
        """Return the error for a kernel whose IR is not the one that it states."""
        return self.error(f"the code of kernel {kernel!r} was compiled from another IR")

    def file(self, name: str, described: Any, size: int) -> str:
        """Return the digest of a file whose size and digest it states."""
        entry = self.list(described, 2)
        if len(entry) != 2 or type(entry[0]) is not int or entry[0] != size or size > MAX_BYTES:
            raise self.error(f"{name} has another size")
        if not isinstance(entry[1], str) or not DIGEST.fullmatch(entry[1]):
            raise self.error(f"{name} has no digest")
        return entry[1]


def is_symbol_of(symbol: str, task: str) -> bool:
    """Whether a symbol is the name of a task, or what a build makes of it.

    It adds a number where two kernels have tasks of the same name, and PTX has other characters in the place of those
    that are not ASCII.
    """
    if symbol == task:
        return True
    begin, _, number = symbol.rpartition(".")
    own = begin if number.isdecimal() else symbol
    first = next((i for i, character in enumerate(task) if not character.isascii()), len(task))
    last = next((i for i, character in enumerate(reversed(task)) if not character.isascii()), len(task))
    if first == len(task):
        return own == task
    return len(own) > first + last and own.startswith(task[:first]) and own.endswith(task[len(task) - last :])


def state_ir(name: str, code: bytes) -> StatedIr:
    """What a module with machine code, or with PTX, states of the IR of a kernel."""
    return StatedIr(len(code), code_digest(code), facts_of(name, code))


def described_kernel(kernel: NativeKernel) -> list[Any]:
    """What describes a kernel in the file."""
    return [kernel.tasks, sorted(kernel.needs), kernel.trees]


def described_ir(ir: StatedIr) -> list[Any]:
    """What describes the IR of a kernel in the file."""
    size, digest, facts = ir
    return [size, digest, facts.threads, facts.trees, sorted(facts.gradients), facts.checked]
