"""The grammar of arguments on the command line: the value of each form, and errors for any other text."""

import contextlib
import io

import numpy as np
import pytest
from helpers.inside import read_assignments
from helpers.scaling import examples
from hypothesis import example, given, settings
from hypothesis import strategies as st

from taichi_aot import DataType, NotSupportedError, Parameter, Signature
from taichi_aot.cli._arguments import Value, content_of, parse_value, stated_shape
from taichi_aot.cli._output import ArgumentError
from taichi_aot.cli._run import Arguments

F32 = DataType.F32
BODY = np.dtype([("mass", "f4"), ("place", "f8", (2,)), ("inner", [("n", "i4"), ("on", "?")])])
PARAMETERS = {
    "a": Parameter("a", "scalar", F32),
    "half": Parameter("half", "scalar", DataType.F16),
    "i": Parameter("i", "scalar", DataType.I32),
    "n": Parameter("n", "scalar", DataType.U64),
    "flag": Parameter("flag", "scalar", DataType.U1),
    "v": Parameter("v", "matrix", F32, elem_shape=(3,)),
    "m": Parameter("m", "matrix", F32, elem_shape=(2, 3)),
    "z": Parameter("z", "ndarray", F32, 0),
    "x": Parameter("x", "ndarray", F32, 1),
    "b": Parameter("b", "ndarray", DataType.I8, 1),
    "u": Parameter("u", "ndarray", DataType.U1, 2),
    "p": Parameter("p", "ndarray", DataType.U8, 2, elem_shape=(3,)),
    "q": Parameter("q", "ndarray", F32, 3),
    "d": Parameter("d", "ndarray", DataType.F64, 2, elem_shape=(2, 2)),
    "body": Parameter("body", "struct", layout=BODY),
    "tex": Parameter("tex", "texture", None, 2),
    "rw": Parameter("rw", "rw_texture", None, 2, format="rgba8"),
    "deep": Parameter("deep", "rw_texture", None, 3, format="r32f"),
}
SIGNATURE = Signature("kernel", tuple(PARAMETERS.values()))


def made(assignment):
    """Make the array of an assignment; without sizes, each dimension has 4 elements."""
    name, _, text = assignment.partition("=")
    parameter = PARAMETERS[name]
    default = (4,) * parameter.ndim if parameter.kind == "ndarray" else ()
    content = content_of(parameter, parse_value(text), default)
    array = content.make()
    assert (array.shape, array.dtype) == (content.shape, content.dtype)
    assert array.nbytes == content.nbytes
    return array


def refusal(assignment):
    """Return the error message of an assignment."""
    with pytest.raises(ArgumentError) as caught:
        made(assignment)
    return str(caught.value)


@pytest.mark.parametrize(
    ("assignment", "expected"),
    [
        ("a=2", np.float32(2)),
        ("a=-2.5e-3", np.float32(-2.5e-3)),
        ("a=nan", np.float32(np.nan)),
        ("a=-inf", np.float32(-np.inf)),
        ("a=1:f32", np.float32(1)),
        ("i=-2147483648", np.int32(-(2**31))),
        ("i=0x7fFF", np.int32(0x7FFF)),
        ("n=18446744073709551615", np.uint64(2**64 - 1)),
        ("flag=true", np.bool_(True)),
        ("flag=0", np.bool_(False)),
        ("v=1,2,3", np.array([1, 2, 3], np.float32)),
        ("v=full::7", np.full(3, 7, np.float32)),
        ("v= 1, 2 ,3", np.array([1, 2, 3], np.float32)),
        ("m=1,2,3,4,5,6", np.arange(1, 7, dtype=np.float32).reshape(2, 3)),
        ("m=arange", np.arange(6, dtype=np.float32).reshape(2, 3)),
        ("z=4", np.float32(4)),
        ("x=1,2,3,4", np.array([1, 2, 3, 4], np.float32)),
        ("x=zeros", np.zeros(4, np.float32)),
        ("x=zeros:", np.zeros(4, np.float32)),
        ("x=zeros:7", np.zeros(7, np.float32)),
        ("x=zeros:0", np.zeros(0, np.float32)),
        ("x=zeros:7:f32", np.zeros(7, np.float32)),
        ("x=full:3:0.5", np.full(3, 0.5, np.float32)),
        ("x=full::0.5", np.full(4, 0.5, np.float32)),
        ("x=arange:5", np.arange(5, dtype=np.float32)),
        ("b=arange:128", np.arange(128, dtype=np.int8)),
        ("u=full:2x3:true", np.ones((2, 3), np.bool_)),
        ("p=full:2x2:1,2,3", np.full((2, 2, 3), (1, 2, 3), np.uint8)),
        ("p=full:1x2:9", np.full((1, 2, 3), 9, np.uint8)),
        ("d=full:3x1:1,2,3,4", np.full((3, 1, 2, 2), [[1, 2], [3, 4]], np.float64)),
        ("body=0.5,1,2,-3,true", np.array((0.5, (1, 2), (-3, True)), BODY)),
        ("tex=zeros:6x4:r8", np.zeros((4, 6), np.uint8)),
        ("tex=zeros:6x4", np.zeros((4, 6, 4), np.float32)),
        ("rw=full:6x4:1,2,3,4", np.full((4, 6, 4), (1, 2, 3, 4), np.uint8)),
        ("deep=arange:2x3x4", np.arange(24, dtype=np.float32).reshape(4, 3, 2)),
    ],
)
def test_every_form_gives_its_array(assignment, expected):
    found = made(assignment)
    assert found.dtype == expected.dtype
    np.testing.assert_array_equal(found, expected, strict=True)


