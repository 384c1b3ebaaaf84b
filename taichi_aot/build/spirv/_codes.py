"""The codes of tasks for Vulkan: for devices with other instructions, and for arrays that are apart or may be one.

Devices may have instructions for atomic operations of floats, for which the compiler writes loops.

Random numbers are the same in each run. The compiler's code makes the state of a thread from its number and from the
number of tasks that have drawn before, which stands in the temporaries. Each thread reads this number and writes the
next one, so a thread that begins late may read what another has written. Here the last group that has read it writes
the next one, and a word that a seed sets changes all states::

    count = temporaries[COUNT]                   count = temporaries[COUNT]
    x = (thread + 7654321) * (count * ...)       x = (thread + 7654321) * (count * ...) ^ temporaries[SEED]
    temporaries[COUNT] = count + 1       ->      barrier()
                                                 if thread_of_group == 0:
                                                     if atomic_add(temporaries[GROUPS], 1) == groups - 1:
                                                         temporaries[COUNT], temporaries[GROUPS] = count + 1, 0
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from ...adopt._module import ParsedModule, lower
from ...adopt.spirv import _editor as spirv
from ...adopt.spirv._atomics import ALIASED, FMA, Exchange, find_exchanges, mend, replace
from ...adopt.spirv._editor import BINDING, INPUT, STORAGE_BUFFER, Instruction, Op, Shader, UnsupportedCodeError
from ...adopt.spirv._module import GfxContents
from ...adopt.spirv._plans import BuiltSpirv, GfxPlans, Task, code_name, mended
from ...adopt.taichi._plans import BindingKind, Threads, UnplannedError
from ...bundle._files import Files
from ...bundle._info import DEVICE_CAPABILITIES, Code
from ._accumulators import accumulate, prune, use_bins
from ._addresses import carry, count_unsigned, interleave, mark_read, unroll_inner, without_repeated_work
from ._places import Emitter

# Random numbers.


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
    group = code.load(code.uint, shader.built_in(LOCAL_INVOCATION_INDEX, code.uint))  # the thread's number in it
    groups = _groups(code)
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


def _groups(code: Emitter) -> int:
    vector = code.shader.type(Op.TYPE_VECTOR, code.uint, 3)
    groups = code.shader.built_in(NUM_WORKGROUPS, vector)
    return code.load(code.uint, code.at(INPUT, code.uint, groups, code.shader.uint(0)))


# Atomic operations of floats by instructions, in place of loops.


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
    """Return the capabilities of the instructions that a shader could use in place of loops."""
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
    """Return the package's names of capabilities of a device."""
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


# The codes of a module.


SCRATCH_WORDS = 1 << 18  # as `_c/vulkan/launch.c` has
RESIDENT_THREADS = 1 << 18  # the most of a launch with accumulators, as `_c/vulkan/device.c` has
FIRST_WORD = 16


def with_codes(module: ParsedModule) -> ParsedModule:
    """Return a SPIR-V module with the codes of its tasks, and Taichi's own made valid; other modules as they are."""
    if not isinstance(module.stated, GfxContents):
        return module
    plans, found = GfxPlans(lower(module)), BuiltSpirv({}, {}, {})
    valid = mended(module.files, module.stated.code)
    for name in module.info.all_kernels:
        try:
            planned, tasks = plans.dispatch(name).tasks, list(plans.tasks(name))
        except UnplannedError:
            continue
        sizes = plans.sizes(name)
        for task, own in zip(tasks, planned, strict=True):
            if task.name not in found.tasks:
                code = module.files[f"{task.name}.spv"]
                _add(found, task, sizes, code, valid.get(task.name, code), has_length=bool(own.length))
    files = Files.of({**module.files, **{f"{task}.spv": code for task, code in valid.items()}})
    read = {task: spirv.read(task, code) for task, code in valid.items()}
    stated = module.stated._replace(code=module.stated.code | read)
    return module._replace(files=files, stated=stated, codes=found)


def _add(found: BuiltSpirv, task: Task, sizes: Collection[int], code: bytes, valid: bytes, *, has_length: bool) -> None:
    """Add the codes of a task, unless the valid form of Taichi's own is the only one."""
    made: list[tuple[Code, bytes]] = []
    try:
        for is_for_all in (False, True):
            made += _codes(found, task, sizes, code, has_length=has_length, is_for_all=is_for_all)
            if not made[-1][0].apart and made[-1][0].threads != Threads.OF_SEVERAL:
                break
    except UnsupportedCodeError:
        found.scratch.pop(task.name, None)
        return
    codes: list[Code] = []
    for number, (each, data) in enumerate(made):
        name = code_name(task.name, number) if data != valid else each.file
        if data != valid:
            found.files[name] = data
        codes.append(each._replace(file=name))
    if [(each.file, each.threads) for each in codes] != [(f"{task.name}.spv", Threads.AS_COMPILED)]:
        found.tasks[task.name] = tuple(codes)


def _codes(
    found: BuiltSpirv, task: Task, sizes: Collection[int], code: bytes, *, has_length: bool, is_for_all: bool
) -> Iterator[tuple[Code, bytes]]:
    """Yield the codes for GPUs and arrays that are apart, or for all; first those of devices with more instructions."""
    groups = RESIDENT_THREADS // task.block if has_length else task.groups
    scratch = 1 + max((each.number for each in task.bindings), default=-1)
    shader = Shader(task.name, code)
    has_loops = any(block.merge is not None and block.merge.op == Op.LOOP_MERGE for block in shader.blocks)
    digits = without_repeated_work(shader, task, sizes) if has_loops else []
    threads = Threads.OF_ELEMENTS if has_length else Threads.AS_COMPILED
    apart: set[tuple[int, int]] = set()
    if not is_for_all:
        pairs = accumulate(shader, task.bindings, scratch, (SCRATCH_WORDS - FIRST_WORD) // max(1, groups))
        if pairs is not None:
            found.scratch[task.name] = scratch
        else:
            pairs = use_bins(shader, task.bindings, is_simple=not digits)
        if pairs is not None:
            apart, threads = set(pairs), Threads.RESIDENT
    if task.loop is not None:
        count_unsigned(shader, task.loop)
        if not is_for_all and threads == Threads.OF_ELEMENTS and interleave(shader, task.loop):
            threads = Threads.OF_SEVERAL
        elif threads != Threads.RESIDENT or task.name not in found.scratch:
            carry(shader, task.loop, digits)
            prune(shader)
    has_inner = unroll_inner(shader)
    if threads == Threads.RESIDENT:
        threads = Threads.RESIDENT_IN_LOOPS if has_inner else threads
    elif not is_for_all and (has_inner or threads == Threads.OF_SEVERAL):
        apart |= mark_read(shader, task.bindings)
    order_draws(shader, {each.number for each in task.bindings if each.kind is BindingKind.TEMPORARIES})
    stated = Code(f"{task.name}.spv", (), tuple(sorted(apart)), threads)
    own = shader.encode()
    capabilities = native_capabilities(shader)
    adding = capabilities & {6033, 6034, 6095}
    for used in dict.fromkeys(map(frozenset, filter(None, (capabilities, adding)))):
        native = Shader(task.name, own)
        use_native_atomics(native, used)
        mend(native)
        yield stated._replace(needs=names_of(used)), native.encode()
    mend(shader)
    yield stated, shader.encode()
