"""Bundles in the wheels of other projects, built by setuptools and hatchling."""

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import pytest
from helpers import checkers
from setuptools.config.pyprojecttoml import load_file

from taichi_aot.build import BuildError
from taichi_aot.build._project import read_project

ROOT = Path(__file__).parent.parent.parent
EXAMPLE = ROOT / "examples" / "wheel"
GENERATED = shutil.ignore_patterns("build", "*.egg-info", "*.tib", "*_aot.py", "py.typed", "__pycache__")
OWN_PATH = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
HATCHLING = """
[tool.hatch.build.hooks.taichi-aot]

[tool.hatch.build.targets.wheel]
packages = ["src/waves"]
"""
SIMULATE = """
import importlib.util, sys, numpy as np, waves
assert importlib.util.find_spec("taichi") is None
now = old = np.pad(np.ones((3, 4), np.float32), 2)
got = waves.simulate(now, 9, arch=sys.argv[1])
for _ in range(9):
    laplace = now[:-2, 1:-1] + now[2:, 1:-1] + now[1:-1, :-2] + now[1:-1, 2:] - 4 * now[1:-1, 1:-1]
    now, old = np.pad(2 * now[1:-1, 1:-1] - old[1:-1, 1:-1] + np.float32(0.25) * laplace, 1), now
np.testing.assert_allclose(got, now, rtol=0, atol=1e-6)
"""


@pytest.fixture(scope="module")
def build_environment(tmp_path_factory):
    """Variables for processes that see this checkout and its entry points as installed."""
    folder = tmp_path_factory.mktemp("metadata")
    info = folder / "taichi_aot-0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: taichi_aot\nVersion: 0\n")
    groups = load_file(ROOT / "pyproject.toml")["project"]["entry-points"]
    lines = [
        f"[{group}]\n{''.join(f'{name} = {value}' for name, value in each.items())}" for group, each in groups.items()
    ]
    (info / "entry_points.txt").write_text("\n\n".join(lines) + "\n")
    return {**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), str(ROOT), *OWN_PATH])}


def copy_example(folder):
    return shutil.copytree(EXAMPLE, folder / "project", ignore=GENERATED)


def run(*command, **options):
    done = subprocess.run([sys.executable, *map(str, command)], capture_output=True, text=True, timeout=300, **options)
    return done.returncode, done.stdout + done.stderr


def pip_wheel(project, environment):
    """Build a wheel in the folder of the project."""
    options = ("--no-build-isolation", "--no-deps", "--no-index", "--wheel-dir", project / "dist")
    return run("-m", "pip", "wheel", *options, project, env=environment)


@pytest.fixture(scope="module")
def example(tmp_path_factory, build_environment):
    """The example project, with its wheel in ``dist``."""
    project = copy_example(tmp_path_factory.mktemp("example"))
    status, output = pip_wheel(project, build_environment)
    assert status == 0, output
    return project


@pytest.fixture(scope="module")
def installed(example, tmp_path_factory):
    """The Python of a new virtual environment with the wheel and its dependencies, but without Taichi."""
    folder = tmp_path_factory.mktemp("installed") / "venv"
    assert run("-m", "venv", "--without-pip", folder) == (0, "")
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    purelib = Path(run_in(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))")[1].strip())
    for name in ("numpy", "cffi", "pycparser"):
        files = distribution(name).files or []
        for top in {file.parts[0] for file in files} - {"..", "__pycache__"}:
            (purelib / top).symlink_to(distribution(name).locate_file(top))
    (purelib / "taichi_aot").symlink_to(ROOT / "taichi_aot")
    (wheel,) = (example / "dist").glob("*.whl")
    status, output = run("-m", "pip", "--python", python, "install", "--no-deps", "--no-index", wheel)
    assert status == 0, output
    return python


def run_in(python, *arguments):
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        [python, *map(str, arguments)], env=environment, capture_output=True, text=True, timeout=600, cwd=python.parent
    )
    return done.returncode, done.stdout + done.stderr


@pytest.mark.slow
def test_wheel_has_the_bundle_and_its_python_module(example):
    (wheel,) = (example / "dist").glob("*.whl")
    assert wheel.name == "waves-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if name.startswith("waves/")}
        assert names == {
            f"waves/{name}" for name in ("__init__.py", "kernels.py", "kernels.tib", "kernels_aot.py", "py.typed")
        }
        assert archive.read("waves/kernels.tib") == (example / "src" / "waves" / "kernels.tib").read_bytes()


