"""Functions as operators of PyTorch."""

import pytest

import taichi_aot
from taichi_aot import InvalidArgumentError, NotSupportedError, Runtime

torch = pytest.importorskip("torch")
from torch._subclasses.fake_tensor import FakeTensorMode  # noqa: E402
from torch.autograd import forward_ad  # noqa: E402

from taichi_aot.interop.torch import autograd, register  # noqa: E402

GRADIENTS = {"x_grad": "x", "w_grad": 1}


@pytest.fixture
def make(build_source):
    path = build_source("operator_kernels", "x64")
    return lambda kernel, out: taichi_aot.function(path, kernel, out=out, arch="x64")


@pytest.fixture
def saxpy(make):
    return register(make("saxpy", "y"), "taichi_aot_test::saxpy")


@pytest.fixture
def scale(make):
    return autograd(make("scale", "y"), make("scale_backward", GRADIENTS))


def doubles(n):
    return torch.linspace(0.5, 2, n, dtype=torch.float64, requires_grad=True)


def test_operator_returns_new_tensors(saxpy):
    x, y = torch.ones(3), torch.full((3,), 10.0)
    assert saxpy(2.0, x, y).tolist() == [12, 12, 12]
    assert y.tolist() == [10, 10, 10]
    assert torch.ops.taichi_aot_test.saxpy(2.0, x.requires_grad_()).tolist() == [2, 2, 2]


def test_operator_passes_the_checks_of_pytorch(saxpy, make):
    torch.library.opcheck(saxpy, (2.0, torch.ones(3), torch.ones(3)))
    split = register(make("split", ["x", "y"]), "taichi_aot_test::split")
    pairs = torch.arange(6.0).reshape(3, 2)
    torch.library.opcheck(split, (pairs, [0.0, 1, 1, 0]))
    assert [each.tolist() for each in split(pairs, [0.0, 1, 1, 0])] == [9, [1, 3, 5], [0, 2, 4]]


def test_compiled_program_has_symbolic_shapes(saxpy, make):
    ramp = register(make("ramp", "y"), "taichi_aot_test::ramp")
    step = torch.compile(
        lambda x: saxpy(2.0, x) + ramp(x.shape[0], False), backend="aot_eager", fullgraph=True, dynamic=True
    )
    for n in (3, 5):
        assert step(torch.ones(n)).tolist() == [2.0 + i for i in range(n)]


def test_vmap_calls_each_element(saxpy):
    x = torch.arange(6.0).reshape(3, 2)
    assert torch.equal(torch.vmap(lambda row: saxpy(2.0, row))(x), 2 * x)


def test_gradients_are_those_of_the_adjoint(scale):
    assert torch.autograd.gradcheck(scale, (doubles(4), doubles(1)))
    with pytest.raises(NotSupportedError, match=r"scale\(\) parameter 'y': .* no result is named 'y_grad'"):
        scale(doubles(4), doubles(1), doubles(4))


def test_function_with_an_adjoint_is_differentiable_by_itself(make):
    wave = autograd(make("wave", "y"))
    x, w, y = doubles(4), doubles(1), doubles(4)
    assert torch.autograd.gradcheck(lambda *args: wave(2.0, *args), (x, w, y))
    assert torch.autograd.gradcheck(lambda *args: wave(2.0, *args), (x, w))
    torch.library.opcheck(wave, (2.0, x, w))
    wave(2.0, x, w).sum().backward()
    assert torch.equal(x.grad, 2 * w * torch.cos(w * x))
    rectify = register(make("rectify", ["signs", "y"]), "taichi_aot_test::rectify")
    signs, squares = rectify(x)
    assert not signs.requires_grad
    assert torch.equal(torch.autograd.grad(squares.sum(), x)[0], 2 * x)


def test_compiled_loop_learns_a_parameter(make):
    scale = autograd(make("scale", "y"))
    x, weight = doubles(4).detach(), torch.zeros(1, dtype=torch.float64, requires_grad=True)
    optimizer = torch.optim.SGD([weight], lr=0.1)
    loss = torch.compile(lambda: ((scale(x, weight) - 3 * x * x) ** 2).mean(), backend="aot_eager", fullgraph=True)
    for _ in range(60):
        optimizer.zero_grad()
        loss().backward()
        optimizer.step()
    assert weight.item() == pytest.approx(3, abs=1e-3)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # in PyTorch, when it makes dual tensors first
