"""The programs of the taichi wheel: kernels from a compiled module compute the same as the JIT.

``helpers/trace_example.py`` runs and compiles a program. The suite runs a few; ``--every-example`` runs all and prints
what ``benchmarks/results/cpu/examples.txt`` has.
"""

from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest
from helpers.archs import needs_taichi, require
from helpers.examples import compare, trace

from taichi_aot import IncompatibleModuleError, Runtime

TAICHI = find_spec("taichi")  # not imported, because this process has loaded the C library
pytestmark = needs_taichi

SPARSE = "Taichi has no sparse fields on Vulkan"
REAL_FUNCTIONS = "Taichi has no real functions on Vulkan"
DRAWS = "it draws without a kernel"
TEXTURES = "it draws on textures, which are on Vulkan only and cannot be passed"
PACKAGES = "it needs packages beside the wheel"


class Program(NamedTuple):
    """A program ends after `frames` frames or after `launches` launches of kernels and graphs."""

    frames: int = 2
    launches: int = 60
    x64: str = ""  # why x64 cannot run it
    vulkan: str = ""
    trees: bool = False  # whether it places fields after its first launch
    zeros: bool = False  # whether all results are 0
    quick: bool = False  # whether the suite runs it


PROGRAMS = {
    "algorithm/laplace": Program(quick=True),
    "algorithm/marching_squares": Program(vulkan=SPARSE),
    "algorithm/mciso_advanced": Program(),
    "algorithm/mgpcg": Program(launches=20, vulkan=SPARSE),
    "algorithm/mgpcg_advanced": Program(launches=20, vulkan=SPARSE),
    "algorithm/poisson_disk_sampling": Program(trees=True),
    "algorithm/print_offset": Program(vulkan="Taichi has no addresses of fields on Vulkan"),
    "autodiff/diff_sph/diff_sph": Program(trees=True),
    "autodiff/jacobian": Program(),
    "autodiff/minimization": Program(quick=True),
    "autodiff/regression": Program(),
    "autodiff/simple_derivative": Program(),
    "features/gui/fullscreen": Program(),
    "features/gui/gui_image_io": Program(),
    "features/io/export_ply": Program(),
    "features/io/export_videos": Program(launches=10),
    "features/sparse/explicit_activation": Program(vulkan=SPARSE, zeros=True),
    "features/sparse/taichi_bitmasked": Program(vulkan=SPARSE),
    "features/sparse/taichi_dynamic": Program(vulkan=SPARSE),
    "features/sparse/taichi_sparse": Program(vulkan=SPARSE),
    "features/sparse/tutorial": Program(vulkan=SPARSE),
    "ggui_examples/fem128_ggui": Program(),
    "ggui_examples/fractal3d_ggui": Program(launches=1),
    "ggui_examples/mass_spring_3d_ggui": Program(trees=True),
    "ggui_examples/mass_spring_game_ggui": Program(),
    "ggui_examples/mpm128_ggui": Program(),
    "ggui_examples/mpm3d_ggui": Program(launches=8),
    "ggui_examples/stable_fluid_ggui": Program(launches=600),
    "graph/mpm88_graph": Program(launches=5),
    "graph/stable_fluid_graph": Program(frames=2, launches=6),
    "machine_learning/differential_evolution": Program(trees=True),
    "minimal": Program(zeros=True),
    "real_func/algorithm/marching_squares": Program(vulkan=SPARSE),
    "real_func/algorithm/poisson_disk_sampling": Program(vulkan=REAL_FUNCTIONS),
    "real_func/graph/stable_fluid_graph": Program(vulkan=REAL_FUNCTIONS),
    "real_func/rendering/cornell_box": Program(launches=20, vulkan=REAL_FUNCTIONS),
    "rendering/cornell_box": Program(launches=20),
    "rendering/oit_renderer": Program(vulkan=SPARSE),
    "rendering/rasterizer": Program(),
    "rendering/sdf_renderer": Program(launches=2),
    "rendering/simple_uv": Program(),
    "rendering/taichi_logo": Program(),
    "simulation/ad_gravity": Program(),
    "simulation/comet": Program(vulkan=SPARSE),
    "simulation/euler": Program(launches=20),
    "simulation/eulerfluid2d": Program(x64="it crashes in the JIT"),
    "simulation/fem128": Program(),
    "simulation/fem99": Program(),
    "simulation/fractal": Program(frames=1, quick=True),
    "simulation/game_of_life": Program(),
    "simulation/implicit_fem": Program(vulkan="Taichi has no sparse matrices on Vulkan"),
    "simulation/initial_value_problem": Program(),
    "simulation/karman_vortex_street": Program(launches=20, trees=True),
    "simulation/laplace_equation": Program(),
    "simulation/mandelbrot_zoom": Program(frames=1),
    "simulation/mass_spring_game": Program(),
    "simulation/mpm128": Program(),
    "simulation/mpm3d": Program(launches=8),
    "simulation/mpm88": Program(launches=20, quick=True),
    "simulation/mpm99": Program(launches=20),
    "simulation/mpm_lagrangian_forces": Program(),
    "simulation/nbody": Program(launches=30),
    "simulation/odop_solar": Program(),
    "simulation/pbf2d": Program(),
    "simulation/physarum": Program(launches=20),
    "simulation/snow_phaseField": Program(launches=30, vulkan="Taichi has no atan2 of f64 on Vulkan"),
    "simulation/stable_fluid": Program(launches=600),
    "simulation/two_stream_instability": Program(),
    "simulation/vortex_rings": Program(launches=20),
    "simulation/waterwave": Program(),
}

