"""Launch plans of modules, and what the recorders in C do with them: write arguments and run length programs."""

from __future__ import annotations

import operator
import struct
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

import numpy as np

from taichi_aot import ModuleInfo, Signature
from taichi_aot.adopt._make import read_module
from taichi_aot.adopt._module import ParsedModule, lower
from taichi_aot.adopt.llvm._copy import NativePlans
from taichi_aot.adopt.llvm._module import LlvmContents
from taichi_aot.adopt.spirv._plans import GfxPlans
from taichi_aot.adopt.taichi._plans import DEEPEST, ArgumentKind, Operation, Plans, UnplannedError, program_of
from taichi_aot.adopt.taichi._types import LibraryCopy
from taichi_aot.bundle._info import LaunchInfo
from taichi_aot.bundle._plan import read_files
from taichi_aot.values._numbers import numpy_dtype

Arguments = list[list[int]]  # the sizes of arrays, the numbers of other parameters

OPERATIONS: dict[int, Callable[[int, int], int]] = {
    Operation.ADD: operator.add,
    Operation.SUBTRACT: operator.sub,
    Operation.MULTIPLY: operator.mul,
    Operation.SHIFT: lambda a, b: a << (b & 31),
    Operation.SMALLEST: min,
    Operation.LARGEST: max,
}


def parsed(source: Path | bytes) -> ParsedModule:
    """Return a module as its files state it, with its machine code or PTX."""
    module = read_module(read_files(source, lambda _, archs: archs[0]))
    return module.described._replace(native=module.native, ptx=module.ptx)


def lowered(source: Path | bytes) -> LibraryCopy:
    """Return the copy of a module that the library gets."""
    return lower(parsed(source))


def plans_of(module: LibraryCopy, files: Mapping[str, bytes] = MappingProxyType({})) -> dict[str, LaunchInfo | str]:
    """Return the plan of each kernel of SPIR-V, or the reason why it has none, as if the module had other files."""
    return _made(GfxPlans(module._replace(files={**module.files, **files}) if files else module), module.info)


def code_plans(source: Path) -> dict[str, LaunchInfo | str]:
    """Return the plan of each kernel of a module with PTX or machine code, or the reason why it has none."""
    module = parsed(source)
    code = module.ptx or module.native
    assert isinstance(module.stated, LlvmContents)
    assert code is not None
    return _made(NativePlans(module.info, module.stated.kernels, code), module.info)


def left_out(source: Path) -> list[str]:
    """Return the names of the tasks of a module's kernels with PTX that no launch launches."""
    module = parsed(source)
    kernels = module.ptx.tasks if module.ptx is not None else {}
    kept = {name: {task.number for task in tasks} for name, tasks in kernels.items()}
    return [
        task.name
        for name, numbers in kept.items()
        for number, task in enumerate(module.info.all_kernels[name].tasks)
        if number not in numbers
    ]


def _made(plans: Plans, info: ModuleInfo) -> dict[str, LaunchInfo | str]:
    made: dict[str, LaunchInfo | str] = {}
    for name in info.all_kernels:
        try:
            made[name] = plans.dispatch(name)
        except UnplannedError as reason:
            made[name] = str(reason)
    return made


def numbers_of(signature: Signature, values: Mapping[str, int], default: int = 3) -> Arguments:
    """Return arguments of a kernel; `values` has scalars by name, and array sizes and vector numbers as ``x[0]``."""
    arguments: Arguments = []
    for parameter in signature.parameters:
        if parameter.kind == "scalar":
            arguments.append([values.get(parameter.name, default)])
            continue
        count = parameter.ndim if parameter.kind == "ndarray" else int(np.prod(parameter.elem_shape))
        arguments.append([values.get(f"{parameter.name}[{i}]", default) for i in range(count)])
    return arguments


def memory_of(plan: LaunchInfo, signature: Signature, arguments: Arguments) -> bytes:
    """Return the argument struct as the recorder writes it, over a pattern of filler bytes."""
    memory = bytearray(b"\xa5" * plan.bytes)
    for source, kind, offset, size in plan.arguments:
        if source >= len(arguments):
            continue
        if kind is ArgumentKind.ADDRESS:
            data = struct.pack("<Q", 1 << 40)
        elif kind is ArgumentKind.ARRAY:
            data = struct.pack(f"<{size}i", *arguments[source])
        else:
            dtype = signature.parameters[source].dtype
            assert dtype is not None
            with np.errstate(over="ignore"):
                data = np.asarray(arguments[source]).astype(numpy_dtype(dtype)).tobytes()[:size].ljust(size, b"\0")
        assert offset + len(data) <= len(memory)
        memory[offset : offset + len(data)] = data
    return bytes(memory)


def length_of(program: Sequence[int], memory: bytes) -> int:
    """Run a length program on 32-bit integers that wrap around."""
    stack: list[int] = []
    for operation, operand in program_of(program):
        if operation == Operation.CONSTANT:
            stack.append(operand)
        elif operation in (Operation.LOAD, Operation.LOAD_WIDE):
            stack.append(struct.unpack_from("<i" if operation == Operation.LOAD else "<q", memory, operand)[0])
        else:
            right, left = stack.pop(), stack.pop()
            stack.append((OPERATIONS[operation](left, right) + 2**31) % 2**32 - 2**31)
        assert len(stack) <= DEEPEST
    (length,) = stack
    return length
