"""The private copy of an LLVM module for the library, and the plans of kernels that have machine code.

``metadata.tcb`` of the copy is the module's, edited at the positions that were read. Its code has tokens where a
process writes its own addresses. Loops on the CPU run on the pool of this package (``_c/core/pool.c``): the library
starts threads for each runtime, and wakes all of them for each loop. Kernels that also have machine code use its
fields. All this is done to the copy, so the library itself, and modules that others load into the same ``TiRuntime``,
stay as they are.

Code of kernels with checks records the first failure where the host can read it. The compiler's code calls
`taichi_assert_format` for each ``assert`` and index. A check that fails writes a code, the message and its arguments to
members of the runtime's struct, which the C-API cannot read. The copy writes them to a ``taichi_aot_failure`` of the
context instead, with the number of the kernel as the code (``_c/core/checks.h``). Code for CUDA ends the thread then.
Code for CPUs continues, into the bad access. In the copy it leaves the task: the tasks, and the functions that run
their parts in workers, are called through functions that it can return to.

Return values are written to an array. Each task of a kernel is a function that is passed a context: a struct whose
first member is the address of the argument struct, and whose last is the address of the buffer for return values. Code
that takes the latter takes the data pointer of the array from the argument struct instead. The compiler optimizes x64
code; CUDA code calls accessors. Functions of the program (``real_func``) are passed contexts as well. These are local
variables of their callers, which set all members, and stay as they are.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from ...bundle._files import CODE_SUFFIX, LLVM_GRAPHS, LLVM_METADATA
from ...bundle._info import LaunchArgument, LaunchInfo, LaunchTask, ModuleInfo, ResultLayout
from ...bundle._plan import MANGLED, TOKENS, same_types
from ...values._errors import FIELD_NODE
from ...values._numbers import Arch
from ...values._signature import WORDS_PER_ARGUMENT, Parameter, Signature, Words, end_of_write, word_counts
from ..taichi._native import BuiltNative, BuiltPtx
from ..taichi._plans import (
    ArgumentKind,
    Operation,
    Plans,
    Program,
    UnplannedError,
    dispatched_kernels,
    flat,
    graphs_with_words,
    planned_arguments,
)
from ..taichi._types import (
    ArrayArgument,
    LibraryCopy,
    Member,
    Struct,
    array_argument,
    gradient_arguments,
    return_layout,
    without_offsets,
    word_struct,
)
from ._instructions import Instruction, UnknownCodeError, changed, check, instructions_with, uses_of, without_number
from ._ir import (
    CONTEXT,
    CPU_LOOP,
    GLOBAL,
    OF_MEMBERS,
    ROOTS,
    STATES,
    VALUE,
    check_cast,
    check_constants,
    check_only_loaded,
    functions_of,
    global_name,
    in_place,
    member_of,
    member_type,
    members_of,
)
from ._module import (
    FAMILY,
    FIELDS_AT,
    FieldTree,
    Kernel,
    Layout,
    LlvmContents,
    Span,
    encode_graphs,
    encode_member,
    encode_string,
    encode_type,
    with_header,
)

# Return values.


TASK_CONTEXT = "%context"  # the compiler's name for the parameter of a task
GETTER, SETTER = "@RuntimeContext_get_result_buffer", "@RuntimeContext_set_result_buffer"
BUFFER, MEMBERS = "3", ("0", "1", "2", "3")  # the number of the member, among all
PLAIN = ("alloca", "load", "store", "icmp", "ret")

# Each task that was compiled by itself has its own name for the type.
TYPE = re.compile(rb"%struct\.RuntimeContext[.\d]* = type \{ i8\*, %struct\.LLVMRuntime[.\d]*\*, i32, i64\* \}")
C = rb"%struct\.RuntimeContext[.\d]*"
PARAMETER = re.compile(rb"%s\* (?:\w+ )*(?:byval\(%s\) )?(%s)[,)]" % (C, C, VALUE))


def return_through_array(code: bytes, offset: int) -> bytes | None:
    """Let code write return values through the pointer at `offset` of the argument struct; None if it is unknown."""
    types = [line for line in code.split(b"\n") if line.startswith(CONTEXT.encode())]
    try:
        functions = [_Function(name.decode("latin-1"), *function) for name, function in functions_of(code).items()]
        check(bool(types) and all(map(TYPE.fullmatch, types)))
        _check_calls(functions, code)
        check(any(TASK_CONTEXT in function.used for function in functions))
        return changed(code, lambda made: _through_array(made, offset), CONTEXT.encode())
    except UnknownCodeError:
        return None


def _is_context(type_: str) -> bool:
    return type_.endswith("*") and without_number(type_[:-1]) == CONTEXT


class _Function:
    """A function of the code. UnknownCodeError if it might use the last member of a context in an unknown way."""

    def __init__(self, name: str, head: bytes, body: bytes) -> None:
        self.name = name
        # local, parameters: the contexts that are its local variables, and those that it is passed.
        self.local: set[str] = set()
        self.parameters: set[str] = {each.decode("latin-1") for each in PARAMETER.findall(head)}
        # The functions that it passes contexts, each with the context.
        self.calls: list[tuple[str, str]] = []
        # The contexts of which it gets or sets the last member.
        self.used: set[str] = set()
        for made in instructions_with(body, CONTEXT.encode()):
            self._add(made, body)
        check(name in (GETTER, SETTER) or self.used <= self.local | self.parameters)

    def _add(self, made: Instruction, body: bytes) -> None:
        check_constants(made, CONTEXT)
        if made.opcode == "alloca" and without_number(made.type) == CONTEXT:
            self.local.add(made.result)
        elif made.opcode == "getelementptr" and without_number(made.type) == CONTEXT:
            context, first, *number = made.operands
            check(first == "0" and len(number) == 1 and number[0] in MEMBERS)
            if number == [BUFFER]:
                self.used.add(context)
                if context == TASK_CONTEXT:
                    check_only_loaded(made.result, body)
        elif made.opcode == "call":
            passed = zip(made.types, made.operands, strict=True)
            self.calls += [(made.function, value) for type_, value in passed if _is_context(type_)]
            if made.function == GETTER:
                self.used.add(made.operands[0])
        elif made.opcode == "bitcast" and _is_context(made.types[0]):
            check_cast(made, body)
        elif any(without_number(type_.removesuffix("*")) == CONTEXT for type_ in (made.type, *made.types)):
            check(made.opcode in PLAIN and without_number(made.type) != CONTEXT)


def _check_calls(functions: list[_Function], code: bytes) -> None:
    """Check that functions that use the last member of a context that they are passed are passed local ones only."""
    users = {function.name for function in functions if function.used & function.parameters - {TASK_CONTEXT}}
    for user in users | {GETTER, SETTER}:
        spelled = re.escape(user.encode("latin-1"))
        passed = [(value, each.local) for each in functions for name, value in each.calls if name == user]
        definitions = re.findall(rb"^(?:define|declare) [^\n]*?%s\(" % spelled, code, re.M)
        mentions = re.findall(rb"%s(?![\w.$-])" % spelled, code)
        # Nothing takes its address, which could then be called from anywhere.
        check(len(mentions) == len(passed) + len(definitions))
        check(user == GETTER or all(context in local for context, local in passed))


def _through_array(made: Instruction, offset: int) -> str:
    """Return what replaces an instruction that finds the buffer by the context of a task; empty for others."""
    is_address = made.opcode == "getelementptr" and made.operands[2:] == [BUFFER]
    if made.operands[:1] != [TASK_CONTEXT] or not (is_address or made.function == GETTER):
        return ""
    fresh = "%taichi_aot." + re.sub(r"[^\w.$-]", "", made.result)  # a name: numbers must be in order
    lines = [
        f"{fresh}.0 = bitcast {made.types[0]} {TASK_CONTEXT} to i8**",
        f"{fresh}.1 = load i8*, i8** {fresh}.0, align 8",
        f"{fresh}.2 = getelementptr i8, i8* {fresh}.1, i64 {offset}",
    ]
    if is_address:
        lines.append(f"{made.result} = bitcast i8* {fresh}.2 to i64**")
    else:
        lines.append(f"{fresh}.3 = bitcast i8* {fresh}.2 to i64**")
        lines.append(f"{made.result} = load i64*, i64** {fresh}.3, align 8")
    return "\n".join(f"  {line}" for line in lines)


# The copy.


CHECK = b"taichi_assert_format"  # the function, and a part of the names of those that it calls
KNOWN_MEMBERS = re.compile(
    rb"^%struct\.LLVMRuntime[.\d]* = type \{ [^\n]*, \[2048 x i8\], \[32 x i64\], i32, i64, i8\*, i32, i32, i64 \}$",
    re.M,
)
CODE = 22  # the member that is set to 1 where a check fails
# Of the message, its arguments, a lock, the code.
TYPES = {19: ("message", "[2048 x i8]"), 20: ("arguments", "[32 x i64]"), 21: ("lock", "i32"), CODE: ("kernel", "i64")}

CHECK_FUNCTION = re.compile(rb"^define [^\n]*?(%s)\(([^\n]*)\{\n.*?^\}\n" % GLOBAL, re.M | re.S)
TASK = re.compile(rb"define [^\n@]*?void %s\((%%struct\.RuntimeContext[.\d]*\*) (?:\w+ )*%%context\)" % GLOBAL)
PART = re.compile(rb"void \(i8\*, i32, i32\)\* (?:\w+ )*(%s)\)" % GLOBAL)
PART_PARAMETERS = [(b"i8*", b"%0"), (b"i32", b"%1"), (b"i32", b"%2")]
HEAD = re.compile(rb"define [^\n@]*void (%s)" % GLOBAL)
ENTRY = re.compile(rb"  br i1 (%s), label %%([\w.]+), label %%[\w.]+" % VALUE)
JUMP, RETURN = re.compile(rb"  br label %([\w.]+)"), b"  ret void"
TAKES_LOCK = re.compile(rb"\batomicrmw [^\n]*xchg i32\*")


def note_failures(code: bytes, token: Mapping[str, int]) -> bytes | None:
    """Return the code with its failures recorded under the number of the kernel; None if its form is unknown.

    `token` has that number, and the addresses of the members of a ``taichi_aot_failure``; see `bundle._plan.TOKENS`.
    """
    codes: set[str] = set()
    numbered: list[str] = []

    def in_record(made: Instruction) -> str:
        number = member_of(made)
        if number not in TYPES:
            return ""
        name, type_ = TYPES[number]
        return in_place(made, type_, f"inttoptr (i64 {token[name]} to {type_}*)")

    def with_number(made: Instruction) -> str:
        if made.opcode != "store" or made.operands[0] != "1" or made.operands[1] not in codes:
            return ""
        # The compiler's code is 1 in all kernels; the number says which one has failed.
        numbered.append(made.operands[1])
        return str(made.copy(operands=[str(token["number"]), made.operands[1]]))

    def in_check(match: re.Match[bytes]) -> bytes:
        if CHECK not in match[1]:
            return match[0]
        codes.clear()
        codes.update(made.result for number, made in members_of(match[0]) if number == CODE)
        return changed(match[0], with_number, b"store ")

    try:
        noting = changed(CHECK_FUNCTION.sub(in_check, code), in_record, *OF_MEMBERS)
    except UnknownCodeError:
        return None
    return noting if numbered and KNOWN_MEMBERS.search(code) is not None else None


def leave_failed_tasks(code: bytes, token: Mapping[str, int]) -> bytes:
    """Return the code of a kernel for CPUs, which leaves a task when a check fails.

    `token` has the addresses of the functions that call a task and a part of one, and of that which leaves them.
    Code that takes locks, such as that of sparse fields, is returned unchanged: leaving would keep them. So is code
    whose function for checks has another form than `_condition` knows.
    """
    functions = {match[1]: match[0] for match in CHECK_FUNCTION.finditer(code)}
    conditions = {name: _condition(text) for name, text in functions.items() if name.startswith(b"@" + CHECK)}
    if any(TAKES_LOCK.search(text) for name, text in functions.items() if CHECK not in name):
        return code
    if not all(conditions.values()):
        return code
    parts = set(PART.findall(code))
    added: list[bytes] = []

    def guarded(match: re.Match[bytes]) -> bytes:
        name, text = match[1], match[0]
        if name in conditions:
            return _leaving(text, conditions[name], token["leave"])
        task = TASK.match(text)
        if task is not None:
            added.append(_guarded(b"void", name, [(task[1], b"%context")], token["task"]))
        elif name in parts:
            # Workers run these on stacks of their own, from which nothing can return to that of the task.
            added.append(_guarded(b"internal void", name, PART_PARAMETERS, token["part"]))
        else:
            return text
        return HEAD.sub(lambda head: b"define internal void " + _inner(head[1]), text, count=1)

    return CHECK_FUNCTION.sub(guarded, code) + b"".join(added)


def _condition(check: bytes) -> bytes:
    """Return the value by which the function for checks branches at its start: true if the check has passed.

    LLVM leaves the parameter for it out where all calls pass the same constant, but does not optimize the body. Empty
    if the function is not of the form that is known here: the branch for true returns at once.
    """
    lines = check.split(b"\n")
    branch = ENTRY.fullmatch(next((line for line in lines if line.startswith(b"  br ")), b""))
    jump = JUMP.fullmatch(_first_of_block(lines, branch[2])) if branch is not None else None
    if branch is None or jump is None or _first_of_block(lines, jump[1]) != RETURN or lines.count(RETURN) != 1:
        return b""
    return branch[1]


def _first_of_block(lines: list[bytes], label: bytes) -> bytes:
    """Return the first instruction of a block of a function."""
    numbers = (i for i, line in enumerate(lines) if line.startswith(label + b":"))
    return lines[next(numbers, len(lines) - 2) + 1]


def _leaving(check: bytes, condition: bytes, leave: int) -> bytes:
    """Make the function for checks leave the task instead of returning if the check has failed."""
    return check.replace(
        RETURN + b"\n",
        b"  br i1 %s, label %%taichi_aot.passed, label %%taichi_aot.failed\n\n"
        b"taichi_aot.failed:\n  call void inttoptr (i64 %d to void ()*)()\n  br label %%taichi_aot.passed\n\n"
        b"taichi_aot.passed:\n  ret void\n" % (condition, leave),
    )


def _guarded(head: bytes, name: bytes, parameters: Sequence[tuple[bytes, bytes]], guard: int) -> bytes:
    """Write a function of this name that passes a guard the function, and the parameters by their types and names."""
    types, passed = b", ".join(type_ for type_, _ in parameters), b", ".join(map(b" ".join, parameters))
    function = b"void (%s)*" % types
    return b"\ndefine %s %s(%s) {\n  call void inttoptr (i64 %d to void (%s, %s)*)(%s %s, %s)\n  ret void\n}\n" % (
        head,
        name,
        passed,
        guard,
        function,
        types,
        function,
        _inner(name),
        passed,
    )


def _inner(name: bytes) -> bytes:
    """Return the name of a function that is called through a guard."""
    return name[:-1] + b'.checked"' if name.endswith(b'"') else name + b".checked"


# The LLVM code of a kernel for the library, with tokens where a process writes its own addresses.


FIRST_TOKEN = 9_000_000_000_000_000_000  # a number of 64 bits with a sign, of which code has few
FUNCTION = rb"void \(i8\*, i32, i32, i8\*, void \(i8\*, i32, i32\)\*\)\*"  # of no other member of the runtime's struct
LOADED = re.compile(rb"load (%s), [^\n]*" % FUNCTION)
SYMBOL = re.compile(r"[A-Za-z_$][\w$]*", re.ASCII)  # a name that PTX can state
# Functions that the code of `kernel_profiler=True` calls, and that the library leaves NULL.
PROFILER = (17, 18)
ROOTS_TYPE = "[512 x i8*]"  # of the memory of each tree of fields


class LibraryCode:
    """The code of the kernels of a copy for the library."""

    def __init__(self, module: LibraryCopy) -> None:
        self._info = module.info
        self._files = module.files
        self._on_host = Arch.CUDA not in module.info.archs
        self.tokens = FIRST_TOKEN  # the first token; no code has a number that begins like the tokens
        codes = [data for name, data in module.files.items() if name.endswith(CODE_SUFFIX)]
        while any(b"%d" % (self.tokens // 100) in data for data in codes):
            self.tokens += 100
        self._token = {name: self.tokens + i for i, name in enumerate(TOKENS)}
        # The name and the parameters of each kernel whose failures are noted, for messages.
        self.checks: dict[str, tuple[str, tuple[str, ...]]] = {}
        has_checks = any(kernel.checked for kernel in module.info.all_kernels.values())
        # The node of each field in messages, with its name.
        self.nodes = list(self._field_nodes()) if has_checks else []

    def of(self, kernel: str) -> bytes:
        """Return the code of a kernel with its loops on the pool, and its failures recorded."""
        code, token = self._files[f"{kernel}{CODE_SUFFIX}"], self._token
        if self._info.all_kernels[kernel].checked:
            noting = note_failures(code, token)
            if noting is not None:
                signature = self._named(kernel)
                self.checks[kernel] = signature.name, tuple(each.name for each in signature.parameters)
                code = leave_failed_tasks(noting, token) if self._on_host else noting
        if STATES in dict(members_of(code)):
            code = changed(code, partial(self._with_own_states, code), *OF_MEMBERS)
        if self._on_host and CPU_LOOP in code:
            code = LOADED.sub(rb"inttoptr i64 %d to \1" % token["pool"], code)
        return code

    def with_own_fields(self, code: bytes) -> bytes:
        """Return code that uses the fields of machine code, whose memory it finds in a table."""
        table = f"inttoptr (i64 {self._token['roots']} to {ROOTS_TYPE}*)"

        def with_own(made: Instruction) -> str:
            return in_place(made, ROOTS_TYPE, table) if member_of(made) == ROOTS else ""

        return changed(code, with_own, *OF_MEMBERS)

    def _with_own_states(self, code: bytes, made: Instruction) -> str:
        """Return what takes the address of the runtime's random states, from a place of this package."""
        if member_of(made) != STATES:
            return ""
        type_ = member_type(code, STATES)
        return in_place(made, type_, f"inttoptr (i64 {self._token['random']} to {type_}*)")

    def _named(self, name: str) -> Signature:
        """Return the signature of a kernel. For one of a graph, which has no names, that of the same kernel."""
        own, compiled = self._info.all_kernels[name], re.fullmatch(MANGLED, name)
        if compiled is None:
            return own.signature
        known = self._info.all_kernels.get(compiled[1])
        if known is not None and same_types(known, own):
            return known.signature
        return own.signature._replace(name=compiled[1])

    def _field_nodes(self) -> Iterator[tuple[str, str]]:
        """Yield the node of each field in messages, which the kernel that reads it has, with the name of the field."""
        for field in self._info.fields:
            node = re.search(FIELD_NODE.encode(), self._files.get(f"{field.get}{CODE_SUFFIX}", b""))
            if node:
                yield node[1].decode(), field.name