@pytest.mark.slow
def test_installed_wheel_runs_without_taichi(installed, arch):
    assert run_in(installed, "-c", SIMULATE, arch) == (0, "")


@pytest.mark.slow
def test_type_checker_reads_the_types_of_the_installed_wheel(installed, tmp_path):
    checkers.need("mypy")
    (tmp_path / "program.py").write_text("from waves.kernels_aot import load\n\nprint(load().advanse)\n")
    output = checkers.run("mypy", "--python-executable", str(installed), str(tmp_path / "program.py"))
    assert 'program.py:3: error: "Kernels" has no attribute "advanse"' in output
    assert output.count("error:") == 1


@pytest.mark.slow
def test_current_bundle_is_not_built_again(example, build_environment, tmp_path):
    bundle = example / "src" / "waves" / "kernels.tib"
    built = bundle.stat().st_mtime_ns
    code = f"from setuptools import build_meta; build_meta.build_editable({str(tmp_path)!r})"
    status, output = run("-c", code, cwd=example, env=build_environment)
    assert status == 0, output
    assert bundle.stat().st_mtime_ns == built
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as archive:
        assert not any(name.endswith(".tib") for name in archive.namelist())  # it is used in place


@pytest.mark.slow
def test_source_distribution_has_no_bundle(example, build_environment, tmp_path):
    code = f"from setuptools import build_meta; build_meta.build_sdist({str(tmp_path)!r})"
    status, output = run("-c", code, cwd=example, env=build_environment)
    assert status == 0, output
    with tarfile.open(tmp_path / "waves-1.0.tar.gz") as archive:
        names = archive.getnames()
    assert "waves-1.0/src/waves/kernels.py" in names
    assert not any(name.endswith(".tib") for name in names)


@pytest.mark.slow
def test_wheel_build_reports_the_compiler_error(build_environment, tmp_path):
    project = copy_example(tmp_path)
    source = project / "src" / "waves" / "kernels.py"
    source.write_text(source.read_text(encoding="utf-8").replace("courant**2", "speed**2"), encoding="utf-8")
    settings = project / "pyproject.toml"
    settings.write_text(
        settings.read_text(encoding="utf-8").replace('["x64", "vulkan"]', '["vulkan"]'), encoding="utf-8"
    )
    status, output = pip_wheel(project, build_environment)
    assert status == 1
    assert "error: [tool.taichi-aot.kernels]: kernel " in output
    assert 'Name "speed" is not defined' in output
    assert "Traceback" not in output


def test_hatchling_adds_a_current_bundle(build_environment, tmp_path):
    pytest.importorskip("hatchling")
    project = hatch_project(tmp_path)
    contents = {"kernels.tib": b"bundle", "kernels_aot.py": b"# python", "py.typed": b"partial\n"}
    for name, content in contents.items():
        (project / "src" / "waves" / name).write_bytes(content)
    assert_hatchling_builds(project, build_environment, contents)


@pytest.mark.slow
def test_hatchling_builds_the_bundle(build_environment, tmp_path):
    pytest.importorskip("hatchling")
    project = hatch_project(tmp_path)
    assert_hatchling_builds(project, build_environment, {})


def hatch_project(folder):
    project = copy_example(folder)
    text = (project / "pyproject.toml").read_text(encoding="utf-8")
    text = text.replace("setuptools.build_meta", "hatchling.build").replace("setuptools>=77", "hatchling")
    (project / "pyproject.toml").write_text(text + HATCHLING, encoding="utf-8")
    return project


def assert_hatchling_builds(project, environment, contents):
    status, output = pip_wheel(project, environment)
    assert status == 0, output
    with zipfile.ZipFile(project / "dist" / "waves-1.0-py3-none-any.whl") as archive:
        names = [name for name in archive.namelist() if name.startswith("waves/")]
        assert sorted(names) == [
            f"waves/{name}" for name in ("__init__.py", "kernels.py", "kernels.tib", "kernels_aot.py", "py.typed")
        ]
        assert all(archive.read(f"waves/{name}") == content for name, content in contents.items())


SOUND = {"source": "kernels.py"}


@pytest.fixture
def project(tmp_path):
    for name in ("kernels.py", "pyproject.toml"):
        (tmp_path / name).touch()
    return tmp_path


