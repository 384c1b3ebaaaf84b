"""The child processes that compile machine code, LLVM IR to objects, with llvmlite.

Taichi has optimized the IR, and the library only generates code of it. So no pass changes it here: vectors of another
width would change sums. Only casts and mathematical functions change, so that all CPUs agree on their results. Without
the licence, no multiplication and addition become one instruction, and LLVM keeps the order of sums: it would choose
one by the instructions of the CPU.

Most of the time is spent on making machine code. So what kinds of CPU can share is compiled once for each family:
what starts the tasks of a loop of vectors and its scalar copy, and on arm64 all but code of f16 and atomics.

The parent process links the objects of all children.
"""

from __future__ import annotations

import base64
import importlib
import importlib.util
import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence, Set
from pathlib import Path
from typing import Any, NamedTuple

from ...adopt.taichi._native import LIBRARIES
from ...bundle._files import NATIVE_TARGETS
from .._options import BuildError, Math
from .._processes import side_by_side
from ..ir._functions import declare_functions, define_functions
from ..ir._numbers import HALF, LICENCES, Licence, with_defined_casts, with_ordered_sums
from ..vector._fixed import TAICHI, Compiler
from ..vector._passes import passes_of
from ..vector._vectors import OPTIONS, OWN_TASK, TASK, Source, Vectors, has_half, without_cpu

X86_64, AARCH64 = "x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"
V2 = "+cx16,+sahf,+popcnt,+sse3,+ssse3,+sse4.1,+sse4.2"
V3 = f"{V2},+avx,+avx2,+bmi,+bmi2,+f16c,+fma,+lzcnt,+movbe,+xsave"
V4 = f"{V3},+avx512f,+avx512bw,+avx512cd,+avx512dq,+avx512vl"


class _Target(NamedTuple):
    """A kind of CPU: LLVM's triple, model of costs, and features."""

    triple: str
    cpu: str
    features: str

    @property
    def has_fma(self) -> bool:
        return self.triple == AARCH64 or "+fma" in self.features


TARGETS = {
    "x86-64-v2": _Target(X86_64, "x86-64", V2),
    "x86-64-v3": _Target(X86_64, "x86-64", V3),
    "x86-64-v4": _Target(X86_64, "x86-64", V4),
    "aarch64": _Target(AARCH64, "generic", ""),
    "aarch64-v8.2": _Target(AARCH64, "generic", "+v8.2a,+fullfp16"),
}
# The kind of each family whose code all others run, and whether these differ from it only in code of f16 or atomics.
_FAMILIES = {"x86-64": ("x86-64-v2", False), "aarch64": ("aarch64", True)}
LEAST = "x86-64-v2"  # the target whose costs scalar code follows
EXTERNAL = ("external", "weak", "weak_odr", "linkonce", "linkonce_odr", "common")


class Request(NamedTuple):
    """Kernels to compile."""

    kernels: Sequence[Any]  # each a `Source`, or what has its code, symbols and IR before passes
    member_functions: str  # the IR of functions that find the members of fields
    math: Math  # the option of `build`
    targets: Sequence[str] = tuple(TARGETS)  # the kinds of CPU
    processes: int = 1  # how many may compile side by side


def compile_kernels(request: Sequence[Any]) -> dict[str, Any]:
    """Compile the kernels of a `Request` to one object for each kind of CPU.

    The answer has encoded objects. ``"objects"`` has one for each kind of CPU, and ``"shared"`` one for each family,
    with the code that is the same for all its kinds. ``"stubs"`` has, for each family, one for each library that code
    may need, with functions of the same names for the linker. ``"loops"`` has, for each symbol, `VECTORS` or the reason
    why its loop has no vectors; empty if it has no loop.
    """
    read = Request(*request)
    kernels = [Source(*each) for each in read.kernels]
    licence = LICENCES[read.math]
    llvm: Any = importlib.import_module("llvmlite.binding")  # which has no types
    start(llvm)
    scalar = [licence.applied(each.code) for each in kernels]
    return compile_for_targets(llvm, read, licence, kernels, scalar, TAICHI)


