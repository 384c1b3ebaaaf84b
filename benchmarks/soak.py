"""Soak: four threads perform random user operations for a long time; results must be exact, and memory must not grow.

    python benchmarks/soak.py --arch x64 --minutes 20

The kernels are those of the bundled demo, so this does not need the compiler. With masses of 1 or 0 and small integers
``move_grid`` computes exactly: numpy models each array, and comparisons are bit for bit. On GPU archs, if Taichi is
installed, a kernel on a field is compiled too: each thread counts in a row of its own.

A third of the time is warm-up. After it and at the end, the threads drop all objects, and the resident memory of the
process is measured: it may grow by 5 %. Some growth is the library's own; the load keeps it as small as for a user:

- each thread keeps a few arrays, and other libraries' memory is imported repeatedly from a few places, because a new
  address costs 27 bytes for the life of the process;
- a second runtime is created and closed only occasionally: on x64 each leaks 12 KiB;
- results are read occasionally, because launches without a wait pile up on Vulkan;
- on Vulkan the shared runtime is replaced every 20 seconds, and memory is measured when it is closed: until then,
  Mesa's lavapipe keeps 184 bytes for each launch. On x64 the same runtime stays open.

It exits with 1 if a check failed.

    python benchmarks/soak.py --arch x64 --minutes 2 --stress

makes the threads share their objects and close them under each other instead; see ``lib/stress.py``.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import importlib.util
import random
import sys
import tempfile
import threading
import time
import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from lib import stress
from taichi_aot import Arch, NotSupportedError, Runtime, library_version
from taichi_aot.demo.mpm88 import Fluid, module_bytes

THREADS = 4
MOST_GROWTH = 0.05
GRAVITY = 32.0  # an integer when multiplied by a time step of -1/32
TIME_STEP = -1 / 32
HOST = 1  # DLPack's number of the device
FEW = 12  # objects of each kind that a thread keeps
LIBC = ctypes.CDLL(None)
SIZES = (1, 3, 1000, 4096, 10_000, 65_536, 100_001, 1 << 20, (5 << 20) + 1)  # of memory, in bytes
CELLS = Path(__file__).parent / "lib" / "cells.py"
ROUND = 20.0  # seconds per runtime on archs whose library keeps memory for each launch


@dataclass(eq=False)  # arrays do not compare
class Piece:
    """A grid of a runtime, and its expected contents."""

    momentum: Any
    mass: Any
    model: np.ndarray[Any, Any]
    weight: float  # the mass of each cell
    launch: Any = None

    @classmethod
    def random(cls, rt: Runtime, dice: random.Random) -> Piece:
        shape = (dice.randint(1, 24), dice.randint(1, 24))
        model = numbers(dice, (*shape, 2))
        return cls(rt.asarray(model, elem_shape=2), rt.full(shape, 1.0, "f32"), model, 1.0)

    def moved(self, by: float) -> None:
        """Apply ``move_grid`` to the expected contents."""
        if not self.weight:
            self.model[:] = 0
        self.model[..., 1] += by

    def cleared(self) -> None:
        """Apply ``clear_grid`` to the expected contents."""
        self.model[:] = 0
        self.weight = 0.0

    def check(self) -> None:
        same(self.momentum.to_numpy(), self.model)

    def close(self) -> None:
        self.momentum.close()
        self.mass.close()


def numbers(dice: random.Random, shape: tuple[int, ...]) -> np.ndarray[Any, Any]:
    """Return small nonnegative integers as floats."""
    return np.random.default_rng(dice.getrandbits(32)).integers(0, 100, shape).astype(np.float32)


def same(found: Any, expected: Any) -> None:
    found, expected = np.ascontiguousarray(found), np.ascontiguousarray(expected)
    if found.tobytes() != expected.tobytes():
        where = np.flatnonzero(found.ravel() != expected.ravel())[:5]
        raise AssertionError(f"at {where}: {found.ravel()[where]} instead of {expected.ravel()[where]}")


def is_on_host(piece: Piece) -> bool:
    """Return whether views share the memory itself."""
    return piece.momentum.__dlpack_device__()[0] == HOST


def must_raise(error: type[Exception], use: Any) -> None:
    try:
        use()
    except error:
        return
    raise AssertionError(f"no {error.__name__}")


@dataclass
class Worker:
    """The operations of one thread on a runtime that all threads share."""

    seed: int
    rt: Runtime = field(init=False)
    module: Any = field(init=False)
    cells: Any = field(init=False)  # the module with a field, or None
    row: np.ndarray[Any, Any] = field(init=False)  # the expected contents of the thread's row
    dice: random.Random = field(init=False)
    pieces: list[Piece] = field(default_factory=list)
    views: list[tuple[Any, Piece, Any]] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    errors: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.dice = random.Random(self.seed)
        # Memory of numpy to import: a few places, as for a user.
        self.others = [numbers(self.dice, (n, n, 2)) for n in range(2, 2 + FEW)]

    def run(self, deadline: float) -> None:
        names, weights = zip(*OPERATIONS.items(), strict=True)
        while time.monotonic() < deadline and len(self.errors) < 10:
            (name,) = self.dice.choices(names, weights)
            try:
                getattr(self, name)()
            except Exception:
                self.errors.append(f"{name}, seed {self.seed}:\n{traceback.format_exc()}")
            self.counts[name] += 1

    def drop(self) -> None:
        self.pieces.clear()
        self.views.clear()

    def piece(self) -> Piece:
        """Return an existing piece or a new one."""
        if len(self.pieces) < FEW and (not self.pieces or self.dice.random() < 0.2):
            self.pieces.append(Piece.random(self.rt, self.dice))
        return self.dice.choice(self.pieces)

    def amount(self) -> float:
        return float(self.dice.randint(1, 4))

    def range_of(self, size: int) -> slice:
        begin = self.dice.randint(0, size)
        return slice(begin, self.dice.randint(begin, size))

    # Arrays.

    def allocate(self) -> None:
        if len(self.pieces) >= FEW:
            self.pieces.pop(self.dice.randrange(FEW))  # without closing it
        self.pieces.append(Piece.random(self.rt, self.dice))

    def close(self) -> None:
        piece = self.piece()
        viewed = any(other is piece for _, other, _ in self.views)
        if viewed and is_on_host(piece):
            must_raise(BufferError, piece.close)
            return
        piece.close()
        self.pieces.remove(piece)
        for use in (piece.momentum.to_numpy, lambda: self.module.kernels["clear_grid"](piece.momentum, piece.mass)):
            must_raise(ValueError, use)

    def read(self) -> None:
        self.piece().check()

    def write(self) -> None:
        piece = self.piece()
        piece.model[:] = numbers(self.dice, piece.model.shape)
        piece.momentum.write(piece.model)

    def map(self) -> None:
        piece = self.piece()
        with piece.momentum.map() as view:
            same(view, piece.model)
            view += 1
        piece.model += 1

    def view(self) -> None:
        """Keep a part of a view, and check one that was kept."""
        piece = self.piece()
        rows = self.range_of(len(piece.model))
        with piece.momentum.map() as view:
            self.views.append((view[rows, :, 1], piece, rows))
        if len(self.views) > FEW:
            self.views.pop(0)
        view, piece, rows = self.dice.choice(self.views)
        if is_on_host(piece):  # otherwise the view keeps the contents from when it was mapped
            self.rt.wait()
            same(view, piece.model[rows, :, 1])

    # Memory.

    def memory(self) -> None:
        size = self.dice.choice(SIZES)
        flags = {name: self.dice.random() < 0.5 for name in ("host_read", "host_write")}
        memory = self.rt.allocate(size, **flags)
        part = self.range_of(size)
        memory.fill(self.dice.randrange(256))
        data = self.dice.randbytes(part.stop - part.start)
        memory[part].write(data)
        same(np.frombuffer(memory[part].read(), np.uint8), np.frombuffer(data, np.uint8))
        if self.dice.random() < 0.5:
            memory.close()

    def copy(self) -> None:
        piece = self.piece()
        target = self.rt.empty(piece.momentum.shape, "f32", 2)
        target.copy_from(piece.momentum)
        piece.momentum = target
        piece.launch = None
        self.views = [kept for kept in self.views if kept[1] is not piece]

    def copy_part(self) -> None:
        first, second = self.piece(), self.piece()
        if first is second:
            must_raise(ValueError, lambda: first.momentum.memory.copy_from(second.momentum.memory))
            return
        part = self.range_of(min(first.model.size, second.model.size))
        into = slice(second.model.size - part.stop, second.model.size - part.start)  # in numbers of four bytes
        source, target = first.momentum.memory, second.momentum.memory
        target[4 * into.start : 4 * into.stop].copy_from(source[4 * part.start : 4 * part.stop])
        second.model.ravel()[into] = first.model.ravel()[part]

    def import_numpy(self) -> None:
        other = self.dice.choice(self.others)
        if not self.rt.arch.is_cpu:
            error = ValueError if self.rt.arch is Arch.CUDA else NotSupportedError
            must_raise(error, lambda: self.rt.from_dlpack(other))
            return
        mass = self.rt.full(other.shape[:2], 1.0, "f32")
        array = self.rt.from_dlpack(other, elem_shape=2)
        expected = other.copy()
        expected[..., 1] += 1
        self.module.kernels["move_grid"](TIME_STEP, GRAVITY, array, mass)
        same(other, expected)
        same(np.frombuffer(self.rt.import_memory(other).read(), np.float32), expected.ravel())
        other[:] = numbers(self.dice, other.shape)

    def export_numpy(self) -> None:
        piece = self.piece()
        if self.rt.arch.is_cpu:
            same(np.from_dlpack(piece.momentum), piece.model)
        same(np.asarray(piece.momentum), piece.model)

    def image(self) -> None:
        """Write, copy and read an image."""
        if self.rt.arch is not Arch.VULKAN:
            must_raise(NotSupportedError, lambda: self.rt.allocate_image((4, 4), "rg32f"))
            return
        piece = self.piece()
        height, width = piece.momentum.shape
        image = self.rt.allocate_image((width, height), "rg32f")
        image.copy_from(piece.momentum)
        same(image.to_numpy(), piece.model)
        rows = slice(height // 2, height)
        image[rows].write(piece.model[rows] + 1)
        piece.model[rows] += 1
        piece.momentum.copy_from(image)
        if self.dice.random() < 0.5:
            image.close()
            must_raise(ValueError, image.to_numpy)

    # Launches.

    def launch(self) -> None:
        piece, by = self.piece(), self.amount()
        if self.dice.random() < 0.5:
            self.module.kernels["move_grid"](by * TIME_STEP, GRAVITY, piece.momentum, piece.mass)
        else:
            named = {"momentum": piece.momentum, "mass": piece.mass}
            self.module.kernels["move_grid"](dt=TIME_STEP, gravity=by * GRAVITY, **named)
        piece.moved(by)

    def clear(self) -> None:
        piece = self.piece()
        self.module.kernels["clear_grid"](piece.momentum, piece.mass)
        piece.cleared()

    def bind(self) -> None:
        piece, by = self.piece(), self.amount()
        if piece.launch is None:
            kernel = self.module.kernels["move_grid"]
            piece.launch = kernel.bind(TIME_STEP, by * GRAVITY, piece.momentum, piece.mass)
        else:
            piece.launch.update(gravity=by * GRAVITY)
        for _ in range(self.dice.randint(1, 5)):
            piece.launch()
            piece.moved(by)

    def update(self) -> None:
        """Replace the array of a launch, and drop the old one."""
        piece = self.piece()
        self.bind_of(piece)
        fresh = Piece.random(self.rt, self.dice)
        piece.launch.update(momentum=fresh.momentum, mass=fresh.mass, gravity=GRAVITY)
        piece.launch()
        fresh.moved(1)
        fresh.launch = piece.launch
        self.pieces.remove(piece)
        self.pieces.append(fresh)

    def bind_of(self, piece: Piece) -> Any:
        if piece.launch is None:
            kernel = self.module.kernels["move_grid"]
            piece.launch = kernel.bind(TIME_STEP, GRAVITY, piece.momentum, piece.mass)
        return piece.launch

    def sequence(self) -> None:
        first, second = self.piece(), self.piece()
        repeat = self.dice.randint(0, 20)
        launches = [self.bind_of(first), self.bind_of(second)]
        # The gravity of iteration k, in units: 1 + k.
        self.rt.sequence(launches)(repeat, ramps={"gravity": (GRAVITY, GRAVITY), "dt": (TIME_STEP, 0)})
        for k in range(repeat):
            first.moved(1 + k)
            second.moved(1 + k)

    def count_in_field(self) -> None:
        """Add to a row of the field, alone and in a sequence."""
        if self.cells is None:
            return
        number, by, repeat = self.seed % THREADS, self.dice.randint(1, 4), self.dice.randint(1, 100)
        launch = self.cells.kernels["add"].bind(number, by)
        for _ in range(repeat):
            launch()
        self.rt.sequence([launch])(repeat)
        self.row += 2 * repeat * by * np.arange(self.row.size, dtype=np.int32)
        same(self.cells.fields["cells"].to_numpy()[number], self.row)

    def refused(self) -> None:
        piece = self.piece()
        move = self.module.kernels["move_grid"]
        must_raise(TypeError, lambda: move(TIME_STEP, GRAVITY, piece.mass, piece.momentum))
        must_raise(TypeError, lambda: move.bind(TIME_STEP, "1", piece.momentum, piece.mass))
        must_raise(KeyError, lambda: self.module.kernels["nothing"])
        must_raise(MemoryError, lambda: self.rt.allocate(1 << 60))
        must_raise(IndexError, lambda: piece.momentum.memory.read(1 << 30))

    def wait(self) -> None:
        self.rt.wait()

    def trim(self) -> None:
        piece = self.piece()  # of its own: the other threads may have none yet
        assert self.rt.memory_info().in_use >= piece.momentum.nbytes + piece.mass.nbytes
        assert self.rt.trim() >= 0
        piece.check()

    # Modules and runtimes.

    def load_module(self) -> None:
        module = self.rt.load_module(module_bytes(self.rt.arch))
        piece = self.piece()
        move = module.kernels["move_grid"]
        move(TIME_STEP, GRAVITY, piece.momentum, piece.mass)
        piece.moved(1)
        if self.dice.random() < 0.5:
            module.close()
            must_raise(ValueError, lambda: move(TIME_STEP, GRAVITY, piece.momentum, piece.mass))
            must_raise(ValueError, lambda: module.kernels["clear_grid"])

    def fluid(self) -> None:
        """Launch the demo's graph; its result depends on the order of additions."""
        fluid = Fluid(self.rt, 64)
        fluid.advance(3)
        x = fluid.x.to_numpy()
        if not (np.isfinite(x).all() and (x > 0).all() and (x < 1).all()):
            raise AssertionError(f"the fluid left its box: {x}")

    def second_runtime(self) -> None:
        rt = Runtime(self.rt.arch)
        piece = Piece.random(rt, self.dice)
        rt.load_module(module_bytes(rt.arch)).kernels["move_grid"](TIME_STEP, GRAVITY, piece.momentum, piece.mass)
        piece.moved(1)
        piece.check()
        moved = piece.momentum.to_numpy()
        copy = self.rt.empty(moved.shape[:2], "f32", 2)
        copy.copy_from(piece.momentum)
        same(copy.to_numpy(), moved)
        if self.dice.random() < 0.7:
            rt.close()
            must_raise(ValueError, piece.check)


