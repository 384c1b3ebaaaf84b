"""Arrays of other libraries: each cell of the table in ``docs/interop.md``, wrong arrays, and lifetimes."""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pytest
from helpers.access import stating
from helpers.archives import join
from helpers.archs import require
from helpers.child import run_in_child
from helpers.frameworks import jax_array, need_framework
from scenarios.frameworks import run, take_the_memory_away

from taichi_aot import AotModule, Arch, Kernel, Runtime, TaichiError, function

PAGE = Path(__file__).parents[2] / "docs" / "interop.md"
N = 8


class Library(NamedTuple):
    module: str
    make: Callable[[Any, Any, str], Any]  # an array of the library, from its module, a numpy array and a device
    names: Mapping[str, str] = MappingProxyType({})  # further modules, by the name that the cells use
    archs: tuple[Arch, ...] = (Arch.X64,)


def as_is(module, data, device):
    return data


LIBRARIES = {
    "numpy": Library("numpy", as_is),
    "PyTorch": Library(
        "torch",
        lambda torch, data, device: torch.from_numpy(data).to(device),
        {"torch": "torch"},
        (Arch.X64, Arch.CUDA),
    ),
    "JAX": Library(
        "jax.numpy", lambda _, data, device: jax_array(data, device), {"jnp": "jax.numpy"}, (Arch.X64, Arch.CUDA)
    ),
    "CuPy": Library("cupy", lambda cp, data, _: cp.asarray(data), {"cp": "cupy"}, (Arch.CUDA,)),
    "array-api-strict": Library(
        "array_api_strict", lambda xp, data, _: xp.asarray(data, copy=False), {"xp": "array_api_strict"}
    ),
    "Numba": Library("numba", as_is),
    "pandas": Library("pandas", lambda pd, data, _: pd.Series(data), {"pd": "pandas"}),
    "xarray": Library("xarray", lambda xr, data, _: xr.DataArray(data), {"xr": "xarray"}),
    "OpenCV": Library("cv2", as_is),
    "buffers": Library("array", lambda module, data, _: array(data.dtype.char, data.tolist())),
}
CASES = [(row, arch) for row, library in LIBRARIES.items() for arch in library.archs]
IN_DEFAULT = ("numpy*", "buffers*")


def rows():
    """Return the cells of the table, by library."""
    section = PAGE.read_text(encoding="utf-8").split("### Arrays of other libraries", 1)[1]
    lines = re.findall(r"^\| (.+) \|$", section.split("\n- ", 1)[0], re.MULTILINE)
    table = [line.split(" | ") for line in lines]
    return {row[0]: row[1:] for row in table[2:]}


class Used(NamedTuple):
    """A library in use: its module, a runtime whose memory it shares, a module, and the names in cells."""

    library: Library
    framework: Any
    rt: Runtime
    module: AotModule
    names: dict[str, Any]

    @property
    def saxpy(self) -> Kernel:
        return self.module.kernels["saxpy"]

    def run(self, cell, **values):
        code = re.fullmatch(r"`(.+)`", cell)
        assert code, cell
        return eval(code[1], {"np": np, **self.names, "saxpy": self.saxpy, **values})

    def make(self, dtype="f4", value=1):
        return self.library.make(self.framework, np.full(N, value, dtype), "cpu" if self.rt.arch.is_cpu else "cuda")

    def passed(self, cell, x):
        """Return what the cell's call passes for an array of the library."""
        return self.run(cell.replace("saxpy(2.0, ", "").replace(", y)", ""), x=x)


@pytest.fixture(params=CASES, ids=lambda case: f"{case[0]}-{case[1]}")
def case(request):
    return request.param


@pytest.fixture
def row(case):
    return case[0]


@pytest.fixture
def used(case, shared_runtime, compiled):
    """Both kernels and graphs state that they only read x, as in the bundle of a build."""
    row, own_arch = case
    library = LIBRARIES[row]
    framework = need_framework(library.module)
    require(own_arch)
    rt = shared_runtime(own_arch)
    names = {name: need_framework(module) for name, module in library.names.items()}
    archs = (own_arch, Arch.VULKAN)
    module = rt.load_module(join({arch: compiled(str(arch)) / "basic.tcm" for arch in archs}))
    return Used(library, framework, rt, module, names)