def test_forward_mode_is_refused(make, saxpy):
    """PyTorch would take the derivatives for zero."""
    wave = autograd(make("wave", "y"))
    x, w = doubles(4).detach(), doubles(1).detach()

    def dual(call, x):
        with forward_ad.dual_level():
            call(forward_ad.make_dual(x, x))

    def compute(x):
        return wave(2.0, x, w)

    compiled = torch.compile(compute, backend="aot_eager", fullgraph=True)
    for call in (
        lambda: dual(compute, x),
        lambda: dual(compute, x.clone().requires_grad_()),
        lambda: dual(compiled, x),
        lambda: dual(lambda x: saxpy(2.0, x), x.float()),
        lambda: torch.func.jvp(compute, (x,), (x,)),
        lambda: torch.func.jacfwd(compute)(x),
        lambda: torch.func.linearize(compute, x),
        lambda: torch.autograd.functional.jacobian(compute, x, strategy="forward-mode", vectorize=True),
    ):
        with pytest.raises(NotSupportedError, match=r"(wave|saxpy)\(\) has no derivatives in forward mode"):
            call()
    step = torch.compile(lambda x: torch.func.jvp(compute, (x,), (x,)), backend="aot_eager", fullgraph=True)
    with pytest.raises(Exception, match=r"wave\(\) has no derivatives in forward mode"):
        step(x)
    for call in (torch.func.jacrev, torch.func.hessian):
        with pytest.raises(NotSupportedError, match=r"wave\(\) cannot be differentiated by torch\.func; call backward"):
            call(lambda x: compute(x).sum())(x)
    values, _ = torch.func.jvp(lambda x: compute(w) * x, (w,), (w,))  # a constant has no derivative
    assert torch.equal(values, compute(w) * w)


def test_missing_gradient_names_the_kernel(make, saxpy):
    wave, x = autograd(make("wave", "y")), doubles(4)
    no_gradient = r"saxpy\(\) has no gradient: build its module with @export\(grad=True\)"
    with pytest.raises(NotSupportedError, match=no_gradient):
        saxpy(2.0, torch.ones(3, requires_grad=True)).sum().backward()
    (gradient,) = torch.autograd.grad(wave(2.0, x, doubles(1)).sum(), x, create_graph=True)
    with pytest.raises(NotSupportedError, match=r"wave\.grad\(\) is an adjoint, and has no gradient of its own"):
        gradient.sum().backward()


WRONG = (
    ((2.0, torch.ones(3, dtype=torch.bfloat16)), TypeError, "'x': .*bfloat16"),
    ((2.0, torch.ones(3).to_sparse()), TypeError, r"x.to_dense\(\)"),
    ((2.0, torch.ones(3, 3)), TypeError, r"'x': expected ndarray\[f32, 1\], got an array of shape \(3, 3\)"),
    (
        (2.0, torch.ones(3, dtype=torch.float64)),
        TypeError,
        r"got torch.Tensor of float64; write x\.to\(torch\.float32\)",
    ),
    ((2.0, torch.ones(3), torch.ones(3, dtype=torch.int32)), TypeError, r"'y': expected .*, got torch.Tensor of int32"),
    ((2.0, torch.ones(3), torch.ones(4)), ValueError, r"saxpy\(\): x has n=3, y has n=4"),
)


@pytest.mark.parametrize(("args", "error", "says"), WRONG)
def test_wrong_tensors_are_refused(saxpy, args, error, says):
    """Also before they have numbers."""
    with pytest.raises(error, match=says):
        saxpy(*args)
    with FakeTensorMode() as mode, pytest.raises(error, match=says):
        saxpy(*[mode.from_tensor(each) if isinstance(each, torch.Tensor) else each for each in args])


