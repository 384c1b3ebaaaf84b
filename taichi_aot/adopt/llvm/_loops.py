"""The lengths of tasks' loops, as CUDA code computes them; see `programs`.

The compiler leaves this code as it is, for the library to optimize. A loop is a call of `gpu_parallel_range_for`, a
function of the compiler's runtime that each module has a copy of, with the first index and the end: constants, or what
a serial task has stored in the temporaries. Thread t of all threads begins at the first index + t.

Fewer blocks are right as long as they have a thread for each index: a thread does the same iteration in the same block
as before, with the same state of random numbers, the same shared memory and the same threads at a barrier. The blocks
that are left out would not do any iteration. What they run before and after the loop adds a sum of nothing.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TypeAlias

from ...bundle._info import TaskInfo
from ..taichi._programs import (
    ARGUMENT,
    BIT,
    CONSTANT,
    TEMPORARY,
    UNKNOWN,
    Program,
    Value,
    binary,
    is_settled,
    program,
    with_stored,
)
from ._code_types import SIZES, read_type
from ._ir import VALUE, Function, functions_of, global_name, reached_functions
from ._result_code import C

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
DIFFERENT = tuple(
    re.compile(text)
    for text in (
        rb" (?:noundef|nsw|dso_local)\b",
        rb" #\d+",
        rb", align \d+",
        rb", !llvm\.loop !\d+",
        rb"\.\d+(?=[*,) ])",
    )
)
GRID, GRID_REGISTER, TEMPORARIES = b"@grid_dim", b"nctaid", b"@get_temporary_pointer"

NUMBER = rb"(?:-?\d+|%s)" % VALUE
CALLED = rb"(?:bitcast \(.*?)?%s(?: to .*\))?\("  # a task that was compiled by itself casts the function
LOOP = CALLED % b"@gpu_parallel_range_for"
RANGE = re.compile(rb"^ *call void %s%s\* %%context, i32 (%s), i32 (%s), " % (LOOP, C, NUMBER, NUMBER), re.M)

# A line that computes something, and what follows the first word of its right side.
LINE = re.compile(rb"^ *(%s) = (\w+) (.{1,20000})$" % VALUE, re.M)
MEMBER = re.compile(rb"(?:inbounds )?(.+?), \1\* (%s), i\d+ 0((?:, i32 \d{1,9})+)" % VALUE)
CAST = re.compile(rb".+\* (%s) to .+\*" % VALUE)
LOAD = re.compile(rb"(.+?), \1\* (%s), align \d+" % VALUE)
TEMPORARY_AT = re.compile(rb"i8\* %s[^,]*, i64 (\d{1,9})\)" % (CALLED % TEMPORARIES))
CHOICE = re.compile(rb"i32 @(max|min)_i32\(i32 (%s), i32 (%s)\)" % (NUMBER, NUMBER))
ARITHMETIC = re.compile(rb"(?:nsw |nuw |exact )*i32 (%s), (%s)" % (NUMBER, NUMBER))
NAMES = {b"add": "add", b"sub": "subtract", b"mul": "multiply", b"shl": "shift", b"sdiv": "divide"}
CHOICES = {b"max": "largest", b"min": "smallest"}

TYPED = re.compile(rb"^ *(%s) = bitcast i8\* (%s) to (\w+)\*$" % (VALUE, VALUE), re.M)
READ = re.compile(rb"^ *%s = load (\w+), \1\* (%s), align \d+$" % (VALUE, VALUE), re.M)
WRITE = re.compile(
    rb"^ *(?:store (\w+) [^,]*, |%s = atomicrmw \w+ (\w+)|%s = call [^(]*@(?:atomic|reduce)_\w+\((\w+))"
    rb"(?:\1|\2|\3)?\* (%s), " % (VALUE, VALUE, VALUE),
    re.M,
)
STORE = re.compile(rb"^ *store i32 (%s), i32\* (%s), align \d+$" % (NUMBER, VALUE), re.M)
LABEL = re.compile(rb"^([\w.$-]+):.*\n", re.M)
TARGET = re.compile(rb"label %([\w.$-]+)")

CONTEXT = "context"  # the address of the argument struct's address

Span: TypeAlias = tuple[int, int]


class KernelCode:
    """The code of a kernel, from the module's file of it."""

    def __init__(self, code: bytes) -> None:
        # Those that it defines, without those of the runtime that are known.
        self.functions: dict[bytes, Function] = functions_of(code)
        self._spans: dict[bytes, list[Span] | None] = {}
        # Only the loop of the runtime may depend on the number of blocks.
        mentions = code.count(GRID), code.count(GRID_REGISTER)
        used = RUNTIME.keys() & self.functions.keys()
        self._is_known = mentions == ((2, 2) if GRID in used else (0, 0)) and all(
            function_hash(name, self.functions[name]) == RUNTIME[name] for name in used
        )
        if self._is_known:
            for name in used:
                del self.functions[name]

    def loop_lengths(self, tasks: Iterable[TaskInfo]) -> tuple[Program, ...]:
        """The programs that compute the lengths of the loops of all tasks of the kernel, empty where none is known."""
        stored: dict[int, Value] = {}  # lengths that serial tasks have stored
        lengths: list[Program] = []
        for task in tasks:
            lengths.append((self.loop_length(task.name, stored) or ()) if task.kind == RANGE_FOR else ())
            stored = self.stored_lengths(task.name, stored)
        return tuple(lengths)

    def stored_lengths(self, task: str, stored: Mapping[int, Value]) -> dict[int, Value]:
        """Return the known values of the temporaries after a task, by offset; `stored` has those before."""
        name = global_name(task)
        written = self._written(name)
        if written is None or name not in self.functions:
            return {}
        if not written:
            return dict(stored)
        known = {offset: value for offset, value in stored.items() if not _touching(written, offset)}
        body = self.functions[name].body
        values = _Values(body)
        found: dict[int, Value] = {}
        for number, pointer in STORE.findall(_once(body)):
            role, offset = values.places.get(pointer, ("", 0))
            value = with_stored(values.value(number), known)
            if role == TEMPORARY and value is not None and is_settled(value) and _touching(written, offset) == 1:
                found[offset] = value
        return known | found

    def loop_length(self, task: str, stored: Mapping[int, Value]) -> Program | None:
        """The program that computes the length of a task's loop, or more; None if its code is not as above."""
        name = global_name(task)
        written = self._written(name)
        body = self.functions[name].body if name in self.functions else b""
        calls = RANGE.findall(body)
        if not self._is_known or written is None or len(calls) != 1:
            return None
        known = {offset: value for offset, value in stored.items() if not _touching(written, offset)}
        values = _Values(body)
        first, end = (with_stored(values.value(number), known) for number in calls[0])
        return program(end if first == (CONSTANT, 0) else binary("subtract", end, first))

    def _written(self, task: bytes) -> list[Span] | None:
        """The parts of the temporaries that a task may write, once for each place in the code; None if not known."""
        if task in self._spans:
            return self._spans[task]
        self._spans[task] = None
        written: list[Span] = []
        for name in reached_functions(self.functions, task) & self.functions.keys():
            body = self.functions[name].body
            if TEMPORARIES in body:
                spans = _written_by(body)
                if spans is None:
                    return None
                written += spans
        self._spans[task] = written
        return written


