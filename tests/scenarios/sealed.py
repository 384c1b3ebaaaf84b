"""Work while nothing can be imported and no file opened, and while recording fails."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from helpers.capi_arguments import array, f32
from helpers.inside import log_failed_closing
from helpers.objects import Objects, make
from helpers.operations import image_operations, light_operations
from helpers.sealed import sealed, without_imports

from taichi_aot import Arch, NdArray, Runtime, capi, function

TIMES = 140  # launches; enough to record an updated launch again
LONG = ("long sequence", "drop", "ramp", "checked sequence", "graphs")  # each launches as often
Forms = dict[str, tuple[Callable[[], object], int]]


def forms(things: Objects, y: NdArray) -> Forms:
    """Return every form of a launch, and how often it adds one to the numbers of an array."""
    rt, saxpy, graph, ones = things.rt, things.kernel, things.graph, things.x
    bound, bound_graph, updated = saxpy.bind(1.0, ones, y), graph.bind(1.0, ones, y), saxpy.bind(0.0, ones, y)
    sequence, stepped = rt.sequence([saxpy.bind(1.0, ones, y), bound_graph]), rt.sequence([saxpy.bind(0.0, ones, y)])
    updates = iter(range(TIMES))

    def update_and_launch() -> None:
        if next(updates) % 20 == 0:
            updated.update(a=1.0)
        updated()

    return {
        "call": (lambda: saxpy(1.0, ones, y), 1),
        "call by name": (lambda: saxpy(a=1.0, x=ones, y=y), 1),
        "graph": (lambda: graph(1.0, ones, y), 2),
        "bound": (bound, 1),
        "bound graph": (bound_graph, 2),
        "updated": (update_and_launch, 1),
        "sequence": (sequence, 3),
        "stepped": (lambda: stepped(ramps={"a": (1.0, 0.0)}), 1),
    }


def forms_of_the_c_api(things: Objects, y: NdArray) -> Forms:
    """Return the same with functions of the C-API."""
    rt, kernel, graph = things.rt.handle, things.kernel.handle, things.graph.handle
    arguments = [f32(1.0), *(array(each.memory, *each.shape) for each in (things.x, y))]
    named = [capi.TiNamedArgument(name, argument) for name, argument in zip("axy", arguments, strict=True)]
    return {
        "capi": (lambda: capi.launch_kernel(rt, kernel, arguments), 1),
        "capi graph": (lambda: capi.launch_compute_graph(rt, graph, named), 2),
    }


def create_and_close(arch: Arch) -> None:
    """Create, use and close a runtime in a process that has only imported the package."""
    with without_imports() as refused, Runtime(arch) as rt:
        assert rt.handle
        x = rt.asarray([1.0, 2.0])
        event = rt.record_event()
        rt.wait()
        assert event.done
        assert x.to_numpy().sum() == 3
    assert {*refused} <= {"taichi"}  # where the library may be


def launch_in_every_form(arch: Arch, module: Path) -> None:
    things = make(arch, module)
    y = things.rt.zeros(100)
    every = forms(things, y) | forms_of_the_c_api(things, y)
    for name, (launch, count) in every.items():
        before = y.to_numpy()[0]
        with sealed(arch) as refused:
            for _ in range(TIMES):
                launch()
            things.rt.wait()
            after = y.to_numpy()[0]
        assert refused == [], (name, refused)
        assert after - before == TIMES * count, name
    bound = every["bound"][0]
    assert repr(bound).endswith(("(recorded)>", "(native)>")) == (arch is not Arch.X64)


def use_everything(arch: Arch, module: Path) -> None:
    """Call everything that launches, copies, waits or releases, with a clean-up whose failure is logged."""
    things = make(arch, module)
    things.module.prefetch()
    x = things.rt.zeros(100)
    things.rt.sequence([things.module.kernels["saxpy"].bind(1.0, x, x)])  # the first one imports what they are
    calls = light_operations(arch, module, things)
    add, ones = function(module, "saxpy", out={"y": "x"}, arch=arch), np.ones(100, np.float32)
    add(1.0, ones)
    calls["function"] = lambda: add(1.0, ones)
    if arch is Arch.VULKAN:
        calls |= image_operations(things.rt, module)
    # What images need and Pillow are imported on first use, and so is what the numbers of memory need.
    for name in ("allocate_image", "image_from", "image.to_pil", "preview", "memory_info"):
        calls.pop(name, None)
    refused = {}
    for name, call in calls.items():
        with sealed(arch) as refused[name]:
            for _ in range(5 if name in LONG else TIMES):
                call()
    assert not any(refused.values()), {name: names for name, names in refused.items() if names}
    with sealed(arch):
        log_failed_closing()
