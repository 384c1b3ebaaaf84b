"""Numbers in LLVM IR: code that computes the same bits on every CPU, unless the option ``math`` lets them differ.

Expressions of f64 numbers become instructions, one for each operator. None has a flag that lets LLVM round in another
way. Three things that LLVM leaves to the CPU are written out:

- **Casts of floats to integers** that do not have the number. Instructions differ there: those of AVX-512 from older
  ones, those for vectors from scalar ones, and those of arm64 from all. Every cast becomes one to i32 or i64, of which
  the lowest bits are taken. That one gives the smallest integer if it is out of range, as on x86-64.
- **Half precision** without instructions for it. LLVM calls functions of the compiler's runtime library, which a system
  need not have. Those here round to the nearest number, to even in ties, as the instructions do.
- **Sums over a loop.** The compiler's tasks add their parts by atomic operations when they end, in whatever order that
  is. Here each keeps its part in a place of its own, and the caller adds them in the order of the tasks.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ...adopt.llvm._instructions import TOKEN, read_instruction

if TYPE_CHECKING:
    from .._options import Math


class Licence(NamedTuple):
    """What machine code may do with floats."""

    has_functions: bool  # whether mathematical functions are those of `_functions`, not of the system's ``libm``
    keeps_order: bool  # whether the terms of sums over a loop stay in their order
    # Whether each kind of CPU may have an order of its own, and a multiplication and an addition become one
    # instruction, with one rounding.
    reorders: bool

    def applied(self, text: str) -> str:
        """Return code with the flags of instructions that this licence gives."""
        lines = text.splitlines()
        return "\n".join(self._line(line) if line.startswith("  ") else line for line in lines)

    def _line(self, line: str) -> str:
        if not self.reorders:
            return line.replace(" reassoc ", " ").replace(" afn ", " ")  # which lets square roots be approximations
        for opcode in ("fadd", "fsub", "fmul"):
            line = line.replace(f" = {opcode} ", f" = {opcode} contract ")
        return line


LICENCES: dict[Math, Licence] = {
    "exact": Licence(has_functions=False, keeps_order=True, reorders=False),
    "default": Licence(has_functions=True, keeps_order=False, reorders=False),
    "fast": Licence(has_functions=True, keeps_order=False, reorders=True),
}


# Expressions.


MAGIC = 1.5 * 2**52  # plus a number: rounds to an integer, which the lowest bits of the sum have
BIAS = 1023  # of the exponent in the bits of a number
FLOATS = ("double", "float")
INTRINSICS = {"fabs": 1, "rint": 1, "sqrt": 1, "copysign": 2, "fma": 3}  # with their numbers of parameters


class Body(NamedTuple):
    """The instructions of a function so far."""

    lines: list[str]
    has_fma: bool  # whether the CPU has an instruction that multiplies, adds, and then rounds
    lanes: int = 0  # the number of elements if values are vectors, else 0
    prefix: str = "v"  # of the names of values

    def type(self, element: str) -> str:
        return f"<{self.lanes} x {element}>" if self.lanes else element

    def add(self, text: str) -> str:
        """Add an instruction; return the name of its value."""
        name = f"%{self.prefix}{len(self.lines)}"
        self.lines.append(f"  {name} = {text}\n")
        return name

    def intrinsic(self, name: str) -> str:
        return f"@llvm.{name}.{f'v{self.lanes}' if self.lanes else ''}f64"

    def declarations(self) -> str:
        """Return the declarations of the functions that values call."""
        double = self.type("double")
        return "".join(
            f"declare {double} {self.intrinsic(name)}({', '.join([double] * count)})\n"
            for name, count in INTRINSICS.items()
        )


def constant(number: float) -> str:
    """Return a number of f64 in LLVM IR, to the last bit."""
    return f"0x{struct.pack('>d', number).hex().upper()}"


def _operator(opcode: str) -> Callable[[Value, Value | float], Value]:
    def operate(one: Value, other: Value | float) -> Value:
        prefix = "f" if one.element in FLOATS and opcode in ("add", "sub", "mul", "div") else ""
        return one.add(f"{prefix}{opcode} {one.type} {one.name}, {one.named(other)}", one.element)

    return operate


def _comparison(condition: str) -> Callable[[Value, Value | float], Value]:
    return lambda one, other: one.add(f"fcmp {condition} {one.type} {one.name}, {one.named(other)}", "i1")


class Value:
    """A value in a function, or a vector of values: a number (``double``), its bits (``i64``), a condition (``i1``).

    Casts also have numbers of ``float`` and ``i32``.
    """

    def __init__(self, body: Body, name: str, element: str = "double") -> None:
        self.body, self.name, self.element, self.type = body, name, element, body.type(element)

    __add__ = _operator("add")
    __sub__ = _operator("sub")
    __mul__ = _operator("mul")
    __truediv__ = _operator("div")
    __floordiv__ = _operator("udiv")  # of bits, as an integer
    __and__ = _operator("and")
    __or__ = _operator("or")
    __xor__ = _operator("xor")
    __lshift__ = _operator("shl")
    __rshift__ = _operator("lshr")
    __lt__ = _comparison("olt")
    __gt__ = _comparison("ogt")
    __ge__ = _comparison("oge")
    equals = _comparison("oeq")
    differs = _comparison("une")  # NaN differs from all

    def __rsub__(self, other: float) -> Value:
        return self.same(other) - self

    def __rtruediv__(self, other: float) -> Value:
        return self.same(other) / self

    def __neg__(self) -> Value:
        return self.add(f"fneg {self.type} {self.name}")

    def then(self, one: Value | float, other: Value | float) -> Value:
        """Return one number if this condition holds, else the other."""
        element = next((each.element for each in (one, other) if isinstance(each, Value)), "double")
        type_, of_type = self.body.type(element), Value(self.body, "", element)
        text = f"select {self.type} {self.name}, {type_} {of_type.named(one)}, {type_} {of_type.named(other)}"
        return self.add(text, element)

    def bits(self) -> Value:
        return self.cast("bitcast", "i64")

    def number(self) -> Value:
        """Return the number that has these bits."""
        return self.cast("bitcast", "double")

    def signs(self) -> Value:
        """Return bits that are all the highest one of these."""
        return self.add(f"ashr {self.type} {self.name}, {self.named(63)}", self.element)

    def is_odd(self) -> Value:
        """Return whether the lowest of these bits is 1."""
        return self.cast("trunc", "i1")

    def is_negative(self) -> Value:
        """Return whether the sign is negative; that of -0.0 is."""
        return (self.bits() >> 63).is_odd()

    def absolute(self) -> Value:
        return self.call("fabs")

    def nearest(self) -> Value:
        """Return the nearest integer, the even one of two."""
        return self.call("rint")

    def square_root(self) -> Value:
        return self.call("sqrt")

    def with_sign(self, other: Value) -> Value:
        return self.call("copysign", other)

    def within(self, low: float, high: float) -> Value:
        """Return the number, or the nearest of these limits; NaN stays."""
        low_or_more = (self < low).then(low, self)
        return (low_or_more > high).then(high, low_or_more)

    def same(self, number: float) -> Value:
        return Value(self.body, self.named(number))

    def add(self, text: str, element: str = "double") -> Value:
        return Value(self.body, self.body.add(text), element)

    def call(self, function: str, *others: Value | float) -> Value:
        arguments = ", ".join(f"{self.type} {self.named(each)}" for each in (self, *others))
        return self.add(f"call {self.type} {self.body.intrinsic(function)}({arguments})")

    def cast(self, opcode: str, element: str) -> Value:
        return self.add(f"{opcode} {self.type} {self.name} to {self.body.type(element)}", element)

    def named(self, value: Value | float) -> str:
        """Return the name of another operand in an instruction with this one."""
        if isinstance(value, Value):
            return value.name
        text = constant(value) if self.element in FLOATS else str(value)
        return f"<{', '.join([f'{self.element} {text}'] * self.body.lanes)}>" if self.body.lanes else text


def polynomial(coefficients: Sequence[float], x: Value) -> Value:
    """Return the value of a polynomial, whose constant term is the first coefficient.

    Pairs of terms are computed side by side, because in a chain each addition waits for the one before. The constant
    term, which is the largest, is added last, so that only one number of its size is rounded.
    """
    first, *others = coefficients
    terms: list[Value | float] = [*others]
    power = x
    while len(terms) > 1:
        pairs = [power * terms[i + 1] + terms[i] for i in range(0, len(terms) - 1, 2)]
        terms = [*pairs, *terms[2 * len(pairs) :]]
        power *= power
    return x * terms[0] + first


def rounded(x: Value) -> tuple[Value, Value]:
    """Return the nearest integer to a number below 2^51, and bits whose lowest ones are those of the integer."""
    shifted = x + MAGIC
    return shifted - MAGIC, shifted.bits()


def power_of_two(bits: Value) -> Value:
    """Return 2 to the power of an integer from -1022 to 1023, whose bits `rounded` returned."""
    return ((bits + BIAS) << 52).number()


def two_sum(x: Value, y: Value | float) -> tuple[Value, Value]:
    """Return a sum, and exactly what its rounding dropped."""
    result = x + y
    part = result - x
    return result, (x - (result - part)) + (y - part)


def small_sum(large: Value, small: Value) -> tuple[Value, Value]:
    """Return the same as `two_sum`, where the first number is 0, or the absolute value of the second is not larger."""
    result = large + small
    return result, small - (result - large)


def two_product(x: Value, y: Value) -> tuple[Value, Value]:
    """Return a product, and exactly what its rounding dropped.

    Neither number may be above 2^995. The product has to be above 2^-960, or what is dropped is less than 2^-1074.
    """
    result = x * y
    if x.body.has_fma:
        return result, x.call("fma", y, -result)
    (high, low), (other, other_low) = halves_of(x), halves_of(y)
    return result, ((high * other - result) + high * other_low + low * other) + low * other_low


def less_product(x: Value, y: Value, factor: float) -> Value:
    """Return x - y * factor, where the product is exact, so that one instruction rounds as two do."""
    return y.call("fma", -factor, x) if x.body.has_fma else x - y * factor


def halves_of(x: Value) -> tuple[Value, Value]:
    """Return two numbers of at most 26 bits whose sum is `x`."""
    scaled = x * (2.0**27 + 1)
    high = scaled - (scaled - x)
    return high, x - high


def divided(high: Value, low: Value | float, divisor: Value, divisor_low: Value) -> tuple[Value, Value]:
    """Return the quotient of two sums as the nearest number and one for the rest."""
    inverse = 1.0 / divisor
    result = high * inverse
    product, error = two_product(result, divisor)
    more = ((high - product) - error + low - result * divisor_low) * inverse
    return small_sum(result, more)


# Casts.


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
    """Return the type of a number, and how many a vector of them has, or 0."""
    lanes, _, element = str(type_).strip("<>").rpartition(" x ")
    return element, int(lanes or 0)


def _defined(cast: Any, line: str, *, checked: bool) -> list[str]:
    """Write instructions, the last of which has the name of the cast that they replace."""
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


# Half precision.


HALF = """
define linkonce_odr hidden float @__extendhfsf2(half %value) nounwind section ".text.taichi_aot.half" {
  %short = bitcast half %value to i16
  %bits = zext i16 %short to i32
  %sign_bit = and i32 %bits, 32768
  %sign = shl i32 %sign_bit, 16
  %magnitude = and i32 %bits, 32767
  %is_special = icmp uge i32 %magnitude, 31744
  %is_nan = icmp ugt i32 %magnitude, 31744
  %is_small = icmp ult i32 %magnitude, 1024
  %shifted = shl i32 %magnitude, 13
  %normal = add i32 %shifted, 939524096
  %quiet = select i1 %is_nan, i32 2143289344, i32 2139095040
  %special = or i32 %shifted, %quiet
  %count = uitofp i32 %magnitude to float
  %scaled = fmul float %count, 0x3E70000000000000
  %small = bitcast float %scaled to i32
  %finite = select i1 %is_small, i32 %small, i32 %normal
  %result = select i1 %is_special, i32 %special, i32 %finite
  %signed = or i32 %result, %sign
  %float = bitcast i32 %signed to float
  ret float %float
}

