"""Atomic operations of floats by instructions of devices that have them, in place of loops."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from ...adopt.spirv._atomics import ALIASED, FMA, Exchange, find_exchanges, replace
from ...adopt.spirv._editor import BINDING, STORAGE_BUFFER, Instruction, Op, Shader
from ...bundle._info import DEVICE_CAPABILITIES

F_MIN, F_MAX = 37, 40  # of GLSL's extended instructions
ARRAY_STRIDE = 6
ADD, ADD_HALF, MIN_MAX = "float_add", "float16_add", "float_min_max"
# The instructions by what a loop computes, and the capabilities by the instruction and the bits of the floats.
ATOMIC = {
    **dict.fromkeys((Op.F_ADD, Op.F_SUB, FMA), Op.ATOMIC_F_ADD),
    F_MIN: Op.ATOMIC_F_MIN,
    F_MAX: Op.ATOMIC_F_MAX,
}
CAPABILITIES = {
    (Op.ATOMIC_F_ADD, 16): (6095, ADD_HALF),
    (Op.ATOMIC_F_ADD, 32): (6033, ADD),
    (Op.ATOMIC_F_ADD, 64): (6034, ADD),
    **{(op, 16): (5616, MIN_MAX) for op in (Op.ATOMIC_F_MIN, Op.ATOMIC_F_MAX)},
    **{(op, 32): (5612, MIN_MAX) for op in (Op.ATOMIC_F_MIN, Op.ATOMIC_F_MAX)},
    **{(op, 64): (5613, MIN_MAX) for op in (Op.ATOMIC_F_MIN, Op.ATOMIC_F_MAX)},
}


class Native(NamedTuple):
    """An instruction for a loop."""

    exchange: Exchange
    op: Op
    type: int
    capability: int
    extension: str


def native_capabilities(shader: Shader) -> set[int]:
    """The capabilities of the instructions that a shader could use in place of loops."""
    return {each.capability for each in _natives(shader)}


def use_native_atomics(shader: Shader, capabilities: Collection[int]) -> None:
    """Use the instructions that these capabilities have."""
    variables: dict[tuple[int, int], int] = {}  # of floats, by those of integers and the type
    for each in _natives(shader):
        if each.capability in capabilities:
            shader.require(each.capability, extension=f"SPV_EXT_shader_atomic_{each.extension}")
            _use(shader, each, variables)
    shader.forget()


def names_of(capabilities: Collection[int]) -> tuple[str, ...]:
    """The package's names of capabilities of a device."""
    return tuple(sorted(DEVICE_CAPABILITIES[each].name.lower() for each in capabilities))


def _natives(shader: Shader) -> list[Native]:
    definitions, found = shader.definitions, list[Native]()
    for each in find_exchanges(shader):
        op = ATOMIC.get(each.form)
        type_ = 0 if op is None else definitions[each.values[0]].type or 0
        stated = None if op is None else CAPABILITIES.get((op, definitions[type_].operands[1]))
        pointer = definitions[each.pointer]
        is_buffer = pointer.op == Op.ACCESS_CHAIN and definitions[pointer.operands[2]].op == Op.VARIABLE
        if op is not None and stated is not None and is_buffer:
            found.append(Native(each, op, type_, *stated))
    return found


def _use(shader: Shader, native: Native, variables: dict[tuple[int, int], int]) -> None:
    exchange, definitions = native.exchange, shader.definitions
    pointer = definitions[exchange.pointer]
    base = pointer.operands[2]
    if (base, native.type) not in variables:
        variables[base, native.type] = _alias(shader, base, native.type, definitions)
    at, added, old = shader.new_id(), shader.new_id(), shader.new_id()
    first, value = list[Instruction](), exchange.values[0]
    if exchange.form in (FMA, Op.F_SUB):
        value = shader.new_id()
        op = Op.F_MUL if exchange.form == FMA else Op.F_NEGATE
        first = [Instruction(op, native.type, value, *exchange.values)]
    type_ = shader.pointer(STORAGE_BUFFER, native.type)
    code = [
        *first,
        Instruction(Op.ACCESS_CHAIN, type_, at, variables[base, native.type], *pointer.operands[3:]),
        Instruction(native.op, native.type, added, at, *exchange.exchange.operands[3:5], value),
        Instruction(Op.BITCAST, exchange.exchange.operands[0], old, added),
    ]
    stores = [each for each in exchange.body.body if each.op == Op.STORE]
    for result in (exchange.result, exchange.load.operands[1]):
        shader.replace(result, old)
    casts = [each for each in exchange.body.body if each.op == Op.BITCAST and each.operands[2] == old]
    replace(shader, exchange, [*code, *stores, *casts])


def _alias(shader: Shader, base: int, type_: int, definitions: dict[int, Instruction]) -> int:
    """Return a variable of floats for the buffer of a variable of integers."""
    struct = definitions[definitions[definitions[base].operands[0]].operands[2]]
    stride = shader.decorations(ARRAY_STRIDE)[struct.operands[1]][0]
    made = shader.buffer(shader.decorations(BINDING)[base][0], type_, stride, ALIASED)
    if base not in shader.decorations(ALIASED):
        shader.decorate(base, ALIASED)
    return made
