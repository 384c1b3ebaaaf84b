"""The table of wrong calls in docs/capi.md is what they raise, for each parameter of each prototype."""

import json
import pickle
from copy import copy
from pathlib import Path
from threading import Thread

import pytest
from helpers.archs import require
from helpers.child import run_in_child
from scenarios.capi import functions, inputs
from scenarios.capi_codes import table

from taichi_aot import Arch, ArgumentNullError, CorruptedDataError, ErrorCode, capi

ROOT = Path(__file__).parents[2]
TABLE = ROOT / "docs" / "capi-errors.inc"
HEADER = "| function | wrong | class | code | message |\n| --- | --- | --- | --- | --- |\n"
ARCHS = (Arch.X64, Arch.VULKAN)


@pytest.fixture
def wrong_calls(build_source):
    """Function, what is wrong, class, code and message of each wrong call, on both archs."""
    require(*ARCHS)
    paths = [build_source(ROOT / "examples" / "howto" / "kernels.py", arch, caps=()) for arch in ARCHS]
    printed = [
        run_in_child(table, str(arch), str(path), str(other), quiet=False).stdout
        for arch, path, other in zip(ARCHS, paths, reversed(paths), strict=True)
    ]
    lines = [line for text in printed for line in text.splitlines() if line.startswith("[")]
    return list(dict.fromkeys(tuple(json.loads(line)) for line in lines))


def test_table_of_the_page_is_what_wrong_calls_raise(wrong_calls):
    assert {call[0] for call in wrong_calls} == {name for name, p in functions().items() if inputs(p)}
    wanted = HEADER + "".join(rows(wrong_calls))
    assert TABLE.read_text(encoding="utf-8") == wanted, f"the table must be\n{wanted}"


def rows(calls):
    """Return the lines of the table: one for all functions with the same row."""
    grouped = {}
    with_wrong = {}
    for function, what, *rest in calls:
        with_wrong.setdefault(what, set()).add(function)
        grouped.setdefault((what, *rest), []).append(function)
    lines = []
    for (what, cls, code, message), names in grouped.items():
        is_common = what.startswith("`") and len(names) > 2 and with_wrong[what] == set(names)
        named = f"all with {what.partition(':')[0]}" if is_common else ", ".join(f"`{name}`" for name in names)
        lines.append(f"| {named} | {what} | `{cls}` | `{code}` | {message.replace('|', '/')} |\n")
    return lines


def test_last_error_stays_when_later_calls_succeed():
    capi.set_last_error(capi.TiError.TI_ERROR_SUCCESS, None)
    assert (capi.get_last_error(), capi.get_last_error().code) == ("", capi.TiError.TI_ERROR_SUCCESS)
    with pytest.raises(ArgumentNullError) as caught:
        capi.wait(capi.TiRuntime())
    capi.get_available_archs()
    error = capi.get_last_error()
    assert (error, error.code) == (str(caught.value), caught.value.code)
    assert (pickle.loads(pickle.dumps(error)).code, copy(error).code) == (error.code, error.code)


def test_last_error_belongs_to_its_thread():
    found = []
    capi.set_last_error(capi.TiError.TI_ERROR_INVALID_STATE, "of this thread")
    thread = Thread(target=lambda: found.append(capi.get_last_error()))
    thread.start()
    thread.join()
    assert (found, capi.get_last_error()) == ([""], "of this thread")


@pytest.mark.parametrize(
    ("error", "message", "expected"),
    [
        (capi.TiError.TI_ERROR_INVALID_STATE, None, ("", ErrorCode.INVALID_STATE)),
        (capi.TiError.TI_ERROR_INVALID_STATE, "", ("", ErrorCode.INVALID_STATE)),
        (-4, "é", ("é", ErrorCode.INVALID_ARGUMENT)),
        (capi.TiError.TI_ERROR_SUCCESS, None, ("", ErrorCode.SUCCESS)),
        (capi.TiError.TI_ERROR_SUCCESS, "no error", ("", ErrorCode.SUCCESS)),
    ],
)
def test_set_last_error(error, message, expected):
    capi.set_last_error(error, message)
    assert (capi.get_last_error(), capi.get_last_error().code) == expected


def test_error_of_the_library_is_the_last_error(tmp_path):
    runtime = capi.create_runtime(capi.TiArch.TI_ARCH_X64, 0)
    with pytest.raises(NotImplementedError) as caught:
        capi.create_sampler(runtime, capi.TiSamplerCreateInfo())
    assert capi.get_last_error() == str(caught.value)
    assert capi.get_last_error().code == ErrorCode.NOT_SUPPORTED
    (tmp_path / "damaged.tcm").write_bytes(b"PK")
    with pytest.raises(CorruptedDataError):
        capi.load_aot_module(runtime, str(tmp_path / "damaged.tcm"))
    assert capi.get_last_error().code == ErrorCode.CORRUPTED_DATA
    capi.destroy_runtime(runtime)
