"""Sequences that are saved with their modules and loaded again."""

from __future__ import annotations

import copy
import io
import json
import math
import os
import re
import shutil
import zipfile
from pathlib import Path

import numpy as np
import pytest
from helpers.archives import join, pack
from helpers.inside import made_up_arguments
from hypothesis import given, settings
from hypothesis import strategies as st

import taichi_aot
from taichi_aot import (
    Arch,
    ArgumentTypeError,
    CorruptedDataError,
    IncompatibleModuleError,
    InvalidArgumentError,
    InvalidStateError,
    Iterations,
    LaunchSequence,
    NdArray,
    NotSupportedError,
    Runtime,
    SavedSequence,
    SequenceInfo,
    UntilSequence,
    inspect,
)
from taichi_aot.build import build

ARCHS = ("x64", "vulkan")


@pytest.fixture(scope="session")
def bundle(compiled, made_once):
    """A bundle of the module ``basic`` for two archs."""
    data = join({Arch(arch): compiled(arch) / "basic.tcm" for arch in ARCHS})
    return made_once.folder("saved-bundle", lambda folder: (folder / "basic.tib").write_bytes(data)) / "basic.tib"


@pytest.fixture
def module(rt, bundle):
    return rt.load_module(bundle)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "program.tib"


def entries(path):
    with zipfile.ZipFile(path) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def copies(arrays):
    """Return new arrays with the same contents."""
    return {
        name: array._runtime.asarray(array.to_numpy(), array.data_type, elem_shape=array.elem_shape)
        for name, array in arrays.items()
    }


def contents(arrays):
    return {name: array.to_numpy().tobytes() for name, array in arrays.items()}


def test_saved_sequence_does_the_same(rt, module, path):
    a, b = rt.asarray([1.0, 2.0, 3.0], "f32"), rt.full(3, 0.5)
    step, swap = module.saxpy.bind(0.25, a, b), module.swap.bind(a, b)
    loop = rt.sequence([step, swap, step])
    loop.save(path, a=a, b=b)
    others = copies({"a": a, "b": b})
    loop(repeat=5)
    program = rt.load_sequence(path)
    assert isinstance(program, SavedSequence)
    again = program(**others)
    assert isinstance(again, LaunchSequence)
    assert len(again) == 3
    again(repeat=5)
    assert contents(others) == contents({"a": a, "b": b})
    again.save(path.with_name("again.tib"), **others)
    assert path.with_name("again.tib").read_bytes() == path.read_bytes()


def test_launch_that_occurs_twice_has_one_set_of_arguments(rt, module, path):
    a, b = rt.full(1, 1.0), rt.zeros(1)
    step = module.saxpy.bind(0.0, a, b)
    rt.sequence([step, module.saxpy.bind(0.0, a, b), step]).save(path, x=a, y=b)
    assert len(inspect(path).sequence.launches) == 2
    assert inspect(path).sequence.order == (0, 1, 0)
    rt.load_sequence(path)(x=a, y=b)(repeat=2, ramps={(2, "a"): (1.0, 1.0)})
    assert b.item() == 2 * (1 + 2)


def test_bound_is_saved(rt, module, path):
    total, one = rt.zeros(5), rt.full(5, 1.0)
    loop = rt.sequence([module.saxpy.bind(2.0, one, total)]).until(total[3:4], above=99, check_every=7)
    loop.save(path)
    made = loop(1000)
    program = rt.load_sequence(path)
    others = {"x": one, "y": rt.zeros(5)}
    again = program(**others)
    assert isinstance(again, UntilSequence)
    found = again(1000)
    assert isinstance(found, Iterations)
    assert (found, found.converged, found.value) == (made, made.converged, made.value) == (56, True, 112.0)
    with pytest.raises(IndexError, match=r"until\(\) reads y\[3\], which is out of range in <NdArray shape=\(2,\)"):
        program(x=one, y=rt.zeros(2))
    saved = inspect(path).sequence.until
    assert str(saved) == "y[3] is above 99, checked every 7 iterations"


