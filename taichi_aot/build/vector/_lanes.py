"""Loops around an inner loop whose number of iterations may differ: several elements side by side, in lanes.

LLVM makes vectors of innermost loops only. So the loop over elements becomes three loops over lanes, of which it makes
vectors: what is before the inner loop; one iteration of the inner loop in those lanes that are still in it, repeated
while there are any; and what follows. Each lane computes what its element does, in the same order. Numbers that one of
these loops leaves to another one are in memory, with a place for each lane, until LLVM finds registers for them.

Elements that are left over run as before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...adopt.llvm._instructions import BINARY, CASTS, Instruction, read_instruction
from ._fixed import INDEX_OF_LOOP, LOADED, SIZES
from ._ir import Function, Loop, in_order, loops_of, node_of, reached

LANES = 16
OWN, MEMORY = ("@llvm.", "@taichi_aot."), ("@llvm.mem", "@llvm.masked.", "@llvm.lifetime.")  # functions
LINEAR = {"add", "sub", "mul", "shl", "getelementptr", "bitcast"}
AGAIN = BINARY - {"sdiv", "udiv", "srem", "urem"} | CASTS | LINEAR
KNOWN = BINARY | CASTS | LINEAR | {"icmp", "fcmp", "fneg", "freeze", "select", "phi", "br", "load", "store", "call"}
BEFORE, EACH, AFTER = PARTS = ".lanes1", ".lanes2", ".lanes3"  # suffixes of names in the three loops
# It does nothing. Without it passes would join the loop over lanes and the one that repeats it.
KEPT = "@llvm.sideeffect"
DECLARED = f"declare void {KEPT}()\n"

AROUND = """\
{label}:
  br label {name}.test
{label}.test:
  {name}.from = phi {type} [ 0, {name} ], [ {name}.next, {name}.end ]
  {name}.left = sub nuw nsw {type} {bound}, {name}.from
  {name}.enough = icmp uge {type} {name}.left, {LANES}
  br i1 {name}.enough, label {name}{BEFORE}, label {name}.rest
{label}.rest:
  {name}.none = icmp eq {type} {name}.from, {bound}
  br i1 {name}.none, label {exit}, label {head}
{parts}
{label}{BEFORE}.done:
  br i1 {name}{BEFORE}.any.next, label {name}.again, label {name}.after
{label}.again:
  call void {KEPT}()
  br label {name}{EACH}
{label}{EACH}.done:
  br i1 {name}{EACH}.any.next, label {name}.again, label {name}.after, !llvm.loop {keep}
{label}.after:
  br label {name}{AFTER}
{label}{AFTER}.done:
  br label {name}.end
{label}.end:
  {name}.next = add nuw nsw {type} {name}.from, {LANES}
  br label {name}.test, !llvm.loop {keep}
"""
PART = """\
{label}:
  {start}.lane = phi {type} [ 0, {before} ], [ {start}.lane.next, {start}.join ]
  {start}.any = phi i1 [ false, {before} ], [ {start}.any.next, {start}.join ]
  {counter} = add nuw nsw {type} {name}.from, {start}.lane
{begin}
{blocks}
{label}.join:
{end}
  {start}.new = load i8, i8* {state}.own
  {start}.is_in = icmp eq i8 {start}.new, 0
  {start}.any.next = or i1 {start}.any, {start}.is_in
  {start}.lane.next = add nuw nsw {type} {start}.lane, 1
  {start}.is_last = icmp eq {type} {start}.lane.next, {LANES}
  br i1 {start}.is_last, label {start}.done, label {start}, !llvm.loop {hint}
