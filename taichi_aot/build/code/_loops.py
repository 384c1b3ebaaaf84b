"""The lengths of tasks' loops, as code for CUDA and CPUs computes them; see `Program`.

The compiler leaves code for CUDA as it is, for the library to optimize. A loop is a call of `gpu_parallel_range_for`, a
function of the compiler's runtime that each module has a copy of, with the first index and the end: constants, or what
a serial task has stored in the temporaries. Thread t of all threads begins at the first index + t.

Fewer blocks are right as long as they have a thread for each index: a thread does the same iteration in the same block
as before, with the same state of random numbers, the same shared memory and the same threads at a barrier. The blocks
that are left out would not do any iteration. What they run before and after the loop adds a sum of nothing.

On CPUs a loop has the same tasks for all lengths. The lengths are known from the code before the compiler's passes, and
serve to refuse launches whose loops are too long.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from ...adopt.llvm._instructions import Instruction, UnknownCodeError, check
from ...adopt.llvm._ir import Function as FunctionText
from ...adopt.llvm._ir import functions_of, global_name, reached_functions
from ...adopt.taichi._plans import (
    ARGUMENT,
    BIT,
    CONSTANT,
    LOADS,
    TEMPORARY,
    UNKNOWN,
    WIDE_ARGUMENT,
    Operation,
    Program,
    Value,
    binary,
    is_settled,
    program,
    with_stored,
)
from ...bundle._info import VECTORS, TaskInfo
from ...values._numbers import DTYPES
from ..vector._chunks import bounds_of
from ..vector._ir import Block, Function, read_blocks
from ..vector._loop import PARALLEL_LOOP

# The layout of types in LLVM code, as the code's target lays them out.


SIZES = {row.llvm: row.numpy.itemsize for row in DTYPES.values()}
POINTER_BYTES = 8
MOST_ELEMENTS, DEEPEST = 4096, 16
TOKEN = re.compile(r"[{}\[\],*]|\w+|[^\s\w]")


class CodeType(NamedTuple):
    """A type in code."""

    size: int
    alignment: int
    members: tuple[tuple[int, CodeType], ...] = ()  # the offset and the type of each; none of a number or a pointer

    def offset(self, path: list[int]) -> int | None:
        """Return the offset of a member of a member; None if a number of the path is not one of a member."""
        offset, type_ = 0, self
        for number in path:
            if not 0 <= number < len(type_.members):
                return None
            start, type_ = type_.members[number]
            offset += start
        return offset


@lru_cache(256)
def read_type(text: str) -> CodeType | None:
    """Read a struct, an array, a number or a pointer to one; None for other types."""
    tokens: list[str] = TOKEN.findall(text)[::-1]
    try:
        type_ = _read(tokens, 0)
    except (LookupError, ValueError):
        return None
    return None if tokens else type_


def _read(tokens: list[str], depth: int) -> CodeType:
    token = tokens.pop()
    if depth > DEEPEST:
        raise ValueError(token)
    if token == "{":
        types = [] if tokens[-1] == "}" else [_read(tokens, depth + 1)]
        while (separator := tokens.pop()) == ",":
            types.append(_read(tokens, depth + 1))
        check(separator == "}")
        type_ = _struct(types)
    elif token == "[":
        count = int(tokens.pop())
        check(0 < count <= MOST_ELEMENTS and tokens.pop() == "x")
        type_ = _struct([_read(tokens, depth + 1)] * count)
        check(tokens.pop() == "]")
    else:
        type_ = CodeType(SIZES[token], SIZES[token])
    while tokens and tokens[-1] == "*":
        tokens.pop()
        type_ = CodeType(POINTER_BYTES, POINTER_BYTES)
    return type_


def _struct(types: list[CodeType]) -> CodeType:
    members: list[tuple[int, CodeType]] = []
    end, largest = 0, 1
    for type_ in types:
        start = -(-end // type_.alignment) * type_.alignment
        members.append((start, type_))
        end, largest = start + type_.size, max(largest, type_.alignment)
    return CodeType(-(-end // largest) * largest, largest, tuple(members))


# The lengths of loops.


RANGE_FOR = "range_for"  # the kind of a task

# Functions of the runtime, and the hash of their code without what differs from module to module.
RUNTIME = {
    b"@RuntimeContext_get_runtime": "1392b9451177de62",
    b"@block_dim": "40c36b61c6f1a5b1",
    b"@block_idx": "8c927dadd93cb581",
    b"@get_temporary_pointer": "811ecbff0c26978a",
    b"@gpu_parallel_range_for": "971720e7dfbe46ea",
    b"@grid_dim": "5057986499bf375d",
    b"@max_i32": "1daa3bf24f1362cb",
    b"@min_i32": "91ecc15bf5c3b157",
    b"@thread_idx": "493997f92101acd2",
}
DIFFERENT = re.compile(rb" (?:noundef|nsw|dso_local)\b| #\d+|, align \d+|, !llvm\.loop !\d+|\.\d+(?=[*,) ])")
GRID, GRID_REGISTER, TEMPORARIES = b"@grid_dim", b"nctaid", b"@get_temporary_pointer"
CONTEXT_TYPE = "%struct.RuntimeContext"
RANGE_LOOP = "@gpu_parallel_range_for"
BINARY = {"add": "add", "sub": "subtract", "mul": "multiply", "shl": "shift", "sdiv": "divide"}
CHOICES = {"@max_i32": "largest", "@min_i32": "smallest"}
CHANGES = ("@atomic_", "@reduce_")  # functions of the runtime that write to the address that they are passed first
SHORT = {Operation.CONSTANT, Operation.LOAD, Operation.SMALLEST, Operation.LARGEST}  # their numbers are of 32 bits
CONTEXT = "context"  # the address of the argument struct's address

Span: TypeAlias = tuple[int, int]


class TaskFacts(NamedTuple):
    """What is known of a task."""

    length: Program  # computes the length of its loop; empty if it is not known
    written: list[Span] | None  # the parts of the temporaries that it may write; None if not known
    known: Mapping[int, Value]  # the lengths that tasks before it have stored and it does not change, by offset


class KernelCode:
    """The code of a kernel, from the module's file of it."""

    def __init__(self, code: bytes) -> None:
        # Those that it defines, without those of the runtime that are known.
        self.functions = functions_of(code)
        self._spans: dict[bytes, list[Span] | None] = {}
        self._read: dict[bytes, Function] = {}
        # Only the loop of the runtime may depend on the number of blocks.
        mentions = code.count(GRID), code.count(GRID_REGISTER)
        used = RUNTIME.keys() & self.functions.keys()
        self.is_known = mentions == ((2, 2) if GRID in used else (0, 0)) and all(
            function_hash(name, self.functions[name]) == RUNTIME[name] for name in used
        )
        if self.is_known:
            for name in used:
                del self.functions[name]

    def loop_lengths(self, tasks: Iterable[TaskInfo]) -> tuple[Program, ...]:
        """Return the programs that compute the lengths of the loops of all tasks, empty where none is known."""
        return tuple(facts.length for facts in self.facts(tasks))

    def facts(self, tasks: Iterable[TaskInfo]) -> Iterator[TaskFacts]:
        """Yield what is known of each task of the kernel."""
        stored: dict[int, Value] = {}  # lengths that serial tasks have stored, by their offsets in the temporaries
        for task in tasks:
            name = global_name(task.name)
            written, function = self._written(name), self._function(name)
            known = {offset: each for offset, each in stored.items() if not touching(written or [], offset)}
            is_known = task.kind == RANGE_FOR and self.is_known and written is not None
            yield TaskFacts((_loop_length(function, known) or ()) if is_known else (), written, known)
            stored = {} if written is None else known | _stored_lengths(function, known, written)

    def cpu_loop(self, task: str, stored: Mapping[int, Value]) -> CpuLoop:
        """Return the loop of a task for CPUs, whose code before passes this is.

        `stored` has the lengths that tasks before it have stored.
        """
        name = global_name(task)
        written, function = self._written(name), self._function(name)
        if written is None:
            return CpuLoop((), 0, {})
        known = {offset: each for offset, each in stored.items() if not touching(written, offset)}
        calls = [made for made in function.instructions() if made.function == PARALLEL_LOOP]
        after = known | _stored_lengths(function, known, written)
        if len(calls) != 1 or not calls[0].operands[3].isdecimal():
            return CpuLoop((), 0, after)
        body = self._function(calls[0].operands[7].encode())
        return CpuLoop(_cpu_length(body, known) or (), int(calls[0].operands[3]), after)

    def _function(self, name: bytes) -> Function:
        """Return a function's blocks; without any if it is not known in full."""
        if name not in self._read:
            body = self.functions[name].body.decode("latin-1") if name in self.functions else ""
            try:
                blocks = read_blocks(body.split("\n"))
            except UnknownCodeError:
                blocks = {}
            self._read[name] = Function("", "", {}, blocks)
        return self._read[name]

    def _written(self, task: bytes) -> list[Span] | None:
        """Return the parts of temporaries that a task may write, once for each place in code; None if not known."""
        if task in self._spans or task not in self.functions:
            return self._spans.get(task)
        self._spans[task] = None
        written: list[Span] = []
        for name in reached_functions(self.functions, task) & self.functions.keys():
            mentions = self.functions[name].body.count(TEMPORARIES)
            if mentions:
                spans = _written_by(list(self._function(name).instructions()), mentions)
                if spans is None:
                    return None
                written += spans
        self._spans[task] = written
        return written


