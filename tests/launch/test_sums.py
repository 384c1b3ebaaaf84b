"""Sums on Vulkan: the same numbers as on the CPU, the same bits in every run, and valid code."""

import json
import re
import shutil
import subprocess
import zipfile
from io import BytesIO

import numpy as np
import pytest
from helpers.archives import pack
from helpers.archs import needs_taichi
from helpers.carry import WIDE_TYPES
from helpers.drawn_sums import LENGTHS, LONG, arguments_of, draw_sum, source_of_sums

from taichi_aot import Runtime
from taichi_aot.build import BuildError, build

pytestmark = needs_taichi

TOGETHER = 10  # kernels of a source


def module_of(path):
    """Return the archive of the module for Vulkan."""
    if path.suffix == ".tcm":
        return zipfile.ZipFile(path)
    with zipfile.ZipFile(path) as bundle:
        return zipfile.ZipFile(BytesIO(bundle.read("vulkan.tcm")))


def shaders_of(path):
    """Return the code of a module for Vulkan that is launched, by name."""
    with module_of(path) as module:
        names = [name for name in module.namelist() if name.endswith(".spv")]
        own = {name.partition("-")[2].partition("-")[2] for name in names if name.startswith("code-")}
        return {name: module.read(name) for name in names if name not in own}


def require_valid(code):
    done = subprocess.run(["spirv-val", "--target-env", "vulkan1.1", "-"], input=code, capture_output=True, timeout=60)
    assert done.returncode == 0, (done.stdout + done.stderr).decode()


def outcome(rt, kernel, model, number, length):
    data, numbers = arguments_of(model, number, length)
    arrays = {}
    for each in data.values():
        arrays.setdefault(id(each), rt.asarray(each))
    returned = kernel(*(arrays[id(each)] for each in data.values()), *numbers)
    return returned, {name: arrays[id(each)].to_numpy() for name, each in data.items()}


def build_drawn(models, path):
    """Build kernels; return those that the compiler takes, by number."""
    source = path.with_suffix(".py")
    while True:
        source.write_text(source_of_sums(models.values()), encoding="utf-8")
        try:
            build(source, path, archs=["x64", "vulkan"], caps=WIDE_TYPES, native=False)
            return models
        except BuildError as error:
            refused = set(map(int, re.findall(r"kernel sum_(\d+) .*current_container_stmt", str(error))))
            if not refused:  # else it is a fault of the compiler's, with `continue`
                raise
            models = {number: model for number, model in models.items() if number not in refused}


@pytest.mark.slow(but=["0", "1"])
@pytest.mark.parametrize("batch", range(100))
def test_drawn_sums(batch, tmp_path, shared_runtime):
    first = batch * TOGETHER
    path = tmp_path / "sums.tib"
    models = build_drawn({number: draw_sum(number) for number in range(first, first + TOGETHER)}, path)
    if shutil.which("spirv-val"):
        for code in shaders_of(path).values():
            require_valid(code)
    runtimes = [shared_runtime(arch) for arch in ("x64", "vulkan")]
    modules = [rt.load_module(path) for rt in runtimes]
    for number, model in models.items():
        for length in (*LENGTHS, *[LONG] * (number % 10 == 0)):
            (a, mine), (b, theirs) = (
                outcome(rt, getattr(module, model.name), model, number, length)
                for rt, module in zip(runtimes, modules, strict=True)
            )
            assert a == b, (model.source, length)
            for name in mine:
                np.testing.assert_array_equal(mine[name], theirs[name], f"{model.source}\n{name} of {length}")


