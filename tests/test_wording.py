"""Messages about wrong values name the parameter, say what came, and stay short."""

import itertools

import numpy as np
import pytest

import taichi_aot
from taichi_aot import Runtime
from taichi_aot.__main__ import main
from taichi_aot.driver._checks import formatted
from taichi_aot.values._errors import describe, short, with_unit
from taichi_aot.values._numbers import as_integer


def nested(depth, kind=list):
    value = kind()
    for _ in range(depth):
        value = kind([value])
    return value


DEEP, DEEP_TUPLE, LONG = nested(100_000), nested(100_000, tuple), 1 << 100_000
cyclic = []
cyclic.append(cyclic)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3, "3"),
        (-1.5, "-1.5"),
        (True, "True"),
        ("name", "'name'"),
        ("a" * 10**6, f"'{'a' * 39}..."),
        (LONG, "an integer of 100001 bits"),
        (10**60, f"1{'0' * 39}..."),
        ((2, 3), "(2, 3)"),
        ((2,), "(2,)"),
        ((), "()"),
        (["a", None, 1.0], "['a', NoneType, 1.0]"),
        (DEEP, "[list]"),
        (cyclic, "[list]"),
        ([1] * 10**6, f"[{'1, ' * 24}... 1000000 in all]"),
        ((LONG, (1, 2)), "(an integer of 100001 bits, tuple)"),
        (np.float32(0.5), "0.5"),
        (np.array(7), "7"),
        (np.zeros((2, 3)), "a numpy array of float64 with shape (2, 3)"),
        (None, "NoneType"),
        (b"bytes", "bytes"),
        ({1: 2}, "dict"),
    ],
    ids=range(21),
)
def test_values_are_short(value, text):
    assert short(value) == text


def test_values_are_described_without_their_code():
    class Odd(int):
        def __repr__(self):
            raise AssertionError

    assert short(Odd(3)) == describe(Odd(3)) == f"{__name__}.{Odd.__qualname__}"
    assert as_integer(Odd(3), "count") == 3
    assert describe(3) == "int 3"
    assert describe(DEEP) == "list"
    with pytest.raises(TypeError, match=r"count must be an integer, not float 3\.0"):
        as_integer(3.0, "count")


@pytest.fixture
def things(arch, modules):
    """Objects that all cases share; no case changes them."""
    if arch not in _things:
        rt = Runtime(arch)
        basic, table = rt.load_module(modules / "basic.tcm").kernels, rt.load_module(modules / "table.tcm").kernels
        x, ints = rt.zeros(4), rt.zeros(4, "i32")
        store = basic["store"].rename("value", "real", "ints", "reals").bind(1, 1.0, ints, x)
        _things[arch] = rt, rt.allocate(16), rt.sequence([store]), table["vector_f32"], x
    return _things[arch]


_things = {}


