"""Kernels of Quadrants: the same results as by its own JIT, and what builds refuse."""

import importlib.util
import json
import re
from functools import reduce
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest
from helpers.archives import read_archive
from helpers.archs import HAS_QUADRANTS, needs_quadrants, on_x64
from helpers.carry import QUADRANTS, WIDE_TYPES, carry_quadrants
from helpers.child import run_child, run_in_child
from helpers.generated_vectors import arguments_of, run_in_python, source_of_vectors
from helpers.native_calls import targets_here
from helpers.quadrants_cases import BODIES, cases, cpu_cases, example, gradient_case, results

import taichi_aot
from taichi_aot import Arch, NotSupportedError, Runtime, inspect
from taichi_aot.build import BuildError, build
from taichi_aot.cli.main import main

TESTS = Path(__file__).parent.parent
CPU_KERNELS = TESTS / "helpers" / "quadrants_cpu_kernels.py"
ADDRESSES = "spirv_has_physical_storage_buffer"
ULP = {"waves.x": 16}  # on Vulkan, whose drivers have functions of their own
CLOSE = 1e-5  # on GPUs, which have functions of their own, fuse products and sum in another order; and after many steps
HEAD = "import quadrants as qd\nfrom taichi_aot.build import export\nX = qd.types.ndarray(dtype=qd.f32, ndim=1)\n"
STACK = """
@export(grad=True)
@qd.kernel
def f(x: X, y: X):
    for i in x:
        a = x[i]
        for _ in range(3):
            a *= x[i]
        y[i] += a
"""


@pytest.fixture(scope="module")
def made(request, tmp_path_factory):
    """The folder with the bundle of the kernels, and with what Quadrants' own JIT has computed."""
    carried = request.config.getoption("--carried")
    if carried is not None and (carried / "quadrants").is_dir():
        return carried.resolve() / "quadrants"
    if not HAS_QUADRANTS:
        pytest.skip("needs the extra quadrants, or a carried bundle")
    folder = tmp_path_factory.mktemp("quadrants")
    carry_quadrants(folder)
    return folder


@pytest.fixture(scope="module")
def bundle(made):
    return made / "kernels.tib"


@pytest.fixture(scope="module")
def expected(made):
    with np.load(made / "results.npz") as file:
        return dict(file)


@pytest.fixture
def module(rt, bundle):
    return rt.load_module(bundle)


def run(module, name, arguments):
    """Launch a kernel; return what it has left."""
    runtime, signature = module.runtime, module.kernels[name].signature
    parameters = {each.name: each for each in signature.parameters}

    def passed(path, value):
        if isinstance(value, dict) and path not in parameters:  # a dataclass; the kernel need not use all members
            used = {key for key in value if any(f"{each}.".startswith(f"{path}.{key}.") for each in parameters)}
            return {key: passed(f"{path}.{key}", value[key]) for key in value if key in used}
        parameter = parameters[path]
        return runtime.asarray(value, elem_shape=parameter.elem_shape) if parameter.kind == "ndarray" else value

    def left(value, given):
        if isinstance(value, dict):
            return {key: left(each, given.get(key, each)) for key, each in value.items()}
        return given.to_numpy() if isinstance(given, taichi_aot.NdArray) else value

    given = {key: passed(key, each) for key, each in arguments.items()}
    returned = module.kernels[name](**given)
    return results(name, {key: left(each, given[key]) for key, each in arguments.items()}, returned)


def compare(name, found, expected, arch):
    wanted = {key: each for key, each in expected.items() if key.startswith(f"{name}.")}
    assert found.keys() == wanted.keys()
    is_gpu = any(device.arch is arch and device.kind != "cpu" for device in taichi_aot.devices())
    is_close = is_gpu or (arch, name) == (Arch.VULKAN, "matrices")
    for key, value in found.items():
        if value.dtype.kind == "f" and is_close:
            np.testing.assert_allclose(value, wanted[key], rtol=CLOSE, atol=CLOSE)
        elif arch is Arch.VULKAN and key in ULP:
            np.testing.assert_array_max_ulp(value, wanted[key], ULP[key])
        else:
            np.testing.assert_array_equal(value.ravel(), wanted[key].ravel(), key)


@pytest.mark.parametrize("name", list(cases()))
def test_kernels_give_the_bits_of_the_jit(module, arch, expected, name):
    compare(name, run(module, name, cases()[name]), expected, arch)


