"""Common mistakes: each message says what is wrong, where, and what to write instead."""

import operator
import re

import numpy as np
import pytest
from helpers.errors_page import QUOTED, UNSAID
from helpers.inside import best_arch
from helpers.wrong_calls import CALLS

import taichi_aot
from taichi_aot import (
    Arch,
    ArraySlice,
    Field,
    Image,
    ImageSlice,
    Memory,
    MemorySlice,
    NdArray,
    NotSupportedError,
    Runtime,
    TaichiError,
)

# A call, or a statement, and words of its message.
MISTAKES = [
    # Arguments of kernels.
    (
        "module.iota(1, [[[1, 2, 3]]])",
        "iota() parameter 'arg1'",
        "write arg1 = runtime.asarray(arg1, 'f32', elem_shape=3)",
    ),
    ("saxpy(2.0, rt.asarray(np.ones(1)), y)", "'x'", "got ndarray[f64, 1]", "allocate it with dtype 'f32'"),
    ("module.iota(1, rt.zeros((4, 5, 2)))", "have the shape (4, 5, 2): allocate it with 2 dimensions and elem_shape=3"),
    ("module.iota(1, rt.zeros((4, 5, 3)))", "'arg1'", "allocate it with shape (4, 5) and elem_shape=3"),
    ("saxpy(2.0, x, foreign)", "'y'", "another runtime than the kernel", "module.runtime.asarray(y.to_numpy())"),
    ("saxpy(2.0, x, left)", "'y'", "which load() returned, was closed and closed it", "keep the module open"),
    ("saxpy(2.0, Tensor(requires_grad=True), y)", "'x'", "got torch.Tensor", "requires a gradient", "write x.detach()"),
    ("saxpy(2.0, Tensor('torch.bfloat16'), y)", "'x'", "got torch.Tensor", "bfloat16", "write x.float()"),
    ("saxpy(2.0, Tensor(is_neg=lambda: True), y)", "'x'", "numbers are stored negated", "write x.resolve_neg()"),
    ("saxpy(2.0, Tensor(layout='torch.sparse_coo'), y)", "'x'", "it is not dense: write x.to_dense()"),
    ("saxpy(2.0, Tensor(is_nested=True), y)", "'x'", "it is nested: write x.to_padded_tensor(0.0)"),
    ("saxpy(2.0, Tensor(is_quantized=True), y)", "'x'", "it is quantized: write x.dequantize()"),
    ("saxpy(2.0, Tensor(is_meta=True), y)", "'x'", "it is on the device 'meta', and has no numbers"),
    ("saxpy(2.0, Tensor(data_ptr=lambda: 0), y)", "'x'", "it has no memory: its storage was freed"),
    ("saxpy(2.0, Tensor(is_neg=broken), y)", "'x'", "it is an argument in torch.vmap", "interop.torch"),
    ("saxpy(2.0, FakeTensor(), y)", "'x'", "it has no numbers, as in torch.compile", "interop.torch"),
    ("saxpy(2.0, Tracer(), y)", "'x'", "it is traced, as in jax.jit", "interop.jax"),
    ("saxpy(2.0, Deleted(), y)", "'x'", "it was deleted, or donated to a function of jax.jit"),
    ("saxpy(2.0, Tensor(), y)", "'x'", "cannot use torch.Tensor: Tensor does not share its memory: must not be called"),
    ("saxpy(b=2.0, x=x, y=y)", "saxpy() got an unexpected keyword argument 'b'", "parameters are 'a', 'x', 'y'"),
    ("module.iota(start=1, v=x)", "iota() got", "'start'", "'arg0', 'arg1'", "rename()", "load_module(names="),
    ("saxpy(x, 2.0, y)", "'a': expected f32, got taichi_aot.NdArray; the order is saxpy(a, x, y)"),
    ("module.spin(1.0, rt.zeros(3, 'i32'))", "'arg0': expected i32, got float 1.0; write int(arg0)"),
    ("saxpy(2.0, x[1:], y)", "'x'", "write array.memory.ndarray((2,), 'f32', offset=4), an NdArray over this part"),
    ("saxpy('2', x, y)", "saxpy() parameter 'a'", "expected f32", "str '2'; write float(a)"),
    ("saxpy([2.0], x, y)", "'a': expected f32, got list; the order is saxpy(a, x, y)"),
    ("saxpy(rt.zeros(1), x, y)", "'a': expected f32, got taichi_aot.NdArray; write a.item()"),
    ("module.spin(rt.zeros(3, 'i32'), 1)", "expected i32, got taichi_aot.NdArray; the order is spin("),
    ("module.spin(None, rt.zeros(3, 'i32'))", "expected i32, got NoneType"),
    ("of_closed(2.0, x, y)", "saxpy()", "its module is closed"),
    ("saxpy.launch(2.0, x, y)", "Kernel has no attribute 'launch'", "call it"),
    # Sequences.
    ("rt.sequence([saxpy])", "a sequence consists of launches", "not of Kernel", "write kernel.bind(...)"),
    ("rt.sequence([saxpy.bind(2.0, x, y)])(ramps={'x': (0, 1)})", "steps a scalar", "'x'", "'a'", "launch.update(...)"),
    ("rt.sequence([saxpy.bind(2.0, x, y)])(ramps={'b': (0, 1)})", "no launch", "scalar parameter 'b'", "'a'"),
    # Arrays.
    ("x + y", "`a + b`", "an NdArray", "launch a kernel", "a.to_numpy() + b.to_numpy()"),
    ("1 - x[1:]", "`a - b`", "an ArraySlice", "a.to_numpy() - b.to_numpy()"),
    ("-x", "`-a`", "-a.to_numpy()"),
    ("x < y", "`a < b`", "a.to_numpy() < b.to_numpy()"),
    ("x == y", "`a == b`", "write `a is b`", "a.to_numpy() == b.to_numpy()"),
    ("x != 3", "`a != b`", "write `a is not b`"),
    ("bool(x)", "an NdArray has no truth value", "is not None", ".to_numpy().any()"),
    ("bool(x[:0])", "an ArraySlice has no truth value"),
    ("x += 1", "`a += b`", "an NdArray", "launch a kernel", "a.write(a.to_numpy() + b)"),
    ("x += np.ones(3, 'f4')", "`a += b`", "an NdArray", "launch a kernel", "a.write(a.to_numpy() + b)"),
    ("x[1:] *= np.ones(2, 'f4')", "`a *= b`", "an ArraySlice", "a.write(a.to_numpy() * b)"),
    ("rt.allocate(4)[:2].__iadd__(np.ones(2, 'u1'))", "a MemorySlice", "memory.ndarray(shape, dtype)"),
    ("x[::2]", "axis 0 cannot be sliced with a step", "to_numpy()", "map()"),
    ("x[None]", "array[a:b]", "not by NoneType", "to_numpy()", "map()"),
    ("x[::2] = 5", "cannot be sliced with a step", "write `with array.map() as view: view[...] = ...`"),
    ("x[None] = 5", "not by NoneType", "write `with array.map() as view: view[...] = ...`"),
    ("x[1:3] = np.zeros(2)", "casting an array of float64 to f32", "astype('float32')"),
    ("x[:, 0]", "too many indices: 2 for an array of shape (3,)"),
    ("rt.zeros(3, 'f32', 2)[0, 0]", "of shape (3,); index its elements, of shape (2,), as in array[i][j]"),
    ("rt.zeros((2, 2))[:, 0]", "must be contiguous", "to_numpy()"),
    ("x[:] = [1, 2]", "cannot assign an array of shape (2,)"),
    ("x.T", "NdArray has no attribute 'T'", "array.to_numpy().T"),
    ("x[1:].sum()", "ArraySlice has no attribute 'sum'", "array.to_numpy().sum"),
    ("x.T = 3", "NdArray has no attribute 'T'"),
    ("x.reshape(1, 3)", "'reshape'", "array.memory.ndarray(shape, array.dtype, offset=array.offset)"),
    ("x.astype('f8')", "'astype'", "array.runtime.asarray(array.to_numpy(), dtype, array.elem_shape)"),
    ("x.numpy()", "'numpy'", "array.to_numpy()"),
    ("x.copy()", "'copy'", "runtime.empty(array.shape, array.dtype, array.elem_shape)", "copy_from"),
    ("x.from_numpy(3)", "'from_numpy'", "array.write(data)"),
    ("x.write([1, 2])", "shape (2,)", "<NdArray shape=(3,)"),
    ("x.write([[1, 2, 3]])", "shape (1, 3) to <NdArray shape=(3,)", "; write its reshape((3,))"),
    ("x.write(1)", "shape () to <NdArray shape=(3,)", "; fill() sets all numbers"),
    ("rt.zeros(3, 'f32', 2).write([1, 2, 3])", "shape (3,) to <NdArray", ", whose numbers have the shape (3, 2)"),
    ("rt.asarray('abc')", "data: expected numbers, got str 'abc'; convert strings with float() or int()"),
    ("rt.asarray(['1', '2'])", "data: expected numbers, got list of strings; convert"),
    ("rt.asarray(np.array(['a']), 'f32')", "data: expected numbers, got a numpy array of <U1 with shape (1,); convert"),
    ("x.write(np.array(['1', '2', '3']), casting='unsafe')", "array: expected numbers, got a numpy array of <U1"),
    (
        "vulkan.allocate_image((4, 2), 'rgba8').write(np.zeros((2, 4, 3), 'u1'))",
        "whose shape is (2, 4, 4); ",
        "image_from()",
    ),
    ("rt.zeros(3, 'i32').write(np.ones(3))", "array of float64 to i32", "astype('int32')"),
    ("left.to_numpy()", "the runtime is closed: its module", "to_numpy() before"),
    ("__import__('pickle').dumps(x)", "cannot pickle or copy an NdArray", "its to_numpy()"),
    ("rt.full(8, 8, 8)", "not 8; a shape is one argument, as in zeros((8, 8))"),
    ("NdArray(rt, 8, 8)", "not 8; a shape is one argument, as in zeros((8, 8))"),
    ("rt.allocate(256).ndarray(8, 8)", "not 8; a shape is one argument, as in zeros((8, 8))"),
    # Arrays of other libraries.
    ("rt.from_dlpack(np.zeros((4, 4), 'f4')[:, ::2])", "not C-contiguous", "(16, 8) bytes", "np.ascontiguousarray(x)"),
    ("rt.from_dlpack(memoryview(bytes(9))[::2], readonly=True)", "not C-contiguous", "(2,) bytes"),
    ("rt.from_dlpack(Tensor(requires_grad=True))", "requires a gradient", "write x.detach()"),
    ("rt.asarray(Tensor(requires_grad=True))", "data: it requires a gradient", "write x.detach()"),
    ("rt.asarray(Tensor('torch.bfloat16'), 'f32')", "data: it is of bfloat16", "write x.float()"),
    # Runtimes.
    ("rt.sync()", "Runtime has no attribute 'sync'", "runtime.wait()"),
    ("rt.array([1])", "'array'", "runtime.asarray(data, 'f32')"),
    ("rt.ones(3)", "'ones'", "runtime.full(shape, 1, 'f32')"),
    ("rt.load('saxpy.tcm')", "'load'", "runtime.load_module(source)"),
    ("rt.event", "Runtime has no attribute 'event'", "runtime.record_event()"),
    ("rt.profiler", "'profiler'", "taichi_aot.benchmark("),
    ("rt.elapsed", "'elapsed'", "`with runtime.timer() as timer: ...`", "timer.seconds"),
    ("rt.record_event().synchronize()", "Event has no attribute 'synchronize'", "event.wait()"),
    ("rt.record_event().elapsed_time(0)", "'elapsed_time'", "event.elapsed(other)", "in seconds"),
    ("rt.record_event().elapsed(foreign.runtime.record_event())", "different runtimes", "record both with one runtime"),
    ("rt.timer().seconds", "no time yet", "after `with runtime.timer() as timer: ...`"),
    ("benchmark(saxpy)", "the runtime of taichi_aot.Kernel is unknown", "benchmark(kernel.bind(...))", "runtime="),
    ("rt.wait_async()", "no event loop runs", "asyncio.run()", "wait()"),
    ("Runtime('x86')", "unknown arch 'x86'", "did you mean 'x64'?"),
    ("Runtime('nvidia')", "unknown arch 'nvidia'", "did you mean 'cuda'?"),
    ("Runtime('vulcan')", "unknown arch 'vulcan'", "did you mean 'vulkan'?"),
    ("Runtime('metal')", "no device for arch metal: this package has no driver for it", "devices()", "Runtime() takes"),
    ("rt.zeros(3, 'f33')", "dtype must be one of", "f32", "not 'f33'"),
    # Modules.
    ("load('kernels.py', 'x64')", "kernels.py", "`taichi-aot build kernels.py -o kernels.tib`", "load kernels.tib"),
    ("load('dist', 'x64')", "dist is not an AOT module", "it contains 'saxpy.tcm'", "load 'dist/saxpy.tcm'"),
    ("load('nothing', 'x64')", "nothing is not an AOT module", "`taichi-aot build`"),
    ("load('picture.png', 'x64')", "picture.png is not", r"b'\x89PNG\r\n\x1a\n'", "`taichi-aot build`"),
    ("inspect(bytearray(b'%PDF-1.7'))", "the module is not", "begins with b'%PDF-1.7'", "archives with b'PK'"),
    ("load('code.ll', 'x64')", "one of the files of a module", "load their folder"),
    ("load('pointer.tib', 'x64')", "pointer of Git LFS", "`git lfs pull`"),
    ("load('empty.tib', 'x64')", "it is empty", "build or copy it again"),
    ("load('cut.tcm', 'x64')", "cut.tcm is not a sound .tcm archive: it is cut off", "copy or build it again"),
    ("load('.', 'x64')", "it contains ", "load one of them, as './cut.tcm'"),
    ("load('saxpi.tcm', 'x64')", "No such file or directory; did you mean 'saxpy.tcm'?"),
    ("inspect('saxpy')", "No such file or directory; did you mean 'saxpy.tcm'?"),
    ("load('nowhere/saxpy.tcm')", "No such file or directory; there is no folder 'nowhere'"),
    ("load('saxpy.tcm', rt)", "arch must be the name of a backend, not a Runtime; write load(source, runtime=...)"),
    ("load('saxpy.tcm', None, 'x64')", "runtime must be a Runtime, not str 'x64'; write load(source, arch='x64')"),
    ("other.wait()", "the runtime is closed (x64:0): use it and its arrays before close() or the end of its `with`"),
    ("third.load_module('fields.tcm').fields['z']", "no field 'z', it has none; ", "export_field('z', z)"),
    ("vulkan.load_module('vulkan.tcm').saxpy.bind(1, *[vulkan.zeros(3)] * 2).result()", "'y': read y.to_numpy()"),
    ("module.kernels['sxpy']", "no kernel 'sxpy', it has 'saxpy'", "did you mean 'saxpy'?"),
    ("module.graphs['saxpy']", "no graph 'saxpy': it is a kernel, module.kernels['saxpy']"),
    ("module.saxpi", "no attribute, kernel or graph 'saxpi'", "did you mean 'saxpy'?"),
    ("module.saxpy = 3", "the kernel 'saxpy' of a module cannot be replaced"),
    ("module.kernels['saxpy'] = 3", "the kernel 'saxpy' of a module cannot be replaced"),
    ("module.kernels.sxpy = 3", "no kernel 'sxpy', it has 'saxpy'"),
    ("module['saxpy']", "a module cannot be indexed: write module.kernels['saxpy']"),
    (
        "x.runtime.asarray(__import__('numpy').array([1, None]))",
        "contains Python objects; convert them",
    ),
    ("module(2.0, x, y)", "a module cannot be called: call one of its kernels, as in module.", "(...)"),
    (
        "__import__('taichi_aot').zeros(3)",
        "no attribute 'zeros'; it is a method of a runtime: Runtime().zeros or module.runtime",
    ),
    ("__import__('taichi_aot').Runtim()", "no attribute 'Runtim'; did you mean 'Runtime'?"),
    ("__import__('taichi_aot').__getattr__('capi')", "no attribute 'capi'; write import taichi_aot.capi"),
    # Functions.
    ("f(2.0, np.zeros(3), np.zeros(3, 'f4'))", "saxpy() parameter 'x'", "float64", "write x.astype('float32')"),
    ("f(2.0, Tensor(requires_grad=True), np.zeros(3, 'f4'))", "parameter 'x'", "gradient", "write x.detach()"),
    ("f(2.0, left, left)", "parameter 'x'", "the runtime of the array is closed"),
    ("f([1.0], 2.0, [1.0])", "'x': expected ndarray[f32, 1], got a number; the order is saxpy(a, x, y)"),
    ("f(2.0, None, [1.0])", "'x': expected ndarray[f32, 1], got NoneType; pass an array of numbers"),
    ("f(2.0, [1.0], [1.0], b=1)", "unexpected keyword argument 'b'; its parameters are 'a', 'x', 'y'"),
    ("f(1.0, [1], [1], a=2.0)", "saxpy() got multiple values for argument 'a'"),
    ("f([1], a=2.0)", "saxpy() missing 1 required positional argument: 'y'"),
    ("f.call_async(2.0, [1], [1])", "no event loop runs", "asyncio.run()", "the function"),
    ("function('saxpy.tcm', 'saxpy')", "saxpy does not return a value", "such as out='y'"),
    ("function('vulkan.tcm', 'saxpy')", "saxpy does not return a value; it writes to 'y': state out='y'"),
    ("function('saxpy.tcm', 'saxpy', out='z')", "out names 'z'", "'x', 'y'"),
]