@pytest.mark.parametrize(
    ("saved", "index", "elem_shape", "passed", "wrong"),
    [
        ((2, 3), (1, 2), (), [(2, 3), (4, 5)], [(1, 5), (5, 2)]),
        ((2, 3), (1, 0), (1,), [(3, 1)], [(1, 9)]),
        ((3,), (2,), (), [(3,), (7,)], [(2,), (0,)]),
        ((1,), (0,), (), [(4,)], [(0,)]),
        ((), (), (), [()], []),
    ],
)
def test_bound_is_of_the_same_index_in_other_shapes(rt, module, path, saved, index, elem_shape, passed, wrong):
    x, y, number = rt.zeros(3), rt.zeros(3), rt.full(saved, 1.0, elem_shape=elem_shape)
    part = number[(*index[:-1], slice(index[-1], index[-1] + 1))] if number.size > 1 else number
    rt.sequence([module.saxpy.bind(1.0, x, y)]).until(part, above=6).save(path, number=number)
    program = rt.load_sequence(path)
    name = f"number[{', '.join(map(str, index)) or '()'}]"
    assert str(inspect(path).sequence.until) == f"{name} is above 6"
    for shape in passed:
        numbers = np.ones((*shape, *elem_shape), np.float32)
        numbers[index] = 7
        array = rt.asarray(numbers, elem_shape=elem_shape)
        made = program(x=x, y=y, number=array)(9)
        assert (made, made.value) == (1, 7.0)
    for shape in wrong:
        array = rt.zeros(shape, elem_shape=elem_shape)
        message = f"until() reads {name}, which is out of range in {array!r}"
        with pytest.raises(IndexError, match=re.escape(message)):
            program(x=x, y=y, number=array)


@pytest.mark.parametrize("bound", [math.inf, -math.inf, 1e-300, 1 / 3])
def test_bounds_are_saved_bit_for_bit(rt, module, path, bound):
    number = rt.zeros(1)
    rt.sequence([module.saxpy.bind(1.0, number, number)]).until(number, below=bound).save(path, number=number)
    assert inspect(path).sequence.until.bound == bound
    assert not inspect(path).sequence.until.is_above


def test_number_that_no_launch_uses(rt, module, path):
    x, y, number, numbers = rt.zeros(3), rt.zeros(3), rt.full(1, 5.0), rt.asarray([9.0, 5.0], "f32")
    sequence = rt.sequence([module.saxpy.bind(1.0, x, y)])
    sequence.until(number, below=6).save(path)
    assert rt.load_sequence(path)(x=x, y=y, number=number)(9) == 1
    with pytest.raises(ValueError, match=r"<ArraySlice .*>, and no launch uses its array: name the array, as"):
        sequence.until(numbers[1:], below=6).save(path)
    sequence.until(numbers[1:], below=6).save(path, errors=numbers)
    assert rt.load_sequence(path)(x=x, y=y, errors=numbers)(9) == 1


def test_names_come_from_parameters_or_are_given(rt, module, path):
    a, b, c = (rt.zeros(3) for _ in range(3))
    rt.sequence([module.saxpy.bind(1.0, a, b)]).save(path)
    assert list(rt.load_sequence(path).parameters) == ["x", "y"]
    rt.sequence([module.saxpy.bind(1.0, a, b)]).save(path, b=b)
    assert list(rt.load_sequence(path).parameters) == ["x", "b"]
    rt.sequence([module.saxpy.rename("r", "s", "t").bind(1.0, a, b)]).save(path)
    assert list(rt.load_sequence(path).parameters) == ["s", "t"]
    rt.sequence([module.saxpy.bind(1.0, a, a)]).save(path, both=a)
    program = rt.load_sequence(path)
    assert repr(program) == "<SavedSequence of saxpy(both: ndarray[f32, 1])>"
    swapping = rt.sequence([module.saxpy.bind(1.0, a, b), module.saxpy.bind(1.0, b, a)])
    message = (
        "the array that launch 0 (saxpy) takes as 'x' is 'y' of launch 1 (saxpy): name it, as in save(path, x=array)"
    )
    wrong = [
        (swapping, {}, message),
        (
            rt.sequence([module.saxpy.bind(1.0, a, b), module.saxpy.bind(1.0, a, c)]),
            {},
            "launch 0 (saxpy) and launch 1 (saxpy) have different arrays as 'y': name them, as in save(path, y0=first",
        ),
        (swapping, {"x": a, "y": a}, "save(): x and y are the same array"),
        (swapping, {"x": a, "y": c}, "save(): y is taichi_aot.NdArray, which is no argument of a launch"),
        (swapping, {"x": a, "y": 1}, "save(): y is int 1, which is no argument of a launch"),
        (swapping, {"x": a, "no name": b}, "arrays need names of Python: 'x', 'no name'"),
    ]
    before = path.read_bytes()
    for sequence, names, text in wrong:
        with pytest.raises(ValueError, match=re.escape(text)):
            sequence.save(path, **names)
    assert path.read_bytes() == before


