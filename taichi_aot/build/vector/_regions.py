"""An element of a loop as its lanes see it: what is the same in all of them, its regions, and addresses in steps."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass

from ...adopt.llvm._instructions import Instruction
from ._fixed import INDEX_OF_LOOP, LOADED, SIZES
from ._ir import Block, Loop

# What is the same in all lanes, elements of a loop side by side: numbers, and blocks that they run together.


class Same:
    """The numbers and blocks of an element.

    `counter` is the index of the loop over elements, `loop`. In blocks that are not `early`, another lane may have
    stored what is loaded.
    """

    def __init__(self, blocks: Mapping[str, Block], loop: Loop, counter: str, early: Container[str]) -> None:
        self.order = _in_order(blocks, loop)  # its blocks, each after those that jump to it, but for jumps back
        self.varying = {counter}  # numbers that may differ
        self.together = frozenset[str]()  # the blocks that all lanes run, or none
        self._blocks, self._loop, self._early = blocks, loop, early
        branches = self._branches()
        more = {counter}
        while more:
            self.together = self._find_together(branches)
            more = {
                each.result
                for label in self.order
                for each in blocks[label].instructions
                if each.result and each.result not in self.varying and self._varies(each, label)
            }
            self.varying |= more

    def splits(self, label: str) -> bool:
        """Return whether all lanes go the same one of two ways at the end of a block."""
        end = self._blocks[label].end
        return len(end.labels) > 1 and self._agrees(label)

    def following(self, label: str) -> list[str]:
        """Return the blocks of the same element to which a block jumps."""
        return [] if label == self._loop.last else self._blocks[label].end.labels

    def _agrees(self, label: str) -> bool:
        """Whether all lanes leave a block together."""
        return label in self.together and not self._parts(label, self.together)

    def _parts(self, label: str, together: Set[str]) -> bool:
        """Whether lanes may go different ways at the end of a block. After all loops that costs nothing.

        One of the ways may also be to a loop that not all lanes repeat.
        """
        end = self._blocks[label].end
        is_same = label in self._early and self.varying.isdisjoint(end.operands) and together >= set(end.labels)
        return len(end.labels) > 1 and not is_same

    def _varies(self, each: Instruction, label: str) -> bool:
        is_stored = each.opcode == "load" and "!invariant.load" not in each.rest and label not in self._early
        comes_apart = each.opcode == "phi" and not all(map(self._agrees, each.labels))
        return label not in self.together or is_stored or comes_apart or not self.varying.isdisjoint(each.operands)

    def _branches(self) -> dict[str, set[str]]:
        """The blocks at whose ends it is decided whether a block is run."""
        after = {label: frozenset(self.order) for label in self.order}  # the blocks through which all ways lead then
        changed = True
        while changed:
            changed = False
            for label in reversed(self.order):
                ways = [after[each] for each in self.following(label)]
                new = frozenset((label,)).union(frozenset[str].intersection(*ways) if ways else ())
                changed |= new != after[label]
                after[label] = new
        found: dict[str, set[str]] = {label: set() for label in self.order}
        for branch in self.order:
            for label in frozenset[str]().union(*(after[each] for each in self.following(branch))):
                if label == branch or label not in after[branch]:
                    found[label].add(branch)
        return found

    def _find_together(self, branches: Mapping[str, set[str]]) -> frozenset[str]:
        found = set(self.order)
        apart = found
        while apart:
            agreeing = {label for label in found if not self._parts(label, found)}
            apart = {label for label in found if not branches[label] <= agreeing}
            found -= apart
        return frozenset(found)


def _in_order(blocks: Mapping[str, Block], loop: Loop) -> list[str]:
    found: list[str] = []
    seen = {loop.head}
    path: list[tuple[str, Iterator[str]]] = [(loop.head, iter(blocks[loop.head].end.labels))]
    while path:
        left = path[-1][1]
        following = next((each for each in left if each in loop.labels and each not in seen), None)
        if following is None:
            found.append(path.pop()[0])
        else:
            seen.add(following)
            path.append((following, iter(blocks[following].end.labels)))
    return found[::-1]


# Regions of an element: its blocks, cut at inner loops and where all lanes go one of two ways.


@dataclass(eq=False)
class Region:
    """Blocks that lanes run one after the other."""

    entries: list[str]  # where lanes begin, the last for all that do not begin elsewhere
    labels: list[str]
    loops: tuple[Loop, ...]  # the inner loops around it
    is_masked: bool  # whether a lane may have nothing to do in it
    name: str = ""


class Regions:
    """The regions of an element, by the labels of blocks, and the order in which they run.

    `name` begins their names. `inner` are the loops of the element.
    """

    def __init__(self, name: str, same: Same, inner: Sequence[Loop]) -> None:
        self.of: dict[str, Region] = {}
        self._same = same
        self._heads = {each.head for each in inner}
        self._rank = {label: number for number, label in enumerate(same.order)}
        for label in self._rank:
            self._add(
                label, tuple(sorted((each for each in inner if label in each.labels), key=lambda one: -len(one.labels)))
            )
        for region in reversed(dict.fromkeys(self.of.values())):
            self._join(region)
        self.all = sorted(dict.fromkeys(self.of.values()), key=self._place)
        for number, region in enumerate(self.all):
            region.name = f"{name}.{number}"
            region.labels.sort(key=self._rank.__getitem__)
        self.entries = [each for region in self.all for each in region.entries]
        # Those that may follow each, in order: where some lanes go, and the one where all meet.
        self.left: dict[Region, list[Region]] = {}
        self.is_known = all(map(self._follow, self.all))

    def edges(self, region: Region) -> list[tuple[str, str]]:
        """Return the jumps from blocks of a region to blocks where lanes begin."""
        jumps = ((label, each) for label in region.labels for each in self._same.following(label))
        return [(label, each) for label, each in dict.fromkeys(jumps) if each in self.of[each].entries]

    def is_inside(self, label: str, after: str) -> bool:
        """Return whether a lane stays in its region at a jump to a block where others begin."""
        return self.of[after] is self.of[label] and after not in self._heads

    def split(self, region: Region) -> str:
        """Return the block of a region at whose end all lanes go one of two ways; empty if it has none."""
        return next((label for label, _ in self._exits(region) if self._same.splits(label)), "")

    def _exits(self, region: Region) -> Iterator[tuple[str, str]]:
        return (edge for edge in self.edges(region) if not self.is_inside(*edge))

    def _following(self, region: Region) -> list[Region]:
        return list(dict.fromkeys(self.of[after] for _, after in self._exits(region)))

    def _add(self, label: str, loops: tuple[Loop, ...]) -> None:
        before = [each for each in self.of if label in self._same.following(each)]
        found = {self.of[each] for each in before}
        is_same = label not in self._heads and len(found) == 1 and not any(map(self._same.splits, before))
        region = next(iter(found)) if is_same else None
        if region is None or region.loops != loops:
            region = Region([label], [], loops, label not in self._same.together)
        region.labels.append(label)
        self.of[label] = region

    def _join(self, region: Region) -> None:
        """Join a region through which some lanes go to the one that follows, if only that one does."""
        target, *others = self._following(region) or [region]
        is_loop = not self._heads.isdisjoint((region.entries[-1], target.entries[-1]))
        is_next = target is not region and target.loops == region.loops and not (others or is_loop)
        # What all lanes compute for the region is not computed where they go to the other one from elsewhere.
        before = [each for each in set(self.of.values()) if not each.is_masked and target in self._following(each)]
        if region.is_masked and is_next and (target.is_masked or len(before) <= 1):
            target.entries[:0] = region.entries
            target.labels += region.labels
            self.of |= dict.fromkeys(region.labels, target)

    def _place(self, region: Region) -> tuple[int, ...]:
        """The place of a region among all: those in a loop are next to each other."""
        return (*(self._rank[each.head] for each in region.loops), self._rank[region.entries[-1]])

    def _follow(self, region: Region) -> bool:
        """Find what follows a region that all lanes run, and those that some of them run then."""
        following = self._following(region)
        if region.is_masked or not following or self.split(region):
            return True
        found: set[Region] = set()
        while following:
            each = following.pop()
            if each not in found:
                found.add(each)
                following += self._following(each) if each.is_masked else []
        masked = sorted((each for each in found if each.is_masked), key=self._place)
        together = [each for each in found if not each.is_masked]
        chain = [region, *masked, *together]
        self.left |= {each: chain[place:] for place, each in enumerate(chain[:-1], 1)}
        return len(together) == 1


# Addresses that grow by the same number of bytes from lane to lane, so that LLVM need not prove it.


MOST = 1 << 16  # bytes, so that the indices of lanes near one that is within its array do not wrap
HIDING = {"sext", "zext"}
WIDE = ("i32", "i64")  # types whose numbers do not wrap near the index of an element
EXTREMES = {"@llvm.smax.": "sge", "@llvm.smin.": "sle"}  # how an index compares with a limit that does not change it


class Steps:
    """By how much the values of an element grow from lane to lane.

    `varying` are those that differ between lanes, and `counter` is the index of the loop over elements.
    """

    def __init__(self, definitions: Mapping[str, Instruction], varying: Set[str], counter: str) -> None:
        self.definitions, self.varying, self.counter = definitions, varying, counter
        self._known: dict[tuple[str, bool], int | None] = {}

    def of(self, value: str, *, limits: bool) -> int | None:
        """Return the step of a value; None if it may have others. `limits`: where no limit of an index is reached."""
        if value not in self.varying:
            return 0
        if value == self.counter:
            return 1
        key = value, limits
        if key not in self._known:
            self._known[key] = None
            found = self._step(self.definitions[value], limits)
            self._known[key] = found if found is not None and abs(found) < MOST else None
        return self._known[key]

    def is_hidden(self, value: str) -> bool:
        """Return whether a value has a step, by an index of 32 bits that LLVM does not know not to wrap."""
        if value not in self.varying or value == self.counter or self.of(value, limits=True) is None:
            return False
        each = self.definitions[value]
        return each.opcode in HIDING or any(map(self.is_hidden, each.operands))

    def _step(self, each: Instruction, limits: bool) -> int | None:
        steps = [self.of(operand, limits=limits) for operand in each.operands]
        known = [step for step in steps if step is not None]
        if each.opcode == "phi" or not known or len(known) < len(steps):
            return None
        last = each.operands[-1]
        match each.opcode:
            case "add" | "sub" if each.type in WIDE:
                return known[0] + known[1] if each.opcode == "add" else known[0] - known[1]
            case "mul" if each.type in WIDE and last.isdecimal():
                return known[0] * int(last)
            case "shl" if each.type in WIDE and last.isdecimal():
                return known[0] << min(int(last), 31)
            case "or" if self._adds(each):
                return known[0]
            case "sext" | "trunc" | "zext" if each.type in WIDE and each.word in WIDE:
                return known[0] if each.opcode != "zext" or limits else None
            case "bitcast" if each.word.endswith("*"):
                return known[0]
            case "getelementptr" if len(known) == 2 and each.type in SIZES:
                return known[0] + known[1] * SIZES[each.type]
            case "call" if each.callee.startswith((LOADED, INDEX_OF_LOOP)):
                return known[0]
            case "call" if limits and each.type == "i32" and each.callee[:11] in EXTREMES and 0 in known:
                return sum(known)
            case _:
                return None

    def _adds(self, each: Instruction) -> bool:
        """Whether an instruction sets bits that are 0."""
        number, bits = each.operands
        shifted = self.definitions.get(number)
        by = shifted.operands[1] if shifted is not None and shifted.opcode == "shl" else ""
        return by.isdecimal() and bits.isdecimal() and int(bits) < 1 << int(by)


class First:
    """What computes values of the first lane: `lines`, and `conditions` under which those of all lanes follow.

    `names` are those of values that are the same in all lanes. Names of new values end with `suffix`.
    """

    def __init__(self, steps: Steps, names: Mapping[str, str], suffix: str, lanes: int) -> None:
        self.lines: list[str] = []
        self.conditions: list[str] = []
        self._steps, self._names, self._suffix, self._last = steps, names, suffix, lanes - 1
        self.found: dict[str, tuple[str, int]] = {}  # addresses of the first lane, and their steps, by that of any
        self._done: dict[str, str] = {}

    def of(self, value: str) -> str:
        """Return the name of a value of the first lane."""
        if value not in self._steps.varying or value == self._steps.counter:
            return self._names.get(value, value)
        if value not in self._done:
            self._done[value] = self._computed(self._steps.definitions[value])
        return self._done[value]

    def take(self, address: str, step: int) -> None:
        """Take an address that grows by so many numbers."""
        self.found[address] = self.of(address), step

    def _computed(self, each: Instruction) -> str:
        operands = [self.of(operand) for operand in each.operands]
        if each.callee[:11] in EXTREMES:
            varying = each.operands[1] in self._steps.varying
            self._limit(each, operands[varying], f"{EXTREMES[each.callee[:11]]} i32", operands[not varying])
            return operands[varying]
        new = each.copy(result=f"{each.result}{self._suffix}", operands=operands, flags=(), rest="")
        if each.opcode == "zext":
            self._limit(each, operands[0], f"sge {each.type}", "0")
            new.opcode = "sext"
        self.lines.append(str(new))
        return new.result

    def _limit(self, each: Instruction, number: str, compares: str, limit: str) -> None:
        """Have no lane reach a limit: neither the first nor the last do, and numbers do not wrap between them."""
        step = sum(self._steps.of(operand, limits=True) or 0 for operand in each.operands)
        name, type_ = f"{each.result}{self._suffix}", each.type
        self.lines += [
            f"  {name}.last = add {type_} {number}, {self._last * step}",
            f"  {name}.begins = icmp {compares} {number}, {limit}",
            f"  {name}.ends = icmp {compares} {name}.last, {limit}",
            f"  {name}.grows = icmp {'sge' if step >= 0 else 'sle'} {type_} {name}.last, {number}",
        ]
        self.conditions += [f"{name}.begins", f"{name}.ends", f"{name}.grows"]