# Other calls whose messages docs/errors.md quotes.
OTHERS = [
    "rt.zeros(3, 'i32').fill(1.5)",
    "Image(rt, None)",
    "Event()",
    "type(saxpy.bind(2.0, x, y))()",
    "rt.full(3, 300, 'u8')",
    "stated(2.0, x, rt.zeros(4))",
    "other.wait()",
    "module.closed or of_closed(1.0, x, y)",
    "closed.to_numpy()",
    "saxpy(2.0, x, rt.from_dlpack(np.zeros(3, 'f4'), readonly=True))",
    "view = x.map().__enter__(); x.close()",
    "module.answer.bind(rt.zeros(1, 'i32')).result()",
    "loaded.handle",
    "vulkan.from_dlpack(np.zeros(3, 'f4'))",
    "third.load_module('fields.tcm'); third.load_module('trees.tcm')",
    "module.graphs['nosuch']",
    "module.kernels['twice']",
    "load('vulkan.tcm', runtime=rt)",
    "inspect('saxpy.tcm', 'vulkan')",
    "rt.stream(0)",
    "rt.allocate_image(3, 'r8')",
    "rt.allocate(2**47)",
]


IN_PLACE = [
    "iadd",
    "isub",
    "imul",
    "itruediv",
    "ifloordiv",
    "imod",
    "ipow",
    "imatmul",
    "iand",
    "ior",
    "ixor",
    "ilshift",
    "irshift",
]


