"""SPIR-V code: checks of what the library passes to the driver, and instructions that passes can change.

The driver gets the code unchecked, and damaged code crashes the process.

A shader is its preamble (capabilities to global variables, in the order that SPIR-V prescribes) and the blocks of its
one function. Ids are unique, so an instruction that is inserted anywhere gets a new one by `Shader.new_id`. What a pass
does not know, such as an opcode without an entry below, it must leave alone: `Shader.uses` counts all its operands as
ids, so that nothing seems unused, and `Shader.replace` raises.
"""

from __future__ import annotations

import struct
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import IntEnum
from typing import NamedTuple

from ...values._errors import CorruptedDataError

# Checks.


MAGIC = 0x07230203
HEADER_WORDS = 5

OP_ENTRY_POINT = 15
OP_CAPABILITY = 17
OP_TYPE_INT = 21
OP_TYPE_FLOAT = 22
OP_TYPE_IMAGE = 25
OP_TYPE_POINTER = 32
OP_FUNCTION = 54
OP_FUNCTION_END = 56
OP_VARIABLE = 59
OP_DECORATE = 71
DECORATION_BINDING = 33
# Loads, stores, exchanges and arithmetic of integers; minima, maxima and sums of floats.
ATOMICS = frozenset({*range(227, 243), 5614, 5615, 6035})
INT64_ATOMICS = 12  # a capability

# Taichi's names of SPIR-V image formats; SPIR-V has more, which Taichi's kernels do not use.
IMAGE_FORMATS = {
    1: "rgba32f",
    2: "rgba16f",
    3: "r32f",
    4: "rgba8",
    6: "rg32f",
    7: "rg16f",
    9: "r16f",
    10: "rgba16",
    12: "rg16",
    13: "rg8",
    14: "r16",
    15: "r8",
    21: "rgba32i",
    22: "rgba16i",
    23: "rgba8i",
    24: "r32i",
    25: "rg32i",
    26: "rg16i",
    27: "rg8i",
    28: "r16i",
    29: "r8i",
    30: "rgba32u",
    31: "rgba16u",
    32: "rgba8u",
    33: "r32u",
    35: "rg32u",
    36: "rg16u",
    37: "rg8u",
    38: "r16u",
    39: "r8u",
}


class SpirvInfo(NamedTuple):
    """The properties that a SPIR-V module states."""

    version: tuple[int, int]
    capabilities: frozenset[int]
    bindings: frozenset[int]
    image_formats: dict[int, str]  # of storage images, by binding
    atomic_bits: frozenset[int]  # of the numbers that it changes atomically


def read(name: str, code: bytes) -> SpirvInfo:
    """Walk all instructions of a compute shader."""
    words = _words(name, code)
    # Instructions that are too short for their opcode are ignored.
    of = by_opcode(_instructions(name, words))
    functions = len(of[OP_FUNCTION])
    if len(of[OP_ENTRY_POINT]) != 1 or functions == 0 or len(of[OP_FUNCTION_END]) != functions:
        raise CorruptedDataError(f"{name}: it does not have exactly one entry point with a complete function")
    bindings = {o[0]: o[2] for o in of[OP_DECORATE] if len(o) == 3 and o[1] == DECORATION_BINDING}
    types = {o[1]: o[0] for o in of[OP_VARIABLE] if len(o) >= 3}  # of variables
    targets = {o[0]: o[2] for o in of[OP_TYPE_POINTER] if len(o) == 3}
    formats = {o[0]: IMAGE_FORMATS.get(o[7], "") for o in of[OP_TYPE_IMAGE] if len(o) >= 8}
    images = {
        binding: formats.get(targets.get(types.get(variable, -1), -1), "") for variable, binding in bindings.items()
    }
    atomic = {o[0] for opcode in ATOMICS for o in of[opcode] if o}  # types; stores have none
    integers, floats = ({o[0]: o[1] for o in of[kind] if len(o) >= 2} for kind in (OP_TYPE_INT, OP_TYPE_FLOAT))
    bits = {type_: found for type_, found in {**integers, **floats}.items() if type_ in atomic}
    needed = {INT64_ATOMICS for type_, found in bits.items() if type_ in integers and found == 64}
    return SpirvInfo(
        (words[1] >> 16 & 0xFF, words[1] >> 8 & 0xFF),
        frozenset(o[0] for o in of[OP_CAPABILITY] if o) | needed,
        frozenset(bindings.values()),
        {binding: stated for binding, stated in images.items() if stated},
        frozenset(bits.values()),
    )


