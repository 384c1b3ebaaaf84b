"""Examples of Taichi's wheel as programs without Taichi: their host lines, with the bundle of their kernels.

Nothing of an example is written here. `port` reads the installed file: definitions of kernels, functions, fields and
types stay in the file that is built. The host lines remain, but for those that `Port.edits` states by their numbers.

    python -m helpers.ported [NAME ...]     # in tests: a table of all, with the times of both
"""

from __future__ import annotations

import ast
import importlib.util
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from taichi_aot.build import build

SPEC = importlib.util.find_spec("taichi")
EXAMPLES = Path(((SPEC and SPEC.submodule_search_locations) or [""])[0]) / "examples"
RUN = Path(__file__).with_name("run_ported.py")
DEVICE = {"kernel", "func", "pyfunc", "real_func"}  # decorators of what stays in the file that is built
DEFINING = {"field", "place", "dense", "pointer", "bitmasked", "dynamic"}  # methods that only that file needs
WINDOWS = {"GUI", "ui", "tools"}  # of Taichi, for which a program needs another library
HEAD = (
    "import taichi_aot",
    "module = taichi_aot.load(BUNDLE)",
    "globals().update({**module.kernels, **module.fields})",
)
OF_OBJECT = "vars(self).update(MEMBERS(module, OWNER))"  # the fields and kernels of an object, in its class
SMALL = 2.0**-100  # how much denormal numbers, which the package rounds to 0, may change others
OPTIONS = ("pictures", "owner", "random", "vectors", "pressed")  # of a port, for the run
MORE_PICTURES = 3  # for times
Numbers = dict[str, Any]


@dataclass(frozen=True)
class Port:
    """How an example becomes a program without Taichi."""

    pictures: int = 2  # that are shown before the window closes
    edits: Mapping[int, str] = field(default_factory=dict[int, str])  # other host lines, by number; "" removes one
    fixes: Mapping[int, str] = field(default_factory=dict[int, str])  # lines of the example that fail or take long
    owner: str = ""  # the object of its class, as the bundle names it
    random: str = ""  # the kernel that draws random numbers, after whose first launch both runs have the same
    vectors: bool = False  # whether the JIT computes it with vectors as modules have them, as it is wrong by default
    pressed: bool = False  # whether the left button of the mouse is down
    refused: str = ""  # why it cannot be a program without Taichi: what the build says


def port(path: str, program: Port) -> tuple[str, int]:
    """Return the text of a program without Taichi, and how many of its lines are not those of the example."""
    lines = _lines(path, program)
    tree = ast.parse("\n".join(lines))
    for first, last in _defined(tree.body, set()):
        lines[first - 1 : last] = [f"{_indent(lines[first - 1])}pass", *[""] * (last - first)]
    for number, line in program.edits.items():
        lines[number - 1] = _indent(lines[number - 1]) + (line or "pass")
    own = [""] * bool(program.owner)
    for made in _initializers(tree) if program.owner else ():
        line = lines[made.lineno - 1]
        lines[made.lineno - 1] = f"{_indent(line)}{OF_OBJECT}; {line.strip()}"
    resumed = [f"{program.random} = RESUMED({program.random})"] if program.random and not program.owner else []
    changed = len(HEAD) + len(own) + len(program.edits)
    return "\n".join([*HEAD, *resumed, *lines, ""]), changed


def _lines(path: str, program: Port) -> list[str]:
    """Return the lines of an example, with fixes."""
    lines = (EXAMPLES / path).read_text(encoding="utf-8").splitlines()
    for number, line in program.fixes.items():
        lines[number - 1] = _indent(lines[number - 1]) + line
    return lines


def source_of(path: str, program: Port, folder: Path) -> Path:
    """Return the path of an example; one with fixes is written to a folder."""
    if not program.fixes:
        return EXAMPLES / path
    source = folder / Path(path).name
    source.write_text("\n".join([*_lines(path, program), ""]), encoding="utf-8")
    return source


