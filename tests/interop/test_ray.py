"""The example of Ray in the documentation runs."""

import re
from pathlib import Path

from helpers.archs import needs_taichi
from helpers.child import run_child
from helpers.frameworks import need_framework

PAGE = Path(__file__).parents[2] / "docs" / "distributed.md"


@needs_taichi
def test_example_of_ray_runs(tmp_path):
    need_framework("ray")
    text = PAGE.read_text(encoding="utf-8")
    for name in ("kernels.py", "actors.py"):
        (block,) = re.findall(rf"^```python\n# {name}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
        (tmp_path / name).write_text(block)
    run_child("-m", "taichi_aot", "build", "kernels.py", "--arch", "x64", cwd=tmp_path)
    env = {"RAY_AUTH_MODE": "disabled", "RAY_USAGE_STATS_ENABLED": "0"}
    done = run_child("actors.py", timeout=300, cwd=tmp_path, env=env)
    assert done.stdout.splitlines()[-1:] == ["True"], f"{done.stdout}\n{done.stderr}"
