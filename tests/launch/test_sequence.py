"""Bound launches: `Launch.update`, and sequences with ramps, errors, Ctrl-C and other threads."""

import gc
import re
import sys
import threading
import weakref

import numpy as np
import pytest
from helpers.child import in_child
from helpers.objects import load_saxpy, make, wait_until_written
from helpers.threads import Background, assert_ended, assert_interrupted, interrupt_after

from taichi_aot import Runtime

ENDLESS = 10**12  # iterations: they take years


def start_endless_sequence(things, *targets):
    """Add ones to the arrays in a thread until something ends the sequence."""
    ones = things.rt.full(100, 1.0, "f32")
    launches = [things.kernel.bind(1.0, ones, target) for target in targets]
    thread = Background(things.rt.sequence(launches), ENDLESS)
    wait_until_written(targets[-1])
    return thread


@pytest.fixture
def saxpy(module):
    return module.kernels["saxpy"]


@pytest.fixture
def store(module):
    return module.kernels["store"].rename("value", "real", "ints", "reals")


def ones(rt, count=8):
    return rt.full(count, 1.0, "f32")


# Launch.update.


def test_update_applies_from_the_next_launch(rt, saxpy):
    x, y, other = ones(rt), rt.zeros(8), rt.zeros(8)
    launch = saxpy.bind(1.0, x, y)
    launch()
    launch.update(a=3)
    launch()
    launch.update(y=other, a=10.0)
    launch()
    launch.update(x=y)
    launch()
    launch.update()
    launch()
    assert y.to_numpy().tolist() == [4] * 8
    assert other.to_numpy().tolist() == [10 + 40 + 40] * 8


def test_every_kind_of_argument_can_be_updated(rt, modules):
    table = rt.load_module(modules / "table.tcm")
    ints = rt.zeros(3, "i64")
    vector = table.kernels["vector_i64"].rename("x", "out").bind([1, 2, 3], ints)
    vector()
    assert ints.to_numpy().tolist() == [1, 2, 3]
    vector.update(x=np.array([-(2**63), 2**63 - 1, 7]))
    vector()
    assert ints.to_numpy().tolist() == [-(2**63), 2**63 - 1, 7]
    graph = table.graphs["graph_scalar_f64"].bind(x=0.1, out=rt.zeros(1, "f64"))
    out = rt.zeros(1, "f64")
    graph.update(out=out, x=0.2)
    graph()
    assert out.to_numpy()[0] == 0.2


def wrong_updates(rt):
    return [
        ({"a": "1"}, TypeError, "parameter 'a': expected f32, got str '1'"),
        ({"a": 10**400}, OverflowError, "parameter 'a':"),
        ({"x": 1.0}, TypeError, "parameter 'x': expected ndarray[f32, 1], got float 1.0"),
        ({"x": rt.zeros(8, "f64")}, TypeError, "parameter 'x': expected ndarray[f32, 1], got ndarray[f64, 1]"),
        ({"y": np.zeros(8)}, TypeError, "got a numpy array of float64"),
        ({"z": 1.0}, TypeError, "has no parameter 'z'; it has 'a', 'x', 'y'"),
        ({"_native": 1.0}, TypeError, "has no parameter '_native'"),
    ]


@pytest.mark.parametrize("what", ["kernel", "graph"])
def test_failed_update_changes_nothing(rt, module, what):
    bindable = module.kernels["saxpy"] if what == "kernel" else module.graphs["twice"]
    x, y = ones(rt), rt.zeros(8)
    launch = bindable.bind(1.0, x, y)
    for wrong, error, message in wrong_updates(rt):
        for update in (wrong, {"a": 50.0, "x": rt.full(8, 9.0, "f32"), "y": rt.zeros(8)} | wrong):
            with pytest.raises(error, match=re.escape(message)) as caught:
                launch.update(**update)
            assert str(caught.value).startswith(f"{launch.signature.name}()")
    launch()
    assert y.to_numpy().tolist() == [1 if what == "kernel" else 2] * 8


def test_update_refuses_closed_and_foreign_arrays(rt, module, saxpy):
    x, y, closed = ones(rt), rt.zeros(8), rt.zeros(8)
    closed.close()
    launch = saxpy.bind(1.0, x, y)
    with pytest.raises(ValueError, match="parameter 'x': the array is closed"):
        launch.update(a=5.0, x=closed)
    with pytest.raises(TypeError, match="parameter 'a'"):
        launch.update(a="1", x=closed)
    with pytest.raises(ValueError, match="parameter 'x': the array is closed"):
        saxpy.bind(1.0, closed, y)
    with Runtime(rt.arch) as other, pytest.raises(ValueError, match=r"parameter 'y': .* belongs to another runtime"):
        launch.update(y=other.zeros(8))
    launch()
    assert y.to_numpy().tolist() == [1] * 8
    module.close()
    with pytest.raises(ValueError, match="its module is closed"):
        launch.update(a=5.0)


