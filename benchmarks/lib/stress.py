"""Threads that use the same objects while other threads close them; arrays must match the accepted launches exactly.

``soak.py --stress`` runs it. The kernel is ``move_grid`` of the bundled demo, which adds ``-dt * gravity`` to each cell
of `momentum` whose `mass` is 1. The numbers are small integers, so that all sums are exact. Each pair of `momentum` and
`mass` has its own pattern of masses, so that a launch which mixes two pairs is detected.

Each launch reports whether it was accepted, each sequence how far it got. At the end of a round, the sums in all
arrays, including closed ones, must equal the accepted launches. In every other round, the runtime is closed while the
threads run.
"""

from __future__ import annotations

import gc
import random
import re
import threading
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from taichi_aot import AotModule, Arch, Launch, NdArray, Runtime
from taichi_aot.demo.mpm88 import module_bytes

THREADS = 6
ROUND = 3.0  # seconds; sums stay below 2**24
SHAPE = (8, 8)
PAIRS = 4
SLOTS = 3
GRAVITY = 32.0  # one unit when multiplied by a time step of -1/32
TIME_STEP = -1 / 32
ROW = 1000  # numbers of a thread on the board
VICTIM = 3000  # numbers
REFUSED = re.compile("closed|mapped|live views")  # errors for objects that another thread has closed or maps
POSITION = re.compile(r"launch (\d+) \(move_grid\), iteration (\d+): ")


@contextmanager
def unless_closed() -> Iterator[None]:
    """Suppress errors for objects that another thread has closed or maps."""
    try:
        yield
    except (ValueError, BufferError) as error:
        if not REFUSED.search(str(error)):
            raise


class Pair:
    """A grid and its pattern of masses."""

    def __init__(self, rt: Runtime, dice: random.Random) -> None:
        self.has_mass = np.random.default_rng(dice.getrandbits(32)).random(SHAPE) < 0.5
        self.has_mass[0, 0] = True
        self.momentum = rt.zeros(SHAPE, "f32", 2)
        self.mass = rt.asarray(self.has_mass.astype(np.float32))

    def sum(self) -> int:
        """Return the added units; raise unless they are equal in all cells with mass."""
        found = self.momentum.to_numpy()
        units = found[..., 1][self.has_mass]
        if found[..., 0].any() or (units != units[0]).any():
            raise AssertionError(f"not the same in each cell with mass: {found.tolist()}")
        return int(units[0])


@dataclass
class Slot:
    """A launch that all threads use and update to different pairs."""

    module: AotModule
    launch: Launch
    units: int
    pair: Pair


class Group:
    """Slots and the pairs that they may use.

    Parameters
    ----------
    may_close : bool
        Whether threads close pairs. Only then, updates take turns, so that a pair is not in a slot when it is read for
        the last time.
    """

    def __init__(self, rt: Runtime, dice: random.Random, *, may_close: bool) -> None:
        self.rt = rt
        self.may_close = may_close
        self.guard: Any = threading.Lock() if may_close else nullcontext()
        self.pairs = [Pair(rt, dice) for _ in range(PAIRS)]
        self.slots = [self.new_slot(dice) for _ in range(SLOTS)]
        self.closed_sum = 0

    def new_slot(self, dice: random.Random) -> Slot:
        module = self.rt.load_module(module_bytes(self.rt.arch))
        pair, units = self.pairs[0], dice.randint(1, 3)
        launch = module.kernels["move_grid"].bind(TIME_STEP, units * GRAVITY, pair.momentum, pair.mass)
        return Slot(module, launch, units, pair)

    def sum(self) -> int:
        return self.closed_sum + sum(pair.sum() for pair in self.pairs)


class Shared:
    """The shared objects of one round."""

    def __init__(self, rt: Runtime, dice: random.Random) -> None:
        self.rt = rt
        self.groups = [Group(rt, dice, may_close=False), Group(rt, dice, may_close=True)]
        launches = [slot.launch for slot in self.groups[0].slots]
        self.sequence_units = [slot.units for slot in self.groups[0].slots]
        self.sequence = rt.sequence(launches)
        self.board = rt.zeros((THREADS, ROW), "i32")
        self.victims: list[tuple[NdArray, float]] = []


