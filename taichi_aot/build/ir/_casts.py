"""Casts of floats to integers that give the same bits on every CPU, in LLVM IR.

LLVM leaves open what a cast gives for a number that the integer type does not have. Instructions differ there: those of
AVX-512 from older ones, those for vectors from scalar ones, and those of arm64 from all. So every cast becomes one to
i32 or i64, of which the lowest bits are taken. That one gives the smallest integer if it is out of range, as on x86-64.
"""

from __future__ import annotations

from typing import Any

from ._numbers import Body, Value

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


def _parse(type_: Any) -> tuple[str, int]:
    """The type of a number, and how many a vector of them has, or 0."""
    lanes, _, element = str(type_).strip("<>").rpartition(" x ")
    return element, int(lanes or 0)


def _defined(cast: Any, line: str, *, checked: bool) -> list[str]:
    """Instructions, the last of which has the name of the cast that they replace."""
    (operand,) = cast.operands
    (source, lanes), (target, _) = _parse(operand.type), _parse(cast.type)
    text = line.removeprefix(f"  %{cast.name} = {cast.opcode} {operand.type} ").rpartition(f" to {cast.type}")[0]
    body = Body([], has_fma=False, lanes=lanes, prefix=f"{cast.name}.")
    value = Value(body, text, source)
    if source == "half":
        value = value.cast("fpext", "float")
    bits, is_unsigned = int(target.removeprefix("i")), cast.opcode == UNSIGNED
    if is_unsigned and bits == 64:
        result = _cast_to_u64(value, checked=checked)
    else:
        wide = "i32" if bits + is_unsigned <= 32 else "i64"
        result = _cast(value, wide, checked=checked)
        if wide != target:
            result = result.cast("trunc", target)
    *others, last = (line.rstrip() for line in body.lines)
    return [*others, last.replace(result.name, f"%{cast.name}", 1)]


def _cast(value: Value, target: str, *, checked: bool) -> Value:
    """Cast to i32 or i64; the smallest integer if the number is out of range."""
    result = value.cast("fptosi", target)
    if not checked:
        return result
    end = 1 << int(target.removeprefix("i")) - 1
    return ((value < end) & (value >= -end)).then(result, -end)


def _cast_to_u64(value: Value, *, checked: bool) -> Value:
    """Cast to u64; 2^63 if the number is out of the ranges of u64 and i64."""
    small = _cast(value, "i64", checked=checked)
    large = _cast(value - float(1 << 63), "i64", checked=checked)
    return small | (large & small.signs())