# Relative frequencies.
OPERATIONS = {
    "allocate": 10,
    "close": 10,
    "read": 10,
    "write": 5,
    "map": 10,
    "view": 8,
    "memory": 8,
    "copy": 5,
    "copy_part": 8,
    "import_numpy": 8,
    "export_numpy": 5,
    "image": 5,
    "launch": 30,
    "clear": 3,
    "bind": 15,
    "update": 8,
    "sequence": 8,
    "count_in_field": 5,
    "refused": 3,
    "wait": 5,
    "trim": 2,
    "load_module": 1,
    "fluid": 1,
    "second_runtime": 0.02,
}


def resident(arch: Arch) -> int:
    """Return the resident memory of this process in bytes, after freeing as much as possible."""
    gc.collect()
    Runtime(arch).close()  # this destroys runtimes that were dropped in another thread
    gc.collect()
    if hasattr(LIBC, "malloc_trim"):
        LIBC.malloc_trim(0)
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def return_freed_memory() -> None:
    """Let glibc's malloc keep little memory for reuse; otherwise measurements differ by a tenth."""
    trim_threshold, mmap_threshold = -1, -3
    if hasattr(LIBC, "mallopt"):
        LIBC.mallopt(trim_threshold, 128 << 10)
        LIBC.mallopt(mmap_threshold, 128 << 10)