def ramp(value, repeat=3):
    return lambda rt, memory, sequence, vector, x: sequence(repeat, ramps={"value": value})


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda rt, memory, *_: rt.allocate(1.5), TypeError, "size must be an integer, not float 1.5"),
        (lambda rt, memory, *_: rt.allocate(LONG), MemoryError, "100001 bits"),
        (lambda rt, memory, *_: rt.allocate(-LONG), ValueError, "at least 1 byte, not an integer of 100001 bits"),
        (lambda rt, memory, *_: memory.fill(256), OverflowError, "value must be a byte, 0 to 255, not 256"),
        (lambda rt, memory, *_: memory.read(1.5), TypeError, "offset must be an integer, not float 1.5"),
        (lambda rt, memory, *_: memory.read(0, "1"), TypeError, "size must be an integer, not str '1'"),
        (lambda rt, memory, *_: memory.read(LONG), IndexError, "100001 bits"),
        (lambda rt, memory, *_: memory.write(b"a", None), TypeError, "offset must be an integer, not NoneType"),
        (lambda rt, memory, *_: memory[LONG:], IndexError, "100001 bits"),
        (lambda rt, *_: Runtime(rt.arch, 1.5), TypeError, "device_index must be an integer, not float 1.5"),
        (lambda rt, *_: Runtime(rt.arch, LONG), ValueError, "device_index an integer of 100001 bits"),
        (lambda rt, *_: Runtime("a" * 10**6), ValueError, "unknown arch 'aaa"),
        (lambda rt, *_: rt.sequence(None), TypeError, "launches must be an iterable.*not NoneType"),
        (lambda rt, m, sequence, *_: rt.sequence(sequence), TypeError, "launches must be an iterable.*LaunchSequence"),
        (lambda rt, m, sequence, *_: rt.sequence(sequence._launches[0]), TypeError, "not taichi_aot.Launch"),
        (lambda rt, m, sequence, *_: sequence(repeat=-LONG), ValueError, "negative: an integer of 100001 bits"),
        (ramp((1,)), TypeError, r"must be a pair \(first, step\), not \(1,\)"),
        (ramp("123"), TypeError, r"must be a pair \(first, step\), not '123'"),
        (ramp(DEEP), TypeError, r"must be a pair \(first, step\), not \[list\]"),
        (ramp(itertools.count()), TypeError, "must be a pair"),
        (ramp((1, "a")), TypeError, "'value': str 'a' is not an integer"),
        (ramp((2**31, 0)), OverflowError, "'value': 2147483648 does not fit i32"),
        (ramp((0, LONG)), OverflowError, "with the step an integer of 100001 bits it does not fit i32"),
        (lambda rt, m, s, *_: s(2, ramps={(1.5, "value"): (1, 1)}), TypeError, "launch of a ramp must be an integer"),
        (lambda rt, m, s, *_: s(2, ramps={(LONG, "value"): (1, 1)}), IndexError, "100001 bits"),
        (lambda rt, m, s, *_: s(2, ramps={(1, (1,) * 10**6): (1, 1)}), TypeError, r"not for \(1, tuple\)"),
        (lambda rt, m, s, *_: s(2, ramps={"a" * 10**6: (1, 1)}), TypeError, "scalar parameter 'aaa"),
        (lambda rt, *_: rt.zeros(3, DEEP), TypeError, r"dtype must be one of f16.*not \[list\]"),
        (lambda rt, *_: rt.zeros(3, cyclic), TypeError, "dtype must be one of"),
        (lambda rt, *_: rt.zeros(3, "a" * 10**6), TypeError, "dtype must be one of"),
        (lambda rt, *_: rt.asarray([3], DEEP), TypeError, "dtype must be one of"),
        (lambda rt, memory, *_: memory.ndarray(3, DEEP), TypeError, "dtype must be one of"),
        (lambda rt, *_: rt.zeros(DEEP), TypeError, r"shape must be .*, not \[list\]"),
        (lambda rt, *_: rt.zeros([-1] * 10**5), ValueError, "100000 in all"),
        (lambda rt, *_: rt.zeros(3, "f32", [1] * 10**5), ValueError, "not 100000"),
        (lambda rt, *_: rt.zeros(LONG), ValueError, "100001 bits"),
        (lambda rt, *_: rt.asarray(np.zeros(3), elem_shape=[1] * 10**5), ValueError, "100000 in all"),
        (lambda rt, m, s, vector, x: vector(DEEP, x), ValueError, r"'x': expected vector\(3, f32\), got shape"),
        (lambda rt, m, s, vector, x: vector(cyclic, x), ValueError, r"'x': expected vector\(3, f32\), got shape"),
        (lambda rt, m, s, vector, x: vector(DEEP_TUPLE, x), ValueError, r"'x': expected vector\(3, f32\), got shape"),
        (lambda rt, m, s, vector, x: x.write(DEEP), TypeError, "list is not a real number"),
        (lambda rt, m, s, vector, x: x.fill(DEEP), TypeError, "list is not a real number"),
        (lambda rt, m, s, vector, x: vector.rename(DEEP), TypeError, r"names must be a sequence of str, not \(list,\)"),
    ],
    ids=range(43),
)
def test_wrong_value_is_named_briefly(things, call, error, message):
    with pytest.raises(error, match=message) as caught:
        call(*things)
    assert len(str(caught.value)) < 500


def test_empty_path_is_not_found(capfd):
    with pytest.raises(FileNotFoundError, match="the path of a module is empty"):
        taichi_aot.inspect("")
    assert main(["validate", ""]) == 2
    assert "argument MODULE: it is empty" in capfd.readouterr().err


def test_unknown_kernel_is_named_briefly(rt, modules):
    module = rt.load_module(modules / "basic.tcm")
    with pytest.raises(KeyError, match=r"no kernel 'aaaa.*\.\.\., it has '") as caught:
        module.kernels["a" * 10**6]
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize(
    ("template", "arguments", "expected"),
    [
        ("n is %d", [2**32 - 1], "n is -1"),
        ("%d%d", [7], "7%d"),
        ("%f", [0x3FC00000], "1.5"),
        ("%f", [0x3FF8000000000000], "1.5"),
        ("%f", [0x3E00], "1.5"),
        ("100% wrong, %s", [1], "100% wrong, %s"),
        ('%d\nFile "k.py", line 3, in k:\n    x[i %d]', [1, 2], '1\nFile "k.py", line 3, in k:\n    x[i %d]'),
        ("a\x1b[2J\r\x00b", [], "a\N{REPLACEMENT CHARACTER}[2J\N{REPLACEMENT CHARACTER}\N{REPLACEMENT CHARACTER}b"),
    ],
)
def test_messages_of_failed_checks_have_their_arguments(template, arguments, expected):
    assert formatted(template, arguments) == expected


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "0 ns"),
        (2.5e-10, "0.25 ns"),
        (1.23456e-7, "123.5 ns"),
        (1e-6, "1 us"),
        (0.0123456, "12.35 ms"),
        (1.5, "1.5 s"),
        (12345.6, "12,346 s"),
        (-0.002, "-2 ms"),
    ],
)
def test_times_have_a_unit_that_reads_well(seconds, text):
    assert with_unit(seconds) == text
