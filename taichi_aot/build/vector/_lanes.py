"""Loops around inner loops: several elements side by side, in lanes.

LLVM makes vectors of innermost loops only. So an element is cut at its inner loops, and where all lanes go one of two
ways. Each region of it becomes a loop over lanes, of which LLVM makes vectors. What is the same in all lanes, such as
the counter of an inner loop, is computed once, around the loops over lanes.

Where lanes go different ways, each keeps where it goes on, and a loop over lanes passes over those that are elsewhere:
such an inner loop is repeated while any lane is in it. Each lane computes what its element does, in the same order.
Numbers that one region leaves to another one are in memory, with a place for each lane, until LLVM finds registers.

Elements that are left over run as before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ...adopt.llvm._instructions import BINARY, CASTS, Instruction, read_instruction
from ._fixed import INDEX_OF_LOOP, LOADED, SIZES
from ._ir import Block, Function, Loop, all_of, loops_of, node_of, reached
from ._regions import HIDING, First, Region, Regions, Same, Steps

LANES = 16
OWN, MEMORY = ("@llvm.", "@taichi_aot."), ("@llvm.mem", "@llvm.masked.", "@llvm.lifetime.")  # functions
LINEAR = {"add", "sub", "mul", "shl", "getelementptr", "bitcast"}
AGAIN = BINARY - {"sdiv", "udiv", "srem", "urem"} | CASTS | LINEAR
KNOWN = BINARY | CASTS | LINEAR | {"icmp", "fcmp", "fneg", "freeze", "select", "phi", "br", "load", "store", "call"}
# It does nothing. Without it passes would join a loop over lanes and the one that repeats it.
KEPT = "@llvm.sideeffect"
DECLARED = f"declare void {KEPT}()\n"

# The last lanes begin with elements that have been computed, if computing them again changes nothing.
AROUND = """\
{label}:
  br label {name}.test
{label}.test:
  {name}.begin = phi {type} [ 0, {name} ], [ {name}.next, {name}.end ]
  {name}.left = sub nuw nsw {type} {bound}, {name}.begin
  {name}.enough = icmp uge {type} {name}.left, {LANES}
  br i1 {name}.enough, label {name}.some, label {name}.rest
{label}.rest:
  {name}.none = icmp eq {type} {name}.begin, {bound}
  br i1 {name}.none, label {exit}, label {name}.again
{label}.again:
  {name}.long = icmp uge {type} {bound}, {LANES}
  {name}.repeats = and i1 {name}.long, {repeats}
  {name}.last = sub {type} {bound}, {LANES}
  br i1 {name}.repeats, label {name}.some, label {head}
{label}.some:
  {name}.from = phi {type} [ {name}.begin, {name}.test ], [ {name}.last, {name}.again ]
  br label {name}.0
{regions}
{label}.end:
  {name}.next = add nuw nsw {type} {name}.from, {LANES}
  br label {name}.test, !llvm.loop {keep}
"""
# A loop over lanes.
LOOP = """\
{label}:
  {at}.lane = phi {type} [ 0, {before} ], [ {at}.lane.next, {at}.join ]
  {at}.any = phi i1 [ false, {before} ], [ {at}.any.next, {at}.join ]
  {at}.counter = add nuw nsw {type} {name}.from, {at}.lane
{begin}
{blocks}
{label}.join:
{end}
  {at}.any.next = or i1 {at}.any, {at}.is_in
  {at}.lane.next = add nuw nsw {type} {at}.lane, 1
  {at}.is_last = icmp eq {type} {at}.lane.next, {LANES}
  br i1 {at}.is_last, label {done}, label {at}, !llvm.loop {hint}
