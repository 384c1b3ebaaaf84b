"""Files of the repository that the package does not read: workflows, hooks, changes."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.checkers import need

ROOT = Path(__file__).parent.parent
CHANGES = ROOT / "docs" / "changes"
# Hosts of package registries and mirrors. This file names none of them itself.
REGISTRIES = re.compile(
    rb"\b(anaconda|crates|debian|docker|ghcr|launchpad|nodesource|npmjs|nvcr|pypi|pythonhosted|quay|ubuntu)"
    rb"\.(com|io|net|org)\b",
    re.IGNORECASE,
)

pytestmark = pytest.mark.skipif(
    not (ROOT / ".git").exists() or shutil.which("git") is None, reason="needs git and a checkout"
)


def files(*patterns):
    """Return the repository's files that match a git pattern, but not what else is in the checkout, such as logs."""
    # The checkout may belong to another user, as in a container.
    command = ["git", "-c", "safe.directory=*", "ls-files", "--"]
    names = subprocess.run([*command, *patterns], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [path for name in names.splitlines() if (path := ROOT / name).is_file()]


def test_no_file_names_a_registry():
    """Only the configuration of pip and apt says where packages come from."""
    hosts = {str(path.relative_to(ROOT)): REGISTRIES.search(path.read_bytes()) for path in files()}
    assert {name: host[0] for name, host in hosts.items() if host} == {}


def test_no_document_installs_from_an_index():
    """The package is on none: a command names a checkout or a wheel."""
    command = re.compile(r"pip3? (?:install|download|wheel) (?:[^`\n&]* )?['\"]?taichi[_-]aot\b(?![^`\s]*\.whl).*")
    assert command.match("pip install -q 'taichi_aot[demo]'")
    assert not command.match("pip install wheels/taichi_aot-*.whl 'path/to/taichi_aot[build]'")
    paths = [path for path in files("*.md", "*.rst", "*.py", "*.ipynb", "*.toml") if path != Path(__file__)]
    assert len(paths) > 100
    found = {str(path.relative_to(ROOT)): command.findall(path.read_text(encoding="utf-8")) for path in paths}
    assert {path: commands for path, commands in found.items() if commands} == {}


def test_ruff_accepts_a_clone_before_a_build(tmp_path):
    """Ruff sorts imports of the package alike with and without the extension and the generated modules."""
    need("ruff")
    for path in files("*.py", "*.pyi", "pyproject.toml"):
        copy = tmp_path / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    command = [sys.executable, "-m", "ruff", "check", "--no-cache"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_workflow_runs_the_readmes_command():
    yaml = pytest.importorskip("yaml")
    workflow = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text(encoding="utf-8"))
    steps = [step["run"] for step in workflow["jobs"]["tests"]["steps"] if "run" in step]
    commands = re.findall("^apt-get update && .*$", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert " && ".join(steps).replace("sudo ", "") == commands[1]


def test_yaml_files_parse():
    yaml = pytest.importorskip("yaml")
    found = files("*.yml", "*.yaml", ".*.yaml")
    assert {ROOT / ".pre-commit-config.yaml", ROOT / ".github/workflows/tests.yml"} <= {*found}
    for path in found:
        assert yaml.safe_load(path.read_text(encoding="utf-8")), path


def test_changes_have_a_topic_and_a_known_type():
    tomllib = pytest.importorskip("tomllib", reason="needs Python 3.11")
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["towncrier"]
    name = re.compile(rf"[a-z-]+\.({'|'.join(settings['fragment'])})\.md")
    for path in {*CHANGES.iterdir()} - {CHANGES / "README.md", ROOT / settings["template"]}:
        assert name.fullmatch(path.name), path.name
        text = path.read_text(encoding="utf-8")
        assert re.fullmatch(r"(- \S.*\n(  \S.*\n)*)+", text), f"{path.name} is not a list"
