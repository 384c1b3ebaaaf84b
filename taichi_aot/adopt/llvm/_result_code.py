"""LLVM code of kernels that is to write its return values to an array; see `_returns`.

Each task of a kernel is a function that is passed a context: a struct whose first member is the address of the argument
struct, and whose last is the address of the buffer for return values. Code that takes the latter takes the data pointer
of the array from the argument struct instead. The compiler optimizes x64 code; CUDA code calls accessors.

Functions of the program (``real_func``) are passed contexts as well. These are local variables of their callers, which
set all members, and stay as they are.
"""

from __future__ import annotations

import re

from ._instructions import Instruction, UnknownCodeError, changed, check, instructions_with, without_number
from ._ir import CONTEXT, VALUE, check_cast, check_constants, check_only_loaded, functions_of

TASK_CONTEXT = "%context"  # the compiler's name for the parameter of a task
GETTER, SETTER = "@RuntimeContext_get_result_buffer", "@RuntimeContext_set_result_buffer"
BUFFER, MEMBERS = "3", ("0", "1", "2", "3")  # the number of the member, among all
PLAIN = ("alloca", "load", "store", "icmp", "ret")

# Each task that was compiled by itself has its own name for the type.
TYPE = re.compile(rb"%struct\.RuntimeContext[.\d]* = type \{ i8\*, %struct\.LLVMRuntime[.\d]*\*, i32, i64\* \}")
C = rb"%struct\.RuntimeContext[.\d]*"
PARAMETER = re.compile(rb"%s\* (?:\w+ )*(?:byval\(%s\) )?(%s)[,)]" % (C, C, VALUE))


def return_through_array(code: bytes, offset: int) -> bytes | None:
    """The code with return values written through the pointer at `offset` of the argument struct; None if unknown."""
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
        check(len(mentions) == len(passed) + len(definitions))
        check(user == GETTER or all(context in local for context, local in passed))


def _through_array(made: Instruction, offset: int) -> str:
    """What takes the place of an instruction that finds the buffer by the context of a task; empty for others."""
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
