"""The child processes that compile kernels of Quadrants to machine code or PTX, with llvmlite of LLVM 22.

Quadrants has optimized the IR for CPUs, and as for Taichi's kernels no pass changes it here. That for CUDA is optimized
here.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from .._options import Math
from ..code._native_code import TARGETS, X86_64, emit, module_of, start, stubs_of
from ..ir._casts import with_defined_casts
from ..ir._functions import define_functions
from ..ir._licence import LICENCES
from ._needs import RefusedError, needs_of

# Every device from sm_70 on loads the PTX; the version is the first that has what the code uses.
NVPTX, CAPABILITY, PTX_VERSION = "nvptx64-nvidia-cuda", "sm_70", "+ptx63"


class CodeRequest(NamedTuple):
    """Kernels to compile.

    Attributes
    ----------
    kernels : sequence of tuple
        For each kernel its name, its IR, and the symbol of each of its tasks by the task's name.
    math : str
        The option of `build`.
    """

    kernels: Sequence[tuple[str, str, Mapping[str, str]]]
    math: Math


def compile_code(request: Sequence[Any]) -> dict[str, Any]:
    """Compile kernels to one object for each kind of CPU, unless one cannot be compiled.

    Parameters
    ----------
    request : sequence
        The items of a `CodeRequest`.

    Returns
    -------
    dict
        ``"objects"`` and ``"stubs"`` as `compile_kernels` returns them; ``"needs"`` has for each kernel what it uses
        and the trees of fields, or ``"refused"`` the reason against it.
    """
    kernels, math = CodeRequest(*request)
    licence = LICENCES[math]
    llvm: Any = importlib.import_module("llvmlite.binding")  # which has no types
    start(llvm)
    needs, refused = _needs_of_all((name, llvm.parse_assembly(code), list(tasks)) for name, code, tasks in kernels)
    if refused:
        return {"refused": refused}
    # Its JIT lets LLVM order sums by the CPU.
    codes = {name: licence.applied(code) if licence.reorders else code for name, code, _ in kernels}
    module = module_of(llvm, licence, [(codes[name], symbols) for name, _, symbols in kernels])
    objects: dict[str, str] = {}
    for target, machine in TARGETS.items():
        made = with_defined_casts(llvm, module.clone(), checked=machine.triple != X86_64)
        define_functions(llvm, made, has_fma=machine.has_fma)
        objects[target] = emit(llvm, machine, _without_unused(llvm, made, machine))
    return {"objects": objects, "stubs": stubs_of(llvm), "needs": needs, "refused": {}}


def compile_ptx(request: Sequence[Any]) -> dict[str, Any]:
    """Compile kernels to PTX, unless one cannot be compiled.

    Parameters
    ----------
    request : sequence
        The items of a `CodeRequest`. The option is not used: as in Quadrants' JIT, PTX has the functions of CUDA.

    Returns
    -------
    dict
        ``"ptx"`` has the PTX of each kernel; ``"needs"`` and ``"refused"`` are as `compile_code` returns them.
    """
    llvm: Any = importlib.import_module("llvmlite.binding")
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple(NVPTX).create_target_machine(cpu=CAPABILITY, features=PTX_VERSION, opt=3)
    passes = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=3))
    modules: dict[str, tuple[Any, list[str]]] = {}
    for name, code, tasks in CodeRequest(*request).kernels:
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


def _without_unused(llvm: Any, module: Any, target: Any) -> Any:
    machine = llvm.Target.from_triple(target.triple).create_target_machine()
    passes = llvm.create_new_module_pass_manager()
    passes.add_global_dead_code_eliminate_pass()
    passes.run(module, llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options()))
    return module


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