def module_with_a_field(arch: Arch) -> bytes | None:
    """Compile the module for an arch whose launches are recorded; None without the compiler."""
    if arch.is_cpu or importlib.util.find_spec("taichi") is None:
        return None
    from taichi_aot.build import build

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "cells.tcm"
        build(CELLS, path, archs=[arch])
        return path.read_bytes()


def run_threads(workers: list[Worker], rt: Runtime, deadline: float, bar: Any, with_field: bytes | None) -> None:
    cells = None if with_field is None else rt.load_module(with_field)  # before modules without fields
    module = rt.load_module(module_bytes(rt.arch))
    for worker in workers:
        worker.rt, worker.module, worker.cells = rt, module, cells
        worker.row = np.zeros(256, np.int32)
    threads = [threading.Thread(target=worker.run, args=(deadline,)) for worker in workers]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        begin = time.monotonic()
        time.sleep(0.2)
        bar.update(time.monotonic() - begin)
    for thread in threads:
        thread.join()
    for worker in workers:
        worker.drop()
    rt.wait()


def run_rounds(workers: list[Worker], arch: Arch, seconds: float, bar: Any, with_field: bytes | None) -> None:
    """Run the workers in rounds with a new runtime each."""
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        with Runtime(arch) as rt:
            run_threads(workers, rt, time.monotonic() + min(ROUND, left), bar, with_field)
        for worker in workers:
            del worker.rt, worker.module, worker.cells