def test_wrong_numbers_are_refused_without_tensors(make):
    ramp, split = (
        register(make(name, out), f"taichi_aot_test::{name}") for name, out in (("ramp", "y"), ("split", ["x", "y"]))
    )
    for call, error, says in (
        (lambda: ramp(-3, False), ValueError, r"ramp\(\) parameter 'count': a size must not be negative, not -3"),
        (lambda: ramp(2**40, False), ValueError, "too large: kernels index with i32"),
        (lambda: split(torch.ones(3, 2), [0.0]), TypeError, r"split\(\) parameter 'm': expected the 4 numbers"),
    ):
        with pytest.raises(error, match=says):
            call()
        with FakeTensorMode(), pytest.raises(error, match=says):
            call()


def test_names_are_registered_once(saxpy, make):
    function = make("saxpy", "y")
    assert register(function, "taichi_aot_test::saxpy") is saxpy
    for name in ("saxpy", "aten::add", "a::b::c"):
        with pytest.raises(InvalidArgumentError):
            register(function, name)
    with pytest.raises(InvalidArgumentError, match="is registered already"):
        register(make("ramp", "y"), "taichi_aot_test::saxpy")
    with pytest.raises(InvalidArgumentError, match="cannot be the adjoint"):
        autograd(make("scale", "y"), function)
    with pytest.raises(AttributeError, match=r"saxpy\(\) has no gradient: build its module with @export\(grad=True\)"):
        autograd(function)


def test_tensors_on_cuda_stay_there(cuda_arch, build_source):
    path = build_source("operator_kernels", cuda_arch)
    saxpy = register(taichi_aot.function(path, "saxpy", out="y", arch=cuda_arch), "taichi_aot_test::saxpy_on_cuda")
    x = torch.ones(3, device="cuda")
    for call in (saxpy, torch.compile(lambda a, x: saxpy(a, x), backend="aot_eager", fullgraph=True)):
        result = call(2.0, x)
        assert (result.device, result.tolist()) == (x.device, [2, 2, 2])
    torch.library.opcheck(saxpy, (2.0, x, x))
    wave = autograd(taichi_aot.function(path, "wave", out="y", arch=cuda_arch))
    given = [torch.linspace(0.5, 2, n, dtype=torch.float64, device="cuda", requires_grad=True) for n in (4, 1, 4)]
    assert torch.autograd.gradcheck(lambda *args: wave(2.0, *args), given, nondet_tol=1e-12)


def test_launches_are_part_of_a_cuda_graph(cuda_arch, build_source):
    x, y, graph = torch.ones(1000, device="cuda"), torch.zeros(1000, device="cuda"), torch.cuda.CUDAGraph()
    with Runtime(cuda_arch) as rt:
        saxpy = rt.load_module(build_source("operator_kernels", cuda_arch)).kernels["saxpy"]
        saxpy(0.0, x, y)
        sequence = rt.sequence([saxpy.bind(1.0, x, y)])
        with torch.cuda.graph(graph), rt.stream(torch.cuda.current_stream()):
            x += 1
            saxpy(2.0, x, x)
            sequence(10)
            y *= 2
        assert x.sum() == 1000
        graph.replay()
        graph.replay()
    graph.replay()  # the runtime has left its code on the device
    torch.cuda.synchronize()
    wanted_x, wanted_y = 1.0, 0.0
    for _ in range(3):
        wanted_x = 3 * (wanted_x + 1)
        wanted_y = 2 * (wanted_y + 10 * wanted_x)
    assert (x == wanted_x).all()
    assert (y == wanted_y).all()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.torch.jit.script_method. is deprecated:DeprecationWarning")  # in Inductor
def test_exported_and_inductor_programs_call_the_operator(saxpy):
    class Doubled(torch.nn.Module):
        def forward(self, x):
            return saxpy(2.0, x) * 2

    x = torch.ones(3)
    exported = torch.export.export(Doubled(), (x,), dynamic_shapes={"x": {0: torch.export.Dim("n")}})
    assert exported.module()(torch.ones(5)).tolist() == [4] * 5
    assert torch.compile(Doubled(), fullgraph=True)(x).tolist() == [4] * 3
