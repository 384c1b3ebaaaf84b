"""Plans of kernels in SPIR-V modules by their metadata and code, and the codes that this package has of their tasks.

The code computes how long the loop of a task is: `Program` in `taichi/_plans` states how.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from ...bundle._files import GFX_METADATA, OWN_CODE
from ...bundle._info import Binding, Code, KernelInfo, LaunchArgument, LaunchInfo, LaunchTask
from ..taichi._plans import (
    ARGUMENT,
    CONSTANT,
    TEMPORARY,
    ArgumentKind,
    BindingKind,
    Plans,
    Program,
    UnplannedError,
    Value,
    binary,
    constant,
    flat,
    is_settled,
    planned_arguments,
    planned_array,
    program,
    signed,
    with_stored,
)
from ..taichi._types import LibraryCopy
from . import _editor as spirv
from ._atomics import mend
from ._editor import Shader, UnsupportedCodeError
from ._module import FAMILY, GfxContents, read_struct, threads_of

# The lengths of loops.


THREAD, GROUPS = "thread", "groups"

OP_EXT_INST, OP_TYPE_INT, OP_TYPE_STRUCT = 12, 21, 30
OP_TYPE_POINTER, OP_CONSTANT, OP_VARIABLE, OP_LOAD, OP_STORE = 32, 43, 59, 61, 62
OP_ACCESS_CHAIN, OP_DECORATE, OP_MEMBER_DECORATE, OP_BITCAST = 65, 71, 72, 124
OP_I_ADD, OP_I_SUB, OP_I_MUL, OP_SHIFT_RIGHT, OP_SHIFT_RIGHT_ARITHMETIC, OP_SHIFT_LEFT = 128, 130, 132, 194, 195, 196
OP_S_LESS_THAN, OP_PHI, OP_BRANCH_CONDITIONAL = 177, 245, 250
OP_SWITCH, OP_FUNCTION_CALL = 251, 57
# Other instructions that can take a pointer: GLSL's own, calls, copies, and those that compute or choose one.
POINTER_USES = frozenset(
    {OP_EXT_INST, OP_FUNCTION_CALL, 60, 63, 64, 66, 67, 68, 70, 83, 117, OP_BITCAST, 169, OP_PHI, 254, 401, 402, 403}
)
S_MIN, S_MAX = 39, 42  # of GLSL's extended instructions
ARRAY_STRIDE, BUILT_IN, BINDING, OFFSET = 6, 11, 33, 35
NUM_WORKGROUPS, GLOBAL_INVOCATION_ID = 24, 28
BUILT_INS: dict[tuple[int, ...], str] = {(BUILT_IN, NUM_WORKGROUPS): GROUPS, (BUILT_IN, GLOBAL_INVOCATION_ID): THREAD}

BINARY = {OP_I_ADD: "add", OP_I_SUB: "subtract", OP_I_MUL: "multiply", OP_SHIFT_LEFT: "shift"}
EXTENDED = {S_MIN: "smallest", S_MAX: "largest"}


class Write(NamedTuple):
    """A place in the code that may write temporaries."""

    span: range | None  # the bytes; None if they are not known
    value: Value | None = None  # what a store writes, if it is known

    def touches(self, span: range) -> bool:
        """Return whether it may write to one of these bytes."""
        return self.span is None or (self.span.start < span.stop and span.start < self.span.stop)


class TaskCode:
    """The code of a task.

    `name`: for messages. `code`: SPIR-V, which `spirv.read` has checked. `arguments, temporaries`: the bindings of the
    argument struct and of the temporaries, which have one for each type of number.
    """

    def __init__(self, name: str, code: bytes, arguments: Collection[int], temporaries: Collection[int]) -> None:
        self.instructions: list[tuple[int, tuple[int, ...]]] = list(spirv.instructions(name, code))
        of = spirv.by_opcode(self.instructions)
        self._integers = {o[0] for o in of[OP_TYPE_INT] if o[1] == 32}  # types of 32 bits
        self._structs = {o[0]: o[1:] for o in of[OP_TYPE_STRUCT]}  # the members' types
        self._targets = {o[0]: o[2] for o in of[OP_TYPE_POINTER]}
        self._strides = {o[0]: o[2] for o in of[OP_DECORATE] if o[1] == ARRAY_STRIDE}  # of arrays
        self._offsets = {o[:2]: o[3] for o in of[OP_MEMBER_DECORATE] if o[2] == OFFSET}
        self._constants = {o[1]: o[2] for o in of[OP_CONSTANT] if o[0] in self._integers}
        self._variables = {o[1]: o[0] for o in of[OP_VARIABLE]}  # by id, the type
        bound = {**dict.fromkeys(arguments, ARGUMENT), **dict.fromkeys(temporaries, TEMPORARY)}
        roles: dict[tuple[int, ...], str] = {(BINDING, number): role for number, role in bound.items()}
        roles = BUILT_INS | roles
        self._roles = {o[0]: roles[o[1:3]] for o in of[OP_DECORATE] if o[1:3] in roles}
        # What is known of numbers, by id.
        self.values: dict[int, Value] = {each: (CONSTANT, signed(n)) for each, n in self._constants.items()}
        self.writes: list[Write] = []  # where it may write the temporaries, in the order of the code
        self.branches = sum(len(of[each]) for each in (OP_BRANCH_CONDITIONAL, OP_SWITCH, OP_FUNCTION_CALL))
        self.accesses: dict[str, int] = {THREAD: 0, GROUPS: 0}
        self._places: dict[int, tuple[str, int | None]] = {}
        self._spans: dict[int, range | None] = {}  # by pointer to temporaries
        for opcode, operands in self.instructions:
            self._take(opcode, operands)
            if temporaries:
                self._note_write(opcode, operands)

    def _take(self, opcode: int, operands: tuple[int, ...]) -> None:
        if opcode == OP_ACCESS_CHAIN:
            self._access(operands[1], operands[2], operands[3:])
        elif opcode == OP_LOAD:
            self._load(operands[0], operands[1], operands[2])
        elif opcode == OP_BITCAST and operands[2] in self.values:
            self.values[operands[1]] = self.values[operands[2]]
        elif opcode in BINARY:
            self._binary(BINARY[opcode], *operands[1:4])
        elif opcode in (OP_SHIFT_RIGHT, OP_SHIFT_RIGHT_ARITHMETIC):
            self._shift_right(*operands[1:4])
        elif opcode == OP_EXT_INST and operands[3] in EXTENDED and len(operands) == 6:
            self._binary(EXTENDED[operands[3]], operands[1], operands[4], operands[5])

    def _note_write(self, opcode: int, operands: tuple[int, ...]) -> None:
        """Note a use that may write temporaries: loads, stores and atomic operations are known, others are not."""
        if opcode == OP_LOAD:
            return
        if opcode == OP_STORE and self._is_temporary(operands[0]):
            self.writes.append(Write(self._spans.get(operands[0]), self.values.get(operands[1])))
        elif opcode in spirv.ATOMICS and (used := next(filter(self._is_temporary, operands), None)) is not None:
            self.writes.append(Write(self._spans.get(used)))
        elif opcode == OP_ACCESS_CHAIN and operands[2] in self._spans:
            self._spans[operands[1]] = None  # a part of a number
        elif opcode in POINTER_USES and any(map(self._is_temporary, operands[4 * (opcode == OP_EXT_INST) :])):
            self.writes.append(Write(None))

    def _is_temporary(self, pointer: int) -> bool:
        return pointer in self._spans or self._roles.get(pointer) == TEMPORARY

    def _access(self, result: int, base: int, indices: Sequence[int]) -> None:
        role = self._roles.get(base)
        if role is None or base not in self._variables:
            return
        if role in (THREAD, GROUPS):
            self.accesses[role] += 1
            if [self._constants.get(index) for index in indices] == [0]:
                self._places[result] = (role, None)
        elif role == ARGUMENT:
            offset = self._offset(self._targets.get(self._variables[base], -1), indices)
            if offset is not None:
                self._places[result] = (role, offset)
        else:
            self._spans[result] = span = self._span(self._targets.get(self._variables[base], -1), indices)
            self._places[result] = (role, None if span is None else span.start)

    def _offset(self, type_: int, indices: Sequence[int]) -> int | None:
        """Return the offset of a member of nested structs; None if there is an array among them."""
        offset = 0
        for index in indices:
            number = self._constants.get(index)
            members = self._structs.get(type_)
            if number is None or members is None or number >= len(members) or (type_, number) not in self._offsets:
                return None
            offset += self._offsets[type_, number]
            type_ = members[number]
        return offset

    def _span(self, struct: int, indices: Sequence[int]) -> range | None:
        """Return the bytes of a number in an array that is the only member of a struct; None if they are not known."""
        stride = self._strides.get((self._structs.get(struct) or (-1,))[0])
        number = constant(self.values.get(indices[-1])) if len(indices) == 2 else None
        return None if stride is None or number is None or number < 0 else range(number * stride, (number + 1) * stride)

    def _load(self, type_: int, result: int, pointer: int) -> None:
        if pointer in self._roles and self._roles[pointer] in (THREAD, GROUPS):
            self.accesses[self._roles[pointer]] += 2  # the whole vector, of which any part may be used
        role, at = self._places.get(pointer, ("", None))
        if not role or type_ not in self._integers:
            return
        if role in (THREAD, GROUPS):
            self.values[result] = (role, 0)
        elif at is not None:
            self.values[result] = (role, at)

    def _binary(self, name: str, result: int, left: int, right: int) -> None:
        value = binary(name, self.values.get(left), self.values.get(right))
        if value is not None:
            self.values[result] = value

    def _shift_right(self, result: int, left: int, right: int) -> None:
        a, b = constant(self.values.get(left)), constant(self.values.get(right))
        if a is not None and b is not None and a >= 0:
            self.values[result] = (CONSTANT, a >> (b & 31))


def stored_lengths(code: TaskCode, stored: Mapping[int, Value]) -> dict[int, Value]:
    """Return the known values of the temporaries after a serial task, by offset; `stored` has those before."""
    writes = code.writes
    if writes and code.branches > 1:  # one branch makes a single thread do it
        return {}
    known = {
        offset: value
        for offset, value in stored.items()
        if not any(write.touches(range(offset, offset + 4)) for write in writes)
    }
    found: dict[int, Value] = {}
    for write in writes:
        resolved = with_stored(write.value, known)
        if (
            write.span is not None
            and resolved is not None
            and is_settled(resolved)
            and sum(other.touches(write.span) for other in writes) == 1
        ):
            found[write.span.start] = resolved
    return known | found


class StrideLoop(NamedTuple):
    """The loop of a task over its threads: thread t does the iterations begin + t, begin + t + threads, and so on.

    The members but the last are ids.
    """

    number: int  # a phi: the index
    start: int  # the first index of a thread
    compare: int  # whether a thread goes on
    end: int  # the index after the last one
    next: int  # the index of the next iteration
    begin: Value | None  # None: 0


def loop_length(code: TaskCode, loop: StrideLoop, stored: Mapping[int, Value]) -> Program | None:
    """Return the program that computes the length of a loop; None if it depends on more than the arguments."""
    end = code.values.get(loop.end)
    return program(with_stored(end if loop.begin is None else binary("subtract", end, loop.begin), stored))


def stride_loop(code: TaskCode, block: int) -> StrideLoop | None:
    """Return the loop over the threads, the first of the code and its outermost; None if there is no such loop.

    Nothing else depends on the number of threads, so any number is right.
    """
    if code.accesses != {THREAD: 1, GROUPS: 1}:
        return None
    phi: tuple[int, ...] = ()
    compare: tuple[int, ...] = ()
    for opcode, operands in code.instructions:
        if opcode == OP_PHI and not phi:
            phi = operands
        elif opcode == OP_S_LESS_THAN and phi and not compare:
            compare = operands
        elif opcode == OP_BRANCH_CONDITIONAL:
            break
    if len(phi) != 6 or not compare or compare[2] != phi[1]:
        return None
    start = code.values.get(phi[2])
    step = next((o for opcode, o in code.instructions if opcode == OP_I_ADD and o[1] == phi[4]), None)
    if start is None or step is None or step[2] != phi[1]:
        return None
    begin: Value | None = None
    if len(start) == 3 and start[0] == "add" and start[1] == (THREAD, 0):
        begin = start[2]
    elif start != (THREAD, 0):
        return None
    threads: list[Value] = [("multiply", (GROUPS, 0), (CONSTANT, block)), ("multiply", (CONSTANT, block), (GROUPS, 0))]
    stride = code.values.get(step[3])
    if stride not in threads and (block, stride) != (1, (GROUPS, 0)):
        return None
    return StrideLoop(phi[1], phi[2], compare[1], compare[3], phi[4], begin)


# Plans.


class BuiltSpirv(NamedTuple):
    """The codes that a build gives the tasks of a SPIR-V module. A task that is not in it has only ``TASK.spv``."""

    tasks: dict[str, tuple[Code, ...]]  # by name
    scratch: dict[str, int]  # the binding of scratch memory, of tasks with accumulators
    files: dict[str, bytes]


def code_name(task: str, number: int) -> str:
    return f"{OWN_CODE}{number}-{task}.spv"


def needed_capabilities(codes: BuiltSpirv) -> frozenset[int]:
    """Return the capabilities of the codes that tasks fall back to, as `SpirvInfo` has them."""
    files = [each[-1].file for each in codes.tasks.values() if each[-1].file in codes.files]
    return frozenset[int]().union(*(spirv.read(file, codes.files[file]).capabilities for file in files))


def narrow_atomics(stated: GfxContents, files: Mapping[str, bytes]) -> dict[str, int]:
    """Return the bits of numbers that kernels change atomically and Vulkan cannot: below 32, in code not mended."""
    narrow = {task: info for task, info in stated.code.items() if min(info.atomic_bits, default=32) < 32}
    narrow |= {task: spirv.read(task, code) for task, code in mended(files, narrow).items()}
    found: dict[str, int] = {}
    for kernel in stated.metadata["kernels"]:
        tasks = {each["name"] for each in kernel["tasks_attribs"]} & narrow.keys()
        bits = min((each for task in tasks for each in narrow[task].atomic_bits), default=32)
        if bits < 32:
            found[kernel["name"]] = bits
    return found


def mended(files: Mapping[str, bytes], tasks: Mapping[str, spirv.SpirvInfo]) -> dict[str, bytes]:
    """Return the code of tasks whose atomic operations race with each other or have wrong types, made valid."""
    found: dict[str, bytes] = {}
    for task in (name for name, info in tasks.items() if info.atomic_bits):
        with suppress(UnsupportedCodeError):
            shader = Shader(task, files[f"{task}.spv"])
            if mend(shader):
                found[task] = shader.encode()
    return found


def codes_of(mended: Mapping[str, bytes]) -> BuiltSpirv:
    """Return the codes of a module that Taichi wrote: those that are mended."""
    names = {task: code_name(task, 0) for task in mended}
    tasks: dict[str, tuple[Code, ...]] = {task: (Code(name),) for task, name in names.items()}
    return BuiltSpirv(tasks, {}, {names[task]: code for task, code in mended.items()})


MOST_BINDINGS = 32
PHYSICAL_STORAGE_BUFFER = 5347  # a capability: arrays are addresses in the argument struct
SERIAL, RANGE_FOR = 0, 1
UNKNOWN_BINDING = "an unknown binding"
SMALLEST_BUFFER = 16
MOST_RETURNS = 1 << 16  # bytes, of which C has that many

WITH_SOURCE = (BindingKind.ARRAY, BindingKind.ROOT)

# By the number of the buffer's type in metadata.json.
BINDINGS = {
    0: BindingKind.ROOT,
    1: BindingKind.TEMPORARIES,
    2: BindingKind.ARGUMENTS,
    3: BindingKind.RETURNS,
    5: BindingKind.ARRAY,
}


class Task(NamedTuple):
    """What is known of a task."""

    name: str
    groups: int  # as compiled
    block: int
    bindings: tuple[Binding, ...]
    code: TaskCode
    loop: StrideLoop | None
    stored: Mapping[int, Value]  # lengths that serial tasks have stored
    takes_addresses: bool


class GfxPlans(Plans):
    """The launches of a SPIR-V module's kernels."""

    def __init__(self, module: LibraryCopy, codes: BuiltSpirv | None = None) -> None:
        self._module = module  # the copy of the module that the library is given
        self._codes = codes or BuiltSpirv({}, {}, {})
        self._kernels = {raw["name"]: raw for raw in json.loads(module.files[GFX_METADATA])["kernels"]}

    def dispatch(self, name: str) -> LaunchInfo:
        context = self._kernels[name]["ctx_attribs"]
        if context["rets_bytes_"] > MOST_RETURNS:
            raise UnplannedError(f"return values of {context['rets_bytes_']} bytes that nobody reads")
        arguments, addresses = self._arguments(name)
        tasks: list[LaunchTask] = []
        for task in self.tasks(name):
            if task.takes_addresses and not set(addresses) <= set(arguments):
                arguments += addresses
            length = (task.loop and loop_length(task.code, task.loop, task.stored)) or ()
            codes, scratch = self._codes.tasks.get(task.name, ()), self._codes.scratch.get(task.name)
            bindings = task.bindings
            if scratch is not None:
                bindings += (Binding(scratch, BindingKind.SCRATCH, 0),)
            places = {each.number: place for place, each in enumerate(bindings)}
            placed = tuple(code._replace(apart=tuple((places[a], places[b]) for a, b in code.apart)) for code in codes)
            tasks.append(
                LaunchTask(task.name, task.groups, task.block, bindings=bindings, length=flat(length), codes=placed)
            )
        size = max(context["args_bytes_"], SMALLEST_BUFFER)
        return LaunchInfo(-(-size // 16) * 16, arguments, tuple(tasks))

    def tasks(self, name: str) -> Iterator[Task]:
        """Read the tasks of a kernel; UnplannedError if one is of another kind than plans state."""
        files = self._module.files
        kinds: dict[tuple[int, ...], int] = {(each.source,): each.kind for each in self._arguments(name)[0]}
        stored: dict[int, Value] = {}
        for raw in self._kernels[name]["tasks_attribs"]:
            if raw["task_type"] not in (SERIAL, RANGE_FOR):
                raise UnplannedError("a task that is no loop over a range")
            bindings = _bindings(raw, kinds, self._module.info.field_trees)
            file = f"{raw['name']}.spv"
            kinds_of_code = BindingKind.ARGUMENTS, BindingKind.TEMPORARIES
            code = TaskCode(file, files[file], *(_numbers(bindings, kind) for kind in kinds_of_code))
            block = raw["advisory_num_threads_per_group"]
            groups = groups_of(threads_of(raw), block)
            loop = stride_loop(code, block) if raw["task_type"] == RANGE_FOR else None
            takes_addresses = PHYSICAL_STORAGE_BUFFER in spirv.read(file, files[file]).capabilities
            yield Task(raw["name"], groups, block, bindings, code, loop, stored, takes_addresses)
            if raw["task_type"] == SERIAL:
                stored = stored_lengths(code, stored)
            elif code.writes:
                stored = {}

    def sizes(self, name: str) -> list[int]:
        """Return where a kernel's argument struct has the sizes of arrays."""
        arrays = [argument for argument in self._arguments(name)[0] if argument.kind == ArgumentKind.ARRAY]
        return [array.offset + 4 * i for array in arrays for i in range(array.size)]

    def _arguments(self, name: str) -> tuple[tuple[LaunchArgument, ...], tuple[LaunchArgument, ...]]:
        kernel, context = self._module.info.all_kernels[name], self._kernels[name]["ctx_attribs"]
        return _arguments(context, kernel, has_result=name in self._module.results)


def groups_of(threads: int, block: int) -> int:
    """Return the groups that the library dispatches."""
    return max(1, (threads + block - 1) // block)


def _bindings(
    task: Mapping[str, Any], kinds: Mapping[tuple[int, ...], int], trees: Collection[int]
) -> tuple[Binding, ...]:
    """Return a task's bindings; `kinds` are those of its arguments, and `trees` have memory."""
    found: list[Binding] = []
    for bind in task["buffer_binds"]:
        kind = BINDINGS.get(bind["buffer"]["type"])
        root = tuple(bind["buffer"]["root_id"])
        if kind is None or (kind is BindingKind.ARRAY and kinds.get(root) is not ArgumentKind.ARRAY):
            raise UnplannedError(UNKNOWN_BINDING)
        if kind is BindingKind.ROOT and root[0] not in trees:
            raise UnplannedError("fields of a tree whose size the module does not state")
        found.append(Binding(bind["binding"], kind, root[0] if kind in WITH_SOURCE else 0))
    for bind in task["texture_binds"]:
        kind = BindingKind.RW_TEXTURE if bind["is_storage"] else BindingKind.TEXTURE
        root = tuple(bind["arg_id"])
        if kinds.get(root) is not ArgumentKind.EXTENT:
            raise UnplannedError(UNKNOWN_BINDING)
        found.append(Binding(bind["binding"], kind, root[0]))
    if len(found) > MOST_BINDINGS:
        raise UnplannedError(f"{len(found)} bindings")
    if len(_numbers(found, BindingKind.ARGUMENTS)) > 1:
        raise UnplannedError(UNKNOWN_BINDING)
    return tuple(found)


def _numbers(bindings: Sequence[Binding], kind: BindingKind) -> list[int]:
    return [binding.number for binding in bindings if binding.kind is kind]


def _arguments(
    context: Mapping[str, Any], kernel: KernelInfo, *, has_result: bool
) -> tuple[tuple[LaunchArgument, ...], tuple[LaunchArgument, ...]]:
    """Return the arguments by their numbers, and the addresses of arrays, which code with descriptors does not read."""
    parameters, members = kernel.signature.parameters, read_struct(context["args_type_"]).members
    planned = planned_arguments(parameters, members[: len(parameters)], FAMILY)
    if has_result:
        planned += planned_array(len(members) - 1, members[-1], 1)
    found = [each for each in planned if each.kind is not ArgumentKind.ADDRESS]
    addresses = tuple(each for each in planned if each.kind is ArgumentKind.ADDRESS)
    return tuple(sorted(found, key=lambda each: each.source)), addresses