define linkonce_odr hidden half @__truncsfhf2(float %value) nounwind section ".text.taichi_aot.half" {
  %bits = bitcast float %value to i32
  %high = lshr i32 %bits, 16
  %sign = and i32 %high, 32768
  %magnitude = and i32 %bits, 2147483647
  %is_large = icmp uge i32 %magnitude, 1199570944
  %is_nan = icmp ugt i32 %magnitude, 2139095040
  %is_small = icmp ult i32 %magnitude, 947912704
  %payload_bits = lshr i32 %magnitude, 13
  %payload = and i32 %payload_bits, 1023
  %nan = or i32 %payload, 32256
  %large = select i1 %is_nan, i32 %nan, i32 31744
  %float = bitcast i32 %magnitude to float
  %sum = fadd float %float, 5.000000e-01
  %sum_bits = bitcast float %sum to i32
  %small = sub i32 %sum_bits, 1056964608
  %odd = and i32 %payload_bits, 1
  %biased = add i32 %magnitude, 3355447295
  %rounded = add i32 %biased, %odd
  %normal = lshr i32 %rounded, 13
  %finite = select i1 %is_small, i32 %small, i32 %normal
  %result = select i1 %is_large, i32 %large, i32 %finite
  %signed = or i32 %result, %sign
  %short = trunc i32 %signed to i16
  %half = bitcast i16 %short to half
  ret half %half
}