def message_of(code, names):
    with pytest.raises((TaichiError, AttributeError, OSError)) as caught:
        exec(code, dict(names))
    return str(caught.value)


@pytest.mark.parametrize(
    ("code", "words"), [(code, words) for code, *words in MISTAKES], ids=[row[0] for row in MISTAKES]
)
def test_message_says_what_to_write(code, words, names):
    message = message_of(code, names)
    assert [word for word in words if word not in message] == [], message
    assert "\n" not in message


def test_missing_drivers_come_with_what_to_install(monkeypatch):
    monkeypatch.setattr("taichi_aot.driver._gpus.loader_instance", lambda: None)
    monkeypatch.setattr("taichi_aot.driver._gpus.has_cuda_driver", lambda: False)
    monkeypatch.setattr("taichi_aot.driver._gpus._is_found_by_library", lambda: False)
    for arch, reason in (("vulkan", "install a driver"), ("cuda", "install NVIDIA's driver")):
        with pytest.raises(NotSupportedError, match=f"no device for arch {arch}: .*{reason}.*; devices"):
            Runtime(arch)
        with pytest.raises(NotSupportedError, match=f"no device for {arch} .*{reason}"):
            best_arch(Arch(arch))


def test_absent_attributes_are_neither_listed_nor_public(names):
    for name in ("x", "rt", "saxpy"):
        assert not {"T", "sync", "launch"} & set(dir(names[name]))
    assert dir(taichi_aot) == sorted(dir(taichi_aot))
    assert {name for name in dir(taichi_aot) if name.startswith("_")} == {"__version__"}
    assert set(taichi_aot.__all__) < set(dir(taichi_aot))


