"""Sequences that a number ends, while something else ends them."""

from __future__ import annotations

from pathlib import Path

from helpers.objects import load_saxpy, make, wait_until_written
from helpers.threads import Background, assert_ended, assert_interrupted, run_together

from taichi_aot import Arch

ENDLESS = 10**12  # iterations: they take years


def close_the_number(arch: Arch, module: Path) -> None:
    """Close the number while a sequence runs that no launch uses it in."""
    things = make(arch, module)
    y, number = things.rt.zeros(100), things.rt.zeros(1)
    loop = things.rt.sequence([things.kernel.bind(1.0, things.x, y)]).until(number, above=1, check_every=3)
    thread = Background(loop, ENDLESS)
    wait_until_written(y)
    number.close()
    match = assert_ended(thread, r"the number of until\(\), iteration (\d+): the array is closed")
    before = y.to_numpy()[0]
    things.kernel(1.0, things.x, y)
    assert y.to_numpy()[0] == before + 1
    assert before < 1 << 24  # beyond that, floats cannot count
    assert int(match[1]) == before


def interrupt(arch: Arch, module: Path) -> None:
    """Interrupt a sequence that checks a number: no launch is made later."""
    things = make(arch, module)
    y, number = things.rt.zeros(100), things.rt.zeros(1)
    loop = things.rt.sequence([things.kernel.bind(1.0, things.x, y)]).until(number, above=1, check_every=50)
    assert_interrupted(lambda: loop(ENDLESS))
    before = y.to_numpy()[0]
    things.kernel(1.0, things.x, y)
    assert y.to_numpy()[0] - before == 1
    number.fill(2)
    assert loop(ENDLESS) == 50


def run_in_many_threads(arch: Arch, module: Path) -> None:
    """Run one sequence in threads, with updates and other calls between: each run ends at its bound."""
    rt, saxpy = load_saxpy(arch, module)
    ones, total = rt.full(1, 1.0, "f32"), rt.zeros(1)
    launch = saxpy.bind(1.0, ones, total)
    loop = rt.sequence([launch]).until(total, above=5000, check_every=10)
    made: list[int] = []

    def run() -> None:
        each = loop(ENDLESS)
        assert each.converged
        made.append(each)

    def update() -> None:
        for _ in range(50):
            launch.update(x=rt.full(1, 1.0, "f32"))
            assert rt.full(3, 2.0, "f32").to_numpy().sum() == 6

    run_together(run, run, run, update)
    assert len(made) == 3
    assert sum(made) == total.item()
    assert total.item() > 5000
