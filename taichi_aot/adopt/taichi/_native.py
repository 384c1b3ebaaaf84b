"""What follows from the version of Taichi: the format of modules, and the code that its runtime can run.

The version that wrote a module is checked first, because each version has its own format.

LLVM modules may have code that a build has compiled. For each kernel on CUDA there is ``KERNEL.ptx``, and for each
kind of device that was asked for ``KERNEL.sm_90.cubin``. For CPUs there is a shared object (ELF, 64 bits) for each
kind. Code uses members of ``LLVMRuntime``, the struct of the compiler's runtime. It is checked before it is opened.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ...bundle._files import CUBIN_SUFFIX, GFX_METADATA, LLVM_METADATA, NATIVE_CODE, PTX_SUFFIX
from ...bundle._info import TaskInfo
from ...values._errors import CorruptedDataError, IncompatibleModuleError

if TYPE_CHECKING:
    from ._plans import Program

# Versions.


LIBRARY_VERSION = (1, 7, 4)  # the LLVM layout that the library reads; it crashes on that of 1.7.3
VERSION_FILE = "__version__"  # written since 1.4
UNNUMBERED = (0, 0, 0)  # stated by modules of 2022, if they state a version
MAX_NUMBER = 99

Version: TypeAlias = tuple[int, int, int]


def stated_version(files: Mapping[str, bytes]) -> Version | None:
    """Return the version in the file ``__version__``; None if it is missing or is not a version."""
    match = re.fullmatch(rb"\s*(\d{1,4})\.(\d{1,4})\.(\d{1,4})\b.{0,80}", files.get(VERSION_FILE, b""), re.DOTALL)
    return (int(match[1]), int(match[2]), int(match[3])) if match else None


def check_version(where: str, files: Mapping[str, bytes]) -> None:
    """Raise for modules of other versions, and name the version and the remedy.

    Modules of the 1.7 series have the format of 1.7.4 except for LLVM code: see `check_llvm_version`.
    """
    version = stated_version(files)
    if version is not None and version[:2] != LIBRARY_VERSION[:2]:
        raise wrong_version(where, version)
    if LLVM_METADATA in files:  # beside which the other file is a large text that nothing reads
        return
    if re.match(rb'\s*\{\s*"aot_data"', files.get(GFX_METADATA, b"")[:100]):
        raise wrong_version(where, UNNUMBERED)


def check_llvm_version(where: str, version: Version) -> None:
    """Raise for the version in the header of an LLVM module's metadata, unless the library reads its layout."""
    if version == LIBRARY_VERSION:
        return
    if version != UNNUMBERED and (version[0] != 1 or max(version) > MAX_NUMBER):
        raise CorruptedDataError(f"{where}: {LLVM_METADATA} states the version {'.'.join(map(str, version))}")
    raise wrong_version(where, version)


def wrong_version(where: str, version: Version) -> IncompatibleModuleError:
    """Make the exception for a module of another version."""
    is_old = version in (UNNUMBERED, (1, 0, 0))
    compiled_by = "a version of Taichi before 1.4" if is_old else f"Taichi {'.'.join(map(str, version))}"
    runs = ".".join(map(str, LIBRARY_VERSION))
    return IncompatibleModuleError(
        f"{where} was compiled by {compiled_by}, whose modules the library does not read: "
        f"compile it again with taichi=={runs}"
    )


# Machine code.


