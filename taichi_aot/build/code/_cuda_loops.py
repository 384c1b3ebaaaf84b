"""The loops of CUDA kernels, changed before the library compiles them.

The compiler writes a serial task that stores the length of a loop, and a loop whose threads load that, their arguments
and what else is the same for all of them again for each element. Here

- what a serial task stores is computed where it is used, and a task that does nothing else is not launched;
- loads of arguments are marked as invariant, and so are those of arrays that nothing writes;
- the index of a loop is not divided by the loop's length;
- what is added to a place that is the same for all elements goes through an accumulator, see `_cuda_code`; the task
  that follows, if it is serial, is done by the thread that has the sum;
- what is added to elements of an array that is small when the kernel is launched is added up by block.

What differs if arrays overlap, or are small, is in other forms of the loop: the task compares their addresses.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from math import prod
from typing import NamedTuple

from ...adopt.llvm._instructions import Instruction, UnknownCodeError, check, read_instruction
from ...adopt.llvm._ir import DEFINITION, global_name, reached_functions
from ...adopt.taichi._native import PtxTask
from ...adopt.taichi._plans import ARGUMENT, CONSTANT, TEMPORARY, ArgumentKind, Value, with_stored
from ...bundle._info import LaunchArgument, TaskInfo
from ...values._numbers import DTYPES
from ...values._signature import Parameter
from ..vector._ir import CONTEXT as OF_BODY
from ..vector._ir import OWN, Block, Function, loops_of
from . import _cuda_code as ir
from ._cuda_code import (
    ACCESSORS,
    ADDRESSES,
    ARRAYS,
    ATOMIC,
    ATTRIBUTES,
    INVARIANT,
    LOCAL,
    OF_FLOATS,
    OF_TASK,
    PURE,
    Access,
    Accumulator,
    Bins,
    Code,
    LoopText,
    Slice,
    combined,
    invariant,
    text,
)
from ._loops import CHOICES, CONTEXT, RANGE_FOR, RANGE_LOOP, SIZES, KernelCode, Span, TaskFacts, once, touching

PASSIVE = frozenset(("load", "getelementptr", "br", "ret", "alloca"))
BINNED = frozenset(("i32", "i64", "float", "double"))  # types that blocks have atomic instructions for
NOT_NEGATIVE = ", !range !{i32 0, i32 -2147483648}"
NUMBERS = frozenset((b"@thread_idx", b"@block_idx", b"@block_dim", b"@grid_dim"))  # of threads
# Words of code that may depend on the number of a thread, or on the threads beside it.
OF_THREADS = (
    b"sreg",
    b"barrier",
    b"bar.",
    b"shfl",
    b"vote",
    b"match.",
    b"membar",
    b" asm ",
    b"addrspace(3)",
    b"@rand_",
)
# How many times blocks fill a device: of loops with accumulators, of others, and of those with inner loops.
SUMS, ELEMENTS, NESTED = 1, 16, 32
COMPILED_BLOCK, SUM_BLOCK = 128, 512  # threads, where a kernel states none, and then of loops with accumulators
# How many of those a multiprocessor holds, if the inner loops are short. NVIDIA's assembler otherwise does so many of
# their iterations at once that the registers are for fewer, and the others' loads hide more.
BLOCKS = 8
UNROLLED, SMALL = 4, 160  # elements that are computed at once, if they have at most so many instructions
MOST_THREADS = 1 << 30  # of a launch


class Array(NamedTuple):
    """An array in the argument struct: the offsets of its address and its sizes, how many, and an element's bytes."""

    address: int
    shape: int
    dimensions: int
    bytes: int


def arrays_of(arguments: Iterable[LaunchArgument], parameters: Sequence[Parameter]) -> dict[int, Array]:
    """Return the arrays among arguments, by the offsets of their addresses."""
    shapes: dict[int, LaunchArgument] = {}
    found: dict[int, Array] = {}
    for each in arguments:
        if each.kind == ArgumentKind.ARRAY:
            shapes[each.source] = each
        dtype = parameters[each.source].dtype if each.source < len(parameters) else None
        if each.kind == ArgumentKind.ADDRESS and each.source in shapes and dtype is not None:
            size = prod(parameters[each.source].elem_shape) * DTYPES[dtype].numpy.itemsize
            found[each.offset] = Array(each.offset, shapes[each.source].offset, shapes[each.source].size, size)
    return found