def compile_each(request: Sequence[Any]) -> dict[str, Any]:
    """Return the answers of `compile_kernels` for each kernel alone, as ``"answers"``."""
    read = Request(*request)
    return {"answers": [compile_kernels(read._replace(kernels=[each])) for each in read.kernels]}


def compile_for_targets(
    llvm: Any,
    request: Request,
    licence: Licence,
    kernels: Sequence[Source],
    scalar: Sequence[str],
    compiler: Compiler,
) -> dict[str, Any]:
    """Compile kernels of a compiler as `compile_kernels` does; `scalar` is the code of those without vectors."""
    targets = {name: TARGETS[name] for name in request.targets}
    families = {
        name: each
        for name, each in _FAMILIES.items()
        if any(target.triple == TARGETS[each[0]].triple for target in targets.values())
    }
    machines = {name: _machine(llvm, target) for name, target in targets.items()}
    with_fma = {name for name, target in TARGETS.items() if target.has_fma}
    vectors = Vectors(
        llvm,
        machines,
        _machine(llvm, TARGETS[LEAST]),
        kernels,
        request.member_functions,
        licence,
        with_fma,
        compiler,
        request.processes,
    )
    codes = [(code, each.symbols) for code, each in zip(scalar, kernels, strict=True)]
    module = module_of(llvm, licence, codes, has_half=any(map(has_half, kernels)))
    vectors.replace(module)
    module = with_ordered_sums(llvm, module, OWN_TASK)
    symbols = {symbol for each in kernels for symbol in each.symbols.values()}

    parts: list[_Part] = []
    for least, are_alike in families.values():
        whole = with_defined_casts(llvm, module.clone(), checked=TARGETS[least].triple != X86_64)
        tasks = vectors.alike if are_alike else vectors.started
        loops = vectors.alike if are_alike else set[str]()
        parts.append(_Part(whole, least, tasks, loops, is_shared=True))
        own = [name for name, target in targets.items() if target.triple == TARGETS[least].triple]
        parts += [_Part(whole, name, symbols - tasks, symbols - loops, is_shared=False) for name in own]

    def compiled(each: _Part) -> str:
        part = vectors.part(each.whole, each.target, each.tasks, each.loops, is_shared=each.is_shared)
        define_functions(llvm, part, has_fma=each.target in with_fma)
        passes_of(llvm).remove_unused(part)
        return emit(llvm, TARGETS[each.target], part)

    made = side_by_side(compiled, parts, request.processes)
    emitted = {(part.target, part.is_shared): code for part, code in zip(parts, made, strict=True)}
    shared = {family: emitted[least, True] for family, (least, _) in families.items()}
    objects = {target: emitted[target, False] for target in targets}
    return {"shared": shared, "objects": objects, "stubs": stubs_of(llvm, families), "loops": vectors.loops}


class _Part(NamedTuple):
    """A part of a module that becomes an object, as `Vectors.part` takes it."""

    whole: Any
    target: str
    tasks: Set[str]
    loops: Set[str]
    is_shared: bool


def warm() -> None:
    """Import and start LLVM."""
    start(importlib.import_module("llvmlite.binding"))


def start(llvm: Any) -> None:
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    for each in OPTIONS:
        llvm.set_option("", each)


def _machine(llvm: Any, target: _Target) -> Any:
    return llvm.Target.from_triple(target.triple).create_target_machine(
        cpu=target.cpu, features=target.features, opt=3, reloc="pic", codemodel="small"
    )


def emit(llvm: Any, target: _Target, module: Any) -> str:
    """Compile a module to an object, encoded. The module is changed."""
    machine = _machine(llvm, target)
    module.triple, module.data_layout = target.triple, str(machine.target_data)
    return base64.b64encode(machine.emit_object(module)).decode()


def stubs_of(llvm: Any, families: Mapping[str, tuple[str, bool]] = _FAMILIES) -> dict[str, dict[str, str]]:
    """Return the stubs as `compile_kernels` does."""
    return {
        name: {library: emit(llvm, TARGETS[least], _stub(llvm, functions)) for library, functions in LIBRARIES.items()}
        for name, (least, _) in families.items()
    }