def function_hash(name: bytes, function: Function) -> str:
    """The hash of a function of the runtime, without what differs from module to module."""
    head, body = function
    text = name + head + body
    for pattern in DIFFERENT:
        text = pattern.sub(b"", text)
    return hashlib.sha256(text).hexdigest()[:16]


def _touching(spans: list[Span], offset: int) -> int:
    """How many of the spans a number of 32 bits touches."""
    return sum(start < offset + 4 and offset < end for start, end in spans)


def _written_by(body: bytes) -> list[Span] | None:
    """The parts of the temporaries that a function writes; None if it uses an address for anything but numbers."""
    offsets = {
        r: int(m[1]) for r, w, rest in LINE.findall(body) if w == b"call" and (m := TEMPORARY_AT.fullmatch(rest))
    }
    mentions = Counter(re.findall(VALUE, body))
    reads = Counter(pointer for _, pointer in READ.findall(body))
    writes = Counter(pointer for *_, pointer in WRITE.findall(body))
    typed = {base: (result, type_) for result, base, type_ in TYPED.findall(body)}
    if len(offsets) != body.count(TEMPORARIES):
        return None
    spans: list[Span] = []
    for base, offset in offsets.items():
        result, type_ = typed.get(base, (b"", b""))
        if mentions[base] != 2 or mentions[result] != 1 + reads[result] + writes[result] or type_ not in SIZES:
            return None
        spans += [(offset, offset + SIZES[type_])] * writes[result]
    return spans