def with_capabilities(name: str, code: bytes) -> bytes:
    """Return code that declares the capabilities that `read` finds and the compilers leave out."""
    declared = {o[0] for opcode, o in instructions(name, code) if opcode == OP_CAPABILITY}
    missing = [(2 << 16 | OP_CAPABILITY, each) for each in sorted(read(name, code).capabilities - declared)]
    head = 4 * HEADER_WORDS
    return code[:head] + b"".join(struct.pack("<2I", *each) for each in missing) + code[head:]


def by_opcode(instructions: Iterable[tuple[int, tuple[int, ...]]]) -> Mapping[int, list[tuple[int, ...]]]:
    """Return the operands of all instructions of each opcode, in order."""
    found: defaultdict[int, list[tuple[int, ...]]] = defaultdict(list)
    for opcode, operands in instructions:
        found[opcode].append(operands)
    return found


def _words(name: str, code: bytes) -> tuple[int, ...]:
    if len(code) < 4 * HEADER_WORDS or len(code) % 4:
        raise CorruptedDataError(f"{name}: {len(code)} bytes are not SPIR-V code")
    words = struct.unpack(f"<{len(code) // 4}I", code)
    if words[0] != MAGIC:
        raise CorruptedDataError(f"{name}: it does not start with SPIR-V's magic number")
    return words


def instructions(name: str, code: bytes) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield opcode and operands of each instruction of code that `read` has checked."""
    return _instructions(name, _words(name, code))


def _instructions(name: str, words: tuple[int, ...]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield opcode and operands of each instruction."""
    position = HEADER_WORDS
    while position < len(words):
        count, opcode = words[position] >> 16, words[position] & 0xFFFF
        if count == 0 or position + count > len(words):
            raise CorruptedDataError(f"{name}: it ends within the instruction at word {position}")
        yield opcode, words[position + 1 : position + count]
        position += count


# Instructions that can be changed.


class UnsupportedCodeError(Exception):
    """Code of a form that is not understood, so that it stays as it is; the text is the reason."""


