"""The workflow of a release, its scripts, and the recipe for conda."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import taichi_aot

ROOT = Path(__file__).parent.parent
CHANGELOG = """# Changelog

<!-- towncrier release notes start -->

## [1.2.0] - 2001-02-03

### Added

- Something.

## [1.1.0] - 2001-01-01

- Older.
"""


@pytest.fixture(scope="module")
def workflow():
    yaml = pytest.importorskip("yaml")
    path = ROOT / ".github/workflows/release.yml"
    if not path.exists():
        pytest.skip("source distributions have no workflows")
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def steps_of(workflow):
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def test_actions_are_pinned_by_their_commits():
    for path in (ROOT / ".github/workflows").glob("*.yml"):
        used = re.findall(r"uses: (.+)", path.read_text(encoding="utf-8"))
        assert [
            action for action in used if not re.match(r"[\w-]+/[\w-]+@[0-9a-f]{40}  # v\d+\.\d+\.\d+", action)
        ] == []


def test_jobs_have_the_least_permissions(workflow):
    assert workflow["permissions"] == {}
    permissions = {name: job["permissions"] for name, job in workflow["jobs"].items()}
    assert permissions == {
        "source": {"contents": "read"},
        "wheels": {},
        "check": {"contents": "read"},
        "publish": {"attestations": "write", "id-token": "write"},
        "release": {"contents": "write"},
    }


def test_only_a_checked_tag_is_published(workflow):
    jobs = workflow["jobs"]
    assert [jobs[name]["needs"] for name in ("wheels", "check", "publish", "release")] == [
        "source",
        "wheels",
        "check",
        "publish",
    ]
    assert jobs["publish"]["if"] == "github.ref_type == 'tag'"
    assert jobs["publish"]["environment"] == "pypi"


def test_wheels_of_untried_platforms_are_not_published(workflow):
    built = {kind["system"]: kind["artifact"] for kind in workflow["jobs"]["wheels"]["strategy"]["matrix"]["include"]}
    for system in ("ubuntu-24.04", "ubuntu-24.04-arm"):
        assert built.pop(system).startswith("packages-")
    assert all(artifact.startswith("untried-") for artifact in built.values())
    downloads = [
        step["with"]
        for name in ("check", "publish", "release")
        for step in workflow["jobs"][name]["steps"]
        if "download-artifact" in step.get("uses", "")
    ]
    assert {options.get("pattern", options.get("name")) for options in downloads} == {"packages-*", "notes"}


def test_address_is_that_of_the_repository(workflow):
    assert workflow["env"] == {"TAICHI_AOT_PROJECT_URL": "${{ github.server_url }}/${{ github.repository }}"}


def test_scripts_exist(workflow):
    texts = [step.get("run", "") for step in steps_of(workflow)]
    texts.append((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    scripts = {name for text in texts for name in re.findall(r"\.ci/\w+(?:\.py)?", text)}
    assert scripts >= {".ci/check_packages", ".ci/release_notes.py", ".ci/repair_wheel"}
    for name in scripts:
        assert (ROOT / name).is_file(), name
        assert name.endswith(".py") or os.access(ROOT / name, os.X_OK), name


def release_notes(root, tag):
    script = root / ".ci" / "release_notes.py"
    return subprocess.run([sys.executable, str(script), tag], capture_output=True, text=True, check=False)


@pytest.fixture
def checkout(tmp_path):
    files = {
        ".ci/release_notes.py": (ROOT / ".ci/release_notes.py").read_text(encoding="utf-8"),
        ".ci/conda/recipe.yaml": 'context:\n  version: "1.2.0"\n',
        "CHANGELOG.md": CHANGELOG,
        "CITATION.cff": "version: 1.2.0\n",
        "taichi_aot/__init__.py": '__version__ = "1.2.0"\n',
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_notes_are_the_section_of_the_changelog(checkout):
    done = release_notes(checkout, "v1.2.0")
    assert (done.stdout, done.stderr) == ("### Added\n\n- Something.\n", "")


@pytest.mark.parametrize(
    ("file", "text", "message"),
    [
        ("CITATION.cff", "version: 1.1.0\n", "the tag is v1.2.0, but CITATION.cff says 1.1.0"),
        ("taichi_aot/__init__.py", '__version__ = "2.0"\n', "the tag is v1.2.0, but taichi_aot/__init__.py says 2.0"),
        ("CHANGELOG.md", "# Changelog\n", "CHANGELOG.md has no section for 1.2.0"),
    ],
)
def test_tag_of_another_version_is_an_error(file, text, message, checkout):
    (checkout / file).write_text(text, encoding="utf-8")
    done = release_notes(checkout, "v1.2.0")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(message)


def test_citation_has_the_same_version():
    (cited,) = re.findall(r"^version: (.+)$", (ROOT / "CITATION.cff").read_text(encoding="utf-8"), re.MULTILINE)
    assert cited == taichi_aot.__version__


def test_recipe_builds_this_version_without_the_library():
    yaml = pytest.importorskip("yaml")
    tomllib = pytest.importorskip("tomllib", reason="needs Python 3.11")
    recipe = yaml.safe_load((ROOT / ".ci/conda/recipe.yaml").read_text(encoding="utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert recipe["context"]["version"] == taichi_aot.__version__
    assert recipe["build"]["script"]["env"] == {"TAICHI_AOT_WITHOUT_LIBRARY": "1"}
    needed = {requirement.replace(" ", "") for requirement in recipe["requirements"]["run"]}
    assert needed == {f"python{project['requires-python']}", *project["dependencies"]}
    assert recipe["about"]["license_file"] == project["license-files"]
    assert recipe["about"]["license"] == "Apache-2.0"
