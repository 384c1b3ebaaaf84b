"""Recorded sequences and bound launches compute what the library's launches compute."""

import hashlib
import os
import threading
import time
from contextlib import contextmanager
from functools import partial
from itertools import islice

import numpy as np
import pytest
from helpers.carry import WIDE_TYPES
from helpers.child import in_child, run_in_child
from helpers.machine import is_on_host, resident_bytes
from helpers.objects import bind, load_saxpy
from helpers.plans import lowered, plans_of

from taichi_aot import Arch, NotSupportedError, Runtime, TaichiError, inspect

REPEAT = 70
SIZES = (1, 127, 128, 129, 1000, 131_071, 131_073)


@pytest.fixture
def recorded_arch(arch):
    if arch not in (Arch.VULKAN, Arch.CUDA):
        pytest.skip("launches are recorded on Vulkan and CUDA")
    if os.environ.get(f"TAICHI_AOT_{arch.name}_RECORDING") == "0":
        pytest.skip("recording is turned off")
    return arch


@pytest.fixture
def vulkan(arch):
    if arch is not Arch.VULKAN:
        pytest.skip("tests Vulkan only")
    return arch


@pytest.fixture
def loops(recorded_arch, build_source):
    return build_source("loop_kernels", recorded_arch)


@pytest.fixture
def coded(arch, build_source):
    """The same module, for archs whose launches the package makes itself."""
    if arch not in (Arch.X64, Arch.VULKAN, Arch.CUDA):
        pytest.skip("the library launches")
    return build_source("loop_kernels", arch)


@contextmanager
def in_both(arch, path):
    """Load a module in a recording runtime and in a non-recording one."""
    with Runtime(arch) as recording, Runtime(arch) as library:
        unrecorded = library.load_module(path)
        unrecorded._handle.why_without_plans = "the module is borrowed"
        unrecorded._handle.plans = None  # CUDA runtimes share the module even if the environment differs
        yield recording.load_module(path), unrecorded


@pytest.fixture
def both(recorded_arch, loops, c_library):
    with in_both(recorded_arch, loops) as pair:
        yield pair


def show_a_sequence(arch, module):
    with Runtime(arch) as rt:
        sequence = rt.sequence([rt.load_module(module).kernels["array"].bind(rt.zeros(100, "i32"))])
        sequence(100)
        print(sequence)


@pytest.mark.usefixtures("c_library")
@pytest.mark.parametrize("value", ["0", "1"])
def test_environment_variable_turns_recording_off(recorded_arch, loops, value):
    switch = f"TAICHI_AOT_{recorded_arch.name}_RECORDING"
    done = run_in_child(show_a_sequence, recorded_arch, loops, env={switch: value})
    assert ("(recorded)" in done.stdout) == (value == "1")


def numbers(shape, seed=0):
    return np.random.default_rng(seed).integers(-1000, 1000, shape).astype(np.int32)


