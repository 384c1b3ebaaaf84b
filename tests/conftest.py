"""Define the options of the test suite, and fixtures: archs under test, runtimes, compiled modules."""

import gc
import os
import shutil
import sys
import tempfile
from fnmatch import fnmatchcase
from hashlib import sha256
from pathlib import Path

import pytest
from helpers.archs import ARCHS, HAS_TAICHI, need, require
from helpers.carry import WIDE_TYPES, add_ptx, source_path
from helpers.child import run_child
from helpers.compile_planned import compile_planned
from helpers.fake_cuda import compile_driver, read_log
from helpers.fault_library import compile_library
from helpers.machine import is_on_host
from helpers.scaling import Scaled, load_profile
from helpers.sharing import MadeOnce, UnavailableError
from helpers.sources import FILL
from helpers.textures import RW_FORMATS
from hypothesis import is_hypothesis_test

import taichi_aot
from taichi_aot import Arch, Runtime
from taichi_aot.build import build

# JAX reads it when it is imported, also in children: by default it takes most of a GPU's memory.
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

TESTS = Path(__file__).parent


def pytest_addoption(parser):
    parser.addoption("--all", action="store_true", help="run slow tests too, and scaled tests in full")
    parser.addoption("--mutants", type=int, help="mutants of each file: by default 10, with --all 40")
    parser.addoption("--kernels", type=int, help="generated kernels on each arch: by default 3, with --all 30")
    parser.addoption("--every-example", action="store_true", help="with --all: run all programs of taichi's wheel")
    # The three kernels from this number on have most of what is generated.
    parser.addoption("--first-kernel", type=int, default=190, help="number of the first generated kernel")
    parser.addoption("--carried", type=Path, help="folder of modules that helpers.carry compiled on another machine")
    parser.addoption("--minutes", type=float, help="length of a random walk or soak: by default 0.03, with --all 0.2")


def pytest_configure(config):
    config.addinivalue_line("markers", "slow(but=patterns): run with --all only, but for parameters that match")
    config.addinivalue_line("markers", "scaled: try a small part, with --all the whole")
    load_profile(config.getoption("--all"))
    _cache_bytecode_of_children(config)


def _cache_bytecode_of_children(config):
    """Let child processes share bytecode where Python writes none: compiling the package takes half their start."""
    if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
        folder = tempfile.TemporaryDirectory(prefix="taichi_aot_bytecode")
        config.add_cleanup(folder.cleanup)
        os.environ["PYTHONPYCACHEPREFIX"] = folder.name


def pytest_collection_finish():
    """Keep what was collected out of later collections of garbage: 500,000 objects took 0.2 s each time."""
    gc.collect()
    gc.freeze()


def pytest_collection_modifyitems(config, items):
    for item in items:
        if is_hypothesis_test(getattr(item, "obj", None)):
            item.add_marker("scaled")
    if config.getoption("--all"):
        return
    left_out = {item for item in items if _is_left_out(item)}
    config.hook.pytest_deselected(items=[*left_out])
    items[:] = [item for item in items if item not in left_out]


def _is_left_out(item):
    """Return whether a test is slow: the parameters match none of the patterns in `but` of its closest marker."""
    slow = item.get_closest_marker("slow")
    if slow is None:
        return False
    patterns = slow.kwargs.get("but", ())
    parameters = item.name.partition("[")[2].removesuffix("]")
    return not any(fnmatchcase(parameters, each) for each in ([patterns] if isinstance(patterns, str) else patterns))


@pytest.hookimpl(wrapper=True)
def _skip_without_taichi():
    """Skip a test that compiles, or a fixture does for it, on a machine without the compiler."""
    try:
        return (yield)
    except UnavailableError as error:
        if HAS_TAICHI:
            raise
        pytest.skip(str(error))


pytest_runtest_setup = pytest_runtest_call = _skip_without_taichi


@pytest.fixture
def scaled(request):
    """Choose how much a test marked `scaled` tries: ``scaled(part, whole)``."""
    assert request.node.get_closest_marker("scaled"), "mark the test `scaled`: .ci/run selects tests by this marker"
    return Scaled(request.config.getoption("--all"))


def _number(request, name, part, whole):
    stated = request.config.getoption(name)
    return request.getfixturevalue("scaled")(part, whole) if stated is None else stated


