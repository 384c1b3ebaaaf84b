"""The modules of capi that follow from the headers are what .ci/make_capi.py writes."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.checkers import need

ROOT = Path(__file__).parents[2]
CODE = "import json, sys; sys.path.insert(0, '.ci'); import make_capi; print(json.dumps(make_capi.make_all()))"


@pytest.fixture(scope="module")
def written():
    need("ruff")
    done = subprocess.run([sys.executable, "-c", CODE], cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.stderr == ""
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", ["_enums.py", "_structures.py", "_functions.py"])
def test_file_is_what_the_script_writes(written, name):
    text = (ROOT / "taichi_aot" / "capi" / name).read_text(encoding="utf-8")
    assert text == written[name], "run .ci/make_capi.py"
