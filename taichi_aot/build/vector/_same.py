"""What is the same in all lanes, elements of a loop side by side: numbers, and blocks that they run together."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Set

from ...adopt.llvm._instructions import Instruction
from ._ir import Block, Loop


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