@pytest.mark.slow(but="x64")
def test_update_keeps_new_arrays_and_drops_old_ones(rt, saxpy):
    y = rt.zeros(8)
    launch = saxpy.bind(1.0, ones(rt), y)
    references = []
    for i in range(5):
        x = rt.full(8, i, "f32")
        references.append(weakref.ref(x))
        launch.update(x=x)
        del x
        gc.collect()
        rt.full(8, 100.0, "f32")  # would reuse the memory of an array that was freed
        launch()
        assert [reference() is not None for reference in references] == [False] * i + [True]
    assert y.to_numpy().tolist() == [sum(range(5))] * 8


@in_child
def test_update_is_atomic(arch, basic):
    """A launch uses both arrays of an update or neither."""
    rt, saxpy = load_saxpy(arch, basic)
    sys.setswitchinterval(1e-6)
    pairs = [{"x": rt.asarray(np.eye(2, dtype=np.float32)[i]), "y": rt.zeros(2)} for i in range(2)]
    launch = saxpy.bind(1.0, **pairs[0])
    stop = threading.Event()

    def work():
        while not stop.is_set():
            for _ in range(100):
                launch()
            rt.wait()

    threads = [Background(work) for _ in range(2)]
    for i in range(5000):
        launch.update(**pairs[i % 2])
    stop.set()
    for thread in threads:
        thread.finish()
    sums = [pair["y"].to_numpy().tolist() for pair in pairs]
    assert sums[0][1] == sums[1][0] == 0, sums


# Sequences.


def test_sequence_matches_a_loop_of_calls(rt, module, saxpy, store):
    def everything():
        x, y = rt.asarray(np.arange(100, dtype=np.float32)), rt.full(100, 0.5, "f32")
        ints = rt.zeros(1, "i32")
        launches = [
            saxpy.bind(0.5, x, y),
            module.graphs["twice"].bind(a=0.25, x=y, y=x),
            store.bind(7, 0.5, ints, y),
            saxpy.bind(-0.125, y, x),
        ]
        return launches, (x, y, ints)

    launches, looped = everything()
    for _ in range(20):
        for launch in launches:
            launch()
    others, repeated = everything()
    sequence = rt.sequence(launch for launch in others)
    assert len(sequence) == 4
    sequence(np.int64(13))
    sequence()
    sequence(repeat=6)
    for a, b in zip(looped, repeated, strict=True):
        assert a.to_numpy().tobytes() == b.to_numpy().tobytes()
    assert np.isfinite(repeated[0].to_numpy()).all()


def test_long_sequence_has_a_short_repr(rt, module, saxpy):
    x, y = ones(rt), rt.zeros(8)
    step, swap = saxpy.bind(1.0, x, y), module.kernels["swap"].bind(x, y)
    assert repr(rt.sequence([step, step, swap])) == "<LaunchSequence of saxpy, saxpy, swap>"
    assert repr(rt.sequence([step] * 2000)) == "<LaunchSequence of 2000 launches: saxpy x 2000>"
    assert repr(rt.sequence([step] * 64 + [swap])) == "<LaunchSequence of 65 launches: saxpy x 64, swap>"
    shown = ", ".join(["saxpy", "swap"] * 5)
    assert repr(rt.sequence([step, swap] * 5)) == f"<LaunchSequence of {shown}>"
    assert repr(rt.sequence([step, swap] * 6)) == f"<LaunchSequence of 12 launches: {shown}, ...>"


def test_sequence_takes_only_launches_of_its_runtime(rt, saxpy, modules):
    launch = saxpy.bind(1.0, ones(rt), rt.zeros(8))
    with pytest.raises(ValueError, match="at least one launch"):
        rt.sequence([])
    for thing in (saxpy, launch.__call__, None, rt.sequence([launch])):
        with pytest.raises(TypeError, match=r"a sequence consists of launches, not of .*; write kernel\.bind"):
            rt.sequence([launch, thing])
    with pytest.raises(TypeError):
        rt.sequence(launch)
    with Runtime(rt.arch) as other:
        foreign = other.load_module(modules / "basic.tcm").kernels["saxpy"]
        with pytest.raises(ValueError, match="another runtime"):
            rt.sequence([launch, foreign.bind(1.0, other.zeros(8), other.zeros(8))])


