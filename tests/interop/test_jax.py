"""Functions that JAX traces."""

import numpy as np
import pytest

import taichi_aot
from taichi_aot import NotSupportedError

jax = pytest.importorskip("jax")
import jax.numpy as jnp  # noqa: E402
from jax.test_util import check_grads  # noqa: E402

from taichi_aot.interop.jax import traceable  # noqa: E402


@pytest.fixture
def make(build_source):
    path = build_source("operator_kernels", "x64")
    return lambda kernel, out: taichi_aot.function(path, kernel, out=out, arch="x64")


def test_function_is_traced(make):
    saxpy, x = traceable(make("saxpy", "y")), jnp.arange(3.0)
    for call in (saxpy, jax.jit(saxpy)):
        assert call(2.0, x).tolist() == [0, 2, 4]
        assert call(2.0, x, y=jnp.ones(3)).tolist() == [1, 3, 5]
    rows = jnp.arange(6.0).reshape(3, 2)
    assert jnp.array_equal(jax.vmap(lambda row: saxpy(2.0, row))(rows), 2 * rows)


def test_results_follow_the_contract(make):
    value, x, y = traceable(make("split", ["x", "y"]))(jnp.arange(6.0).reshape(3, 2), np.eye(2))
    assert (float(value), x.tolist(), y.tolist()) == (6, [0, 2, 4], [1, 3, 5])
    ramp = traceable(make("ramp", "y"))
    assert jax.jit(ramp, static_argnums=(0, 1))(3, True).tolist() == [0, -1, -2]
    with pytest.raises(TypeError, match="size of a result: it must not be traced"):
        jax.jit(ramp)(3, True)


def test_wrong_calls_are_refused(make):
    saxpy = traceable(make("saxpy", "y"))
    for args, kwargs in (((2.0,), {}), ((2.0, jnp.ones(3)), {"z": 1})):
        with pytest.raises(TypeError, match=r"saxpy\(\)"):
            saxpy(*args, **kwargs)


X, V = np.ones(3, np.float32), np.ones((3, 2), np.float32)
RESULTS = {"saxpy": "y", "split": ["x", "y"], "ramp": "y"}


@pytest.mark.parametrize(
    ("kernel", "args"),
    [
        ("saxpy", (2.0, np.ones(3))),
        ("saxpy", (2.0, X.astype("i4"))),
        ("saxpy", (2.0, X.astype("c8"))),
        ("saxpy", (2.0, np.ones((3, 3), "f4"))),
        ("saxpy", (2.0, X, X.astype("i4"))),
        ("saxpy", (2.0, X, np.ones(4, "f4"))),
        ("saxpy", (X, X)),
        ("saxpy", (np.complex64(1j), X)),
        ("split", (np.ones((3, 3), "f4"), np.eye(2, dtype="f4"))),
        ("split", (V, np.eye(3, dtype="f4"))),
        ("split", (V, np.eye(2, dtype="c8"))),
        ("ramp", (3.0, False)),
        ("ramp", (-3, False)),
        ("ramp", (2**31, False)),
        ("ramp", (3, 1.5)),
    ],
)
def test_wrong_arguments_are_refused_as_in_a_direct_call(make, kernel, args):
    """A traced program could only end with an error of JAX."""
    function = make(kernel, RESULTS[kernel])
    with pytest.raises(Exception, match=rf"{kernel}\(\)|too large") as direct:
        function(*args)
    call = traceable(function)
    fixed = () if kernel != "ramp" else (0,)
    with jax.enable_x64(True):
        for trace in (call, jax.jit(call, static_argnums=fixed), jax.vmap(call, axis_size=2, in_axes=None)):
            with pytest.raises(Exception, match=f"{kernel}|too large") as traced:
                trace(*[each if i in fixed else jnp.asarray(each) for i, each in enumerate(args)])
            assert isinstance(traced.value, type(direct.value))
            assert str(traced.value).partition(", got")[0] == str(direct.value).partition(", got")[0]