def test_updated_arguments_are_saved(rt, module, path):
    x, y = rt.full(2, 1.0), rt.zeros(2)
    launch = module.saxpy.bind(1.0, x, rt.zeros(2))
    loop = rt.sequence([launch])
    launch.update(a=3.0, y=y)
    loop.save(path, x=x, y=y)
    rt.load_sequence(path)(x=x, y=y)(2)
    assert y.tolist() == [6, 6]


def test_every_kind_of_argument(rt, modules, path):
    """Bind all kernels and graphs to made-up arguments: the loaded sequence writes the same numbers."""
    module = rt.load_module(modules / "table.tcm")
    launches, arrays = [], {}
    for item in [*module.info.kernels, *module.info.graphs]:
        try:
            bound = module.kernels[item] if item in module.kernels else module.graphs[item]
            arguments = made_up_arguments(rt, bound.signature, 20)
            launches.append(bound.bind(*arguments))
        except NotSupportedError:
            continue
        given = [each for each in arguments if isinstance(each, NdArray)]
        arrays |= {f"array{len(launches)}_{i}": each for i, each in enumerate(given)}
    assert len(launches) > 20
    sequence = rt.sequence(launches)
    sequence.save(path, **arrays)
    others = copies(arrays)
    sequence(2)
    rt.load_sequence(path)(**others)(2)
    assert contents(others) == contents(arrays)


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 0.1, -0.0, 1e-40])
def test_scalars_are_saved_bit_for_bit(rt, module, path, value):
    ints, reals = rt.zeros(1, "i32"), rt.zeros(1)
    store = module.store.bind(-(2**31), value, ints, reals)
    rt.sequence([store]).save(path, ints=ints, reals=reals)
    store()
    others = {"ints": rt.zeros(1, "i32"), "reals": rt.zeros(1)}
    rt.load_sequence(path)(**others)()
    assert contents(others) == contents({"ints": ints, "reals": reals})


def test_graphs(rt, module, path):
    x, y = rt.full(3, 1.0), rt.zeros(3)
    rt.sequence([module.graphs["twice"].bind(2.0, x, y)]).save(path)
    rt.load_sequence(path)(x=x, y=y)(3)
    assert y.tolist() == [12] * 3


@pytest.mark.parametrize("form", ["folder", "archive", "bytes", "bytearray", "text"])
def test_module_from_anywhere(rt, modules, bundle, tmp_path, form, path):
    folder = tmp_path / "module"
    shutil.copytree(modules / "basic", folder)
    (tmp_path / "basic.tcm").write_bytes((modules / "basic.tcm").read_bytes())
    sources = {
        "folder": folder,
        "archive": tmp_path / "basic.tcm",
        "bytes": bundle.read_bytes(),
        "bytearray": bytearray(bundle.read_bytes()),
        "text": str(bundle),
    }
    module = rt.load_module(sources[form])
    x, y = rt.full(3, 1.0), rt.zeros(3)
    rt.sequence([module.kernels["saxpy"].bind(2.0, x, y)]).save(path, x=x, y=y)
    archs = set(inspect(path).archs)
    assert archs == ({Arch("x64"), Arch("vulkan")} if form in ("bytes", "text") else {rt.arch})
    rt.load_sequence(path.read_bytes())(x=x, y=y)()
    assert y.tolist() == [2, 2, 2]