@pytest.fixture
def mutant_count(request):
    """Number of mutants tried for each file of a module."""
    return _number(request, "--mutants", 10, 40)


@pytest.fixture
def kernel_numbers(request):
    """Numbers of the generated kernels."""
    first = request.config.getoption("--first-kernel")
    return range(first, first + _number(request, "--kernels", 3, 30))


@pytest.fixture
def walk_minutes(request):
    """Length of a random walk or a soak, in minutes."""
    return _number(request, "--minutes", 0.03, 0.2)


@pytest.fixture(scope="session")
def carried(pytestconfig):
    """Folder of modules compiled on another machine, or None."""
    folder = pytestconfig.getoption("--carried")
    return folder.resolve() if folder else None


@pytest.fixture(scope="session")
def made_once(tmp_path_factory):
    """Files that only one worker makes per session."""
    return MadeOnce(tmp_path_factory)


@pytest.fixture(scope="session")
def compile_with(made_once, carried):
    """Run a script of helpers that needs Taichi, once per session and arch; return the folder it filled."""

    def compile_for(arch, script, *arguments):
        name = f"{Path(script).stem}-{arch}"
        if carried is not None and (carried / name).is_dir():
            return carried / name

        if not HAS_TAICHI:
            pytest.skip("needs taichi")

        def compile_into(folder):
            command = [*(argument.format(arch=arch, folder=folder) for argument in arguments)]
            done = run_child(TESTS / "helpers" / script, *command, status=None)
            if done.returncode != 0:
                raise UnavailableError(f"{script} cannot compile its modules: {done.stderr[-2000:]}")

        try:
            return made_once.folder(name, compile_into)
        except UnavailableError as error:
            need(arch, str(error))

    return compile_for


@pytest.fixture(scope="session")
def untrusted(compile_with):
    """Return the path of the module that ``compile_untrusted.py`` writes for an arch."""
    return lambda arch: compile_with(str(arch), "compile_untrusted.py", "{arch}", "{folder}/{arch}.tcm") / f"{arch}.tcm"


@pytest.fixture(scope="session")
def available():
    return taichi_aot.available_archs()


@pytest.fixture(params=ARCHS)
def arch(request):
    require(request.param)
    return Arch(request.param)


@pytest.fixture
def on_host(arch):
    """Whether arrays of the arch under test are in host memory, so that views share it."""
    return is_on_host(arch)


@pytest.fixture
def cuda_arch():
    """CUDA, for tests that run on no other arch."""
    require("cuda")
    return Arch.CUDA


@pytest.fixture(scope="session")
def compiled(compile_with):
    """Return the folder of modules that ``compile_modules.py`` writes for an arch."""
    return lambda arch: compile_with(str(arch), "compile_modules.py", "{arch}", "{folder}")


@pytest.fixture(scope="session")
def texture_folder(compile_with):
    """Folder with ``textures.tcm`` and ``expected.npz``; see ``helpers/compile_textures.py``."""
    require("vulkan")
    return compile_with("vulkan", "compile_textures.py", "{folder}", *RW_FORMATS)


@pytest.fixture(scope="session")
def build_source(made_once, carried):
    """Build the module of a source (a path, or the name of a file in helpers) for an arch; return its path."""

    def build_for(source, arch, caps=WIDE_TYPES, native=None):
        arch, source = str(arch), TESTS / "helpers" / f"{source}.py" if isinstance(source, str) else source
        if carried is not None and (path := source_path(carried, source, arch)).exists():
            return path
        if not HAS_TAICHI:
            pytest.skip("needs taichi, or a carried module")
        digest = sha256(repr((source, source.read_bytes(), caps, native)).encode()).hexdigest()[:16]

        def build_into(folder):
            build(source, folder / f"{source.stem}.tcm", archs=[arch], caps=caps, native=native)

        return made_once.folder(f"built-{source.stem}-{arch}-{digest}", build_into) / f"{source.stem}.tcm"

    return build_for


@pytest.fixture(params=[None, False], ids=["", "library"])
def native(request, arch):
    """The option of a build with which plans launch a module, and the one with which the library does."""
    if request.param is False and not arch.is_llvm:
        pytest.skip("only LLVM modules have other code for launches without the library")
    option = request.param
    return option