def _initializers(tree: ast.Module) -> Iterator[ast.stmt]:
    """Yield the first statements with which classes make their objects."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and "data_oriented" in map(_name, node.decorator_list):
            yield from (
                each.body[0] for each in node.body if isinstance(each, ast.FunctionDef) and each.name == "__init__"
            )


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _defined(body: Iterable[ast.stmt], moved: set[str]) -> Iterator[tuple[int, int]]:
    """Yield the first and last lines of what stays in the file that is built; `moved` collects its names."""
    for node in body:
        end = node.end_lineno or node.lineno
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names = list(map(_name, node.decorator_list))
            if DEVICE.intersection(names):
                yield node.decorator_list[0].lineno, end
                continue
            yield from ((each.lineno, each.lineno) for each in node.decorator_list if _name(each) == "data_oriented")
            if isinstance(node, ast.ClassDef) or node.name == "__init__":
                yield from _defined(node.body, moved)
        elif isinstance(node, ast.If):
            yield from _defined([*node.body, *node.orelse], moved)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            module = getattr(node, "module", "") or node.names[0].name
            if module.partition(".")[0] == "taichi":
                moved.update(each.asname or each.name for each in node.names)
                yield node.lineno, end
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr)) and _is_moved(node, moved):
            moved.update(
                each.id for each in ast.walk(node) if isinstance(each, ast.Name) and type(each.ctx) is ast.Store
            )
            yield node.lineno, end


def _is_moved(node: ast.stmt, moved: set[str]) -> bool:
    """Return whether a statement needs Taichi, or makes what only kernels use."""
    for each in ast.walk(node):
        if isinstance(each, ast.Attribute) and _name(each.value) in ("ti", "tm") and each.attr not in WINDOWS:
            return True
        if isinstance(each, ast.Call):
            function = each.func
            if isinstance(function, ast.Name) and function.id in moved:
                return True
            if isinstance(function, ast.Attribute) and function.attr in DEFINING:
                return True
    return False


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _is_same(own: Any, other: Any) -> bool:
    """Return whether the bits are equal, but for what denormal numbers make of others, beside the largest number."""
    if own.tobytes() == other.tobytes():
        return True
    largest = np.nanmax(np.abs(other)) if own.dtype.kind == "f" else 0
    return bool((np.abs(own.astype(float) - other) <= SMALL * largest).all())


class Times:
    """What a run took, in seconds."""

    def __init__(self, text: str) -> None:
        stated = json.loads(text.splitlines()[-1])
        self.first: float = stated["first"]  # from its start to its first picture, or to its end
        self.each: float = stated["each"]  # each later picture


def run_by_taichi(path: str, program: Port, folder: Path, threads: int = 0) -> tuple[Numbers, Times]:
    """Run an example by Taichi's JIT; return the numbers of its fields."""
    return _run(["jit", source_of(path, program, folder), folder / "jit.npz", str(threads)], program)


def run_ported(path: str, program: Port, folder: Path, bundle: Path) -> tuple[Numbers, Times]:
    """Run the ported program from a bundle, where `run_by_taichi` has left its numbers."""
    ported = folder / "ported.py"
    ported.write_text(port(path, program)[0], encoding="utf-8")
    return _run(["aot", ported, folder / "aot.npz", str(ported), str(bundle)], program)


def _run(arguments: Sequence[Any], program: Port) -> tuple[Numbers, Times]:
    mode, path, numbers, *rest = arguments
    stated = json.dumps({each: getattr(program, each) for each in OPTIONS})
    command = [sys.executable, str(RUN), mode, str(path), str(numbers), stated, *rest]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    with np.load(numbers) as found:
        return dict(found), Times(done.stdout)


def differences(found: Numbers, expected: Numbers) -> dict[str, str]:
    """Return what differs in fields, by their names."""
    wrong = dict.fromkeys(found.keys() ^ expected.keys(), "is missing")
    for name in found.keys() & expected.keys():
        own, other = found[name], expected[name]
        if (own.shape, own.dtype) != (other.shape, other.dtype):
            wrong[name] = f"{own.dtype}{own.shape} for {other.dtype}{other.shape}"
        elif not _is_same(own, other):
            largest = np.nanmax(np.abs(own.astype(float) - other)) / max(1e-30, np.nanmax(np.abs(other)))
            wrong[name] = f"{np.sum(own != other)} of {own.size} numbers, by {largest:.1e} of the largest"
    return wrong