def _stub(llvm: Any, functions: Iterable[str]) -> Any:
    """Make a module with functions of these names that do nothing: names of one, because compiling takes long."""
    first, *others = sorted(functions)
    aliases = (f"@{name} = alias void (), void ()* @{first}\n" for name in others)
    return llvm.parse_assembly(f"define void @{first}() {{ ret void }}\n{''.join(aliases)}")


def module_of(llvm: Any, licence: Licence, kernels: Sequence[tuple[str, Mapping[str, str]]], *, has_half: bool) -> Any:
    """Return a module of kernels, each its IR and the symbols of its tasks, with what their code calls."""
    module = llvm.parse_assembly(HALF if has_half else "")
    for code, symbols in kernels:
        module.link_in(_kernel(llvm, code, symbols))
    if licence.has_functions:
        declare_functions(llvm, module)
    return module


def _kernel(llvm: Any, code: str, symbols: Mapping[str, str]) -> Any:
    """Make the module of a kernel, whose tasks have the symbols; everything else in it is internal."""
    module = llvm.parse_assembly(without_cpu(code))
    for function in module.functions:
        if function.is_declaration:
            continue
        if function.name in symbols:
            function.linkage = "external"
            function.name = symbols[function.name]
        elif function.name == TASK:
            function.name, function.linkage, function.visibility = OWN_TASK, "available_externally", "hidden"
        else:
            function.linkage = "internal"
    for variable in module.global_variables:
        if variable.linkage.name in EXTERNAL:
            variable.linkage = "internal"
    return module


# The shared objects, which the parent links.


TIMEOUT = 600  # seconds
MACHINES = {
    "x86-64": ("elf_x86_64", 0x1000),
    "aarch64": ("aarch64linux", 0x10000),
}  # by family: the linker's name, size of pages
# No part of the result depends on the machine: it has no id of the build, no paths and no times.
LINKER_OPTIONS = (
    "-shared",
    "--hash-style=sysv",
    "--build-id=none",
    "--gc-sections",
    "--no-undefined",
    "--strip-all",
    *("-z", "now"),
    *("-z", "norelro"),
    *("-z", "noseparate-code"),
)


def link_answers(answers: Sequence[Any]) -> dict[str, bytes]:
    """Link the objects that child processes have compiled to a shared object for each kind of CPU.

    The machine need not have the libraries of every CPU that code may need: the answers have an object for each, with
    functions of the same names. Raise BuildError if they cannot be linked.
    """
    linked: dict[str, bytes] = {}
    for family, stubs in answers[0]["stubs"].items():
        emulation, page = MACHINES[family]
        machine = ("-m", emulation, "-z", f"max-page-size={page}", "--threads=1")
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for library, stub in stubs.items():
                (folder / "stub.o").write_bytes(base64.b64decode(stub))
                _run(folder, *machine, "-shared", "--soname", library, "-o", library, "stub.o")
            for target in (each for each in NATIVE_TARGETS if family in each and each in answers[0]["objects"]):
                objects = [data for each in answers for data in (each["shared"][family], each["objects"][target])]
                files = [f"{number}.o" for number in range(len(objects))]
                for file, data in zip(files, objects, strict=True):
                    (folder / file).write_bytes(base64.b64decode(data))
                _run(folder, *machine, *LINKER_OPTIONS, "-o", "code.so", *files, "--as-needed", *stubs)
                linked[target] = (folder / "code.so").read_bytes()
    return linked


def _run(folder: Path, *arguments: str) -> None:
    spec = importlib.util.find_spec("ziglang")
    assert spec is not None
    assert spec.origin is not None
    linker = Path(spec.origin).with_name("zig")
    done = subprocess.run(
        [linker, "ld.lld", *arguments], cwd=folder, timeout=TIMEOUT, stdin=subprocess.DEVNULL, capture_output=True
    )
    if done.returncode != 0:
        raise BuildError(f"x64: machine code cannot be linked: {done.stderr.decode(errors='replace')[:1000]}")