@needs_quadrants
@pytest.mark.parametrize("arch", ["vulkan"], indirect=True)
def test_code_that_takes_addresses_gives_the_bits_of_the_jit(arch, expected, tmp_path):
    build(QUADRANTS, tmp_path / "kernels.tib", archs=[arch], math="exact", caps=[*WIDE_TYPES, ADDRESSES])
    with Runtime(arch) as rt:  # memory that was allocated before has no addresses
        module = rt.load_module(tmp_path / "kernels.tib")
        assert ADDRESSES in inspect(tmp_path / "kernels.tib").capabilities
        for name, case in cases().items():
            compare(name, run(module, name, case), expected, arch)


def test_adjoints_give_the_bits_of_the_jit(rt, module, arch, expected):
    energy, (given, y_grad) = module.kernels["energy"], gradient_case()
    if arch is Arch.VULKAN:
        with pytest.raises(AttributeError, match="has no gradient on vulkan"):
            _ = energy.grad
        return
    x = rt.asarray(given["x"], elem_shape=(2,), grad=True)
    y = rt.asarray(given["y"], grad=True)
    y.grad.write(y_grad)
    energy.grad(x, rt.asarray(given["at"]), y)
    compare("gradient", {"gradient.x": x.grad.to_numpy()}, expected, arch)


@pytest.mark.parametrize("arch", ["vulkan", "cuda"], indirect=True)
def test_threads_of_a_block_share_memory(rt, arch, made):
    x = np.random.default_rng(5).integers(0, 1000, 4096, dtype=np.int32)
    blocks = x.reshape(-1, 64)
    expected = blocks[:, ::-1].copy()
    if arch is Arch.CUDA:  # where they also sum, and swap with their neighbours
        expected += blocks.sum(axis=1, keepdims=True) + blocks.reshape(-1, 2)[:, ::-1].reshape(-1, 64)
    y = rt.zeros(x.shape, dtype="i32")
    rt.load_module(made / "gpu.tib").kernels["turn_blocks"](rt.asarray(x), y)
    np.testing.assert_array_equal(y.to_numpy(), expected.ravel())


def tell(path):
    with Runtime("cuda") as rt:
        rt.load_module(path).kernels["tell"](rt.full(1, 7, dtype="i32"))


@pytest.mark.usefixtures("cuda_arch")
def test_kernels_print_on_cuda(made):
    assert run_in_child(tell, str(made / "gpu.tib")).stdout == "x is 7 0.500000\n"


@needs_quadrants
@on_x64
def test_what_only_cpus_have_gives_the_bits_of_the_jit(arch, expected, tmp_path):
    build(CPU_KERNELS, tmp_path / "cpu.tib", archs=["x64"], math="exact")
    with Runtime(arch) as rt:  # of its own, as this module has fields too
        module = rt.load_module(tmp_path / "cpu.tib")
        for name, given in cpu_cases().items():
            compare(name, run(module, name, given), expected, arch)
        small, real = module.fields["small"], module.fields["real"]
        assert small.to_numpy().tolist() == [-4, -3, -2, -1, 0, 1, 2, 3]
        real.write(np.arange(8, dtype=np.float32) / 4)
        np.testing.assert_allclose(real.to_numpy(), np.arange(8) / 4, atol=4 / 2**9)


@needs_quadrants
def test_code_for_vulkan_needs_no_capability_by_default(tmp_path):
    source = tmp_path / "kernels.py"
    source.write_text(f"{HEAD}@export\n@qd.kernel\ndef double(x: X):\n    for i in x:\n        x[i] *= 2\n")
    build(source, tmp_path / "kernels.tib", archs=["vulkan"])
    info = inspect(tmp_path / "kernels.tib")
    assert info.spirv_version == (1, 0)
    assert not info.device_capabilities
    source.write_text(source.read_text().replace("x[i] *= 2", "x[i] *= qd.cast(2, qd.f64)"))
    with pytest.raises(BuildError, match=r'f64, which not every Vulkan device has: .* caps=\["spirv_has_float64"\]'):
        build(source, tmp_path / "kernels.tib", archs=["vulkan"])


