"""A source that starts a build when imported is refused: that build would import it again, without end."""

import json

import pytest
from helpers.sources import FILL

from taichi_aot.build import BuildError, build

REFUSAL = (
    "a build cannot start another one: this runs while kernels.py is imported to be built. "
    'Put the call under `if __name__ == "__main__":`'
)
MODULE_REFUSAL = REFUSAL.replace("a build cannot start another one", "the build makes and writes the module")
NESTED = f"""{FILL}
import json, multiprocessing, subprocess, sys
from pathlib import Path
from taichi_aot.build import build
from taichi_aot.build._project import read_project

def refused(call, *arguments, **options):
    try:
        call(*arguments, **options)
    except Exception as error:
        return str(error)

FOLDER = Path(__file__).parent
COMMAND = [sys.executable, "-m", "taichi_aot", "build", __file__, "--timeout", "5"]
TABLES = {{"tool": {{"taichi-aot": {{"kernels": {{"source": "kernels.py", "output": "project.tib"}}}}}}}}
def refusals():
    with multiprocessing.Pool(1) as pool:
        yield refused(pool.apply, build, (__file__,), {{"timeout": 5}})
    yield refused(read_project(TABLES, FOLDER)[0].build)
    yield refused(build, "no.py", archs=["cuda"])
    yield subprocess.run(COMMAND, capture_output=True, text=True, cwd=FOLDER).stderr

(FOLDER / "refusals.json").write_text(json.dumps(list(refusals())))
"""


@pytest.fixture
def source(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    return tmp_path / "kernels.py"


@pytest.mark.slow
def test_nested_builds_are_refused(source, tmp_path):
    source.write_text(f"{NESTED}\nsubprocess.run(COMMAND, check=True)")
    with pytest.raises(BuildError) as raised:
        build(source, tmp_path / "kernels.tib", archs=["x64"], timeout=60)
    found = json.loads((tmp_path / "refusals.json").read_text())
    assert found == [REFUSAL, f"[tool.taichi-aot.kernels]: {REFUSAL}", REFUSAL, f"error: {REFUSAL}\n"]
    assert "CalledProcessError" in str(raised.value)  # from the program, with its output
    assert f"error: {REFUSAL}" in str(raised.value)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kernels.py", "refusals.json", "temporary"]
    assert list((tmp_path / "temporary").iterdir()) == []


def test_unguarded_calls_are_refused(source, tmp_path):
    tried = "try: Module()\nexcept BuildError as error: refusal = str(error)\nelse: refusal = ''"
    checked = f"assert refusal == {MODULE_REFUSAL!r}, refusal"
    imports = "from taichi_aot.build import BuildError, Module, build"
    source.write_text(f"{FILL}\n{imports}\n{tried}\n{checked}\nbuild(__file__, timeout=5)\n")
    with pytest.raises(BuildError) as raised:
        build(source, tmp_path / "kernels.tib", archs=["x64"], timeout=60)
    assert str(raised.value) == f"kernels.py, line 16: {REFUSAL}"
    assert list((tmp_path / "temporary").iterdir()) == []