def _once(body: bytes) -> bytes:
    """The blocks of a function that run exactly once: those that nothing branches around, from both ends."""
    parts = LABEL.split(body)
    blocks = dict(zip(parts[1::2], parts[2::2], strict=True))
    targets: dict[bytes, list[bytes]] = {}
    for label, block in blocks.items():
        last = block.rstrip().rpartition(b"\n")[2].strip()
        targets[label] = TARGET.findall(last)
        if not last.startswith((b"br ", b"ret ")):
            return b""
    before: dict[bytes, list[bytes]] = {label: [] for label in blocks}
    for label, following in targets.items():
        for target in following:
            before.setdefault(target, []).append(label)
    once: set[bytes] = set()
    ends = [label for label in blocks if not targets[label]]
    at = parts[1] if len(parts) > 1 else b""
    while at in blocks and at not in once and len(before[at]) == (1 if once else 0):
        once.add(at)
        at = targets[at][0] if len(targets[at]) == 1 else b""
    at = ends[0] if len(ends) == 1 else b""
    while at in blocks and at not in once:
        once.add(at)
        at = before[at][0] if len(before[at]) == 1 and len(targets[before[at][0]]) == 1 else b""
    return b"".join(blocks[label] for label in blocks if label in once)


class _Values:
    """The numbers of 32 bits that a function computes, and the addresses of those that it reads, by name."""

    def __init__(self, body: bytes) -> None:
        self.places: dict[bytes, tuple[str, int]] = {}
        self._values: dict[bytes, Value] = {}
        for result, word, rest in LINE.findall(body):
            place = self._place(word, rest)
            if place is not None:
                self.places[result] = place
            value = self._value(word, rest)
            if value is not None:
                self._values[result] = value

    def value(self, text: bytes) -> Value | None:
        """Return the value of a constant or a name."""
        if text.startswith(b"%"):
            return self._values.get(text)
        return (CONSTANT, int(text)) if -(2**31) <= int(text[:12]) < 2**31 and len(text) < 12 else None

    def _place(self, word: bytes, rest: bytes) -> tuple[str, int] | None:
        if word == b"getelementptr" and (match := MEMBER.fullmatch(rest)):
            return self._member(match[1], match[2], [int(number[5:]) for number in match[3].split(b",")[1:]])
        if word == b"bitcast" and (match := CAST.fullmatch(rest)):
            return self.places.get(match[1])
        if word == b"load" and (match := LOAD.fullmatch(rest)) and self.places.get(match[2]) == (CONTEXT, 0):
            return ARGUMENT, 0
        if word == b"call" and (match := TEMPORARY_AT.fullmatch(rest)):
            return TEMPORARY, int(match[1])
        return None

    def _member(self, struct: bytes, base: bytes, path: list[int]) -> tuple[str, int] | None:
        if re.fullmatch(C, struct):
            return (CONTEXT, 0) if path == [0] else None
        type_ = read_type(struct)
        role, start = self.places.get(base, ("", 0))
        offset = type_.offset(path) if type_ is not None else None
        return (ARGUMENT, start + offset) if role == ARGUMENT and offset is not None else None

    def _value(self, word: bytes, rest: bytes) -> Value | None:
        if word == b"load" and (match := LOAD.fullmatch(rest)) and match[1] == b"i32":
            place = self.places.get(match[2])
            return place if place is not None and place[0] in (ARGUMENT, TEMPORARY) else None
        if word in NAMES and (match := ARITHMETIC.fullmatch(rest)):
            return binary(NAMES[word], self.value(match[1]), self.value(match[2]))
        if word == b"call" and (match := CHOICE.fullmatch(rest)):
            return binary(CHOICES[match[1]], *(self.value(number) or (UNKNOWN, 0) for number in match.groups()[1:]))
        return (BIT, 0) if word == b"zext" and rest.startswith(b"i1 ") else None
