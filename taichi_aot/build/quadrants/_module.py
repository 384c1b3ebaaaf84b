"""Modules of kernels of Quadrants: their code, with its plan.

Child processes compile the kernels to machine code or PTX, with llvmlite of LLVM 22. Quadrants has optimized the IR for
CPUs, and as for Taichi's kernels no pass changes it here; loops of vectors are made of the IR before its passes. That
for CUDA is optimized here.

The parts of Quadrants' runtime that a kernel's IR uses are found by following pointers from its tasks. A task is passed
a context, which has the address of the runtime's struct. Pointers to both are followed through the instructions and
calls of all functions. Code that does anything else with one is not understood.
"""

from __future__ import annotations

import ctypes
import importlib
import importlib.util
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, NamedTuple

from ...adopt._make import Archive, pack_module, pack_plan, parse_own, with_trees
from ...adopt._module import read_description
from ...adopt._quadrants import (
    BITCODE,
    CONTEXT,
    RESULT,
    RUNTIME_LAYOUT,
    USES,
    CompiledKernel,
    difference,
    llvm_plan,
    member_at,
    read_compiled,
    spirv_files,
)
from ...adopt.taichi._native import ERRORS, FUNCTIONS, RESULTS, NativeKernel, check_ptx, ptx_name
from ...values._errors import TaichiError
from ...values._numbers import Arch
from .._options import BuildError, Options, UnavailableError
from ..code._native import compile_in_batches, targets_of
from ..code._native_code import Request, compile_for_targets, link_answers, start
from ..compile._children import call_each
from ..compile._compiled import Compiled, require_atomics
from ..ir._numbers import LICENCES
from ..spirv._codes import with_codes
from ..vector._fixed import Compiler, stated_members
from ..vector._vectors import Source

# The code.


SPARSE = "uses sparse fields"
REASONS = {
    "element_lists": SPARSE,
    "node_allocators": SPARSE,
    "ambient_elements": SPARSE,
    "adstack": "needs a stack of values",
    "checkpoint": "has a checkpoint",
    "resumed": "has a checkpoint",
}
NOT_UNDERSTOOD = "uses the runtime in a way that is not understood"
# What a pointer points to: the context of a task, the runtime's struct, its members for failed checks, which code uses
# as its own, or memory of a task with the context's address.
TO_CONTEXT, TO_RUNTIME, TO_ERRORS, TO_HELPER = "context", "runtime", "errors", "helper"
SIZES = {"i8": 1, "i32": 4, "i64": 8, "ptr": 8}  # of what an index counts
MERGES = {"phi": 0, "select": 1}  # instructions that give one of their values, and where these begin
CONTEXT_BYTES, POINTER_BYTES = 56, 8
KNOWN = FUNCTIONS | {"vprintf"}  # which CUDA has
HARMLESS = ("llvm.lifetime.", "llvm.assume", "llvm.experimental.noalias")
COPIES = "llvm.memcpy."


class RefusedError(Exception):
    """Why a kernel cannot be built: a clause whose subject it is."""


class _Pointer(NamedTuple):
    """What a value points to, and where in it."""

    kind: str
    offset: int


def needs_of(module: Any, tasks: list[str]) -> tuple[frozenset[str], tuple[int, ...]]:
    """Return what a kernel uses, and the trees of fields, of its IR and the functions of its tasks.

    RefusedError if it uses what modules cannot have.
    """
    reader = _Reader(module)
    try:
        for task in tasks:
            reader.follow_argument(task, 0, _Pointer(TO_CONTEXT, 0))
        reader.read()
    except RefusedError:
        if not reader.refused:
            raise
    for reason in (*REASONS.values(), *reader.refused):
        if reason in reader.refused:
            raise RefusedError(reason)
    return frozenset(reader.needs), tuple(sorted(reader.trees))