def test_random_numbers_are_reproducible_for_each_parameter():
    first, again, other = made("x=rand:1000"), made("x=rand:1000"), made("z=rand")
    assert np.array_equal(first, again)
    assert first[0] != other
    assert 0 <= first.min() < 0.1 < 0.9 < first.max() < 1
    assert made("b=rand:1000").min() == 0
    assert made("b=rand:1000").max() == 99
    assert 0 < made("u=rand:30x30").mean() < 1
    assert made("rw=rand:64x64").max() == 255


@pytest.mark.parametrize(
    ("assignment", "message"),
    [
        ("a=two", "a: 'two' is not a number of f32"),
        ("a=1e39", "a: '1e39' is beyond the numbers of f32"),
        ("a=1e400", "a: '1e400' is beyond the numbers of f32"),
        ("d=full::-1e400", "d: '-1e400' is beyond the numbers of f64"),
        ("half=65536", "half: '65536' is beyond the numbers of f16"),
        ("a=1,2", "a: f32 takes 1 numbers, not 2"),
        ("body=1,2,3,4.5,1", "body.inner.n: '4.5' is not an integer of i32"),
        ("body=1,2", "takes 5 numbers, not 2"),
        ("body=rand", "takes numbers, in the order of its members"),
        ("a=1:f64", "a has numbers of f32, not of f64"),
        ("a=zeros:3", "a takes 0 sizes, not 3"),
        ("i=2.0", "i: '2.0' is not an integer of i32"),
        ("i=2147483648", "i: 2147483648 is not in -2147483648...2147483647, the integers of i32"),
        ("n=-1", "n: -1 is not in 0...18446744073709551615, the integers of u64"),
        ("i=" + "9" * 5000, "is not an integer of i32"),
        ("flag=2", "flag: '2' is not true, false, 1 or 0, of u1"),
        ("v=1,2", "v: vector(3, f32) takes 3 numbers, not 2"),
        ("v=1,,3", "v: '' is not a number of f32"),
        ("q=1,2,3", "q has 3 dimensions: give @FILE.npy"),
        ("x=zeros:2x2", "x takes 1 sizes, not 2x2"),
        ("x=zeros:-1", "expected sizes such as 1024 or 640x480, not '-1'"),
        ("x=zeros:2147483648", "a size is at most 2^31 - 1"),
        ("x=zeros:99999999999999999999999", "a size is at most 2^31 - 1"),
        ("p=zeros:1x" + "9" * 5000, "a size is at most 2^31 - 1"),
        ("x=zeros:٣", "expected sizes such as"),
        ("x=twos:3", "expected numbers, @FILE, zeros:"),
        ("x=ones:3", "not 'ones:3'; did you mean 'full:3:1'?"),
        ("x=ones", "not 'ones'; did you mean 'full::1'?"),
        ("x=random:4x4", "; did you mean 'rand:4x4'?"),
        ("x=np.zeros(3)", "; did you mean 'zeros:3'?"),
        ("q=ones((2, 3,4))", "; did you mean 'full:2x3x4:1'?"),
        ("x=[1, 2,3]", "; did you mean '1,2,3'?"),
        ("x=zeors:3", "; did you mean 'zeros:3'?"),
        ("x=data.npy", "not 'data.npy'; did you mean '@data.npy'?"),
        ("x=data.npy:f32", "; did you mean '@data.npy:f32'?"),
        ("x=full:3", "expected full:SIZES:NUMBER or full::NUMBER, not 'full:3'"),
        ("p=full:2x2:1,2", "p: full: takes one number or those of an element, not 2"),
        ("b=arange:129", "b: 0 to 128 exceeds the numbers of i8"),
        ("x=@", "expected the path of a file after '@'"),
        ("x=@\0", "expected the path of a file after '@'"),
        ("tex=1,2", "tex is an image: give a file"),
        ("tex=zeros", "tex is an image and needs sizes: zeros:64x64"),
        ("tex=zeros:4x4:f32", "its type is a format such as rgba8, not f32"),
        ("tex=zeros:4x4:depth32f", "its type is a format such as rgba8"),
        ("rw=zeros:4x4:r8", "rw has the format rgba8, not r8"),
        ("x=", "expected numbers, @FILE"),
    ],
)
def test_error_names_the_value_and_the_remedy(assignment, message):
    assert message in refusal(assignment)


