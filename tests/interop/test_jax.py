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
    for args, kwargs in (((2.0,), {}), ((2.0, jnp.ones(3)), {"z": 1}), ((2.0, jnp.ones((3, 3))), {})):
        with pytest.raises(TypeError, match=r"saxpy\(\)"):
            saxpy(*args, **kwargs)


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