def rename_tasks(tasks: Iterable[str], code: bytes, symbols: dict[str, str]) -> bytes:
    """Return code whose tasks have names that PTX can state; the new names are added to `symbols`.

    LLVM replaces other characters where it writes PTX, so that the library does not find the functions.
    """
    for name in tasks:
        if not SYMBOL.fullmatch(name):
            symbols[name] = "".join(c if SYMBOL.fullmatch(f"_{c}") else f"_u{ord(c):x}_" for c in name)
            spelled = re.escape(global_name(name)) + rb"(?![\w.$-])"
            code = re.sub(spelled, b"@" + symbols[name].encode(), code)
    return code


def without_profiler(code: bytes) -> bytes:
    """Return the code of a kernel without its calls of the profiler. They return nothing, so no value is renumbered."""
    if not any(number in PROFILER for number, _ in members_of(code)):
        return code
    functions = re.split(rb"^(?=define )", code, flags=re.MULTILINE)
    return b"".join(map(_function_without_profiler, functions))


def _function_without_profiler(code: bytes) -> bytes:
    addresses = [made.result for number, made in members_of(code) if number in PROFILER]
    called = {made.result for address in addresses for made in uses_of(address, code) if made.opcode == "load"}
    lines = code.split(b"\n")
    for name in called:
        lines = [line for line in lines if all(m.callee != name for m in instructions_with(line, name.encode()))]
    return b"\n".join(lines)


