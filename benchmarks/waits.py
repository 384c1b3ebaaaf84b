"""The cost of a wait: on an idle runtime, after a launch, in a read, and for a returned value.

The launch is ``stored``, which writes eight bytes. Each run waits, so a batch of 50 has 50 waits. The variants:

idle              ``rt.wait()`` when nothing was launched
launch            ``launch()``, ``rt.wait()``
sequence_100      a sequence of 100 launches, ``rt.wait()``
read_N            ``memory.read(0, N)`` when nothing was launched
launch_read_N     ``launch()``, ``memory.read(0, N)``
call              ``value = kernel(a)``
result            ``launch()``, ``value = launch.result()``
event             ``launch()``, ``rt.record_event().wait()``; only in versions with events
library_...       on Vulkan and CUDA: the same, launched by the library
c_...             a C program: wait; launch and wait; launch, wait, map and copy
fence_polled      on Vulkan: submit an empty shader to the runtime's queue, poll ``vkGetFenceStatus``
fence_waited      the same with ``vkWaitForFences``
queue_waited      the same with ``vkQueueWaitIdle``
queue_idle        ``vkQueueWaitIdle`` when nothing was submitted
event_polled      on CUDA: launch an empty kernel on a stream, record an event, poll ``cuEventQuery``
event_waited      the same with ``cuEventSynchronize``
stream_waited     the same with ``cuStreamSynchronize``, without an event
fill_polled       ``event_polled`` with four bytes filled instead of a kernel
stream_idle       ``cuStreamSynchronize`` when the stream is empty
cupy_..., torch_  on CUDA: the same with CuPy's RawKernel, and with ``tensor.add_``
fluid/...         a step of the fluid of fluid.py, and with a read of four bytes after each tenth step (``_watched``)

``times_base`` is the median of the ratios to the base within the rounds: ``fence_polled``, ``event_polled``, or in C a
launch and wait. The fluid has no base.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from lib.harness import RECORDING_ARCHS, Bench, Child, Measure, Result, bench, options, statistics_of, take_turns
from taichi_aot import Runtime
from waits.drivers import VARIANTS as DRIVERS
from waits.drivers import compile_waits
from waits.others import NAMES as OTHERS

ARCHS = ("x64", "vulkan", "cuda", "opengl")
WAITS = ("launch", "launch_read_4", "launch_read_1024", "call", "result", "event")  # those with a budget
PACKAGE = ("idle", "sequence_100", "read_4", "read_1024", *WAITS)
LIBRARY = ("launch", "launch_read_4", "call")
IN_C = {"c_idle": "wait", "c_launch": "stored_waited", "c_launch_read_8": "stored"}
FLUID = ("sequence", "sequence_watched", "bound", "bound_watched")
BATCH = 50
IDLE_US = 2.0
TIMES_BASE = 1.5


def start(work: Bench, notes: list[str]) -> dict[str, Measure]:
    """Start the processes of all variants but the fluid's; add notes on those that cannot start."""
    variants: dict[str, Measure] = {}

    def add(child: Child, names: Mapping[str, str]) -> None:
        variants.update({title: partial(child.microseconds, name, BATCH) for title, name in names.items()})

    names = [*DRIVERS.get(work.arch, ()), *PACKAGE]
    if not hasattr(Runtime, "record_event"):
        names.remove("event")
    add(work.python("waits.variants"), {name: name for name in names})
    add(work.program(), IN_C)
    if work.arch in RECORDING_ARCHS:
        add(work.python("waits.variants", library=True), {f"library_{name}": name for name in LIBRARY})
    for package in ("cupy", "torch") if work.arch == "cuda" else ():
        child = work.start_if_possible(package, notes, "waits.others", package)
        if child is not None:
            add(child, {f"{package}_{name}": name for name in OTHERS})
    return variants


def fluid(work: Bench) -> dict[str, Measure]:
    child = work.python("throughput.fluid")
    return {f"fluid/{name}": partial(child.microseconds, name, BATCH) for name in FLUID}


def main() -> None:
    given = options("The cost of a wait.", rounds=40, archs=ARCHS)
    result = Result("waits", given.arch, "us")
    with bench(given.arch) as work:
        work.modules("launch")
        work.compile_program()
        if given.arch in DRIVERS:
            compile_waits(given.arch, work.folder)
        samples = take_turns(start(work, result.notes) | fluid(work), given.rounds, f"waits on {given.arch}")
    base = DRIVERS.get(given.arch, ("c_launch",))[0]
    result.notes.append(f"times_base: times as long as {base}")
    for name, times in samples.items():
        if name.startswith("fluid/"):
            result.add(name, times)
            continue
        ratios = [time / of_base for time, of_base in zip(times, samples[base], strict=True)]
        spread = statistics_of(ratios, "times_base")
        result.add(name, times, times_base=spread["times_base"], times_base_quartiles=spread["quartiles"])
    result.budget("idle", result.variants["idle"]["us"], IDLE_US, "us")
    for name in WAITS if given.arch in DRIVERS else ():
        if name in samples:
            result.budget(f"{name} over {base}", result.variants[name]["times_base"], TIMES_BASE, "times")
    result.print()
    result.write(given.json)


if __name__ == "__main__":
    main()