@pytest.mark.parametrize(
    ("tables", "message"),
    [
        ([], "[tool.taichi-aot] must contain tables, such as [tool.taichi-aot.kernels]"),
        ({"source": "kernels.py"}, "[tool.taichi-aot] source: must be a table"),
        ({"a": {}}, "[tool.taichi-aot.a] source: is missing"),
        ({"a": {"source": "lost.py"}}, "[tool.taichi-aot.a] source: there is no file "),
        ({"a": {"source": "kernels.txt"}}, "[tool.taichi-aot.a] source: must be the path of a .py file"),
        ({"a": {"source": "../kernels.py"}}, "[tool.taichi-aot.a] source: must be the path of a .py file in the "),
        ({"a": {"source": "\0.py"}}, "[tool.taichi-aot.a] source: must be the path of a .py file"),
        ({"a": {"source": 4}}, "[tool.taichi-aot.a] source: must be the path of a .py file in the project's folder"),
        ({"a": SOUND | {"output": "a.zip"}}, "[tool.taichi-aot.a] output: must be the path of a .tib file"),
        ({"a": SOUND | {"python": True}}, "[tool.taichi-aot.a] python: must be the path of a .py file"),
        ({"a": SOUND | {"archs": "x64"}}, "[tool.taichi-aot.a] archs: must be a list of "),
        ({"a": SOUND | {"archs": []}}, "[tool.taichi-aot.a] archs: must be a list of "),
        ({"a": SOUND | {"archs": ["x65"]}}, "[tool.taichi-aot.a] archs: must be a list of "),
        ({"a": SOUND | {"archs": [4]}}, "[tool.taichi-aot.a] archs: must be a list of "),
        ({"a": SOUND | {"cpu-threads": True}}, "[tool.taichi-aot.a] cpu-threads: must be an integer, not True"),
        ({"a": SOUND | {"all": 1}}, "[tool.taichi-aot.a] all: must be true or false, not 1"),
        ({"a": SOUND | {"caps": ["x"]}}, "[tool.taichi-aot.a] caps: must be a table"),
        ({"a": SOUND | {"cpu_threads": 4}}, "[tool.taichi-aot.a] cpu_threads: unknown key; the keys are source, "),
        ({"a": SOUND | {"output": "x.tib"}, "b": SOUND | {"output": "x.tib"}}, "is written by [tool.taichi-aot.a] too"),
    ],
)
def test_error_names_the_wrong_table_and_key(tables, message, project):
    with pytest.raises(BuildError) as caught:
        read_project({"tool": {"taichi-aot": tables}}, project)
    assert message in str(caught.value)


def test_outputs_are_written_beside_the_source_by_default(project):
    (project / "src").mkdir()
    (project / "src" / "code.py").touch()
    (bundle,) = read_project({"tool": {"taichi-aot": {"fluid": {"source": "src/code.py"}}}}, project)
    assert bundle.files == (project.resolve() / "src" / "fluid.tib",)


def test_types_are_shipped_with_a_python_module_in_a_package(project):
    table = {"source": "kernels.py", "output": "kernels.tib"}
    for python, names in ((None, []), ("kernels_aot.py", ["kernels_aot.py"])):
        (bundle,) = read_project(
            {"tool": {"taichi-aot": {"a": table | ({"python": python} if python else {})}}}, project
        )
        assert [path.name for path in bundle.shipped] == ["kernels.tib", *names]
    (project / "__init__.py").touch()
    assert [path.name for path in bundle.shipped] == ["kernels.tib", "kernels_aot.py", "py.typed"]


def test_misspelt_table_raises(project):
    with pytest.raises(BuildError, match=r"write \[tool\.taichi-aot\.\.\.\], with a hyphen"):
        read_project({"tool": {"taichi_aot": {"a": {"source": "kernels.py"}}}}, project)


def test_bundle_is_current_while_newer_than_its_inputs(project):
    table = {"source": "kernels.py", "output": "kernels.tib", "python": "kernels_aot.py"}
    (bundle,) = read_project({"tool": {"taichi-aot": {"a": table}}}, project)
    inputs = [project / name for name in ("kernels.py", "imported.py", "pyproject.toml")]
    outputs = [project / name for name in ("kernels.tib", "kernels_aot.py", "py.typed")]

    def set_times():
        for path, seconds in [*((path, 100) for path in inputs), *((path, 200) for path in outputs)]:
            path.touch()
            os.utime(path, (seconds, seconds))

    assert not bundle.is_current
    set_times()
    assert bundle.is_current
    for path in inputs:
        os.utime(path, (300, 300))
        assert not bundle.is_current
        set_times()
    outputs[1].unlink()
    assert not bundle.is_current
