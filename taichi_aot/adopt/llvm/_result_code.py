"""LLVM code of kernels that is to write its return values to an array; see `_returns`.

Each task of a kernel is a function that is passed a context: a struct whose first member is the address of the argument
struct, and whose last is the address of the buffer for return values. Code that takes the latter takes the data pointer
of the array from the argument struct instead. The compiler optimizes x64 code; CUDA code calls accessors.

Functions of the program (``real_func``) are passed contexts as well. These are local variables of their callers, which
set all members, and stay as they are.
"""

from __future__ import annotations

import re

from ._ir import GLOBAL, VALUE, functions_of

C = rb"%struct\.RuntimeContext[.\d]*"  # each task that was compiled by itself has its own name for the type
TASK_CONTEXT = b"%context"  # the compiler's name for the parameter of a task
GETTER, SETTER = b"@RuntimeContext_get_result_buffer", b"@RuntimeContext_set_result_buffer"
BUFFER = b"3"  # the number of the member
# A task that was compiled by itself casts the accessor of another one.
CAST_GETTER = rb"bitcast \(i64\* \(%s\*\)\* (?:%s) to i64\* \(%s\*\)\*\)" % (C, GETTER, C)

ANY_TYPE = re.compile(rb"^%s = type " % C, re.M)
TYPE = re.compile(rb"^%s = type \{ i8\*, %%struct\.LLVMRuntime[.\d]*\*, i32, i64\* \}$" % C, re.M)

RESULT = rb"^( *)(%s) = " % VALUE
PASSED = rb"%s\* (?:\w+ )*" % C
# A context as a local variable; as a parameter; as the first argument of a call, after the function.
LOCAL = re.compile(rb"%salloca %s, align \d+$" % (RESULT, C), re.M)
PARAMETER = re.compile(rb"%s(?:byval\(%s\) )?(%s)[,)]" % (PASSED, C, VALUE))
CALL = re.compile(
    rb"\bcall [^\n(]*?(?:bitcast \([^\n(]*\(%s\*\)\* )?(%s)(?: to [^\n(]*\(%s\*\)\*\))?\(%s(%s)[,)]"
    % (C, GLOBAL, C, PASSED, VALUE)
)
# Taking the address of a member, and the value of the last one: indentation, result, type, context, number.
MEMBER = re.compile(
    rb"%sgetelementptr (?:inbounds )?(%s), %s\* (%s), (?:i32|i64) 0, i32 ([0-3])$" % (RESULT, C, C, VALUE), re.M
)
VALUE_OF_LAST = re.compile(
    rb"%scall i64\* (?:%s|%s)\((%s)\* (?:\w+ )*(%s)()\)(?: #\d+)?$" % (RESULT, GETTER, CAST_GETTER, C, VALUE), re.M
)
# Uses among which there may be other ways to a member.
ANY_MEMBER = re.compile(rb"\bgetelementptr [^\n]*?%s, " % C)
CAST = re.compile(rb"%sbitcast %s\* %s to (.*)$" % (RESULT, C, VALUE), re.M)
KNOWN_CAST = re.compile(rb"i8\*|.*\*\*")  # as bytes; as the address of its first member
UNKNOWN = re.compile(
    rb"\b(?:load %s,|(?:extract|insert)value %s |(?:ptrtoint|addrspacecast|phi|select [^\n,]*,) %s\*)" % (C, C, C)
)


def return_through_array(code: bytes, offset: int) -> bytes | None:
    """The code with return values written through the pointer at `offset` of the argument struct; None if unknown."""
    functions = [_Function(name, *function) for name, function in functions_of(code).items()]
    if not uses_are_known(code) or not all(function.is_known for function in functions):
        return None
    if not _calls_are_known(functions, code) or not any(TASK_CONTEXT in function.used for function in functions):
        return None
    for pattern in (MEMBER, VALUE_OF_LAST):
        code = pattern.sub(lambda match: _replaced(match, offset), code)
    return code


