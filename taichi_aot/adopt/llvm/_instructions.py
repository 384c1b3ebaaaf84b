"""LLVM IR, instruction by instruction: each is read token by token, and one that is not known is refused."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from ...values._errors import IncompatibleModuleError

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
CASTS = _words("trunc zext sext fptrunc fpext fptoui fptosi uitofp sitofp ptrtoint inttoptr bitcast addrspacecast")
VECTORS = _words("extractelement insertelement shufflevector")
FLAGS = _words(
    "nsw nuw exact fast nnan ninf nsz arcp contract afn reassoc inbounds fastcc volatile disjoint nneg samesign"
)
ATTRIBUTES = _words("noundef zeroext signext nonnull returned noalias nocapture readonly readnone writeonly")
ATTRIBUTES_OF_NUMBERS = frozenset(("align", "dereferenceable", "captures", "range"))
TAILS = _words("tail notail")  # flags before the opcode
OUTSIDE = re.compile(rb"define |declare |[@!]|%[^ ]+ = type ")  # at the start of lines that are not instructions
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


class UnknownCodeError(IncompatibleModuleError):
    """The reason why code is not understood: a short clause whose subject is the code."""


def check(is_known: bool) -> None:
    """Raise UnknownCodeError if code is not of a form that is known."""
    if not is_known:
        raise UnknownCodeError(UNKNOWN)


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

    def copy(self, **changes: Any) -> Instruction:
        """Return a copy with some attributes changed, which leaves the original as it is."""
        own = {"operands": [*self.operands], "types": [*self.types], "labels": [*self.labels]}
        return replace(self, **{**own, **changes})

    @property
    def function(self) -> str:
        """The name of the function that a call calls, also by a cast of it; empty if it is not stated."""
        return next((word for word in self.callee.split() if word.startswith("@")), "")

    def with_flags(self, *flags: str) -> Instruction:
        """Return it with more flags."""
        return self.copy(flags=tuple(dict.fromkeys((*self.flags, *flags))))

    def renamed(self, names: Mapping[str, str]) -> Instruction:
        """Return it with other names of values."""
        operands = [names.get(each, each) for each in self.operands]
        return self.copy(result=names.get(self.result, self.result), operands=operands)


class Tokens:
    """The tokens of a line, which are taken one after the other."""

    def __init__(self, text: str) -> None:
        found: list[str] = TOKEN.findall(text)
        if ";" in found:  # a comment
            del found[found.index(";") :]
        check(text.isascii() and OTHERS.isdisjoint(found))
        self._found = found
        self._at = 0

    def peek(self, ahead: int = 0) -> str:
        at = self._at + ahead
        return self._found[at] if at < len(self._found) else ""

    def take(self, expected: str = "") -> str:
        token = self.peek()
        check(bool(token) and expected in ("", token))
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
        check(token != "<" or self.peek(-1) == ">")
        while self.peek() in ("*", "(", "addrspace"):
            if self.peek() == "*":
                text += self.take()
            else:
                text += " " + (self.balanced() if self.peek() == "(" else self.take())
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
    """Read an instruction, which is a line; UnknownCodeError if it is not known."""
    tokens = Tokens(text)
    result = ""
    if tokens.peek(1) == "=":
        result = tokens.take()
        tokens.take("=")
    before = tokens.while_in(TAILS)
    opcode = tokens.take()
    if opcode not in FORMS:
        raise UnknownCodeError(f"has instructions that are not known, such as {opcode}")
    made = Instruction(opcode, result, before)
    for part in FORMS[opcode].split():
        if part in _READERS:
            _READERS[part](tokens, made)
        else:
            tokens.take(part)
    made.rest = tokens.rest()
    return made


def _written(made: Instruction) -> str:
    """Return what follows the opcode and the flags of an instruction."""
    operands, labels, text = zip(made.types, made.operands, strict=True), iter(made.labels), ""
    for part in FORMS[made.opcode].split():
        piece = _WRITERS[part](made, operands, labels) if part in _WRITERS else part
        text += f" {piece}" if piece and not piece.startswith(",") else piece
    return text


def _read_operand(tokens: Tokens, made: Instruction, type_: str = "") -> None:
    made.types.append(type_ or tokens.type())
    tokens.attributes()
    made.operands.append(tokens.value())


def _read_flags(tokens: Tokens, made: Instruction) -> None:
    made.flags += tokens.while_in(FLAGS)


def _read_operands(tokens: Tokens, made: Instruction) -> None:
    while tokens.peek() == "," and not tokens.peek(1).startswith("!"):
        tokens.take()
        _read_operand(tokens, made)


def _read_callee(tokens: Tokens, made: Instruction) -> None:
    made.callee = tokens.value()
    tokens.take("(")
    while not tokens.has(")"):
        if made.operands:
            tokens.take(",")
        _read_operand(tokens, made)


def _read_label(tokens: Tokens, made: Instruction) -> None:
    tokens.take("label")
    made.labels.append(tokens.take())


def _read_jump(tokens: Tokens, made: Instruction) -> None:
    if tokens.peek() != "label":
        _read_operand(tokens, made)
        tokens.take(",")
        _read_label(tokens, made)
        tokens.take(",")
    _read_label(tokens, made)


def _read_cases(tokens: Tokens, made: Instruction) -> None:
    while tokens.peek() != "]":
        _read_operand(tokens, made)
        tokens.take(",")
        _read_label(tokens, made)


def _read_returned(tokens: Tokens, made: Instruction) -> None:
    if made.type != "void":
        _read_operand(tokens, made, made.type)


def _read_incoming(tokens: Tokens, made: Instruction) -> None:
    while not made.labels or tokens.has(","):
        tokens.take("[")
        _read_operand(tokens, made, made.type)
        tokens.take(",")
        made.labels.append(tokens.take())
        tokens.take("]")


_READERS: dict[str, Callable[[Tokens, Instruction], None]] = {
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


def uses_of(name: str, code: bytes) -> list[Instruction]:
    """Return the instructions that have a value as an operand; UnknownCodeError if the form of one is not known."""
    mention = re.compile(re.escape(name.encode()) + rb"(?![\w.$-])")
    lines = [line for line in code.split(b"\n") if mention.search(line)]
    return [made for made in instructions_with(b"\n".join(lines)) if name in made.operands or name == made.callee]


def instructions_with(code: bytes, *words: bytes) -> Iterator[Instruction]:
    """Yield the instructions in whose lines all words occur; UnknownCodeError if the form of one is not known."""
    for line in code.split(b"\n"):
        if line and all(word in line for word in words) and not OUTSIDE.match(line):
            yield _read(line)


def changed(code: bytes, change: Callable[[Instruction], str], *words: bytes) -> bytes:
    """Replace instructions among those with these words by what `change` returns, if anything."""
    lines = code.split(b"\n")
    for i, line in enumerate(lines):
        for made in instructions_with(line, *words):
            lines[i] = change(made).encode("latin-1") or line
    return b"\n".join(lines)


@lru_cache(10_000)  # kernels have many in common
def _read(line: bytes) -> Instruction:
    return read_instruction(line.decode("latin-1"))


def without_number(type_: str) -> str:
    """Return the name of a type without the number that the compiler adds."""
    return type_.rstrip(".0123456789")
