"""The child processes that compile kernels of Quadrants to machine code or PTX, with llvmlite of LLVM 22.

Quadrants has optimized the IR for CPUs, and as for Taichi's kernels no pass changes it here; loops of vectors are made
of the IR before its passes. That for CUDA is optimized here.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ...adopt.quadrants._runtime_struct import RUNTIME_LAYOUT
from ..code._native_code import Request, compile_for_targets, start
from ..ir._licence import LICENCES
from ..vector._compiler import Compiler
from ..vector._fixed import stated_members
from ..vector._vectors import Source
from ._needs import POINTER_BYTES, RefusedError, needs_of

# Every device from sm_70 on loads the PTX; the version is the first that has what the code uses.
NVPTX, CAPABILITY, PTX_VERSION = "nvptx64-nvidia-cuda", "sm_70", "+ptx63"


class KernelSource(NamedTuple):
    """The IR of a kernel."""

    name: str
    code: str
    symbols: Mapping[str, str]  # of its tasks, by their names
    before_passes: Mapping[str, str]  # the IR of its tasks before the compiler's passes, by their names


def compile_code(request: Sequence[Any]) -> dict[str, Any]:
    """Compile the kernels of a `Request`, each a `KernelSource`, to one object for each kind of CPU, unless one fails.

    The answer has ``"objects"``, ``"stubs"`` and ``"loops"`` as that of `compile_kernels`. ``"needs"`` has for each
    kernel what it uses and the trees of fields, or ``"refused"`` the reason against it.
    """
    given, member_functions, math = Request(*request)
    kernels = [KernelSource(*each) for each in given]
    licence = LICENCES[math]
    llvm: Any = importlib.import_module("llvmlite.binding")  # which has no types
    start(llvm)
    needs, refused = _needs_of_all((name, llvm.parse_assembly(code), list(tasks)) for name, code, tasks, _ in kernels)
    if refused:
        return {"refused": refused}
    # Its JIT lets LLVM order sums by the CPU.
    scalar = [code if licence.keeps_order else licence.applied(code) for _, code, _, _ in kernels]
    sources = [Source(*each[1:], stated_members(*needs[each.name])) for each in kernels]
    made = compile_for_targets(llvm, licence, sources, scalar, member_functions, _compiler())
    return made | {"needs": needs, "refused": {}}


def compile_ptx(request: Sequence[Any]) -> dict[str, Any]:
    """Compile the kernels of a `Request`, each a `KernelSource`, to PTX, unless one cannot be compiled.

    Its `math` is not used: as in Quadrants' JIT, PTX has the functions of CUDA. ``"ptx"`` has the PTX of each kernel;
    ``"needs"`` and ``"refused"`` are as in the answer of `compile_code`.
    """
    llvm: Any = importlib.import_module("llvmlite.binding")
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(NVPTX).create_target_machine(cpu=CAPABILITY, features=PTX_VERSION, opt=3)
    passes = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
    modules: dict[str, tuple[Any, list[str]]] = {}
    for name, code, tasks, _ in Request(*request).kernels:
        module = llvm.parse_assembly(code)
        module.verify()
        passes.getModulePassManager().run(module, passes)
        modules[name] = module, list(tasks)
    needs, refused = _needs_of_all((name, *each) for name, each in modules.items())
    ptx = {} if refused else {name: machine.emit_assembly(module) for name, (module, _) in modules.items()}
    return {"ptx": ptx, "needs": needs, "refused": refused}


def _needs_of_all(kernels: Iterable[tuple[str, Any, list[str]]]) -> tuple[dict[str, Any], dict[str, str]]:
    """What each kernel uses, with the trees of fields, and the reasons against others."""
    needs: dict[str, Any] = {}
    refused: dict[str, str] = {}
    for name, module, tasks in kernels:
        try:
            used, trees = needs_of(module, tasks)
        except RefusedError as reason:
            refused[name] = str(reason)
        else:
            needs[name] = [sorted(used), trees]
    return needs, refused


def _compiler() -> Compiler:
    _, offsets = RUNTIME_LAYOUT
    roots, temporaries = offsets["roots"], offsets["temporaries"]
    between = temporaries - roots - POINTER_BYTES
    return Compiler("quadrants", 1, 3, True, "{ i8*, i8* }", f"{{ [{roots} x i8], [1 x i8*], [{between} x i8], i8* }}")


def describe_runtime(bitcode: str) -> dict[str, Any]:
    """Return the sizes and the offsets of the members of the structs in a file of bitcode, by their names."""
    llvm: Any = importlib.import_module("llvmlite.binding")
    llvm.initialize_all_targets()
    with open(bitcode, "rb") as file:
        module = llvm.parse_bitcode(file.read())
    data = llvm.create_target_data(module.data_layout)
    return {
        each.name.removeprefix("struct."): (
            data.get_abi_size(each),
            [data.get_element_offset(each, i) for i in range(len(list(each.elements)))],
        )
        for each in module.struct_types
        if each.name in ("struct.LLVMRuntime", "struct.RuntimeContext")
    }