def cases():
    """Return arguments by kernel, with the contents in place of each array."""
    for n in SIZES:
        yield "array", [numbers(n)]
        yield "scalar", [n, numbers(n)]
        yield "blocks", [numbers(n)]
        yield "product", [n // 3, 3, numbers(n + 1)]
        yield "total", [numbers(n), numbers(1)]
        yield "returned", [n, numbers(n)]
        yield "part", [n // 2, n, numbers(n)]
        yield "several", [n, numbers(n), numbers((3, n))]
    for n, m in ((1, 1), (3, 50), (129, 128), (1, 4000)):
        yield "grid", [numbers((n, m))]
        yield "plane", [n, m, numbers(n * m)]
    yield "scalar", [0, numbers(5)]
    yield "scalar", [-7, numbers(5)]
    yield "part", [7, 3, numbers(8)]
    yield "part", [-5, 3, numbers(8)[:3].repeat(5)]
    yield "smaller", [10**9, numbers(300)]
    yield "smaller", [10, numbers(300)]
    yield "constant", [numbers(200)]
    yield "negative", [numbers(200)]
    yield "empty", [numbers(200)]
    yield "cell", [numbers(()), numbers(200)]
    yield "read", [np.array([200], np.int32), numbers(300)]
    yield "counted", [np.array([7], np.int32), numbers(400)]
    yield "conditional", [200, numbers(300)]
    yield "power", [-1, numbers(300)]
    yield "serial", [200, numbers(300)]
    yield "vectors", [numbers((77, 3))]
    yield "wide", [1e9, -(2**40), [1, 2, 3], -5, numbers(300)]


def results(launch, arrays):
    returned = launch.result() if launch.signature.returns else None
    return [array.to_numpy().tolist() for array in arrays], returned


@pytest.mark.scaled
def test_recorded_launches_match_the_library(both, scaled):
    compared, step = 0, scaled(9, 1)
    for name, values in islice(cases(), 0, None, step):
        found = []
        for module in both:
            launch, arrays = bind(module, name, *values)
            sequence = module.runtime.sequence([launch])
            sequence(REPEAT)
            assert ("recorded" in repr(sequence)) == (module is both[0]), (name, sequence)
            found.append(results(launch, arrays))
        assert found[0] == found[1], (name, values[:-1])
        compared += 1
    assert compared > 70 // step


def test_ramp_changes_the_length_of_a_loop(both):
    found = []
    for module in both:
        launch, arrays = bind(module, "scalar", 0, np.zeros(1000, np.int32))
        module.runtime.sequence([launch])(300, ramps={"n": (0, 3)})
        found.append(results(launch, arrays))
    assert found[0] == found[1]
    assert len(set(found[0][0][0])) > 300


def test_kernels_that_are_not_understood_have_no_plan(vulkan, modules):
    planned = {}
    for path in sorted(modules.glob("*.tcm")):
        module = lowered(path)
        plans = plans_of(module)
        for name, kernel in module.info.all_kernels.items():
            kinds = {parameter.kind for parameter in kernel.signature.parameters}
            if "argpack" in kinds:
                assert isinstance(plans[name], str)
            if not set(kernel.field_trees) <= {0}:
                assert plans[name] == "fields of a tree whose size the module does not state"
            planned[path.stem, name] = not isinstance(plans[name], str)
    assert sum(planned.values()) > 50
    assert not all(planned.values())


@pytest.mark.usefixtures("c_library")
def test_kernels_state_whether_they_are_recorded(vulkan, loops, modules, monkeypatch):
    with in_both(vulkan, loops) as (recording, unrecorded):
        for kernel in recording.kernels.values():
            assert kernel.recording == "recorded"
        reasons = {kernel.recording for kernel in unrecorded.kernels.values()}
        assert reasons == {"by the library: the module is borrowed"}
    with Runtime(vulkan) as rt:
        module = rt.load_module(modules / "basic.tcm")
        assert module.graphs["twice"].recording == "recorded"
        monkeypatch.setenv("TAICHI_AOT_VULKAN_RECORDING", "0")
        why = "the module was loaded with TAICHI_AOT_VULKAN_RECORDING=0, which disables recorded launches"
        assert rt.load_module(modules / "basic.tcm").graphs["twice"].recording == f"by the library: {why}"


# Bound launches, which are recorded one by one.


def is_ours(launch):
    """Whether a bound launch is made without the library; of PTX it is native."""
    return repr(launch).endswith(("(recorded)>", "(native)>"))


def make(launch, count=REPEAT):
    for _ in range(count):
        launch()
    return launch


@pytest.mark.scaled
def test_bound_launches_match_the_library(both, scaled):
    compared, step = 0, scaled(9, 1)
    for name, values in islice(cases(), 0, None, step):
        if max(np.size(value) for value in values) > 2000:
            continue
        found = []
        for module in both:
            launch, arrays = bind(module, name, *values)
            assert is_ours(make(launch)) == (module is both[0]), (name, launch)
            found.append(results(launch, arrays))
        assert found[0] == found[1], (name, values[:-1])
        compared += 1
    assert compared > 50 // step


@pytest.mark.scaled
def test_bound_launches_keep_their_order(both, scaled):
    found = []
    for module in both:
        rt, rng = module.runtime, np.random.default_rng(3)
        launches, arrays = zip(*(bind(module, "array", numbers(300, seed=i)) for i in range(3)), strict=True)
        arrays = [array for (array,) in arrays]
        several, more = bind(module, "several", 200, numbers(300), numbers((30, 40)))
        for launch in (*launches, several):
            make(launch)
        sequence = rt.sequence([*launches, several])
        spare, seen = rt.asarray(numbers(300, seed=9)), []
        for _ in range(scaled(30, 200)):
            i = rng.integers(0, 3)
            match rng.integers(0, 9):
                case 0 | 1:
                    launches[i]()
                case 2:
                    module.kernels["array"](arrays[i])
                case 3:
                    sequence(REPEAT)
                case 4:
                    arrays[i].copy_from(arrays[i - 1])
                case 5:
                    arrays[i].write(numbers(300, seed=int(rng.integers(100))))
                case 6:
                    several.update(n=int(rng.integers(1, 300)), x=spare if rng.integers(2) else more[0])
                    make(several, int(rng.integers(0, 20)))
                case 7:
                    seen.append(arrays[i].to_numpy().tolist())
                case 8:
                    with arrays[i].map() as view:
                        view += 1
        found.append([*seen, *(array.to_numpy().tolist() for array in (*arrays, *more, spare))])
    assert found[0] == found[1]


def test_calls_after_an_update_use_their_own_arguments(both):
    """An update leaves the memory of its arguments to later calls, whose arguments change."""
    found = []
    for module in both:
        rt = module.runtime
        launch, (x,) = bind(module, "array", numbers(300))
        arrays = [rt.asarray(numbers(300, seed=i)) for i in range(3)]
        launch.update(x=arrays[0])
        for i in range(3 * REPEAT):
            module.kernels["array"](arrays[i % 3])
        found.append([array.to_numpy().tolist() for array in (x, *arrays)])
    assert found[0] == found[1]


def test_code_with_addresses_computes_the_same(vulkan, rt, loops, build_source):
    """Arrays are addresses among the arguments instead of descriptors."""
    needed = "spirv_has_physical_storage_buffer"
    path = build_source("loop_kernels", vulkan, caps=[*WIDE_TYPES, needed])
    addressed = rt.load_module(path)
    assert needed in str(inspect(path))
    described = rt.load_module(loops)
    for name, values in cases():
        found = []
        for module in (addressed, described):
            launch, arrays = bind(module, name, *values)
            assert is_ours(make(launch, 2))
            rt.sequence([launch])(3)
            found.append(results(launch, arrays))
        assert found[0] == found[1], name
    with pytest.raises(NotSupportedError, match=f"build it without {needed}"):
        assert addressed.kernels["array"].handle


@pytest.mark.parametrize("seed", range(4))
def test_reads_see_everything_before_them(vulkan, basic, seed):
    """Copies and times are added to launches, and commands used again, where calls are repeated."""
    choose = np.random.default_rng(seed)
    with Runtime(vulkan) as rt:
        saxpy = rt.load_module(basic).kernels["saxpy"]
        host = [np.ones(100, np.float32) for _ in range(3)]
        arrays, events = [rt.asarray(each) for each in host], []
        bound = [[saxpy.bind(1.0, x, y) for x in arrays] for y in arrays]

        def launch(i, k):
            bound[i][k]()
            host[i] = host[i] + host[k]

        def fill(i, k):
            host[i] = np.full(100, k, np.float32)
            arrays[i].write(host[i])

        def copy(i, k):
            host[i] = host[k].copy()
            arrays[i].copy_from(arrays[k])

        def replace(i, k):
            arrays[i].close()
            host[i] = np.full(100, k, np.float32)
            arrays[i] = rt.asarray(host[i])
            for n in range(3):
                bound[i][n].update(x=arrays[n], y=arrays[i])
                bound[n][i].update(x=arrays[i], y=arrays[n])

        def update(i, k):
            bound[i][k].update(a=2.0)
            bound[i][k]()
            bound[i][k].update(a=1.0)
            host[i] = host[i] + 2 * host[k]

        def sequence(i, k):
            rt.sequence([bound[i][k]])(2)
            for _ in range(2):
                host[i] = host[i] + host[k]

        def wait(i, k):
            rt.wait()

        def record(i, k):
            events.append(rt.record_event())

        def read(i, k):
            assert (
                np.frombuffer(arrays[i].memory.read(8 * k, 8), np.float32).tolist()
                == host[i][2 * k : 2 * k + 2].tolist()
            )

        kinds = (launch, launch, read, fill, copy, replace, update, sequence, wait, record)
        for _ in range(60):
            some = choose.choice(kinds, size=3)  # repeated, so that they are expected
            i, k = (int(n) for n in choose.integers(0, 3, 2))
            for kind in (*some, *some, *some):
                kind(i, k)
            for n in range(3):
                if host[n].max() > 1e6:
                    fill(n, 1)
        assert [array.to_numpy().tolist() for array in arrays] == [each.tolist() for each in host]
        times = [events[0].elapsed(event) for event in events if event.wait() is None]
        assert times == sorted(times)


@pytest.mark.slow
def test_bound_launches_wait_for_room_on_the_device(rt, loops):
    launch, (x,) = bind(rt.load_module(loops), "array", np.zeros(3_000_000, np.int32))
    make(launch, 64)
    rt.wait()
    begun = x.to_numpy()[:1000].astype(np.int64)
    make(launch, 60)  # more than the device queues at a time, each taking some milliseconds
    expected = begun
    for _ in range(60):
        expected = (expected * 3 + np.arange(1000)) % 2**32
    np.testing.assert_array_equal(x.to_numpy()[:1000].astype(np.int64) % 2**32, expected)


def test_launch_may_be_dropped_before_it_has_run(both):
    found = []
    for module in both:
        launch, (x,) = bind(module, "array", numbers(300))
        make(launch, REPEAT + 3)
        del launch
        found.append(x.to_numpy().tolist())
        launch, (y,) = bind(module, "array", numbers(300))
        make(launch, REPEAT + 5)
        y.close()
    assert found[0] == found[1]


@pytest.mark.slow
def test_close_never_interrupts_a_sequence_after_its_last_launch(recorded_arch, loops):
    """A run that has made all launches returns, even if another thread has closed the runtime meanwhile."""
    found = set()
    for _ in range(10):
        rt = Runtime(recorded_arch)
        launch, _ = bind(rt.load_module(loops), "array", numbers(100))
        sequence = rt.sequence([launch])

        def run(sequence=sequence):
            try:
                while True:
                    sequence(REPEAT)
            except ValueError as error:
                found.add(str(error))

        thread = threading.Thread(target=run)
        thread.start()
        time.sleep(0.02)
        rt.close()
        thread.join()
    assert found
    assert not any(f"iteration {REPEAT}" in message for message in found), found


def test_recorded_launch_refuses_a_closed_array(rt, loops):
    launch, (x,) = bind(rt.load_module(loops), "array", numbers(100))
    make(launch)
    x.close()
    with pytest.raises(ValueError, match=r"array\(\) parameter .*closed"):
        launch()
    spare = rt.zeros(100, "i32")
    launch.update(x=spare)
    make(launch)
    assert spare.to_numpy()[0] == 0
    assert spare.to_numpy()[1] != 0


@pytest.mark.usefixtures("c_library")
def test_kernels_of_a_graph_take_one_array_twice(recorded_arch, modules, cuda_modules, carried):
    found = []
    has_code = recorded_arch is not Arch.CUDA or carried is not None
    with in_both(recorded_arch, modules / "basic.tcm" if has_code else cuda_modules("basic")) as pair:
        for module in pair:
            rt = module.runtime
            x = rt.asarray(np.arange(1000, dtype=np.float32))
            launch = module.graphs["twice"].bind(a=0.001, x=x, y=x)
            sequence = rt.sequence([launch])
            sequence(REPEAT)
            assert ("recorded" in repr(sequence)) == (module is pair[0])
            assert is_ours(make(launch)) == (module is pair[0])
            found.append(x.to_numpy().tolist())
    assert found[0] == found[1]
    assert found[0][999] > 1000


@pytest.mark.slow
@in_child
def test_memory_stays_flat(recorded_arch, basic):
    """Run 100,000 launches in a recorded sequence and 10,000 recorded launches: memory does not grow."""
    rt, saxpy = load_saxpy(recorded_arch, basic)
    x, y = rt.full(100, 1.0, "f32"), rt.zeros(100)
    launch = saxpy.bind(1.0, x, y)
    sequence = rt.sequence([launch])

    def repeat(count):
        sequence(count)
        sequence(count, ramps={"a": (1.0, 0.0)})
        for k in range(count // 5):
            launch()
            if k % 100 == 0:
                rt.wait()  # queued launches take memory

    for _ in range(3):  # until chunks have their full length
        repeat(5000)
    before = resident_bytes()
    repeat(50_000)
    # A leak of 100 bytes per launch would be 11 MB; the heap may grow once by a megabyte.
    assert resident_bytes() - before < 3 << 20, (before, resident_bytes())
    assert (y.to_numpy() == 143_000).all()
    assert "recorded" in repr(sequence)
    assert repr(launch).endswith(("(recorded)>", "(native)>"))


# Dense fields. One process cannot compare both ways: on CUDA its runtimes share the module and its fields.


def launch_in_every_form(arch, source):
    """Change fields by bound launches, sequences, calls and the host, and print what they hold in between.

    The first line says how the kernels are launched.
    """
    with Runtime(arch) as rt:
        module = rt.load_module(source)
        kernels, fields = module.kernels, module.fields
        x = rt.asarray(np.arange(300, dtype=np.int32))
        arguments = {"advance": [2], "slow": [0.25], "collect": [300, x], "give": [x], "sum_row": [3]}
        launches = {name: kernel.bind(*arguments.get(name, [])) for name, kernel in kernels.items()}
        ways = {kernel.recording for kernel in kernels.values()}
        print(*ways)

        def show():
            held = [*(field.to_numpy() for field in fields.values()), x.to_numpy()]
            print(*(hashlib.sha256(array.tobytes()).hexdigest()[:12] for array in held), kernels["sum_row"](3))

        for launch in launches.values():
            for _ in range(REPEAT):
                launch()
            show()
        sequence = rt.sequence(list(launches.values()))
        for turn in range(3):
            sequence(REPEAT)
            fields["grid"].write(np.arange(600, dtype=np.int32).reshape(6, 100) + turn)
            kernels["advance"](turn)
            show()
            launches["advance"].update(n=turn)
            launches["collect"].update(n=10 * turn)
            fields["speeds"].fill(turn)
        assert ("(recorded)" in repr(sequence)) == all(way.startswith(("recorded", "native")) for way in ways), ways
        rt.sequence([launches["advance"], launches["collect"]])(REPEAT, ramps={(1, "n"): (0, 3)})
        show()
        spare = rt.zeros((6, 100), "i32")
        for i in range(REPEAT):
            kernels["collect"](i, x)
            fields["total"].fill(i)
            launches["spread"]()
            fields["grid"].copy_to(spare)
            kernels["advance"](i)
            fields["grid"].copy_from(spare)
            print(kernels["sum_row"](i % 6))
        show()


@pytest.mark.slow(but="cuda")
def test_launches_of_fields_match_the_library(recorded_arch, build_source):
    source, switch = build_source("field_steps", recorded_arch), f"TAICHI_AOT_{recorded_arch.name}_RECORDING"
    outputs = [
        run_in_child(launch_in_every_form, recorded_arch, source, env={switch: value}).stdout.splitlines()
        for value in ("0", "1")
    ]
    assert outputs[0][1:] == outputs[1][1:]
    assert outputs[0][0].startswith("by the library: ")
    assert outputs[1][0].startswith(("recorded", "native"))
    assert "by the library" not in outputs[1][0]


# State that the library keeps, and launches that it refuses; README.md lists both.


@pytest.fixture
def kept(recorded_arch, build_source, c_library):
    with in_both(recorded_arch, build_source("kept_kernels", recorded_arch)) as pair:
        yield pair


def drawn_by(module):
    """Draw random numbers by every form of launch, between launches of a kernel with temporaries."""
    rt, numbers = module.runtime, []
    launch, (x,) = bind(module, "drawn", np.zeros(1, np.float32))
    other, _ = bind(module, "carried", 3, np.arange(100, dtype=np.int32), np.zeros(100))
    ways = [launch, lambda: module.kernels["drawn"](x), rt.sequence([launch]), rt.sequence([other, launch])]
    for way in ways[:1] * REPEAT + [other] * REPEAT + ways * 5:
        way()
        numbers.append(float(x.to_numpy()[0]))
    for sequence in ways[2:]:
        sequence(REPEAT)
        numbers.append(float(x.to_numpy()[0]))
    return numbers


def test_random_numbers_do_not_repeat(kept):
    found = [drawn_by(module) for module in kept]
    if kept[0].runtime.arch is Arch.VULKAN:  # CUDA runtimes share the random states
        assert found[0] == found[1]
    drawn = found[0][:REPEAT] + found[0][2 * REPEAT :]
    assert len(set(drawn)) == len(drawn)


def test_temporaries_of_two_types_match_the_library(kept):
    found = []
    for module in kept:
        outcome = []
        for name in ("carried", "doubled", "looked_up"):
            more = [np.arange(2000) / 4] if name != "looked_up" else []
            launch, arrays = bind(module, name, 200, numbers(2000), *more)
            sequence = module.runtime.sequence([launch])
            sequence(REPEAT)
            assert ("recorded" in repr(sequence)) == (module is kept[0])
            outcome.append(results(launch, arrays))
        found.append(outcome)
    assert found[0] == found[1]


def outcome_of(call, array):
    try:
        call()
    except TaichiError:
        return None
    return int(array.to_numpy()[-1])


def test_loops_take_no_more_groups_than_the_device(arch, kept):
    """The library refuses this loop's groups as compiled; Mesa's limit is 65,535. That of NVIDIA is 2^31 - 1."""
    found = []
    for module in kept:
        launch, (x,) = bind(module, "scattered", np.zeros(200_000, np.int32))
        other, _ = bind(module, "carried", 3, numbers(100), np.zeros(100))
        sequences = [module.runtime.sequence(launches) for launches in ([launch], [other, launch])]
        calls = [launch, *sequences, *(partial(sequence, REPEAT) for sequence in sequences)]
        found.append([outcome_of(call, x) for call in calls])
    every = [1, 2, 3, 3 + REPEAT, 3 + 2 * REPEAT]
    assert found == [every, [None] * 5 if arch is Arch.VULKAN and is_on_host(arch) else every]


@pytest.mark.parametrize(
    ("name", "numbers", "told"),
    [
        ("plane", (50_000, 50_000), r"\(50000, 50000\) has 2500000000"),
        ("plane", (70_000, 70_000), r"\(70000, 70000\) has 4900000000"),  # modulo 2^32 it has 605,032,704
        ("product", (-60_000, 60_000), r"\(-60000, 60000\) has -3599999999"),
        ("part", (-(2**30), 2**31 - 1), r"\(2147483647, -1073741824\) has 3221225471"),
    ],
)
def test_loops_that_are_longer_than_i32_are_refused(arch, coded, name, numbers, told):
    with Runtime(arch) as rt:
        kernel = rt.load_module(coded).kernels[name]
        x = rt.zeros(9, "i32")
        bound = kernel.bind(*numbers, x)
        for launch in (lambda: kernel(*numbers, x), bound, lambda: rt.sequence([bound])(repeat=2)):
            with pytest.raises(
                ValueError, match=f"kernel {name}: a loop over {told} iterations, and the most is 2147483"
            ):
                launch()
        assert not x.to_numpy().any()
        kernel(2, 4, x)  # works as before
        assert x.to_numpy().any()


@pytest.mark.slow
@pytest.mark.parametrize("begin", [0, 2**31 - 2**30])
def test_loops_near_the_end_of_i32_run_in_full(arch, coded, begin):
    with Runtime(arch) as rt:
        x = rt.zeros(2048, "i32")
        rt.load_module(coded).sampled(
            begin, 2**31 - 60_000, x
        )  # lavapipe ends loops of a thread after 65,535 iterations
        assert np.array_equal(x.to_numpy(), np.arange(2048) >= begin // 2**20)