class Op(IntEnum):
    """Opcodes, by SPIR-V's names."""

    UNDEF = 1
    NAME = 5
    MEMBER_NAME = 6
    EXTENSION = 10
    EXT_INST_IMPORT = 11
    EXT_INST = 12
    MEMORY_MODEL = 14
    ENTRY_POINT = 15
    EXECUTION_MODE = 16
    CAPABILITY = 17
    TYPE_VOID = 19
    TYPE_BOOL = 20
    TYPE_INT = 21
    TYPE_FLOAT = 22
    TYPE_VECTOR = 23
    TYPE_ARRAY = 28
    TYPE_RUNTIME_ARRAY = 29
    TYPE_STRUCT = 30
    TYPE_POINTER = 32
    CONSTANT_TRUE = 41
    CONSTANT_FALSE = 42
    CONSTANT = 43
    CONSTANT_COMPOSITE = 44
    CONSTANT_NULL = 46
    FUNCTION = 54
    FUNCTION_PARAMETER = 55
    FUNCTION_END = 56
    FUNCTION_CALL = 57
    VARIABLE = 59
    LOAD = 61
    STORE = 62
    ACCESS_CHAIN = 65
    IN_BOUNDS_ACCESS_CHAIN = 66
    ARRAY_LENGTH = 68
    DECORATE = 71
    MEMBER_DECORATE = 72
    VECTOR_SHUFFLE = 79
    COMPOSITE_CONSTRUCT = 80
    COMPOSITE_EXTRACT = 81
    COMPOSITE_INSERT = 82
    COPY_OBJECT = 83
    CONVERT_F_TO_U = 109
    CONVERT_F_TO_S = 110
    CONVERT_S_TO_F = 111
    CONVERT_U_TO_F = 112
    U_CONVERT = 113
    S_CONVERT = 114
    F_CONVERT = 115
    CONVERT_U_TO_PTR = 120
    BITCAST = 124
    S_NEGATE = 126
    F_NEGATE = 127
    I_ADD = 128
    F_ADD = 129
    I_SUB = 130
    F_SUB = 131
    I_MUL = 132
    F_MUL = 133
    U_DIV = 134
    S_DIV = 135
    F_DIV = 136
    U_MOD = 137
    S_REM = 138
    S_MOD = 139
    LOGICAL_EQUAL = 164
    LOGICAL_NOT_EQUAL = 165
    LOGICAL_OR = 166
    LOGICAL_AND = 167
    LOGICAL_NOT = 168
    SELECT = 169
    I_EQUAL = 170
    I_NOT_EQUAL = 171
    U_GREATER_THAN = 172
    S_GREATER_THAN = 173
    U_GREATER_THAN_EQUAL = 174
    S_GREATER_THAN_EQUAL = 175
    U_LESS_THAN = 176
    S_LESS_THAN = 177
    U_LESS_THAN_EQUAL = 178
    S_LESS_THAN_EQUAL = 179
    SHIFT_RIGHT_LOGICAL = 194
    SHIFT_RIGHT_ARITHMETIC = 195
    SHIFT_LEFT_LOGICAL = 196
    BITWISE_OR = 197
    BITWISE_XOR = 198
    BITWISE_AND = 199
    NOT = 200
    CONTROL_BARRIER = 224
    MEMORY_BARRIER = 225
    ATOMIC_LOAD = 227
    ATOMIC_STORE = 228
    ATOMIC_EXCHANGE = 229
    ATOMIC_COMPARE_EXCHANGE = 230
    ATOMIC_I_INCREMENT = 232
    ATOMIC_I_DECREMENT = 233
    ATOMIC_I_ADD = 234
    ATOMIC_I_SUB = 235
    ATOMIC_S_MIN = 236
    ATOMIC_U_MIN = 237
    ATOMIC_S_MAX = 238
    ATOMIC_U_MAX = 239
    ATOMIC_AND = 240
    ATOMIC_OR = 241
    ATOMIC_XOR = 242
    PHI = 245
    LOOP_MERGE = 246
    SELECTION_MERGE = 247
    LABEL = 248
    BRANCH = 249
    BRANCH_CONDITIONAL = 250
    SWITCH = 251
    KILL = 252
    RETURN = 253
    RETURN_VALUE = 254
    UNREACHABLE = 255
    ATOMIC_F_MIN = 5614
    ATOMIC_F_MAX = 5615
    ATOMIC_F_ADD = 6035


