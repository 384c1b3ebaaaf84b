"""How many kernels are launched without the library, and why the others are not.

    python benchmarks/recorded.py --kernels 400 --modules modules

On x64 these are the kernels that can have machine code, on CUDA those that can have PTX, on Vulkan those that are
recorded. The kernels are the first ones that the tests draw (``tests/helpers/generated.py``), those of
``tests/programs``, and those of the programs of ``taichi.examples``, with the kernels that read and write their fields.
They are compiled without a device into the folder of ``--modules``. Modules that the folder has already are not
compiled again. A last table has the loops of the programs' machine code: how many compute several elements at once,
and why the others do not.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

from taichi_aot import Arch, inspect
from taichi_aot.adopt._module import ParsedModule
from taichi_aot.build import BuildError, build
from taichi_aot.build.code._native import CPU_CODE, CUDA_CODE, needs_of_module

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from helpers.carry import BATCH
from helpers.compile_planned import compile_planned
from helpers.generated import draw, write_models
from helpers.plans import lowered, parsed, plans_of
from helpers.programs import CAPABILITIES, FOLDER, PROGRAMS

ARCHS = ("x64", "cuda", "vulkan")
SOURCES = ("generated", "programs", "examples")
WIDE_TYPES = [f"spirv_has_{name}" for name in ("int8", "int16", "int64", "float16", "float64")]
NOTHING = "the program has no kernels"
WITHOUT_LIBRARY, VECTORS, TOTAL = "without the library", "vectors", "in all"
NAME = re.compile(r" '[^']*'")  # of a kernel or function, in a reason
GROUPS = WITH_FIELDS, ACCESSORS, OTHERS = "kernels that use fields", "that read and write fields", "other kernels"

Reasons = Counter[str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kernels", type=int, default=400, help="generated kernels (default: %(default)s)")
    parser.add_argument("--programs", type=int, help="programs of each kind (default: all)")
    parser.add_argument("--modules", type=Path, help="folder of the modules (default: a temporary one)")
    parser.add_argument("--archs", nargs="+", choices=ARCHS, default=list(ARCHS), help="default: all")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = (options.modules or Path(temporary)).resolve()
        counts: dict[tuple[str, str], dict[str, Reasons]] = {}
        for arch in options.archs:
            compile_generated(arch, options.kernels, folder / f"generated-{arch}")
            compile_programs(arch, options.programs, folder / f"programs-{arch}")
            compile_examples(arch, options.programs, folder / f"examples-{arch}")
            for source in SOURCES:
                counts[source, arch] = count(sorted((folder / f"{source}-{arch}").glob("**/*.tcm")))
        loops = {(source, arch): loops_of(folder / f"{source}-{arch}") for source, arch in counts if arch == "x64"}
    for group in GROUPS:
        print_table(group, {column: reasons[group] for column, reasons in counts.items()}, WITHOUT_LIBRARY)
    if loops:
        print_table("loops of machine code", loops, VECTORS)


def compile_generated(arch: str, kernels: int, folder: Path) -> None:
    for start in range(0, kernels, BATCH):
        batch = folder / f"{start:06}"
        if (batch / "module.tcm").exists():
            continue
        batch.mkdir(parents=True, exist_ok=True)
        write_models(batch, draw(arch, range(start, min(start + BATCH, kernels))))
        compile_planned(arch, "compile_generated.py", batch, "compile-only", timeout=1200)


def compile_programs(arch: str, programs: int | None, folder: Path) -> None:
    names = [name for name, program in PROGRAMS.items() if arch in program.archs]
    for name in names[:programs]:
        target = folder / f"{name}.tcm"
        if not target.exists():
            folder.mkdir(parents=True, exist_ok=True)
            build(FOLDER / f"{name}.py", target, archs=[arch], caps=CAPABILITIES, native=native(arch))


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
            caps = WIDE_TYPES if arch == "vulkan" else None
            build(path, target, archs=[arch], caps=caps, all_kernels=True, native=native(arch))
        except BuildError as error:
            if NOTHING not in str(error):
                print(f"{arch}: {path.relative_to(examples)} is left out: {str(error).splitlines()[1].strip()}")


def native(arch: str) -> bool:
    """Whether modules are built with machine code, whose loops are counted; PTX would take long."""
    return arch == "x64"


def loops_of(folder: Path) -> Reasons:
    """Count the loops of machine code in the modules of a folder, by how they are compiled."""
    infos = [inspect(path) for path in sorted(folder.glob("**/*.tcm"))]
    found = [task.loop for info in infos for kernel in info.all_kernels.values() for task in kernel.tasks if task.loop]
    return Counter([*(NAME.sub("", how) for how in found), *[TOTAL] * len(found)])


def count(modules: Sequence[Path]) -> dict[str, Reasons]:
    """Count the kernels of modules, by `GROUPS` and by the reason why the library launches them."""
    reasons = {group: Counter[str]() for group in GROUPS}
    for path in modules:
        for group, reason in kernels_of(path):
            reasons[group].update([TOTAL, reason])
    return reasons


def kernels_of(path: Path) -> Iterator[tuple[str, str]]:
    module = parsed(path)
    info, reasons = module.info, refused(path, module)
    accessors = {name for field in info.fields for name in (field.get, field.set)}
    for name, kernel in info.all_kernels.items():
        group = ACCESSORS if name in accessors else WITH_FIELDS if kernel.uses_fields else OTHERS
        yield group, reasons.get(name, WITHOUT_LIBRARY)


def refused(path: Path, module: ParsedModule) -> dict[str, str]:
    """Return the reason for each kernel that the library launches."""
    if Arch.VULKAN not in module.info.archs:
        rules = CUDA_CODE if Arch.CUDA in module.info.archs else CPU_CODE
        return {name: NAME.sub("", reason) for name, reason in needs_of_module(module, rules)[1].items()}
    plans = plans_of(lowered(path))
    return {name: plan.partition(" (")[0] for name, plan in plans.items() if isinstance(plan, str)}


def print_table(title: str, counts: dict[tuple[str, str], Reasons], best: str) -> None:
    reasons = {reason for column in counts.values() for reason in column} - {TOTAL, best}
    order = sorted(reasons, key=lambda reason: -sum(column[reason] for column in counts.values()))
    width = max(map(len, (title, *reasons)))
    print(f"\n{title:{width}}", *(f"{' '.join(column):>18}" for column in counts))
    for row in (TOTAL, best, *order):
        print(f"{row:{width}}", *(f"{column[row]:18}" for column in counts.values()))


if __name__ == "__main__":
    main()