class CpuLoop(NamedTuple):
    """The loop of a task for CPUs."""

    length: Program  # empty if it is not known
    tasks: int  # into how many the compiler divides it
    stored: Mapping[int, Value]  # the lengths in temporaries after the task


def cpu_lengths(codes: Mapping[str, str], loops: Mapping[str, str]) -> tuple[tuple[int, Program], ...]:
    """Return what a kernel's tasks may add to the last index of their loops, and the programs of the loops' lengths.

    A program is empty if the length is not known, or cannot be too long. `codes` has the code of tasks before the
    compiler's passes, by name, and `loops` how they were compiled.
    """
    found: list[tuple[int, Program]] = []
    stored: Mapping[int, Value] = {}
    for name, code in codes.items():
        loop = KernelCode(code.encode()).cpu_loop(name, stored)
        stored = loop.stored
        # Tasks of vectors are divided with numbers of 64 bits. Others add the end of the last of all tasks.
        is_wide = loops[name] == VECTORS
        operations = {operation for operation, _ in loop.length}
        can_be_long = operations & set(LOADS.values()) and not (is_wide and operations <= SHORT)
        found.append((1 if is_wide else loop.tasks, loop.length) if can_be_long else (0, ()))
    return tuple(found)


def function_hash(name: bytes, function: FunctionText) -> str:
    """Return the hash of a function of the runtime, without what differs from module to module."""
    return hashlib.sha256(DIFFERENT.sub(b"", name + function.head + function.body)).hexdigest()[:16]