SUMS = """
import taichi as ti

from taichi_aot.build import export, export_field

ti.init(arch=ti.vulkan)
F = ti.types.ndarray(dtype=ti.f32, ndim=1)
I = ti.types.ndarray(dtype=ti.i32, ndim=1)
numbers, loss, count = ti.field(ti.f32, shape=1000), ti.field(ti.f32, shape=()), ti.field(ti.i32, shape=3)
export_field("numbers", numbers)
export_field("loss", loss)
export_field("count", count)


@export
@ti.kernel
def total(x: F, t: F):
    for i in x:
        t[0] += x[i]


@export
@ti.kernel
def moments(x: F, t: F):
    for i in x:
        t[0] += x[i]
        t[1] += x[i] * x[i]
        if x[i] > 0.5:
            t[2] -= x[i]
        ti.atomic_max(t[3], x[i])


@export
@ti.kernel
def returned(x: F) -> ti.f32:
    s = 0.0
    for i in x:
        s += x[i]
    return s


@export
@ti.kernel
def rows(x: F, y: F, t: F):
    for i in range(x.shape[0]):
        for j in range(3):
            t[0] += x[i] * (j + 1) + y[i]


@export
@ti.kernel
def scattered(x: F, at: I, t: F):
    for i in x:
        t[at[i]] += x[i]
        t[at[i] + 8] -= 2 * x[i]
        ti.atomic_min(t[at[i] + 16], x[i])


@export
@ti.kernel
def taken(x: F, t: F):
    for i in x:
        x[i] = ti.atomic_add(t[0], 1.0)


@export
@ti.kernel
def looked_at(x: F, t: F, y: F):
    for i in range(1):
        t[0] += x[i]
        y[1] = t[0]


@export
@ti.kernel
def copied(x: F, t: F, y: F, z: F):
    for i in range(1):
        t[0] += x[i]
        z[i] = y[0]


@export
@ti.kernel
def elsewhere(x: F, t: F, n: ti.i32):
    for i in x:
        if x[i] < 0:
            t[n] += x[i]


@export
@ti.kernel
def between(x: F, t: F, begin: ti.i32, end: ti.i32):
    for i in range(begin, end):
        t[0] += x[i + 100]


@export
@ti.kernel
def of_field():
    for i in numbers:
        loss[None] += numbers[i]
        count[1] += 1
        if numbers[i] > 2:
            count[2] += 1
"""


@pytest.fixture(scope="session")
def sums(made_once):
    def build_into(folder):
        (folder / "sums.py").write_text(SUMS, encoding="utf-8")
        build(folder / "sums.py", folder / "sums.tib", archs=["vulkan"])

    return made_once.folder("sums", build_into) / "sums.tib"


@pytest.fixture(scope="session")
def early_sums(sums):
    """The same kernels in SPIR-V 1.0, whose buffers are of another storage class."""
    path = sums.with_name("early.tib")
    build(sums.with_suffix(".py"), path, archs=["vulkan"], caps=["spirv_version=1.0"])
    return path


def codes_of(path):
    """Return the statements of the codes of each kernel's tasks."""
    return {name: [task.get("codes", []) for task in raw["launch"]["tasks"]] for name, raw in plan_of(path).items()}


def plan_of(path):
    with module_of(path) as module:
        return json.loads(module.read("plan.json"))["kernels"]


@pytest.mark.skipif(shutil.which("spirv-val") is None, reason="needs spirv-val")
@pytest.mark.parametrize("source", ["", "loop_kernels", "field_kernels", "length_kernels", "vector_kernels"])
def test_code_is_valid(sums, source, build_source):
    for code in shaders_of(build_source(source, "vulkan") if source else sums).values():
        require_valid(code)


def test_codes(sums):
    codes = codes_of(sums)
    resident = [{"threads": 2}]
    alone = {
        name: [{k: v for k, v in each.items() if k != "file"} for each in found[-1]] for name, found in codes.items()
    }
    assert alone["total"] == alone["of_field"] == alone["elsewhere"] == resident
    assert [each.get("threads") for each in codes["returned"][1]] == [2]
    needs = [each.get("needs") for each in alone["scattered"]]
    assert needs == [
        ["spirv_has_atomic_float_add", "spirv_has_atomic_float_minmax"],
        ["spirv_has_atomic_float_add"],
        None,
    ]
    assert [each.get("needs") for each in alone["taken"]] == [["spirv_has_atomic_float_add"], None]
    assert [bool(each.get("apart")) for each in alone["copied"]] == [True, False, False]
    assert not any(each.get("threads") == 2 for each in alone["looked_at"])


