"""Functions of LLVM IR as blocks and instructions, as compilers write them before any pass.

They are changed by replacing a whole instruction.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ...adopt.llvm._instructions import UNKNOWN, Instruction, Tokens, UnknownCodeError, check, read_instruction

CONTEXT, OWN = "%v0", "%v1"  # parameters of a body: the context, and the memory of the thread
FLOATS = frozenset(("half", "float", "double"))
ENDS = frozenset(("br", "switch", "ret", "unreachable"))  # of blocks


class NotVectorError(UnknownCodeError):
    """The reason why the loops of a task stay as they are: a short clause whose subject is the task."""


@dataclass
class Block:
    """A block of instructions, the last of which jumps or returns."""

    label: str
    instructions: list[Instruction]

    @property
    def end(self) -> Instruction:
        return self.instructions[-1]


@dataclass
class Function:
    """A function: the text of its first line, its name, its parameters with their types, and its blocks by label."""

    head: str
    name: str
    parameters: dict[str, str]
    blocks: dict[str, Block]

    def __str__(self) -> str:
        texts = ["\n".join((f"{_bare(block.label)}:", *map(str, block.instructions))) for block in self.blocks.values()]
        return f"{self.head}\n" + "\n".join(texts) + "\n}\n"

    def instructions(self) -> Iterator[Instruction]:
        for block in self.blocks.values():
            yield from block.instructions


def _bare(label: str) -> str:
    return label.removeprefix("%")


def all_of(name: str, conditions: Iterable[str]) -> Iterator[str]:
    """What computes whether all conditions hold."""
    last = "true"
    for number, each in enumerate(conditions):
        yield f"{name}.{number} = and i1 {last}, {each}"
        last = f"{name}.{number}"
    yield f"{name} = and i1 {last}, true"


def read_all(texts: Iterable[str]) -> list[Instruction]:
    """Read instructions, each a line."""
    return [read_instruction(each) for each in texts]


def read_function(text: str, prefix: str = "v") -> Function:
    """Read a function as LLVM prints it. Its values without a name get one: ``%0`` becomes ``%v0``.

    NotVectorError if it has an instruction that is not known.
    """
    lines = [line for line in text.strip().split("\n") if not line.startswith(";")]
    check(lines[0].startswith("define ") and lines[-1] == "}")
    head, name, parameters = _read_head(lines[0], prefix)
    function = Function(head, name, parameters, read_blocks(lines[1:-1], prefix))
    if any(made.callee and made.callee != made.function for made in function.instructions()):
        raise NotVectorError("calls functions in a way that is not known")
    return function


def read_blocks(lines: Iterable[str], prefix: str = "v") -> dict[str, Block]:
    """Read the blocks of a function by label, as `read_function` does; UnknownCodeError if one has another form."""
    blocks: dict[str, Block] = {}
    block: Block | None = None
    part = ""  # of a switch, which is several lines
    for each in lines:
        line = part + each
        part = f"{line} " if line.endswith("[") or (part and not line.endswith("]")) else ""
        label, colon, rest = line.partition(":")
        if part:
            continue
        if colon and not line.startswith((" ", ";")):
            block = Block(_named(f"%{label}", prefix), [])
            check(block.label not in blocks and rest.strip()[:1] in ("", ";"))
            blocks[block.label] = block
        elif line.strip():
            if block is None:  # LLVM omits the label of a first block without name
                raise UnknownCodeError(UNKNOWN)
            block.instructions.append(_with_names(read_instruction(line), prefix))
    for block in blocks.values():
        ends = [made.opcode in ENDS for made in block.instructions]
        check(ends[-1:] == [True] and sum(ends) == 1)
    return blocks


def _named(name: str, prefix: str) -> str:
    return f"%{prefix}{name[1:]}" if name[:1] == "%" and name[1:].isdecimal() else name


def _with_names(made: Instruction, prefix: str) -> Instruction:
    made.result = _named(made.result, prefix)
    made.operands = [_named(each, prefix) for each in made.operands]
    made.labels = [_named(each, prefix) for each in made.labels]
    return made


def _read_head(line: str, prefix: str) -> tuple[str, str, dict[str, str]]:
    """The first line with its parameters named, the function's name, and its parameters."""
    tokens = Tokens(line)
    words: list[str] = []
    while not tokens.peek().startswith("@"):
        words.append(tokens.type() if words and words[-1] in ("void",) else tokens.take())
    name = tokens.take()
    tokens.take("(")
    parameters: dict[str, str] = {}
    while not tokens.has(")"):
        if parameters:
            tokens.take(",")
        type_ = tokens.type()
        tokens.attributes()
        parameters[_named(tokens.take(), prefix)] = type_
    rest = tokens.rest()
    arguments = ", ".join(f"{type_} {value}" for value, type_ in parameters.items())
    return f"{' '.join(words)} {name}({arguments}){rest}", name, parameters


def is_pointer(type_: str) -> bool:
    """Return whether a type is that of addresses, which newer versions of LLVM write without the type of the target."""
    return type_ == "ptr" or type_.endswith("*")


def in_order(function: Function) -> Iterator[Instruction]:
    """The instructions that can be reached, each after those whose values it has, but for values of loops."""
    done: set[str] = set()
    left = [next(iter(function.blocks))]
    while left:
        label = left.pop()
        if label not in done:
            done.add(label)
            yield from function.blocks[label].instructions
            left += reversed(function.blocks[label].end.labels)


class Loop(NamedTuple):
    """A loop: the labels of its first block, of a block that jumps back to it, and of all its blocks."""

    head: str
    last: str
    labels: frozenset[str]


def loops_of(function: Function) -> list[Loop]:
    """The loops of a function, one for each jump back."""
    blocks = function.blocks
    first = next(iter(blocks))
    path = [(first, iter(blocks[first].end.labels))]
    on_path, done = {first}, {first}
    found: list[tuple[str, str]] = []
    while path:
        label, left = path[-1]
        following = next(left, None)
        if following is None:
            on_path.discard(path.pop()[0])
        elif following in on_path:
            found.append((following, label))
        elif following not in done:
            done.add(following)
            on_path.add(following)
            path.append((following, iter(blocks[following].end.labels)))
    before: dict[str, set[str]] = {}
    for label, block in blocks.items():
        for following in block.end.labels:
            before.setdefault(following, set()).add(label)
    return [Loop(head, last, reached(before, last, {head}) | {head}) for head, last in found]


def node_of(rest: str, kind: str) -> str:
    """Return the node of metadata of a kind that an instruction has; empty if it has none."""
    words = rest.replace(",", "").split()
    return words[words.index(kind) + 1] if kind in words else ""


def reached(following: Mapping[str, Iterable[str]], start: str, without: Container[str]) -> frozenset[str]:
    """The labels that can be reached from one, without going through some."""
    found: set[str] = set()
    left = [start]
    while left:
        label = left.pop()
        if label not in found and label not in without:
            found.add(label)
            left += following.get(label, ())
    return frozenset(found)
