"""Examples of Taichi's wheel as programs without Taichi compute the fields of the JIT, bit for bit.

``helpers/ported.py`` makes the programs from the installed files. They run with the code of Taichi's own passes, on one
thread: machine code rounds as `--math` says. The JIT draws random numbers by thread, so the first launch of a kernel
that draws them gives both the same.
"""

from pathlib import Path

import pytest
from helpers.archs import needs_taichi
from helpers.ported import EXAMPLES, PORTS, differences, port, run_by_taichi, run_ported, source_of

from taichi_aot.build import build

pytestmark = needs_taichi
SOME = ("*laplace*", "*odop_solar*")
MORE = {"rasterizer": 12, "comet": 7}  # changed lines of programs with more than 5


@pytest.mark.parametrize("path", [path for path in PORTS if not PORTS[path].refused])
def test_few_lines_change(path):
    text, changed = port(path, PORTS[path])
    assert changed <= MORE.get(Path(path).stem, 5)
    compile(text, path, "exec")
    assert "import taichi as" not in text


@pytest.mark.usefixtures("c_library")
@pytest.mark.slow(but=SOME)
@pytest.mark.parametrize("path", [path for path in PORTS if not PORTS[path].refused])
def test_ported_program_computes_the_same_as_the_jit(path, tmp_path):
    options = {"archs": ["x64"], "all_kernels": True, "native": False, "cpu_threads": 1}
    bundle = build(source_of(path, PORTS[path], tmp_path), tmp_path / "x.tib", **options)
    expected, _ = run_by_taichi(path, PORTS[path], tmp_path, threads=1)
    found, _ = run_ported(path, PORTS[path], tmp_path, bundle.path)
    assert differences(found, expected) == {}
    assert path == "minimal.py" or any(array.any() for array in expected.values())


@pytest.mark.slow
@pytest.mark.parametrize("path", [path for path in PORTS if PORTS[path].refused])
def test_what_no_bundle_can_have_is_reported(path, tmp_path):
    result = build(EXAMPLES / path, tmp_path / "x.tib", archs=["x64"], all_kernels=True)
    assert any(PORTS[path].refused in reason for reason in result.left_out.values())