# The private copy of an LLVM module.


EMPTY_TREE_SIZE = 8  # bytes
NDARRAY = 1  # the kind of an argument

# The edits of a part of the file, further members of its struct, and the bytes of that.
LayoutEdits: TypeAlias = tuple[list[tuple[int, int, bytes]], list[bytes], int]


def lower(
    files: Mapping[str, bytes], info: ModuleInfo, module: LlvmContents, words: Words
) -> tuple[dict[str, bytes], dict[str, ResultLayout], frozenset[str]]:
    """Make the copy's files, the layouts of return values that are written to an array, and kernels with gradients."""
    # Graphs do not pass further arrays, and dispatch kernels under their own names.
    dispatched = dispatched_kernels(info.graphs)
    own = [kernel for kernel in module.kernels if words is Words.ALL and kernel.key not in dispatched]
    layouts = result_layouts(own)
    gradients = {kernel.key: found for kernel in own if (found := _gradients(info, kernel))}
    arrays: dict[str, ArrayArgument] = {}  # for return values, by kernel
    symbols: dict[str, str] = {}  # new names of tasks
    changed: dict[str, bytes] = {}
    for kernel in module.kernels:
        name = f"{kernel.key}{CODE_SUFFIX}"
        code = files[name]
        if kernel.key in layouts:
            array = _array(info, kernel)
            through_array = return_through_array(code, array.data_pointer)
            if through_array is not None:
                code, arrays[kernel.key] = through_array, array
        if Arch.CUDA in info.archs:
            code = rename_tasks((task.info.name for task in kernel.stated.tasks), code, symbols)
        changed[name] = without_profiler(code)
    changed[LLVM_GRAPHS] = encode_graphs(graphs_with_words(module.graphs, info.all_kernels, FAMILY, words))
    metadata = files[LLVM_METADATA]
    changed[LLVM_METADATA] = lowered_metadata(
        metadata, module.fields, module.kernels, gradients, arrays, symbols, words
    )
    return {**files, **changed}, {name: layouts[name] for name in arrays}, frozenset(gradients)


