"""Random numbers of tasks on Vulkan that are the same in each run.

The compiler's code makes the state of a thread from its number and from the number of tasks that have drawn before,
which stands in the temporaries. Each thread reads this number and writes the next one, so a thread that begins late may
read what another has written. Here the last group that has read it writes the next one, and a word that a seed sets
changes all states::

    count = temporaries[COUNT]                   count = temporaries[COUNT]
    x = (thread + 7654321) * (count * ...)       x = (thread + 7654321) * (count * ...) ^ temporaries[SEED]
    temporaries[COUNT] = count + 1       ->      barrier()
                                                 if thread_of_group == 0:
                                                     if atomic_add(temporaries[GROUPS], 1) == groups - 1:
                                                         temporaries[COUNT], temporaries[GROUPS] = count + 1, 0
"""

from __future__ import annotations

from collections.abc import Collection

from ...adopt.spirv._editor import BINDING, INPUT, STORAGE_BUFFER, Instruction, Op, Shader
from ._emitter import Emitter

COUNT = 1024  # the word with the number of tasks that have drawn
SEED, GROUPS = (1 << 18) - 2, (1 << 18) - 1  # the last words of the temporaries, as `_c/vulkan/launch.c` has
NUM_WORKGROUPS, LOCAL_INVOCATION_INDEX = 24, 29
DEVICE, ACQUIRE_RELEASE_UNIFORM = 1, 0x48
MIXING = frozenset({Op.BITCAST, Op.I_ADD, Op.I_MUL})


def order_draws(shader: Shader, temporaries: Collection[int]) -> bool:
    """Order the count of a task that draws random numbers; return whether it is one.

    `temporaries`: the bindings of the temporaries.
    """
    first = shader.blocks[0]
    bound = {each for each, numbers in shader.decorations(BINDING).items() if numbers[0] in temporaries}
    pointers = {
        each.operands[1]: each.operands[2]
        for each in first.body
        if each.op == Op.ACCESS_CHAIN and each.operands[2] in bound
        if [shader.literal(index) for index in each.operands[3:]] == [0, COUNT]
    }
    stores = [i for i, each in enumerate(first.body) if each.op == Op.STORE and each.operands[0] in pointers]
    loads = [each for each in first.body if each.op == Op.LOAD and each.operands[2] in pointers]
    if len(stores) != 1 or not loads or loads[0].type != shader.int_type():
        return False
    (at,), count = stores, loads[0].operands[1]
    pointer, following = first.body[at].operands
    _mix_seed(shader, loads[0], pointers[pointer])
    at = next(i for i, each in enumerate(first.body) if each.op == Op.STORE and each.operands == [pointer, following])
    rest, others = first.body[at + 1 :], shader.blocks[1:]
    first.body, shader.blocks = first.body[:at], [first]
    code = Emitter(shader, first)
    group, groups = _number_of_group(code), _groups(code)
    waiting = code.at(STORAGE_BUFFER, code.uint, pointers[pointer], *_place(shader, GROUPS))
    code.barrier()
    with code.when(code.make(Op.I_EQUAL, code.bool, group, shader.uint(0))):
        scope, semantics = shader.uint(DEVICE), shader.uint(ACQUIRE_RELEASE_UNIFORM)
        done = code.make(Op.ATOMIC_I_ADD, code.uint, waiting, scope, semantics, shader.uint(1))
        is_last = code.make(Op.I_EQUAL, code.bool, code.make(Op.I_ADD, code.uint, done, shader.uint(1)), groups)
        with code.when(is_last):
            code.store(waiting, shader.uint(0))
            code.store(pointer, code.make(Op.I_ADD, code.uint, count, shader.uint(1)))
    last = shader.blocks[-1]
    last.body += rest
    shader.blocks += others
    for phi in (each for block in others for each in block.body if each.op == Op.PHI):
        phi.operands[3::2] = [last.label if label == first.label else label for label in phi.operands[3::2]]
    return True


def _mix_seed(shader: Shader, count: Instruction, temporaries: int) -> None:
    """Change the number that the states are made of by the seed, where the last product of the count is used."""
    body, users, value = shader.blocks[0].body, shader.users, count.operands[1]
    while (following := [each for each in users[value] if each.op in MIXING and each.result in users]) != []:
        value = following[-1].operands[1]
    at = 1 + next(i for i, each in enumerate(body) if each.result == value)
    seed, pointer, mixed = shader.new_id(), shader.new_id(), shader.new_id()
    shader.replace(value, mixed)
    uint = shader.int_type()
    body[at:at] = [
        Instruction(Op.ACCESS_CHAIN, shader.pointer(STORAGE_BUFFER, uint), pointer, temporaries, *_place(shader, SEED)),
        Instruction(Op.LOAD, uint, seed, pointer),
        Instruction(Op.BITWISE_XOR, uint, mixed, value, seed),
    ]


def _place(shader: Shader, word: int) -> tuple[int, int]:
    return shader.constant(shader.int_type(signed=True), 0), shader.uint(word)


def _number_of_group(code: Emitter) -> int:
    """The number of the thread in its group."""
    return code.load(code.uint, code.shader.built_in(LOCAL_INVOCATION_INDEX, code.uint))


def _groups(code: Emitter) -> int:
    vector = code.shader.type(Op.TYPE_VECTOR, code.uint, 3)
    groups = code.shader.built_in(NUM_WORKGROUPS, vector)
    return code.load(code.uint, code.at(INPUT, code.uint, groups, code.shader.uint(0)))