@llvm.compiler.used = appending global [2 x i8*] [
  i8* bitcast (float (half)* @__extendhfsf2 to i8*),
  i8* bitcast (half (float)* @__truncsfhf2 to i8*)
], section "llvm.metadata"
"""


# Sums over a loop.


# The runtime's task of a loop gets the loop's struct: the address of the context, three functions (before a task's
# elements, for one, and after them) and the bytes of the memory that these share, at 32. What is passed in its place
# begins with its address; the parts follow. The context's last two members, which the code of compilers does not use,
# tell the function after the elements where to keep the part, and its size.
CODE = """
%struct.context = type { i8*, i8*, i32, i8*, i32, i64, i8* }
%struct.loop = type { %struct.context*, i8*, i8*, void (%struct.context*, i8*)*, i64, i32, i32, i32, i32 }
define i64 @taichi_aot.parts.size(i8* %loop) nounwind {
  %loop.q = bitcast i8* %loop to %struct.loop*
  %size.p = getelementptr inbounds %struct.loop, %struct.loop* %loop.q, i64 0, i32 4
  %size = load i64, i64* %size.p, align 8
  %up = add i64 %size, 7
  %whole = and i64 %up, -8
  ret i64 %whole
}
define i64 @taichi_aot.parts.bytes(i8* %loop, i32 %tasks) nounwind {
  %size = call i64 @taichi_aot.parts.size(i8* %loop)
  %count = zext i32 %tasks to i64
  %all = mul i64 %size, %count
  %bytes = add i64 %all, 8
  ret i64 %bytes
}
define i8* @taichi_aot.parts.at(i8* %parts, i64 %size, i32 %task) nounwind {
  %number = zext i32 %task to i64
  %before = mul i64 %size, %number
  %offset = add i64 %before, 8
  %part = getelementptr inbounds i8, i8* %parts, i64 %offset
  ret i8* %part
}
define void @taichi_aot.parts.keep(%struct.context* %context, i8* %own) nounwind {
  %size.p = getelementptr inbounds %struct.context, %struct.context* %context, i64 0, i32 5
  %part.p = getelementptr inbounds %struct.context, %struct.context* %context, i64 0, i32 6
  %size = load i64, i64* %size.p, align 8
  %part = load i8*, i8** %part.p, align 8
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 8 %part, i8* align 8 %own, i64 %size, i1 false)
  ret void
}
define void @taichi_aot.parts.task(i8* %parts, i32 %thread, i32 %task) nounwind {
  %own = alloca %struct.context, align 8
  %copy = alloca %struct.loop, align 8
  %loop.q = bitcast i8* %parts to %struct.loop**
  %loop = load %struct.loop*, %struct.loop** %loop.q, align 8
  %context.p = getelementptr inbounds %struct.loop, %struct.loop* %loop, i64 0, i32 0
  %context = load %struct.context*, %struct.context** %context.p, align 8
  %bytes.p = getelementptr inbounds %struct.loop, %struct.loop* %loop, i64 0, i32 4
  %bytes = load i64, i64* %bytes.p, align 8
  %loop.b = bitcast %struct.loop* %loop to i8*
  %size = call i64 @taichi_aot.parts.size(i8* %loop.b)
  %part = call i8* @taichi_aot.parts.at(i8* %parts, i64 %size, i32 %task)
  %context.b = bitcast %struct.context* %context to i8*
  %own.b = bitcast %struct.context* %own to i8*
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 8 %own.b, i8* align 8 %context.b, i64 56, i1 false)
  %own.size = getelementptr inbounds %struct.context, %struct.context* %own, i64 0, i32 5
  store i64 %bytes, i64* %own.size, align 8
  %own.part = getelementptr inbounds %struct.context, %struct.context* %own, i64 0, i32 6
  store i8* %part, i8** %own.part, align 8
  %copy.b = bitcast %struct.loop* %copy to i8*
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 8 %copy.b, i8* align 8 %loop.b, i64 56, i1 false)
  %copy.context = getelementptr inbounds %struct.loop, %struct.loop* %copy, i64 0, i32 0
  store %struct.context* %own, %struct.context** %copy.context, align 8
  %copy.after = getelementptr inbounds %struct.loop, %struct.loop* %copy, i64 0, i32 3
  store void (%struct.context*, i8*)* @taichi_aot.parts.keep, void (%struct.context*, i8*)** %copy.after, align 8
  call void @TASK(i8* %copy.b, i32 %thread, i32 %task)
  %failed.p = getelementptr inbounds %struct.context, %struct.context* %own, i64 0, i32 4
  %failed = load i32, i32* %failed.p, align 8
  %has.failed = icmp ne i32 %failed, 0
  br i1 %has.failed, label %fail, label %done
