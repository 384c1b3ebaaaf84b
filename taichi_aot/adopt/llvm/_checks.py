"""LLVM code of kernels with checks, edited to record the first failure where the host can read it.

The compiler's code calls `taichi_assert_format` for each ``assert`` and index. A check that fails writes a code, the
message and its arguments to members of the runtime's struct, which the C-API cannot read. The private copy writes them
to a ``taichi_aot_failure`` of the context instead, with the number of the kernel as the code (``_c/core/checks.h``).

Code for CUDA ends the thread then. Code for CPUs continues, into the bad access. In the copy it leaves the task: the
tasks, and the functions that run their parts in workers, are called through functions that it can return to.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from ._instructions import Instruction, UnknownCodeError, changed
from ._ir import GLOBAL, OF_MEMBERS, VALUE, in_place, member_of, members_of

CHECK = b"taichi_assert_format"  # the function, and a part of the names of those that it calls
KNOWN_MEMBERS = re.compile(
    rb"^%struct\.LLVMRuntime[.\d]* = type \{ [^\n]*, \[2048 x i8\], \[32 x i64\], i32, i64, i8\*, i32, i32, i64 \}$",
    re.M,
)
CODE = 22  # the member that is set to 1 where a check fails
# Of the message, its arguments, a lock, the code.
TYPES = {19: ("message", "[2048 x i8]"), 20: ("arguments", "[32 x i64]"), 21: ("lock", "i32"), CODE: ("kernel", "i64")}

FUNCTION = re.compile(rb"^define [^\n]*?(%s)\(([^\n]*)\{\n.*?^\}\n" % GLOBAL, re.M | re.S)
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
        numbered.append(made.operands[1])
        return str(made.copy(operands=[str(token["number"]), made.operands[1]]))

    def in_check(match: re.Match[bytes]) -> bytes:
        if CHECK not in match[1]:
            return match[0]
        codes.clear()
        codes.update(made.result for number, made in members_of(match[0]) if number == CODE)
        return changed(match[0], with_number, b"store ")

    try:
        noting = changed(FUNCTION.sub(in_check, code), in_record, *OF_MEMBERS)
    except UnknownCodeError:
        return None
    return noting if numbered and KNOWN_MEMBERS.search(code) is not None else None


def leave_failed_tasks(code: bytes, token: Mapping[str, int]) -> bytes:
    """Return the code of a kernel for CPUs, which leaves a task when a check fails.

    `token` has the addresses of the functions that call a task and a part of one, and of that which leaves them.
    Code that takes locks, such as that of sparse fields, is returned unchanged: leaving would keep them. So is code
    whose function for checks has another form than `_condition` knows.
    """
    functions = {match[1]: match[0] for match in FUNCTION.finditer(code)}
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
            added.append(_guarded(b"internal void", name, PART_PARAMETERS, token["part"]))
        else:
            return text
        return HEAD.sub(lambda head: b"define internal void " + _inner(head[1]), text, count=1)

    return FUNCTION.sub(guarded, code) + b"".join(added)


def _condition(check: bytes) -> bytes:
    """The value by which the function for checks branches at its start: true if the check has passed.

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
    """The first instruction of a block of a function."""
    numbers = (i for i, line in enumerate(lines) if line.startswith(label + b":"))
    return lines[next(numbers, len(lines) - 2) + 1]


def _leaving(check: bytes, condition: bytes, leave: int) -> bytes:
    """The function for checks, which leaves the task instead of returning if the check has failed."""
    return check.replace(
        RETURN + b"\n",
        b"  br i1 %s, label %%taichi_aot.passed, label %%taichi_aot.failed\n\n"
        b"taichi_aot.failed:\n  call void inttoptr (i64 %d to void ()*)()\n  br label %%taichi_aot.passed\n\n"
        b"taichi_aot.passed:\n  ret void\n" % (condition, leave),
    )


def _guarded(head: bytes, name: bytes, parameters: Sequence[tuple[bytes, bytes]], guard: int) -> bytes:
    """A function by this name, which passes a guard the function, and the parameters by their types and names."""
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
    """The name of a function that is called through a guard."""
    return name[:-1] + b'.checked"' if name.endswith(b'"') else name + b".checked"
