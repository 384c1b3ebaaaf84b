"""Changes to LLVM code without which the library could not run it, or would use other fields than machine code does."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ._ir import RUNTIME_MEMBER, VALUE, global_name

SYMBOL = re.compile(r"[A-Za-z_$][\w$]*", re.ASCII)  # a name that PTX can state
# Members 17 and 18 are functions that the code of `kernel_profiler=True` calls, and that the library leaves NULL.
PROFILER = re.compile(
    rb"(%s) = getelementptr inbounds %%struct\.LLVMRuntime[.\d]*, [^\n]* i\d+ 0, i32 1[78](?!\d)" % VALUE
)

ROOTS = b"[512 x i8*]"  # member 7, the memory of each tree of fields
RUNTIME = rb"%struct\.LLVMRuntime[.\d]*"
ROOT = re.compile(
    rb"= getelementptr (?:inbounds )?%s, %s\* %s, i\d+ 0, i32 7((?:, i\d+ \d+)?)$" % (RUNTIME, RUNTIME, VALUE), re.M
)


def with_roots(code: bytes, address: int) -> bytes:
    """The code of a kernel that finds the memory of its fields in a table at an address."""
    table = b"inttoptr (i64 %d to %s*)" % (address, ROOTS)
    return ROOT.sub(rb"= getelementptr %s, %s* %s, i64 0\1" % (ROOTS, ROOTS, table), code)


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
    if RUNTIME_MEMBER not in code or PROFILER.search(code) is None:
        return code
    functions = re.split(rb"^(?=define )", code, flags=re.MULTILINE)
    return b"".join(map(_function_without_profiler, functions))


def _function_without_profiler(code: bytes) -> bytes:
    for address in PROFILER.findall(code):
        for loaded in re.findall(rb"(%s) = load [^\n]* %s(?![\w.$-])" % (VALUE, re.escape(address)), code):
            code = re.sub(rb"\n[^\n]*call void " + re.escape(loaded) + rb"\([^\n]*", b"", code)
    return code