@needs_quadrants
@pytest.mark.skipif(not targets_here(), reason="needs an x86-64 CPU")
def test_loops_are_vectors_as_with_taichi(bundle, tmp_path):
    """Of the kernels whose bits are compared with those of the JIT, many are vectors too."""
    source = tmp_path / "loops.py"
    taichi = (TESTS / "helpers" / "vector_kernels.py").read_text()
    source.write_text(taichi.replace("import taichi as ti", "import quadrants as ti"))
    kernels = inspect(build(source, tmp_path / "loops.tcm", archs=["x64"]).path).kernels
    found = {name: {task.loop for task in kernel.tasks} - {""} for name, kernel in kernels.items()}
    wanted = {name: {kernel.doc} - {""} for name, kernel in kernels.items()}
    wanted["convolved"] = {"has sums whose terms would be in another order"}  # which Quadrants' passes add in blocks
    assert found == wanted
    compared = inspect(bundle).modules[Arch.X64].kernels
    vectors = {name for name, kernel in compared.items() if "vectors" in {task.loop for task in kernel.tasks}}
    assert vectors >= {"saxpy", "move", "settle"}  # of arrays, of a dataclass, in a graph


def test_an_example_with_a_dataclass_of_ten_arrays(rt, made, arch, expected):
    kernels = rt.load_module(made / "bodies.tib").kernels
    bodies = example("bodies")
    numbers = bodies.start(BODIES["count"])
    arrays = {key: rt.asarray(each, "f32", elem_shape=each.shape[1:]) for key, each in numbers.items()}
    balls = bodies.Bodies(**arrays)
    push = kernels["push"].bind(balls, BODIES["gravity"], friction=BODIES["friction"])
    step = kernels["step"].bind(dt=BODIES["dt"], bodies=balls)
    rt.sequence([push, step])(repeat=BODIES["steps"])
    for key, array in arrays.items():
        found, wanted = array.to_numpy(), expected[f"bodies.{key}"]
        if arch is Arch.X64:
            np.testing.assert_array_equal(found, wanted, key)
        else:
            np.testing.assert_allclose(found, wanted, rtol=1e-3, atol=1e-3, err_msg=key)


def test_fields_in_two_trees_have_what_kernels_write(module, expected):
    for value in (0.5, 1.5):
        module.kernels["fill"](value)
    for name in ("grid", "wind", "count"):
        np.testing.assert_array_equal(module.fields[name].to_numpy(), expected[f"field.{name}"])
    module.fields["grid"].write(np.ones((4, 5), np.float32))
    assert module.fields["grid"].to_numpy().sum() == 20


def test_random_numbers_are_in_range_and_differ(module):
    x = module.runtime.zeros(1000, dtype="f32")
    module.kernels["noise"](x)
    first = x.to_numpy()
    module.kernels["noise"](x)
    assert 0 <= first.min() < 0.1 < 0.9 < first.max() < 1
    assert not np.array_equal(first, x.to_numpy())


def launch_on_cuda(path):
    """Launch on a driver that only logs."""
    with Runtime("cuda") as runtime:
        module, x = runtime.load_module(path), runtime.zeros(8)
        module.kernels["saxpy"](2.0, x, runtime.zeros(8))
        module.kernels["move"]({"place": x, "speed": runtime.zeros(8), "step": 0.5}, 2.0)
        module.fields["grid"].to_numpy()
        module.kernels["settle"](x, runtime.zeros((), "i32"), runtime.zeros((), "i32"))  # each loop runs once


def test_tasks_on_cuda_are_launched_in_order(fake_cuda, bundle):
    run_in_child(launch_on_cuda, str(bundle))
    launched = [line.split()[1] for line in fake_cuda.read_text().splitlines() if line.startswith("internal ")]
    names = [re.sub(r"_c\d+_\d+_kernel", "", name) for name in launched]
    assert names[:5] == ["saxpy_0_serial", "saxpy_1_range_for", "move_0_serial", "move_1_range_for", "get_0_range_for"]
    tasks = inspect(bundle).modules[Arch.CUDA].kernels["settle"].tasks
    assert names[5:] == [f"settle_{i}_{task.kind}" for i, task in enumerate(tasks)]


