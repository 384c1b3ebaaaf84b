"""Loops of machine code that compute several elements at once: which do, and that their results are the same."""

import ast
import json
import re
from functools import cache
from itertools import product

import numpy as np
import pytest
from helpers.archives import read_archive
from helpers.child import in_child, run_in_child
from helpers.generated_loops import draw_loop, source_of_loops
from helpers.generated_nests import draw_nest
from helpers.inside import failing_llvm, machine_code, read_ir, with_scalar_code
from helpers.native_calls import is_native, load_for, targets_here

from taichi_aot import Runtime, inspect
from taichi_aot.build import BuildError, build
from taichi_aot.cli.main import main

pytestmark = pytest.mark.skipif(not targets_here(), reason="needs an x86-64 CPU, llvmlite and ziglang")

LANES = 16  # elements of a loop around an inner one
BATCH = 25  # kernels that are built together
NESTS = (1003, 1004, 1005, 1007, 2095, 3010, 3307)  # of which all loops are vectors; 3307 kept LLVM busy for minutes
ONE_THREAD = {"TAICHI_AOT_CPU_THREADS": "1"}  # loops read what their other iterations write
ORDERED = (2613,)  # without vectors, and with sums that LLVM would put in other orders for AVX-512
FUNCTION = """\
define internal void @f(%struct.C* %0, i8* nocapture %1, i32 %2) {
start:
  %3 = alloca i32, align 4
  %4 = getelementptr inbounds { { i32, i32 }, float* }, { { i32, i32 }, float* }* %x, i32 0, i32 1
  %5 = load float*, float** %4, align 8, !invariant.load !0
  %6 = fadd reassoc ninf nsz float %a, 1.000000e+00
  %7 = call i32 @max_i32(i32 noundef %2, i32 512) #0
  store i32 %7, i32* %3, align 4
  %8 = icmp slt i32 %7, -4
  br i1 %8, label %9, label %end

9:                                                ; preds = %start
  switch i32 %7, label %end [
    i32 1, label %9
    i32 2, label %end
  ]

end:                                              ; preds = %9, %start
  %10 = phi float [ %6, %start ], [ 0x3FB99999A0000000, %9 ]
  ret void
}
"""


def test_tasks_say_whether_their_loops_are_vectors(build_source):
    info = inspect(build_source("vector_kernels", "x64"))
    found = {name: {task.loop for task in kernel.tasks} - {""} for name, kernel in info.kernels.items()}
    expected = {name: {kernel.doc} - {""} for name, kernel in info.kernels.items()}
    assert {name: found[name] for name in found if found[name] != expected[name]} == {}
    assert {"vectors"} in found.values()


def build_loops(folder, numbers, draw=draw_loop):
    """Build ``vectors.tcm`` and ``scalar.tcm``; return the numbers without those on which the compiler itself fails."""
    source = folder / "loops.py"
    source.write_text(source_of_loops([draw(number) for number in numbers]))
    try:
        with with_scalar_code(folder / "scalar.tcm"):
            build(source, folder / "vectors.tcm", archs=["x64"], ignore=["shapes"])
    except BuildError as error:
        failing = int(re.search(r"kernel \w+_(\d+) \(loops\.py, line \d+\): block\(", str(error))[1])
        return build_loops(folder, [number for number in numbers if number != failing], draw)
    return numbers


def run_loops(folder, numbers, draw=draw_loop):
    """Call generated kernels of ``vectors.tcm`` and ``scalar.tcm``, whose results must not differ."""
    wrong, first = [], {}
    for target in targets_here():
        with Runtime("x64") as one, Runtime("x64") as other:
            code, scalar = load_for(one, folder / "vectors.tcm", target), load_for(other, folder / "scalar.tcm", target)
            for model in map(draw, numbers):
                print(target, model.name, flush=True)
                for call in range(4) if is_native(code.kernels[model.name]) else ():
                    found, expected = (results(each, model, call) for each in (code, scalar))
                    known = first.setdefault((model.name, call), found)
                    case = f"{model.name}, call {call}, {target}"
                    wrong += [f"{case}: {name}" for name in different(found, expected, model)]
                    wrong += [f"{case} differs" for _ in different(found, known)]
    assert wrong == []