@pytest.mark.parametrize(
    ("repeat", "error"),
    [(-1, ValueError), (-(10**30), ValueError), (2**63, OverflowError), (1.0, TypeError), ("1", TypeError)],
    ids=str,
)
def test_wrong_repeat_count_launches_nothing(rt, saxpy, repeat, error):
    y = rt.zeros(8)
    sequence = rt.sequence([saxpy.bind(1.0, ones(rt), y)])
    with pytest.raises(error):
        sequence(repeat)
    sequence(0)
    sequence(0, ramps={"a": (1, 1)})
    assert not y.to_numpy().any()


def test_error_names_the_launch_and_stops_the_sequence(rt, module, saxpy):
    x, y, z = ones(rt), rt.zeros(8), rt.zeros(8)
    sequence = rt.sequence([saxpy.bind(1.0, x, y), module.graphs["twice"].bind(1.0, x, z), saxpy.bind(1.0, x, y)])
    sequence(4)
    z.close()
    with pytest.raises(ValueError, match=r"^launch 1 \(twice\), iteration 0: twice\(\) parameter 'y': the array is cl"):
        sequence(10)
    assert y.to_numpy().tolist() == [9] * 8
    module.close()
    with pytest.raises(ValueError, match=r"^launch 0 \(saxpy\), iteration 0: saxpy\(\): its module is closed"):
        sequence(10)
    rt.close()
    with pytest.raises(ValueError, match=r"^launch 0 \(saxpy\), iteration 0: the runtime is closed"):
        sequence(10)


@in_child
def test_array_closed_by_another_thread_ends_the_sequence(arch, basic):
    """Close an array: launches before the one with the array have run, and none after it."""
    things = make(arch, basic)
    y, z = things.rt.zeros(100), things.rt.zeros(100)
    thread = start_endless_sequence(things, y, z)
    z.close()
    match = assert_ended(thread, r"launch 1 \(saxpy\), iteration (\d+): saxpy\(\) parameter 'y': the array is closed")
    iteration = int(match[1])
    assert 0 < iteration < 1 << 24  # beyond that, floats cannot count
    assert y.to_numpy()[0] == iteration + 1


# Ramps.


def test_ramp_changes_a_scalar_at_each_iteration(rt, store):
    ints, reals = rt.zeros(1, "i32"), rt.zeros(1)
    sequence = rt.sequence([store.bind(0, 0.0, ints, reals)])
    for repeat in (1, 2, 50):
        sequence(repeat, ramps={"value": (100, -7), "real": (0.5, 0.25)})
        assert ints.to_numpy()[0] == 100 - 7 * (repeat - 1)
        assert reals.to_numpy()[0] == 0.5 + 0.25 * (repeat - 1)


def test_ramp_may_span_the_whole_range(rt, store):
    ints, reals = rt.zeros(1, "i32"), rt.zeros(1)
    sequence = rt.sequence([store.bind(0, 0.0, ints, reals)])
    sequence(2, ramps={"value": (-(2**31), 2**32 - 1), "real": (np.float32(0.1), 0)})
    assert ints.to_numpy()[0] == 2**31 - 1
    assert reals.to_numpy()[0] == np.float32(0.1)


def test_ramp_is_given_by_name_or_launch_number(rt, saxpy, module):
    x, y, z, w = ones(rt), rt.zeros(8), rt.zeros(8), rt.zeros(8)
    launches = [saxpy.bind(1.0, x, y), saxpy.bind(1.0, x, z), module.graphs["twice"].bind(1.0, x, w)]
    sequence = rt.sequence(launches)
    sequence(3, ramps={"a": (1, 1)})
    assert [array.to_numpy()[0] for array in (y, z, w)] == [6, 6, 12]
    sequence(3, ramps={(1, "a"): (100, 0), (2, "a"): (0, 0)})
    assert [array.to_numpy()[0] for array in (y, z, w)] == [9, 306, 12]


def test_ramp_restores_the_arguments(rt, saxpy):
    x, y, fresh = ones(rt), rt.zeros(8), rt.zeros(8)
    launch = saxpy.bind(5.0, x, y)
    sequence = rt.sequence([launch])
    sequence(10, ramps={"a": (0, 0)})
    launch()
    sequence()
    assert y.to_numpy().tolist() == [10] * 8
    y.close()
    with pytest.raises(ValueError, match="closed"):
        sequence(10, ramps={"a": (100, 1)})
    launch.update(y=fresh)
    launch()
    assert fresh.to_numpy().tolist() == [5] * 8