TERMINATORS = frozenset(range(Op.BRANCH, Op.UNREACHABLE + 1))
# The instructions that have no result, of those that SPIR-V 1.5 has for compute shaders.
NO_RESULT = frozenset(
    {0, 2, 3, 4, 5, 6, 8, 10, 14, 15, 16, 17, 56, 62, 63, 64, 71, 72, 74, 75, 99, 224, 225, 228, 246, 247}
    | {317, 330, 331, 332, 5632, 5633}
    | TERMINATORS
)
RESULT_ONLY = frozenset({7, 11, Op.LABEL, 73, *range(Op.TYPE_VOID, 40)})  # with a result that has no type
# The operands of each opcode that are ids, apart from the result and its type: by their numbers among the operands.
_NONE, _ALL = slice(0, 0), slice(None)
IDS: dict[int, slice] = {
    **dict.fromkeys((Op.NAME, Op.MEMBER_NAME, Op.DECORATE, Op.MEMBER_DECORATE, Op.EXECUTION_MODE), slice(0, 1)),
    **dict.fromkeys((Op.EXTENSION, Op.EXT_INST_IMPORT, Op.MEMORY_MODEL, Op.CAPABILITY, 7), _NONE),
    **dict.fromkeys((Op.TYPE_VOID, Op.TYPE_BOOL, Op.TYPE_INT, Op.TYPE_FLOAT, Op.CONSTANT, Op.LABEL), _NONE),
    **dict.fromkeys((Op.UNDEF, Op.CONSTANT_TRUE, Op.CONSTANT_FALSE, Op.CONSTANT_NULL, Op.FUNCTION_PARAMETER), _NONE),
    **dict.fromkeys((Op.FUNCTION_END, Op.KILL, Op.RETURN, Op.UNREACHABLE), _NONE),
    **dict.fromkeys((Op.TYPE_ARRAY, Op.TYPE_RUNTIME_ARRAY, Op.TYPE_STRUCT), slice(1, None)),
    Op.TYPE_VECTOR: slice(1, 2),
    Op.TYPE_POINTER: slice(2, 3),
    33: slice(1, None),  # a type of functions
    Op.FUNCTION: slice(3, 4),
    Op.VARIABLE: slice(3, None),
    Op.LOAD: slice(2, 3),
    Op.ARRAY_LENGTH: slice(2, 3),
    Op.STORE: slice(0, 2),
    Op.COMPOSITE_EXTRACT: slice(2, 3),
    Op.COMPOSITE_INSERT: slice(2, 4),
    Op.VECTOR_SHUFFLE: slice(2, 4),
    Op.LOOP_MERGE: slice(0, 2),
    Op.SELECTION_MERGE: slice(0, 1),
    Op.BRANCH: _ALL,
    Op.BRANCH_CONDITIONAL: slice(0, 3),
    Op.RETURN_VALUE: _ALL,
    **dict.fromkeys((Op.CONTROL_BARRIER, Op.MEMORY_BARRIER, Op.ATOMIC_STORE), _ALL),
    **dict.fromkeys(
        (Op.CONSTANT_COMPOSITE, Op.FUNCTION_CALL, Op.ACCESS_CHAIN, 66, 67, 70, 77, 78, 80, 83), slice(2, None)
    ),
    **dict.fromkeys((*range(109, 128), *range(128, 153), *range(154, 206), Op.PHI), slice(2, None)),
    **dict.fromkeys(ATOMICS - {Op.ATOMIC_STORE}, slice(2, None)),
}

AGGREGATES = frozenset({Op.TYPE_ARRAY, Op.TYPE_RUNTIME_ARRAY, Op.TYPE_STRUCT})  # whose layouts decorations state
BINDING, BUILT_IN, DESCRIPTOR_SET = 33, 11, 34  # decorations
INPUT, UNIFORM, WORKGROUP, FUNCTION, STORAGE_BUFFER = 1, 2, 4, 7, 12  # storage classes
# The preamble's order, by the last opcodes of its sections: an instruction belongs behind those of its section.
SECTIONS: tuple[set[int], ...] = (
    {Op.CAPABILITY},
    {Op.EXTENSION},
    {Op.EXT_INST_IMPORT},
    {Op.MEMORY_MODEL},
    {Op.ENTRY_POINT},
    {Op.EXECUTION_MODE, 331},
    {2, 3, 4, 7, 330},
    {Op.NAME, Op.MEMBER_NAME},
    {Op.DECORATE, Op.MEMBER_DECORATE, 73, 74, 75, 332, 5632, 5633},
)