@cache
def first_numbers(seed, nbytes):
    """Return the memory of finite numbers of all dtypes, of both signs."""
    generator = np.random.default_rng(seed)
    return (generator.integers(0x30, 0x42, nbytes) + generator.choice([0, 0x80], nbytes)).astype(np.uint8)


def results(module, model, call):
    """Return the arrays and fields after a call, and its return value."""
    arguments = model.arguments(call)
    for number, field in enumerate(module.fields.values()):
        shape = field.shape + field.elem_shape
        field.write(first_numbers(number, field.size * field.dtype.itemsize).view(field.dtype).reshape(shape))
    returned = module.kernels[model.name](*arguments)
    arrays = {f"argument {i}": each for i, each in enumerate(arguments) if isinstance(each, np.ndarray)}
    fields = {name: field.to_numpy() for name, field in module.fields.items()}
    return arrays | fields | ({} if returned is None else {"return": np.asarray(returned)})


def different(found, expected, model=None):
    """Return the names of results that differ. With a model, sums may differ by rounding."""
    return [
        name
        for name, value in found.items()
        if not (
            same_bits(value, expected[name])
            or (
                model is not None
                and model.is_sum
                and name.startswith("return")
                and np.allclose(value, expected[name], 1e-4, 1e-2, equal_nan=True)
            )
        )
    ]


def same_bits(one, other):
    """Whether numbers are equal, bit by bit but for those of NaN."""
    if one.dtype.kind == "f":
        if not np.array_equal(np.isnan(one), np.isnan(other)):
            return False
        one, other = (np.where(np.isnan(each), np.zeros_like(each), each) for each in (one, other))
    return one.tobytes() == other.tobytes()