def touching(spans: Iterable[Span], offset: int, size: int = 4) -> int:
    """Return how many of the spans a number of these bytes touches."""
    return sum(start < offset + size and offset < end for start, end in spans)


def _loop_length(function: Function, stored: Mapping[int, Value]) -> Program | None:
    """Return the program that computes the length of a task's loop, or more; None if its code is not as above."""
    calls = [made for made in function.instructions() if made.function == RANGE_LOOP]
    if len(calls) != 1 or calls[0].operands[:1] != ["%context"] or len(calls[0].operands) < 3:
        return None
    values = Values(function)
    first, end = (with_stored(values.value(number), stored) for number in calls[0].operands[1:3])
    return program(end if first == (CONSTANT, 0) else binary("subtract", end, first))


def _cpu_length(body: Function, stored: Mapping[int, Value]) -> Program | None:
    """Find the program that computes the length of a loop, by the function for a part of it; None if not known."""
    first, test = body.blocks.get("%function_body"), body.blocks.get("%for_loop_test")
    if first is None or test is None or [made.opcode for made in test.instructions] != ["load", "icmp", "br"]:
        return None
    (counter,), (_, end) = test.instructions[0].operands, test.instructions[1].operands
    begins = [made.operands[0] for made in first.instructions if made.opcode == "store" and counter in made.operands]
    bounds = bounds_of(first, begins[0], end) if len(begins) == 1 else None
    if bounds is None:
        return None
    values = Values(body)
    begin, end_value = (with_stored(values.value(each), stored) for each in bounds)
    is_whole = begin == (CONSTANT, 0)
    return program(end_value if is_whole else binary("subtract", end_value, begin), is_exact=True)


def _stored_lengths(function: Function, stored: Mapping[int, Value], written: list[Span]) -> dict[int, Value]:
    """Return the known values that a task stores in temporaries, by offset; `stored` has those before."""
    values = Values(function)
    found: dict[int, Value] = {}
    for made in once(function.blocks):
        if made.opcode == "store" and made.type == "i32":
            role, offset = values.places.get(made.operands[1], ("", 0))
            value = with_stored(values.value(made.operands[0]), stored)
            if role == TEMPORARY and value is not None and is_settled(value) and touching(written, offset) == 1:
                found[offset] = value
    return found


def _written_by(instructions: Sequence[Instruction], mentions: int) -> list[Span] | None:
    """Return the parts of the temporaries that a function writes; None if it uses an address for anything but numbers.

    `mentions` says how often it names the function that returns the addresses.
    """
    uses: dict[str, list[tuple[Instruction, int]]] = {}
    for made in instructions:
        for place, operand in enumerate(made.operands):
            uses.setdefault(operand, []).append((made, place))
    calls = [made for made in instructions if temporary_of(made) is not None]
    if len(calls) != mentions:
        return None
    spans: list[Span] = []
    for call in calls:
        offset, typed = temporary_of(call) or 0, [made for made, _ in uses.get(call.result, ())]
        type_ = typed[0].word.removesuffix("*") if len(typed) == 1 and typed[0].opcode == "bitcast" else ""
        if type_ not in SIZES:
            return None
        for made, place in uses.get(typed[0].result, ()):
            at = {"load": 0, "store": 1, "atomicrmw": 0, "call": 0 if made.function.startswith(CHANGES) else -1}
            if at.get(made.opcode) != place:
                return None
            spans += [(offset, offset + SIZES[type_])] * (made.opcode != "load")
    return spans