class Instruction:
    """An instruction; two with equal operands are different objects."""

    __slots__ = ("op", "operands")

    def __init__(self, op: int, *operands: int) -> None:
        self.op = op
        self.operands = list(operands)  # with the result and its type

    def __repr__(self) -> str:
        return f"{Op(self.op).name if self.op in list(Op) else self.op}{self.operands}"

    @property
    def result(self) -> int | None:
        """The id that it defines."""
        if self.op in NO_RESULT:
            return None
        return self.operands[0 if self.op in RESULT_ONLY else 1]

    @property
    def type(self) -> int | None:
        """The type of its result."""
        return None if self.op in NO_RESULT or self.op in RESULT_ONLY else self.operands[0]

    @property
    def places(self) -> Sequence[int]:
        """The numbers of the operands that are ids it uses, its type included."""
        if self.op == Op.ENTRY_POINT:
            return [1, *range(2 + len(_text(self.operands[2:])), len(self.operands))]
        if self.op == Op.EXT_INST:
            return [0, 2, *range(4, len(self.operands))]
        if self.op == Op.SWITCH:  # literals of one word
            return [0, 1, *range(3, len(self.operands), 2)]
        if self.op in IDS:
            ids = range(*IDS[self.op].indices(len(self.operands)))
            return [0, *ids] if self.type is not None and 0 not in ids else ids
        return [i for i, each in enumerate(self.operands) if each != self.result]

    @property
    def used(self) -> list[int]:
        """The ids that it uses, its type included."""
        return [self.operands[i] for i in self.places]

    def copy(self) -> Instruction:
        return Instruction(self.op, *self.operands)


def _text(words: Sequence[int]) -> Sequence[int]:
    """Return the words of the text that these begin with."""
    end = next(i for i, word in enumerate(words) if 0 in word.to_bytes(4, "little"))
    return words[: end + 1]


def text_words(text: str) -> list[int]:
    data = text.encode() + b"\0"
    data += b"\0" * (-len(data) % 4)
    return list(struct.unpack(f"<{len(data) // 4}I", data))


class Block:
    """A block of the function; the last instruction of its body ends it."""

    __slots__ = ("body", "label")

    def __init__(self, label: int, body: Iterable[Instruction] = ()) -> None:
        self.label = label
        self.body = list(body)

    @property
    def end(self) -> Instruction:
        return self.body[-1]

    @property
    def merge(self) -> Instruction | None:
        """Its merge instruction: it begins a loop or a selection."""
        found = self.body[-2] if len(self.body) > 1 else None
        return found if found is not None and found.op in (Op.LOOP_MERGE, Op.SELECTION_MERGE) else None

    @property
    def tail(self) -> int:
        """Where in its body to insert what it shall do last."""
        return len(self.body) - (1 if self.merge is None else 2)

    @property
    def successors(self) -> list[int]:
        if self.end.op == Op.BRANCH:
            return self.end.operands[:1]
        if self.end.op == Op.BRANCH_CONDITIONAL:
            return self.end.operands[1:3]
        return [self.end.operands[1], *self.end.operands[3::2]] if self.end.op == Op.SWITCH else []


