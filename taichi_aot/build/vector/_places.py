"""Which loads and stores reach which member of a field, so that LLVM knows those that never reach the same memory.

An element of a member is found through calls whose names have the member and its parent. Different members have
different memory, whatever the index is within the field.
"""

from __future__ import annotations

from collections.abc import Iterator

from ...adopt.llvm._instructions import Instruction
from ._fixed import CHILD
from ._ir import Function, in_order

NODES = 20000  # numbers of nodes of metadata begin here
REACHES = ("load", "store")


class Places:
    """The members of fields that a body reaches."""

    def __init__(self, function: Function) -> None:
        self._members: dict[str, str] = {}  # the member to which an address belongs
        for each in in_order(function):
            self._follow(each)
        pointers = {each.operands[-1] for each in function.instructions() if each.opcode in REACHES}
        reached = dict.fromkeys(self._members[each] for each in self._members if each in pointers)
        self._numbers = {member: number for number, member in enumerate(reached)}

    def stated(self, each: Instruction) -> Instruction:
        """Return an instruction with metadata, if it loads or stores a number of a member."""
        number = self._numbers.get(self._members.get(each.operands[-1], "")) if each.opcode in REACHES else None
        if number is None:
            return each
        own = NODES + 1 + 2 * number
        return each.copy(rest=f"{each.rest}, !alias.scope !{own}, !noalias !{own + 1}")

    def nodes(self) -> Iterator[str]:
        """What defines the nodes of metadata."""
        scopes = [f"!{NODES + 1 + 2 * len(self._numbers) + number}" for number in self._numbers.values()]
        yield f"!{NODES} = distinct !{{!{NODES}}}"
        for number, scope in enumerate(scopes):
            others = ", ".join(each for each in scopes if each != scope)
            yield f"{scope} = distinct !{{{scope}, !{NODES}}}"
            yield f"!{NODES + 1 + 2 * number} = !{{{scope}}}"
            yield f"!{NODES + 2 + 2 * number} = !{{{others}}}"

    def _follow(self, each: Instruction) -> None:
        if each.callee.startswith(CHILD):
            self._members[each.result] = each.callee
        elif each.opcode in ("getelementptr", "bitcast") and each.operands[0] in self._members:
            self._members[each.result] = self._members[each.operands[0]]