def measure(workers: list[Worker], arch: Arch, minutes: float) -> tuple[int, int]:
    """Run, and return the resident memory after the warm-up and at the end."""
    warm, rest = 20 * minutes, 40 * minutes
    with_field = module_with_a_field(arch)
    with progress(warm + rest) as bar:
        if not arch.is_cpu:
            run_rounds(workers, arch, warm, bar, with_field)
            before = resident(arch)
            run_rounds(workers, arch, rest, bar, with_field)
            return before, resident(arch)
        with Runtime(arch) as rt:
            run_threads(workers, rt, time.monotonic() + warm, bar, with_field)
            before = resident(arch)
            run_threads(workers, rt, time.monotonic() + rest, bar, with_field)
            return before, resident(arch)


def progress(seconds: float) -> Any:
    try:
        from tqdm import tqdm
    except ImportError:
        return _NoBar()
    return tqdm(total=seconds, bar_format="{bar}| {n:.0f} of {total:.0f} s", disable=None)


class _NoBar:
    def update(self, by: float) -> None:
        pass

    def __enter__(self) -> _NoBar:
        return self

    def __exit__(self, *exc_info: object) -> None:
        pass


def soak(arch: Arch, minutes: float, seed: int) -> bool:
    """Run, print the table, and return whether all checks passed."""
    print(f"arch {arch}, library {'.'.join(map(str, library_version()))}, seeds {seed} to {seed + THREADS - 1}")
    workers = [Worker(seed + i) for i in range(THREADS)]
    start = resident(arch)
    warm, end = measure(workers, arch, minutes)
    counts = sum((worker.counts for worker in workers), Counter[str]())
    errors = [error for worker in workers for error in worker.errors]
    growth = end / warm - 1
    print_counts([*sorted(counts.items()), ("all operations", counts.total())], errors)
    for name, size in (("RSS at the start", start), ("RSS after warm-up", warm), ("RSS at the end", end)):
        print(f"{name:<24}{size / 2**20:>10,.1f} MiB")
    print(f"{'grown by':<24}{growth:>14.2%}")
    return not errors and growth <= MOST_GROWTH