def test_sequence_of_one_arch_runs_on_another(bundle, path, available):
    if not {Arch.X64, Arch.VULKAN} <= set(available):
        pytest.skip("needs x64 and Vulkan")
    with Runtime("x64") as x64, Runtime("vulkan") as vulkan:
        x, y = x64.full(3, 1.0), x64.zeros(3)
        x64.sequence([x64.load_module(bundle).saxpy.bind(2.0, x, y)]).until(y[:1], above=7).save(path)
        x, y = vulkan.full(3, 1.0), vulkan.zeros(3)
        assert vulkan.load_sequence(path)(x=x, y=y)(100) == 4
        assert y.tolist() == [8, 8, 8]


def test_bundle_stays_a_module(rt, module, bundle, path):
    x, y = rt.full(3, 1.0), rt.zeros(3)
    rt.sequence([module.saxpy.bind(2.0, x, y)]).save(path)
    own, saved = entries(bundle), entries(path)
    assert saved.pop("sequence.json")
    assert saved == own
    with taichi_aot.load(path, runtime=rt) as loaded:
        loaded.saxpy(1.0, x, y)
        assert loaded.info == module.info
    program = rt.load_sequence(path)
    assert "swap" in program.module.kernels
    program.module.close()
    with pytest.raises(ValueError, match="module is closed"):
        program(x=x, y=y)


def test_saved_bundle_is_not_older_than_a_source(rt, modules, path, tmp_path, monkeypatch, recwarn):
    """It states no source: its path leads from another folder, to what may be another file."""
    data = join({rt.arch: modules / "basic.tcm"})
    with zipfile.ZipFile(io.BytesIO(data)) as opened:
        files = {name: opened.read(name) for name in opened.namelist()}
    build = {"folder": ".", "files": ["kernels.py"], "options": [], "outputs": {}}
    files["bundle.json"] = json.dumps(json.loads(files["bundle.json"]) | {"build": build}).encode()
    (tmp_path / "kernels.tib").write_bytes(pack(files))
    x, y = rt.full(3, 1.0), rt.zeros(3)
    rt.sequence([rt.load_module(tmp_path / "kernels.tib").saxpy.bind(1.0, x, y)]).save(path)
    (tmp_path / "kernels.py").write_text("another source")
    rt.load_sequence(path)(x=x, y=y)()
    assert not recwarn.list
    assert y.tolist() == [1] * 3


def test_inspect_shows_the_sequence(rt, module, path, bundle):
    x, y = rt.full(3, 1.0), rt.zeros(3)
    step = module.saxpy.bind(2.0, x, y)
    rt.sequence([step] * 12).until(y[:1], below=1e-6, check_every=50).save(path)
    found = inspect(path)
    assert isinstance(found.sequence, SequenceInfo)
    assert str(found).splitlines()[-3:] == [
        f"sequence of 12 launches: {'saxpy, ' * 10}..., until y[0] is below 1e-06, checked every 50 iterations",
        "    x: ndarray[f32, 1, shape=(3,)]",
        "    y: ndarray[f32, 1, shape=(3,)]",
    ]
    assert found.to_dict()["sequence"] == json.loads(entries(path)["sequence.json"])
    assert inspect(path, rt.arch).sequence == found.sequence
    assert inspect(bundle).sequence is None
    assert inspect(bundle) == found


def test_what_cannot_be_saved(rt, module, modules, tmp_path, path):
    x, y = rt.full(3, 1.0), rt.zeros(3)
    other = rt.load_module(modules / "table.tcm")
    made = next(
        kernel.bind(*[rt.zeros(1, each.dtype) if each.kind == "ndarray" else 1 for each in kernel.signature.parameters])
        for kernel in map(other.kernels.__getitem__, ["scalar_i32"])
    )
    with pytest.raises(NotSupportedError, match="the launches are from several modules: build their kernels as one"):
        rt.sequence([module.saxpy.bind(1.0, x, y), made]).save(path)
    copy = tmp_path / "copy.tcm"
    shutil.copy(modules / "basic.tcm", copy)
    loop = rt.sequence([rt.load_module(copy).kernels["saxpy"].bind(1.0, x, y)])
    shutil.copy(modules / "table.tcm", copy)
    with pytest.raises(InvalidStateError, match="has changed since it was loaded: load it again"):
        loop.save(path, x=x, y=y)
    copy.unlink()
    with pytest.raises(FileNotFoundError):
        loop.save(path, x=x, y=y)
    with pytest.raises(OSError, match="none"):
        rt.sequence([module.saxpy.bind(1.0, x, y)]).save(tmp_path / "none" / "p.tib")
    with pytest.raises(TypeError, match=r"created by Runtime\.load_sequence\(\)"):
        SavedSequence()
    assert not path.exists()