# Files


def save(path, array):
    np.save(path, array)
    return path


def test_numpy_files_are_read(tmp_path):
    numbers = np.arange(6, dtype=np.float32)
    assert np.array_equal(made(f"x=@{save(tmp_path / 'x.npy', numbers)}"), numbers)
    for matrix in (numbers.reshape(2, 3), numbers):
        assert np.array_equal(made(f"m=@{save(tmp_path / 'm.npy', matrix)}"), numbers.reshape(2, 3))
    assert made(f"a=@{save(tmp_path / 'a.npy', np.float32(7))}") == 7
    assert np.array_equal(made(f"x=@{save(tmp_path / 'swapped.npy', numbers.astype('>f4'))}"), numbers)
    columns = np.asfortranarray(np.arange(24, dtype=np.uint8).reshape(2, 4, 3))
    assert np.array_equal(made(f"p=@{save(tmp_path / 'p.npy', columns)}"), columns)
    assert made(f"x=@{save(tmp_path / 'empty.npy', np.zeros(0, np.float32))}").shape == (0,)


def test_type_converts_a_file_exactly(tmp_path):
    path = save(tmp_path / "x.npy", np.array([0.5, 300, -1]))
    assert f"{path} has float64, x takes float32; write x=@{path}:TYPE to convert it" in refusal(f"x=@{path}")
    assert made(f"x=@{path}:f32").tolist() == [0.5, 300, -1]
    assert "a number is not one of i8" in refusal(f"b=@{path}:i8")
    whole = save(tmp_path / "whole.npy", np.array([1.0, -128]))
    assert made(f"b=@{whole}:i8").tolist() == [1, -128]
    assert "a number is not one of i8" in refusal(f"b=@{save(tmp_path / 'nan.npy', np.array([np.nan]))}:i8")