"""


def nests_of(
    function: Function, around: Iterable[Loop], inner: Iterable[Loop], scopes: Mapping[str, frozenset[str]]
) -> list[Nest]:
    """Return those loops over elements that gain by lanes: around inner loops, or with limited indices.

    `scopes` has the members of nodes of metadata.
    """
    _remove_names(function)
    heads = {each.head for each in inner}
    nests = [Nest(function, each, scopes) for each in around if _may_gain(function, each, heads)]
    return [nest for nest in nests if nest.is_known()]


def _may_gain(function: Function, loop: Loop, heads: set[str]) -> bool:
    """Whether a loop over elements has a counter, and inner loops or indices of 32 bits."""
    opcodes = {each.opcode for label in loop.labels for each in function.blocks[label].instructions}
    has_loops = not heads.isdisjoint(loop.labels)
    return function.blocks[loop.head].instructions[0].opcode == "phi" and (has_loops or not HIDING.isdisjoint(opcodes))


def reads_along(function: Function, loop: Loop) -> bool:
    """Return whether elements of a loop, one after the other, read numbers that are so too, or the same numbers."""
    counter = function.blocks[loop.head].instructions[0]
    same = Same(function.blocks, loop, counter.result, loop.labels)
    instructions = [each for label in loop.labels for each in function.blocks[label].instructions]
    steps = Steps({each.result: each for each in instructions if each.result}, same.varying, counter.result)
    loads = [each for each in instructions if each.opcode == "load"]
    return all(steps.of(each.operands[0], limits=True) in (0, SIZES.get(each.type, 0)) for each in loads)


class Nest:
    """A loop over elements, `outer`, and the loops in it."""

    def __init__(self, function: Function, outer: Loop, scopes: Mapping[str, frozenset[str]]) -> None:
        self.name = f"{outer.head}.lanes"  # the beginning of the names of new blocks and values
        self.innermost: list[str] = []  # the labels of those loops over lanes that have to become vectors
        self.state = f"{self.name}.state"  # the place in the entries of where a lane goes on
        self.blocks, self.outer, self._scopes = function.blocks, outer, scopes
        self.counter = self.blocks[outer.head].instructions[0]
        self._inner = [each for each in loops_of(function) if each.labels < outer.labels]
        self.has_loops = bool(self._inner)
        heads = {each.head for each in self._inner}
        self._early = {label for label in outer.labels if not heads.isdisjoint(self._reached(label))}
        self.same = Same(self.blocks, outer, self.counter.result, self._early)
        self.regions = Regions(self.name, self.same, self._inner)
        self.definitions = {each.result: each for _, each in self._instructions() if each.result}
        self.homes = {each.result: self.regions.of[label] for label, each in self._instructions() if each.result}
        self.steps = Steps(self.definitions, self.same.varying, self.counter.result)
        self.again: dict[str, Instruction] = {}  # what each region computes that needs it
        for _, each in self._instructions():
            is_number = each.opcode in AGAIN or each.callee.startswith((LOADED, INDEX_OF_LOOP))
            is_known = each.opcode == "getelementptr" or (is_number and all(map(self._is_again, each.operands)))
            if each.result in self.same.varying and is_known:
                self.again[each.result] = each
        self.slots = self._find_slots()
        # More sums at a time hide how long an addition takes, as long as they are in registers.
        self.lanes = LANES if self.state in self.slots or len(self.slots) > 4 else 2 * LANES

    @property
    def is_wide(self) -> bool:
        """Whether lanes that part have numbers of 64 bits."""
        return self.state in self.slots and not {"double", "i64"}.isdisjoint(self.slots.values())

    def phis(self, label: str) -> list[Instruction]:
        """Return the numbers of a block that each lane takes from where it comes from."""
        phis = [each for each in self.blocks[label].instructions if each.opcode == "phi"]
        return [each for each in phis if each is not self.counter and each.result in self.same.varying]

    def _reached(self, label: str) -> frozenset[str]:
        """The blocks that an element can reach from a block."""
        following = {each: self.blocks[each].end.labels for each in self.outer.labels - {self.outer.last}}
        return reached(following, label, self.blocks.keys() - self.outer.labels)

    def _instructions(self) -> Iterator[tuple[str, Instruction]]:
        for label in self.same.order:
            for each in self.blocks[label].instructions:
                yield label, each

    # What is known

    def is_known(self) -> bool:
        """Return whether lanes compute what the elements do."""
        outer, counter = self.outer, self.counter
        jumps = {label: block.end.labels for label, block in self.blocks.items()}
        end = self.blocks[outer.last].end
        compared = self.definitions.get("".join(end.operands))
        outside = [label for label, after in jumps.items() if outer.head in after and label != outer.last]
        leaving = [label for label in outer.labels if not outer.labels.issuperset(jumps[label])]
        if not (
            len(outside) == 1
            and sorted(counter.labels) == sorted((outside[0], outer.last))
            and not any(each.opcode == "phi" for each in self.blocks[outer.head].instructions[1:])
            and leaving == [outer.last]
            and compared is not None
            and compared.opcode == "icmp"
            and compared.word in ("eq", "ult", "slt")
            and end.labels[compared.word == "eq"] == outer.head
        ):
            return False
        self._bound, self._outside, self._exit = compared.operands[1], outside[0], end.labels[compared.word != "eq"]
        values = dict(zip(self.counter.labels, self.counter.operands, strict=True))
        new = self.definitions.get(values[outer.last])
        others = (
            each for label, block in self.blocks.items() if label not in outer.labels for each in block.instructions
        )
        return (
            new is not None
            and (new.opcode, new.operands, values[outside[0]]) == ("add", [self.counter.result, "1"], "0")
            and compared.operands[0] == new.result
            and self._bound not in self.definitions
            and self.definitions.keys().isdisjoint(operand for each in others for operand in each.operands)
            and all(_is_known(each) for _, each in self._instructions())
            and SIZES.keys() >= set(self.slots.values())
            and self.regions.is_known
            and self._has_loops()
            and self._has_order()
            and (self.has_loops or self._has_steps())
        )

    def _has_loops(self) -> bool:
        """Whether each inner loop has its own first and last block."""
        ends = [(each.head, each.last) for each in self._inner]
        is_own = all(self.regions.of[each.last].loops[-1] == each for each in self._inner)
        return is_own and all(len(set(each)) == len(ends) for each in zip(*ends, strict=True))

    def _has_steps(self) -> bool:
        """Whether it has no inner loops, and reads arrays, in which it does not store, as LLVM would not see."""
        loads = [each.operands[0] for _, each in self._instructions() if each.opcode == "load"]
        return self._repeats() and any(map(self.steps.is_hidden, loads))

    def _repeats(self) -> bool:
        """Whether elements store what they would store again: they read nothing that any stores."""
        loads = [each for _, each in self._instructions() if each.opcode == "load"]
        stores = [each for _, each in self._instructions() if each.opcode == "store"]
        known = [each for each in loads if "!invariant.load" not in each.rest]
        return all(self._excludes(one, other) for one in known for other in stores)

    def _has_order(self) -> bool:
        """Whether an element stores only after its loops and in one region, and others load nothing that it stores."""
        home = self.regions.of
        stores = [(label, each) for label, each in self._instructions() if each.opcode == "store"]
        loads = [(label, each) for label, each in self._instructions() if each.opcode == "load"]
        own = {each.operands[1] for _, each in stores if self._is_own(each.operands[1])}
        late = {
            (home[label], home[one])
            for label, _ in stores
            for one, _ in (*stores, *loads)
            if one in self._reached(label)
        }
        return all(one is other for one, other in late) and all(
            label not in self._early
            and (
                home[label] is home[one]
                or "!invariant.load" in load.rest
                or load.operands[0] in own & {each.operands[1]}
                or self._excludes(load, each)
            )
            for label, each in stores
            for one, load in [*loads, (label, each)]
        )

    def _excludes(self, one: Instruction, other: Instruction) -> bool:
        """Whether metadata state that two instructions never reach the same memory."""
        for first, second in ((one, other), (other, one)):
            scopes, apart = (
                self._scopes.get(node_of(each.rest, kind), frozenset[str]())
                for each, kind in ((first, "!alias.scope"), (second, "!noalias"))
            )
            if scopes and scopes <= apart:
                return True
        return False

    def _is_own(self, value: str) -> bool:
        """Whether a value is another one for each element."""
        each = self.definitions.get(value)
        changing = [operand for operand in each.operands if operand in self.definitions] if each is not None else []
        is_known = (
            each is not None and each.opcode in LINEAR and (each.opcode != "shl" or changing == each.operands[:1])
        )
        return each is self.counter or (is_known and len(changing) == 1 and self._is_own(changing[0]))

    def _is_again(self, value: str) -> bool:
        """Whether a value follows from the loop's index and what is the same in all lanes."""
        return value not in self.same.varying or value == self.counter.result or value in self.again

    def _find_slots(self) -> dict[str, str]:
        """The values that a region leaves to another one, with their types, and those with which lanes begin."""
        found = {given(each): each.type for label in self.regions.entries for each in self.phis(label)}
        left = [
            (operand, self.regions.of.get(place))
            for label, each in self._instructions()
            for operand, place in zip(each.operands, each.labels if each.opcode == "phi" else [label] * 9, strict=False)
        ]
        for value, region in left:
            if value in self.homes and value in self.same.varying and self.homes[value] is not region:
                if value in self.again:
                    left += [(operand, region) for operand in self.again[value].operands]
                elif value != self.counter.result:
                    found[value] = _type(self.definitions[value])
        is_apart = any(each.is_masked or len(each.entries) > 1 for each in self.regions.all)
        return {**found, self.state: "i8"} if is_apart else found

    # The new blocks

    def add(self, hint: str, keep: str) -> str:
        """Change the function so that it jumps to loops over lanes, and return the text of their blocks.

        Nodes of metadata: `hint` is that of loops over lanes, and `keep` keeps passes from unrolling a loop.
        """
        self.texts: dict[str, object] = {
            "name": self.name,
            "type": self.counter.type,
            "bound": self._bound,
            "head": self.outer.head,
            "exit": self._exit,
            "hint": hint,
            "keep": keep,
            "LANES": self.lanes,
            "repeats": str(self._repeats()).lower(),
        }
        same = (value for value in self.definitions if value not in self.same.varying)
        self.names = {**{value: f"{value}.same" for value in same}, self.counter.result: f"{self.name}.from"}
        regions = "".join(map(self._region, self.regions.all))
        text = AROUND.format(regions=regions, label=self.name[1:], **self.texts)
        end = self.blocks[self._outside].end
        end.labels = [self.name if each == self.outer.head else each for each in end.labels]
        at = self.counter.labels.index(self._outside)
        self.counter.labels[at], self.counter.operands[at] = f"{self.name}.again", f"{self.name}.begin"
        for each in self.blocks[self._exit].instructions:
            if each.opcode == "phi":
                each.operands.append(each.operands[each.labels.index(self.outer.last)])
                each.types.append(each.type)
                each.labels.append(f"{self.name}.rest")
        made = [f"{slot}.all = alloca [{self.lanes} x {_kept(type_)}], align 64" for slot, type_ in self.slots.items()]
        made += [f"{slot}.own = alloca {type_}, align 8" for slot, type_ in self.slots.items()]
        next(iter(self.blocks.values())).instructions[:0] = map(read_instruction, made)
        return text

    def _region(self, region: Region) -> str:
        """What all lanes do together in a region, its loops over lanes, and the jump to the next region."""
        name = region.name
        jump, tested = self._jump(region)
        plain, limited = (self._firsts(region, limits=limits) for limits in (False, True))
        ways, lines, head = [(f"{name}.each", plain)], plain.lines, f"  br label {name}.each"
        if limited.conditions:
            ways.insert(0, (f"{name}.inside", limited))
            lines = [*lines, *limited.lines, *(f"  {each}" for each in all_of(f"{name}.limits", limited.conditions))]
            head = f"  br i1 {name}.limits, label {name}.inside, label {name}.each"
        is_innermost = bool(region.loops) and not any(each.labels < region.loops[-1].labels for each in self._inner)
        self.innermost += [ways[0][0]] if is_innermost or not self._inner else []
        loops = "".join(_Lanes(self, region, at, first, tested).text() for at, first in ways)
        before = "\n".join((f"{name[1:]}:", *self._together(region), f"  call void {KEPT}()", *lines, head))
        any_ = ", ".join(f"[ {at}.any.next, {at}.join ]" for at, _ in ways)
        return f"{before}\n{loops}{name[1:]}.done:\n  {name}.any = phi i1 {any_}\n{jump}\n"

    def _together(self, region: Region) -> Iterator[str]:
        """What computes the numbers that are the same in all lanes."""
        for label in region.labels:
            for each in self.blocks[label].instructions:
                if each.result and each.result not in self.same.varying:
                    new = each.renamed(self.names)
                    new.labels = [f"{self.regions.of[one].name}.done" for one in each.labels]
                    yield str(new)

    def _firsts(self, region: Region, *, limits: bool) -> First:
        """What computes the addresses of the first lane that the others follow."""
        first = First(self.steps, self.names, f"{region.name.removeprefix(self.name)}.{limits}", self.lanes)
        for label in region.labels:
            for each in self.blocks[label].instructions:
                if each.opcode in ("load", "store") and each.type in SIZES and each.result in {"", *self.same.varying}:
                    step = self.steps.of(each.operands[-1], limits=limits)
                    if step is not None and step % SIZES[each.type] == 0:
                        first.take(each.operands[-1], step // SIZES[each.type])
        return first

    def _jump(self, region: Region) -> tuple[str, int | None]:
        """The jump after a region, and the entry for which it asks whether any lane goes on there."""
        keep = f", !llvm.loop {self.texts['keep']}"
        if self.outer.last in region.labels:
            return f"  br label {self.name}.end", None
        split = self.regions.split(region)
        if split:
            end = self.blocks[split].end.renamed(self.names)
            is_again = any(split == each.last for each in self._inner)
            rest = keep if is_again else ""
            return str(end.copy(labels=[self.regions.of[label].name for label in end.labels], rest=rest)), None
        target, *left = self.regions.left[region]
        loop = region.loops[-1] if region.loops else None
        if region.is_masked and loop is not None and loop.last in region.labels:
            again = self.regions.of[loop.head].name
            jump = f"  br i1 {region.name}.any, label {again}, label {target.name}{keep}"
            return jump, self.regions.entries.index(loop.head)
        entered = target.loops[-1] if target.is_masked and target.loops else None
        if entered is not None and entered.head in target.entries:
            over = next(each for each in left if entered not in each.loops)
            return f"  br i1 {region.name}.any, label {target.name}, label {over.name}", self.regions.entries.index(
                entered.head
            )
        is_again = any(each.last in region.labels and each.head in target.entries for each in self._inner)
        return f"  br label {target.name}{keep if is_again else ''}", None


class _Lanes:
    """A loop over lanes for a region.

    `at` is the name of its first block, `first` has addresses of the first lane, and `tested` is the entry for which
    it finds whether any lane goes on there.
    """

    def __init__(self, nest: Nest, region: Region, at: str, first: First, tested: int | None) -> None:
        self._nest, self._region, self._at, self._first, self._tested = nest, region, at, first, tested
        self._blocks, self._entries = nest.blocks, nest.regions.entries
        self._suffix = at.removeprefix(nest.name)
        self._edges = nest.regions.edges(region)
        self._labels = {label: f"{label}{self._suffix}" for label in region.labels}
        self._accesses = 0
        self._needed = self._find_needed()
        varying = {value: f"{value}{self._suffix}" for value in nest.same.varying}
        again = {value: f"{value}.again{self._suffix}" for value in self._needed if value in nest.again}
        self._names_again = {**nest.names, **varying, **again, nest.counter.result: f"{at}.counter"}
        away = {value: name for value, name in again.items() if nest.homes[value] is not region}
        self._names = {**nest.names, **varying, **away, nest.counter.result: f"{at}.counter"}
        self._given = [given(each) for label in region.entries for each in nest.phis(label)]
        self._left = [given(each) for _, label in self._edges for each in nest.phis(label)]
        self._left += [each for each in nest.slots if nest.homes.get(each) is region]
        self._left += [nest.state] if nest.state in nest.slots else []

    def text(self) -> str:
        blocks = [line for label in self._region.labels for line in self._block(label)]
        blocks += [line for edge in self._edges for line in self._edge(*edge)]
        own = {"at": self._at, "label": self._at[1:], "before": self._region.name, "done": f"{self._region.name}.done"}
        parts = {"begin": self._begin(), "blocks": blocks, "end": self._end()}
        return LOOP.format(**self._nest.texts, **own, **{name: "\n".join(lines) for name, lines in parts.items()})

    def _find_needed(self) -> set[str]:
        """The values of other regions that this one uses, and those from which it computes them."""
        nest, away = self._nest, self._nest.same.varying - {self._nest.counter.result}
        used = [each for label in self._region.labels for made in self._own(label) for each in made.operands]
        used += [_value(each, label) for label, after in self._edges for each in nest.phis(after)]
        left = [each for each in used if each in away and nest.homes[each] is not self._region]
        found: set[str] = set()
        while left:
            value = left.pop()
            if value in away and value not in found:
                found.add(value)
                left += nest.again[value].operands if value in nest.again else []
        return found

    def _own(self, label: str) -> list[Instruction]:
        """The instructions of a block that a lane runs, but for numbers that it is given."""
        *instructions, end = self._blocks[label].instructions
        varying = self._nest.same.varying
        is_entry = label in self._region.entries
        own = [each for each in instructions if each.result in varying or not each.result]
        own = [each for each in own if each is not self._nest.counter and not (is_entry and each.opcode == "phi")]
        return [*own, end]

    def _begin(self) -> Iterator[str]:
        """What a lane computes and loads before the blocks, and the jump to them."""
        nest, region, at = self._nest, self._region, self._at
        needed = [each for each in nest.slots if each in self._needed]
        tests = region.entries if region.is_masked else region.entries[:-1]
        for slot in dict.fromkeys((*self._given, *needed, *self._left)):
            type_, kept, place = nest.slots[slot], _kept(nest.slots[slot]), f"{slot}.all{self._suffix}"
            array = f"[{nest.lanes} x {kept}]"
            yield f"  {place} = getelementptr {array}, {array}* {slot}.all, i64 0, {nest.counter.type} {at}.lane"
            yield f"  {place}.kept = load {kept}, {kept}* {place}"
            yield f"  {place}.old = {'trunc' if kept != type_ else 'bitcast'} {kept} {place}.kept to {type_}"
            is_read = region.is_masked or slot in (*self._given, *needed) or (tests and slot == nest.state)
            yield f"  store {type_} {f'{place}.old' if is_read else 'undef'}, {type_}* {slot}.own"
        for each in needed:
            yield f"  {self._names[each]} = load {nest.slots[each]}, {nest.slots[each]}* {each}.own"
        yield from (str(each.renamed(self._names_again)) for each in nest.again.values() if each.result in self._needed)
        if tests:
            yield f"  {at}.old = load i8, i8* {nest.state}.own"
        for label in tests:
            number = self._entries.index(label)
            yield f"  {at}.is{number} = icmp eq i8 {at}.old, {number}"
            yield f"  br i1 {at}.is{number}, label {self._labels[label]}, label {at}.not{number}"
            yield f"{at[1:]}.not{number}:"
        yield f"  br label {f'{at}.join' if region.is_masked else self._labels[region.entries[-1]]}"

    def _block(self, label: str) -> Iterator[str]:
        """The lines of a block."""
        nest = self._nest
        *instructions, end = self._own(label)
        yield f"{self._labels[label][1:]}:"
        given_here = nest.phis(label) if label in self._region.entries else []
        for each in given_here:
            yield f"  {self._names[each.result]} = load {each.type}, {each.type}* {given(each)}.own"
        for each in instructions:
            yield from self._access(each)
        for each in (*given_here, *instructions):
            if each.result in nest.slots:
                type_ = nest.slots[each.result]
                yield f"  store {type_} {self._names[each.result]}, {type_}* {each.result}.own"
        edges = {after: f"{self._labels[label]}.to.{after[1:]}" for one, after in self._edges if one == label}
        if not nest.same.following(label):
            yield f"  br label {self._at}.join"
        elif nest.same.splits(label):
            yield f"  br label {next(iter(edges.values()))}"
        else:
            yield str(
                end.renamed(self._names).copy(labels=[edges.get(each) or self._labels[each] for each in end.labels])
            )

    def _access(self, each: Instruction) -> Iterator[str]:
        """An instruction, with the address of a lane where that follows from the first lane's."""
        new = each.renamed(self._names)
        new.labels = [self._labels[label] for label in each.labels]
        found = self._first.found.get(each.operands[-1]) if each.opcode in ("load", "store") else None
        if found is not None:
            name, step = found
            self._accesses += 1
            at, type_ = f"{self._at}.a{self._accesses}", self._nest.counter.type
            yield f"  {at}.step = mul nsw {type_} {self._at}.lane, {step}"
            yield f"  {at} = getelementptr {each.type}, {each.types[-1]} {name}, {type_} {at}.step"
            new.operands[-1] = at
        yield str(new)

    def _edge(self, label: str, after: str) -> Iterator[str]:
        """The lines of a block between two, which stores the numbers with which a lane goes on."""
        nest = self._nest
        yield f"{self._labels[label][1:]}.to.{after[1:]}:"
        for each in nest.phis(after):
            value = _value(each, label)
            yield f"  store {each.type} {self._names.get(value, value)}, {each.type}* {given(each)}.own"
        if nest.state in nest.slots:
            yield f"  store i8 {self._entries.index(after)}, i8* {nest.state}.own"
        edges = [each for one, each in self._edges if one == label]
        is_split, place = nest.same.splits(label), edges.index(after) + 1
        if is_split and place < len(edges):  # numbers for both ways have places of their own
            yield f"  br label {self._labels[label]}.to.{edges[place][1:]}"
        else:
            yield f"  br label {self._labels[after] if nest.regions.is_inside(label, after) else f'{self._at}.join'}"

    def _end(self) -> Iterator[str]:
        """What keeps the numbers of a lane for other regions, and finds whether it goes on at an entry."""
        nest, at = self._nest, self._at
        for slot in dict.fromkeys(self._left):
            type_, kept, place = nest.slots[slot], _kept(nest.slots[slot]), f"{slot}.all{self._suffix}"
            yield f"  {place}.last = load {type_}, {type_}* {slot}.own"
            yield f"  {place}.new = {'zext' if kept != type_ else 'bitcast'} {type_} {place}.last to {kept}"
            yield f"  store {kept} {place}.new, {kept}* {place}"
        if self._tested is None:
            yield f"  {at}.is_in = icmp ne i8 0, 0"
        else:
            yield f"  {at}.state = load i8, i8* {nest.state}.own"
            yield f"  {at}.is_in = icmp eq i8 {at}.state, {self._tested}"


def given(phi: Instruction) -> str:
    """Return the name of the place of a number with which lanes begin."""
    return f"{phi.result}.given"


def _value(phi: Instruction, label: str) -> str:
    return phi.operands[phi.labels.index(label)]


def _kept(type_: str) -> str:
    """The type in which memory has a number: LLVM makes no vectors of loads of single bits."""
    return "i8" if type_ == "i1" else type_


def _type(each: Instruction) -> str:
    if each.opcode in ("icmp", "fcmp"):
        return "i1"
    return each.word if each.opcode in CASTS else "" if each.opcode == "getelementptr" else each.type


def _is_known(each: Instruction) -> bool:
    is_own = each.callee.startswith(OWN) and not each.callee.startswith(MEMORY)
    return each.opcode in KNOWN and "volatile" not in each.flags and (each.opcode != "call" or is_own)


def _remove_names(function: Function) -> None:
    """Remove the phis that only give another name to a value."""
    phis = [each for each in function.instructions() if each.opcode == "phi" and len(each.labels) == 1]
    names = {each.result: each.operands[0] for each in phis}
    names = {name: _last(name, names) for name in names}
    for label, block in function.blocks.items():
        kept = [each.renamed(names) for each in block.instructions if each.result not in names]
        function.blocks[label] = Block(label, kept)


def _last(name: str, names: Mapping[str, str]) -> str:
    return _last(names[name], names) if name in names else name