fail:
  %all.failed = getelementptr inbounds %struct.context, %struct.context* %context, i64 0, i32 4
  store i32 %failed, i32* %all.failed, align 8
  br label %done
done:
  ret void
}
define void @taichi_aot.parts.add(i8* %parts, i32 %tasks) nounwind {
start:
  %loop.q = bitcast i8* %parts to %struct.loop**
  %loop = load %struct.loop*, %struct.loop** %loop.q, align 8
  %loop.b = bitcast %struct.loop* %loop to i8*
  %size = call i64 @taichi_aot.parts.size(i8* %loop.b)
  %members = load %struct.loop, %struct.loop* %loop, align 8
  %context = extractvalue %struct.loop %members, 0
  %after = extractvalue %struct.loop %members, 3
  %failed.p = getelementptr inbounds %struct.context, %struct.context* %context, i64 0, i32 4
  %failed = load i32, i32* %failed.p, align 8
  %holds = icmp eq i32 %failed, 0
  %has.parts = icmp ne void (%struct.context*, i8*)* %after, null
  %adds = and i1 %holds, %has.parts
  br i1 %adds, label %each, label %done
each:
  %task = phi i32 [ 0, %start ], [ %next, %each ]
  %part = call i8* @taichi_aot.parts.at(i8* %parts, i64 %size, i32 %task)
  call void %after(%struct.context* %context, i8* %part)
  %next = add i32 %task, 1
  %more = icmp slt i32 %next, %tasks
  br i1 %more, label %each, label %done
done:
  ret void
}
declare void @TASK(i8*, i32, i32)
declare void @llvm.memcpy.p0i8.p0i8.i64(i8*, i8*, i64, i1)
"""
DECLARED = """
declare i64 @taichi_aot.parts.bytes(i8*, i32)
declare void @taichi_aot.parts.task(i8*, i32, i32)
declare void @taichi_aot.parts.add(i8*, i32)
"""


def with_ordered_sums(llvm: Any, module: Any, task: str) -> Any:
    """Return a module in which loops add the parts of sums in order; `task` is the name of the runtime's function."""
    defined = {f"@{each.name}": each for each in module.functions if not each.is_declaration}
    changes: dict[str, str] = {}
    for own, function in defined.items():
        text = str(function)
        calls = [line for line in text.splitlines() if f"@{task}" in line and not line.startswith("define ")]
        # One that has no sums names the function for an element only.
        if len(calls) == 1 and len(defined.keys() & set(TOKEN.findall(text)) - {own, f"@{task}"}) > 1:
            changes[text] = text.replace(calls[0], _ordered(calls[0]))
    if not changes:
        return module
    code = str(module)
    for old, new in changes.items():
        assert code.count(old) == 1
        code = code.replace(old, new)
    found = llvm.parse_assembly(code + DECLARED)
    found.link_in(llvm.parse_assembly(CODE.replace("TASK", task)))
    return found


def _ordered(call: str) -> str:
    """Write the call that starts the tasks of a loop, with room for their parts, which are added after it."""
    made = read_instruction(call)
    _, tasks, _, loop, _ = made.operands
    made.operands[3:] = ["%parts", "@taichi_aot.parts.task"]
    return f"""\
  %parts.bytes = call i64 @taichi_aot.parts.bytes(i8* {loop}, i32 {tasks})
  %parts = alloca i8, i64 %parts.bytes, align 16
  %parts.loop = bitcast i8* %parts to i8**
  store i8* {loop}, i8** %parts.loop, align 8
{made}
  call void @taichi_aot.parts.add(i8* %parts, i32 {tasks})"""