@dataclass
class Worker:
    """One thread."""

    number: int
    shared: Shared
    dice: random.Random
    accepted: list[int] = field(default_factory=lambda: [0, 0])  # units, by group
    row: int = 0  # the value in its row of the board
    kept: list[Any] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    errors: list[str] = field(default_factory=list)

    def run(self, deadline: float) -> None:
        names, weights = zip(*OPERATIONS.items(), strict=True)
        rt = self.shared.rt
        while time.monotonic() < deadline and not rt.closed and not self.errors:
            (name,) = self.dice.choices(names, weights)
            try:
                getattr(self, name)()
            except Exception as error:
                if not (rt.closed and isinstance(error, (ValueError, BufferError))):
                    self.errors.append(f"{name}, thread {self.number}:\n{traceback.format_exc()}")
            self.counts[name] += 1
        self.kept.clear()

    def pick(self) -> tuple[int, Slot]:
        group = self.dice.randrange(2)
        return group, self.dice.choice(self.shared.groups[group].slots)

    # Launches that all threads use and update.

    def launch(self) -> None:
        group, slot = self.pick()
        with unless_closed():
            slot.launch()
            self.accepted[group] += slot.units

    def sequence(self) -> None:
        """Run a sequence of a group's slots, with or without gravity as a stepped scalar."""
        group, first = self.pick()
        slots = [first, *self.dice.choices(self.shared.groups[group].slots, k=self.dice.randrange(3))]
        sequence = self.shared.rt.sequence(slot.launch for slot in slots)
        self.run_sequence(group, sequence, [slot.units for slot in slots])

    def shared_sequence(self) -> None:
        self.run_sequence(0, self.shared.sequence, self.shared.sequence_units)

    def run_sequence(self, group: int, sequence: Any, units: list[int]) -> None:
        repeat, first, step = self.dice.randrange(20), self.dice.randrange(4), self.dice.randrange(3)
        ramps = {"gravity": (first * GRAVITY, step * GRAVITY)} if self.dice.random() < 0.7 else None
        planned = [first + k * step if ramps else each for k in range(repeat) for each in units]
        try:
            sequence(repeat, ramps=ramps)
        except (ValueError, BufferError) as error:
            position = POSITION.match(str(error))
            if position is None or not REFUSED.search(str(error)):
                raise
            number, iteration = map(int, position.groups())
            planned = planned[: iteration * len(units) + number]
        self.accepted[group] += sum(planned)

    def update(self) -> None:
        number, slot = self.pick()
        group = self.shared.groups[number]
        with unless_closed(), group.guard:
            pair = self.dice.choice(group.pairs)
            slot.launch.update(momentum=pair.momentum, mass=pair.mass)
            slot.pair = pair

    def close_pair(self) -> None:
        group = self.shared.groups[1]
        fresh = Pair(self.shared.rt, self.dice)
        with group.guard:
            old = group.pairs.pop(self.dice.randrange(len(group.pairs)))
            group.pairs.append(fresh)
            for slot in group.slots:
                if slot.pair is old:
                    with unless_closed():
                        slot.launch.update(momentum=fresh.momentum, mass=fresh.mass)
                        slot.pair = fresh
            group.closed_sum += old.sum()
        with suppress(BufferError):  # another thread maps it
            old.momentum.close()
            old.mass.close()
            with suppress(ValueError):
                old.momentum.to_numpy()
                raise AssertionError("a closed array was read")

    def load_module(self) -> None:
        """Replace a launch, and close its module under the other threads."""
        group = self.shared.groups[1]
        with group.guard:
            fresh = group.new_slot(self.dice)
            old = group.slots.pop(self.dice.randrange(len(group.slots)))
            group.slots.append(fresh)
            old.module.close()
        with suppress(ValueError):
            old.launch()
            raise AssertionError("a kernel of a closed module was launched")

    # Memory that all threads use.

    def map(self) -> None:
        """Write this thread's row of the board, while other threads write theirs."""
        with self.shared.board.map() as view:
            row = view[self.number]
            if (row != self.row).any():
                raise AssertionError(f"the row held {row.tolist()}, not {self.row}")
            self.row = self.dice.getrandbits(30)
            row[:] = self.row

    def view_of_pair(self) -> None:
        """Keep views of arrays that other threads launch with and close."""
        _, slot = self.pick()
        with unless_closed(), slot.pair.momentum.map() as view:
            if view[..., 0].any():
                raise AssertionError(f"the kernel writes no first component: {view.tolist()}")
            self.kept.append(view)
        if len(self.kept) > 8:
            self.kept.pop(0)

    def new_victim(self) -> None:
        value = float(self.dice.randrange(1 << 20))
        self.shared.victims.append((self.shared.rt.full(VICTIM, value), value))
        if len(self.shared.victims) > 8:
            self.close_victim()

    def close_victim(self) -> None:
        with suppress(IndexError):
            array, _ = self.shared.victims.pop(0)
            with unless_closed():
                array.close()

    def use_victim(self) -> None:
        """Use an array that other threads may close; its numbers must all be equal."""
        try:
            array, value = self.dice.choice(self.shared.victims)
        except IndexError:
            return
        kind = self.dice.randrange(5)
        with unless_closed():
            if kind == 0:
                array.write(np.full(VICTIM, value, np.float32))
            elif kind == 1:
                array.fill(value)
            else:
                found = self.read_victim(array, kind)
                if (found != value).any():
                    raise AssertionError(f"an array of {value} held {np.unique(found)[:9].tolist()}")

    def read_victim(self, array: NdArray, kind: int) -> Any:
        if kind == 2:
            return array.to_numpy()
        if kind == 3:
            with array.map() as view:
                return view.copy()
        own = self.shared.rt.empty(VICTIM)
        own.copy_from(array)
        return own.to_numpy()

    # Garbage and the rest.

    def collect(self) -> None:
        """Create reference cycles with one of each object; the collector may find them in any thread."""
        rt = self.shared.rt
        cycle: list[Any] = [rt.full(self.dice.randrange(1, 5000), 1.0), self.shared.groups[0].new_slot(self.dice)]
        with cycle[0].map() as view:
            cycle.append(view)
        cycle.append(cycle)
        del cycle, view
        if self.dice.random() < 0.3:
            gc.collect()

    def wait(self) -> None:
        self.shared.rt.wait()

    def second_runtime(self) -> None:
        with Runtime(self.shared.rt.arch) as rt:
            pair = Pair(rt, self.dice)
            kernel = rt.load_module(module_bytes(rt.arch)).kernels["move_grid"]
            kernel(TIME_STEP, GRAVITY, pair.momentum, pair.mass)
            if pair.sum() != 1:
                raise AssertionError(f"{pair.sum()} instead of 1")