# The libraries that code may need, with their functions that kernels call. None of those calls back, allocates memory,
# or reads files.
LIBRARIES = {
    "libm.so.6": frozenset(
        f"{name}{suffix}"
        for name in (
            *("acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "copysign", "cos", "cosh"),
            *("erf", "erfc", "exp", "exp10", "exp2", "expm1", "fabs", "fdim", "floor", "fma", "fmax", "fmin", "fmod"),
            *("frexp", "hypot", "ldexp", "lgamma", "llrint", "llround", "log", "log10", "log1p", "log2", "logb"),
            *("lrint", "lround", "modf", "nearbyint", "pow", "remainder", "rint", "round", "roundeven", "sin"),
            *("sincos", "sinh", "sqrt", "tan", "tanh", "tgamma", "trunc"),
        )
        for suffix in ("", "f")
    ),
    "libc.so.6": frozenset({"memcpy", "memmove", "memset", "strlen"}),
}
FUNCTIONS = frozenset[str]().union(*LIBRARIES.values())

HEADER = struct.Struct("<16sHHIQQQIHHHHHH")
SEGMENT = struct.Struct("<IIQQQQQQ")
DYNAMIC = struct.Struct("<QQ")
SYMBOL = struct.Struct("<IBBHQQ")
IDENTITY = b"\x7fELF\x02\x01\x01"
SHARED_OBJECT = 3
X86_64, AARCH64 = 62, 183
LOAD, DYNAMIC_SECTION = 1, 2  # kinds of segments
HASH, STRINGS, SYMBOLS = 4, 5, 6  # tags of the dynamic section
UNDEFINED = 0  # the section of a symbol of another library


def check_code(name: str, data: bytes, target: str, symbols: set[str]) -> None:
    """Check that a shared object is for a kind of CPU, and exports these functions and no others."""
    try:
        machine, exported = _read(data)
    except (struct.error, KeyError, OverflowError, ValueError):
        raise CorruptedDataError(f"{name} is damaged: it is cut off, or not a shared object of 64 bits") from None
    if machine != (AARCH64 if target.startswith("aarch64") else X86_64):
        raise CorruptedDataError(f"{name} is damaged: it is for another machine ({machine})")
    if exported != symbols:
        odd = ", ".join(sorted(map(repr, exported ^ symbols)))
        raise CorruptedDataError(f"{name} is damaged: it has other functions than the module states: {odd[:200]}")


def _read(data: bytes) -> tuple[int, set[str]]:
    """Return the machine of a shared object, and the functions that it exports."""
    identity, kind, machine, _, _, at, _, _, _, _, count, *_ = HEADER.unpack_from(data)
    if not identity.startswith(IDENTITY) or kind != SHARED_OBJECT:
        raise ValueError
    segments = list(SEGMENT.iter_unpack(data[at : at + count * SEGMENT.size]))

    def place(address: int) -> int:
        """Return where in the file what is at an address is."""
        for kind, _, offset, start, _, size, _, _ in segments:
            if kind == LOAD and start <= address < start + size:
                return int(address - start + offset)
        raise ValueError

    begin, size = next(((s[2], s[5]) for s in segments if s[0] == DYNAMIC_SECTION), (0, 0))
    tags = dict(DYNAMIC.iter_unpack(data[begin : begin + size]))
    names, table = place(tags[STRINGS]), place(tags[SYMBOLS])
    _, length = struct.unpack_from("<II", data, place(tags[HASH]))
    symbols = SYMBOL.iter_unpack(data[table : table + length * SYMBOL.size])
    defined = [names + name for name, _, _, section, _, _ in symbols if section != UNDEFINED]
    return machine, {data[start : data.index(b"\0", start)].decode(errors="replace") for start in defined}


# Members of the runtime's struct, or results of the context, that kernels may use.
POOL, TEMPORARIES, ROOTS, RANDOM = "pool", "temporaries", "roots", "random"
ERRORS, PRINTS, RESULTS = "errors", "prints", "results"


class NativeKernel(NamedTuple):
    """A kernel that has machine code, or PTX."""

    tasks: tuple[str, ...]  # the symbols of its tasks, in the order in which they are called
    needs: frozenset[str]  # what its code uses
    trees: tuple[int, ...]  # the trees of fields whose roots it uses, all of them dense


class BuiltNative(NamedTuple):
    """The machine code that a build gives a module for x64."""

    kernels: dict[str, NativeKernel]  # the kernels that have machine code
    refused: dict[str, str]  # the other kernels, each with the reason: a short clause whose subject is the kernel
    loops: dict[str, tuple[str, ...]]  # how the loop of each task of `kernels` is compiled, as `TaskInfo` states it
    # For each task what its code may add to the last index of its loop, and the program of the loop's length, which is
    # empty if it is not known or cannot be too long.
    lengths: dict[str, tuple[tuple[int, Program], ...]]
    code: Mapping[str, bytes]  # a shared object for each kind of CPU


def verify_native(native: BuiltNative) -> None:
    """Check the shared objects: their machine, and the symbols of each kernel."""
    symbols = {symbol for kernel in native.kernels.values() for symbol in kernel.tasks}
    for target, data in native.code.items():
        check_code(NATIVE_CODE[target], data, target, symbols)


TEMPORARIES_BYTES = 1 << 20  # the compiler refuses kernels that need more, and its code checks nothing

# Of Taichi 1.7.4, without the numbers that the compiler adds to the names of types.
RUNTIME_TYPE = b"""\
%struct.LLVMRuntime = type { %struct.PreallocatedMemoryChunk, %struct.PreallocatedMemoryChunk, i8* (i8*, i64, i64)*, \
void (i8*)*, void (i8*, ...)*, i32 (i8*, i64, i8*, %struct.__va_list_tag*)*, i8*, [512 x i8*], [512 x i64], i8*, \
void (i8*, i32, i32, i8*, void (i8*, i32, i32)*)*, [1024 x %struct.ListManager*], [1024 x %struct.NodeManager*], \
[1024 x i8*], i8*, %struct.RandState*, i8*, void (i8*, i8*)*, void (i8*)*, [2048 x i8], [32 x i64], i32, i64, i8*, \
i32, i32, i64 }
"""
CHUNK_TYPE = b"%struct.PreallocatedMemoryChunk = type { i8*, i8*, i64 }\n"
# The members that machine code and PTX may use: the number of each, its offset as 64-bit targets lay it out, and
# what a kernel needs that uses it.
MEMBERS = {
    "roots": (7, 88, ROOTS),
    "thread_pool": (9, 8280, POOL),
    "parallel_for": (10, 8288, POOL),
    "temporaries": (14, 32872, TEMPORARIES),
    "rand_states": (15, 32880, RANDOM),
    "error_message_template": (19, 32912, ERRORS),
    "error_message_arguments": (20, 34960, ERRORS),
    "error_message_lock": (21, 35216, ERRORS),
    "error_code": (22, 35224, ERRORS),
}
RUNTIME_MEMBERS = {name: number for name, (number, _, _) in MEMBERS.items()}
RUNTIME_LAYOUT = 35256, {name: offset for name, (_, offset, _) in MEMBERS.items()}  # with the size of the struct
USES = {name: need for name, (_, _, need) in MEMBERS.items()}


CAPABILITY = re.compile(r"sm_[1-9]\d{1,2}[af]?")
MAX_RANDOM_THREADS = 1 << 22  # of a launch, each of which has a state of 20 bytes

ELF = struct.Struct("<4sBB10sHHI")  # the magic, the class, the order of bytes, the rest of it, type, machine, version
ELF_START, CLASS_64, LITTLE_ENDIAN, EM_CUDA = b"\x7fELF", 2, 1, 190
ENTRY = re.compile(rb"^[^\n/]*\.entry[ \t\n]+([\w$%.]+)", re.MULTILINE)  # of a function that can be launched


class PtxTask(NamedTuple):
    """A task of a kernel that is launched; the others do what it computes itself, or are in it."""

    number: int  # among the tasks that the module states
    length: Program  # computes the length of its loop; empty if it is not known
    groups: int  # the most blocks
    block: int  # the threads of one
    fills: int = 0  # how many times its blocks may fill a device; 0: any number
    each: int = 1  # iterations that a thread does at once


class BuiltPtx(NamedTuple):
    """The PTX, and the cubins, that a build gives a module for CUDA."""

    kernels: dict[str, NativeKernel]  # the kernels that have PTX; tasks are the names of its functions
    tasks: dict[str, tuple[PtxTask, ...]]  # what a launch of each launches
    refused: dict[str, str]  # the other kernels, each with the reason: a short clause whose subject is the kernel
    # The capabilities of devices for which each of `kernels` has a cubin, such as ``"sm_90"``.
    capabilities: tuple[str, ...]
    images: Mapping[str, bytes]  # the files of PTX and cubins by name


def ptx_name(kernel: str) -> str:
    """Return the name of the file that has the PTX of a kernel."""
    return f"{kernel}{PTX_SUFFIX}"


def cubin_name(kernel: str, capability: str) -> str:
    """Return the name of the file that has the cubin of a kernel for a capability."""
    return f"{kernel}.{capability}{CUBIN_SUFFIX}"


def random_threads(tasks: Iterable[TaskInfo]) -> int:
    """Return the most threads of launches of a kernel that draws random numbers: as many states it uses."""
    return max((task.threads for task in tasks), default=0)


def entries(ptx: bytes) -> list[str]:
    """Return the functions of PTX that can be launched, in order."""
    return [name.decode() for name in ENTRY.findall(ptx)]


def check_ptx(name: str, data: bytes, tasks: Iterable[str]) -> None:
    """Check that PTX is text with the functions of a kernel; `name` is that of the file."""
    if b".version" not in data or b"\0" in data:
        raise CorruptedDataError(f"{name} is not PTX")
    for task in tasks:  # `entries` takes ten times as long
        if b".entry %b(" % task.encode() not in data:
            raise CorruptedDataError(f"{name} lacks the function {task!r}")


def check_cubin(name: str, data: bytes, tasks: Iterable[str]) -> None:
    """Check that a cubin is an ELF file for CUDA devices with the functions of a kernel; `name` is that of the file."""
    if len(data) < ELF.size:
        raise CorruptedDataError(f"{name} is cut off: it has {len(data)} bytes")
    start, bits, order, _, _, machine, _ = ELF.unpack_from(data)
    if (start, bits, order) != (ELF_START, CLASS_64, LITTLE_ENDIAN) or machine != EM_CUDA:
        raise CorruptedDataError(f"{name} is not an ELF file for CUDA devices")
    for task in tasks:
        if b".text.%b\0" % task.encode() not in data:
            raise CorruptedDataError(f"{name} lacks the function {task!r}")


def verify_ptx(ptx: BuiltPtx) -> None:
    """Check the PTX and the cubins, which have the functions of each kernel."""
    for name, kernel in ptx.kernels.items():
        check_ptx(ptx_name(name), ptx.images[ptx_name(name)], kernel.tasks)
        for capability in ptx.capabilities:
            file = cubin_name(name, capability)
            check_cubin(file, ptx.images[file], kernel.tasks)