def test_numpy_computes_with_copies_and_objects_keep_their_identity(names):
    x = names["rt"].asarray([1, 2, 3], "f32")
    assert (x + np.ones(3)).tolist() == (np.ones(3) + x).tolist() == [2, 3, 4]
    assert (np.float32(2) * x).tolist() == (x * np.float32(2)).tolist() == [2, 4, 6]
    assert (x == np.array([1, 0, 3])).tolist() == [True, False, True]
    host = same = np.ones(3)
    host += x
    host *= x
    assert host is same
    assert host.tolist() == [2, 6, 12]
    assert x in [x]
    assert {x: 1}[x] == 1


@pytest.mark.parametrize("name", IN_PLACE)
@pytest.mark.parametrize("cls", [NdArray, ArraySlice, Field, Memory, MemorySlice, Image, ImageSlice])
def test_operators_in_place_do_not_replace_what_is_on_the_device(cls, name):
    with pytest.raises(TypeError, match=rf"`a \S+= b` is not defined for an? {cls.__name__}; "):
        getattr(operator, name)(object.__new__(cls), np.ones(3))


@pytest.fixture(scope="module")
def said(names):
    """The messages of all calls."""
    return [message_of(code, names) for code in (*(row[0] for row in MISTAKES), *(call for call, *_ in CALLS), *OTHERS)]


@pytest.mark.parametrize("quoted", QUOTED)
def test_page_quotes_what_calls_say(quoted, said):
    is_said = any(re.search(re.escape(quoted).replace("…", ".*"), message) for message in said)
    assert is_said is (quoted not in UNSAID)


def test_calls_of_the_page_are_listed_once():
    assert UNSAID.keys() <= set(QUOTED)
    assert len(QUOTED) == len(set(QUOTED))