class _Function:
    """A function of the code.

    `is_known`: whether it is known where the contexts that it uses come from, and what it does with that of a task.
    """

    def __init__(self, name: bytes, head: bytes, body: bytes) -> None:
        self.name = name
        # local, parameters: the contexts that are its local variables, and those that it is passed.
        self.local = {result for _, result in LOCAL.findall(body)}
        self.parameters = set(PARAMETER.findall(head))
        # The functions that it passes contexts, each with the context.
        self.calls: list[tuple[bytes, bytes]] = CALL.findall(body)
        members = [(result, context) for _, result, _, context, number in MEMBER.findall(body) if number == BUFFER]
        # The contexts of which it gets or sets the last member.
        self.used = {context for _, context in members} | {use[3] for use in VALUE_OF_LAST.findall(body)}
        addresses = {result for result, context in members if context == TASK_CONTEXT}
        addresses |= set(re.findall(rb"(%s) = bitcast i64\*\* (?:%s) to " % (VALUE, _any_of(addresses)), body))
        sets_that_of_a_task = re.search(rb"\bstore [^\n]*\*\* (?:%s)," % _any_of(addresses), body)
        as_bytes = {result for _, result, target in CAST.findall(body) if target == b"i8*"}
        others = {result for _, result, target in CAST.findall(body) if target != b"i8*"}
        by_offset = rb"\bgetelementptr [^\n]*\* (?:(?:%s), i\d+ 24$|(?:%s), )" % (_any_of(as_bytes), _any_of(others))
        self.is_known = name in (GETTER, SETTER) or (
            self.used <= self.local | self.parameters
            and sets_that_of_a_task is None
            and re.search(by_offset, body, re.M) is None
        )


def _any_of(names: set[bytes]) -> bytes:
    """A pattern for one of these names; without names, one that does not match."""
    return b"|".join(map(re.escape, sorted(names))) or rb"\Z\A"


def uses_are_known(code: bytes) -> bool:
    """Whether contexts have the known members, and nothing but known forms of code takes a part of one."""
    return (
        0 < len(TYPE.findall(code)) == len(ANY_TYPE.findall(code))
        and len(MEMBER.findall(code)) == len(ANY_MEMBER.findall(code))
        and all(KNOWN_CAST.fullmatch(target) for _, _, target in CAST.findall(code))
        and UNKNOWN.search(code) is None
    )


def _calls_are_known(functions: list[_Function], code: bytes) -> bool:
    """Whether functions that use the last member of a context that they are passed are passed local ones only."""
    users = {function.name for function in functions if function.used & function.parameters - {TASK_CONTEXT}}
    for user in users | {GETTER, SETTER}:
        passed = [
            (context, function.local) for function in functions for name, context in function.calls if name == user
        ]
        definitions = re.findall(rb"^(?:define|declare) [^\n]*?%s\(" % re.escape(user), code, re.M)
        mentions = re.findall(rb"%s(?![\w.$-])" % re.escape(user), code)
        if len(mentions) != len(passed) + len(definitions):
            return False
        if user != GETTER and not all(context in local for context, local in passed):
            return False
    return True


def _replaced(match: re.Match[bytes], offset: int) -> bytes:
    """What takes the place of a line that finds the buffer by the context of a task; other lines unchanged."""
    indent, result, context_type, context, number = match.groups()
    if context != TASK_CONTEXT or number not in (BUFFER, b""):
        return match[0]
    fresh = b"%%taichi_aot.%s" % re.sub(rb"[^\w.$-]", b"", result)  # a name: numbers must be in order
    lines = [
        b"%s.0 = bitcast %s* %s to i8**" % (fresh, context_type, context),
        b"%s.1 = load i8*, i8** %s.0, align 8" % (fresh, fresh),
        b"%s.2 = getelementptr i8, i8* %s.1, i64 %d" % (fresh, fresh, offset),
    ]
    if number:
        lines.append(b"%s = bitcast i8* %s.2 to i64**" % (result, fresh))
    else:
        lines.append(b"%s.3 = bitcast i8* %s.2 to i64**" % (fresh, fresh))
        lines.append(b"%s = load i64*, i64** %s.3, align 8" % (result, fresh))
    return b"\n".join(indent + line for line in lines)
