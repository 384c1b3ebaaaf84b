"""A random walk through the public API: a state machine of hypothesis, run where it may crash.

Every call returns or raises one of `ANSWERS`. Arrays with known numbers are compared bit by bit. Meanwhile a signal
handler and finalizers call the library again.
"""

from __future__ import annotations

import copy
import gc
import pickle
import signal
import threading
import time
import warnings
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from helpers.dlpack import Producer
from helpers.objects import assert_nothing_left
from helpers.threads import run_together
from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test

from scenarios import ArchName
from taichi_aot import Event, Image, ImageLayout, NdArray, Runtime, TaichiError, object_counts
from taichi_aot.interop import vulkan

ANSWERS = (
    TaichiError,
    TypeError,
    ValueError,
    OverflowError,
    LookupError,
    BufferError,
    MemoryError,
    AttributeError,
    FileNotFoundError,
    IsADirectoryError,
)
WALKS = 6  # per seed; the first walk is the shortest possible
SIZES = (0, 1, 3, 100)
INDEX = st.integers(0, 1 << 20)  # picks one object of any number of them

# Arguments passed by mistake or on purpose.
HOSTILE: list[Any] = [
    None,
    -1,
    0,
    2**31,
    2**63,
    10**4000,
    1.5,
    float("nan"),
    "x",
    "",
    b"",
    b"PK\x03\x04",
    bytearray(3),
    memoryview(b"abc"),
    object(),
    [],
    [1, [2]],
    {},
    (2**40, 2**40),
    (1,) * 40,
    np.float64(1e300),
    np.array(["a"]),
    np.array([None]),
    np.zeros((3, 2)),
    np.zeros((2, 2), "f4").T,
    np.ma.masked_array([1.0], [True]),
    np.zeros(3, [("a", "f4")]),
    np.zeros(3, ">f4"),
    np.zeros(3, "c8"),
    Producer(),
    Producer(ndim=-1),
    Producer(data=None),
    Producer(byte_offset=2**63),
    Runtime,
    NdArray,
    Image,
]
FORMAT = st.sampled_from(("r8", "rgba8", "r32f", "rgba16f", "depth32f"))
PICTURE = st.sampled_from((np.zeros((3, 4), "u1"), np.zeros((4, 3, 3), "u1"), np.zeros((3, 4, 2), "f4")))
VALUE = st.integers(0, len(HOSTILE) - 1).map(HOSTILE.__getitem__)


@dataclass(eq=False)
class Known:
    """An array or image, and its numbers if known."""

    array: Any
    numbers: np.ndarray[Any, Any] | None = None


@dataclass
class World:
    """Everything that a walk holds."""

    runtimes: list[Runtime] = field(default_factory=list)
    arrays: list[Known] = field(default_factory=list)
    images: list[Known] = field(default_factory=list)
    scratch: list[Any] = field(default_factory=list)  # arrays and memories with any contents
    modules: list[Any] = field(default_factory=list)
    launches: list[Any] = field(default_factory=list)
    events: list[Any] = field(default_factory=list)
    kept: list[Any] = field(default_factory=list)  # views, capsules, exceptions


class CallsAgain:
    """Use and close an array when the garbage collector finds this."""

    def __init__(self, array: Any) -> None:
        self.array = array
        self.cycle = self

    def __del__(self) -> None:
        with suppress(RuntimeError, *ANSWERS):
            self.array.to_numpy()
            self.array.close()


def having(*kinds: str) -> Callable[[Any], Any]:
    """Let a rule run only if the walk holds objects of these kinds."""
    return precondition(lambda self: all(getattr(self.world, kind) for kind in kinds))


