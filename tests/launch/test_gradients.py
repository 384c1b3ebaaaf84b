"""Adjoints of kernels: `Kernel.grad`, and arrays with gradients."""

import pickle
from functools import partial

import numpy as np
import pytest
from helpers.archs import ARCHS
from helpers.inside import find_adjoint

import taichi_aot
from taichi_aot import Arch, NotSupportedError
from taichi_aot.build import BuildError, build, make_python

SOURCE = """
import taichi as ti
from taichi_aot.build import export
A = ti.types.ndarray(ti.f32, 1)

@export(grad=True, shapes={"x": "n", "y": "n"})
@ti.kernel
def square(a: ti.f32, m: ti.types.matrix(6, 6, ti.f32), x: A, y: A):
    for i in y:
        y[i] = a * x[i] * x[i] * m[5, 5]

@export
@ti.kernel
def plain(x: A):
    for i in x:
        x[i] = 1
"""
LLVM_ARCHS = [arch for arch in ("x64", "cuda") if arch in ARCHS]
M = np.ones((6, 6), np.float32)  # passed as two arguments


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    folder = tmp_path_factory.mktemp("gradients")
    (folder / "squares.py").write_text(SOURCE)
    return build(folder / "squares.py", folder / "squares.tib", archs=["x64", "vulkan", *LLVM_ARCHS[1:]]).path


@pytest.fixture(scope="module", params=LLVM_ARCHS)
def module(request, bundle):
    with taichi_aot.load(bundle, request.param) as module:
        yield module


@pytest.fixture(params=LLVM_ARCHS)
def by_jit(request, compile_with, build_source):
    """Return an arch with adjoints, the folder of the JIT's gradients on it, the module, and how to compare numbers."""
    arch = request.param
    # On CUDA atomic additions have no order, so the last digits of sums differ from run to run.
    compare = equal_bits if arch == "x64" else partial(np.testing.assert_allclose, rtol=2e-5)
    jit = compile_with(arch, "gradient_kernels.py", "{arch}", "{folder}")
    return arch, jit, build_source("gradient_kernels", arch, native=False), compare


def equal_bits(actual, desired, err_msg):
    assert actual.tobytes() == desired.tobytes(), err_msg


def test_adjoint_takes_gradients_of_arrays_or_by_name(module):
    rt = module.runtime
    x, y = rt.asarray(np.float32([1, 2, 3]), grad=True), rt.zeros(3, grad=True)
    y.grad.fill(1)
    module.square.grad(2.0, M, x, y)
    assert x.grad.to_numpy().tolist() == [4, 8, 12]
    assert y.grad.to_numpy().tolist() == [0, 0, 0]
    assert x.to_numpy().tolist() == [1, 2, 3]
    gx, gy = rt.zeros(3), rt.full(3, 1.0)
    module.square.grad(2.0, m=M, x=x, y=y, grads={"x": gx, "y": gy})
    assert gx.to_numpy().tolist() == [4, 8, 12]
    assert module.square.grad is module.square.grad
    assert "with grad" in str(module.info)


def test_adjoint_is_bound_updated_and_repeated(module):
    rt = module.runtime
    x, y = rt.full(2, 1.0, grad=True), rt.zeros(2)
    gy = rt.full(2, 1.0)
    step = module.square.grad.bind(1.0, M, x, y, grads={"y": gy})
    step()
    other = rt.full(2, 5.0, grad=True)
    gy.fill(1)
    step.update(x=other)
    step()
    assert (x.grad.to_numpy().tolist(), other.grad.to_numpy().tolist()) == ([2, 2], [10, 10])
    replaced = rt.full(2, 1.0)
    step.update(grads={"y": replaced})
    rt.sequence([step])(repeat=2)
    assert (other.grad.to_numpy().tolist(), replaced.to_numpy().tolist()) == ([20, 20], [0, 0])


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (
            lambda f, rt, x: f(1.0, M, rt.zeros(3), x),
            TypeError,
            "'x': the array has no gradient; create it with grad=True",
        ),
        (lambda f, rt, x: f(1.0, M, x, x, grads={"z": x}), TypeError, "no gradient of 'z' is used, only of 'x', 'y'"),
        (lambda f, rt, x: f(1.0, M, x, x, grads=x), TypeError, "grads: expected gradients by name"),
        (lambda f, rt, x: f(1.0, M, x, x, grads={"y": rt.zeros(4)}), ValueError, "'y.grad': its shape is"),
        (lambda f, rt, x: f(1.0, M, x, x, grads={"y": rt.zeros(3, "f64")}), TypeError, "'y.grad': expected ndarray"),
        (lambda f, rt, x: f(1.0, M, x), TypeError, "missing 1 required positional argument: 'y'"),
        (lambda f, rt, x: f.handle, NotSupportedError, "uses gradients, which the C-API cannot pass"),
        (lambda f, rt, x: f.grad, AttributeError, "is an adjoint"),
        (lambda f, rt, x: rt.zeros(3, "i32", grad=True), TypeError, "grad=True needs an array of floats"),
    ],
)
def test_wrong_calls_say_what_is_wrong(module, call, error, message):
    rt = module.runtime
    with pytest.raises(error, match=message):
        call(module.square.grad, rt, rt.zeros(3, grad=True))


def test_gradient_is_closed_with_its_array(module):
    rt = module.runtime
    x = rt.zeros((2, 3), "f64", 2, grad=True)
    gradient = x.grad
    assert (gradient.shape, gradient.dtype, gradient.elem_shape, gradient.grad) == ((2, 3), np.float64, (2,), None)
    x.close()
    assert gradient.closed
    assert rt.empty(1).grad is None