def with_fast_loops(
    code: bytes, tasks: Sequence[TaskInfo], arrays: Mapping[int, Array]
) -> tuple[bytes, tuple[PtxTask, ...]]:
    """Give a kernel faster loops: its code, and its tasks that are launched; both as compiled if it is not known."""
    try:
        return _Kernel(code, tasks, arrays).changed()
    except UnknownCodeError:
        return code, as_compiled(code, tasks)


def as_compiled(code: bytes, tasks: Sequence[TaskInfo]) -> tuple[PtxTask, ...]:
    """Return the tasks of a kernel, with the blocks that the compiler states."""
    lengths = KernelCode(code).loop_lengths(tasks)
    return tuple(PtxTask(i, length, tasks[i].grid, tasks[i].block) for i, length in enumerate(lengths))


class _Task(NamedTuple):
    """A task, what serial tasks have stored in the temporaries before it, and what of that it does not change."""

    number: int
    info: TaskInfo
    name: bytes
    facts: TaskFacts
    before: dict[int, Slice]
    inside: dict[int, Slice]


class _Sums(NamedTuple):
    """Accumulators of a task, the calls that end it with them, and by instruction those that add to them."""

    accumulators: list[Accumulator]
    finish: list[str]
    by_instruction: Mapping[int, Accumulator] = {}