@needs_quadrants
def test_the_bundle_states_its_contents_and_its_compiler(bundle):
    info = inspect(bundle)
    assert info.compiler == f"Quadrants {version('quadrants')}"
    assert f"compiled by {info.compiler}" in str(info)
    assert str(info.kernels["saxpy"].signature) == (
        "saxpy(a: f32, x: ndarray[f32, 1, shape=(n,)], y: ndarray[f32, 1, shape=(n,)])"
    )
    assert info.kernels["saxpy"].doc == "Add a * x to y."
    assert [each.access for each in info.kernels["saxpy"].signature.parameters] == ["", "r", "rw"]
    assert info.kernels["turn"].signature.returns == ("vector(2, f32)", "i32")
    assert [each.name.partition(".")[2] for each in info.kernels["move"].signature.parameters][:3] == [
        "place",
        "speed",
        "step",
    ]
    assert info.native_targets
    assert info.ptx_targets == ("ptx",)
    assert not any(name.startswith("taichi_aot_") for name in info.kernels)


@needs_quadrants
def test_the_same_source_gives_the_same_bytes(bundle, tmp_path):
    again = tmp_path / "again.tib"
    build(QUADRANTS, again, archs=["vulkan", "cuda"], math="exact", caps=WIDE_TYPES)  # machine code takes longer
    files, first = read_archive(again), read_archive(bundle)
    for name in ("vulkan.tcm", "cuda.tcm"):  # the bundle also says where it was built
        assert files[name] == first[name]


@needs_quadrants
def test_bundles_are_validated_and_cannot_be_joined(bundle, tmp_path, capfd):
    assert main(["validate", str(bundle)]) == 0
    assert main(["bundle", str(bundle), "-o", str(tmp_path / "joined.tib")]) != 0
    assert "build it for all its archs at once" in capfd.readouterr().err


@needs_quadrants
def test_without_machine_code_the_module_is_refused(bundle, monkeypatch):
    monkeypatch.setenv("TAICHI_AOT_NATIVE", "0")
    with (
        Runtime("cpu") as runtime,
        pytest.raises(NotSupportedError, match="only code that is launched without the C library"),
    ):
        runtime.load_module(bundle)


MISTAKES = {
    "launches kernel f": "@export\n@qd.kernel\ndef f(x: qd.f32):\n    pass\nf(1.0)\n",
    "exports nothing": "",
    "field f: contents=True is for fields of Taichi": "from taichi_aot.build import export_field\n"
    "export_field('f', qd.field(qd.f32, 3), contents=True)\n",
    "is not defined": "@export\n@qd.kernel\ndef f(x: X):\n    for i in x:\n        x[i] = missing\n",
    "parameter p needs a value": "@export\n@qd.kernel\ndef f(p: qd.template(), x: X):\n    x[0] = p\n",
    r"gradient of f \(kernels.py, line 10\): .*without a stack": STACK,
    "gradient of f .*: it needs a stack of values": f"qd.init(ad_stack_experimental_enabled=True)\n{STACK}",
    r"kernel f \(kernels.py, line 8\): it uses sparse fields, which": """sparse = qd.field(qd.f32)
qd.root.pointer(qd.i, 8).dense(qd.i, 4).place(sparse)
@export
@qd.kernel
def f(x: X):
    for i in sparse:
        sparse[i] += 1
""",
    "parameter v is a BufferView": "@export\n@qd.kernel\ndef f(v: qd.BufferView[qd.f32]):\n    v[0] = 1.0\n",
    "kernel f .*: it has checkpoints": "@export\n@qd.kernel(graph=True, checkpoints=True)\ndef f(x: X):\n    pass\n",
    r"kernel f \(kernels.py, line 8\): operations of subgroups are for CUDA only": """
@export
@qd.kernel
def f(x: X):
    x[0] = qd.simt.subgroup.shuffle(x[0], qd.u32(1))
""",
    r"kernel f \(kernels.py, line 7\): the condition of qd.graph.do_while is an ndarray of i32 with ndim=0": """
@export
@qd.kernel(graph=True)
def f(x: X):
    while qd.graph.do_while(x):
        x[0] -= 1
""",
}


@needs_quadrants
def test_spirv_without_real_functions_is_refused(tmp_path):
    source = tmp_path / "kernels.py"
    function = "@qd.real_func\ndef write(x: X) -> qd.i32:\n    x[0] = 1.0\n    return 1\n"
    source.write_text(f"{HEAD}{function}@export\n@qd.kernel\ndef f(x: X):\n    write(x)\n")
    with pytest.raises(BuildError, match=r"SPIR-V cannot have write, which is a qd\.real_func: make it a qd\.func"):
        build(source, tmp_path / "kernels.tib", archs=["vulkan"])