NOT_RUN = {
    "algorithm/circle-packing/circle_packing_image": PACKAGES,
    "features/gui/gui_widgets": DRAWS,
    "features/gui/keyboard": DRAWS,
    "features/io/export_mesh": DRAWS,
    "graph/texture_graph": TEXTURES,
    "patterns": "a function for other programs",
    "real_func/rendering/taichi_ngp": PACKAGES,
    "rendering/simple_texture": TEXTURES,
    "rendering/taichi_ngp": PACKAGES,
    "simulation/implicit_mass_spring": "its kernels fill a sparse matrix of the JIT's runtime",
}


def pytest_generate_tests(metafunc):
    """Parametrize by program and arch, only for archs that can run the program."""
    if "program" in metafunc.fixturenames:
        every = metafunc.config.getoption("--every-example")
        cases = [
            pytest.param(arch, name, id=f"{name}-{arch}")
            for name, program in PROGRAMS.items()
            for arch in ("x64", "vulkan")
            if not getattr(program, arch) and (every or program.quick)
        ]
        metafunc.parametrize(("arch_name", "program"), cases)


def test_table_lists_every_program():
    assert TAICHI is not None
    assert TAICHI.origin is not None
    folder = Path(TAICHI.origin).parent / "examples"
    programs = {str(path.relative_to(folder).with_suffix("")) for path in folder.rglob("*.py")}
    assert programs == {*PROGRAMS, *NOT_RUN}


@pytest.mark.slow(but="algorithm/laplace-x64")
def test_compiled_program_computes_the_same_as_the_jit(arch_name, program, tmp_path, request, capsys):
    """Each run uses one thread, so results may differ only if two runs of the JIT differ as much."""
    require(arch_name)
    limits = PROGRAMS[program]
    if limits.trees and arch_name == "vulkan":
        trace(arch_name, program, limits.frames, limits.launches, tmp_path / "trace", tmp_path / "module")
        with Runtime(arch_name) as rt, pytest.raises(IncompatibleModuleError, match="uses fields of tree 1"):
            rt.load_module(tmp_path / "module")
        return
    found = compare(arch_name, program, limits.frames, limits.launches, tmp_path)
    if request.config.getoption("--every-example"):
        with capsys.disabled():
            print(f"\n{program:44} {arch_name:6} {found}")
    assert found.difference <= found.own, found
    assert found.nonzero or limits.zeros, found