@pytest.mark.parametrize(
    ("ramps", "error", "message"),
    [
        ({"b": (0, 1)}, TypeError, "no launch of the sequence has a scalar parameter 'b'"),
        ({"ints": (0, 1)}, TypeError, "a ramp steps a scalar, and the parameter 'ints' is ndarray[i32, 1]"),
        ({(0, "b"): (0, 1)}, TypeError, "has a scalar parameter 'b'"),
        ({(1, "value"): (0, 1)}, TypeError, "has a scalar parameter 'value'"),
        ({(2, "value"): (0, 1)}, IndexError, "no launch 2"),
        ({(-1, "x"): (0, 1)}, IndexError, "no launch -1"),
        ({0: (0, 1)}, TypeError, "a name, or a launch's number and a name, not for 0"),
        ({(0, "value", 1): (0, 1)}, TypeError, "value"),
        ({"x": (0, 1)}, TypeError, "a ramp is of i32 or f32; 'x' is f64"),
        ({"value": (0, 0.5)}, TypeError, "value"),
        ({"value": (2**31 - 9, 1)}, OverflowError, "does not fit i32"),
        ({"real": ("0", 1)}, TypeError, "real"),
        ({"real": (3e38, 1e38)}, OverflowError, "the ramp of 'real': with the step 1e+38 it does not fit f32"),
        (0, TypeError, "ramps must be a mapping of names to (first, step), not int 0"),
        ({"real": (0, None)}, TypeError, "real"),
        ({"value": (1, 1), "real": (0, 1j)}, TypeError, "real"),
    ],
    ids=str,
)
def test_wrong_ramp_launches_nothing(rt, store, modules, ramps, error, message):
    table = rt.load_module(modules / "table.tcm")
    ints, reals, out = rt.full(1, -1, "i32"), rt.zeros(1), rt.zeros(1, "f64")
    launch = store.bind(3, 4.0, ints, reals)
    sequence = rt.sequence([launch, table.kernels["scalar_f64"].rename("x", "out").bind(1.0, out)])
    with pytest.raises(error, match=re.escape(message)):
        sequence(10, ramps=ramps)
    assert (ints.to_numpy()[0], reals.to_numpy()[0]) == (-1, 0)
    launch()
    assert (ints.to_numpy()[0], reals.to_numpy()[0]) == (3, 4)


# Ctrl-C and other threads.


@pytest.mark.parametrize("weight", ["light", "heavy"])
@pytest.mark.slow(but="*-light")
@in_child
def test_interrupt_ends_a_sequence(arch, basic, weight):
    """Interrupt a sequence: the launches already made do not take long either."""
    things = make(arch, basic)
    rt, y = things.rt, things.rt.zeros(100)
    if weight == "light":
        launch = things.kernel.bind(1.0, things.x, y)
    else:
        launch = things.module.kernels["spin"].bind(1_000_000, rt.zeros(1, "i32"))
    assert_interrupted(lambda: rt.sequence([launch])(ENDLESS))
    rt.wait()
    before = y.to_numpy()[0]
    things.kernel(1.0, things.x, y)
    assert y.to_numpy()[0] - before == 1


@pytest.mark.slow(but="x64")
@in_child
def test_interrupt_restores_the_arguments(arch, basic):
    rt, saxpy = load_saxpy(arch, basic)
    y = rt.zeros(100)
    launch = saxpy.bind(5.0, rt.full(100, 1.0, "f32"), y)

    def interrupt_when_written():
        wait_until_written(y)
        interrupt_after(0).finish()

    thread = Background(interrupt_when_written)
    assert_interrupted(lambda: rt.sequence([launch])(ENDLESS, ramps={"a": (1, 0)}), thread)
    before = y.to_numpy()[0]
    launch()
    assert y.to_numpy()[0] - before == 5


@pytest.mark.slow(but="x64")
@in_child
def test_runtime_is_used_while_a_sequence_runs(arch, basic):
    things = make(arch, basic)
    rt, saxpy, x = things.rt, things.kernel, things.x
    y, z = rt.zeros(100), rt.zeros(100)
    spin = things.module.kernels["spin"].bind(1000, rt.zeros(1, "i32"))
    thread = Background(rt.sequence([saxpy.bind(1.0, x, y), saxpy.bind(-1.0, x, y), spin]), ENDLESS)
    launch = saxpy.bind(1.0, x, z)
    for i in range(11):
        rt.wait()
        saxpy(1.0, x, z)
        launch()
        rt.sequence([launch])(3)
        with rt.full(10, i, "f32").map() as view:
            assert view[9] == i
        memory = rt.allocate(100)
        memory.write(b"abc")
        assert memory[1:2].read() == b"b"
        memory.close()
        if i % 5 == 0:
            rt.load_module(basic).close()
            assert (z.to_numpy() == 5 * (i + 1)).all()
            with Runtime(arch) as other:
                assert other.full(3, 1.0).to_numpy().sum() == 3
    assert thread.is_alive(), thread.error
    rt.close()
    assert_ended(thread, r"launch \d \((saxpy|spin)\), iteration \d+: the runtime is closed \(.*")
