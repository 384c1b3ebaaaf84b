"""The notebook runs from the first cell to the last and prints its stored output."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import taichi_aot
from taichi_aot import Arch

NOTEBOOK = Path(__file__).parents[2] / "examples" / "quickstart.ipynb"
NEEDED = ("ipykernel", "nbclient", "taichi")
# Run in a separate process: Jupyter's packages change the event loop and warn.
EXECUTE = "from nbclient.cli import main; main()"

pytestmark = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in NEEDED), reason=f"needs {', '.join(NEEDED)}"
)


def cells_of(path):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def shown(cell):
    """Return the text that a cell printed, and the types of what it displayed."""
    parts = []
    for output in cell["outputs"]:
        if output["output_type"] == "stream":
            parts.append("".join(output["text"]))
        else:
            parts.append(f"{''.join(output['data']['text/plain'])} {sorted(set(output['data']) - {'image/jpeg'})}\n")
    return "".join(parts)


@pytest.mark.slow
def test_notebook_prints_its_stored_output(available, tmp_path):
    if Arch.VULKAN not in available:
        pytest.skip("the notebook is stored with a picture on Vulkan")
    shutil.copy(NOTEBOOK, tmp_path)  # it writes files beside itself
    out = tmp_path / "executed.ipynb"
    done = subprocess.run(
        [sys.executable, "-c", EXECUTE, NOTEBOOK.name, "--output", str(out.with_suffix("")), "--timeout", "240"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(taichi_aot.__file__).parents[1])},
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    executed = [shown(cell) for cell in cells_of(out)]
    assert executed == [shown(cell) for cell in cells_of(NOTEBOOK)]
    assert len(executed) > 8