def numbers(x):
    return [float(x[i]) for i in range(N)]


def test_table_has_every_library():
    assert list(rows()) == list(LIBRARIES)


@pytest.mark.slow(but=IN_DEFAULT)
def test_argument_is_used_in_place(used, row):
    """A kernel reads an array of the library, and writes to one if its memory is not read-only."""
    argument, in_place, *_ = rows()[row]
    assert in_place in ("yes", "no")
    x, y = used.make(value=3), used.rt.zeros(N)
    for _ in range(2):
        used.run(argument, x=x, y=y)
    assert y.to_numpy().tolist() == [12] * N
    theirs = used.passed(argument, x)
    if in_place == "yes":
        used.saxpy(1.0, y, theirs)
        used.rt.wait()
        assert numbers(x) == [15] * N
    else:
        message = r"'y': the array is read-only, and the kernel may write to it; write y = runtime\.asarray"
        with pytest.raises(ValueError, match=message):
            used.saxpy(1.0, y, theirs)
        with pytest.raises(ValueError, match=r"parameter 'x': .* read-only, .* as far as the module states"):
            stating(used.saxpy, y="rw")(1.0, theirs, y)
        assert numbers(x) == [3] * N


@pytest.mark.slow(but=IN_DEFAULT)
def test_each_kind_of_launch_takes_it(used, row):
    argument, in_place, *_ = rows()[row]
    x = used.passed(argument, used.make(value=2))
    results = [used.rt.zeros(N)]
    if in_place == "yes":
        results.append(used.passed(argument, used.make(value=0)))
    twice = used.module.graphs["twice"]
    for y in results:
        used.saxpy(a=1.0, x=x, y=y)
        used.module.saxpy(1.0, x, y=y)
        twice(1.0, x, y)
        twice(a=1.0, x=x, y=y)
        step, both = used.saxpy.bind(1.0, x, y), twice.bind(a=1.0, x=x, y=y)
        step()
        both()
        sequence = used.rt.sequence([step, both])
        sequence(repeat=3)
        step.update(a=2.0, x=used.passed(argument, used.make(value=5)))
        step()
        used.rt.wait()
        assert numbers(y if y is not results[0] else y.to_numpy()) == [2 * (6 + 3 + 9) + 10] * N


@pytest.mark.slow(but=IN_DEFAULT)
def test_result_shares_its_memory(used, row):
    y = used.rt.zeros(N)
    theirs = used.run(rows()[row][2], y=y)
    used.saxpy(2.0, used.rt.full(N, 1.0, "f32"), y)
    used.rt.wait()
    assert numbers(theirs) == [2] * N


@pytest.mark.slow(but=IN_DEFAULT)
def test_function_returns_the_class(used, row, compiled):
    """A function returns the class of the table, and with ``like=`` also for arrays of numpy."""
    arch = used.rt.arch
    path, x = compiled(str(arch)) / "basic.tcm", used.make(value=3)
    kind = used.run(rows()[row][3])
    result = function(path, "saxpy", out={"y": "x"}, arch=arch)(2.0, x)
    assert isinstance(result, kind)
    assert numbers(result) == [6] * N
    assert numbers(x) == [3] * N
    like = {"JAX": "jax", "CuPy": "cupy", "PyTorch": "torch"}.get(row, "numpy")
    liked = function(path, "saxpy", out={"y": "x"}, arch=arch, like=like)
    assert isinstance(liked(2.0, np.ones(N, "f4")), kind)


@pytest.mark.slow(but=IN_DEFAULT)
def test_stream(used, row):
    """On CUDA ``tests/runtime/test_cuda.py`` orders slow work by streams."""
    stream = rows()[row][4]
    assert stream == ("on CUDA" if row in ("PyTorch", "CuPy") else "-")
    if used.rt.arch is Arch.X64:
        with pytest.raises(TaichiError, match="no streams"):
            used.rt.stream(0)


