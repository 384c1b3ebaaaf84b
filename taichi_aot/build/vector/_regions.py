"""Regions of an element: its blocks, cut at inner loops and where all lanes go one of two ways."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ._ir import Loop
from ._same import Same


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
