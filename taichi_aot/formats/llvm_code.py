"""LLVM code of kernels that is to write its return values to an array; see `returns`.

Each task of a kernel is a function that is passed a context: a struct whose first member is the address of the argument
struct, and whose last is the address of the buffer for return values. Code that takes the latter takes the data pointer
of the array from the argument struct instead. The compiler optimizes x64 code; CUDA code calls accessors.

Functions of the program (``real_func``) are passed contexts as well. These are local variables of their callers, which
set all members, and stay as they are.
"""

from __future__ import annotations

import re

__all__ = ["return_through_array"]

VALUE = rb'%(?:[\w.$-]+|"[^"\n]*")'
GLOBAL = rb'@(?:[\w.$-]+|"[^"\n]*")'
TASK_CONTEXT = b"%context"  # the compiler's name for the parameter of a task
GETTER, SETTER = b"@RuntimeContext_get_result_buffer", b"@RuntimeContext_set_result_buffer"
RESULT = b"3"  # the number of the member
CONTEXT = re.compile(
    rb"^(%struct\.RuntimeContext[.\d]*) = type \{ i8\*, %struct\.LLVMRuntime[.\d]*\*, i32, i64\* \}$", re.MULTILINE
)
FUNCTION = re.compile(rb"^define [^\n]*?(%s)\(([^\n]*)\{\n(.*?)^\}$" % GLOBAL, re.MULTILINE | re.DOTALL)


def return_through_array(code: bytes, offset: int) -> bytes | None:
    """The code with its return values written to where the pointer in the argument struct at `offset` points to.

    None if there are not any, or if the code might find their buffer in a way that is not known here.
    """
    contexts = CONTEXT.findall(code)
    if len(contexts) != 1:
        return None
    uses = _ContextUses(contexts[0])
    functions = [_Function(uses, *match.groups()) for match in FUNCTION.finditer(code)]
    if not uses.are_known(code) or not all(function.is_known for function in functions):
        return None
    if not _calls_are_known(functions, code) or not any(TASK_CONTEXT in function.read for function in functions):
        return None
    return uses.getter.sub(
        lambda match: uses.replaced(match, offset), uses.member.sub(lambda m: uses.replaced(m, offset), code)
    )


class _ContextUses:
    """The forms in which code uses contexts of a type.

    Attributes
    ----------
    member, getter : pattern
        Taking the address of a member; the value of the last one. Groups: indentation, result, context, number.
    local, parameter, call : pattern
        A context as a local variable; as a parameter; as the first argument of a call.
    """

    def __init__(self, context: bytes) -> None:
        c = re.escape(context)
        result, passed = rb"^( *)(%s) = " % VALUE, rb"%s\* (?:\w+ )*" % c
        self.type = context
        self.member = re.compile(
            rb"%sgetelementptr (?:inbounds )?%s, %s\* (%s), (?:i32|i64) 0, i32 ([0-3])$" % (result, c, c, VALUE), re.M
        )
        self.getter = re.compile(rb"%scall i64\* %s\(%s(%s)()\)(?: #\d+)?$" % (result, GETTER, passed, VALUE), re.M)
        self.local = re.compile(rb"%salloca %s, align \d+$" % (result, c), re.M)
        self.parameter = re.compile(rb"%s(?:byval\(%s\) )?(%s)[,)]" % (passed, c, VALUE))
        self.call = re.compile(rb"\bcall [^\n(]*?(%s)\(%s(%s)[,)]" % (GLOBAL, passed, VALUE))
        self._any_member = re.compile(rb"\bgetelementptr [^\n]*?%s, " % c)
        self._cast = re.compile(rb"%sbitcast %s\* %s to (.*)$" % (result, c, VALUE), re.M)
        self._odd = re.compile(
            rb"\b(?:load %s,|(?:extract|insert)value %s |(?:ptrtoint|addrspacecast|phi|select i1 [^\n,]*,) %s\*)"
            % (c, c, c)
        )

    def are_known(self, code: bytes) -> bool:
        """Whether only known forms take the address of a member, or something else of a context."""
        casts = (target for _, _, target in self._cast.findall(code))
        return (
            len(self.member.findall(code)) == len(self._any_member.findall(code))
            and all(re.fullmatch(rb"i8\*\*?|\{.*\}\*\*", target) for target in casts)
            and not self._odd.search(code)
        )

    def as_bytes(self, body: bytes) -> set[bytes]:
        """The contexts that are cast to bytes."""
        return {name for _, name, target in self._cast.findall(body) if target == b"i8*"}

    def replaced(self, match: re.Match[bytes], offset: int) -> bytes:
        """The code that replaces what finds the buffer in the context of a task."""
        indent, result, context, number = match.groups()
        if context != TASK_CONTEXT or number not in (RESULT, b""):
            return match[0]
        fresh = b"%%taichi_aot.%s" % re.sub(rb"[^\w.$-]", b"", result)  # a name: numbers must be in order
        lines = [
            b"%s.0 = bitcast %s* %s to i8**" % (fresh, self.type, context),
            b"%s.1 = load i8*, i8** %s.0, align 8" % (fresh, fresh),
            b"%s.2 = getelementptr i8, i8* %s.1, i64 %d" % (fresh, fresh, offset),
        ]
        if number:
            lines.append(b"%s = bitcast i8* %s.2 to i64**" % (result, fresh))
        else:
            lines.append(b"%s.3 = bitcast i8* %s.2 to i64**" % (fresh, fresh))
            lines.append(b"%s = load i64*, i64** %s.3, align 8" % (result, fresh))
        return b"\n".join(indent + line for line in lines)