def run_stress(arch: Arch, minutes: float, seed: int) -> bool:
    """Run the threads that share their objects, print the table, and return whether all checks passed."""
    print(f"arch {arch}, library {'.'.join(map(str, library_version()))}, seed {seed}, {stress.THREADS} threads")
    with progress(60 * minutes) as bar:
        counts, errors = stress.run(arch, 60 * minutes, seed, bar)
    rounds = counts.pop("rounds")
    print_counts([*sorted(counts.items()), ("all operations", counts.total()), ("rounds", rounds)], errors)
    return not errors


def print_counts(rows: list[tuple[str, int]], errors: list[str]) -> None:
    for name, count in [*rows, ("errors", len(errors))]:
        print(f"{name:<24}{count:>14,}")
    for error in errors[:5]:
        print(error, file=sys.stderr)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=1.0, help="how long; fractions too")
    parser.add_argument("--arch", type=Arch, default=Arch.X64, help="x64, vulkan or cuda")
    parser.add_argument("--seed", type=int, default=1, help="of the first thread")
    parser.add_argument("--stress", action="store_true", help="share all objects between threads that close them")
    options = parser.parse_args()
    return_freed_memory()
    run = run_stress if options.stress else soak
    return 0 if run(options.arch, options.minutes, options.seed) else 1


if __name__ == "__main__":
    sys.exit(main())