def result_layouts(kernels: Sequence[Kernel]) -> dict[str, ResultLayout]:
    made: dict[int, ResultLayout | None] = {}  # by what was checked, which many kernels share
    found: dict[str, ResultLayout] = {}
    for kernel in kernels:
        key = id(kernel.checked)
        if key not in made:
            checked, size = kernel.checked, kernel.stated.layout.return_size
            made[key] = return_layout(checked.returned, size, checked.return_dtype, FAMILY)
        layout = made[key]
        if layout is not None:
            found[kernel.key] = layout
    return found


def _array(info: ModuleInfo, kernel: Kernel) -> ArrayArgument:
    layout, parameters = kernel.stated.layout, info.all_kernels[kernel.key].signature.parameters
    return array_argument(parameters, [place.offset for place in layout.places], layout.size, FAMILY)


def _gradients(info: ModuleInfo, kernel: Kernel) -> list[ArrayArgument]:
    if not kernel.checked.gradients:
        return []
    return gradient_arguments(info.all_kernels[kernel.key].signature.parameters, kernel.stated.layout.struct, FAMILY)


def lowered_metadata(
    data: bytes,
    fields: list[FieldTree],
    kernels: list[Kernel],
    gradients: Mapping[str, Sequence[ArrayArgument]],
    arrays: Mapping[str, ArrayArgument],
    symbols: Mapping[str, str],
    words: Words,
) -> bytes:
    """Give metadata room for what launches write, and change the arguments to words and arrays of return values.

    `gradients` and `arrays`, for return values, are further arguments by kernel; `symbols` are new names of tasks.

    The library loads as many trees of fields as there are, from 0 on, so empty trees fill the gaps: the fields that a
    program has before its first kernel are tree 0, even if there are none.
    """
    keys = {field.key for field in fields}
    gaps = sorted(set(range(max(keys, default=0))) - keys)
    empty = [struct.pack("<iiiQQ", key, key, 0, EMPTY_TREE_SIZE, 0) for key in gaps]
    edits = [(FIELDS_AT, FIELDS_AT + 8, struct.pack("<Q", len(keys) + len(gaps)) + b"".join(empty))]
    edits_of: dict[int, LayoutEdits] = {}  # by what was checked, which many kernels share
    for raw, checked in kernels:
        for task in raw.tasks:
            if task.info.name in symbols:
                edits.append((task.start, task.end, encode_string(symbols[task.info.name])))
        if id(checked) not in edits_of:
            edits_of[id(checked)] = _layout_edits(raw.layout, checked.parameters, words)
        own, more, size = edits_of[id(checked)]
        further = [*gradients.get(raw.key, ())]
        if raw.key in arrays:
            further.append(arrays[raw.key])
            size = further[-1].end
            # No return values are stated: the library would copy them after each launch.
            nothing = struct.pack("<Q", 0) + encode_type(Struct(())) + struct.pack("<Q", 0)
            edits.append((raw.layout_at, raw.layout_at + raw.layout.returns_end, nothing))
        if further:
            more = [*more, *(encode_member(array.member) for array in further)]
            edits += _append(raw.arguments_span, [_entry(array) for array in further])
        own = [*own, (raw.layout.size_at, raw.layout.size_at + 8, struct.pack("<Q", size))]
        own += _append(raw.layout.members, more) if more else []
        edits += [(raw.layout_at + start, raw.layout_at + end, replacement) for start, end, replacement in own]
    parts: list[bytes] = []
    position = 8
    for start, end, replacement in sorted(edits):
        parts += [data[position:start], replacement]
        position = end
    return with_header(b"".join([*parts, data[position:]]))


def _layout_edits(layout: Layout, parameters: Sequence[Parameter], words: Words) -> LayoutEdits:
    """Return the edits to a layout, further members of its struct, and the bytes of that."""
    edits: list[tuple[int, int, bytes]] = []
    more: list[bytes] = []
    size = layout.size
    for parameter, place in zip(parameters, layout.places, strict=True):
        for i, count in enumerate(word_counts(parameter, FAMILY, words)):
            if i == 0:
                edits.append((place.start, place.end, encode_type(word_struct(count))))
            else:
                offset = place.offset + i * 4 * WORDS_PER_ARGUMENT
                more.append(encode_member(Member(f"arg_{len(layout.places) + len(more)}", offset, word_struct(count))))
        size = max(size, end_of_write(parameter, FAMILY, place.offset, words))
    return edits, more, size


def _entry(array: ArrayArgument) -> bytes:
    """Return the bytes of an ndarray in the list of arguments."""
    entry = struct.pack("<Qi??Qi", 1, array.number, True, False, 1, 0) + encode_type(without_offsets(array.member.type))
    return entry + struct.pack("<?Qi", False, 0, NDARRAY)


def _append(span: Span, items: list[bytes]) -> list[tuple[int, int, bytes]]:
    total = struct.pack("<Q", span.length + len(items))
    return [(span.start, span.start + 8, total), (span.end, span.end, b"".join(items))]


# Plans of kernels that have machine code: their tasks are called with the argument struct that the module states.


class NativePlans(Plans):
    """The launches of a module's kernels with machine code or PTX."""

    def __init__(self, info: ModuleInfo, stated: Sequence[Kernel], native: BuiltNative | BuiltPtx) -> None:
        self._info = info
        self._native = native
        self._kernels = {kernel.key: kernel for kernel in stated}
        own = [kernel for name, kernel in self._kernels.items() if name in native.kernels]
        self.results: Mapping[str, ResultLayout] = result_layouts(own)
        self.gradients = frozenset(
            each.key
            for each in own
            if each.checked.gradients and planned_gradients(self._parameters(each), each.stated.layout.struct)
        )
        self._arguments: dict[tuple[int, Sequence[Parameter]], tuple[LaunchArgument, ...]] = {}

    def _parameters(self, kernel: Kernel) -> Sequence[Parameter]:
        return self._info.all_kernels[kernel.key].signature.parameters

    def dispatch(self, name: str) -> LaunchInfo:
        if name not in self._native.kernels:
            raise UnplannedError(self._native.refused[name])
        kernel = self._kernels[name]
        layout, parameters = kernel.stated.layout, self._parameters(kernel)
        key = id(layout), parameters  # which many kernels share
        if key not in self._arguments:
            self._arguments[key] = native_arguments(parameters, layout.struct)
        arguments = self._arguments[key]
        own = self._native.kernels[name]
        return LaunchInfo(
            max(8, layout.size),
            arguments,
            self._tasks(name, arguments),
            layout.return_size,
            needs=tuple(sorted(own.needs)),
            trees=own.trees,
        )

    def _tasks(self, name: str, arguments: Sequence[LaunchArgument]) -> tuple[LaunchTask, ...]:
        symbols = self._native.kernels[name].tasks
        if not isinstance(self._native, BuiltPtx):
            lengths = self._native.lengths[name]
            return tuple(
                LaunchTask(symbol)
                if added == 1 and _is_array(length, arguments)
                else LaunchTask(symbol, block=added, length=flat(length))
                for symbol, (added, length) in zip(symbols, lengths, strict=True)
            )
        stated = self._kernels[name].stated.tasks
        return tuple(
            LaunchTask(
                symbol,
                own.groups,
                own.block,
                stated[own.number].shared,
                length=flat(own.length),
                number=own.number,
                fills=own.fills,
                each=own.each,
            )
            for symbol, own in zip(symbols, self._native.tasks[name], strict=True)
        )


def _is_array(length: Program, arguments: Sequence[LaunchArgument]) -> bool:
    """Return whether a length is that of an array, which has no more elements than an i32 counts."""
    loads = [operand for operation, operand in length if operation == Operation.LOAD]
    is_product = {operation for operation, _ in length} <= {Operation.LOAD, Operation.MULTIPLY}
    arrays = [[each.offset + 4 * i for i in range(each.size)] for each in arguments if each.kind is ArgumentKind.ARRAY]
    return is_product and sorted(loads) in arrays


def native_arguments(parameters: Sequence[Parameter], struct: Struct) -> tuple[LaunchArgument, ...]:
    """Return the arguments of a kernel with this argument struct, and its gradients."""
    return (*planned_arguments(parameters, struct.members, FAMILY), *planned_gradients(parameters, struct))


def planned_gradients(parameters: Sequence[Parameter], struct: Struct) -> list[LaunchArgument]:
    arrays = gradient_arguments(parameters, struct, FAMILY)
    return [LaunchArgument(array.number, ArgumentKind.ADDRESS, array.data_pointer, 8) for array in arrays]