@pytest.mark.slow
@pytest.mark.scaled
def test_vectors_have_the_bits_of_scalar_code(scaled, tmp_path):
    with_inner_loops = [number for number in range(4 * BATCH, 24 * BATCH) if " lap " in draw_loop(number).source]
    for start in range(0, scaled(BATCH, 4 * BATCH), BATCH):
        folder = tmp_path / str(start)
        folder.mkdir()
        own = with_inner_loops[start // 5 :][: BATCH // 5]
        numbers = build_loops(folder, [*range(start, start + BATCH), *ORDERED, *own])
        assert len(numbers) > BATCH * 0.8
        run_in_child(run_loops, folder, numbers, env=ONE_THREAD, quiet=False)
        info = inspect(folder / "vectors.tcm")
        assert any(task.loop == "vectors" for kernel in info.kernels.values() for task in kernel.tasks)


def check_nests(folder, numbers):
    """Build generated nests, and compare them with scalar code."""
    numbers = build_loops(folder, numbers, draw_nest)
    run_in_child(run_loops, folder, numbers, draw_nest, env=ONE_THREAD, quiet=False)
    tasks = [task for kernel in inspect(folder / "vectors.tcm").kernels.values() for task in kernel.tasks]
    return [task.loop for task in tasks if task.loop]


def test_nests_have_the_bits_of_scalar_code(tmp_path):
    assert set(check_nests(tmp_path, NESTS)) == {"vectors"}


@pytest.mark.slow
@pytest.mark.scaled
def test_drawn_nests_have_the_bits_of_scalar_code(scaled, tmp_path):
    for start in range(0, scaled(BATCH, 4 * BATCH), BATCH):
        folder = tmp_path / str(start)
        folder.mkdir()
        assert check_nests(folder, list(range(start, start + BATCH))).count("vectors") > BATCH // 3


MATH = """\
import taichi as ti
from taichi_aot.build import export, export_field

F32_1D = ti.types.ndarray(dtype=ti.f32, ndim=1)
I32_1D = ti.types.ndarray(dtype=ti.i32, ndim=1)
PLANE = ti.types.ndarray(dtype=ti.f32, ndim=2)
VOLUME = ti.types.ndarray(dtype=ti.types.vector(2, ti.f32), ndim=3)


@export
@ti.kernel
def over_array(x: I32_1D):
    for i in x:
        x[i] += i + 1


@export
@ti.kernel
def total(x: F32_1D) -> ti.f32:
    sum = 0.0
    for i in x:
        sum += x[i]
    return sum


@export
@ti.kernel
def totals(x: F32_1D, y: ti.types.ndarray(ti.f64, 1), z: ti.types.ndarray(ti.f16, 1)) -> ti.types.vector(5, ti.f64):
    first, second, third = 0.0, ti.f64(0.0), ti.f16(0.0)
    least, positive = 1e30, 0.0
    for i in x:
        first += x[i]
        second += y[i]
        ti.atomic_min(least, x[i])
        if x[i] > 0:
            positive += x[i]
    for i in z:
        third += z[i]
    return ti.Vector([first, second, third, least, positive], ti.f64)


@export
@ti.kernel
def into(k: ti.i32, x: F32_1D, y: ti.types.ndarray(ti.f64, 1), s: F32_1D, t: ti.types.ndarray(ti.f64, 1), n: I32_1D):
    for i in x:
        s[k] += x[i]
        t[k + 1] += y[i]
        if x[i] > 0:
            s[2] += 1
            n[0] += i
        n[1] -= i
        y[i] = x[i]


@export
@ti.kernel
def running(x: F32_1D, s: F32_1D):
    for i in x:
        s[0] += x[i]
        x[i] = s[0]


@export
@ti.kernel
def count(n: ti.i32) -> ti.i32:
    found = 0
    for i in range(n):
        found += 1
    return found


@export
@ti.kernel
def waves(x: F32_1D, y: F32_1D):
    for i in x:
        y[i] = ti.sin(x[i]) * 1.5 + x[i]
"""
COUNTED = f"""{MATH}
field = ti.field(ti.i32, 20_000)
other = ti.field(ti.i32, 20_000)
export_field("field", field)
export_field("other", other)


@export
@ti.kernel
def over_range(x: I32_1D, begin: ti.i32, end: ti.i32):
    for i in range(begin, end):
        x[i] += i + 1


@export
@ti.kernel
def over_field():
    for i in range(3, 19_999):
        field[i] += i + 1


@export
@ti.kernel
def look_up():
    for i in other:
        other[i] = field[i * 7 % 20_000] * 2 + field[ti.min(field[i] + 1, 19_999)]


@export
@ti.kernel
def look_up_in_array(x: I32_1D, y: I32_1D, places: I32_1D):
    for i in y:
        y[i] = x[places[i]] * 2 + 1


@export
@ti.kernel
def choose():
    for i in other:
        kind = field[i] % 5
        if kind == 0:
            other[i] = i
        elif kind == 1:
            other[i] = -i
        elif kind == 3:
            other[i] = kind


@export
@ti.kernel
def window(radius: ti.i32, x: PLANE, y: PLANE, z: PLANE):
    for i, j in y:
        total, least, at = 0.0, 1e9, 0
        for k in range(-radius, radius + 1):
            for l in range(-radius, radius + 1):
                here = x[ti.max(0, ti.min(i + k, x.shape[0] - 1)), ti.max(0, ti.min(j + l, x.shape[1] - 1))]
                total += here * (k + 2 * l)
                if here < least:
                    least = here
                    at = k * 100 + l
        y[i, j] = total
        z[i, j] = least + at


@export
@ti.kernel
def product(a: PLANE, b: PLANE, c: PLANE):
    for i, j in c:
        total = 0.0
        for k in range(a.shape[1]):
            total += a[i, k] * b[k, j]
        c[i, j] = total


@export
@ti.kernel
def boxes(depth: ti.i32, x: VOLUME, y: VOLUME):
    for i, j, k in ti.ndrange(y.shape[0], (1, y.shape[1] - 1), (1, y.shape[2] - 1)):
        total = ti.Vector([0.0, 0.0])
        for p in range(depth):
            for q in range(-1, 2):
                for r in range(-1, 2):
                    total += x[ti.min(i + p, x.shape[0] - 1), j + q, k + r]
        y[i, j, k] = total


@export
@ti.kernel
def repeat(counts: I32_1D, x: F32_1D, y: F32_1D):
    for i in y:
        v, left = x[i], counts[i]
        while left > 0:
            v = v * 0.75 + 0.2 * x[i]
            if v > 0.7:
                break
            left -= 1
        y[i] = v
"""


@pytest.fixture(scope="module")
def counted(tmp_path_factory):
    """Build a file of kernels with a value of ``math``; return the bundle."""
    folder = tmp_path_factory.mktemp("counted")

    @cache
    def built(math):
        source = folder / f"{math}.py"
        source.write_text(COUNTED if math == "default" else MATH)
        return build(source, folder / f"{math}.tcm", archs=["x64"], ignore=["shapes"], math=math).path

    return built


@pytest.mark.parametrize("length", [0, 1, 511, 512, 513, 8192, 8193, 32_767, 32_769, 65_537])
def test_tasks_have_each_element_once(counted, length):
    with Runtime("x64") as rt:
        module = rt.load_module(counted("default"))
        x = np.zeros(length, np.int32)
        module.over_array(x)
        assert np.array_equal(x, np.arange(length) + 1)
        for begin, end in ((0, length), (length // 3, length), (min(7, length), length - length // 5), (length, 0)):
            x = np.zeros(length, np.int32)
            module.over_range(x, begin, end)
            places = np.arange(length)
            assert np.array_equal(x, np.where((begin <= places) & (places < end), places + 1, 0))


@pytest.mark.parametrize("length", [2**30 + 1, 2**31 - 32_769, 2**31 - 5000, 2**31 - 1])
def test_tasks_have_each_index_of_long_loops(counted, length):
    with Runtime("x64") as rt:
        assert rt.load_module(counted("default")).count(length) == length


def test_tasks_have_each_element_of_a_constant_range_once(counted):
    with Runtime("x64") as rt:
        module = rt.load_module(counted("default"))
        module.over_field()
        places = np.arange(20_000)
        assert np.array_equal(
            module.fields["field"].to_numpy(), np.where((places > 2) & (places < 19_999), places + 1, 0)
        )


def test_fields_are_looked_up_and_chosen_in_vectors(counted):
    kernels = inspect(counted("default")).kernels
    assert {task.loop for name in ("look_up", "choose") for task in kernels[name].tasks} == {"vectors"}
    with Runtime("x64") as rt:
        module = rt.load_module(counted("default"))
        numbers = np.random.default_rng(2).integers(0, 20_000, 20_000, np.int32)
        places = np.arange(20_000, dtype=np.int32)
        module.fields.field.write(numbers)
        module.look_up()
        expected = numbers[places * 7 % 20_000] * 2 + numbers[np.minimum(numbers + 1, 19_999)]
        assert np.array_equal(module.fields.other.to_numpy(), expected)
        module.choose()
        kinds = numbers % 5
        expected = np.select([kinds == 0, kinds == 1, kinds == 3], [places, -places, kinds], expected)
        assert np.array_equal(module.fields.other.to_numpy(), expected)


@pytest.mark.parametrize("x_at", [0, 299, 300, 301, 599, 600])
def test_arrays_that_overlap_are_looked_up_in_order(counted, x_at):
    kernels = inspect(counted("default")).kernels
    assert "vectors" in {task.loop for task in kernels["look_up_in_array"].tasks}
    numbers = np.arange(900, dtype=np.int32)
    places = np.random.default_rng(3).integers(0, 300, 300, np.int32)
    expected = numbers.copy()
    for i in range(300):
        expected[300 + i] = expected[x_at + places[i]] * 2 + 1
    with Runtime("x64") as rt:
        rt.load_module(counted("default")).look_up_in_array(numbers[x_at:][:300], numbers[300:600], places)
    assert np.array_equal(numbers, expected)


def repeated(counts, x):
    """What the kernel ``repeat`` computes for an element."""
    v = x
    for _ in range(counts):
        v = v * np.float32(0.75) + np.float32(0.2) * x
        if v > np.float32(0.7):
            break
    return v


def windows(radius, x):
    """What the kernel ``window`` computes."""
    places = range(-radius, radius + 1)
    total, least, at = np.zeros_like(x), np.full_like(x, 1e9), np.zeros_like(x)
    for k, m in product(places, places) if x.size else ():
        rows, columns = (np.clip(np.arange(n) + by, 0, n - 1) for n, by in zip(x.shape, (k, m), strict=True))
        here = x[np.ix_(rows, columns)]
        total += here * (k + 2 * m)
        at = np.where(here < least, k * 100 + m, at)
        least = np.minimum(here, least)
    return total, least + at


@pytest.mark.parametrize("target", targets_here())
@pytest.mark.parametrize("shape", [(0, 5), (5, 0), (1, 1), (3, 15), (2, 16), (4, 33), (20, 100)], ids=str)
def test_nests_of_inner_loops_are_vectors(counted, shape, target):
    """The numbers are small integers, so that sums have the same bits in any order."""
    kernels = inspect(counted("default")).kernels
    assert {task.loop for name in ("window", "product", "boxes") for task in kernels[name].tasks} == {"", "vectors"}
    random = np.random.default_rng(7)
    with Runtime("x64") as rt:
        module = load_for(rt, counted("default"), target)
        for radius in (-1, 0, 1, 4):
            x = random.integers(-9, 9, shape).astype(np.float32)
            y, z = np.zeros_like(x), np.zeros_like(x)
            module.window(radius, x, y, z)
            total, least = windows(radius, x)
            assert np.array_equal(y, total)
            assert np.array_equal(z, least)
        for length in (0, 1, 7):
            a, b = (
                random.integers(-9, 9, each).astype(np.float32) for each in ((shape[0], length), (length, shape[1]))
            )
            c = np.ones(shape, np.float32)
            module.product(a, b, c)
            assert np.array_equal(c, a @ b)
            volume = random.integers(-9, 9, (3, *shape, 2)).astype(np.float32)
            found, expected = np.zeros_like(volume), np.zeros_like(volume)
            module.boxes(length, volume, found)
            for i, p, q, r in product(range(3), range(length), (0, 1, 2), (0, 1, 2)) if min(shape) > 2 else ():
                part = volume[min(i + p, 2), q : q + shape[0] - 2, r : r + shape[1] - 2]
                expected[i, 1:-1, 1:-1] += part
            assert np.array_equal(found, expected)


@pytest.mark.parametrize("target", targets_here())
@pytest.mark.parametrize("shift", [-50, -1, 0, 1, 17], ids=str)
def test_nests_read_what_elements_before_stored(counted, shift, target):
    """Arrays overlap: each element is computed after those before it."""
    with Runtime("x64") as rt:
        module = load_for(rt, counted("default"), target)
        numbers = np.random.default_rng(8).integers(-3, 4, 1000).astype(np.float32)
        expected = numbers.copy()
        x, y = (expected[start : start + 400].reshape(8, 50) for start in (100, 100 + shift))
        weights = np.eye(8, dtype=np.float32)[::-1].copy()
        for i, j in np.ndindex(8, 50):
            y[i, j] = sum(weights[i, k] * x[k, j] for k in range(8))
        x, y = (numbers[start : start + 400].reshape(8, 50) for start in (100, 100 + shift))
        module.product(weights, x, y)
        assert np.array_equal(numbers, expected)


def write_bits(path, to):
    """Write the bits of sums in many launches, by kernel and length."""
    found = {}
    random = np.random.default_rng(5)
    with Runtime("x64") as rt:
        module = rt.load_module(path)
        for length in (5, 2_000, 65_536, 300_007):
            x, y = random.normal(size=length).astype(np.float32), random.normal(size=length)
            arrays = [rt.asarray(each) for each in (x, y, (y / 100).astype(np.float16))]
            launches = {"total": arrays[:1], "totals": arrays}
            for name, given in launches.items():
                results = [np.asarray(module.kernels[name](*given)).tobytes() for _ in range(300)]
                found[name, length] = set(results)
            assert module.total(arrays[0]) == pytest.approx(x.sum(dtype=np.float64), abs=0.1)
    to.write_text(repr(found))


@pytest.mark.parametrize("math", ["exact", "default", "fast"])
def test_each_launch_computes_the_same_sums(counted, math, tmp_path):
    for threads in ("1", "3"):
        env = {"TAICHI_AOT_CPU_THREADS": threads}
        run_in_child(write_bits, counted(math), tmp_path / threads, env=env)
    alone, several = (ast.literal_eval((tmp_path / threads).read_text()) for threads in ("1", "3"))
    assert {key: len(bits) for key, bits in several.items()} == dict.fromkeys(several, 1)
    assert several == alone


@pytest.mark.parametrize("target", targets_here())
def test_additions_to_an_element_are_sums(counted, target):
    loops = {
        name: [task.loop for task in each.tasks if task.loop]
        for name, each in inspect(counted("default")).kernels.items()
    }
    assert loops["into"] == ["vectors"]
    random = np.random.default_rng(6)
    with Runtime("x64") as rt:
        module = load_for(rt, counted("default"), target)
        for length in (0, 1, 513, 70_001):
            x, y = random.normal(size=length).astype(np.float32), random.normal(size=length)
            results = set()
            for _ in range(20):
                given = x, y.copy(), np.array([4, 5, 6], np.float32), np.array([1.0, 2, 3]), np.array([7, 8], np.int32)
                module.into(1, *given)
                _, copied, s, t, n = given
                results.add(s.tobytes() + t.tobytes())
            assert len(results) == 1
            places = np.arange(length, dtype=np.int32)
            assert s == pytest.approx([4, 5 + x.sum(dtype=np.float64), 6 + (x > 0).sum()], rel=1e-5, abs=0.01)
            assert t == pytest.approx([1, 2, 3 + y.sum()], abs=1e-8)
            sums = 7 + places[x > 0].sum(dtype=np.int32), 8 - places.sum(dtype=np.int32)
            assert np.array_equal(n, sums)
            assert np.array_equal(copied, x)


def test_numbers_that_a_loop_reads_are_no_sums(counted):
    with Runtime("x64") as rt:
        x, s = np.arange(9, dtype=np.float32), np.zeros(1, np.float32)
        rt.load_module(counted("default")).running(x, s)
        assert np.array_equal(x, np.cumsum(np.arange(9)))


@pytest.mark.parametrize("target", targets_here())
@pytest.mark.parametrize("shift", [-1, 0, 1, 200], ids=["behind", "same", "before", "apart"])
def test_lanes_iterate_as_often_as_their_elements(counted, target, shift):
    assert {task.loop for task in inspect(counted("default")).kernels["repeat"].tasks} == {"", "vectors"}
    random = np.random.default_rng(4)
    with Runtime("x64") as rt:
        module = load_for(rt, counted("default"), target)
        for length in (0, 1, LANES - 1, LANES, LANES + 1, 100):
            places = np.arange(length)
            several = [places * 0, places * 0 + 1, places % (LANES + 2), places % 7 * -1]
            several += [random.integers(0, 50, length), np.where(places % 37 == 5, 300, 0)]
            for counts in several:
                numbers = random.uniform(-1, 1, 400).astype(np.float32)
                numbers[::11] = np.nan
                expected = numbers.copy()
                for i, count in enumerate(counts):
                    expected[1 + shift + i] = repeated(count, expected[1 + i])
                module.repeat(counts.astype(np.int32), numbers[1:][:length], numbers[1 + shift :][:length])
                assert same_bits(numbers, expected)


def test_math_says_what_code_may_do_with_floats(counted):
    files, loops, results = {}, {}, {}
    x = np.random.default_rng(1).normal(0, 3, 5000).astype(np.float32)
    for math in ("exact", "default", "fast"):
        files[math] = machine_code(counted(math)).code["x86-64-v3"]
        kernels = inspect(counted(math)).kernels
        loops[math] = [{task.loop for task in kernels[name].tasks} - {""} for name in ("total", "waves")]
        with Runtime("x64") as rt:
            module = rt.load_module(counted(math))
            y = np.zeros_like(x)
            module.waves(x, y)
            results[math] = module.total(x), y
    assert loops == {
        "exact": [{"has a sum over the loop"}, {"calls the function 'sinf'"}],
        "default": [{"vectors"}, {"vectors"}],
        "fast": [{"vectors"}, {"vectors"}],
    }
    assert [b"sinf" in files[math] for math in files] == [True, False, False]
    for total, y in results.values():
        assert total == pytest.approx(x.sum(dtype=np.float64), abs=0.01)
        np.testing.assert_allclose(y, np.sin(x.astype(np.float64)) * 1.5 + x, rtol=1e-6, atol=1e-6)


def test_bundles_state_math(fill, tmp_path):
    assert main(["build", str(fill), "--arch", "vulkan", "--math", "fast", "-o", str(tmp_path / "fill.tib")]) == 0
    stated = json.loads(read_archive(tmp_path / "fill.tib")["bundle.json"])
    assert stated["build"]["options"] == ["--math", "fast"]


def test_recording_says_why_a_loop_has_no_vectors(counted):
    with Runtime("x64") as rt:
        module = rt.load_module(counted("exact"))
        assert module.over_array.recording == "native"
        assert module.waves.recording == "native, without vectors: it calls the function 'sinf'"


def test_math_has_three_values(fill):
    with pytest.raises(ValueError, match="math is exact, default, fast, not 'quick'"):
        build(fill, math="quick")


TWO_LOOPS = """\
import taichi as ti
from taichi_aot.build import export

F32_1D = ti.types.ndarray(dtype=ti.f32, ndim=1)


@export
@ti.kernel
def loop_0(x: F32_1D):
    for i in x:
        x[i] += 1


@export
@ti.kernel
def loop_2(x: F32_1D):
    for i in x:
        x[i] *= 2
"""


def test_a_failure_of_llvm_costs_one_kernel(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "loops.py").write_text(TWO_LOOPS)
    with failing_llvm("loop_2_"):
        build("loops.py", archs=["x64"], ignore=["shapes"])
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == ["loops.py", "loops.tib"]
    loops = {
        name: [task.loop for task in kernel.tasks if task.loop] for name, kernel in inspect("loops.tib").kernels.items()
    }
    assert set(loops["loop_2"]) == {"has a loop on which LLVM fails"}
    assert loops["loop_0"] == ["vectors"]


def test_a_failure_of_llvm_without_vectors_costs_a_kernel_its_machine_code(tmp_path):
    source = tmp_path / "loops.py"
    source.write_text(TWO_LOOPS)
    with failing_llvm("loop_2_", without_vectors=True):
        build(source, tmp_path / "loops.tcm", archs=["x64"], ignore=["shapes"])
    native = machine_code(tmp_path / "loops.tcm")
    assert native.refused["loop_2"] == "has code on which LLVM fails"
    assert "loop_0" in native.kernels


UNUSED = """\
import taichi as ti
from taichi_aot.build import export
x, y = ti.field(ti.i16, shape=1), ti.field(ti.i16, shape=1)
@export
@ti.kernel
def halve():
    for i in x:
        v = x[i] // 2
        if i % 2 == 1:
            v += y[i] // 2
        if i > 4:
            x[i] = v
"""


@in_child
def test_what_the_compiler_leaves_out_is_not_needed_by_vectors(tmp_path):
    """The field has one element, so the optimized code uses no field, and the bundle states none."""
    (tmp_path / "unused.py").write_text(UNUSED)
    build(tmp_path / "unused.py", tmp_path / "unused.tcm", archs=["x64"], ignore=["compiler"])
    with Runtime("x64") as rt:
        module = rt.load_module(tmp_path / "unused.tcm")
        assert module.halve.recording.startswith("native")
        module.halve()


def test_functions_are_read_as_they_are_written():
    function = read_ir(FUNCTION)
    assert list(function.parameters) == ["%v0", "%v1", "%v2"]
    assert list(function.blocks) == ["%start", "%v9", "%end"]
    assert function.blocks["%start"].end.labels == ["%v9", "%end"]
    assert [each.opcode for each in function.instructions()][:5] == ["alloca", "getelementptr", "load", "fadd", "call"]
    assert str(read_ir(str(function))) == str(function)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("%3 = sdiv i32 %1, %2", ("sdiv", "i32", ["%1", "%2"])),
        ("%3 = load i32, i32* %2, align 4", ("load", "i32", ["%2"])),
        ("store float 0xC7EFFFFFE0000000, float* %3, align 4", ("store", "float", ["0xC7EFFFFFE0000000", "%3"])),
        ("%8 = atomicrmw fadd float* %7, float %4 seq_cst, align 4", ("atomicrmw", "float", ["%7", "%4"])),
        ("%2 = call i8* @get(i8* noundef align 8 %1, i64 4) #0", ("call", "i8*", ["%1", "4"])),
        ("%2 = bitcast i8** %1 to { float }**", ("bitcast", "i8**", ["%1"])),
        ("call void @f(void (i8*)* bitcast (void (i32*)* @g to void (i8*)*))", None),
    ],
)
def test_instructions_are_read(text, parts):
    found = read_ir(f"  {text}")
    if parts is not None:
        assert (found.opcode, found.type, found.operands) == parts
    assert str(read_ir(str(found))) == str(found)


@pytest.mark.parametrize(
    "text",
    [
        "%1 = cmpxchg i32* %0, i32 1, i32 2 seq_cst seq_cst",
        '%1 = call i32 asm "nop", ""()',
        "define void @f() {\nentry:\n  call void %0()\n  ret void\n}",
        "define void @f() {\nentry:\n  ret void\n  ret void\n}",
        "%1 = load i32 addrspace(3)* %0",
        "%1 = add i32 %0 ` 2",
        "store i32 %0, i32",
    ],
)
def test_other_instructions_are_refused(text):
    assert read_ir(text) is None