@needs_quadrants
@on_x64
def test_vectors_have_the_numbers_of_python(own_rt, tmp_path):
    source, numbers, wrong = tmp_path / "kernels.py", range(8), []
    source.write_text(re.sub(r"\bti\b", "qd", source_of_vectors(numbers).replace("taichi as", "quadrants as")))
    build(source, tmp_path / "kernels.tib", archs=["x64"])
    module = own_rt.load_module(tmp_path / "kernels.tib")
    for number in numbers:
        found, expected = arguments_of(number), arguments_of(number)
        module.kernels[f"vectors_{number}"](*found)
        run_in_python(number, *expected)
        wrong += [number] * (not all(map(np.array_equal, found, expected)))
    assert wrong == []


@needs_quadrants
@pytest.mark.parametrize("message", MISTAKES)
def test_mistakes_in_the_source_are_errors(tmp_path, message):
    source = tmp_path / "kernels.py"
    source.write_text(HEAD + MISTAKES[message])
    with pytest.raises(BuildError, match=message):
        build(source, tmp_path / "kernels.tib", archs=["x64"])


@pytest.mark.parametrize(
    ("head", "options", "message"),
    [
        ("import taichi as ti\n", {}, "imports taichi and quadrants"),
        pytest.param("", {"cubins": ["sm_90"]}, "is for kernels of Taichi", marks=needs_quadrants),
    ],
)
def test_what_is_of_taichi_is_refused(tmp_path, head, options, message):
    source = tmp_path / "kernels.py"
    source.write_text(f"{head}{HEAD}")
    with pytest.raises(BuildError, match=message):
        build(source, tmp_path / "kernels.tib", **options)


@pytest.mark.skipif(HAS_QUADRANTS, reason="has the packages that are missing elsewhere")
def test_an_environment_without_its_packages_is_told_the_extra(tmp_path):
    source = tmp_path / "kernels.py"
    source.write_text(HEAD)
    with pytest.raises(BuildError, match=r"kernels of Quadrants need .*: install the extra `quadrants`"):
        build(source, tmp_path / "kernels.tib")


@needs_quadrants
def test_the_installed_runtime_has_the_stated_struct():
    from taichi_aot.adopt._quadrants import BITCODE, CONTEXT, RUNTIME, difference
    from taichi_aot.build.quadrants._module import describe_runtime

    spec = importlib.util.find_spec("quadrants")
    structs = describe_runtime(str(Path(spec.origin).parent.joinpath(*BITCODE[:-1], "runtime_x64.bc")))
    runtime, context = structs["LLVMRuntime"], structs["RuntimeContext"]
    assert difference(runtime, context) == ""
    assert list(CONTEXT) == context[1]
    assert difference((8, []), context) == "LLVMRuntime has 8 bytes, and 59984 in Quadrants 1.3"
    moved = [offset + 8 * (offset == 57448) for offset in runtime[1]]
    assert difference((runtime[0], [o for o in moved if o in RUNTIME and o != 57456]), context).startswith(
        "LLVMRuntime has no member where temporaries is"
    )


# What builds use of Quadrants: the names in its modules, and the keys of the files that it leaves of kernels.
NAMES = {
    "quadrants.lang.impl": "current_cfg get_runtime qd_assert",
    "quadrants.lang.kernel": "GraphDoWhileLevel Kernel.__call__ Kernel.ensure_compiled",
    "quadrants.lang.field": "Field._initialize_host_accessors",
    "quadrants.lang._quadrants_callable": "BoundQuadrantsCallable QuadrantsCallable",
    "quadrants._tensor_wrapper": "Tensor._unwrap",
    "quadrants._lib.core.quadrants_python": "KernelCxx.insert_scalar_param KernelCxx.insert_ndarray_param "
    "Program.compile_kernel Program.dump_cache_data_to_disk Program.get_snode_root SNodeCxx.cell_size_bytes",
}
KEYS = {
    "": "args args_size args_type compiled_data ret_size ret_type rets",
    "args.0.value": "dt_ element_shape format is_array needs_grad ptype total_dim",
    "compiled_data": "tasks",
    "compiled_data.tasks.0": "ad_stack arr_reads arr_writes block_dim checkpoint_id dynamic_shared_array_bytes "
    "graph_do_while_level_id graph_parallel_region_id grid_dim name snode_writes stream_parallel_group_id",
}