def test_numbers_keep_their_digits(make):
    """JAX makes numbers of 32 bits of 64 unless `jax_enable_x64` is set."""
    for kernel, args in (("saxpy", (2.0, np.ones(3))), ("wave", (2.0, np.ones(3), np.ones(1)))):
        with pytest.raises(
            (TypeError, NotSupportedError), match=r"which may lose digits|x is float64, .*jax_enable_x64"
        ):
            traceable(make(kernel, "y"))(*args)
    saxpy = traceable(make("saxpy", "y"))
    for x in ([1, 2, 3], [1.0, jnp.float32(2), 3.0], np.float16([1, 2, 3]), jnp.bfloat16([1, 2, 3])):
        assert saxpy(2, x).tolist() == [2, 4, 6]
        assert jax.jit(lambda x=x: saxpy(jnp.int8(2), x))().tolist() == [2, 4, 6]


def test_missing_gradient_names_the_kernel(make):
    saxpy, wave = traceable(make("saxpy", "y")), traceable(make("wave", "y"))
    x = jnp.arange(3.0)
    for call in (jax.grad(lambda x: saxpy(2.0, x).sum()), jax.jacfwd(lambda x: saxpy(2.0, x))):
        for trace in (call, jax.jit(call)):
            with pytest.raises(NotSupportedError, match=r"saxpy\(\) has no gradient: build its module with @export"):
                trace(x)
    assert jax.grad(lambda x: (saxpy(2.0, jnp.ones(3)) * x).sum())(x).tolist() == [2, 2, 2]
    with jax.enable_x64(True):
        compute = lambda x: wave(2.0, x, jnp.ones(1)).sum()  # noqa: E731
        for call in (jax.hessian(compute), jax.jacrev(jax.grad(compute))):
            with pytest.raises(NotSupportedError, match=r"wave\(\): gradients of gradients are not supported"):
                call(jnp.ones(3))
        with pytest.raises(TypeError, match=r"can't apply forward-mode autodiff \(jvp\) to a custom_vjp function"):
            jax.jvp(compute, (jnp.ones(3),), (jnp.ones(3),))


def test_gradients_are_those_of_the_adjoint(make):
    scale = traceable(make("scale", "y"), backward=make("scale_backward", {"x_grad": "x", "w_grad": 1}))
    with pytest.raises(NotSupportedError, match="jax_enable_x64"):
        scale(jnp.ones(3), jnp.ones(1))
    with jax.enable_x64(True):
        x, w = jnp.arange(1.0, 4), jnp.array([2.0])
        check_grads(scale, (x, w), order=1, modes=["rev"])
        gradient = jax.jit(jax.grad(lambda w: scale(x, w).sum()))
        assert gradient(w).tolist() == [14]
        assert jax.vmap(gradient)(jnp.array([[1.0], [2.0]])).tolist() == [[14], [14]]
        with pytest.raises(NotSupportedError, match="no result is named 'y_grad'"):
            jax.grad(lambda y: scale(x, w, y).sum())(x)


def test_function_with_an_adjoint_is_differentiable_by_itself(make):
    wave, rectify = traceable(make("wave", "y")), traceable(make("rectify", ["signs", "y"]))
    with jax.enable_x64(True):
        x, w, y = jnp.arange(1.0, 4), jnp.array([2.0]), jnp.ones(3)
        check_grads(lambda *args: wave(2.0, *args), (x, w, y), order=1, modes=["rev"])
        gradient = jax.jit(jax.grad(lambda x: wave(2.0, x, w).sum()))
        assert jnp.allclose(gradient(x), 4 * jnp.cos(2 * x))
        assert jnp.allclose(jax.vmap(gradient)(jnp.stack([x, y])), 4 * jnp.cos(2 * jnp.stack([x, y])))
        assert jax.grad(lambda x: rectify(x)[1].sum())(x).tolist() == [2, 4, 6]
        with pytest.raises(NotSupportedError, match=r"parameter 'a': .* does not compute its gradient"):
            jax.grad(lambda a: wave(a, x, w).sum())(2.0)


def test_function_for_cuda_is_traced(cuda_arch, build_source):
    path = build_source("operator_kernels", cuda_arch)
    saxpy, wave = (traceable(taichi_aot.function(path, name, out="y", arch=cuda_arch)) for name in ("saxpy", "wave"))
    x = jnp.arange(3.0)
    for call in (saxpy, jax.jit(saxpy)):
        result = call(2.0, x)
        assert (result.devices(), result.tolist()) == (x.devices(), [0, 2, 4])
    with jax.enable_x64(True):
        check_grads(lambda *args: wave(2.0, *args), (jnp.arange(1.0, 4), jnp.array([2.0])), order=1, modes=["rev"])
