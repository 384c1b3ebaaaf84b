"""Loops of tasks in a form of which LLVM makes vectors, from the code that the compiler makes before any pass.

A task calls its body once for each chunk of the loop. The body finds the indices of several dimensions by dividing the
index of the loop, and loads addresses and lengths again for each element. Here it becomes a function for a part of a
row, along which only the last index changes, and one that goes through the rows. What is assumed of lengths is compared
before; where it does not hold, the body runs as it was.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ...adopt.llvm._instructions import Instruction
from ._bins import TASKS, divide_bins
from ._chunks import BEGIN, END, LEAST, chunks_of, least_elements
from ._fixed import INVARIANT, OWN_ACCESSORS, PLAIN, Fixed, Places, Written
from ._forms import INSIDE, Gathers, Splits
from ._ir import CONTEXT, OWN, Block, Function, NotVectorError, in_order, loops_of, read_all
from ._rows import CAST, COUNTED, ELEMENT, LENGTH, LIMIT, PACKED, PART, OneRow, Rows, are_packed, packed_lengths
from ._sums import HALF_EXTREMES, LANES, Sums, accumulate

PARALLEL, PARALLEL_LOOP = "@cpu_parallel_", "@cpu_parallel_range_for"
CHECKS = "@taichi_assert_format"
SCALAR = ".scalar"  # suffix of the body as it was
# In the place of nodes that keep passes from unrolling a loop, or from doing so where the number of iterations varies.
KEEP, INNER = "!{KEEP}", "!{INNER}"
UNKNOWN = "has a loop in a form that is not known"
OWN_PARAMETERS = ["i8*", "i32"], ["ptr", "i32"]  # after the context
# The jumps from blocks outside an element.
JUMPS = {
    "%allocs": ["%entry"],
    "%entry": ["%function_body"],
    "%function_body": ["%for_loop_test"],
    "%for_loop_test": ["%for_loop_body", "%after_for"],
    "%for_loop_inc": ["%for_loop_test"],
    "%after_for": ["%final"],
    "%final": [],
}

AROUND = """
define internal void {name}({context} {CONTEXT}, i8* {OWN}, i32 %v2) noinline {{
start:
{fixed}
  %row.next = alloca i32, align 4
  %row.k = alloca i32, align 4
  br i1 {holds}, label %rows, label %scalar
scalar:
  call void {name}{SCALAR}({context} {CONTEXT}, i8* {OWN}, i32 %v2)
  ret void
rows:
{lanes}
{rows}
  %row.all = sub nuw nsw i32 %row.to, %row.from
{parts}
  br label {after}
done:
{sums}
  ret void
}}
"""
ROWS = """\
  store i32 {begin}, i32* %row.next, align 4
  br label %row.test
row.test:
  %row.i = load i32, i32* %row.next, align 4
  %row.more = icmp slt i32 %row.i, {end}
  br i1 %row.more, label %row, label %done
row:
  %row.t = udiv i32 %row.i, {length}
  %row.base = mul nuw nsw i32 %row.t, {length}
  %row.from = sub nuw nsw i32 %row.i, %row.base
  %row.left = sub nuw nsw i32 {end}, %row.base
  %row.full = icmp slt i32 {length}, %row.left
  %row.to = select i1 %row.full, i32 {length}, i32 %row.left
  %row.new = add nuw nsw i32 %row.base, %row.to
  store i32 %row.new, i32* %row.next, align 4"""
ONE_ROW = """\
  %row.any = icmp slt i32 {begin}, {end}
  br i1 %row.any, label %row, label %done
row:
  %row.t = add i32 0, 0
  %row.base = add i32 0, 0
  %row.from = add i32 {begin}, 0
  %row.to = add i32 {end}, 0"""
CALL = "  call void {name}.part({context} {CONTEXT}, i8* {own}, i32 %v2, i32 %row.t, i32 %row.base, {rest})"
# The same where arrays have last dimensions of known lengths, and comparisons known results, and for others.
CALLS = """\
  br i1 {known}, label %{at}.most, label %{at}.others
{at}.most:
{most}
  br label %{at}.end
{at}.others:
{others}
  br label %{at}.end
{at}.end:"""
# As many elements as there are lanes, so long as there are so many, and the rest.
LANE_PARTS = """\
  store i32 %row.from, i32* %row.k, align 4
  br label %lane.test
lane.test:
  %lane.k = load i32, i32* %row.k, align 4
  %lane.left = sub nuw nsw i32 %row.to, %lane.k
  %lane.more = icmp sge i32 %lane.left, {LANES}
  br i1 %lane.more, label %lane.full, label %lane.rest
lane.full:
{full}
  %lane.new = add nuw nsw i32 %lane.k, {LANES}
  store i32 %lane.new, i32* %row.k, align 4
  br label %lane.test, !llvm.loop {KEEP}