@pytest.mark.slow(but=IN_DEFAULT)
def test_wrong_array_names_the_parameter(used, row):
    argument = rows()[row][0]
    y, x = used.rt.zeros(N), used.passed(argument, used.make())
    wrong = used.passed(argument, used.make("i4"))
    for call in (used.saxpy, used.saxpy.bind, used.module.saxpy, used.module.graphs["twice"]):
        with pytest.raises(TypeError, match=r"\(\) parameter 'x': expected ndarray\[f32, 1\], got .*int32.* write "):
            call(2.0, wrong, y)
    with pytest.raises(TypeError, match=r"saxpy\(\) parameter 'x': expected ndarray\[f32, 1\], got .*\(1, 8\)"):
        used.saxpy(2.0, x.reshape(1, N) if hasattr(x, "reshape") else used.names["xp"].reshape(x, (1, N)), y)
    step = used.saxpy.bind(1.0, x, y)
    with pytest.raises(TypeError, match=r"saxpy\(\) parameter 'x': expected"):
        step.update(x=wrong)
    step()
    assert y.to_numpy().tolist() == [1] * N


# Types and views.


@pytest.fixture
def cpu(shared_runtime):
    return shared_runtime(Arch.X64)


@pytest.fixture
def table(cpu, compiled):
    return cpu.load_module(compiled("x64") / "table.tcm")


@pytest.fixture
def saxpy(cpu, compiled):
    return cpu.load_module(compiled("x64") / "basic.tcm").kernels["saxpy"]


DTYPES = ("f16", "f32", "f64", "i8", "i16", "i32", "i64", "u1", "u8", "u16", "u32", "u64")
ELEMENTS = {"array": (), "array_of_vectors": (3,), "array_of_matrices": (2, 3)}


