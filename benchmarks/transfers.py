"""The cost of mapping memory and of moving bytes between it and numpy, from 4 KiB to 256 MiB.

c_map, map            map and unmap: in C, and ``with array.map(): pass``
c_read, to_numpy      into new memory each time: in C, and ``array.to_numpy()``
c_write, write        from the same numpy array into the same memory: in C, and ``array.write(source)``
copy_from             from array to array on the device, ``array.copy_from(other)`` and a wait
write_part, to_numpy_part    a sixteenth of the array, through a slice: ``array[a:b].write(source)``, ``.to_numpy(out)``
memcpy_fresh, numpy_fresh    the same bytes between host arrays, into new memory each time, like to_numpy: with the C
                             library's memmove, and ``source.copy()``
memcpy_reused, numpy_reused  the same into the same memory each time, like write: with memmove, and ``numpy.copyto``
image_write, image_to_numpy  on Vulkan, a square image of these bytes: from a numpy array, with a wait; into an old one
staged_write, staged_read    the same for memory that the host cannot map, through the same staging buffer

Large new memory costs more: its pages do not exist before they are written to.
"""

from __future__ import annotations

import statistics
from functools import partial

from lib.harness import Bench, Measure, Result, bench, options, take_turns

SIZES = {"4 KiB": 2**12, "64 KiB": 2**16, "1 MiB": 2**20, "16 MiB": 2**24, "256 MiB": 2**28}
IN_C = ("map", "read", "write")
IN_PYTHON = ("map", "to_numpy", "write", "memcpy_fresh", "numpy_fresh", "memcpy_reused", "numpy_reused", "copy_from")
PARTS = ("write_part", "to_numpy_part")
IMAGES = ("image_write", "image_to_numpy", "staged_write", "staged_read")
BATCH_BYTES = 2**24
# From this size on, the bandwidth must be 0.9 of that of a memcpy into equally new or old memory,
# if the device uses host memory.
BUDGET_FROM = 2**20
IS_CPU = "import taichi_aot as ta; print(any(d.arch == ta.Arch({!r}) and d.kind == 'cpu' for d in ta.devices()))"
BASES = {"to_numpy": "memcpy_fresh", "write": "memcpy_reused"}
# An image must reach 0.7 of the bandwidth of other staged memory.
IMAGE_BASES = {"image_write": "staged_write", "image_to_numpy": "staged_read"}


def start(work: Bench, size: int) -> dict[str, Measure]:
    """Start the two processes with memory of this size; return functions that measure one batch of each variant."""
    batch = max(1, min(100, BATCH_BYTES // size))
    program, package = work.program(size), work.python("memory.variants", str(size))
    variants: dict[str, Measure] = {f"c_{name}": partial(program.microseconds, name, batch) for name in IN_C}
    names = IN_PYTHON + PARTS + IMAGES * (work.arch == "vulkan")
    return variants | {name: partial(package.microseconds, name, batch) for name in names}


def main() -> None:
    given = options("The cost of mapping memory and moving bytes.", rounds=15)
    result = Result("transfers", given.arch, "us")
    with bench(given.arch) as work:
        work.modules("launch")
        work.compile_program()
        on_host = given.arch == "x64" or work.ask(IS_CPU.format(given.arch)) == "True"
        for title, size in SIZES.items():
            samples = take_turns(start(work, size), given.rounds, f"transfers of {title} on {given.arch}")
            for name, times in samples.items():
                result.add(f"{title}/{name}", times, series=name, bytes=size)
                variant = result.variants[f"{title}/{name}"]
                if not name.endswith("map"):
                    variant["gb_per_s"] = size / (16 if name in PARTS else 1) / variant["us"] / 1000
            if size >= BUDGET_FROM and on_host:
                for name, base in BASES.items():
                    times_as_long = [a / b for a, b in zip(samples[name], samples[base], strict=True)]
                    result.budget(f"{title}/{name}", statistics.median(times_as_long), 1 / 0.9, f"times {base}")
            if size >= BUDGET_FROM and given.arch == "vulkan":
                for name, base in IMAGE_BASES.items():
                    times_as_long = [a / b for a, b in zip(samples[name], samples[base], strict=True)]
                    result.budget(f"{title}/{name}", statistics.median(times_as_long), 1 / 0.7, f"times {base}")
            work.end_children()
    result.print()
    result.write(given.json)


if __name__ == "__main__":
    main()