lane.rest:
{rest}"""


class LoopBody(NamedTuple):
    """The body of a task."""

    name: str  # that of the function
    functions: str  # the code of those that take its place, of which the first has its name
    task: str  # the code of the function that the host calls
    sums: frozenset[str]  # the names, before passes, of loads of sums over the loop, or of minima and the like
    context: str  # the type of the context
    nodes: str  # what defines the metadata of the functions


def body_of(functions: Mapping[str, Function], task: str) -> LoopBody:
    """Return the body of a task in the new form, given the functions of the task, and the one that the host calls.

    NotVectorError if it is not understood, with the reason, which is empty if the task has no loop.
    """
    calls = [each for each in functions[task].instructions() if each.callee.startswith(PARALLEL)]
    if not calls:
        raise NotVectorError("")
    if any(each.callee == CHECKS for function in functions.values() for each in function.instructions()):
        raise NotVectorError("checks indices or asserts")
    if [each.callee for each in calls] != [PARALLEL_LOOP] or len(calls[0].operands) != 10:
        raise NotVectorError("is not a loop over a range")
    own = [functions.get(name) for name in calls[0].operands[6:9] if name != "null"]
    for each in functions.values():
        for instruction in each.instructions():
            instruction.callee = HALF_EXTREMES.get(instruction.callee, instruction.callee)
    body = functions.get(calls[0].operands[7])
    if body is None or None in own:
        raise NotVectorError(UNKNOWN)
    written = Written(filter(None, own))
    others = accumulate(body, calls[0], written) or divide_bins(body, calls[0], written)
    made = _Body(body, written).made(functions[task], calls[0])
    return made._replace(functions=f"{made.functions}\n{others}")


class _Body:
    """A body, from which the functions of the new form are made."""

    def __init__(self, function: Function, written: Written) -> None:
        if list(function.parameters.values())[1:] not in OWN_PARAMETERS or not JUMPS.keys() <= function.blocks.keys():
            raise NotVectorError(UNKNOWN)
        self._function = function
        self._blocks = function.blocks
        self._context = function.parameters[CONTEXT]
        self._inner_labels = set(self._blocks) - JUMPS.keys()
        loops = [each for each in loops_of(function) if each.last in self._inner_labels]
        for each in loops:
            self._blocks[each.last].end.rest += f", !llvm.loop {INNER}"
        self._check_blocks()
        self._counter, self._first, self._begin, self._end = self._loop()
        own = {id(each) for label in self._inner_labels for each in self._blocks[label].instructions}
        inner = [each for each in in_order(function) if id(each) in own]
        self._fixed = Fixed(function, written)
        self._sums = Sums(function)
        self._places = Places(function)
        self._rows, self._one_row = self._find_rows(inner)
        self._packed = packed_lengths(inner, self._rows)
        self._gathers = Gathers(inner, self._fixed, self._rows, has_loop=bool(loops))
        # Sums are of elements at distances of a number that starts with a row.
        self._splits = Splits([] if self._sums.slots else inner, self._fixed, self._rows)
        self._least = LEAST if loops else least_elements(inner)
        self._narrow = COUNTED if self._splits and not loops else CAST  # elements side by side have one counter

    def made(self, task: Function, call: Instruction) -> LoopBody:
        block = self._blocks["%function_body"]
        chunks = chunks_of(call, block, self._begin, self._end, self._fixed, self._least, TASKS)
        own = [] if chunks is None else read_all(chunks.of_task("%v2"))
        texts = [self._around(own), self._part(), self._scalar(own)]
        context = self._context.removesuffix("*")
        started = task if chunks is None else chunks.started(task, call)
        nodes = "\n".join((*self._places.nodes(), *self._gathers.nodes()))
        return LoopBody(self._function.name, "\n".join(texts), str(started), self._sums.loaded, context, nodes)

    def _check_blocks(self) -> None:
        blocks = self._blocks
        after = (self._inner_labels | {"%for_loop_inc"}) - {"%for_loop_body"}
        opcodes = {label: [each.opcode for each in block.instructions] for label, block in blocks.items()}
        if not (
            all(blocks[label].end.labels == labels for label, labels in JUMPS.items())
            and all(after.issuperset(blocks[label].end.labels) for label in self._inner_labels)
            and set(opcodes["%allocs"][:-1]) <= {"alloca"}
            and opcodes["%entry"] == opcodes["%after_for"] == ["br"]
            and opcodes["%final"] == ["ret"]
            and opcodes["%for_loop_test"] == ["load", "icmp", "br"]
            and opcodes["%for_loop_inc"] == ["load", "add", "store", "br"]
        ):
            raise NotVectorError(UNKNOWN)

    def _loop(self) -> tuple[str, Instruction, str, str]:
        """The variable with the loop's index, the instruction that stores the first one, that, and the end."""
        tested, compared, _ = self._blocks["%for_loop_test"].instructions
        old, new, stored, _ = self._blocks["%for_loop_inc"].instructions
        (counter,) = tested.operands
        before = [each for each in self._blocks["%function_body"].instructions if counter in each.operands]
        uses = [each for each in self._function.instructions() if counter in each.operands]
        if not (
            (compared.type, compared.word, compared.operands[0]) == ("i32", "slt", tested.result)
            and (old.operands, new.operands, stored.operands) == ([counter], [old.result, "1"], [new.result, counter])
            and [each.opcode for each in before] == ["store"]
            and all(each.type == "i32" for each in uses)
            and all(each.opcode == "load" or each is before[0] or each is stored for each in uses)
        ):
            raise NotVectorError(UNKNOWN)
        return counter, before[0], before[0].operands[0], compared.operands[1]

    def _find_rows(self, inner: Sequence[Instruction]) -> tuple[Rows, OneRow]:
        """The shortest rows, unless these are of a few elements that are never one row."""
        rows = Rows(inner, self._counter, self._fixed)
        one_row = OneRow(inner, rows)
        while rows.shorter:
            lengths = [*rows.multiples, rows.length or "", rows.shorter]
            shorter = Rows(inner, self._counter, self._fixed, lengths)
            one_shorter = OneRow(inner, shorter)
            if rows.shorter.isdecimal() and not one_shorter.is_possible:
                break
            rows, one_row = shorter, one_shorter
        return rows, one_row

    def _scalar(self, chunk: Sequence[Instruction]) -> str:
        """The text of the body as it was, under another name, for the indices of a task that `chunk` computes."""
        function = self._function
        head = function.head.replace(f"{function.name}(", f"{function.name}{SCALAR}(", 1)
        head = f"{head.removesuffix('{')}noinline cold {{"
        blocks = {
            label: Block(label, [self._places.stated(_plain(each)) for each in block.instructions])
            for label, block in function.blocks.items()
        }
        begin, test, increment = (
            blocks[label].instructions for label in ("%function_body", "%for_loop_test", "%for_loop_inc")
        )
        if chunk:
            begin[-1:-1] = [*chunk, self._first.renamed({self._begin: BEGIN})]
            test[1] = test[1].renamed({self._end: END})
        increment[-1] = increment[-1].copy(rest=f", !llvm.loop {KEEP}")
        return str(Function(head, function.name, function.parameters, blocks))

    # The function for a part of a row

    def _part(self) -> str:
        blocks = {
            label: Block(label, [new for each in block.instructions for new in self._kept(label, each)])
            for label, block in self._blocks.items()
        }
        begin, test, element, increment, allocs = (
            blocks[f"%{label}"].instructions
            for label in ("function_body", "for_loop_test", "for_loop_body", "for_loop_inc", "allocs")
        )
        part = [*PART, *self._narrow.part]
        allocs[-1:-1] = [*self._fixed.derived, *read_all(part), *self._rows.outer, *read_all(self._sums.variables())]
        begin[-1:-1] = read_all(["store i64 0, i64* %wide.counter, align 8"])
        test[:2] = read_all(
            [
                "%wide.lane = load i64, i64* %wide.counter, align 8",
                f"{test[1].result} = icmp slt i64 %wide.lane, %wide.count",
            ]
        )
        element[:0] = read_all([*ELEMENT, *self._narrow.element, *self._sums.loads("%wide.lane")])
        increment[:-1] = read_all(
            [
                *self._sums.stores(),
                "%wide.new = add nuw nsw i64 %wide.lane, 1",
                "store i64 %wide.new, i64* %wide.counter, align 8",
                *self._narrow.end,
            ]
        )
        increment[-1].rest = f", !llvm.loop {KEEP}"
        name = f"{self._function.name}.part"
        numbers = "i32 %row.t, i32 %row.base, i32 %row.from, i32 %row.count"
        own = f"i8* noalias {OWN}"
        varying = [*self._fixed.parameters, *self._splits.inside]
        parameters = ", ".join((f"{self._context} {CONTEXT}, {own}, i32 %v2, {numbers}", *varying))
        return str(Function(f"define internal void {name}({parameters}) alwaysinline {{", name, {}, blocks))

    def _kept(self, label: str, each: Instruction) -> list[Instruction]:
        """What takes the place of an instruction in the function for a part of a row."""
        if each is self._first or each.result in self._sums.names:
            return []
        split = self._splits.kept(each)
        if split:
            return split
        each = self._gathers.stated(self._places.stated(self._sums.replaced.get(each.result, each)))
        if self._fixed.is_taken(each):
            return self._fixed.kept(each)
        names = self._fixed.addresses | self._fixed.kept_names
        kept = self._rows.kept(each) if label in self._inner_labels else [each.renamed(names)]
        kept = [new.renamed(self._sums.names) for new in kept]
        if self._fixed.is_invariant(each):
            kept[-1].rest += INVARIANT
        return kept

    # The function that goes through the rows

    def _around(self, chunk: Sequence[Instruction]) -> str:
        begin, end = (BEGIN, END) if chunk else (self._fixed.names.get(each, each) for each in (self._begin, self._end))
        row_length = read_all(self._one_row.length(end))
        names = {
            "name": self._function.name,
            "context": self._context,
            "begin": begin,
            "end": end,
            "own": "%lanes" if self._sums.slots else OWN,
            "length": LENGTH if row_length else self._rows.length,
            "known": PACKED,
            **{key: globals()[key] for key in ("CONTEXT", "OWN", "SCALAR", "LANES", "KEEP")},
        }
        before = [
            each.renamed(self._fixed.names)
            for each in self._blocks["%function_body"].instructions[:-1]
            if not self._fixed.is_taken(each) and each is not self._first
        ]
        conditions = [*self._conditions(begin, end)]
        allocs = self._blocks["%allocs"].instructions[:-1]
        own_chunk = [each.renamed(self._fixed.names) for each in chunk]
        fixed = [*allocs, *self._fixed.instructions, *before, *own_chunk, *read_all(conditions)]
        parts = self._call("all", "%row.from", "%row.all", names)
        if self._sums.slots:
            fixed += read_all(self._sums.memory())
            full = self._call("full", "%lane.k", str(LANES), names)
            rest = self._call("rest", "%lane.k", "%lane.left", names)
            parts = LANE_PARTS.format(full=full, rest=rest, **names)
        elif self._splits:
            part = self._call("split", "%split.k", "%split.count", {**names, "known": INSIDE})
            parts = self._splits.parts(part, PACKED if self._packed else "", KEEP)
        return AROUND.format(
            fixed=_joined(fixed),
            holds=conditions[-1].partition(" = ")[0],
            lanes=_joined(
                [
                    *read_all(self._sums.begin()),
                    *row_length,
                    *read_all([*are_packed(self._packed), *self._splits.places()]),
                ]
            ),
            rows=(ONE_ROW if self._rows.length is None else ROWS).format(**names),
            parts=parts,
            after="%done" if self._rows.length is None else f"%row.test, !llvm.loop {KEEP}",
            sums=_joined(read_all(self._sums.end())),
            **names,
        )

    def _call(self, at: str, first: str, count: str, names: Mapping[str, Any]) -> str:
        """What calls the function for a part of a row: with what is known of most rows, and with what is not."""
        known = {f"i32 {name}": f"i32 {length}" for name, length in self._packed.items()} | self._splits.inside
        own = [f"i32 {first}, i32 {count}", *self._fixed.parameters, *self._splits.inside]
        others, most = (
            CALL.format(rest=", ".join(given), **names) for given in (own, [known.get(each, each) for each in own])
        )
        return CALLS.format(at=at, most=most, others=others, **names) if known else others

    def _conditions(self, begin: str, end: str) -> Iterator[str]:
        """What computes, at the end, whether all holds that is assumed of lengths."""
        yield f"%holds.begin = icmp sge i32 {begin}, 0"
        yield f"%holds.end = icmp slt i32 {end}, {LIMIT}"
        yield "%holds = and i1 %holds.begin, %holds.end"
        last = "%holds"
        for number, each in enumerate(self._rows.divisors):
            yield f"%holds.less{number} = add i32 {each}, -1"
            yield f"%holds.small{number} = icmp ult i32 %holds.less{number}, {LIMIT - 1}"
            yield f"%holds.{number} = and i1 {last}, %holds.small{number}"
            last = f"%holds.{number}"
        for number, each in enumerate(self._rows.multiples):
            yield f"%holds.by{number} = select i1 {last}, i32 {self._rows.length}, i32 1"
            yield f"%holds.rest{number} = urem i32 {each}, %holds.by{number}"
            yield f"%holds.none{number} = icmp eq i32 %holds.rest{number}, 0"
            yield f"%holds.multiple{number} = and i1 {last}, %holds.none{number}"
            last = f"%holds.multiple{number}"
        yield from self._gathers.conditions(last)


def _plain(each: Instruction) -> Instruction:
    """An instruction that calls the runtime's own accessors, as in the compiler's code."""
    return each.copy(callee=each.callee + PLAIN) if each.callee in OWN_ACCESSORS else each


def _joined(instructions: Iterable[Instruction]) -> str:
    return "\n".join(map(str, instructions))
