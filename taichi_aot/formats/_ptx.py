"""The PTX of a CUDA module: ``ptx.json``, and for each kernel ``KERNEL.ptx`` and cubins such as ``KERNEL.sm_90.cubin``.

`taichi_aot.build` has the C library compile the PTX from the LLVM IR of the kernels, and NVIDIA's assembler the cubins.
``ptx.json`` also states what the IR shows, so that loading a module does not read it. Reading compares the names of the
kernels and the sizes of all files with what is stated; a file is checked when it is used. Only `verify` reads the IR
and compares all digests: an archive has checksums, which are compared when a file is read. A file in a folder is
compared with its digest then.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ..values._enums import Arch
from ..values._errors import CorruptedDataError
from ._files import CUBIN_SUFFIX, PTX, PTX_SUFFIX
from ._lengths import LONGEST, Program, is_safe
from ._native import MEMBERS, RANDOM, RESULTS, ROOTS, TEMPORARIES
from ._source import Files, check_digest
from ._stated import (
    NativeKernel,
    NativeMember,
    Parsed,
    StatedFile,
    StatedIr,
    described_ir,
    described_kernel,
)

if TYPE_CHECKING:
    from ._info import ModuleInfo, TaskInfo

__all__ = [
    "CAPABILITY",
    "MAX_RANDOM_THREADS",
    "NEEDS",
    "USED_MEMBERS",
    "PtxKernel",
    "PtxModule",
    "check_cubin",
    "check_ptx",
    "cubin_name",
    "entries",
    "parse_ptx",
    "ptx_files",
    "ptx_name",
    "random_threads",
    "read_ptx",
    "verify",
]

VERSION = 2  # with the lengths of loops

NEEDS = frozenset({TEMPORARIES, ROOTS, RANDOM, RESULTS})  # what the PTX of a kernel may use
USED_MEMBERS = tuple(name for need in sorted(NEEDS) for name in MEMBERS[need])  # of the runtime's struct
CAPABILITY = re.compile(r"sm_[1-9]\d{1,2}[af]?")
MAX_CAPABILITIES = 64
MAX_RANDOM_THREADS = 1 << 22  # of a launch, each of which has a state of 20 bytes

ELF = struct.Struct("<4sBB10sHHI")  # the magic, the class, the order of bytes, the rest of it, type, machine, version
ELF_START, CLASS_64, LITTLE_ENDIAN, EM_CUDA = b"\x7fELF", 2, 1, 190
ENTRY = re.compile(rb"^[^\n/]*\.entry[ \t\n]+([\w$%.]+)", re.MULTILINE)  # of a function that can be launched

KEYS = {
    "version",
    "runtime_size",
    "members",
    "temporaries",
    "kernels",
    "lengths",
    "ir",
    "refused",
    "capabilities",
    "images",
}
STATED = StatedFile(PTX, KEYS, VERSION)

PtxKernel: TypeAlias = NativeKernel  # tasks are the names of its functions; grids and blocks are the module's


class PtxModule(NamedTuple):
    """The PTX of a module.

    Attributes
    ----------
    runtime_size : int
        Bytes of the runtime's struct, ``LLVMRuntime``, which the caller allocates on the device, zeroes and fills.
    members : dict of str to NativeMember
        The members that `USED_MEMBERS` names. ``roots`` is an array of addresses by tree of fields.
    temporaries : int
        Bytes that ``temporaries`` points to.
    kernels : dict of str to PtxKernel
        The kernels that have PTX.
    lengths : dict of str to tuple of Program
        The programs that compute the lengths of the loops of their tasks.
    refused : dict of str to str
        The other kernels, each with the reason: a short clause whose subject is the kernel.
    capabilities : tuple of str
        The capabilities of devices for which each of `kernels` has a cubin, such as ``"sm_90"``.
    images : mapping of str to bytes
        The files of PTX and cubins by name. `image` returns one that can be loaded.
    digests : dict of str to str
        SHA-256 of `images` by name.
    ir : dict of str to StatedIr
        The IR of each kernel, also of those that have no PTX.
    """

    runtime_size: int
    members: dict[str, NativeMember]
    temporaries: int
    kernels: dict[str, PtxKernel]
    lengths: dict[str, tuple[Program, ...]]
    refused: dict[str, str]
    capabilities: tuple[str, ...]
    images: Mapping[str, bytes]
    digests: dict[str, str]
    ir: dict[str, StatedIr]

    def image(self, kernel: str, capability: str) -> bytes:
        """Return the cubin of a kernel for exactly that capability if there is one, else its PTX.

        Parameters
        ----------
        kernel : str
            One of `kernels`.
        capability : str
            That of the device, such as ``"sm_90"``.

        Raises
        ------
        CorruptedDataError
            If it is damaged, or lacks a function of the kernel. In a folder, if it does not have the digest that is
            stated.
        """
        is_assembled = capability in self.capabilities
        name = cubin_name(kernel, capability) if is_assembled else ptx_name(kernel)
        check, data = check_cubin if is_assembled else check_ptx, self.images[name]
        check(name, data, self.kernels[kernel].tasks)
        return data

    def random_states(self, info: ModuleInfo) -> int:
        """Return how many states of random numbers the kernels use."""
        drawing = [name for name, kernel in self.kernels.items() if RANDOM in kernel.needs]
        return max((random_threads(info.all_kernels[name].tasks) for name in drawing), default=0)


def ptx_name(kernel: str) -> str:
    """The name of the file that has the PTX of a kernel."""
    return f"{kernel}{PTX_SUFFIX}"


def cubin_name(kernel: str, capability: str) -> str:
    """The name of the file that has the cubin of a kernel for a capability."""
    return f"{kernel}.{capability}{CUBIN_SUFFIX}"


def _image_names(kernels: Iterable[str], capabilities: Iterable[str]) -> set[str]:
    kernels = tuple(kernels)
    cubins = {cubin_name(kernel, capability) for capability in capabilities for kernel in kernels}
    return cubins | {ptx_name(kernel) for kernel in kernels}


def random_threads(tasks: Iterable[TaskInfo]) -> int:
    """The most threads of the launches of a kernel that draws random numbers: the number of states that it uses."""
    return max((task.threads for task in tasks), default=0)


def entries(ptx: bytes) -> list[str]:
    """The functions of PTX that can be launched, in order."""
    return [name.decode() for name in ENTRY.findall(ptx)]


def check_ptx(name: str, data: bytes, tasks: Iterable[str]) -> None:
    """Check that PTX is text with the functions of a kernel; `name` is that of the file.

    Raises
    ------
    CorruptedDataError
        If it is not.
    """
    if b".version" not in data or b"\0" in data:
        raise CorruptedDataError(f"{name} is not PTX")
    for task in tasks:  # `entries` takes ten times as long
        if b".entry %b(" % task.encode() not in data:
            raise CorruptedDataError(f"{name} lacks the function {task!r}")


def check_cubin(name: str, data: bytes, tasks: Iterable[str]) -> None:
    """Check that a cubin is an ELF file for CUDA devices with the functions of a kernel; `name` is that of the file.

    Raises
    ------
    CorruptedDataError
        If it is not.
    """
    if len(data) < ELF.size:
        raise CorruptedDataError(f"{name} is cut off: it has {len(data)} bytes")
    start, bits, order, _, _, machine, _ = ELF.unpack_from(data)
    if (start, bits, order) != (ELF_START, CLASS_64, LITTLE_ENDIAN) or machine != EM_CUDA:
        raise CorruptedDataError(f"{name} is not an ELF file for CUDA devices")
    for task in tasks:
        if b".text.%b\0" % task.encode() not in data:
            raise CorruptedDataError(f"{name} lacks the function {task!r}")


def parse_ptx(files: Files, code: Files) -> Parsed:
    """Parse ``ptx.json``, and check what it states of the IR.

    Parameters
    ----------
    files : Files
        It, and the PTX and cubins that the module has.
    code : Files
        The IR of each kernel by the name of its file.

    Raises
    ------
    CorruptedDataError
        If it is damaged, or belongs to other kernels.
    """
    if PTX not in files:
        raise CorruptedDataError(f"{PTX} is missing, which {min(files)} needs")
    return STATED.parse(files[PTX], code, Arch.CUDA)


def read_ptx(parsed: Parsed, files: Files, info: ModuleInfo, argument_bytes: Mapping[str, int]) -> PtxModule:
    """Read and check what a module states of its PTX.

    Parameters
    ----------
    parsed : Parsed
        What `parse_ptx` returned.
    files : Files
        ``ptx.json``, and the PTX and cubins that the module has, which are not read.
    info : ModuleInfo
        The contents of the module.
    argument_bytes : mapping of str to int
        The size of the argument struct of each kernel.

    Raises
    ------
    CorruptedDataError
        If it is damaged, or belongs to other kernels.
    """
    stated = parsed.stated
    size, members = STATED.members(stated, set(USED_MEMBERS))
    kernels, refused = STATED.kernels(parsed, NEEDS, info)
    for name, kernel in kernels.items():
        if RANDOM in kernel.needs and random_threads(info.all_kernels[name].tasks) > MAX_RANDOM_THREADS:
            raise STATED.error(f"kernel {name!r} draws random numbers in too many threads")
    lengths = _lengths(stated, kernels, argument_bytes)
    capabilities = tuple(map(STATED.text, STATED.list(stated["capabilities"], MAX_CAPABILITIES)))
    if not all(map(CAPABILITY.fullmatch, capabilities)) or len(set(capabilities)) != len(capabilities):
        raise STATED.error("its capabilities are not those of devices")
    described = STATED.object(stated["images"], len(files))
    images = files.without([PTX])
    if not images.keys() == described.keys() == _image_names(kernels, capabilities):
        raise STATED.error("its files of PTX are not those of the module")
    digests = {name: STATED.file(name, described[name], size) for name, size in images.sizes.items()}
    images, temporaries = images.compared(digests, PTX), STATED.temporaries(stated)
    return PtxModule(size, members, temporaries, kernels, lengths, refused, capabilities, images, digests, parsed.ir)


def _lengths(
    stated: Mapping[str, Any], kernels: Mapping[str, PtxKernel], argument_bytes: Mapping[str, int]
) -> dict[str, tuple[Program, ...]]:
    """The programs of each kernel, one for each of its tasks. C runs them without checks."""
    described = STATED.object(stated["lengths"], len(kernels))
    if described.keys() != kernels.keys():
        raise STATED.error("its lengths of loops are not those of the kernels")
    checked: dict[tuple[Program, int], Program] = {}  # which many tasks share
    lengths: dict[str, tuple[Program, ...]] = {}
    for name, programs in described.items():
        size = argument_bytes[name]
        found: list[Program] = []
        for numbers in STATED.items(name, programs, len(kernels[name].tasks)):
            program = _program(numbers)
            if program and (program, size) not in checked:
                if not is_safe(program, size):
                    raise STATED.error(f"kernel {name!r} has no program for the length of a loop")
                checked[program, size] = program
            found.append(checked[program, size] if program else ())
        lengths[name] = tuple(found)
    return lengths


def _program(numbers: Any) -> Program:
    """The program that a list states: operations, each followed by its operand."""
    items = STATED.list(numbers, 2 * LONGEST)
    if len(items) % 2 or not {int}.issuperset(map(type, items)):
        raise STATED.error("expected operations with operands")
    return tuple(zip(items[::2], items[1::2], strict=True))


def verify(ptx: PtxModule, code: Mapping[str, bytes]) -> None:
    """Check what reading a module leaves out, because it takes long: digests, and the functions of each kernel.

    Parameters
    ----------
    ptx : PtxModule
    code : mapping
        The IR of each kernel by the name of its file.

    Raises
    ------
    CorruptedDataError
        If PTX or a cubin is damaged, or was compiled from another IR.
    """
    STATED.verify_ir(ptx.ir, code)
    for name, data in ptx.images.items():
        check_digest(name, data, ptx.digests[name], PTX)
    for kernel in ptx.kernels:
        for capability in ("", *ptx.capabilities):
            ptx.image(kernel, capability)


def ptx_files(ptx: PtxModule) -> dict[str, bytes]:
    """The files of a module that have its PTX, by name."""
    return {PTX: _to_json(ptx), **ptx.images}


def _to_json(ptx: PtxModule) -> bytes:
    stated: dict[str, Any] = {
        "version": VERSION,
        "runtime_size": ptx.runtime_size,
        "members": ptx.members,
        "temporaries": ptx.temporaries,
        "kernels": {name: described_kernel(kernel) for name, kernel in ptx.kernels.items()},
        "lengths": {
            name: [[number for operation in program for number in operation] for program in programs]
            for name, programs in ptx.lengths.items()
        },
        "ir": {name: described_ir(ir) for name, ir in ptx.ir.items()},
        "refused": ptx.refused,
        "capabilities": ptx.capabilities,
        "images": {name: [len(data), ptx.digests[name]] for name, data in ptx.images.items()},
    }
    return json.dumps(stated, separators=(",", ":"), sort_keys=True).encode()
