"""Use fields in signal handlers, after Ctrl-C at any bytecode, in threads, and in every form of launch."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numpy as np
from helpers.objects import assert_nothing_left
from helpers.threads import run_together
from helpers.tracing import at_each_bytecode, at_every_bytecode, interrupt

from scenarios import ArchName
from taichi_aot import AotModule, Runtime

LAUNCHES = 70  # the 65th of one launch is recorded


def operations(module: AotModule, source: str) -> dict[str, Callable[[], object]]:
    """Return a call of every field operation; ``v`` holds ones before and after."""
    v, ones = module.fields["v"], np.ones((4, 4, 3), np.float32)
    array, out = module.runtime.full((4, 4), 1.0, "f32", 3), np.empty((4, 4, 3), np.float32)

    def load() -> None:
        loaded = module.runtime.load_module(source)
        assert loaded.fields.v.shape == (4, 4)
        loaded.close()

    return {
        "write": lambda: v.write(ones),
        "to_numpy": v.to_numpy,
        "to_numpy(out)": lambda: v.to_numpy(out),
        "numpy": lambda: np.asarray(v),
        "fill": lambda: v.fill(1),
        "copy_to": lambda: v.copy_to(array),
        "copy_from": lambda: v.copy_from(array),
        "load": load,
    }


def use_fields_at_every_bytecode(arch: ArchName, source: str) -> None:
    with Runtime(arch) as rt:
        module = rt.load_module(source)
        v, steps = module.fields["v"], module.fields["steps"]
        v.fill(1)
        steps.fill(7)

        def use() -> None:
            with suppress(RuntimeError):  # refused inside another call
                assert steps.to_numpy() == 7

        for name, operation in operations(module, source).items():
            print(name, flush=True)
            with at_every_bytecode(use):
                operation()
        assert (v.to_numpy() == 1).all()


def interrupt_fields_at_each_bytecode(arch: ArchName, source: str) -> None:
    sys.unraisablehook = lambda _: None  # finalizers may be interrupted too
    rt = Runtime(arch)
    module = rt.load_module(source)
    v = module.fields["v"]
    v.fill(1)
    calls = operations(module, source)
    for name, operation in calls.items():
        print(name, flush=True)
        for _ in at_each_bytecode(operation, interrupt, at_most=500):
            pass
        operation()
    assert (v.to_numpy() == 1).all()
    rt.close()
    del module, v, calls, operation
    assert_nothing_left()


def use_fields_in_threads(arch: ArchName, source: str) -> None:
    """Read and write a field in threads: a read sees exactly one write, because one launch copies the whole field."""
    with Runtime(arch) as rt:
        module = rt.load_module(source)
        v, steps = module.fields["v"], module.fields["steps"]

        def write(value: int) -> None:
            for _ in range(100):
                v.write(np.full((4, 4, 3), value, np.float32))
                v.fill(value + 1)

        def read() -> None:
            for _ in range(100):
                assert len(np.unique(v.to_numpy())) == 1

        def count() -> None:
            for i in range(100):
                steps.write(i)
                assert steps.to_numpy() == i

        run_together(lambda: write(10), lambda: write(20), read, read, count)


def use_a_field_of_another_shape(source: str) -> None:
    """Use a field whose description states a wrong shape: the common part is copied, and nothing outside the array."""
    with Runtime("x64") as rt:
        v = rt.load_module(source).fields["v"]
        around = [rt.full(v.shape, 7, "f32", 3) for _ in range(20)]
        array = rt.zeros(v.shape, "f32", 3)
        data = np.arange(np.prod((*v.shape, 3)), dtype=np.float32).reshape(*v.shape, 3)
        v.write(data)
        v.copy_to(array)
        inside = tuple(slice(0, 4) for _ in v.shape)
        np.testing.assert_array_equal(array.to_numpy()[inside], data[inside])
        assert all((other.to_numpy() == 7).all() for other in around)


def launch_in_every_form(arch: ArchName, source: str) -> None:
    """Change fields by bound launches, sequences, calls and the host, and print what they hold in between.

    The first line says how the kernels are launched.
    """
    with Runtime(arch) as rt:
        module = rt.load_module(source)
        kernels, fields = module.kernels, module.fields
        x = rt.asarray(np.arange(300, dtype=np.int32))
        arguments: dict[str, list[Any]] = {
            "advance": [2],
            "slow": [0.25],
            "collect": [300, x],
            "give": [x],
            "sum_row": [3],
        }
        launches = {name: kernel.bind(*arguments.get(name, [])) for name, kernel in kernels.items()}
        ways = {kernel.recording for kernel in kernels.values()}
        print(*ways)

        def show() -> None:
            held = [*(field.to_numpy() for field in fields.values()), x.to_numpy()]
            print(*(hashlib.sha256(array.tobytes()).hexdigest()[:12] for array in held), kernels["sum_row"](3))

        for launch in launches.values():
            for _ in range(LAUNCHES):
                launch()
            show()
        sequence = rt.sequence(list(launches.values()))
        for turn in range(3):
            sequence(LAUNCHES)
            fields["grid"].write(np.arange(600, dtype=np.int32).reshape(6, 100) + turn)
            kernels["advance"](turn)
            show()
            launches["advance"].update(n=turn)
            launches["collect"].update(n=10 * turn)
            fields["speeds"].fill(turn)
        assert ("(recorded)" in repr(sequence)) == all(way.startswith(("recorded", "native")) for way in ways), ways
        rt.sequence([launches["advance"], launches["collect"]])(LAUNCHES, ramps={(1, "n"): (0, 3)})
        show()
        spare = rt.zeros((6, 100), "i32")
        for i in range(LAUNCHES):
            kernels["collect"](i, x)
            fields["total"].fill(i)
            launches["spread"]()
            fields["grid"].copy_to(spare)
            kernels["advance"](i)
            fields["grid"].copy_from(spare)
            print(kernels["sum_row"](i % 6))
        show()
