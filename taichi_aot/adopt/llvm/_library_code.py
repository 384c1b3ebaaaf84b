"""The LLVM code of a kernel for the library, with tokens where a process writes its own addresses.

Loops on the CPU run on the pool of this package (``_c/core/pool.c``): the library starts threads for each runtime, and
wakes all of them for each loop. Checks note failures in the context of a runtime. Kernels that also have machine code
use its fields. All this is done to the private copy, so the library itself, and modules that others load into the same
``TiRuntime``, stay as they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from ...bundle._files import CODE_SUFFIX
from ...bundle._graph_shapes import MANGLED, same_types
from ...bundle._plan import TOKENS
from ...values._enums import Arch
from ...values._errors import FIELD_NODE
from ...values._signature import Signature
from ..taichi._members import LoweredModule
from ._checks import leave_failed_tasks, note_failures
from ._instructions import Instruction, changed, instructions_with, uses_of
from ._ir import CPU_LOOP, OF_MEMBERS, ROOTS, STATES, global_name, in_place, member_of, member_type, members_of

FIRST_TOKEN = 9_000_000_000_000_000_000  # a number of 64 bits with a sign, of which code has few
FUNCTION = rb"void \(i8\*, i32, i32, i8\*, void \(i8\*, i32, i32\)\*\)\*"  # of no other member of the runtime's struct
LOADED = re.compile(rb"load (%s), [^\n]*" % FUNCTION)
SYMBOL = re.compile(r"[A-Za-z_$][\w$]*", re.ASCII)  # a name that PTX can state
# Functions that the code of `kernel_profiler=True` calls, and that the library leaves NULL.
PROFILER = (17, 18)
ROOTS_TYPE = "[512 x i8*]"  # of the memory of each tree of fields


class LibraryCode:
    """The code of the kernels of a copy for the library."""

    def __init__(self, module: LoweredModule) -> None:
        self._info = module.info
        self._files = module.files
        self._on_host = Arch.CUDA not in module.info.archs
        self.tokens = self._unused_tokens()  # the first token; no code has a number that begins like the tokens
        self._token = {name: self.tokens + i for i, name in enumerate(TOKENS)}
        # The name and the parameters of each kernel whose failures are noted, for messages.
        self.checks: dict[str, Any] = {}
        has_checks = any(kernel.checked for kernel in module.info.all_kernels.values())
        # The node of each field in messages, with its name.
        self.nodes = list(self._field_nodes()) if has_checks else []

    def _unused_tokens(self) -> int:
        first = FIRST_TOKEN
        while any(b"%d" % (first // 100) in data for name, data in self._files.items() if name.endswith(CODE_SUFFIX)):
            first += 100
        return first

    def of(self, kernel: str) -> bytes:
        """Return the code of a kernel with its loops on the pool, and its failures recorded."""
        code, token = self._files[f"{kernel}{CODE_SUFFIX}"], self._token
        if self._info.all_kernels[kernel].checked:
            noting = note_failures(code, token)
            if noting is not None:
                signature = self._named(kernel)
                self.checks[kernel] = [signature.name, [each.name for each in signature.parameters]]
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
        own, compiled = self._info.all_kernels[name], MANGLED.fullmatch(name)
        if compiled is None:
            return own.signature
        known = self._info.all_kernels.get(compiled[1])
        if known is not None and same_types(known, own):
            return known.signature
        return own.signature._replace(name=compiled[1])

    def _field_nodes(self) -> Iterator[list[str]]:
        """Yield the node of each field in messages, which the kernel that reads it has, with the name of the field."""
        for field in self._info.fields:
            node = re.search(FIELD_NODE.encode(), self._files.get(f"{field.get}{CODE_SUFFIX}", b""))
            if node:
                yield [node[1].decode(), field.name]


def rename_tasks(tasks: Iterable[str], code: bytes, symbols: dict[str, str]) -> bytes:
    """Code whose tasks have names that PTX can state; the new names are added to `symbols`.

    LLVM replaces other characters where it writes PTX, so that the library does not find the functions.
    """
    for name in tasks:
        if not SYMBOL.fullmatch(name):
            symbols[name] = "".join(c if SYMBOL.fullmatch(f"_{c}") else f"_u{ord(c):x}_" for c in name)
            spelled = re.escape(global_name(name)) + rb"(?![\w.$-])"
            code = re.sub(spelled, b"@" + symbols[name].encode(), code)
    return code


def without_profiler(code: bytes) -> bytes:
    """The code of a kernel without its calls of the profiler. They return nothing, so no value is renumbered."""
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