def test_arrays_of_other_libraries(rt, module, path):
    if rt.arch is not Arch.X64:
        pytest.skip("the arch takes no arrays of numpy")
    x, y = rt.full(3, 1.0), np.zeros(3, np.float32)
    loop = rt.sequence([module.saxpy.bind(1.0, x, y)])
    with pytest.raises(NotSupportedError, match=r"launch 0 \(saxpy\) has an array of another library as 'y'"):
        loop.save(path)


def test_wrong_arrays(rt, module, path):
    x, y = rt.full(3, 1.0), rt.zeros(3)
    rt.sequence([module.saxpy.bind(2.0, x, y)]).save(path)
    program = rt.load_sequence(path)
    takes = "; it takes x: ndarray[f32, 1], y: ndarray[f32, 1]"
    with Runtime(rt.arch) as other:
        foreign, closed = other.zeros(3), rt.zeros(3)
        closed.close()
        wrong = [
            ({}, TypeError, f"the call of the saved sequence lacks 'x', 'y'{takes}"),
            ({"x": x, "y": y, "z": x}, TypeError, f"the saved sequence has no 'z'{takes}"),
            ({"x": x, "y": 1.0}, TypeError, "y: expected ndarray[f32, 1], got float 1.0"),
            ({"x": x, "y": np.zeros(3, "f4")}, TypeError, "y: expected ndarray[f32, 1], got a numpy array"),
            ({"x": x, "y": rt.zeros(3, "f64")}, TypeError, "y: expected ndarray[f32, 1], got ndarray[f64, 1]"),
            ({"x": x, "y": rt.zeros((3, 1))}, TypeError, "y: expected ndarray[f32, 1], got ndarray[f32, 2]"),
            ({"x": x, "y": foreign}, ValueError, "belongs to another runtime"),
            ({"x": x, "y": closed}, ValueError, "the array is closed"),
        ]
        for arrays, error, message in wrong:
            with pytest.raises(error, match=re.escape(message)):
                program(**arrays)


def test_paths_of_all_kinds(rt, module, tmp_path):
    loop = rt.sequence([module.saxpy.bind(2.0, rt.full(3, 1.0), rt.zeros(3))])
    loop.save(os.fsencode(tmp_path / "program.tib"))
    loop.save(tmp_path / "program.tib")
    assert list(rt.load_sequence(os.fsencode(tmp_path / "program.tib")).parameters) == ["x", "y"]
    wrong = [
        ("", FileNotFoundError, "the path of the file to write is empty"),
        (f"{tmp_path}/other.tib/", IsADirectoryError, "this names a folder, not a file to write"),
        (tmp_path, IsADirectoryError, "this is a folder, not a file to write"),
        (tmp_path / "no" / "other.tib", FileNotFoundError, "No such file"),
        (os.devnull, FileExistsError, "this is a pipe, device or socket, which is not replaced"),
        ("a\0b", InvalidArgumentError, "no file can have the path"),
        (1, ArgumentTypeError, "a path is a str, bytes or a path object, not int 1"),
    ]
    for path, error, message in wrong:
        with pytest.raises(error, match=re.escape(message)):
            loop.save(path)
    assert [each.name for each in tmp_path.iterdir()] == ["program.tib"]


def test_names_that_are_one_to_python(rt, module, path):
    x, y = rt.full(3, 1.0), rt.zeros(3)
    loop, names = rt.sequence([module.saxpy.bind(2.0, x, y)]), {"\ufb01": x, "fi": y}
    with pytest.raises(ValueError, match="'\ufb01' and 'fi' are one name to Python: write them differently"):
        loop.save(path, **names)


