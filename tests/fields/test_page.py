"""The example of docs/fields.md prints what the page says."""

import re
from pathlib import Path

import pytest
from helpers.archs import need
from helpers.child import run_child

PAGE = Path(__file__).parent.parent.parent / "docs" / "fields.md"


@pytest.mark.parametrize("arch", ["x64", "vulkan"])
def test_example(tmp_path: Path, arch: str, available: tuple[str, ...]) -> None:
    if arch not in map(str, available):
        need(arch, "no such device on this machine")
    text = PAGE.read_text(encoding="utf-8").replace('Runtime("x64")', f'Runtime("{arch}")')
    for name, code in re.findall(r"^```python\n# (\w+\.py)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        (tmp_path / name).write_text(code, encoding="utf-8")
    commands = re.findall(r"^\$ python (.*)$", text, re.MULTILINE)
    printed = [run(tmp_path, command.split()) for command in [*commands, "run_waves.py"]]
    assert printed[-1].strip() == re.findall(r"^    print.*  # (.*)$", text, re.MULTILINE)[-1]


def run(folder: Path, arguments: list[str]) -> str:
    done = run_child(*arguments, timeout=120, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout
