"""The cost of a call with 12 numbers as a struct or an argument pack, in the place of 12 scalars.

scalars           ``kernel(a, b, ..., x)``: 6 integers, 6 floats and an array
struct_NAME       ``kernel(numbers, x)``, where the numbers are a dict, a dataclass, a namespace, a tuple or a record
pack_NAME         ``kernel(whole)``, where the array is among the members

Other work on the machine makes single rounds slow: ``over_us`` compares the fastest ones.
"""

from __future__ import annotations

from functools import partial

from lib.harness import Measure, Result, bench, options, take_turns

BATCH = 300
NAMES = (
    "scalars",
    *(f"struct_{name}" for name in ("dict", "dataclass", "namespace", "tuple", "record")),
    *(f"pack_{name}" for name in ("dict", "namespace", "tuple")),
)
MOST_US = 1.0  # over 12 scalars


def main() -> None:
    given = options("The cost of structs among the arguments of a call.", rounds=400)
    result = Result("structs", given.arch, "us")
    with bench(given.arch) as work:
        work.modules("structs")
        package = work.python("structs.variants")
        variants: dict[str, Measure] = {name: partial(package.microseconds, name, BATCH) for name in NAMES}
        samples = take_turns(variants, given.rounds, f"structs on {given.arch}")
    fastest = min(samples["scalars"])
    for name, times in samples.items():
        result.add(name, times)
        if name != "scalars":
            over = min(times) - fastest
            result.variants[name]["over_us"] = over
            result.budget(f"{name} over scalars, fastest", over, MOST_US, "us")
    result.print()
    result.write(given.json)


if __name__ == "__main__":
    main()