def test_sequences_cannot_be_pickled(rt, module):
    loop = rt.sequence([module.saxpy.bind(2.0, rt.full(3, 1.0), rt.zeros(3))])
    for each, name in ((loop, "a LaunchSequence"), (loop.until(rt.zeros(1), above=1), "an UntilSequence")):
        with pytest.raises(TypeError, match=f"cannot pickle or copy {name}:"):
            copy.copy(each)


def test_bundle_without_a_sequence(rt, bundle, modules):
    for source in (bundle, modules / "basic.tcm", bundle.read_bytes()):
        with pytest.raises(ValueError, match=r"has no saved sequence: LaunchSequence\.save\(\) writes one"):
            rt.load_sequence(source)


# Damage.


@pytest.fixture(scope="module")
def saved(compiled):
    """The files of a saved sequence on x64."""
    data = join({Arch.X64: compiled("x64") / "basic.tcm"})
    with Runtime("x64") as rt:
        module = rt.load_module(data)
        x, y = rt.full(3, 1.0), rt.zeros(3)
        step, ints = module.saxpy.bind(2.0, x, y), rt.zeros(1, "i32")
        loop = rt.sequence([step, module.graphs["twice"].bind(1.0, x, y), module.spin.bind(3, ints), step])
        folder = Path(compiled("x64")).parent / "saved-for-damage.tib"
        loop.until(y[1:2], below=1.0, check_every=3).save(folder, x=x, y=y, ints=ints)
        files = entries(folder)
        folder.unlink()
        return files


def with_sequence(files, raw):
    data = raw if isinstance(raw, bytes) else json.dumps(raw).encode()
    return pack({**files, "sequence.json": data})


@pytest.fixture(scope="module")
def x64():
    with Runtime("x64") as rt:
        yield rt


def test_newer_format_is_refused(saved, x64):
    raw = json.loads(saved["sequence.json"])
    for number in (3, 10**6):
        data = with_sequence(saved, raw | {"format": number, "more": []})
        for read in (inspect, x64.load_sequence):
            message = rf"sequence\.json has the format {number}, and this package reads up to 2: update taichi-aot"
            with pytest.raises(IncompatibleModuleError, match=message):
                read(data)
        x64.load_module(data).close()  # the module does not need it


def test_older_format_is_refused(saved, x64):
    """Its `until` has the place of the number in an array of the saved shape."""
    raw = json.loads(saved["sequence.json"]) | {"format": 1}
    raw["until"]["number"] = raw["until"].pop("indices")[0]
    for read in (inspect, x64.load_sequence):
        message = r"has the format 1, which this version of the package does not read: save the sequence again"
        with pytest.raises(IncompatibleModuleError, match=message):
            read(with_sequence(saved, raw))


def set_until_of_halves(raw):
    raw["parameters"][1]["dtype"] = "f16"