# Relative frequencies.
OPERATIONS = {
    "launch": 30,
    "sequence": 10,
    "shared_sequence": 10,
    "update": 20,
    "close_pair": 5,
    "load_module": 3,
    "map": 10,
    "view_of_pair": 5,
    "new_victim": 10,
    "close_victim": 5,
    "use_victim": 20,
    "collect": 3,
    "wait": 3,
    "second_runtime": 0.05,
}


def run_round(arch: Arch, seed: int, seconds: float, *, close_early: bool) -> tuple[Counter[str], list[str]]:
    """Run a round; return the counts of operations, and the errors."""
    rt = Runtime(arch)
    shared = Shared(rt, random.Random(seed))
    workers = [Worker(i, shared, random.Random(f"{seed} {i}")) for i in range(THREADS)]
    end = time.monotonic() + seconds
    threads = [threading.Thread(target=worker.run, args=(end,)) for worker in workers]
    for thread in threads:
        thread.start()
    if close_early:
        time.sleep(seconds / 2)
        rt.close()
    for thread in threads:
        thread.join()
    errors = [error for worker in workers for error in worker.errors]
    if not close_early and not errors:
        accepted = [sum(worker.accepted[i] for worker in workers) for i in range(2)]
        found = [group.sum() for group in shared.groups]
        if found != accepted:
            errors.append(f"{accepted} units were accepted, and the arrays hold {found}")
    rt.close()
    return sum((worker.counts for worker in workers), Counter[str]()), [f"seed {seed}: {error}" for error in errors]


def run(arch: Arch, seconds: float, seed: int, bar: Any) -> tuple[Counter[str], list[str]]:
    """Run rounds until the time is over or a check fails; return the counts of operations, and the errors."""
    counts: Counter[str] = Counter()
    errors: list[str] = []
    end = time.monotonic() + seconds
    while (left := end - time.monotonic()) > 0 and not errors:
        begin = time.monotonic()
        close_early = bool(counts["rounds"] % 2)
        more, errors = run_round(arch, seed + counts["rounds"], min(ROUND, left), close_early=close_early)
        counts += more
        counts["rounds"] += 1
        bar.update(time.monotonic() - begin)
    return counts, errors
