"""The arrays that the LLVM code of a kernel for a CPU only reads.

Every address to which the code might write is followed back to where it comes from: a local variable, the runtime's
memory, or the data pointer of an array in the argument struct. Code of another form might write to any array.
"""

from __future__ import annotations

from collections.abc import Iterator

from ._instructions import Instruction, Tokens, UnknownCodeError, check, instructions_with, without_number
from ._ir import CONTEXT, RUNTIME, functions_of

WRITING = (b" store ", b" atomicrmw ", b" cmpxchg ", b" call ", b" ptrtoint ", b" ret ")  # or keep an address
DATA = ("1", "2")  # the members of an array's struct: its data, and that of its gradient
ARGUMENTS = "0"  # the member of a context
STRUCTS = (CONTEXT, RUNTIME)  # which have no addresses of arrays, but for that member
FOLLOWED = ("load", "getelementptr", "bitcast", "phi", "select")


def written_arguments(code: bytes) -> frozenset[int] | None:
    """Return the arguments whose arrays the code might write to; None if it might write to any."""
    try:
        return frozenset(
            number for function in functions_of(code).values() for number in _Function(function.body).written()
        )
    except UnknownCodeError:
        return None


class _Function:
    """A function of the code."""

    def __init__(self, body: bytes) -> None:
        self._lines = body.split(b"\n")
        halves = (line.strip().partition(b" = ") for line in self._lines)
        self._definitions = {name.decode("latin-1"): b"  " + name + b" = " + text for name, _, text in halves if text}

    def written(self) -> Iterator[int]:
        for line in self._lines:
            if any(word in line for word in WRITING):
                for value in _addresses(line):
                    yield from self._sources(value, set())

    def _made(self, value: str) -> Instruction | None:
        """The instruction that makes a value; None for parameters and constants."""
        line = self._definitions.get(value)
        return None if line is None else next(instructions_with(line))

    def _sources(self, value: str, seen: set[str], *, is_loaded: bool = False) -> set[int]:
        """The arrays in which an address might be, by the numbers of their arguments.

        Addresses are loaded only of known structs, if the value is that of one that is loaded (`is_loaded`).
        """
        made = self._made(value)
        if value in seen:
            return set()
        seen.add(value)
        if made is None or made.opcode == "alloca":
            check(not is_loaded and not value.startswith(("inttoptr", "<", "{")))
            return set()
        check(made.opcode in FOLLOWED and not made.type.startswith("{"))
        struct = without_number(made.type.rstrip("*"))
        if made.opcode == "load":
            return set() if struct in STRUCTS or "(" in made.type else self._loaded(made.operands[0], seen)
        if made.opcode == "getelementptr" and struct in STRUCTS:
            check(not self._is_of_arguments(made))
            return set()
        followed = made.operands[:1] if made.opcode == "getelementptr" else made.operands[made.opcode == "select" :]
        return set[int]().union(*(self._sources(each, seen, is_loaded=is_loaded) for each in followed))

    def _loaded(self, place: str, seen: set[str]) -> set[int]:
        """The arrays in which an address might be that is at another."""
        made = self._made(place)
        if made is not None and made.opcode in ("phi", "select") and place not in seen:
            seen.add(place)
            places = made.operands[made.opcode == "select" :]
            return set[int]().union(*(self._loaded(each, seen) for each in places))
        if made is None or made.opcode != "getelementptr" or not made.type.startswith("{"):
            check(made is not None and not self._is_of_arguments(made))
            return self._sources(place, seen, is_loaded=True)
        base, first, number, *member = made.operands
        arguments = self._made(base)
        check(first == "0" and len(member) == 1 and member[0] in DATA)
        check(arguments is not None and arguments.opcode == "load")
        check(arguments is not None and self._is_of_arguments(self._made(arguments.operands[0])))
        return {int(number)}

    def _is_of_arguments(self, made: Instruction | None) -> bool:
        """Whether an instruction makes the address of a context's member that is the address of the arguments."""
        if made is None or made.opcode not in ("bitcast", "getelementptr"):
            return False
        struct = without_number(made.types[0].removesuffix("*"))
        return struct == CONTEXT and (made.opcode == "bitcast" or made.operands[2:3] in ([], [ARGUMENTS]))


def _addresses(line: bytes) -> Iterator[str]:
    """The addresses that an instruction takes."""
    _, exchange, after = line.decode("latin-1").partition(" cmpxchg ")
    if exchange:
        tokens = Tokens(after)
        tokens.while_in(("weak", "volatile"))
        check(tokens.type().endswith("*"))
        yield tokens.value()
        return
    for made in instructions_with(line):
        yield from (value for type_, value in zip(made.types, made.operands, strict=True) if "*" in type_)
