"""Functions of LLVM IR as blocks and instructions, as compilers write them before any pass.

Instructions are read token by token; one that is not known is refused. They are changed by replacing a whole one.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

CONTEXT, OWN = "%v0", "%v1"  # parameters of a body: the context, and the memory of the thread
FLOATS = frozenset(("half", "float", "double"))

TOKEN = re.compile(
    r"""\s*(
      [%@](?:[-\w.$]+|"[^"]*")      # names
    | c?"[^"]*"
    | ![-\w.]*
    | \#\d+
    | -?0x[0-9A-FKLMHR]+
    | -?\d+\.\d+(?:e[-+]\d+)?
    | -?\d+
    | \.\.\.
    | [A-Za-z_][\w.]*
    | \S                             # punctuation, or what is not known
    )""",
    re.X,
)
PUNCTUATION = frozenset("][(){}<>,=*:;!")
OTHERS = frozenset(string.punctuation) - PUNCTUATION - {"_"}
OPEN, CLOSE = frozenset("([{<"), frozenset(")]}>")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


BINARY = _words("add sub mul shl lshr ashr and or xor sdiv udiv srem urem fadd fsub fmul fdiv frem")
COMPARE = _words("icmp fcmp")
CASTS = _words("trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint inttoptr bitcast")
VECTORS = _words("extractelement insertelement shufflevector")
FLAGS = _words(
    "nsw nuw exact fast nnan ninf nsz arcp contract afn reassoc inbounds fastcc volatile disjoint nneg samesign"
)
ATTRIBUTES = _words("noundef zeroext signext nonnull returned noalias nocapture readonly readnone writeonly")
ATTRIBUTES_OF_NUMBERS = frozenset(("align", "dereferenceable", "captures", "range"))
TAILS = _words("tail notail")  # flags before the opcode
UNKNOWN = "has instructions that are not known"
# What follows an opcode: parts that `_READERS` and `_WRITERS` name, or words as in the text.
FORMS = {
    **dict.fromkeys(BINARY, "flags type value , value"),
    **dict.fromkeys(COMPARE, "flags word type value , value"),
    **dict.fromkeys(("fneg", "freeze"), "flags type value"),
    **dict.fromkeys(CASTS, "flags type value to target"),
    **dict.fromkeys(VECTORS, "type value operands"),
    "load": "flags type , operand",
    "store": "flags type value , operand",
    "getelementptr": "flags type operands",
    "select": "flags operand , type value , operand",
    "alloca": "type",
    "call": "flags attributes type callee",
    "br": "jump",
    "switch": "operand , label [ cases ]",
    "ret": "type returned",
    "phi": "flags type incoming",
    "atomicrmw": "word operand , type value",
    "unreachable": "",
}


class NotVectorError(Exception):
    """The reason why the loops of a task stay as they are: a short clause whose subject is the task."""


@dataclass
class Instruction:
    """An instruction."""

    opcode: str
    result: str = ""  # its name, with the percent sign; empty if it has no value
    flags: tuple[str, ...] = ()
    # That of its operands, of what is loaded or allocated, of the struct of an address, or of what is returned.
    type: str = ""
    operands: list[str] = field(default_factory=list[str])  # its values; constants are as in the text
    types: list[str] = field(default_factory=list[str])  # those of the operands
    labels: list[str] = field(default_factory=list[str])  # to which it jumps, or from which a phi takes its values
    callee: str = ""  # the function that a call calls, with the operands
    # The predicate of a comparison, the operation of an atomic instruction, or the type to which a cast casts.
    word: str = ""
    rest: str = ""  # what follows: the alignment, metadata, or attributes

    def __str__(self) -> str:
        head = f"{self.result} = " if self.result else ""
        before, after = ([flag for flag in self.flags if (flag in TAILS) == is_tail] for is_tail in (True, False))
        return f"  {head}{' '.join((*before, self.opcode, *after))}{_written(self)}{self.rest}".rstrip()

    def copy(self) -> Instruction:
        """Return a copy, so that a change leaves the original as it is."""
        return replace(self, operands=[*self.operands], types=[*self.types], labels=[*self.labels])

    def with_flags(self, *flags: str) -> Instruction:
        """Return it with more flags."""
        new = self.copy()
        new.flags = tuple(dict.fromkeys((*self.flags, *flags)))
        return new

    def renamed(self, names: Mapping[str, str]) -> Instruction:
        """Return it with other names of values."""
        new = self.copy()
        new.result = names.get(new.result, new.result)
        new.operands = [names.get(each, each) for each in new.operands]
        return new


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


class _Tokens:
    """The tokens of a line, which are taken one after the other."""

    def __init__(self, text: str) -> None:
        found: list[str] = TOKEN.findall(text)
        if ";" in found:  # a comment
            del found[found.index(";") :]
        if not (text.isascii() and OTHERS.isdisjoint(found)):
            raise NotVectorError(UNKNOWN)
        self._found = found
        self._at = 0

    def peek(self, ahead: int = 0) -> str:
        at = self._at + ahead
        return self._found[at] if at < len(self._found) else ""

    def take(self, expected: str = "") -> str:
        token = self.peek()
        if not token or (expected and token != expected):
            raise NotVectorError(UNKNOWN)
        self._at += 1
        return token

    def has(self, token: str) -> bool:
        """Take a token if it is the next."""
        if self.peek() != token:
            return False
        self._at += 1
        return True

    def while_in(self, words: Iterable[str]) -> tuple[str, ...]:
        found: list[str] = []
        while self.peek() in words:
            found.append(self.take())
        return tuple(found)

    def balanced(self) -> str:
        """Take what is in brackets, with them."""
        parts = [self.take()]
        depth = 1
        while depth:
            token = self.take()
            depth += (token in OPEN) - (token in CLOSE)
            parts.append(token)
        return " ".join(parts)

    def type(self) -> str:
        token = self.peek()
        text = self.balanced() if token in ("{", "[", "<") else self.take()
        if token == "<" and self.peek(-1) != ">":
            raise NotVectorError(UNKNOWN)
        while self.peek() in ("*", "("):
            text += self.take() if self.peek() == "*" else f" {self.balanced()}"
        return text

    def value(self) -> str:
        token = self.peek()
        if token in OPEN:
            return self.balanced()
        word = self.take()
        words = [word]
        while self.peek() in ("inbounds", "nuw"):
            words.append(self.take())
        if word[0].isalpha() and self.peek() == "(":  # a constant expression
            words.append(self.balanced())
        return " ".join(words)

    def attributes(self) -> None:
        """Skip the attributes of a value."""
        while self.while_in(ATTRIBUTES) or self.peek() in ATTRIBUTES_OF_NUMBERS:
            if self.peek() in ATTRIBUTES_OF_NUMBERS:
                self.take()
                self.balanced() if self.peek() == "(" else self.take()

    def rest(self) -> str:
        """Take all that is left."""
        left = self._found[self._at :]
        self._at = len(self._found)
        text = ""
        for token in left:
            text += token if token == "," else f" {token}"
        return text


def read_instruction(text: str) -> Instruction:
    """Read an instruction, which is a line; NotVectorError if it is not known."""
    tokens = _Tokens(text)
    result = ""
    if tokens.peek(1) == "=":
        result = tokens.take()
        tokens.take("=")
    before = tokens.while_in(TAILS)
    opcode = tokens.take()
    if opcode not in FORMS:
        raise NotVectorError(f"has instructions that are not known, such as {opcode}")
    made = Instruction(opcode, result, before)
    for part in FORMS[opcode].split():
        if part in _READERS:
            _READERS[part](tokens, made)
        else:
            tokens.take(part)
    made.rest = tokens.rest()
    return made


def _written(made: Instruction) -> str:
    """What follows the opcode and the flags of an instruction."""
    operands, labels, text = zip(made.types, made.operands, strict=True), iter(made.labels), ""
    for part in FORMS[made.opcode].split():
        piece = _WRITERS[part](made, operands, labels) if part in _WRITERS else part
        text += f" {piece}" if piece and not piece.startswith(",") else piece
    return text


def _read_operand(tokens: _Tokens, made: Instruction, type_: str = "") -> None:
    made.types.append(type_ or tokens.type())
    tokens.attributes()
    made.operands.append(tokens.value())


def _read_flags(tokens: _Tokens, made: Instruction) -> None:
    made.flags += tokens.while_in(FLAGS)


def _read_operands(tokens: _Tokens, made: Instruction) -> None:
    while tokens.has(","):
        if tokens.peek().startswith("!"):
            raise NotVectorError(UNKNOWN)
        _read_operand(tokens, made)


def _read_callee(tokens: _Tokens, made: Instruction) -> None:
    made.callee = tokens.take()
    if not made.callee.startswith("@"):
        raise NotVectorError("calls functions in a way that is not known")
    tokens.take("(")
    while not tokens.has(")"):
        if made.operands:
            tokens.take(",")
        _read_operand(tokens, made)


def _read_label(tokens: _Tokens, made: Instruction) -> None:
    tokens.take("label")
    made.labels.append(tokens.take())


def _read_jump(tokens: _Tokens, made: Instruction) -> None:
    if tokens.peek() != "label":
        _read_operand(tokens, made)
        tokens.take(",")
        _read_label(tokens, made)
        tokens.take(",")
    _read_label(tokens, made)


def _read_cases(tokens: _Tokens, made: Instruction) -> None:
    while tokens.peek() != "]":
        _read_operand(tokens, made)
        tokens.take(",")
        _read_label(tokens, made)


def _read_returned(tokens: _Tokens, made: Instruction) -> None:
    if made.type != "void":
        _read_operand(tokens, made, made.type)


def _read_incoming(tokens: _Tokens, made: Instruction) -> None:
    while not made.labels or tokens.has(","):
        tokens.take("[")
        _read_operand(tokens, made, made.type)
        tokens.take(",")
        made.labels.append(tokens.take())
        tokens.take("]")


_READERS: dict[str, Callable[[_Tokens, Instruction], None]] = {
    "flags": _read_flags,
    "attributes": lambda tokens, made: tokens.attributes(),
    "type": lambda tokens, made: setattr(made, "type", tokens.type()),
    "target": lambda tokens, made: setattr(made, "word", tokens.type()),
    "word": lambda tokens, made: setattr(made, "word", tokens.take()),
    "value": lambda tokens, made: _read_operand(tokens, made, made.type),
    "operand": _read_operand,
    "operands": _read_operands,
    "callee": _read_callee,
    "label": _read_label,
    "jump": _read_jump,
    "cases": _read_cases,
    "returned": _read_returned,
    "incoming": _read_incoming,
}
# The same parts as text, given the types and values of the operands, and the labels, that are left.
_WRITERS: dict[str, Callable[[Instruction, Iterator[tuple[str, str]], Iterator[str]], str]] = {
    "flags": lambda made, operands, labels: "",
    "attributes": lambda made, operands, labels: "",
    "type": lambda made, operands, labels: made.type,
    "target": lambda made, operands, labels: made.word,
    "word": lambda made, operands, labels: made.word,
    "value": lambda made, operands, labels: next(operands)[1],
    "operand": lambda made, operands, labels: " ".join(next(operands)),
    "operands": lambda made, operands, labels: "".join(f", {' '.join(each)}" for each in operands),
    "callee": lambda made, operands, labels: f"{made.callee}({', '.join(map(' '.join, operands))})",
    "label": lambda made, operands, labels: f"label {next(labels)}",
    "jump": lambda made, operands, labels: ", ".join((*map(" ".join, operands), *(f"label {each}" for each in labels))),
    "cases": lambda made, operands, labels: " ".join(f"{' '.join(each)}, label {next(labels)}" for each in operands),
    "returned": lambda made, operands, labels: "".join(value for _, value in operands),
    "incoming": lambda made, operands, labels: ", ".join(f"[ {value}, {next(labels)} ]" for _, value in operands),
}


def all_of(name: str, conditions: Iterable[str]) -> Iterator[str]:
    """What computes whether all conditions hold."""
    last = "true"
    for number, each in enumerate(conditions):
        yield f"{name}.{number} = and i1 {last}, {each}"
        last = f"{name}.{number}"
    yield f"{name} = and i1 {last}, true"


def read_function(text: str, prefix: str = "v") -> Function:
    """Read a function as LLVM prints it. Its values without a name get one: ``%0`` becomes ``%v0``.

    NotVectorError if it has an instruction that is not known.
    """
    lines = [line for line in text.strip().split("\n") if not line.startswith(";")]
    if not lines[0].startswith("define ") or lines[-1] != "}":
        raise NotVectorError(UNKNOWN)
    head, name, parameters = _read_head(lines[0], prefix)
    blocks: dict[str, Block] = {}
    block: Block | None = None
    part = ""  # of a switch, which is several lines
    for each in lines[1:-1]:
        line = part + each
        part = f"{line} " if line.endswith("[") or (part and not line.endswith("]")) else ""
        label = line.partition(":")[0]
        if part:
            continue
        if line and not line.startswith((" ", ";")) and label != line:
            block = Block(_named(f"%{label}", prefix), [])
            blocks[block.label] = block
        elif line.strip():
            if block is None:  # LLVM omits the label of a first block without name
                raise NotVectorError(UNKNOWN)
            block.instructions.append(_with_names(read_instruction(line), prefix))
    return Function(head, name, parameters, blocks)


def _named(name: str, prefix: str) -> str:
    return f"%{prefix}{name[1:]}" if name[:1] == "%" and name[1:].isdecimal() else name


def _with_names(made: Instruction, prefix: str) -> Instruction:
    made.result = _named(made.result, prefix)
    made.operands = [_named(each, prefix) for each in made.operands]
    made.labels = [_named(each, prefix) for each in made.labels]
    return made


def _read_head(line: str, prefix: str) -> tuple[str, str, dict[str, str]]:
    """The first line with its parameters named, the function's name, and its parameters."""
    tokens = _Tokens(line)
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