class _Kernel:
    """The code of a kernel while it is changed."""

    def __init__(self, code: bytes, tasks: Sequence[TaskInfo], arrays: Mapping[int, Array]) -> None:
        self._facts = KernelCode(code)
        check(self._facts.is_known and bool(tasks))
        self._arrays = arrays
        self._sizes = {at for each in arrays.values() for at in range(each.shape, each.shape + 4 * each.dimensions, 4)}
        self._parts = _parts_of(code)
        self._texts = {name: own.decode("latin-1") for name, own, _ in self._parts}
        self._codes: dict[str, Code | None] = {}
        self._added: list[str] = []  # text of functions and variables
        self._accumulators: list[Accumulator] = []  # of all tasks
        self._bins_of_all: dict[str, Bins] = {}  # by kind
        # Of a task, the threads of a block and the blocks that a multiprocessor holds, where others than compiled.
        self._bounds: dict[tuple[bytes, str], int] = {}
        self._live: dict[int, list[Code | None]] = {}  # the functions of launched tasks
        self._tails: dict[int, Code] = {}  # the tasks that they do at the end
        self._stored: dict[int, list[Span]] = {}  # the temporaries that they replace before that
        self._tasks = list(self._tasks_of(tasks))

    def changed(self) -> tuple[bytes, tuple[PtxTask, ...]]:
        redundant = {body: found for task in self._tasks for body, found in self._remainders(task)}
        for task in self._tasks:
            names = self._functions_of(task)
            self._live[task.number] = [self._rewritten(name, task, redundant.get(name, set())) for name in names]
        launched: list[PtxTask] = []
        compiled = [PtxTask(task.number, task.facts.length, task.info.grid, task.info.block) for task in self._tasks]
        for task, following in zip(self._tasks, [*self._tasks[1:], None], strict=True):
            if task.number - 1 not in self._tails:
                launched.append(self._loop(task, following) or compiled[task.number])
        # Backwards: a task that only stores is needed as long as one that is launched later reads it.
        for each in reversed(launched):
            if self._only_stores(self._tasks[each.number], launched):
                launched.remove(each)
        check(bool(launched))
        left = {self._tasks[each.number].name for each in launched}
        return self._text({task.name for task in self._tasks} - left).encode("latin-1"), tuple(launched)

    # Tasks

    def _tasks_of(self, tasks: Sequence[TaskInfo]) -> Iterator[_Task]:
        stored: dict[int, Slice] = {}
        for number, (info, facts) in enumerate(zip(tasks, self._facts.facts(tasks), strict=True)):
            name, written = global_name(info.name), facts.written or []
            inside = {at: each for at, each in stored.items() if not touching(written, at, SIZES[each.type])}
            yield _Task(number, info, name, facts, stored, inside)
            stored = {} if facts.written is None else {**inside, **self._stored_by(name, inside, written)}

    def _stored_by(self, name: bytes, before: Mapping[int, Slice], written: list[Span]) -> dict[int, Slice]:
        code = self._code(name.decode("latin-1"))
        found: dict[int, Slice] = {}
        for made in once(code.function.blocks) if code is not None else ():
            if code is not None and made.opcode == "store" and made.type in SIZES:
                role, at = code.values.places.get(made.operands[1], ("", 0))
                number = code.slice(made.operands[0], made.type, before)
                if role == TEMPORARY and touching(written, at, SIZES[made.type]) == 1 and number is not None:
                    found[at] = number
        return found

    def _functions_of(self, task: _Task) -> list[str]:
        """Return the functions of a task that have its context."""
        known = self._facts.functions
        names = sorted(reached_functions(known, task.name) & known.keys())
        return [name.decode("latin-1") for name in names if name == task.name or name.startswith(b"@function_body")]

    def _code(self, name: str) -> Code | None:
        """Read a function of the kernel; None if it is not understood."""
        if name not in self._codes:
            try:
                self._codes[name] = Code.read(name, self._texts.get(name.encode("latin-1"), ""))
            except UnknownCodeError:
                self._codes[name] = None
        return self._codes[name]

    def _rewritten(self, name: str, task: _Task, redundant: set[str]) -> Code | None:
        """Rewrite a function of a task: with what is known of temporaries, and invariant loads of arguments."""
        code = self._code(name)
        if code is None:
            return None
        linear = code.linear(self._sizes)
        rows = linear if loops_of(code.function) else set[str]()
        for number, block in enumerate(code.function.blocks.values()):
            made = block.instructions
            block.instructions = []
            for i, each in enumerate(made):
                role, at = code.values.places.get(each.operands[0], ("", 0)) if each.opcode == "load" else ("", 0)
                place = code.root(each.operands[ADDRESSES[each.opcode]]) if each.opcode in ADDRESSES else ("", 0)
                new = [each]
                if role == TEMPORARY and at in task.inside and task.inside[at].type == each.type:
                    # Computed again where it is used: the serial task that stores it may then be left out.
                    new = task.inside[at].at(each.result, code.context, f"t{number}.{i}.")
                elif role == ARGUMENT and at in self._sizes and each.type == "i32":
                    # LLVM cannot know that sizes are not negative, and would handle the sign in divisions by them.
                    new = [each.copy(rest=f"{each.rest}{INVARIANT}{NOT_NEGATIVE}")]
                elif role == ARGUMENT and at in self._arrays and each.type.endswith("*"):
                    new = _address_of(invariant(each))
                elif role in (CONTEXT, ARGUMENT):
                    new = [invariant(each)]
                elif place[0] == ARRAYS and place[1] in self._arrays:
                    new = _global(code, each, f"%g{number}.{i}", rows)
                elif each.result in linear:
                    # A place that wraps around is one of no element, so LLVM may assume that none does.
                    new = [each.with_flags("nsw")]
                elif each.result in redundant:
                    # The index is below the loop's length, so the remainder is the number itself.
                    new = [read_instruction(f"{each.result} = bitcast i32 {each.operands[0]} to i32")]
                block.instructions += new
        self._codes[name] = code = Code(code.function)
        return code

    def _remainders(self, task: _Task) -> Iterator[tuple[str, set[str]]]:
        """Simplify remainders of the loop's index in an element's function: to the index, or its quotient by others."""
        call, own = self._call(task), self._code(task.name.decode("latin-1"))
        code = self._code(call.operands[4]) if call is not None else None
        if call is None or own is None or code is None or call.operands[1] != "0":
            return

        def value(at: Code, name: str) -> Value | None:
            return with_stored(at.values.value(name), task.facts.known)

        length, indices = _factors([value(own, call.operands[2])]), code.loads_of("%v2")
        found: set[str] = set()
        for made in code.function.instructions():
            if made.opcode != "srem" or made.type != "i32" or length is None:
                continue
            values, number = [value(code, made.operands[1])], made.operands[0]
            # The index of an outer dimension: the loop's index was divided by the sizes of the inner ones before.
            while number in code.definitions and code.definitions[number].opcode == "sdiv":
                number, divisor = code.definitions[number].operands
                values.append(value(code, divisor))
            if number in indices and _factors(values) == length:
                found.add(made.result)
        yield call.operands[4], found

    # Loops

    def _call(self, task: _Task) -> Instruction | None:
        """Return the call of a task that runs its loop."""
        code = self._code(task.name.decode("latin-1"))
        calls = [made for made in code.function.instructions() if made.function == RANGE_LOOP] if code else []
        return calls[0] if len(calls) == 1 and task.info.kind == RANGE_FOR and len(calls[0].operands) == 7 else None

    def _loop(self, task: _Task, following: _Task | None) -> PtxTask | None:
        """Give a task a loop of our own, and return how it is launched; None if that of the compiler stays."""
        call, own = self._call(task), self._code(task.name.decode("latin-1"))
        # Numbers are combined by whole warps, and the first warp combines those of all, of which it has room for 32.
        if call is None or own is None or not self._is_free(task) or task.info.block % 32 or task.info.block > 1024:
            return None
        (_, begin, end, prologue, body, epilogue, size), context = call.operands, call.types[0]
        code, name = self._code(body), f"taichi_aot.loop.{task.number}"
        theirs = self._reduced(task, epilogue, f"@{name}.last")
        if code is None or theirs is None or not size.isdecimal():
            return None
        accesses = code.accesses(self._arrays.keys()) or []
        written = {each.array for each in accesses if each.writes}
        used = {each.array for each in accesses}
        # The launch may pass one array as both, or parts of one: then what is written through one is read by the other.
        pairs = sorted({(min(a, b), max(a, b)) for a in written for b in used if a != b})
        ours = self._accumulated(code, accesses, f"@{name}.add", -(-int(size) // 8) * 8)
        both, finish = [*theirs.accumulators, *ours.accumulators], [*theirs.finish, *ours.finish]
        bins = self._bins(code, [each for each in accesses if id(each.made) not in ours.by_instruction])
        has_apart = bool(ours.accumulators or used - written)
        has_safe = bool(pairs) or not has_apart
        live = [
            own,
            code,
            *map(self._code, [prologue] * (prologue != "null") + [f"@{name}.last"] * (epilogue != "null")),
        ]
        # Only if a thread has the sum in every form: the form that is safe has the compiler's accumulators, not ours.
        if following is not None and (theirs.accumulators or (both and not has_safe)):
            tail = self._tail(following, f"@{name}.tail", context)
            if tail is not None:
                self._tails[task.number] = tail
                theirs.finish.append(f"call void @{name}.tail({context} %c)")
                finish.append(theirs.finish[-1])
        forms: dict[str, LoopText] = {}
        length = max([int(size), 1, *(each.offset + 8 for each in both)])
        common = LoopText(
            f"{name}.apart",
            context,
            "",
            prologue,
            length,
            int(size),
            both,
            finish,
            name,
            len(both),
            1,
            begin.isdecimal(),
        )
        if has_apart:
            apart = self._apart(code, f"@{name}.apart.body", used - written, ours.by_instruction)
            live.append(apart)
            forms["apart"] = common._replace(body=apart.function.name, unrolled=_unrolled(apart))
        if has_safe:
            forms["safe"] = common._replace(
                name=f"{name}.safe",
                body=body,
                accumulators=theirs.accumulators,
                finish=theirs.finish,
                unrolled=1 if pairs else _unrolled(code),
            )
        if bins is not None:
            binned = self._apart(code, f"@{name}.bins.body", used - written, ours.by_instruction, bins)
            live.append(binned)
            unrolled = _unrolled(binned)
            forms["bins"] = common._replace(
                name=f"{name}.bins", body=binned.function.name, unrolled=unrolled, bins=bins
            )
            self._bins_of_all[bins.kind] = bins
        self._added += [form.function() for form in forms.values()]
        self._added.append(self._choice(name, context, list(forms), pairs, bins))
        self._added += [ir.device_memory(name, len(both))] if both else []
        self._accumulators += both
        own_call = read_instruction(f"call void @{name}({context} {OF_TASK}, i32 {begin}, i32 {end})")
        for block in own.function.blocks.values():
            block.instructions = [own_call if each is call else each for each in block.instructions]
        self._live[task.number] = live
        threads = task.info.block
        if both and threads == COMPILED_BLOCK:
            threads = self._bounds[task.name, "maxntidx"] = SUM_BLOCK
        elif threads == COMPILED_BLOCK and loops_of(code.function) and _is_small(code):
            self._bounds[task.name, "minctasm"] = BLOCKS
        each = max(form.unrolled for form in forms.values())
        groups = ir.MOST_BLOCKS * each if both else MOST_THREADS // threads
        fills = SUMS if both or bins or not task.facts.length else NESTED if loops_of(code.function) else ELEMENTS
        return PtxTask(task.number, task.facts.length, groups, threads, fills, each)

    def _is_free(self, task: _Task) -> bool:
        """Return whether no code of a task but its loop depends on the numbers of threads, or on other threads."""
        # Functions that reduce use the numbers of threads. The loop has its own in their place.
        functions = {name: each for name, each in self._facts.functions.items() if not name.startswith(b"@reduce_")}
        reached = reached_functions(functions, task.name)
        bodies = [functions[name].body for name in reached & functions.keys()]
        return NUMBERS.isdisjoint(reached) and not any(word in body for body in bodies for word in OF_THREADS)

    def _reduced(self, task: _Task, epilogue: str, name: str) -> _Sums | None:
        """Return the accumulators that the compiler has made, which a task's epilogue adds to their places.

        The function with this name does that for all threads.
        """
        code = self._code(epilogue) if epilogue != "null" else None
        if code is None:
            return _Sums([], []) if epilogue == "null" else None
        sums = _Sums([], [f"call void {name}({code.function.parameters[OF_BODY]} %c, i8* %own)"])
        last = code.copied(name)
        for block in last.function.blocks.values():
            old, block.instructions = block.instructions, []
            for made in old:
                if made.callee.startswith(("@reduce_", "@atomic_")) or made.opcode == "atomicrmw":
                    new = self._finished(code, made, task, sums.accumulators)
                    if new is None:
                        return None
                    block.instructions += new
                elif made.opcode == "store":
                    return None
                else:
                    block.instructions.append(made)
        self._codes[name] = last = Code(last.function)
        self._added.append(str(last.function))
        return sums

    def _finished(
        self, code: Code, made: Instruction, task: _Task, accumulators: list[Accumulator]
    ) -> list[Instruction] | None:
        """Return what one thread does in the place of a reduction or an atomic operation: it has the numbers of all."""
        offset, type_, (target, number) = code.offset_of(made.operands[1]), made.types[1], made.operands
        kind, atomic = made.word, ""
        if made.callee:
            _, operation, suffix = made.callee.split("_", 2)
            kind = OF_FLOATS.get(operation, "") if suffix[0] == "f" else operation
            kind = f"u{kind}" if suffix[0] == "u" and kind in ("min", "max") else kind
            atomic = f"@atomic_{operation}_{suffix}"
        if offset is None or code.uses.get(made.result) or (kind not in ATOMIC and kind not in OF_FLOATS.values()):
            return None
        i = len(accumulators)
        accumulators.append(Accumulator(offset, type_, kind))
        role, at = code.values.places.get(target, ("", 0))
        first = task.before.get(at) if role == TEMPORARY else None
        stored = self._stored.setdefault(task.number, [])
        is_new = first is not None and first.type == type_ and (at, at + SIZES[type_]) not in stored
        if first is not None and is_new:  # which a serial task need not store then; others add to it
            stored.append((at, at + SIZES[type_]))
            lines = [*combined(f"%all{i}", accumulators[-1], f"%first{i}", number)]
            lines.append(f"store {type_} %all{i}, {type_}* {target}")
            return [*first.at(f"%first{i}", OF_BODY, f"f{i}."), *map(read_instruction, lines)]
        if not atomic or atomic.encode() in self._texts:
            return [made.copy(callee=atomic)]
        return None

    def _accumulated(self, code: Code, accesses: list[Access], name: str, offset: int) -> _Sums:
        """Return the accumulators of arrays to whose elements a loop does nothing but add.

        The function with this name adds them. They are in the memory of a thread from an offset on.
        """
        found: dict[int, Accumulator] = {}
        lines: list[str] = []
        for array in dict.fromkeys(each.array for each in accesses):
            own = [each for each in accesses if each.array == array]
            if not all(each.adds and each.made.types[1] in SIZES for each in own):
                continue
            places = [code.slice(each.made.operands[0], each.made.types[0], {}) for each in own]
            indices = [code.index_of(each.made.operands[0]) for each in own]
            kinds = {(index, each.adds) for index, each in zip(indices, own, strict=True)}
            # One operation for all elements, or for each.
            is_known = len({kind for _, kind in kinds}) == 1 or (None not in indices and len(kinds) == len({*indices}))
            for each, place in zip(own, places, strict=True):
                if place is None or None in places or not is_known:
                    break
                i = len(found)
                found[id(each.made)] = new = Accumulator(offset + 8 * i, each.made.types[1], each.adds)
                lines += map(str, place.at(f"%p{i}", OF_BODY, f"s{i}."))
                lines.append(ir.added(i, new, str(each.made.copy(result=f"%old{i}", operands=[f"%p{i}", f"%n{i}"]))))
        context, body = code.function.parameters[OF_BODY], "\n".join(lines)
        if found:
            head = f"define internal void {name}({context} {OF_BODY}, i8* %own) {ATTRIBUTES} {{"
            self._added.append(f"{head}\nentry:\n{body}\n  ret void\n}}\n")
        return _Sums(list(found.values()), [f"call void {name}({context} %c, i8* %own)"] if found else [], found)

    def _bins(self, code: Code, accesses: list[Access]) -> Bins | None:
        """Return the elements of an array to which a loop adds, and does nothing else with them."""
        for array in dict.fromkeys(each.array for each in accesses):
            own = [each for each in accesses if each.array == array]
            if all(each.adds and _index_of(code, each.made) for each in own):
                kinds = {(each.made.types[1], each.adds) for each in own}
                type_, operation = next(iter(kinds))
                if len(kinds) == 1 and type_ in BINNED:
                    return Bins(tuple(_extent(self._arrays[array])), array, type_, operation)
        return None

    def _apart(
        self, code: Code, name: str, readonly: set[int], adding: Mapping[int, Accumulator], bins: Bins | None = None
    ) -> Code:
        """Write the function of an element for arrays that do not overlap; one may be in the memory of the block."""
        function = code.copied(name).function
        for label, block in code.function.blocks.items():
            new: list[Instruction] = []
            for made in block.instructions:
                if made.opcode == "load" and code.root(made.operands[0]) in [(ARRAYS, at) for at in readonly]:
                    new.append(invariant(made))
                elif id(made) in adding:
                    each, own = adding[id(made)], f"%own.{len(new)}.{label[1:]}"
                    lines = [*ir.address(own, each, OWN), f"{own}.old = load {each.type}, {each.type}* {own}"]
                    lines += combined(f"{own}.new", each, f"{own}.old", made.operands[1])
                    new += map(read_instruction, [*lines, f"store {each.type} {own}.new, {each.type}* {own}"])
                elif bins and made.opcode == "atomicrmw" and code.root(made.operands[0]) == (ARRAYS, bins.array):
                    index, number = _index_of(code, made), made.operands[1]
                    new.append(
                        read_instruction(f"call void @taichi_aot.bin.{bins.kind}(i32 {index}, {bins.type} {number})")
                    )
                else:
                    new.append(made)
            function.blocks[label] = Block(label, new)
        self._added.append(str(function))
        return Code(function)

    def _choice(
        self, name: str, context: str, forms: Sequence[str], pairs: Iterable[tuple[int, int]], bins: Bins | None
    ) -> str:
        """Write the function of a loop, which chooses its form: by whether arrays overlap, and whether one is small."""
        head = f"define internal void @{name}({context} %c, i32 %begin, i32 %end) {ATTRIBUTES} {{\nentry:\n"
        calls = [f"call void @{name}.{form}({context} %c, i32 %begin, i32 %end)" for form in forms]
        if len(forms) == 1:
            return f"{head}{text([*calls, 'ret void'])}\n}}\n"
        lines = ir.arguments_of(context)
        arrays = [at for pair in pairs for at in pair]
        if bins is not None:
            arrays.append(bins.array)
        for at in dict.fromkeys(arrays):
            lines += _extent(self._arrays[at])
        last = "true"
        for i, k in pairs:
            lines += [
                f"%is.{i}.{k}.a = icmp ule i64 %end.{i}, %at.{k}",
                f"%is.{i}.{k}.b = icmp ule i64 %end.{k}, %at.{i}",
                f"%is.{i}.{k}.o = or i1 %is.{i}.{k}.a, %is.{i}.{k}.b",
                f"%is.{i}.{k} = and i1 {last}, %is.{i}.{k}.o",
            ]
            last = f"%is.{i}.{k}"
        *others, otherwise = (each for each in forms if each != "bins")
        other = f"br i1 {last}, label %{others[0]}, label %{otherwise}" if others else f"br label %{otherwise}"
        if bins is not None:
            lines += [*bins.is_worth_it(last), "br i1 %is_small, label %bins, label %large\nlarge:"]
        lines.append(other)
        ends = "".join(f"{form}:\n{text([call, 'ret void'])}\n" for form, call in zip(forms, calls, strict=True))
        return f"{head}{text(lines)}\n{ends}}}\n"

    def _tail(self, task: _Task, name: str, context: str) -> Code | None:
        """Return the function of a task that one thread of the task before may run; None if it may not."""
        code = self._code(task.name.decode("latin-1"))
        if task.info.kind != "serial" or task.info.block != 1 or code is None or not self._is_free(task):
            return None
        head = f"define internal void {name}({context} {OF_TASK}) {ATTRIBUTES} {{"
        self._added.append(str(Function(head, name, {}, code.function.blocks)))
        return code

    # The end

    def _only_stores(self, task: _Task, launched: Sequence[PtxTask]) -> bool:
        """Return whether a task only stores in temporaries that none of those that follow reads."""
        code = self._code(task.name.decode("latin-1"))
        if task.info.kind != "serial" or code is None:
            return False
        read: list[Span] = []
        replaced: list[Span] = []
        for number in (each.number for each in launched if each.number > task.number):
            for live in self._live[number]:
                spans = [(0, 1 << 62)] if live is None else live.read_temporaries()
                read += [span for span in spans if span not in replaced]
            replaced += self._stored.get(number, ())
            if number in self._tails:
                read += [span for span in self._tails[number].read_temporaries() if span not in replaced]
        for made in code.function.instructions():
            if made.opcode == "store":
                role, at = code.root(made.operands[1])
                if role != LOCAL and (role != TEMPORARY or touching(read, at, SIZES.get(made.type, 1 << 62))):
                    return False
            elif made.opcode == "call":
                if made.callee not in CHOICES and made.callee not in ACCESSORS:
                    return False
            elif made.opcode not in PURE and made.opcode not in PASSIVE:
                return False
        return True

    def _text(self, internal: set[bytes]) -> str:
        """Return the code with all changes; `internal` are the tasks that are not launched."""
        whole = ""
        for name, own, rest in self._parts:
            code = self._codes.get(name.decode("latin-1"))
            function = str(code.function) if code is not None else own.decode("latin-1")
            if name in internal:
                function = function.replace("define void", "define internal void", 1)
            whole += function + rest.decode("latin-1")
        # The bounds are metadata of the module, which the code of a function does not have.
        for (name, bound), number in self._bounds.items():
            before, mention, after = whole.partition(f'{name.decode("latin-1")}, !"{bound}", i32 ')
            whole = f"{before}{mention}{number}{after[after.index('}') :]}" if mention else whole
        bins = [text for each in self._bins_of_all.values() for text in each.functions()]
        new = "\n".join([*self._added, ir.shared_functions(self._accumulators), *dict.fromkeys(bins)])
        names = {each: f"{each.partition('(')[0].split()[1]}(" for each in ir.DECLARED}
        # LLVM refuses a second declaration of what the compiler has declared.
        known = [line for line in whole.split("\n") if line.startswith("declare ")]
        used = [each for each, name in names.items() if name in new and not any(name in line for line in known)]
        return "\n".join([whole, new, *(f"declare {each}" for each in used), ""])


def _parts_of(code: bytes) -> list[tuple[bytes, bytes, bytes]]:
    """Return the functions of code by name, each with its text and what follows it; first what is before all."""
    first, *others = (b"\n" + code).split(b"\ndefine ")
    found = [(b"", b"", first + b"\n")]
    for each in others:
        match, end = DEFINITION.match(each), each.find(b"\n}") + 3
        check(match is not None and end > 3)
        found += [(match[1], b"define " + each[:end], each[end:] + b"\n")] if match is not None else []
    return found


def _global(code: Code, made: Instruction, name: str, rows: Set[str]) -> list[Instruction]:
    """Tell LLVM that an access to an array is in the memory of the device.

    Of an element in one of these rows, the address is computed from that of the row, which inner loops seldom change.
    """
    place = ADDRESSES[made.opcode]
    pointer, target = made.operands[place], made.types[place].removesuffix("*")
    types, operands = [*made.types], [*made.operands]
    types[place], operands[place] = f"{target} addrspace(1)*", name
    element = code.definitions[pointer]
    new = [f"{name} = addrspacecast {target}* {pointer} to {target} addrspace(1)*"]
    if element.opcode == "getelementptr" and element.types[0] == f"{target}*" and len(element.operands) == 2:
        array, index = element.operands
        if code.definitions[array].opcode == "load":  # as `_address_of` leaves it
            at = f"getelementptr {target}, {target} addrspace(1)*"
            new = [f"{name} = {at} {array}.g, {element.types[1]} {index}"]
            if index in rows and code.definitions[index].opcode == "add" and made.opcode != "atomicrmw":
                row, column = code.definitions[index].operands
                new = [f"{name}.row = {at} {array}.g, i32 {row}", f"{name} = {at} {name}.row, i32 {column}"]
    return [*map(read_instruction, new), made.copy(types=types, operands=operands)]


def _index_of(code: Code, made: Instruction) -> str:
    """Return the index of the element that an atomic instruction changes, as `_global` leaves it; empty for others."""
    element = code.definitions.get(made.operands[0]) if made.opcode == "atomicrmw" else None
    is_plain = element is not None and element.opcode == "getelementptr" and element.types[1:] == ["i32"]
    return element.operands[1] if element is not None and is_plain and element.operands[0].endswith(".g") else ""


def _address_of(made: Instruction) -> list[Instruction]:
    """Write the load of an array's address, as one in the memory of the device, and as any address."""
    type_, name = f"{made.type.removesuffix('*')} addrspace(1)*", made.result
    cast = read_instruction(f"{name}.p = bitcast {made.type}* {made.operands[0]} to {type_}*")
    load = made.copy(result=f"{name}.g", type=type_, types=[f"{type_}*"], operands=[f"{name}.p"])
    return [cast, load, read_instruction(f"{name} = addrspacecast {type_} {name}.g to {made.type}")]


def _factors(values: Iterable[Value | None]) -> tuple[int, list[str]] | None:
    """Return the factors of a product: that of constants, and others in order; None if one is not known."""
    number = 1
    others: list[str] = []
    left = list(values)
    while left:
        value = left.pop()
        if value is None:
            return None
        if len(value) == 3 and value[0] == "multiply":
            left += value[1:]
        elif len(value) == 2 and value[0] == CONSTANT:
            number *= value[1]
        else:
            others.append(repr(value))
    return number, sorted(others)


def _extent(each: Array) -> Iterator[str]:
    """Yield the address of an array as a number, and its end."""
    i, last = each.address, str(each.bytes)
    yield f"%a.{i} = getelementptr i8, i8* %args, i64 {each.address}"
    yield f"%a.{i}.p = bitcast i8* %a.{i} to i64*"
    yield f"%at.{i} = load i64, i64* %a.{i}.p, align 8{INVARIANT}"
    for k in range(each.dimensions):
        yield f"%d.{i}.{k} = getelementptr i8, i8* %args, i64 {each.shape + 4 * k}"
        yield f"%d.{i}.{k}.p = bitcast i8* %d.{i}.{k} to i32*"
        yield f"%d.{i}.{k}.n = load i32, i32* %d.{i}.{k}.p, align 4{INVARIANT}"
        yield f"%d.{i}.{k}.w = zext i32 %d.{i}.{k}.n to i64"
        yield f"%size.{i}.{k} = mul i64 {last}, %d.{i}.{k}.w"
        last = f"%size.{i}.{k}"
    yield f"%end.{i} = add i64 %at.{i}, {last}"


def _unrolled(code: Code) -> int:
    """Return how many elements of a loop are computed at once."""
    return UNROLLED if _is_small(code) and not loops_of(code.function) else 1


def _is_small(code: Code) -> bool:
    return sum(1 for _ in code.function.instructions()) <= SMALL