def main(names: Sequence[str]) -> None:
    """Print a row of the table for each example."""
    for path, program in PORTS.items():
        name = Path(path).stem
        if names and name not in names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            print(f"{name:24}", _row(path, program, Path(folder)), flush=True)


def _row(path: str, program: Port, folder: Path) -> str:
    """Return how many lines of an example change, and the times of both with all threads."""
    bundle = build(source_of(path, program, folder), folder / "x.tib", archs=["x64"], all_kernels=True)
    if program.refused:
        return f"left out: {dict(bundle.left_out)}"
    longer = replace(program, pictures=program.pictures + MORE_PICTURES)
    _, taichi = run_by_taichi(path, longer, folder)
    _, own = run_ported(path, longer, folder, bundle.path)
    return (
        f"{port(path, program)[1]:2} lines; first picture {own.first:6.2f} s, JIT {taichi.first:6.2f} s; "
        f"each later one {own.each * 1e3:7.1f} ms, JIT {taichi.each * 1e3:7.1f} ms"
    )


PORTS: dict[str, Port] = {
    "minimal.py": Port(),
    "algorithm/laplace.py": Port(),
    "algorithm/marching_squares.py": Port(),
    "algorithm/poisson_disk_sampling.py": Port(random="poisson_disk_sample", vectors=True),
    "features/sparse/taichi_bitmasked.py": Port(edits={39: ""}),
    "features/sparse/taichi_dynamic.py": Port(),
    "rendering/cornell_box.py": Port(1, {212: "render((0, 0, 3.5), (0, 0, -1), (0, 1, 0))"}, random="render"),
    "rendering/rasterizer.py": Port(
        edits={
            **dict.fromkeys((120, 121, 122), "np.random.rand(2) * [width, height],"),
            **dict.fromkeys((123, 124, 125), "np.random.rand(3),"),
            129: "samples.fill(1.0)",
            130: "pixels.fill(1.0)",
        },
        owner="TriangleRasterizer",
    ),
    "rendering/sdf_renderer.py": Port(1, fixes={9: "res = 160, 90"}, random="render"),
    "simulation/comet.py": Port(
        1, {87: "x[0] = [0.5, -0.01, 0]", 88: "", 89: "v[0] = [0.6, 0.4, 0]", 90: ""}, random="generate"
    ),
    # Matplotlib no longer has the function in line 436.
    "simulation/euler.py": Port(1, fixes={436: 'cmap = __import__("matplotlib").colormaps[cmap_name]'}),
    "simulation/fem99.py": Port(refused="it is a gradient"),
    "simulation/fractal.py": Port(),
    "simulation/game_of_life.py": Port(random="init"),
    "simulation/implicit_mass_spring.py": Port(refused="sparse matrix builder"),
    "simulation/initial_value_problem.py": Port(),
    "simulation/karman_vortex_street.py": Port(1, owner="lbm"),
    "simulation/mandelbrot_zoom.py": Port(),
    "simulation/mass_spring_game.py": Port(),
    "simulation/mpm128.py": Port(1, random="reset"),
    "simulation/mpm3d.py": Port(1, random="init"),
    "simulation/mpm88.py": Port(1, random="init"),
    "simulation/mpm99.py": Port(1, random="initialize"),
    "simulation/nbody.py": Port(1, random="initialize"),
    "simulation/odop_solar.py": Port(owner="solar", random="initialize_particles"),
    "simulation/pbf2d.py": Port(random="init_particles"),
    "simulation/physarum.py": Port(random="init"),
    "simulation/snow_phaseField.py": Port(1, {18: 'dtype="f64",  # data type'}, owner="Dendrite"),
    "simulation/stable_fluid.py": Port(2, pressed=True),
    "simulation/two_stream_instability.py": Port(random="initialize"),
    "simulation/vortex_rings.py": Port(random="init_tracers"),
    "simulation/waterwave.py": Port(),
}

if __name__ == "__main__":
    main(sys.argv[1:])
