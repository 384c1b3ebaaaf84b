"""The child processes that compile machine code, LLVM IR to objects, with llvmlite.

Taichi has optimized the IR, and the library only generates code of it. So no pass changes it here: vectors of another
width would change sums. Only casts and mathematical functions change, so that all CPUs agree on their results. Without
the licence, no multiplication and addition become one instruction, and LLVM keeps the order of sums: it would choose
one by the instructions of the CPU.
"""

from __future__ import annotations

import base64
import importlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ...adopt.taichi._native_elf import LIBRARIES
from .._options import Math
from ..ir._casts import with_defined_casts
from ..ir._functions import declare_functions, define_functions
from ..ir._half import HALF
from ..ir._licence import LICENCES, Licence
from ..vector._compiler import TAICHI, Compiler
from ..vector._passes import passes_of
from ..vector._vectors import OPTIONS, Source, Vectors, without_cpu

X86_64, AARCH64 = "x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"
V2 = "+cx16,+sahf,+popcnt,+sse3,+ssse3,+sse4.1,+sse4.2"
V3 = f"{V2},+avx,+avx2,+bmi,+bmi2,+f16c,+fma,+lzcnt,+movbe,+xsave"
V4 = f"{V3},+avx512f,+avx512bw,+avx512cd,+avx512dq,+avx512vl"
GATHERS = "+fast-gather"  # lets LLVM use AVX2's loads from several addresses, which it leaves to some CPUs


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
    "x86-64-v3": _Target(X86_64, "x86-64", f"{V3},{GATHERS}"),
    "x86-64-v4": _Target(X86_64, "x86-64", V4),
    "aarch64": _Target(AARCH64, "generic", ""),
    "aarch64-v8.2": _Target(AARCH64, "generic", "+v8.2a,+fullfp16"),
}
ALIKE = {"aarch64-v8.2": "aarch64"}  # without f16
_FAMILIES = {"x86-64": TARGETS["x86-64-v2"], "aarch64": TARGETS["aarch64"]}
EXTERNAL = ("external", "weak", "weak_odr", "linkonce", "linkonce_odr", "common")


class Request(NamedTuple):
    """Kernels to compile."""

    kernels: Sequence[Source]
    member_functions: str  # the IR of functions that find the members of fields
    math: Math  # the option of `build`


def compile_kernels(request: Sequence[Any]) -> dict[str, Any]:
    """Compile kernels to one object for each kind of CPU.

    Parameters
    ----------
    request : sequence
        The items of a `Request`.

    Returns
    -------
    dict
        ``"objects"`` has the object for each kind of CPU. ``"stubs"`` has, for each family of CPUs, an object for each
        library that code may need, with functions of the same names for the linker. All are encoded. ``"loops"`` has,
        for each symbol, `VECTORS` or the reason why its loop has no vectors; empty if it has no loop.
    """
    given, member_functions, math = Request(*request)
    kernels = [Source(*each) for each in given]
    licence = LICENCES[math]
    llvm: Any = importlib.import_module("llvmlite.binding")  # which has no types
    start(llvm)
    scalar = [licence.applied(each.code) for each in kernels]
    return compile_for_targets(llvm, licence, kernels, scalar, member_functions, TAICHI)


def compile_for_targets(
    llvm: Any,
    licence: Licence,
    kernels: Sequence[Source],
    scalar: Sequence[str],
    member_functions: str,
    compiler: Compiler,
) -> dict[str, Any]:
    """Compile kernels of a compiler as `compile_kernels` does; `scalar` is the code of those without vectors."""
    module = module_of(llvm, licence, [(code, each.symbols) for code, each in zip(scalar, kernels, strict=True)])
    modules = {
        triple: with_defined_casts(llvm, module.clone(), checked=triple != X86_64) for triple in (X86_64, AARCH64)
    }
    machines = {name: _machine(llvm, target) for name, target in TARGETS.items()}
    with_fma = {name for name, target in TARGETS.items() if target.has_fma}
    vectors = Vectors(llvm, machines, kernels, member_functions, licence, with_fma, ALIKE, compiler)
    made = {name: vectors.replaced(name, modules[target.triple].clone()) for name, target in TARGETS.items()}
    for name, module in made.items():
        define_functions(llvm, module, has_fma=name in with_fma)
        passes_of(llvm).remove_unused(module)
    objects = {name: emit(llvm, target, made[name]) for name, target in TARGETS.items()}
    return {"objects": objects, "stubs": stubs_of(llvm), "loops": vectors.loops}


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
    """The object of a module, encoded. The module is changed."""
    machine = _machine(llvm, target)
    module.triple, module.data_layout = target.triple, str(machine.target_data)
    return base64.b64encode(machine.emit_object(module)).decode()


def stubs_of(llvm: Any) -> dict[str, dict[str, str]]:
    """Return the stubs as `compile_kernels` does."""
    return {
        name: {library: emit(llvm, target, _stub(llvm, functions)) for library, functions in LIBRARIES.items()}
        for name, target in _FAMILIES.items()
    }


def _stub(llvm: Any, functions: Iterable[str]) -> Any:
    """A module that has functions of these names, which do nothing."""
    return llvm.parse_assembly("".join(f"define void @{name}() {{ ret void }}\n" for name in sorted(functions)))


def module_of(llvm: Any, licence: Licence, kernels: Sequence[tuple[str, Mapping[str, str]]]) -> Any:
    """Return a module of kernels, each its IR and the symbols of its tasks, with what their code calls."""
    module = llvm.parse_assembly(HALF)
    for code, symbols in kernels:
        module.link_in(_kernel(llvm, code, symbols))
    if licence.has_functions:
        declare_functions(llvm, module)
    return module


def _kernel(llvm: Any, code: str, symbols: Mapping[str, str]) -> Any:
    """The module of a kernel, whose tasks have the symbols; everything else in it is internal."""
    module = llvm.parse_assembly(without_cpu(code))
    for function in module.functions:
        if function.is_declaration:
            continue
        if function.name in symbols:
            function.linkage = "external"
            function.name = symbols[function.name]
        else:
            function.linkage = "internal"
    for variable in module.global_variables:
        if variable.linkage.name in EXTERNAL:
            variable.linkage = "internal"
    return module