class Shader:
    """The code of a task, which `spirv.read` has checked; UnsupportedCodeError if it has more than one function."""

    def __init__(self, name: str, code: bytes) -> None:
        self.name = name
        words: tuple[int, ...] = struct.unpack(f"<{HEADER_WORDS}I", code[: 4 * HEADER_WORDS])
        self.version, self._generator, self._bound = words[1:4]
        found = [Instruction(op, *operands) for op, operands in instructions(name, code)]
        first = next(i for i, each in enumerate(found) if each.op == Op.FUNCTION)
        self.preamble = found[:first]  # all before the function
        self.blocks: list[Block] = []  # in their order in the code, in which a block follows those that dominate it
        self._head: list[Instruction] = []  # of the function, before its first block
        self._end = found[-1]
        for each in found[first:-1]:
            if each.op == Op.LABEL:
                self.blocks.append(Block(each.operands[0]))
            elif each.op == Op.FUNCTION_END or (each.op == Op.FUNCTION and self._head):
                raise UnsupportedCodeError("it has several functions")
            else:
                (self.blocks[-1].body if self.blocks else self._head).append(each)
        if self._end.op != Op.FUNCTION_END or not all(b.body and b.end.op in TERMINATORS for b in self.blocks):
            raise UnsupportedCodeError("it has a block without an end")

    def encode(self) -> bytes:
        """Return the code as changed."""
        words = [MAGIC, self.version, self._generator, self._bound, 0]
        for each in self:
            words += (len(each.operands) + 1 << 16 | each.op, *each.operands)
        return struct.pack(f"<{len(words)}I", *words)

    def __iter__(self) -> Iterator[Instruction]:
        """Yield all instructions in order."""
        yield from self.preamble
        yield from self._head
        for block in self.blocks:
            yield Instruction(Op.LABEL, block.label)
            yield from block.body
        yield self._end

    def new_id(self) -> int:
        self._bound += 1
        return self._bound - 1

    # What there is.

    @property
    def definitions(self) -> dict[int, Instruction]:
        """All results; labels are not among them. Made anew at each call, as `users`, `by_label` and `predecessors`."""
        return {each.result: each for each in self if each.result is not None and each.op != Op.LABEL}

    @property
    def users(self) -> dict[int, list[Instruction]]:
        """The instructions that use each id, without names and decorations."""
        found: dict[int, list[Instruction]] = {}
        for each in self:
            if each.op not in (Op.NAME, Op.MEMBER_NAME, Op.DECORATE, Op.MEMBER_DECORATE):
                for used in dict.fromkeys(each.used):
                    found.setdefault(used, []).append(each)
        return found

    @property
    def by_label(self) -> dict[int, Block]:
        return {block.label: block for block in self.blocks}

    @property
    def predecessors(self) -> dict[int, list[Block]]:
        found: dict[int, list[Block]] = {block.label: [] for block in self.blocks}
        for block in self.blocks:
            for label in dict.fromkeys(block.successors):
                found[label].append(block)
        return found

    def reachable(self, begin: Iterable[int], stop: Iterable[int]) -> set[int]:
        """Find the labels of blocks that control reaches from `begin`, which are included, without entering `stop`."""
        blocks, stopped = self.by_label, set(stop)
        found, left = set[int](), [label for label in begin if label not in stopped]
        while left:
            label = left.pop()
            if label not in found:
                found.add(label)
                left += [each for each in blocks[label].successors if each not in stopped]
        return found

    def loop(self, header: Block) -> set[int]:
        """Return the labels of a loop's blocks, from its header to its continue block."""
        assert header.merge is not None
        return self.reachable([header.label], header.merge.operands[:1])

    def dominates(self, first: int, second: int) -> bool:
        """Return whether each way to a block goes through another one."""
        return first == second or second not in self.reachable([self.blocks[0].label], [first])

    def literal(self, constant: int) -> int | None:
        """Find the bits of a constant number; None if it is not one. It looks through the preamble: keep the answer."""
        for each in self.preamble:
            if each.op == Op.CONSTANT and each.operands[1] == constant:
                return sum(word << 32 * i for i, word in enumerate(each.operands[2:]))
        return None

    def decorations(self, decoration: int) -> dict[int, list[int]]:
        """Return the operands of one kind of decoration, by what has it."""
        return {
            e.operands[0]: e.operands[2:] for e in self.preamble if e.op == Op.DECORATE and e.operands[1] == decoration
        }

    # Types, constants, variables: found, or else added.

    def type(self, op: int, *operands: int) -> int:
        """Return a type; arrays and structs are new ones, because decorations tell equal ones apart."""
        for each in self.preamble:
            if each.op == op and op not in AGGREGATES and each.operands[1:] == list(operands):
                return each.operands[0]
        return self._add(op, self.new_id(), *operands)

    def int_type(self, bits: int = 32, *, signed: bool = False) -> int:
        return self.type(Op.TYPE_INT, bits, int(signed))

    def pointer(self, storage: int, target: int) -> int:
        return self.type(Op.TYPE_POINTER, storage, target)

    def constant(self, type_: int, bits: int) -> int:
        """Return a constant number of a type of integers or floats, whose bits these are."""
        definition = next(each for each in self.preamble if each.result == type_)
        words = [bits & 0xFFFFFFFF, bits >> 32][: 1 + (definition.operands[1] == 64)]
        for each in self.preamble:
            if each.op == Op.CONSTANT and each.operands[0] == type_ and each.operands[2:] == words:
                return each.operands[1]
        return self._add(Op.CONSTANT, type_, self.new_id(), *words)

    def uint(self, number: int) -> int:
        return self.constant(self.int_type(), number)

    def variable(self, storage: int, target: int) -> int:
        """Return a new variable of a type, which is global, or of the function if that is the storage class."""
        pointer, made = self.pointer(storage, target), self.new_id()
        if storage == FUNCTION:
            self.blocks[0].body.insert(0, Instruction(Op.VARIABLE, pointer, made, storage))
            return made
        self._add(Op.VARIABLE, pointer, made, storage)
        if storage == INPUT or self.version >= 0x10400:
            next(each for each in self.preamble if each.op == Op.ENTRY_POINT).operands.append(made)
        return made

    def built_in(self, number: int, type_: int) -> int:
        """Return the input variable of a built-in value."""
        for variable, operands in self.decorations(BUILT_IN).items():
            if operands == [number]:
                return variable
        made = self.variable(INPUT, type_)
        self.decorate(made, BUILT_IN, number)
        return made

    def buffer(self, binding: int, element: int, stride: int, *decorations: int) -> int:
        """Return a new storage buffer at a binding: a struct of one array of elements."""
        if self.version < 0x10300:
            self.require(extension="SPV_KHR_storage_buffer_storage_class")
        array = self.type(Op.TYPE_RUNTIME_ARRAY, element)
        self.decorate(array, 6, stride)
        block = self.type(Op.TYPE_STRUCT, array)
        self._insert(Op.MEMBER_DECORATE, block, 0, 35, 0)
        self.decorate(block, 2)
        made = self.variable(STORAGE_BUFFER, block)
        self.decorate(made, DESCRIPTOR_SET, 0)
        self.decorate(made, BINDING, binding)
        for each in decorations:
            self.decorate(made, each)
        return made

    def _add(self, op: int, *operands: int) -> int:
        made = Instruction(op, *operands)
        self.preamble.append(made)
        assert made.result is not None
        return made.result

    # What is stated before them.

    def decorate(self, target: int, decoration: int, *operands: int) -> None:
        self._insert(Op.DECORATE, target, decoration, *operands)

    def require(self, *capabilities: int, extension: str = "") -> None:
        """State that the code needs capabilities, and the extension that has them."""
        stated = {each.operands[0] for each in self.preamble if each.op == Op.CAPABILITY}
        for each in capabilities:
            if each not in stated:
                self._insert(Op.CAPABILITY, each)
        words = text_words(extension)
        if extension and not any(each.op == Op.EXTENSION and each.operands == words for each in self.preamble):
            self._insert(Op.EXTENSION, *words)

    def _insert(self, op: int, *operands: int) -> None:
        section = next(i for i, ops in enumerate(SECTIONS) if op in ops)
        later = set[int]().union(*SECTIONS[: section + 1])
        at = next((i for i, each in enumerate(self.preamble) if each.op not in later), len(self.preamble))
        self.preamble.insert(at, Instruction(op, *operands))

    # Changes of the function.

    def replace(self, old: int, new: int, within: Callable[[Instruction], bool] = lambda _: True) -> None:
        """Use an id in place of another one, in the instructions that `within` accepts; names stay.

        UnsupportedCodeError, before anything is changed, if an instruction among them is not known.
        """
        changed = [each for block in self.blocks for each in block.body if old in each.operands and within(each)]
        unknown = next((e for e in changed if e.op not in IDS and e.op not in (Op.EXT_INST, Op.SWITCH)), None)
        if unknown is not None:
            raise UnsupportedCodeError(f"it has an instruction with opcode {unknown.op}")
        for each in changed:
            for place in each.places:
                if each.operands[place] == old:
                    each.operands[place] = new

    def forget(self) -> None:
        """Remove the names and decorations of ids whose definitions were removed."""
        known, named = self.definitions.keys() | self.by_label.keys(), (Op.NAME, Op.DECORATE)
        self.preamble = [e for e in self.preamble if e.op not in named or e.operands[0] in known]
