"""The example programs in Taichi's wheel, built as they are."""

import importlib.util
import shutil
from pathlib import Path

import pytest

from taichi_aot import Runtime
from taichi_aot.build import BuildError, build

SPEC = importlib.util.find_spec("taichi")
EXAMPLES = Path(SPEC.submodule_search_locations[0]) / "examples" if SPEC else Path()
NAMES = sorted(
    path.relative_to(EXAMPLES).as_posix() for path in EXAMPLES.rglob("*.py") if SPEC and path.name != "__init__.py"
)
# The error of programs that cannot be built for x64: without kernels, with textures only, or without their packages.
NOTHING = "the program has no kernels"
MISSING = "the program ended early"
OTHER = {
    "algorithm/circle-packing/circle_packing_image.py": MISSING,
    "features/gui/gui_widgets.py": NOTHING,
    "features/gui/keyboard.py": NOTHING,
    "features/io/export_mesh.py": NOTHING,
    "patterns.py": NOTHING,
    "real_func/rendering/taichi_ngp.py": MISSING,
    "rendering/simple_texture.py": "x64 does not have",
    "rendering/taichi_ngp.py": MISSING,
}

SOME = {*NAMES[::3], "minimal.py"}  # of all, which take minutes


def pytest_generate_tests(metafunc):
    every = metafunc.config.getoption("--every-example")
    metafunc.parametrize("name", NAMES if every else [name for name in NAMES if name in SOME or name in OTHER])


@pytest.mark.slow(but="minimal.py")
def test_example_is_built_and_loaded(name, tmp_path):
    program = tmp_path / Path(name).name
    shutil.copytree((EXAMPLES / name).parent, tmp_path, dirs_exist_ok=True)
    try:
        result = build(program, tmp_path / "x.tib", archs=["x64"], all_kernels=True)
    except BuildError as error:
        if OTHER.get(name, "unknown") not in str(error):
            raise
        return
    assert name not in OTHER or OTHER[name] == MISSING
    assert result.kernels or result.graphs
    with Runtime("x64") as rt:
        module = rt.load_module(result.path)
        for kernel in result.kernels:
            assert module.kernels[kernel].name == kernel
        for graph in result.graphs:
            assert module.graphs[graph].name == graph