@pytest.fixture(scope="session")
def c_library():
    """Skip a test that uses the C library where the tests run without it: TAICHI_C_API_INSTALL_DIR is /dev/null."""
    if os.environ.get("TAICHI_C_API_INSTALL_DIR") == os.devnull:
        pytest.skip("uses the C library")


@pytest.fixture(scope="session")
def c_compiler():
    """Skip a test that compiles C of tests for Linux."""
    if sys.platform != "linux" or shutil.which("cc") is None:
        pytest.skip("needs Linux and a C compiler")


@pytest.fixture(scope="session")
def fault_library(made_once, c_library, c_compiler):
    """Return a folder for ``TAICHI_C_API_INSTALL_DIR``, with a library whose calls can be made to fail."""
    real = Path(taichi_aot.library_path())
    return made_once.folder("fault-library", lambda folder: compile_library(folder, real))


@pytest.fixture(scope="session")
def cuda_driver(made_once, c_compiler):
    """Return the folder of a CUDA driver that needs no device."""
    return made_once.folder("driver", compile_driver)


@pytest.fixture
def old_driver(tmp_path, cuda_driver):
    """Compile that driver without some functions; return its folder."""
    folder = tmp_path / "driver"
    folder.mkdir()
    return lambda *without: compile_driver(folder, without)


@pytest.fixture
def fake_cuda(tmp_path, cuda_driver, monkeypatch):
    """Give child processes two devices of a CUDA driver that needs none; return its log, which must have no race."""
    log = tmp_path / "log"
    for name, value in {"LD_LIBRARY_PATH": cuda_driver, "FAKE_CUDA_LOG": log, "FAKE_CUDA_DEVICES": 2}.items():
        monkeypatch.setenv(name, str(value))
    yield log
    assert not log.exists() or not read_log(log).races


@pytest.fixture(scope="session")
def cuda_modules(made_once):
    """Return the path of a module of ``compile_modules.py`` with PTX, made without a device, by its name.

    Beside it is ``NAME-taichi.tcm``, the module as Taichi wrote it.
    """

    def path_of(name):
        def compile_into(folder):
            compile_planned("cuda", "compile_modules.py", folder, name)
            path = folder / f"{name}.tcm"
            shutil.copy(path, path.with_stem(f"{name}-taichi"))
            add_ptx(path)

        return made_once.folder(f"cuda-with-ptx-{name}", compile_into) / f"{name}.tcm"

    return path_of


@pytest.fixture
def lavapipe_twice(tmp_path, monkeypatch):
    """Name lavapipe twice to child processes, for which it counts as two devices."""
    drivers = list(Path("/usr/share/vulkan/icd.d").glob("lvp_icd.*.json"))
    if not drivers:
        pytest.skip("lavapipe is not installed")
    shutil.copy(drivers[0], tmp_path / "second.json")
    monkeypatch.setenv("VK_ICD_FILENAMES", f"{drivers[0]}:{tmp_path / 'second.json'}")
    monkeypatch.delenv("TI_VISIBLE_DEVICE", raising=False)


@pytest.fixture
def fill(tmp_path):
    """A source with one kernel that fills an array."""
    path = tmp_path / "fill.py"
    path.write_text(FILL)
    return path


@pytest.fixture
def modules(arch, compiled):
    """Folder of compiled modules for the arch under test."""
    return compiled(str(arch))


@pytest.fixture
def basic(modules):
    """Path of the module that most tests use."""
    return modules / "basic.tcm"


@pytest.fixture(scope="session")
def shared_runtime():
    """Return the runtime of an arch that all tests of this process share: creating one is slow."""
    runtimes = {}

    def runtime_of(arch):
        if arch not in runtimes or runtimes[arch].closed:
            runtimes[arch] = Runtime(arch)
        return runtimes[arch]

    return runtime_of


@pytest.fixture
def rt(arch, shared_runtime):
    """A runtime that other tests use too."""
    return shared_runtime(arch)


@pytest.fixture
def own_rt(arch):
    """A runtime that no other test uses."""
    with Runtime(arch) as runtime:
        yield runtime


@pytest.fixture
def module(rt, basic):
    return rt.load_module(basic)