class _Reader:
    def __init__(self, module: Any) -> None:
        self.needs: set[str] = set()
        self.trees: set[int] = set()
        self.refused: set[str] = set()
        self._functions = {each.name: each for each in module.functions}
        self._arguments: dict[str, dict[int, _Pointer]] = {}
        self._left: list[str] = []
        self._local: set[int] = set()  # memory of the function that is read
        for function in self._functions.values():
            name = function.name
            if function.is_declaration and not name.startswith("llvm.") and name not in KNOWN:
                self.refused.add(f"calls the function {name!r}")
        for variable in module.global_variables:
            is_shared = str(variable.type).endswith("addrspace(3)")  # by the threads of a block on CUDA
            if not is_shared and "constant" not in str(variable).partition(" = ")[2].split()[:5]:
                raise RefusedError("uses global variables")

    def follow_argument(self, function: str, number: int, pointer: _Pointer) -> None:
        """Record the arguments of a function, and read it again if they are new."""
        if function not in self._functions or self._functions[function].is_declaration:
            raise RefusedError(NOT_UNDERSTOOD)
        known = self._arguments.setdefault(function, {})
        if known.setdefault(number, pointer) != pointer:
            raise RefusedError(NOT_UNDERSTOOD)
        if function not in self._left:
            self._left.append(function)

    def read(self) -> None:
        done: dict[str, dict[int, _Pointer]] = {}
        while self._left:
            name = self._left.pop()
            if done.get(name) != self._arguments[name]:
                done[name] = dict(self._arguments[name])
                self._read(self._functions[name], done[name])

    def _read(self, function: Any, arguments: dict[int, _Pointer]) -> None:
        instructions = [each for block in function.blocks for each in block.instructions]
        self._local = {_key(each) for each in instructions if each.opcode == "alloca"}
        known = {_key(each): arguments[i] for i, each in enumerate(function.arguments) if i in arguments}
        count = -1
        while count != len(known):  # until no instruction adds one
            count = len(known)
            for instruction in instructions:
                operands = list(instruction.operands)
                pointers = [known.get(_key(each)) for each in operands]
                if any(pointers):
                    for value, pointer in self._step(instruction, operands, pointers):
                        if known.setdefault(_key(value), pointer) != pointer:
                            raise RefusedError(NOT_UNDERSTOOD)
        for instruction in instructions:
            values = [*instruction.operands][MERGES.get(instruction.opcode, 0) :]
            if instruction.opcode in MERGES and len({known.get(_key(each)) for each in values}) > 1:
                raise RefusedError(NOT_UNDERSTOOD)
        for instruction in instructions:  # functions whose address is anywhere else could be called with a context
            *others, last = [*instruction.operands] or [None]
            named = [each for each in others if _is_function(each)]
            in_memory = instruction.opcode == "store" and _key(last) in known
            if named and not in_memory and instruction.opcode != "call":
                raise RefusedError(NOT_UNDERSTOOD)

    def _step(
        self, instruction: Any, operands: list[Any], pointers: list[_Pointer | None]
    ) -> list[tuple[Any, _Pointer]]:
        """Return what an instruction that has a pointer makes known of values."""
        opcode, first = instruction.opcode, pointers[0]
        if {each.kind for each in pointers if each is not None} == {TO_ERRORS}:
            keeps = opcode == "getelementptr" or opcode in MERGES
            return [(instruction, _Pointer(TO_ERRORS, 0))] if keeps else []
        if opcode == "getelementptr" and first is not None:
            return [(instruction, self._moved(first, _distance(instruction, operands[1:])))]
        if opcode == "load" and first is not None:
            loaded = self._loaded(first, str(instruction.type))
            return [] if loaded is None else [(instruction, loaded)]
        if opcode in MERGES:  # in the end all of its values have to be the same pointer
            return [(instruction, pointer) for pointer in pointers if pointer is not None]
        if opcode == "store":
            return self._store(operands, pointers)
        if opcode == "call":
            return self._call(operands, pointers)
        raise RefusedError(NOT_UNDERSTOOD)

    def _moved(self, pointer: _Pointer, distance: int) -> _Pointer:
        place = pointer._replace(offset=pointer.offset + distance)
        if place.kind == TO_RUNTIME and USES.get(member_at(place.offset)[0]) == ERRORS:
            self.needs.add(ERRORS)
            return _Pointer(TO_ERRORS, 0)
        return place

    def _loaded(self, pointer: _Pointer, type_: str) -> _Pointer | None:
        kind, offset = pointer
        if kind == TO_HELPER:
            return _Pointer(TO_CONTEXT, 0) if offset == 0 and type_ == "ptr" else None
        if kind == TO_CONTEXT:
            self._use(CONTEXT.get(offset, ""))
            if offset == RESULT:
                self.needs.add(RESULTS)
            if type_ not in ("ptr", "i32"):
                raise RefusedError(NOT_UNDERSTOOD)
            return _Pointer(TO_RUNTIME, 0) if CONTEXT[offset] == TO_RUNTIME else None
        member, place = member_at(offset)
        self._use(member)
        if member in REASONS:
            return None
        if type_ not in ("ptr",) or member not in USES or (place and member != "roots"):
            raise RefusedError(NOT_UNDERSTOOD)
        if member == "roots":
            self.trees.add(place // POINTER_BYTES)
        self.needs.add(USES[member])
        return None

    def _use(self, member: str) -> None:
        if member in REASONS:
            self.refused.add(REASONS[member])
        elif not member:
            raise RefusedError(NOT_UNDERSTOOD)

    def _store(self, operands: list[Any], pointers: list[_Pointer | None]) -> list[tuple[Any, _Pointer]]:
        value, target = pointers
        if value is not None:  # an address is written: only that of a context, to the begin of memory of the task
            is_local = _key(operands[1]) in self._local and (target is None or target == _Pointer(TO_HELPER, 0))
            if value != _Pointer(TO_CONTEXT, 0) or not is_local:
                raise RefusedError(NOT_UNDERSTOOD)
            return [(operands[1], _Pointer(TO_HELPER, 0))]
        assert target is not None
        if target.kind == TO_RUNTIME:
            member, _ = member_at(target.offset)
            self._use(member)
            if member not in REASONS:
                raise RefusedError(NOT_UNDERSTOOD)
            return []
        if target.kind == TO_CONTEXT and CONTEXT.get(target.offset) not in ("thread", "has_failed"):
            raise RefusedError(NOT_UNDERSTOOD)
        if target.kind == TO_HELPER and _is_function(operands[0]):  # which the runtime passes the context
            self.follow_argument(operands[0].name, 0, _Pointer(TO_CONTEXT, 0))
        return []

    def _call(self, operands: list[Any], pointers: list[_Pointer | None]) -> list[tuple[Any, _Pointer]]:
        *arguments, called = operands
        if not _is_function(called):
            return self._call_by_address(arguments, pointers[: len(arguments)])
        if called.name.startswith(HARMLESS):
            return []
        if called.name.startswith(COPIES):
            return self._copy(arguments, pointers)
        for number, pointer in enumerate(pointers[: len(arguments)]):
            if pointer is not None:
                self.follow_argument(called.name, number, pointer)
        return []

    def _call_by_address(self, arguments: list[Any], pointers: list[_Pointer | None]) -> list[tuple[Any, _Pointer]]:
        """Follow a call of the pool, which passes a function the memory of its task, or of a function in there."""
        functions = [each.name for each in arguments if _is_function(each)]
        passed = [each for each in pointers if each is not None]
        if len(functions) == 1 and passed == [_Pointer(TO_HELPER, 0)]:
            self.follow_argument(functions[0], 0, passed[0])
        elif functions or passed != pointers[:1] or passed != [_Pointer(TO_CONTEXT, 0)]:
            raise RefusedError(NOT_UNDERSTOOD)
        return []

    def _copy(self, arguments: list[Any], pointers: list[_Pointer | None]) -> list[tuple[Any, _Pointer]]:
        target, _, size = arguments[:3]
        is_whole = size.is_constant and size.get_constant_value() == CONTEXT_BYTES
        if pointers[1] != _Pointer(TO_CONTEXT, 0) or not is_whole or _key(target) not in self._local:
            raise RefusedError(NOT_UNDERSTOOD)
        return [(target, _Pointer(TO_CONTEXT, 0))]


def _key(value: Any) -> int:
    """Return the identity of a value: llvmlite creates new objects for it each time."""
    return int(ctypes.cast(value._ptr, ctypes.c_void_p).value or 0)


def _is_function(value: Any) -> bool:
    return bool(value.value_kind.name == "function")


def _distance(instruction: Any, indices: list[Any]) -> int:
    """Return the bytes by which an instruction moves a pointer."""
    counted = str(instruction).partition(" = getelementptr ")[2].partition(", ptr ")[0].split()[-1]
    constant = len(indices) == 1 and indices[0].value_kind.name == "constant_int"
    if counted not in SIZES or not constant:
        raise RefusedError(NOT_UNDERSTOOD)
    return SIZES[counted] * int(indices[0].get_constant_value(signed_int=True))


# The child processes that compile kernels of Quadrants to machine code or PTX, with llvmlite of LLVM 22.


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
    read = Request(*request)
    kernels = [KernelSource(*each) for each in read.kernels]
    licence = LICENCES[read.math]
    llvm: Any = importlib.import_module("llvmlite.binding")  # which has no types
    start(llvm)
    needs, refused = _needs_of_all((name, llvm.parse_assembly(code), list(tasks)) for name, code, tasks, _ in kernels)
    if refused:
        return {"refused": refused}
    # Its JIT lets LLVM order sums by the CPU.
    scalar = [code if licence.keeps_order else licence.applied(code) for _, code, _, _ in kernels]
    sources = [Source(*each[1:], stated_members(*needs[each.name])) for each in kernels]
    made = compile_for_targets(llvm, read, licence, sources, scalar, _compiler())
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
    """Find what each kernel uses, with the trees of fields, and the reasons against others."""
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


# The module.


PACKAGES = {"quadrants": "1.3", "llvmlite": "0.50", "ziglang": "0.17"}
INSTALL = "install the extra `quadrants` of taichi_aot in an environment of its own"


def require_quadrants() -> None:
    """Raise UnavailableError if a package that builds need is missing or has another version."""
    for name, wanted in PACKAGES.items():
        try:
            found = version(name)
        except PackageNotFoundError:
            raise UnavailableError(f"kernels of Quadrants need {name} {wanted}: {INSTALL}") from None
        if not f"{found}.".startswith(f"{wanted}."):
            clash = ", since Taichi's kernels need another one" if name == "llvmlite" else ""
            raise UnavailableError(
                f"kernels of Quadrants need {name} {wanted}, and here is {name} {found}: {INSTALL}{clash}"
            )


def make_module(compiled: Compiled, options: Options, show: Callable[[int], object]) -> Archive:
    """Make the module of what Quadrants compiled for an arch; `show` is called with the number of kernels with code.

    BuildError if a kernel uses what modules cannot have, Quadrants has another form, or a process fails.
    """
    try:
        kernels = {name: read_compiled(name, data) for name, data in compiled.files.items()}
        for each in compiled.description["kernels"]:
            each["repeats"] = kernels[each["name"]].repeats(each["levels"])
        return MAKERS[compiled.arch](compiled, kernels, options, show)
    except (TaichiError, KeyError, TypeError, ValueError) as error:
        raise BuildError(
            f"{compiled.arch}: what Quadrants has compiled cannot be read: {type(error).__name__}: {error}"
        ) from error


def _spirv_module(
    compiled: Compiled, kernels: Mapping[str, CompiledKernel], options: Options, show: Callable[[int], object]
) -> Archive:
    described = compiled.description
    names = {each["name"]: [p["name"] for p in each["parameters"]] for each in _places(described)}
    trees = {int(tree): size for tree, size in described["trees"].items()}
    parsed = parse_own(f"the module for {compiled.arch}", spirv_files(kernels, names, trees))
    subjects = {each["name"]: each["subject"] for each in _places(described)}
    require_atomics(parsed, subjects.__getitem__)
    module = with_codes(with_trees(parsed, [trees[i] for i in range(len(trees))]))
    return pack_module(module._replace(description=read_description(described)))


def _cpu_module(
    compiled: Compiled, kernels: Mapping[str, CompiledKernel], options: Options, show: Callable[[int], object]
) -> Archive:
    symbols = {  # functions of several kernels may have the same names
        name: {task["name"]: f"{name}.{i}" for i, task in enumerate(each.tasks)} for name, each in kernels.items()
    }
    answers = _compile(compile_code, compiled, kernels, symbols, options, show)
    return _code_module(compiled, kernels, symbols, answers, link_answers(answers))


def _ptx_module(
    compiled: Compiled, kernels: Mapping[str, CompiledKernel], options: Options, show: Callable[[int], object]
) -> Archive:
    symbols = {name: {task["name"]: task["name"] for task in each.tasks} for name, each in kernels.items()}
    answers = _compile(compile_ptx, compiled, kernels, symbols, options, show)
    code = {name: text.encode() for answer in answers for name, text in answer["ptx"].items()}
    for name, data in code.items():
        check_ptx(ptx_name(name), data, tuple(symbols[name]))
    return _code_module(compiled, kernels, symbols, answers, code)


def _code_module(
    compiled: Compiled,
    kernels: Mapping[str, CompiledKernel],
    symbols: Mapping[str, Mapping[str, str]],
    answers: Sequence[Any],
    code: Mapping[str, bytes],
) -> Archive:
    """Make a module of machine code or PTX."""
    loops = {symbol: how for each in answers for symbol, how in each.get("loops", {}).items()}
    return pack_plan(llvm_plan(compiled.arch, compiled.description, kernels, _native(answers, symbols), code, loops))


def _native(answers: Sequence[Any], symbols: Mapping[str, Mapping[str, str]]) -> dict[str, NativeKernel]:
    needs = {name: each for answer in answers for name, each in answer["needs"].items()}
    return {
        name: NativeKernel(tuple(own.values()), frozenset(needs[name][0]), tuple(needs[name][1]))
        for name, own in symbols.items()
    }


MAKERS = {Arch.X64: _cpu_module, Arch.VULKAN: _spirv_module, Arch.CUDA: _ptx_module}
ARCHS = tuple(MAKERS)  # for which kernels of Quadrants are built


def _places(described: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [*described["kernels"], *described["accessors"]]


def _compile(
    function: Callable[[Any], object],
    compiled: Compiled,
    kernels: Mapping[str, CompiledKernel],
    symbols: Mapping[str, Mapping[str, str]],
    options: Options,
    show: Callable[[int], object],
) -> list[Any]:
    """Compile kernels in child processes, and return the answers, in which no kernel is refused."""
    arch = compiled.arch
    _require_runtime(arch, options.timeout)
    before = {name: code.decode() for name, code in compiled.tasks_before_passes.items()}
    sources = [
        KernelSource(
            name, each.code.decode(), symbols[name], {own: before[own] for own in symbols[name] if own in before}
        )
        for name, each in kernels.items()
    ]
    request = Request(sources, compiled.member_functions, options.math, targets_of(options))
    answers = compile_in_batches(function, request, options.timeout, f"{arch}: the compiler of its code", show)
    subjects = {each["name"]: each["subject"] for each in _places(compiled.description)}
    lines = [
        f"{subjects[name]}: it {reason}, which bundles cannot have"
        for answer in answers
        for name, reason in answer["refused"].items()
    ]
    if lines:
        raise BuildError("\n".join(lines))
    return answers


def _require_runtime(arch: Arch, timeout: float) -> None:
    """Compare the structs of the installed runtime with those that plans state."""
    spec = importlib.util.find_spec("quadrants")
    assert spec is not None
    assert spec.origin is not None
    bitcode = Path(spec.origin).parent.joinpath(*BITCODE[:-1], BITCODE[-1].format(arch))
    (structs,) = call_each(describe_runtime, [str(bitcode)], timeout, f"{arch}: reading the runtime of Quadrants")
    differs = difference(structs["LLVMRuntime"], structs["RuntimeContext"])
    if differs:
        raise BuildError(f"{arch}: Quadrants {version('quadrants')} has another runtime: {differs}")