WRONG = [
    (lambda raw: raw.update(format=0), "expected 2, got 0"),
    (lambda raw: raw.pop("format"), "'format'"),
    (lambda raw: raw.update(order=[]), "the order is empty"),
    (lambda raw: raw.update(order=[3]), "more than its 3 launches"),
    (lambda raw: raw.update(order=[-1]), "expected an integer"),
    (lambda raw: raw["launches"][0].update(name="none"), "a launch of 'none', which the module lacks"),
    (lambda raw: raw["launches"][0].update(kind="graph"), "a launch of 'saxpy', which the module lacks"),
    (lambda raw: raw["launches"][0].update(kind="gradient"), "a launch of 'saxpy.grad', which the module lacks"),
    (lambda raw: raw["launches"][0].update(kind="field"), "expected 'kernel' or 'graph' or 'gradient'"),
    (lambda raw: raw["launches"][0]["arguments"].pop(), "with 2 arguments; it takes 3"),
    (lambda raw: raw["launches"][0]["arguments"].reverse(), "with another argument than a: f32"),
    (lambda raw: raw["launches"][0]["arguments"][0].update(value=[1.0]), "expected f32"),
    (lambda raw: raw["launches"][0]["arguments"][0].update(value="1"), "expected a number"),
    (lambda raw: raw["launches"][0]["arguments"][0].update(value=[[1.0], 2]), "expected a number"),
    (lambda raw: raw["launches"][2]["arguments"][0].update(value=2**31), "does not fit i32"),
    (lambda raw: raw["launches"][2]["arguments"][0].update(value=0.5), "expected i32"),
    (lambda raw: raw["launches"][2]["arguments"][1].update(array="x"), "these arrays are not parameters, or not used"),
    (lambda raw: raw["parameters"][0].update(name="y"), "different names of Python"),
    (lambda raw: raw["parameters"][0].update(name="a b"), "different names of Python"),
    (lambda raw: raw["parameters"][0].update(name="z"), "not parameters, or not used: 'x', 'z'"),
    (lambda raw: raw["parameters"][0].update(dtype="f64"), "with another argument than x: ndarray[f32, 1]"),
    (lambda raw: raw["parameters"][0].update(elem_shape=[0]), "sizes that contradict each other"),
    (lambda raw: raw["parameters"][0].update(shape=[1, 2]), "sizes that contradict each other"),
    (lambda raw: raw["parameters"][0].update(ndim=13), "expected an integer"),
    (lambda raw: raw["parameters"].pop(0), "not parameters, or not used: 'x'"),
    (lambda raw: raw["until"].update(array="z"), "not parameters, or not used: 'z'"),
    (lambda raw: raw["until"].update(below="nan"), "until has no number, or no bound"),
    (lambda raw: raw["until"].update(above=1), "'below'"),
    (lambda raw: raw["until"].update(below=2**1024 - 1), "expected a number that fits f64"),
    (lambda raw: raw["until"].update(below=-(10**4000)), "expected a number that fits f64"),
    (lambda raw: raw["until"].update(indices=[3]), "until reads y[3], which y: ndarray[f32, 1, shape=(3,)] does"),
    (lambda raw: raw["until"].update(indices=[0, 0]), "until reads y[0, 0], which y: ndarray[f32, 1, shape=(3,)] does"),
    (lambda raw: raw["until"].update(indices=[]), "until reads y[()], which y: ndarray[f32, 1, shape=(3,)] does"),
    (set_until_of_halves, "until reads a number of f16, which sequences do not compare"),
    (lambda raw: raw["until"].update(check_every=0), "expected an integer"),
    (lambda raw: raw["until"].update(indices=[-1]), "expected an integer"),
]


@pytest.mark.parametrize("number", range(len(WRONG)))
def test_wrong_descriptions_are_rejected(saved, x64, number):
    change, message = WRONG[number]
    raw = json.loads(saved["sequence.json"])
    change(raw)
    with pytest.raises(CorruptedDataError, match=re.escape(message)):
        x64.load_sequence(with_sequence(saved, raw))


def test_size_is_bounded_before_it_is_decompressed(saved, x64, monkeypatch):
    large = saved["sequence.json"] + b" " * (1 << 27)
    data = pack({**saved, "sequence.json": large}, zipfile.ZIP_DEFLATED)
    sizes, read = [], zipfile.ZipExtFile.read
    monkeypatch.setattr(zipfile.ZipExtFile, "read", lambda file, size: sizes.append(size) or read(file, size))
    for use in (inspect, x64.load_sequence):
        with pytest.raises(CorruptedDataError, match=r"sequence\.json is too large: over 67108864 bytes"):
            use(data)
    assert max(sizes) < 1 << 26


def places(value, path=()):
    """Yield the path to each value in nested lists and objects."""
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in items:
        yield from places(each, (*path, key))


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=5),
    st.sampled_from(["x", "y", "ints", "saxpy", "twice", "spin", "kernel", "graph", "texture", "nan", "f64", "inf"]),
    st.lists(st.integers(-2, 5), max_size=4),
    st.just({}),
)


