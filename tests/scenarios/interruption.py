"""Interrupt operations at any bytecode: they have done nothing or noted what they did."""

from __future__ import annotations

import gc
import sys

from helpers.tracing import at_each_bytecode, interrupt

from scenarios import ArchName
from scenarios.objects import make
from scenarios.reentrancy import assert_working, image_operations, light_operations, operations
from taichi_aot import object_counts


def interrupt_at_each_bytecode(arch: ArchName, module: str, which: str, at_most: str) -> None:
    """Interrupt an operation, or a group of light ones, at up to `at_most` bytecodes, then close everything."""
    sys.unraisablehook = lambda _: None  # finalizers may be interrupted too
    things = make(arch, module)
    if which == "light":
        calls = light_operations(arch, module, things)
    elif which == "images":
        calls = image_operations(things.rt, module)
    else:
        calls = {which: operations(arch, module, things)[which]}
    for name, operation in calls.items():
        print(name, flush=True)
        for _ in at_each_bytecode(operation, interrupt, at_most=int(at_most)):
            pass
        operation()
    things.x.fill(1)
    assert_working(things)
    things.rt.close()
    del things, calls, operation
    gc.collect()
    counts = object_counts()
    assert not any(counts.values()), counts


def interrupt_finalizers(arch: ArchName, module: str, at_most: str) -> None:
    """Interrupt the finalizers of a view and a mapped copy: neither leaks its memory or the runtime."""
    sys.unraisablehook = lambda _: None
    things = make(arch, module)

    def drop_views() -> None:
        with things.x.map() as view:
            view[...] = 1
        entered = things.x.map()
        entered.__enter__()
        del view, entered
        gc.collect()

    for _ in at_each_bytecode(drop_views, interrupt, at_most=int(at_most)):
        things.rt.allocate(64, host_read=True).close()
    things.x.close()
    things.rt.close()
    counts = object_counts()
    assert counts["runtimes"] == counts["views"] == 0, counts


def interrupt_an_update(arch: ArchName, module: str, at_most: str) -> None:
    """Interrupt an update: the launch has either the old or the new array, and keeps it alive."""
    sys.unraisablehook = lambda _: None  # finalizers may be interrupted too
    things = make(arch, module)
    rt, y = things.rt, things.rt.zeros(100)
    launch = things.kernel.bind(1.0, rt.full(100, 1.0, "f32"), y)
    fresh = [rt.full(100, 2.0, "f32")]
    for _ in at_each_bytecode(lambda: launch.update(x=fresh.pop()), interrupt, at_most=int(at_most)):
        gc.collect()
        rt.full(100, 1000.0, "f32")  # would reuse the memory of a freed array
        before = y.to_numpy()[0]
        launch()
        assert y.to_numpy()[0] - before in (1, 2)
        launch.update(x=rt.full(100, 1.0, "f32"))
        fresh.append(rt.full(100, 2.0, "f32"))