def test_code_of_an_early_version(sums, early_sums):
    assert codes_of(early_sums) == codes_of(sums)
    if shutil.which("spirv-val"):
        for code in shaders_of(early_sums).values():
            require_valid(code)


@pytest.mark.parametrize("length", [1, 100, 128, 129, 70_001])
@pytest.mark.parametrize("is_early", [False, True], ids=["", "1.0"])
def test_same_bits_in_every_run(sums, early_sums, is_early, length):
    data, found = np.random.default_rng(length).random(length, np.float32), set()
    with Runtime("vulkan") as rt:
        module = rt.load_module(early_sums if is_early else sums)
        x = rt.asarray(data)
        for _ in range(30):
            t = rt.zeros(4, "f32")
            module.moments(x, t)
            found.add((t.to_numpy().tobytes(), module.returned(x)))
    assert len(found) == 1
    (bits, returned), *_ = found
    wide = data.astype(np.float64)
    expected = [wide.sum(), (wide**2).sum(), -wide[wide > 0.5].sum(), wide.max()]
    np.testing.assert_allclose(np.frombuffer(bits, np.float32), expected, 1e-6)
    assert abs(returned - wide.sum()) <= 1e-6 * wide.sum()


@pytest.mark.parametrize(("begin", "end"), [(0, 5000), (7, 4321), (-100, 3000), (-100, -100), (50, 20), (2**31 - 1, 0)])
def test_sum_between(sums, shared_runtime, begin, end):
    rt = shared_runtime("vulkan")
    x, t = rt.asarray(np.arange(5100, dtype=np.float32) % 16), rt.zeros(1, "f32")
    rt.load_module(sums).between(x, t, begin, end)
    assert t.to_numpy() == (np.arange(begin + 100, end + 100) % 16).sum()


@pytest.mark.parametrize("native", [True, False])
def test_both_codes_of_float_atomics(sums, native, tmp_path):
    """Devices that lack instructions get the loop: here the plan hides the other codes."""
    path = sums if native else without_needs(sums, tmp_path / "loops.tib")
    rng = np.random.default_rng(0)
    data, at = rng.integers(-4, 5, 5000).astype("f4"), rng.integers(0, 8, 5000).astype("i4")
    expected = np.zeros(24, np.float32)
    np.add.at(expected, at, data)
    np.add.at(expected, at + 8, -2 * data)
    np.minimum.at(expected, at + 16, data)
    with Runtime("vulkan") as rt:
        module = rt.load_module(path)
        t = rt.zeros(24, "f32")
        module.scattered(rt.asarray(data), rt.asarray(at), t)
        np.testing.assert_array_equal(t.to_numpy(), expected)
        x, t = rt.zeros(1000, "f32"), rt.zeros(1, "f32")
        module.taken(x, t)
        assert sorted(x.to_numpy()) == list(range(1000))


def without_needs(path, target):
    """Copy a bundle without the codes that need something of the device."""
    with module_of(path) as module:
        files = {name: module.read(name) for name in module.namelist()}
    plan = json.loads(files["plan.json"])
    for raw in plan["kernels"].values():
        for task in raw["launch"].get("tasks", ()):
            if "codes" in task:
                task["codes"] = [each for each in task["codes"] if "needs" not in each]
    files["plan.json"] = json.dumps(plan).encode()
    target.write_bytes(pack(files))
    return target


@pytest.mark.parametrize("is_built", [False, True])
def test_modules_of_taichi_have_valid_loops(sums, compile_with, is_built, tmp_path):
    """The build has made its own valid, also for those who use them without its plan."""
    path = compile_with("vulkan", "compile_raced.py", "{folder}/raced.tcm") / "raced.tcm"
    if is_built:
        with module_of(sums) as module:
            own = {name: module.read(name) for name in module.namelist() if not name.startswith(("plan", "code-"))}
        path = tmp_path / "taichi.tcm"
        path.write_bytes(pack(own))
    with Runtime("vulkan") as rt:
        x, t = rt.zeros(1000, "f32"), rt.zeros(1, "f32")
        rt.load_module(path).taken(x, t)
        assert sorted(x.to_numpy()) == list(range(1000))


