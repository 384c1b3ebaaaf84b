"""Casts of floats to integers that give the same bits on every CPU, in LLVM IR.

LLVM leaves open what a cast gives for a number that the integer type does not have. Instructions differ there: those of
AVX-512 from older ones, those for vectors from scalar ones, and those of arm64 from all. So every cast becomes one to
i32 or i64, of which the lowest bits are taken. That one gives the smallest integer if it is out of range, as on x86-64.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ._numbers import constant

SIGNED, UNSIGNED = "fptosi", "fptoui"


def with_defined_casts(llvm: Any, module: Any, *, checked: bool) -> Any:
    """Return the module with casts that are defined; it is itself if it has no casts, and changed if it has any.

    If `checked`, instructions find out if a number is in the range of i32 or i64. On x86-64 the cast itself does.
    """
    casts: dict[str, Any] = {}
    for instruction in _casts_of(module):
        instruction.name = f"taichi_aot.cast.{len(casts)}"
        casts[f"  %{instruction.name}"] = instruction
    if not casts:
        return module
    lines: list[str] = []
    for line in str(module).splitlines():
        cast = casts.get(line.partition(" = ")[0])
        lines += [line] if cast is None else _defined(cast, line, checked=checked)
    return llvm.parse_assembly("\n".join(lines))


def _casts_of(module: Any) -> list[Any]:
    # Reading the instructions of a function takes long, and most functions have no casts.
    functions = [function for function in module.functions if " = fpto" in str(function)]
    instructions = [each for function in functions for block in function.blocks for each in block.instructions]
    return [each for each in instructions if each.opcode in (SIGNED, UNSIGNED)]


class _Type(NamedTuple):
    """A type of numbers, or of vectors of them."""

    element: str
    lanes: int

    def __str__(self) -> str:
        return f"<{self.lanes} x {self.element}>" if self.lanes else self.element

    @property
    def bits(self) -> int:
        """Of an integer."""
        return int(self.element.removeprefix("i"))

    def of(self, element: str) -> _Type:
        """Return the type of as many others."""
        return _Type(element, self.lanes)

    def constant(self, number: str) -> str:
        return f"<{', '.join([f'{self.element} {number}'] * self.lanes)}>" if self.lanes else number


def _parse(type_: Any) -> _Type:
    lanes, _, element = str(type_).strip("<>").rpartition(" x ")
    return _Type(element, int(lanes or 0))


class _Instructions:
    """Instructions, the last of which has the name of the cast that they replace."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._texts: list[str] = []

    def add(self, text: str) -> str:
        """Add one; return its value."""
        self._texts.append(text)
        return f"%{self._name}.{len(self._texts)}"

    def lines(self) -> list[str]:
        *others, last = self._texts
        return [*(f"  %{self._name}.{i} = {text}" for i, text in enumerate(others, 1)), f"  %{self._name} = {last}"]


def _defined(cast: Any, line: str, *, checked: bool) -> list[str]:
    (operand,) = cast.operands
    source, target, new = _parse(operand.type), _parse(cast.type), _Instructions(cast.name)
    value = line.removeprefix(f"  %{cast.name} = {cast.opcode} {source} ").rpartition(f" to {target}")[0]
    if source.element == "half":
        value = new.add(f"fpext {source} {value} to {source.of('float')}")
        source = source.of("float")
    is_unsigned = cast.opcode == UNSIGNED
    if is_unsigned and target.bits == 64:
        _cast_to_u64(new, source, value, target, checked=checked)
        return new.lines()
    wide = target.of("i32" if target.bits + is_unsigned <= 32 else "i64")
    result = _cast(new, source, value, wide, checked=checked)
    if wide != target:
        new.add(f"trunc {wide} {result} to {target}")
    return new.lines()


def _cast(new: _Instructions, source: _Type, value: str, target: _Type, *, checked: bool) -> str:
    """Add a cast to i32 or i64; the smallest integer if the number is out of range."""
    result = new.add(f"fptosi {source} {value} to {target}")
    if not checked:
        return result
    end, truth = 1 << target.bits - 1, source.of("i1")
    is_below_end = new.add(f"fcmp olt {source} {value}, {source.constant(constant(end))}")
    is_above_start = new.add(f"fcmp oge {source} {value}, {source.constant(constant(-end))}")
    is_within = new.add(f"and {truth} {is_below_end}, {is_above_start}")
    return new.add(f"select {truth} {is_within}, {target} {result}, {target} {target.constant(str(-end))}")


def _cast_to_u64(new: _Instructions, source: _Type, value: str, target: _Type, *, checked: bool) -> None:
    """Add a cast to u64; 2^63 if the number is out of the ranges of u64 and i64."""
    small = _cast(new, source, value, target, checked=checked)
    rest = new.add(f"fsub {source} {value}, {source.constant(constant(1 << 63))}")
    large = _cast(new, source, rest, target, checked=checked)
    is_negative = new.add(f"ashr {target} {small}, {target.constant('63')}")  # all bits
    kept = new.add(f"and {target} {large}, {is_negative}")
    new.add(f"or {target} {small}, {kept}")