@pytest.mark.slow(but="numpy-array")
@pytest.mark.parametrize("kind", ELEMENTS)
@pytest.mark.parametrize("module", ["numpy", "torch"])
def test_each_type_is_passed(table, module, kind):
    """Copy arrays of each dtype, of numbers, vectors and matrices, at a new and at a known address."""
    framework = need_framework(module)
    made = framework.from_numpy if module == "torch" else lambda data: data
    elements = ELEMENTS[kind]
    for name in DTYPES:
        dtype = "?" if name == "u1" else name[0] + str(int(name[1:]) // 8)
        x = made((np.arange(4 * math.prod(elements)) % 2).astype(dtype).reshape(4, *elements))
        out = made(np.zeros((4, *elements), dtype))
        for _ in range(2):
            table.kernels[f"{kind}_{name}"](x, out)
            assert out.tolist() == x.tolist(), name
            out[:] = 0


@pytest.mark.slow
def test_unusual_tensors_are_taken(saxpy):
    torch = need_framework("torch")
    whole, y = torch.arange(3.0 * N), np.zeros(N, np.float32)
    square = torch.ones(N, N)
    with torch.inference_mode():
        inferred = torch.ones(N)
    with torch.no_grad():
        parameter = torch.nn.Parameter(torch.ones(N))
    kind = type("Kind", (torch.Tensor,), {})
    for x in (
        whole[N : 2 * N],
        whole.view(3, N)[1],
        square.T[:, :1].T[0],
        square.T.contiguous()[2],
        inferred,
        parameter.detach(),
        parameter.data,
        torch.nn.Parameter(torch.ones(N), requires_grad=False),
        torch.ones(N).as_subclass(kind),
        torch.ones(N, 2)[:, 1].clone(),
        torch.ones(N, dtype=torch.complex64).conj().imag.contiguous(),
        torch._neg_view(torch.ones(N)).resolve_neg(),
        torch.ones(N).share_memory_(),
    ):
        for _ in range(2):
            y[:] = 1
            saxpy(2.0, x, y)
            assert y.tolist() == [1 + 2 * value for value in x.tolist()]
    saxpy(1.0, torch.ones(N), parameter.data)  # a step of an optimizer
    assert parameter.tolist() == [2] * N
    with torch.no_grad():
        saxpy(1.0, inferred, whole[:N])
    assert whole[:N].tolist() == [i + 1 for i in range(N)]


@pytest.mark.slow(but="numpy*")
@pytest.mark.parametrize("module", ["numpy", "torch"])
def test_unusual_arrays_are_imported(cpu, module):
    """Arrays without elements or dimensions, and at any address."""
    framework = need_framework(module)
    make = framework.from_numpy if module == "torch" else lambda data: data
    for data in (np.ones(0, "f4"), np.array(1, "f4"), np.ones((2, 0, 3), "f4"), np.ones((1, N), "f4").T):
        assert cpu.from_dlpack(make(data)).shape == data.shape
    if module == "numpy":
        x = unaligned()
        cpu.from_dlpack(x).fill(2)
        assert (x == 2).all()


def unaligned():
    return np.frombuffer(bytearray(33), np.uint8)[1:].view("f4")


def test_unaligned_arrays_are_taken(saxpy):
    x, y = unaligned(), unaligned()
    x[:] = 1
    for _ in range(2):
        saxpy(1.0, x, y)
    assert y.tolist() == [2] * N


# Wrong arrays.


WRONG = [
    ("numpy", lambda np: np.ones(N, "f4")[::-1], "not C-contiguous.*ascontiguousarray"),
    ("numpy", lambda np: np.broadcast_to(np.float32(1), (N,)), "not C-contiguous.*ascontiguousarray"),
    ("numpy", lambda np: np.ones(N, ">f4"), "no type for dtype >f4"),
    ("numpy", lambda np: np.ones(N, object), "Python objects"),
    ("numpy", lambda np: np.zeros(N, [("a", "f4")]), "no type for dtype"),
    ("numpy", lambda np: np.zeros(N, "M8[s]"), "no type for dtype"),
    ("numpy", lambda np: np.ma.masked_equal(np.arange(N, dtype="f4"), 1), r"masked.*filled\(\)"),
    ("numpy", lambda np: np.ones(N, "c8"), "no type for dtype complex64"),
    ("torch", lambda torch: torch.ones(2 * N)[::2], r"not C-contiguous.*x\.contiguous\(\)"),
    ("torch", lambda torch: torch.ones(1).expand(N), r"not C-contiguous.*x\.contiguous\(\)"),
    ("torch", lambda torch: torch.ones(N, requires_grad=True), r"requires a gradient.*x\.detach\(\)"),
    ("torch", lambda torch: 2 * torch.ones(N, requires_grad=True), r"requires a gradient.*x\.detach\(\)"),
    ("torch", lambda torch: torch.nn.Parameter(torch.ones(N)), r"requires a gradient.*x\.detach\(\)"),
    ("torch", lambda torch: torch.ones(N, dtype=torch.bfloat16), r"bfloat16.*x\.float\(\)"),
    ("torch", lambda torch: torch.ones(N).to(torch.float8_e4m3fn), "Taichi has no type for .*8 bits"),
    ("torch", lambda torch: torch.ones(N, dtype=torch.complex64), "no type for complex.*cast"),
    ("torch", lambda torch: torch.ones((1,) * 70), r"with shape \(1, .*70 in all\)|has 70 dimensions"),
    ("torch", lambda torch: torch.ones(N, dtype=torch.complex64).conj(), r"resolve_conj\(\)|conjugate"),
    ("torch", lambda torch: torch._neg_view(torch.ones(N)), r"resolve_neg\(\)"),
    ("torch", lambda torch: torch._neg_view(torch.ones(2 * N))[::2], r"resolve_neg\(\)"),
    ("torch", lambda torch: freed(torch), "no memory: its storage was freed"),
    ("torch", lambda torch: torch._efficientzerotensor(N), "no memory"),
    ("torch", lambda torch: fake(torch), r"torch\.compile.*interop\.torch"),
    ("torch", lambda torch: torch.ones(N, device="meta"), "on the device 'meta'"),
    ("torch", lambda torch: torch.ones(N).to_sparse(), r"to_dense\(\)"),
    ("torch", lambda torch: torch.ones(N, N).to_sparse_csr(), r"to_dense\(\)"),
    ("torch", lambda torch: torch.ones(N).to_mkldnn(), r"to_dense\(\)"),
    (
        "torch",
        lambda torch: torch.nested.nested_tensor([torch.ones(3), torch.ones(2)]),
        r"nested.*to_padded_tensor\(0\.0\)",
    ),
    ("torch", lambda torch: torch.quantize_per_tensor(torch.ones(N), 0.1, 0, torch.qint8), r"dequantize\(\)"),
    ("jax.numpy", lambda jnp: jax_array(jnp.ones(N, jnp.bfloat16)), "no type for bfloat.*cast"),
    ("jax.numpy", lambda jnp: deleted(jnp), "deleted"),
    ("scipy.sparse", lambda sparse: sparse.csr_array(np.ones((2, N))), ""),
    ("pandas", lambda pd: pd.DataFrame(np.ones((N, 2), "f4")), r"\.to_numpy\(\)"),
    ("xarray", lambda xr: xr.DataArray(np.ones(N, "f4")), r"\.to_numpy\(\)"),
]


def freed(torch):
    x = torch.ones(N)
    x.untyped_storage().resize_(0)
    return x


def fake(torch):
    with need_framework("torch._subclasses").FakeTensorMode():
        return torch.ones(N)


def deleted(jnp):
    x = jax_array(jnp.ones(N))
    x.delete()
    return x


@pytest.mark.slow(but="numpy*")
@pytest.mark.filterwarnings("ignore")  # of prototypes in PyTorch
@pytest.mark.parametrize(
    ("module", "make", "message"), [pytest.param(*each, id=f"{each[0]}-{i}") for i, each in enumerate(WRONG)]
)
def test_wrong_array_is_refused(cpu, saxpy, module, make, message):
    """Each call names the kernel, the parameter and the reason, and an import the reason."""
    wrong, y = make(need_framework(module)), np.zeros(N, np.float32)
    for call in (saxpy, saxpy.bind):
        with pytest.raises(TaichiError, match=rf"(?s)^saxpy\(\) parameter 'x': .*({message})"):
            call(1.0, wrong, y)
    with pytest.raises(TaichiError, match=rf"(?s){message}"):
        cpu.from_dlpack(wrong, readonly=True)
    assert not y.any()


@pytest.mark.slow
def test_arrays_that_lose_their_memory_are_refused(cpu, saxpy):
    """The address is known from an earlier call."""
    torch = need_framework("torch")
    reading = stating(saxpy, x="r", y="rw")
    x, y = torch.ones(N), np.zeros(N, np.float32)
    for x, lose in (
        (torch.ones(N), lambda x: x.untyped_storage().resize_(0)),
        (torch.ones(N), lambda x: x.requires_grad_()),
        (torch.ones(N), lambda x: x.resize_(2, 4)),
        (jax_array(np.ones(N, np.float32)), lambda x: x.delete()),
    ):
        y[:] = 0
        reading(1.0, x, y)
        reading(1.0, x, y)
        lose(x)
        with pytest.raises(TaichiError, match=r"^saxpy\(\) parameter 'x': "):
            reading(1.0, x, y)
        assert y.tolist() == [2] * N


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # in PyTorch, when it is traced first
def test_traced_arrays_have_a_remedy(saxpy):
    torch, jax = need_framework("torch"), need_framework("jax")
    y = np.zeros(N, np.float32)

    def call(x):
        saxpy(1.0, x, y)
        return x.sum()

    ones, rows = jax.numpy.ones(N), jax.numpy.ones((2, N))
    for trace in (lambda: jax.jit(call)(ones), lambda: jax.grad(call)(ones), lambda: jax.vmap(call)(rows)):
        with pytest.raises(TaichiError, match=r"^saxpy\(\) parameter 'x': .*traced.*interop\.jax"):
            trace()
    ones = torch.ones(N)
    for trace in (
        lambda: torch.vmap(call)(torch.ones(2, N)),
        lambda: torch.func.grad(call)(ones),
        lambda: torch.func.jvp(call, (ones,), (ones,)),
        lambda: torch.func.functionalize(call)(ones),
    ):
        with pytest.raises(TaichiError, match=r"^saxpy\(\) parameter 'x': .*(interop\.torch|detach|no memory)"):
            trace()
    assert not y.any()


# Lifetimes.


@pytest.mark.slow
@pytest.mark.parametrize("module", ["numpy", "torch", "jax", "array_api_strict"])
def test_calls_do_not_grow_and_objects_may_die_first(module, compiled):
    need_framework(module)
    run_in_child(run, module, compiled("x64") / "basic.tcm", 20_000, quiet=module != "jax")


@pytest.mark.slow(but="numpy")
@pytest.mark.parametrize("module", ["numpy", "torch", "jax"])
def test_memory_outlives_its_array(module, compiled):
    need_framework(module)
    run_in_child(take_the_memory_away, module, compiled("x64") / "basic.tcm", quiet=module != "jax")