def test_arrays_that_may_be_one(sums, shared_runtime):
    rt = shared_runtime("vulkan")
    module = rt.load_module(sums)
    data = np.arange(1, 4, dtype=np.float32)
    x, y, t = rt.asarray(data), rt.asarray(data), rt.zeros(1, "f32")
    module.rows(x, y, t)
    assert t.to_numpy()[0] == 6 * 6 + 3 * 6
    x, t, y, z = rt.asarray(data), rt.zeros(1, "f32"), rt.zeros(2, "f32"), rt.zeros(1, "f32")
    module.copied(x, t, y, z)
    assert (t.to_numpy()[0], z.to_numpy()[0]) == (1, 0)
    module.copied(x, t, t, z)
    assert (t.to_numpy()[0], z.to_numpy()[0]) == (2, 2)
    module.copied(x, t, z, t)
    assert (t.to_numpy()[0], z.to_numpy()[0]) == (2, 2)
    t = rt.zeros(1, "f32")
    module.looked_at(x, t, y)
    assert (t.to_numpy()[0], y.to_numpy()[1]) == (1, 1)


def test_places_without_additions_are_not_touched(sums, shared_runtime):
    rt = shared_runtime("vulkan")
    module = rt.load_module(sums)
    x, t = rt.asarray(np.ones(1000, np.float32)), rt.asarray(np.full(2, -0.0, np.float32))
    module.elsewhere(x, t, 1 << 28)  # no element is there
    module.total(rt.zeros(0, "f32"), t)
    assert np.signbit(t.to_numpy()).all()


def test_sums_into_fields(sums):
    with Runtime("vulkan") as rt:
        module = rt.load_module(sums)
        data = np.arange(1000, dtype=np.float32) % 7
        module.fields["numbers"].write(data)
        for i in range(1, 3):
            module.of_field()
            assert float(module.fields["loss"].to_numpy()) == i * data.sum()
            assert module.fields["count"].to_numpy().tolist() == [0, 1000 * i, i * int((data > 2).sum())]


HALVES = """
import taichi as ti

from taichi_aot.build import export

H = ti.types.ndarray(dtype=ti.f16, ndim=1)
I = ti.types.ndarray(dtype=ti.i32, ndim=1)


@export
@ti.kernel
def scattered(x: H, at: I, t: H):
    for i in x:
        t[at[i]] += x[i]
        ti.atomic_min(t[at[i] + 8], x[i])


@export
@ti.kernel
def taken(x: H, t: H):
    for i in x:
        x[i] = ti.atomic_add(t[1], ti.cast(1.0, ti.f16))


@export
@ti.kernel
def total(x: H, t: H):
    for i in x:
        t[0] += x[i]
        t[3] -= x[i]
"""


def test_half_precision(tmp_path):
    """Devices have no atomic operations of 16-bit integers, which the compiler uses: words are exchanged."""
    source, path = tmp_path / "halves.py", tmp_path / "halves.tib"
    source.write_text(HALVES, encoding="utf-8")
    build(source, path, archs=["vulkan"], caps=["spirv_has_float16", "spirv_has_int16"])
    if shutil.which("spirv-val"):
        for code in shaders_of(path).values():
            require_valid(code)
    rng = np.random.default_rng(0)
    data, at = rng.integers(-2, 3, 1000).astype("f2"), rng.integers(0, 8, 1000).astype("i4")
    expected = np.zeros(16, np.float16)
    np.add.at(expected, at, data)
    np.minimum.at(expected, at + 8, data)
    with Runtime("vulkan") as rt:
        module = rt.load_module(path)
        t = rt.zeros(16, "f16")
        module.scattered(rt.asarray(data), rt.asarray(at), t)
        np.testing.assert_array_equal(t.to_numpy(), expected)
        x, t = rt.zeros(1000, "f16"), rt.zeros(4, "f16")
        module.taken(x, t)
        assert sorted(x.to_numpy()) == list(range(1000))
        module.total(rt.asarray(data), t)
        assert t.to_numpy().tolist() == [data.sum(), 1000, 0, -data.sum()]