def leave_a_kernel(folder):
    """Check the names, and let Quadrants leave the file of a kernel."""
    for module, names in NAMES.items():
        for name in names.split():
            reduce(getattr, name.split("."), importlib.import_module(module))
    quadrants = importlib.import_module("quadrants")
    quadrants.init(arch=quadrants.cpu, offline_cache=True, offline_cache_file_path=folder, log_level="error")
    importlib.import_module("helpers.quadrants_cpu_kernels").wide(np.ones((2, 2)))
    quadrants.reset()


@needs_quadrants
def test_the_installed_compiler_has_the_stated_names_and_keys(tmp_path):
    from taichi_aot.adopt._quadrants import read_compiled

    run_in_child(leave_a_kernel, str(tmp_path), quiet=False)
    (file,) = tmp_path.rglob("*.qdc")
    stated = read_compiled("wide", file.read_bytes()).stated
    for path, keys in KEYS.items():
        part = reduce(
            lambda value, key: value[int(key) if key.isdigit() else key], filter(None, path.split(".")), stated
        )
        assert sorted(part) == keys.split(), path


@needs_quadrants
def test_the_benchmark_of_starts_runs(tmp_path):
    script, path = TESTS.parent / "benchmarks" / "startup.py", tmp_path / "out.json"
    run_child(script, "--quadrants", "--rounds", 1, "--kernels", 1, "--json", path)
    variants = json.loads(path.read_text())["variants"]
    assert {"cold_1", "warm_1", "fast_1", "bundle_1", "call_arrays_jit", "call_arrays_bundle"} <= {*variants}


TASK = """
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare float @sinf(float)
define void @task(ptr %context) {{
  %at = getelementptr inbounds i8, ptr %context, i64 8
  %runtime = load ptr, ptr %at
  {}
  ret void
}}
"""
USES = {
    "roots": "%m = getelementptr i8, ptr %runtime, i64 104\n%r = load ptr, ptr %m",
    "temporaries": "%m = getelementptr i8, ptr %runtime, i64 57448\n%r = load ptr, ptr %m\nstore i32 1, ptr %r",
    "random": "%m = getelementptr i8, ptr %runtime, i64 57456\n%r = load ptr, ptr %m",
    "results": "%m = getelementptr i8, ptr %context, i64 24\n%r = load ptr, ptr %m",
}
MISUSES = {
    "an index that is computed": "%i = load i64, ptr %runtime\n%m = getelementptr i8, ptr %runtime, i64 %i",
    "a number of the runtime": "%m = getelementptr i8, ptr %runtime, i64 59972\n%n = load i32, ptr %m",
    "half of an address": "%m = getelementptr i8, ptr %runtime, i64 57448\n%n = load i32, ptr %m",
    "its address in memory": "%m = alloca ptr\nstore ptr %runtime, ptr %m",
    "its address as a number": "%n = ptrtoint ptr %runtime to i64",
    "a write to it": "store i64 0, ptr %runtime",
    "one of two pointers": "%p = select i1 true, ptr %runtime, ptr %context",
    "a part of the context": "%m = alloca ptr\ncall void @llvm.memcpy.p0.p0.i64(ptr %m, ptr %context, i64 24, i1 0)",
    "a call by address": "%f = load ptr, ptr %runtime\ncall void %f(ptr %context, ptr %runtime)",
    "a function kept elsewhere": "%m = alloca ptr\nstore ptr @task, ptr %m",
}


@needs_quadrants
@pytest.mark.parametrize("use", [*USES, *MISUSES])
def test_what_code_uses_is_found_or_not_understood(use):
    import llvmlite.binding as llvm

    from taichi_aot.build.quadrants import _module

    module = llvm.parse_assembly(TASK.format(USES.get(use) or MISUSES[use]))
    if use in USES:
        assert _module.needs_of(module, ["task"]) == (frozenset({use}), (2,) if use == "roots" else ())
        return
    with pytest.raises(_module.RefusedError, match="not understood"):
        _module.needs_of(module, ["task"])
