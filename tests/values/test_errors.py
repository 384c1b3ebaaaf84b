"""Exceptions of wrong calls: their classes and codes, and what pickles keep."""

import ast
import builtins
import copy
import pickle
import re
from pathlib import Path

import pytest
from helpers.wrong_calls import CALLS

import taichi_aot
from taichi_aot import ErrorCode, OutOfMemoryError, Runtime, TaichiError

PACKAGE = Path(__file__).parents[2] / "taichi_aot"
CLASSES = [cls for cls in vars(taichi_aot).values() if isinstance(cls, type) and issubclass(cls, TaichiError)]
CODED = [cls for cls in CLASSES if cls is not TaichiError]
# Commands and builds, which call nothing of the C-API; internal parsers; environment variables, which are no arguments.
WITHOUT_CODES = ("cli", "build", "demo", "_pyinstaller")
INTERNAL = (
    "adopt/spirv/_module.py",
    "bundle/_plan.py",  # what `check` raises is damage: CorruptedDataError
    "bundle/_codec.py",  # likewise
    "bundle/_info.py",  # likewise
    "bundle/_files.py",  # likewise
    "driver/_host.py",
)
PLAIN = ("BufferError", "IndexError", "KeyError", "OverflowError", "RuntimeError", "TypeError", "ValueError")


@pytest.mark.parametrize(("call", "cls", "code", "message"), CALLS, ids=[call for call, *_ in CALLS])
def test_call_of_the_table_raises_as_stated(call, cls, code, message, names):
    with pytest.raises(getattr(taichi_aot, cls, None) or getattr(builtins, cls)) as caught:
        eval(call, names)
    assert type(caught.value).__name__ == cls
    assert getattr(caught.value, "code", None) is ErrorCode[code]
    assert re.search(re.escape(message).replace("…", ".*"), str(caught.value)), caught.value


@pytest.mark.parametrize("cls", CODED, ids=[cls.__name__ for cls in CODED])
def test_copies_and_pickles_keep_code_and_message(cls):
    error = cls("of a call")
    for same in (copy.copy(error), pickle.loads(pickle.dumps(error))):
        assert (type(same), same.code, str(same), same.routine) == (cls, cls.code, "of a call", "")
    error.code, error.routine = ErrorCode.ARGUMENT_NULL, "ti_wait"
    for same in (copy.copy(error), pickle.loads(pickle.dumps(error))):
        assert (same.code, same.routine) == (ErrorCode.ARGUMENT_NULL, "ti_wait")
    assert cls.__new__(cls).code is cls.code  # as Dask makes them of pickles


def test_raised_exceptions_have_codes():
    """An exception of Python's own has no code: raise the class of this package that derives from it."""
    found = [
        f"{path.relative_to(PACKAGE)}:{node.lineno} {node.func.id}"
        for path in sorted(PACKAGE.rglob("*.py"))
        if path.relative_to(PACKAGE).parts[0] not in WITHOUT_CODES
        and path.relative_to(PACKAGE).as_posix() not in INTERNAL
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in PLAIN
    ]
    assert not found, "\n".join(found)


def test_allocation_of_a_closed_runtime_is_about_its_state(arch):
    rt = Runtime(arch)
    rt.close()
    with pytest.raises(ValueError, match="the runtime is closed") as caught:
        rt.allocate(16)
    assert not isinstance(caught.value, OutOfMemoryError)
    assert getattr(caught.value, "code", None) is ErrorCode.INVALID_STATE