def temporary_of(made: Instruction) -> int | None:
    """Return the offset of the temporary whose address an instruction computes; None if it is another one."""
    offset = _number(made.operands[1]) if made.function.encode() == TEMPORARIES and len(made.operands) == 2 else -1
    return offset if offset >= 0 else None


def _number(text: str) -> int:
    """Return an index in code; -1 if it is not a constant."""
    return int(text) if text.isdecimal() and len(text) < 10 else -1


def once(blocks: Mapping[str, Block]) -> list[Instruction]:
    """Find the instructions of a function that run exactly once: nothing branches around them, from both ends."""
    before: dict[str, list[str]] = {label: [] for label in blocks}
    for label, block in blocks.items():
        if block.end.opcode not in ("br", "ret") or not before.keys() >= set(block.end.labels):
            return []
        for target in block.end.labels:
            before[target].append(label)
    after = {label: block.end.labels for label, block in blocks.items()}
    first = [label for label in list(blocks)[:1] if not before[label]]
    once = {*_chain(first, after, before), *_chain([each for each in blocks if not after[each]], before, after)}
    return [made for label in blocks if label in once for made in blocks[label].instructions]


def _chain(starts: list[str], following: Mapping[str, list[str]], before: Mapping[str, list[str]]) -> Iterator[str]:
    """Yield a block, and those to which no way leads but that from it; none if there are several first ones."""
    while len(starts) == 1:
        yield starts[0]
        starts = [each for each in following[starts[0]] if len(following[starts[0]]) == len(before[each]) == 1]


class Values:
    """The numbers of 32 bits that a function computes, and the addresses of those that it reads, by name."""

    def __init__(self, function: Function) -> None:
        self.places: dict[str, tuple[str, int]] = {}
        self._values: dict[str, Value] = {}
        for made in function.instructions():
            place = self._place(made)
            if place is not None:
                self.places[made.result] = place
            value = self._value(made)
            if value is not None:
                self._values[made.result] = value

    def value(self, text: str) -> Value | None:
        """Return the value of a constant or a name."""
        if text.removeprefix("-").isdecimal() and len(text) < 12 and -(2**31) <= int(text) < 2**31:
            return CONSTANT, int(text)
        return self._values.get(text)

    def _place(self, made: Instruction) -> tuple[str, int] | None:
        if made.opcode == "getelementptr" and made.operands[1:2] == ["0"] and len(made.operands) > 2:
            path = [_number(number) for number in made.operands[2:]]
            return self._member(made.type, self.places.get(made.operands[0], ("", 0)), path)
        if made.opcode == "bitcast":
            return self.places.get(made.operands[0])
        if made.opcode == "load" and self.places.get(made.operands[0]) == (CONTEXT, 0):
            return ARGUMENT, 0
        offset = temporary_of(made)
        return None if offset is None else (TEMPORARY, offset)

    def _member(self, struct: str, base: tuple[str, int], path: list[int]) -> tuple[str, int] | None:
        if struct.rstrip(".0123456789") == CONTEXT_TYPE:
            return (CONTEXT, 0) if path == [0] else None
        type_ = read_type(struct)
        offset = type_.offset(path) if type_ is not None else None
        return (ARGUMENT, base[1] + offset) if base[0] == ARGUMENT and offset is not None else None

    def _value(self, made: Instruction) -> Value | None:
        if made.opcode == "load" and made.type in ("i32", "i64"):
            role, offset = self.places.get(made.operands[0], ("", 0))
            if made.type == "i64":
                return (WIDE_ARGUMENT, offset) if role == ARGUMENT else None
            return (role, offset) if role in (ARGUMENT, TEMPORARY) else None
        if made.opcode == "trunc" and (made.type, made.word) == ("i64", "i32"):
            return self._values.get(made.operands[0])
        if made.opcode in BINARY and made.type == "i32":
            return binary(BINARY[made.opcode], *map(self.value, made.operands))
        if made.callee in CHOICES and len(made.operands) == 2:
            return binary(CHOICES[made.callee], *(self.value(number) or (UNKNOWN, 0) for number in made.operands))
        return (BIT, 0) if made.opcode == "zext" and made.types[0] == "i1" else None