@settings(deadline=None)
@given(data=st.data())
def test_damaged_descriptions_are_rejected_or_run(saved, x64, data):
    """Replace or remove some values: the sequence is refused, or binds and runs."""
    raw = json.loads(saved["sequence.json"])
    for _ in range(data.draw(st.integers(1, 3))):
        *way, key = data.draw(st.sampled_from([each for each in places(raw) if each]))
        target = raw
        for step in way:
            target = target[step]
        if data.draw(st.booleans()):
            target[key] = data.draw(VALUES)
        elif isinstance(target, dict):
            del target[key]
        else:
            target.pop(key)
    try:
        program = x64.load_sequence(with_sequence(saved, raw))
    except (CorruptedDataError, IncompatibleModuleError):
        return
    arrays = {
        name: x64.zeros([8] * each.ndim, each.dtype, elem_shape=each.elem_shape)
        for name, each in program.parameters.items()
        if math.prod(each.elem_shape) < 1000
    }
    if arrays.keys() != program.parameters.keys():
        return
    try:
        loop = program(**arrays)
    except IndexError as error:
        assert "until() reads " in str(error)  # noqa: PT017
        return
    loop(1)


@settings(deadline=None)
@given(position=st.integers(0), bits=st.integers(1, 255), cut=st.booleans())
def test_damaged_bytes_are_rejected(saved, x64, position, bits, cut):
    text = saved["sequence.json"]
    at = position % len(text)
    damaged = text[:at] if cut else text[:at] + bytes([text[at] ^ bits]) + text[at + 1 :]
    try:
        x64.load_sequence(with_sequence(saved, damaged))
    except (CorruptedDataError, IncompatibleModuleError):
        return
    json.loads(damaged)  # such as another number or name


def test_truncated_file_is_rejected(saved, x64):
    data = with_sequence(saved, saved["sequence.json"])
    for end in range(0, len(data), len(data) // 50):
        with pytest.raises((CorruptedDataError, FileNotFoundError)):
            x64.load_sequence(bytearray(data[:end]))
    with zipfile.ZipFile(io.BytesIO(data)) as opened:
        assert opened.testzip() is None


# Gradients, and modules that follow their file.


GRADIENT = """
import taichi as ti
from taichi_aot.build import export
A = ti.types.ndarray(ti.f32, 1)

@export(grad=True, shapes={"x": "n", "y": "n"})
@ti.kernel
def square(a: ti.f32, x: A, y: A):
    for i in y:
        y[i] = a * x[i] * x[i]
"""


@pytest.mark.slow(but="x64")
def test_gradients(rt, tmp_path, path):
    if rt.arch is Arch.VULKAN:
        pytest.skip("Vulkan has no adjoints")
    (tmp_path / "squares.py").write_text(GRADIENT)
    module = rt.load_module(build(tmp_path / "squares.py", tmp_path / "squares.tib", archs=[rt.arch]).path)
    x, y, other = rt.full(3, 2.0, grad=True), rt.zeros(3, grad=True), rt.zeros(3)
    loop = rt.sequence([module.square.bind(3.0, x, y), module.square.grad.bind(3.0, x, y)])
    loop.save(path)
    assert [str(each) for each in inspect(path).sequence.launches] == ["square", "square.grad"]
    assert inspect(path).sequence.parameters[0].grad
    a, b = rt.full(3, 2.0, grad=True), rt.zeros(3, grad=True)
    b.grad.fill(1)
    program = rt.load_sequence(path)
    program(x=a, y=b)()
    assert b.tolist() == [12] * 3
    assert a.grad.tolist() == [12] * 3
    with pytest.raises(TypeError, match="the array has no gradient; create it with grad=True"):
        program(x=other, y=y)
    given = module.square.grad.bind(3.0, x, y, grads={"x": other})
    with pytest.raises(NotSupportedError, match=r"cannot keep the grads of .*: create its arrays with grad=True"):
        rt.sequence([given]).save(path)


def test_sequences_that_follow_their_file(rt, modules, tmp_path, path):
    copy = tmp_path / "followed.tcm"
    shutil.copy(modules / "basic.tcm", copy)
    module = taichi_aot.load(copy, runtime=rt, reload=True)
    x, y = rt.full(1, 1.0), rt.zeros(1)
    loop = rt.sequence([module.kernels["saxpy"].bind(2.0, x, y)])
    until = loop.until(y, above=7)
    assert until(100) == 4
    loop.save(path, x=x, y=y)
    assert inspect(path).sequence.until is None
    until.save(path, x=x, y=y)
    assert rt.load_sequence(path)(x=x, y=rt.zeros(1))(100) == 4