"""


def nest_of(function: Function, inner: Loop, scopes: Mapping[str, frozenset[str]]) -> Nest | None:
    """Return an inner loop and the one around it, if they have a form that is known. Nodes of metadata have members."""
    loops = loops_of(function)
    outer = min((each for each in loops if inner.labels < each.labels), key=lambda each: len(each.labels), default=None)
    if outer is None or [each for each in loops if each.labels <= outer.labels and each != outer] != [inner]:
        return None
    nest = Nest(function, outer, inner, scopes)
    return nest if nest.is_known() else None


class Nest:
    """An inner loop and the one around it."""

    def __init__(self, function: Function, outer: Loop, inner: Loop, scopes: Mapping[str, frozenset[str]]) -> None:
        self.name = f"{outer.head}.lanes"  # the beginning of the names of new blocks and values
        self._state = f"{self.name}.state"  # the place in `_entries` of where a lane goes on
        self._function, self._outer, self._inner, self._scopes = function, outer, inner, scopes
        self._following = {label: block.end.labels for label, block in function.blocks.items()}
        exits = {label for start in inner.labels for label in self._following[start]} - inner.labels
        later = frozenset[str]().union(*(reached(self._following, each, {outer.head}) for each in exits))
        # The part of each block; and where lanes go on after one: first the inner loop, then blocks after it.
        self._parts = {
            label: EACH if label in inner.labels else AFTER if label in later else BEFORE
            for label in function.blocks
            if label in outer.labels
        }
        jumps = [(label, after) for label in self._parts for after in self._following[label] if after in self._parts]
        after = [label for start, label in jumps if self._parts[start] != AFTER == self._parts[label]]
        self._entries = [inner.head, *dict.fromkeys(after)]
        self._edges = [(start, label) for start, label in jumps if label in self._entries]
        homes = {each.result: label for label in self._parts for each in function.blocks[label].instructions}
        self._homes = {value: self._parts[label] for value, label in homes.items() if value}
        self._definitions = {each.result: each for each in self._instructions(*PARTS) if each.result}
        self._phis = {
            label: [each for each in function.blocks[label].instructions if each.opcode == "phi"]
            for label in (outer.head, *self._entries)
        }

    def _instructions(self, *parts: str) -> Iterator[Instruction]:
        for label, part in self._parts.items():
            if part in parts:
                yield from self._function.blocks[label].instructions

    @property
    def is_wide(self) -> bool:
        """Whether lanes have numbers of 64 bits."""
        return not {"double", "i64"}.isdisjoint(self._slots.values())

    # What is known

    def is_known(self) -> bool:
        """Return whether lanes compute what the elements do."""
        outer, blocks = self._outer, self._function.blocks
        end = blocks[outer.last].end
        compared = self._definitions.get("".join(end.operands))
        outside = [label for label, after in self._following.items() if outer.head in after and label != outer.last]
        leaving = [label for label in outer.labels if not outer.labels.issuperset(self._following[label])]
        if not (
            len(self._phis[outer.head]) == len(outside) == 1
            and leaving == [outer.last]
            and (self._parts[outer.head], self._parts[outer.last]) == (BEFORE, AFTER)
            and compared is not None
            and compared.opcode == "icmp"
            and compared.word in ("eq", "ult", "slt")
            and end.labels[compared.word == "eq"] == outer.head
        ):
            return False
        self._counter, self._bound, self._outside = self._phis[outer.head][0], compared.operands[1], outside[0]
        self._exit = end.labels[compared.word != "eq"]
        values = dict(zip(self._counter.labels, self._counter.operands, strict=True))
        new = self._definitions.get(values[outer.last])
        others = (each for label, block in blocks.items() if label not in outer.labels for each in block.instructions)
        self._again: dict[str, Instruction] = {}
        for each in in_order(self._function):
            is_number = each.opcode in AGAIN or each.callee.startswith((LOADED, INDEX_OF_LOOP))
            if each.result in self._definitions and is_number and all(map(self._is_again, each.operands)):
                self._again[each.result] = each
        self._slots = self._find_slots()
        return (
            new is not None
            and (new.opcode, new.operands, values[outside[0]]) == ("add", [self._counter.result, "1"], "0")
            and compared.operands[0] == new.result
            and self._bound not in self._definitions
            and self._definitions.keys().isdisjoint(operand for each in others for operand in each.operands)
            and all(map(_is_known, self._instructions(*PARTS)))
            and not any(each.opcode == "store" for each in self._instructions(BEFORE, EACH))
            and SIZES.keys() - {"i1"} >= set(self._slots.values())  # LLVM makes no vectors of loads of single bits
            and all(map(self._is_apart, self._instructions(BEFORE, EACH)))
        )

    def _is_again(self, value: str) -> bool:
        """Whether a value follows from the loop's index, so that each part computes it."""
        return value not in self._definitions or value == self._counter.result or value in self._again

    def _find_slots(self) -> dict[str, str]:
        """The values that a part leaves to another one, with their types."""
        found = {each.result: each.type for label in self._entries for each in self._phis[label]}
        for label, part in self._parts.items():
            for each in self._function.blocks[label].instructions:
                is_phi = each.opcode == "phi"  # which uses a value where it comes from
                places = [self._parts.get(one, part) for one in each.labels] if is_phi else [part] * len(each.operands)
                for operand, place in zip(each.operands, places, strict=True):
                    if self._homes.get(operand, place) != place and not self._is_again(operand):
                        found[operand] = _type(self._definitions[operand])
        return {**found, self._state: "i8"}

    def _is_apart(self, load: Instruction) -> bool:
        """Whether an instruction before any store of the element loads nothing that another element stores."""
        if load.opcode != "load" or "!invariant.load" in load.rest:
            return True
        stores = [each for each in self._instructions(AFTER) if each.opcode == "store"]
        own = {each.operands[1] for each in stores if self._is_own(each.operands[1])}
        return all(
            load.operands[0] in own & {each.operands[1]} or self._excludes(load, each) or self._excludes(each, load)
            for each in stores
        )

    def _excludes(self, one: Instruction, other: Instruction) -> bool:
        """Whether metadata state that two instructions never reach the same memory."""
        scopes, apart = (
            self._scopes.get(node_of(each.rest, kind)) for each, kind in ((one, "!alias.scope"), (other, "!noalias"))
        )
        return bool(scopes and apart and scopes <= apart)

    def _is_own(self, value: str) -> bool:
        """Whether a value is another one for each element."""
        each = self._definitions.get(value)
        changing = [operand for operand in each.operands if operand in self._definitions] if each is not None else []
        is_known = (
            each is not None and each.opcode in LINEAR and (each.opcode != "shl" or changing == each.operands[:1])
        )
        return each is self._counter or (is_known and len(changing) == 1 and self._is_own(changing[0]))

    # The new blocks

    def add(self, hint: str, keep: str) -> str:
        """Change the function so that it jumps to loops over lanes, and return the text of their blocks.

        Nodes of metadata: `hint` is that of loops over lanes, and `keep` keeps passes from unrolling a loop.
        """
        blocks = self._function.blocks
        names = {
            "name": self.name,
            "label": self.name[1:],
            "type": self._counter.type,
            "bound": self._bound,
            "head": self._outer.head,
            "exit": self._exit,
            "hint": hint,
            "keep": keep,
            **{each: globals()[each] for each in ("BEFORE", "EACH", "AFTER", "LANES", "KEPT")},
        }
        starts = zip(PARTS, ("test", "again", "after"), strict=True)
        parts = "".join(self._part(part, f"{self.name}.{start}", names) for part, start in starts)
        text = AROUND.format(parts=parts, **names)
        end = blocks[self._outside].end
        end.labels = [self.name if each == self._outer.head else each for each in end.labels]
        at = self._counter.labels.index(self._outside)
        self._counter.labels[at], self._counter.operands[at] = f"{self.name}.rest", f"{self.name}.from"
        for each in blocks[self._exit].instructions:
            if each.opcode == "phi":
                each.operands.append(each.operands[each.labels.index(self._outer.last)])
                each.types.append(each.type)
                each.labels.append(f"{self.name}.rest")
        made = [f"{slot}.all = alloca [{LANES} x {type_}], align 64" for slot, type_ in self._slots.items()]
        made += [f"{slot}.own = alloca {type_}, align 8" for slot, type_ in self._slots.items()]
        next(iter(blocks.values())).instructions[:0] = map(read_instruction, made)
        return text

    def _part(self, part: str, before: str, names: Mapping[str, object]) -> str:
        """The loop over lanes for a part of an element."""
        start = f"{self.name}{part}"
        blocks = [line for label, own in self._parts.items() if own == part for line in self._copied(label, part)]
        blocks += [line for edge in self._edges if self._parts[edge[0]] == part for line in self._edge(*edge, part)]
        own = {
            "label": start[1:],
            "start": start,
            "before": before,
            "counter": f"{self._counter.result}{part}",
            "state": self._state,
            "begin": "\n".join(self._begin(part, start)),
            "blocks": "\n".join(blocks),
            "end": "\n".join(self._end(part)),
        }
        return PART.format(**{**names, **own})

    def _begin(self, part: str, start: str) -> Iterator[str]:
        """What a lane computes or loads before the blocks of a part, and the jump to them."""
        values = {value: f"{value}{part}" for value in self._definitions}
        yield from (str(each.renamed(values)) for each in self._again.values() if self._homes[each.result] < part)
        for slot, type_ in self._slots.items():
            place, array = f"{slot}.all{part}", f"[{LANES} x {type_}]"
            yield f"  {place} = getelementptr {array}, {array}* {slot}.all, i64 0, {self._counter.type} {start}.lane"
            if part == BEFORE:
                yield f"  store {type_} undef, {type_}* {slot}.own"
                continue
            yield f"  {place}.old = load {type_}, {type_}* {place}"
            yield f"  store {type_} {place}.old, {type_}* {slot}.own"
            if self._homes.get(slot, part) < part:
                yield f"  {slot}{part} = load {type_}, {type_}* {slot}.own"
        if part == BEFORE:
            yield f"  br label {self._outer.head}{part}"
            return
        # A lane that is not in the inner loop has nothing to do there. The last of the blocks after it needs no test.
        numbers = [0] if part == EACH else range(1, len(self._entries) - 1)
        yield f"  {start}.old = load i8, i8* {self._state}.own"
        for number in numbers:
            yield f"  {start}.is{number} = icmp eq i8 {start}.old, {number}"
            yield f"  br i1 {start}.is{number}, label {self._entries[number]}{part}, label {start}.not{number}"
            yield f"{start[1:]}.not{number}:"
        yield f"  br label {f'{start}.join' if part == EACH else f'{self._entries[-1]}{part}'}"

    def _end(self, part: str) -> Iterator[str]:
        """What keeps the values of a lane for the next part."""
        for slot, type_ in self._slots.items() if part != AFTER else ():
            place = f"{slot}.all{part}"
            yield f"  {place}.new = load {type_}, {type_}* {slot}.own"
            yield f"  store {type_} {place}.new, {type_}* {place}"

    def _copied(self, label: str, part: str) -> Iterator[str]:
        """The lines of a block in the loop over lanes of a part."""
        values = {value: f"{value}{part}" for value in self._definitions}
        is_entry = label in self._entries
        *instructions, end = self._function.blocks[label].instructions
        yield f"{label[1:]}{part}:"
        for each in instructions:
            new = each.renamed(values)
            new.labels = [f"{one}{part}" for one in each.labels]
            if each.opcode == "phi" and is_entry:
                yield f"  {new.result} = load {each.type}, {each.type}* {each.result}.own"
            elif each is not self._counter:
                yield str(new)
        for each in instructions:
            if each.result in self._slots and not (each.opcode == "phi" and is_entry):
                type_ = self._slots[each.result]
                yield f"  store {type_} {each.result}{part}, {type_}* {each.result}.own"
        new = end.renamed(values)
        new.labels = [f"{label}{part}.to.{one[1:]}" if one in self._entries else f"{one}{part}" for one in end.labels]
        yield str(new) if label != self._outer.last else f"  br label {self.name}{part}.join"

    def _edge(self, label: str, after: str, part: str) -> Iterator[str]:
        """The lines of a block between two, which stores the numbers with which a lane goes on."""
        yield f"{label[1:]}{part}.to.{after[1:]}:"
        for each in self._phis[after]:
            value = each.operands[each.labels.index(label)]
            value = f"{value}{part}" if value in self._definitions else value
            yield f"  store {each.type} {value}, {each.type}* {each.result}.own"
        yield f"  store i8 {self._entries.index(after)}, i8* {self._state}.own"
        yield f"  br label {f'{after}{part}' if part == AFTER else f'{self.name}{part}.join'}"


def _type(each: Instruction) -> str:
    if each.opcode in ("icmp", "fcmp"):
        return "i1"
    return each.word if each.opcode in CASTS else "" if each.opcode == "getelementptr" else each.type


def _is_known(each: Instruction) -> bool:
    is_own = each.callee.startswith(OWN) and not each.callee.startswith(MEMORY)
    return each.opcode in KNOWN and "volatile" not in each.flags and (each.opcode != "call" or is_own)