class _Function:
    """A function of the code, with the contexts of which it reads or sets the last member.

    Attributes
    ----------
    read : set of bytes
        These contexts.
    local, parameters : set of bytes
        The contexts that are its local variables; that it is passed.
    calls : list of tuple of bytes
        The functions that it passes contexts, each with the context.
    is_known : bool
        Whether it is known where those that it reads come from.
    """

    def __init__(self, uses: _ContextUses, name: bytes, head: bytes, body: bytes) -> None:
        self.name = name
        self.local = {result for _, result in uses.local.findall(body)}
        self.parameters = set(uses.parameter.findall(head))
        self.calls: list[tuple[bytes, bytes]] = uses.call.findall(body)
        members = [(result, context) for _, result, context, number in uses.member.findall(body) if number == RESULT]
        self.read = {context for _, context in members} | {context for _, _, context, _ in uses.getter.findall(body)}
        addresses = {result for result, context in members if context == TASK_CONTEXT}
        addresses |= set(re.findall(rb"(%s) = bitcast i64\*\* (?:%s) to " % (VALUE, _any_of(addresses)), body))
        is_set = re.search(rb"\bstore [^\n]*\*\* (?:%s)," % _any_of(addresses), body)
        by_offset = rb"\bgetelementptr (?:inbounds )?i8, i8\* (?:%s), i\d+ 24$" % _any_of(uses.as_bytes(body))
        self.is_known = name in (GETTER, SETTER) or (
            self.read <= self.local | self.parameters
            and is_set is None
            and re.search(by_offset, body, re.MULTILINE) is None
        )


def _any_of(names: set[bytes]) -> bytes:
    """A pattern for one of these names; without names, one that does not match."""
    return b"|".join(map(re.escape, sorted(names))) or rb"\Z\A"


def _calls_are_known(functions: list[_Function], code: bytes) -> bool:
    """Whether functions that use the last member of a context that they are passed are passed local ones only."""
    users = {function.name for function in functions if function.read & function.parameters - {TASK_CONTEXT}}
    for user in users | {GETTER, SETTER}:
        given = [
            (context, function.local) for function in functions for name, context in function.calls if name == user
        ]
        definitions = re.findall(rb"^(?:define|declare) [^\n]*?%s\(" % re.escape(user), code, re.MULTILINE)
        mentions = re.findall(rb"%s(?![\w.$-])" % re.escape(user), code)
        if len(mentions) != len(given) + len(definitions):
            return False
        if user != GETTER and not all(context in local for context, local in given):
            return False
    return True