def test_unsuitable_files_are_refused(tmp_path):
    objects = tmp_path / "objects.npy"
    np.save(objects, np.array([{}, []], object), allow_pickle=True)
    assert "is not a .npy file with numbers" in refusal(f"x=@{objects}")
    assert "kernels take numbers of up to 64 bits" in refusal(f"x=@{save(tmp_path / 'c.npy', np.ones(2, complex))}")
    assert "kernels take numbers of up to 64 bits" in refusal(f"x=@{save(tmp_path / 's.npy', np.array(['a']))}")
    text = tmp_path / "text.npy"
    text.write_text("1 2 3")
    assert "is not a .npy file with numbers" in refusal(f"x=@{text}")
    text.write_bytes(b"")
    assert "is not a .npy file with numbers" in refusal(f"x=@{text}")
    pairs = save(tmp_path / "pairs.npy", np.ones((4, 2), np.float32))
    takes = "x: ndarray[f32, 1] takes 1 dimension: (any)"
    assert f"{pairs} has 2 dimensions, its shape is (4, 2); {takes}" in refusal(f"x=@{pairs}")
    number = save(tmp_path / "number.npy", np.float32(1))
    assert f"{number} has 0 dimensions, its shape is (); {takes}" in refusal(f"x=@{number}")
    assert "a: f32 takes 0 dimensions" in refusal(f"a=@{pairs}")
    assert f"'u77' after {pairs} is not a dtype such as f32, or a format" in refusal(f"x=@{pairs}:u77")
    animation = tmp_path / "m.gif"
    animation.write_bytes(b"GIF89a")
    assert f"{animation} is not a .npy file with numbers" in refusal(f"p=@{animation}")
    assert "is a folder: name a file in it" in refusal(f"x=@{tmp_path}")
    with pytest.raises(FileNotFoundError):
        made(f"x=@{tmp_path / 'missing.npy'}")


def test_file_shorter_than_its_header_says_is_refused(tmp_path):
    path = tmp_path / "large.npy"
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<f4", "fortran_order": False, "shape": (2**40,)})
    path.write_bytes(header.getvalue() + b"\0" * 64)
    assert "is not a .npy file with numbers" in refusal(f"x=@{path}")


@settings(max_examples=examples(200), deadline=None)
@given(place=st.integers(0, 200), replacement=st.binary(min_size=1, max_size=8), length=st.integers(0, 300))
def test_damaged_files_are_read_or_refused(tmp_path_factory, place, replacement, length):
    file = io.BytesIO()
    np.save(file, np.arange(16, dtype=np.float32))
    data = file.getvalue()
    path = tmp_path_factory.getbasetemp() / "damaged.npy"
    path.write_bytes((data[:place] + replacement + data[place + len(replacement) :])[:length])
    with contextlib.suppress(ArgumentError):
        made(f"x=@{path}")


def test_numpy_files_become_images(tmp_path):
    floats = np.random.default_rng(0).random((4, 6, 4), np.float32)
    path = save(tmp_path / "rgba.npy", floats)
    assert np.array_equal(made(f"tex=@{path}:rgba32f"), floats)
    assert "the format of tex is not known: write @" in refusal(f"tex=@{path}")
    rgb = save(tmp_path / "rgb.npy", floats[..., :3])
    assert "an image of rgba8 has (height, width, 4)" in refusal(f"rw=@{rgb}")
    integers = save(tmp_path / "i.npy", np.zeros((4, 6), np.int64))
    assert made(f"tex=@{integers}:r32i").dtype == np.int32
    volume = save(tmp_path / "volume.npy", np.zeros((4, 3, 2), np.float32))
    assert made(f"deep=@{volume}").shape == (4, 3, 2)


# All arguments of a kernel

SAXPY = Signature("saxpy", tuple(PARAMETERS[name] for name in ("a", "x"))).with_shapes({"x": "n"})
SIZED = Signature(
    "sized", (PARAMETERS["n"], PARAMETERS["x"], PARAMETERS["x"]._replace(name="y"), PARAMETERS["b"])
).with_shapes({"x": "n", "y": "n"})


def test_kernel_with_a_pack_is_refused_before_its_arguments_are_read():
    signature = Signature("shade", (PARAMETERS["a"], Parameter("s", "argpack")))
    with pytest.raises(NotSupportedError, match=r"^shade\(\) parameter 's': an argument pack cannot be passed"):
        Arguments(signature, ["a=@missing.npy"], complete=True)


