"""How many kernels are recorded on CUDA and Vulkan, and why the library launches the others.

    python benchmarks/recorded.py --kernels 400 --modules modules

The kernels are the first ones that the tests draw (``tests/helpers/generated.py``), and those of the programs of
``taichi.examples``, with the kernels that read and write their fields. They are compiled without a device into the
folder of ``--modules``. Modules that the folder has already are not compiled again.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

from taichi_aot.build import BuildError, build
from taichi_aot.formats._read import read_module
from taichi_aot.lowering._lower import lower
from taichi_aot.lowering.plans._kernel_plans import KernelPlans

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from helpers.carry import BATCH
from helpers.compile_planned import compile_planned
from helpers.generated import draw, write_models

ARCHS = ("cuda", "vulkan")
SOURCES = ("generated", "examples")
WIDE_TYPES = [f"spirv_has_{name}" for name in ("int8", "int16", "int64", "float16", "float64")]
NOTHING = "the program has no kernels"
RECORDED, TOTAL = "recorded", "kernels"
GROUPS = WITH_FIELDS, ACCESSORS, OTHERS = "kernels that use fields", "that read and write fields", "other kernels"

Reasons = Counter[str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kernels", type=int, default=400, help="generated kernels (default: %(default)s)")
    parser.add_argument("--programs", type=int, help="programs of taichi.examples (default: all)")
    parser.add_argument("--modules", type=Path, help="folder of the modules (default: a temporary one)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = (options.modules or Path(temporary)).resolve()
        counts: dict[tuple[str, str], dict[str, Reasons]] = {}
        for arch in ARCHS:
            compile_generated(arch, options.kernels, folder / f"generated-{arch}")
            compile_examples(arch, options.programs, folder / f"examples-{arch}")
            for source in SOURCES:
                counts[source, arch] = count(sorted((folder / f"{source}-{arch}").glob("**/*.tcm")))
    for group in GROUPS:
        print_table(group, {column: reasons[group] for column, reasons in counts.items()})


def compile_generated(arch: str, kernels: int, folder: Path) -> None:
    for start in range(0, kernels, BATCH):
        batch = folder / f"{start:06}"
        if (batch / "module.tcm").exists():
            continue
        batch.mkdir(parents=True, exist_ok=True)
        write_models(batch, draw(arch, range(start, min(start + BATCH, kernels))))
        done = compile_planned(arch, "compile_generated.py", batch, "compile-only", timeout=1200)
        if done.returncode != 0:
            raise SystemExit(f"{done.stdout}\n{done.stderr}")


def compile_examples(arch: str, programs: int | None, folder: Path) -> None:
    taichi = find_spec("taichi")
    assert taichi is not None
    assert taichi.origin is not None
    examples = Path(taichi.origin).parent / "examples"
    paths = sorted(path for path in examples.rglob("*.py") if path.name != "__init__.py")
    for path in paths[:programs]:
        target = folder / path.relative_to(examples).with_suffix(".tcm")
        if target.exists():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            build(path, target, archs=[arch], caps=WIDE_TYPES if arch == "vulkan" else None, all_kernels=True)
        except BuildError as error:
            if NOTHING not in str(error):
                print(f"{arch}: {path.relative_to(examples)} is left out: {str(error).splitlines()[1].strip()}")


def count(modules: Sequence[Path]) -> dict[str, Reasons]:
    """Count the kernels of modules, by `GROUPS` and by the reason why they are not recorded."""
    reasons = {group: Counter[str]() for group in GROUPS}
    for path in modules:
        for group, reason in kernels_of(path):
            reasons[group].update([TOTAL, reason])
    return reasons


def kernels_of(path: Path) -> Iterator[tuple[str, str]]:
    module = lower(read_module(path))
    info, plans = module.info, KernelPlans(module)
    accessors = {name for field in info.fields for name in (field.get, field.set)}
    for name, kernel in info.all_kernels.items():
        plan = plans[name]
        group = ACCESSORS if name in accessors else WITH_FIELDS if kernel.uses_fields else OTHERS
        yield group, plan.partition(" (")[0] if isinstance(plan, str) else RECORDED


def print_table(title: str, counts: dict[tuple[str, str], Reasons]) -> None:
    reasons = {reason for column in counts.values() for reason in column} - {TOTAL, RECORDED}
    order = sorted(reasons, key=lambda reason: -sum(column[reason] for column in counts.values()))
    width = max(map(len, (title, *reasons)))
    print(f"\n{title:{width}}", *(f"{' '.join(column):>18}" for column in counts))
    for row in (TOTAL, RECORDED, *order):
        print(f"{row:{width}}", *(f"{column[row]:18}" for column in counts.values()))


if __name__ == "__main__":
    main()
