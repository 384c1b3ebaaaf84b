"""After Ctrl-C at any bytecode, an operation has done nothing or noted what it did."""

import gc
import sys

import pytest
from helpers.child import in_child
from helpers.objects import assert_nothing_left, make
from helpers.operations import assert_working, image_operations, light_operations, operations
from helpers.tracing import at_each_bytecode, interrupt

from taichi_aot import Arch, object_counts

# Slow operations are interrupted at this many of their bytecodes, evenly spaced.
HEAVY = {"load_module": 200, "module.close": 200, "runtime": 60, "module of a new runtime": 20, "load": 20}
HEAVY_ON_VULKAN = {"import_runtime": 40, "create_runtime": 40}


ON_VULKAN = ("images", *HEAVY_ON_VULKAN)


@pytest.mark.parametrize("which", ["light", *HEAVY, *ON_VULKAN])
@pytest.mark.scaled
@pytest.mark.slow(but=("x64*", "vulkan-images"))
@in_child(timeout=6000)
def test_interrupted_call_is_noted_or_undone(arch, basic, which, scaled):
    """Interrupt an operation, or a group of light ones, at many of its bytecodes, then close everything."""
    if which in ON_VULKAN and arch is not Arch.VULKAN:
        pytest.skip("only Vulkan supports interop and images")
    whole = (HEAVY | HEAVY_ON_VULKAN).get(which, 5000)
    sys.unraisablehook = lambda _: None  # finalizers may be interrupted too
    things = make(arch, basic)
    if which == "light":
        calls = light_operations(arch, basic, things)
    elif which == "images":
        calls = image_operations(things.rt, basic)
    else:
        calls = {which: operations(arch, basic, things)[which]}
    for name, operation in calls.items():
        print(name, flush=True)
        for _ in at_each_bytecode(operation, interrupt, at_most=scaled(min(6, whole), whole)):
            pass
        operation()
    things.x.fill(1)
    assert_working(things)
    things.rt.close()
    del things, calls, operation
    assert_nothing_left()


@pytest.mark.scaled
@pytest.mark.slow(but="vulkan")
@in_child
def test_interrupted_update_keeps_its_arrays_alive(arch, basic, scaled):
    """Interrupt an update: the launch has either the old or the new array, and keeps it alive."""
    sys.unraisablehook = lambda _: None  # finalizers may be interrupted too
    things = make(arch, basic)
    rt, y = things.rt, things.rt.zeros(100)
    launch = things.kernel.bind(1.0, rt.full(100, 1.0, "f32"), y)
    fresh = [rt.full(100, 2.0, "f32")]
    for _ in at_each_bytecode(lambda: launch.update(x=fresh.pop()), interrupt, at_most=scaled(50, 1000)):
        gc.collect()
        rt.full(100, 1000.0, "f32")  # would reuse the memory of a freed array
        before = y.to_numpy()[0]
        launch()
        assert y.to_numpy()[0] - before in (1, 2)
        launch.update(x=rt.full(100, 1.0, "f32"))
        fresh.append(rt.full(100, 2.0, "f32"))


@pytest.mark.scaled
@pytest.mark.slow(but="vulkan")
@in_child
def test_interrupted_finalizer_leaves_nothing_behind(arch, basic, scaled):
    """Interrupt the finalizers of a view and a mapped copy: neither leaks its memory or the runtime."""
    sys.unraisablehook = lambda _: None
    things = make(arch, basic)

    def drop_views():
        with things.x.map() as view:
            view[...] = 1
        entered = things.x.map()
        entered.__enter__()
        del view, entered
        gc.collect()

    for _ in at_each_bytecode(drop_views, interrupt, at_most=scaled(50, 1000)):
        things.rt.allocate(64, host_read=True).close()
    things.x.close()
    things.rt.close()
    counts = object_counts()
    assert counts["runtimes"] == counts["views"] == 0, counts