def test_kernel_without_an_adjoint_says_why(module, bundle, request):
    with pytest.raises(AttributeError, match=r"plain\(\) has no gradient: build its module with @export\(grad=True\)"):
        module.plain.grad  # noqa: B018
    if Arch.VULKAN in taichi_aot.available_archs():
        with taichi_aot.load(bundle, "vulkan") as other, pytest.raises(AttributeError, match="no gradient on vulkan"):
            other.square.grad  # noqa: B018
        # A function without `arch` may have found the adjoint in the code for another device.
        with (
            taichi_aot.load(bundle, "vulkan") as other,
            pytest.raises(NotSupportedError, match="no gradient on vulkan"),
        ):
            find_adjoint(other.square)


def test_function_has_its_adjoint(module, bundle):
    square = taichi_aot.function(bundle, "square", out="y", arch="x64")
    x = np.float32([1, 2, 3])
    y = square(2.0, M, x)
    y_grad = np.ones(3, np.float32)
    assert [each.tolist() for each in square.grad(2.0, M, x, y, y_grad=y_grad)] == [[4, 8, 12], [0, 0, 0]]
    assert [each.tolist() for each in square.grad(2.0, M, x, y, x, y_grad)] == [[5, 10, 15], [0, 0, 0]]
    assert y_grad.tolist() == [1, 1, 1]
    assert repr(square.grad) == "<Function square.grad(a, m, x, y, x_grad, y_grad) -> x_grad, y_grad>"
    assert square.grad is square.grad is pickle.loads(pickle.dumps(square.grad))
    with pytest.raises(ValueError, match=r"square\.grad\(\): x has n=3, y has n=2"):
        square.grad(2.0, M, x, y[:2])


def test_function_without_an_adjoint_says_why(bundle):
    square = taichi_aot.function(bundle, "square", out="y")
    plain = taichi_aot.function(bundle, "plain", out="x")
    shader = taichi_aot.function(bundle, "square", out="y", arch="vulkan")
    whole = taichi_aot.function(bundle, "square", out="x")  # the module states that it writes `y`
    for function, message in (
        (plain, r"plain\(\) has no gradient: build its module with @export\(grad=True\)"),
        (square.grad, r"square\.grad\(\) is an adjoint"),
        (shader, r"square\(\) has no gradient: SPIR-V code has none"),
        (whole, r"it writes 'y', which out= must name too"),
    ):
        with pytest.raises(AttributeError, match=message):
            function.grad  # noqa: B018


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("s = x[i]\n        while s < 3.0:\n            s *= 2.0\n        x[i] = s", "cannot differentiate `while`"),
        ("x[i] = ti.tan(x[i])", "cannot differentiate a function in it, such as ti.tan"),
        ("x[i] = ti.random()", r"cannot differentiate ti.random\(\)"),
    ],
)
def test_build_refuses_what_the_compiler_cannot_differentiate(tmp_path, body, reason):
    source = (
        SOURCE.partition("@export(grad")[0]
        + f"@export(grad=True)\n@ti.kernel\ndef f(x: A):\n    for i in x:\n        {body}\n"
    )
    (tmp_path / "f.py").write_text(source)
    with pytest.raises(BuildError, match=rf"kernel f .*(\n.*)*{reason}"):
        build(tmp_path / "f.py", tmp_path / "f.tib", archs=["x64"])


@pytest.mark.slow
def test_gradients_equal_those_of_the_jit(by_jit):
    arch, jit, path, compare = by_jit
    with taichi_aot.load(path, arch) as module:
        rt = module.runtime
        assert len(module.kernels) >= 20
        for name, kernel in module.kernels.items():
            with np.load(jit / f"{name}.npz") as found:
                passed = []
                for i, parameter in enumerate(kernel.signature.parameters):
                    value = found[f"value{i}"]
                    if parameter.kind == "ndarray":
                        value = rt.asarray(value, elem_shape=parameter.elem_shape, grad=f"grad{i}" in found)
                        if value.grad is not None:
                            value.grad.write(found[f"grad{i}"])
                    passed.append(value)
                kernel.grad(*passed)
                for i, array in enumerate(passed):
                    if f"value_after{i}" in found:
                        compare(array.to_numpy(), found[f"value_after{i}"], err_msg=name)
                    if f"grad_after{i}" in found:
                        compare(array.grad.to_numpy(), found[f"grad_after{i}"], err_msg=name)


@pytest.mark.slow
def test_gradients_of_functions_equal_those_of_the_jit(by_jit):
    arch, jit, path, compare = by_jit
    for name in taichi_aot.inspect(path).kernels:
        function = taichi_aot.function(path, name, out="y", arch=arch)
        with np.load(jit / f"{name}.npz") as found:
            arrays = [i for i in range(len(function.signature.parameters)) if f"grad{i}" in found]
            values = [found[f"value{i}"] for i in range(len(function.signature.parameters))]
            gradients = function.grad(*values, *[found[f"grad{i}"] for i in arrays])
            for i, gradient in zip(arrays, gradients, strict=True):
                compare(gradient, found[f"grad_after{i}"], err_msg=name)


@pytest.mark.slow
def test_adjoint_is_built_for_cuda(tmp_path):
    (tmp_path / "squares.py").write_text(SOURCE)
    build(tmp_path / "squares.py", tmp_path / "squares.tib", archs=["cuda"])
    info = taichi_aot.inspect(tmp_path / "squares.tib")
    adjoint = info.modules[Arch.CUDA].all_kernels["taichi_aot_grad_square"]
    assert [parameter.grad for parameter in adjoint.signature.parameters] == [False, False, True, True]


def test_python_module_has_the_types_of_adjoints(bundle):
    text = make_python(taichi_aot.inspect(bundle), "squares.tib")
    assert "def grad(self) -> SquareGradient: ..." in text
    assert "grads: Mapping[str, NdArray] | None = None" in text