class Walk(RuleBasedStateMachine):
    """One walk; class attributes state the arch and module."""

    arch: ArchName
    module = ""
    counts: ClassVar[Counter[str]] = Counter()

    def __init__(self) -> None:
        super().__init__()
        self.world = World()
        self.world.runtimes.append(Runtime(self.arch))
        self.own = self.world.runtimes[0].full(4, 7.0)
        signal.signal(signal.SIGALRM, self.on_signal)
        signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)

    def on_signal(self, *_: object) -> None:
        """Do what a user's handler may do, at any bytecode."""
        with suppress(RuntimeError, *ANSWERS):
            assert self.own.closed or self.own.to_numpy().tolist() == [7] * 4
            self.world.runtimes[0].zeros(3).close()

    # Helpers.

    def attempt(self, call: Callable[[], Any]) -> Any:
        """Return a call's result or exception, and keep it for a while."""
        try:
            result = call()
        except ANSWERS as error:
            result = error
        self.counts["raised" if isinstance(result, Exception) else "returned"] += 1
        self.world.kept.append(result)
        del self.world.kept[:-20]
        return result

    def add(self, things: list[Any], call: Callable[[], Any]) -> None:
        """Add what a call returns to the objects of the walk, unless it raises."""
        made = self.attempt(call)
        if not isinstance(made, Exception):
            things.append(made)

    def pick(self, things: list[Any], i: int) -> Any:
        return things[i % len(things)]

    def thing(self, i: int) -> Any:
        """Draw any object of the walk."""
        world = self.world
        arrays = [known.array for known in (*world.arrays, *world.images)]
        return self.pick([*world.runtimes, *arrays, *world.scratch, *world.modules, *world.launches, *world.events], i)

    # Objects.

    @precondition(lambda self: len(self.world.runtimes) < 3)
    @rule()
    def new_runtime(self) -> None:
        self.world.runtimes.append(Runtime(self.arch))

    @rule(i=INDEX, size=st.sampled_from(SIZES), value=st.integers(0, 100), how=st.integers(0, 2))
    def new_array(self, i: int, size: int, value: int, how: int) -> None:
        rt, numbers = self.pick(self.world.runtimes, i), np.full(size, value, np.float32)
        if rt.closed:
            return
        calls = (lambda: rt.asarray(numbers), lambda: rt.full(size, value), lambda: rt.full(size, float(value), "f32"))
        self.world.arrays.append(Known(calls[how](), numbers))

    @rule(i=INDEX, shape=VALUE, dtype=VALUE, elem_shape=VALUE, how=st.integers(0, 7))
    def new_hostile(self, i: int, shape: Any, dtype: Any, elem_shape: Any, how: int) -> None:
        rt = self.pick(self.world.runtimes, i)
        calls = (
            lambda: rt.empty(shape, "f32"),
            lambda: rt.zeros(3, dtype),
            lambda: rt.full((2,), shape, "i16", elem_shape),
            lambda: rt.asarray(shape),
            lambda: rt.asarray(shape, "u8", elem_shape),
            lambda: rt.allocate(shape if not isinstance(shape, int) else min(shape, 1 << 20), host_read=True),
            lambda: rt.from_dlpack(shape, elem_shape),
            lambda: rt.import_memory(shape),
        )
        self.attempt(calls[how])

    @rule(i=INDEX, size=st.sampled_from((1, 5, 4096)), read=st.booleans(), write=st.booleans())
    def new_memory(self, i: int, size: int, read: bool, write: bool) -> None:
        rt = self.pick(self.world.runtimes, i)
        self.add(self.world.scratch, lambda: rt.allocate(size, host_read=read, host_write=write))

    @rule(i=INDEX, source=st.one_of(st.just(None), VALUE))
    def load_module(self, i: int, source: Any) -> None:
        rt = self.pick(self.world.runtimes, i)
        self.add(self.world.modules, lambda: rt.load_module(self.module if source is None else source))

    @rule(i=INDEX)
    def close(self, i: int) -> None:
        thing = self.thing(i)
        if hasattr(thing, "close"):
            self.attempt(thing.close)
            self.attempt(thing.close)

    @having("arrays")
    @rule(i=INDEX, cycle=st.booleans())
    def drop_array(self, i: int, cycle: bool) -> None:
        known = self.world.arrays.pop(i % len(self.world.arrays))
        if cycle:
            CallsAgain(known.array)
            gc.collect()

    @rule()
    def drop_kept(self) -> None:
        self.world.kept.clear()

    # Contents.

    @having("arrays")
    @rule(i=INDEX)
    def read(self, i: int) -> None:
        self.check(self.pick(self.world.arrays, i))

    def check(self, known: Known) -> None:
        if known.array.closed:
            assert isinstance(self.attempt(known.array.to_numpy), ValueError)
        elif known.numbers is not None:
            assert known.array.to_numpy().tobytes() == known.numbers.tobytes()

    @having("arrays")
    @rule(i=INDEX, value=st.integers(0, 100), how=st.integers(0, 3))
    def write(self, i: int, value: int, how: int) -> None:
        known = self.pick(self.world.arrays, i)
        if known.array.closed or known.numbers is None:
            return
        known.numbers = np.full_like(known.numbers, value)
        if how == 0:
            known.array.write(known.numbers)
        elif how == 1:
            known.array.fill(value)
        elif how == 2:
            self.write_in_parts(known.array, value)
        else:
            with known.array.map() as view:
                view[...] = value
                self.world.kept.append(view)

    def write_in_parts(self, array: NdArray, value: int) -> None:
        if array.ndim == 0:
            array.memory.ndarray((), array.data_type, array.elem_shape).fill(value)
            return
        half = len(array) // 2
        array[:half].fill(value)
        array[half:].write(np.full(array[half:].to_numpy().shape, value, array.dtype))

    @having("arrays")
    @rule(i=INDEX, value=VALUE, how=st.integers(0, 12))
    def write_hostile(self, i: int, value: Any, how: int) -> None:
        known = self.pick(self.world.arrays, i)
        array, known.numbers = known.array, None
        calls = (
            lambda: array.write(value),
            lambda: array.fill(value),
            lambda: array.to_numpy(value),
            lambda: array.copy_from(value),
            lambda: array.memory.write(value),
            lambda: array.memory.read(value, 2),
            lambda: array.memory[value:].fill(value),
            lambda: array.memory.write(b"ab", value),
            lambda: array.memory.ndarray(value, "f32").fill(1),
            lambda: array.memory.ndarray(2, "i8", offset=value).fill(1),
            lambda: array[value:].fill(1),
            lambda: array[0:2].write(value),
            lambda: array.__dlpack__(stream=value, dl_device=value, copy=value, max_version=value),
        )
        self.attempt(calls[how])

    @having("arrays")
    @rule(i=INDEX, j=INDEX)
    def copy_from(self, i: int, j: int) -> None:
        target, source = self.pick(self.world.arrays, i), self.pick(self.world.arrays, j)
        if not isinstance(self.attempt(lambda: target.array.copy_from(source.array)), Exception):
            target.numbers = None if source.numbers is None else source.numbers.copy()

    @having("arrays")
    @rule(i=INDEX, enter=st.booleans(), how=st.integers(0, 4))
    def share(self, i: int, enter: bool, how: int) -> None:
        """Keep views and capsules, and enter contexts without leaving them."""
        known = self.pick(self.world.arrays, i)
        array = known.array
        if how in (0, 4) and array.__dlpack_device__()[0] != 1:  # a copy, written back when dropped
            known.numbers = None
        calls = (
            lambda: array.map().__enter__() if enter else array.map(),
            lambda: np.from_dlpack(array),
            lambda: np.asarray(array),
            lambda: array.__dlpack__(),
            lambda: array.memory.map().__enter__(),
        )
        self.attempt(calls[how])

    @precondition(lambda self: any(not thing.closed for thing in self.world.scratch))
    @rule(i=INDEX, begin=st.integers(-3, 5000), end=st.integers(-3, 5000), data=st.binary(max_size=9))
    def memory(self, i: int, begin: int, end: int, data: bytes) -> None:
        memory = self.pick(self.world.scratch, i)
        part = self.attempt(lambda: memory[begin:end])
        if isinstance(part, Exception):
            return
        if not isinstance(self.attempt(lambda: part.write(data)), Exception):
            assert part.read(0, len(data)) == data
        self.attempt(lambda: part.copy_from(memory[: end - begin]))
        self.attempt(lambda: part.fill(end))

    # Images.

    @precondition(lambda self: len(self.world.images) < 8)
    @rule(i=INDEX, extent=st.one_of(st.sampled_from([4, (4, 3), (2, 3, 4)]), VALUE), format=st.one_of(FORMAT, VALUE))
    def new_image(self, i: int, extent: Any, format: Any) -> None:
        rt = self.pick(self.world.runtimes, i)
        self.add(self.world.images, lambda: Known(rt.allocate_image(extent, format)))

    @precondition(lambda self: len(self.world.images) < 8)
    @rule(i=INDEX, picture=st.one_of(PICTURE, VALUE))
    def image_from(self, i: int, picture: Any) -> None:
        rt = self.pick(self.world.runtimes, i)
        self.add(self.world.images, lambda: Known(rt.image_from(picture)))

    @having("images")
    @rule(i=INDEX)
    def show_image(self, i: int) -> None:
        image = self.pick(self.world.images, i).array
        self.attempt(lambda: image.to_pil())
        self.attempt(lambda: image._repr_png_())

    @having("images")
    @rule(i=INDEX, value=st.integers(0, 100), whole=st.booleans())
    def write_image(self, i: int, value: int, whole: bool) -> None:
        known = self.pick(self.world.images, i)
        image = known.array
        if image.closed:
            return
        known.numbers = image.to_numpy() if known.numbers is None else known.numbers
        part = slice(None) if whole else slice(1, 2)
        known.numbers[part] = value
        image[part].write(known.numbers[part])
        self.check(known)

    @having("images")
    @rule(i=INDEX, j=INDEX, k=INDEX, how=st.integers(0, 4))
    def copy_image(self, i: int, j: int, k: int, how: int) -> None:
        target, source = self.pick(self.world.images, i), self.pick(self.world.images, j)
        thing = self.thing(k)
        calls = (
            lambda: target.array.copy_from(source.array),
            lambda: target.array[1:2].copy_from(source.array[:1]),
            lambda: target.array.copy_from(thing),
            lambda: thing.copy_from(source.array),
            lambda: target.array[:1].copy_from(target.array[1:2]),
        )
        self.attempt(calls[how])
        self.forget_numbers()

    @having("images")
    @rule(i=INDEX, value=VALUE, layout=st.sampled_from((*ImageLayout, 11, None)), how=st.integers(0, 8))
    def use_image_hostile(self, i: int, value: Any, layout: Any, how: int) -> None:
        known = self.pick(self.world.images, i)
        image, known.numbers = known.array, None
        calls = (
            lambda: image.write(value),
            lambda: image.to_numpy(value),
            lambda: image[value],
            lambda: image[value:, :value],
            lambda: image.copy_from(value),
            lambda: image.texture(sampler=value),
            lambda: image.transition(layout),
            lambda: image.track(layout),
            lambda: np.asarray(image),
        )
        self.attempt(calls[how])

    @having("images")
    @rule(i=INDEX)
    def drop_image(self, i: int) -> None:
        self.world.images.pop(i % len(self.world.images))

    # Launches.

    @having("modules", "arrays")
    @rule(i=INDEX, j=INDEX, k=INDEX, a=st.integers(0, 3), how=st.integers(0, 2))
    def launch(self, i: int, j: int, k: int, a: int, how: int) -> None:
        module = self.pick(self.world.modules, i)
        x, y = self.pick(self.world.arrays, j), self.pick(self.world.arrays, k)
        if x.array.size < y.array.size:
            return  # the kernel itself must not index out of range
        kernel = self.attempt(lambda: module.kernels["saxpy"] if how else module.graphs["twice"])
        if isinstance(kernel, Exception):
            return
        if how == 2:
            launch = self.attempt(lambda: kernel.bind(a, x.array, y.array))
            if isinstance(launch, Exception):
                return
            self.world.launches.append(launch)
            del self.world.launches[:-5]
            done = self.attempt(launch)
        else:
            done = self.attempt(lambda: kernel(a, x.array, y.array))
        if isinstance(done, Exception):
            return
        assert not any(thing.closed for thing in (x.array, y.array, module))
        known = x.numbers is not None and y.numbers is not None
        for _ in range(1 if how else 2):
            y.numbers = y.numbers + np.float32(a) * x.numbers[: len(y.numbers)] if known else None

    @having("modules")
    @rule(i=INDEX, name=st.sampled_from(("saxpy", "iota", "store", "answer", "twice", "")), arguments=st.lists(VALUE))
    def launch_hostile(self, i: int, name: str, arguments: list[Any]) -> None:
        module = self.pick(self.world.modules, i)
        kernel = self.attempt(lambda: module.kernels[name])
        if not isinstance(kernel, Exception):
            self.attempt(lambda: kernel.bind(*arguments))
            self.attempt(lambda: kernel.rename(*arguments))
            self.attempt(lambda: kernel(*arguments, x=arguments))

    @having("launches")
    @rule(i=INDEX, name=st.sampled_from(("a", "x", "y", "arg0", "")), value=VALUE)
    def update_hostile(self, i: int, name: str, value: Any) -> None:
        launch = self.pick(self.world.launches, i)
        self.attempt(lambda: launch.update(**{name: value}))
        self.forget_numbers()

    @having("launches")
    @rule(i=INDEX, repeat=st.sampled_from((0, 1, 5, -1, 2**63, None)), ramps=st.one_of(st.none(), VALUE), of=VALUE)
    def sequence(self, i: int, repeat: Any, ramps: Any, of: Any) -> None:
        rt = self.pick(self.world.runtimes, i)
        self.forget_numbers()
        self.attempt(lambda: rt.sequence([of]))
        for launch in self.world.launches:
            sequence = self.attempt(lambda launch=launch: rt.sequence([launch, launch]))  # type: ignore[misc]
            if not isinstance(sequence, Exception):
                self.attempt(lambda sequence=sequence: sequence(repeat))  # type: ignore[misc]
                self.attempt(lambda sequence=sequence: sequence(2, ramps=ramps))  # type: ignore[misc]
                self.attempt(lambda sequence=sequence: sequence(3, ramps={"a": (ramps, 1.0)}))  # type: ignore[misc]
                self.attempt(lambda sequence=sequence: sequence(3, ramps={(0, "a"): (0.0, 1.0)}))  # type: ignore[misc]

    def forget_numbers(self) -> None:
        for known in (*self.world.arrays, *self.world.images):
            known.numbers = None

    # Events.

    @rule(i=INDEX)
    def new_event(self, i: int) -> None:
        event = self.attempt(self.pick(self.world.runtimes, i).record_event)
        if isinstance(event, Event):
            self.world.events.append(event)
            del self.world.events[:-5]

    @having("events")
    @rule(i=INDEX, j=INDEX, timeout=st.one_of(st.none(), VALUE))
    def use_event(self, i: int, j: int, timeout: Any) -> None:
        first, second = self.pick(self.world.events, i), self.pick(self.world.events, j)
        waited = self.attempt(lambda: first.wait(timeout))
        if waited is None:
            assert self.attempt(lambda: first.done) is True
        self.attempt(lambda: first.elapsed(second))

    # Everything else.

    @rule(i=INDEX, name=st.sampled_from(("shape", "closed", "_handle", "runtime", "size", "_c")), value=VALUE)
    def misuse(self, i: int, name: str, value: Any) -> None:
        """Set public attributes, copy, pickle, initialize again, or make an empty object."""
        thing = self.thing(i)
        if not name.startswith("_"):
            assert isinstance(self.attempt(lambda: setattr(thing, name, value)), AttributeError)
        for call in (copy.copy, copy.deepcopy, pickle.dumps):
            assert isinstance(self.attempt(lambda call=call: call(thing)), TypeError)  # type: ignore[misc]
        assert isinstance(self.attempt(lambda: type(thing).__init__(thing, value)), TypeError)
        empty = object.__new__(type(thing))
        for name in ("__repr__", "__len__", "close", "to_numpy", "wait"):
            self.attempt(lambda name=name: getattr(empty, name)())  # type: ignore[misc]

    @rule(i=INDEX, j=INDEX)
    def in_threads(self, i: int, j: int) -> None:
        """Use and close two objects at once."""
        first, second = self.thing(i), self.thing(j)
        self.forget_numbers()

        def use(thing: Any, name: str) -> None:
            with suppress(*ANSWERS):
                getattr(thing, name)()

        names = ("to_numpy", "wait", "read", "close")
        run_together(
            *(lambda thing=thing, name=name: use(thing, name) for thing in (first, second) for name in names[:2]),
            lambda: use(second, "read"),
            lambda: use(first, "close"),
        )

    @precondition(lambda self: self.arch == "vulkan")
    @rule(i=INDEX, value=VALUE)
    def interop(self, i: int, value: Any) -> None:
        thing = self.thing(i)
        rt = self.pick(self.world.runtimes, i)
        info = self.attempt(lambda: vulkan.export_memory(thing))
        frame = self.attempt(lambda: vulkan.export_image(thing, ImageLayout.SHADER_READ))
        self.attempt(lambda: vulkan.import_image(rt, frame, ImageLayout.SHADER_READ))
        self.attempt(lambda: vulkan.import_memory(rt, value))
        self.attempt(lambda: vulkan.export_runtime(thing))
        if not isinstance(info, Exception) and rt is thing.runtime:
            self.attempt(lambda: vulkan.import_memory(rt, info))
            self.attempt(lambda: vulkan.import_ndarray(rt, info, value, "f32"))

    @rule(i=INDEX)
    def look(self, i: int) -> None:
        thing, rt = self.thing(i), self.pick(self.world.runtimes, i)
        repr(thing), getattr(thing, "closed", None), object_counts()
        for call in (rt.wait, rt.flush, rt.memory_info, rt.trim):
            self.attempt(call)

    def close_all(self) -> None:
        """Check and close all. A function of its own, whose variables do not keep the last ones."""
        for known in (*self.world.arrays, *self.world.images):
            self.check(known)
        for rt in self.world.runtimes:
            rt.close()

    def teardown(self) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        self.close_all()
        self.world = World()
        del self.own
        assert_nothing_left()


def walk(arch: ArchName, module: str, first_seed: str, seconds: str) -> None:
    """Run walks of up to 100 steps, `WALKS` per seed, for a given time; print each seed first."""
    warnings.simplefilter("ignore")
    assert Path(module).exists()
    Walk.arch, Walk.module = arch, module
    options = settings(
        max_examples=WALKS,
        stateful_step_count=100,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        print_blob=False,
    )
    number, end = int(first_seed), time.monotonic() + float(seconds)
    while time.monotonic() < end:
        print("seed", number, flush=True)
        run_state_machine_as_test(seed(number)(Walk), settings=options)
        number += 1
        assert threading.active_count() == 1
    made = WALKS * (number - int(first_seed))
    print(made, "walks,", Walk.counts["returned"], "returns,", Walk.counts["raised"], "exceptions")