def test_shapes_follow_given_arguments():
    assert Arguments(SIZED, ["n=9"], complete=False)._shapes == {"n": (), "x": (9,), "y": (9,), "b": (2**20,)}
    assert Arguments(SIZED, ["x=zeros:7"], complete=False)._shapes["y"] == (7,)
    assert Arguments(SIZED, ["y=1,2", "x=rand"], complete=False)._shapes["x"] == (2,)


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["a=1"], "saxpy needs 1 more argument, such as x=zeros:64; it is saxpy(a: f32, x: ndarray"),
        ([], "saxpy needs 2 more arguments, such as a=1 x=zeros:64;"),
        (["a=1", "y=1"], "saxpy has no parameter 'y'; it is saxpy(a: f32"),
        (["a=1", "a=2"], "a is given twice"),
        (
            ["a=1", "x=zeros:2147483647"],
            "the arguments take 8,589,934,592 bytes, x alone 8,589,934,588; they may take at",
        ),
    ],
)
def test_wrong_arguments_are_refused(texts, message):
    with pytest.raises(ArgumentError) as caught:
        Arguments(SAXPY, texts, complete=True)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ([], "such as n=64 x=zeros:64 y=zeros:64 b=zeros:64;"),
        (["n=7"], "such as x=zeros:7 y=zeros:7 b=zeros:64;"),
        (["y=1,2", "b=1"], "such as n=2 x=zeros:2;"),
    ],
)
def test_suggested_arguments_have_the_stated_shapes(texts, message):
    with pytest.raises(ArgumentError) as caught:
        Arguments(SIZED, texts, complete=True)
    assert message in str(caught.value)
    suggested = message.removeprefix("such as ").rstrip(";").split()
    assert Arguments(SIZED, [*texts, *suggested], complete=True)


@pytest.mark.parametrize("complete", [True, False])
def test_arrays_of_other_shapes_than_stated_are_refused(complete):
    with pytest.raises(ArgumentError) as caught:
        Arguments(SIZED, ["n=4", "x=zeros:5", "y=zeros:6", "b=zeros:1"], complete=complete)
    assert str(caught.value) == f"{SIZED.parameters[1]} has the shape (5,), and n is 4: it must be (4,)"


def test_size_given_by_a_number_is_bounded():
    with pytest.raises(ArgumentError, match="they may take at most"):
        Arguments(SIZED, ["n=2000000000"], complete=False)


# Any text

WORDS = """zeros full rand arange : :: x @ 1 0 16 4x4 2147483647 9999999999 , f32 rgba8 u1 i8 - + . e nan inf 1e400 0x1F
    true é = ٣"""
PIECES = st.sampled_from([*WORDS.split(), " ", "\n", "\0", "\ud800"])
TEXTS = st.one_of(st.text(max_size=30), st.lists(PIECES, max_size=8).map("".join))


@settings(max_examples=examples(500), deadline=None)
@example("arange:99999999", "half")
@example("full:2147483647x2147483647:1", "p")
@example("rand:0x0", "p")
@example("full:0:1,2", "x")
@example("full:0x4:1,2,3,4", "rw")
@given(text=TEXTS, name=st.sampled_from(list(PARAMETERS)))
def test_any_text_is_a_value_or_refused(text, name):
    parameter = PARAMETERS[name]
    default = (3,) * parameter.ndim if parameter.kind == "ndarray" else ()
    try:
        values = read_assignments(SIGNATURE, [f"{name}={text}"])
        shape = stated_shape(parameter, values[name])
        content = content_of(parameter, values[name], default)
    except ArgumentError:
        return
    except OSError:
        assert text.startswith("@")
        return
    assert shape is None or shape == content.shape[: parameter.ndim]
    if content.nbytes < 1 << 16:
        array = content.make()
        assert (array.shape, array.dtype) == (content.shape, content.dtype)


@settings(max_examples=examples(300), deadline=None)
@given(text=TEXTS)
def test_any_assignment_is_read_or_refused(text):
    with contextlib.suppress(ArgumentError):
        read_assignments(SIGNATURE, [text])


@settings(deadline=None)
@given(numbers=st.lists(st.floats(width=32), min_size=1, max_size=9))
def test_numbers_are_passed_bit_for_bit(numbers):
    found = made(f"x={','.join(map(repr, numbers))}")
    np.testing.assert_array_equal(found, np.array(numbers, np.float32), strict=True)


@given(sizes=st.lists(st.integers(0, 2**31 - 1), min_size=1, max_size=8))
def test_sizes_are_read(sizes):
    assert parse_value(f"zeros:{'x'.join(map(str, sizes))}") == Value("zeros", "", tuple(sizes))
