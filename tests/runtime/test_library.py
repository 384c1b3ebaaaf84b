"""How the C library is found, checked and loaded; each case in a process of its own, since it loads only once."""

from __future__ import annotations

import ast
import importlib.util
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

import taichi_aot
from taichi_aot._ffi import library as _library

INCLUDE = Path(__file__).resolve().parents[2] / "include"
PACKAGE = Path(taichi_aot.__file__).parent
INSTALL_DIR = "TAICHI_C_API_INSTALL_DIR"
# A CPU runtime asks no driver, so a stub of the library can have one.
CPU_ARCH = "arm64" if platform.machine().lower() in ("arm64", "aarch64") else "x64"

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="looks at what the Linux loader does or says")

# Prints the message of the error that is expected; anything else ends the child with a traceback.
CATCH = """
import taichi_aot
try:
    taichi_aot.library_version()
except taichi_aot.LibraryNotFoundError as error:
    print(error)
else:
    raise SystemExit("no error")
"""

# What every library that is loaded must have, and what a runtime needs to be created.
STUB_ERRORS = """
#include <taichi/taichi_core.h>
TiError ti_get_last_error(uint64_t *size, char *message) {
  if (size != NULL && message != NULL && *size > 0) message[0] = 0;
  return TI_ERROR_SUCCESS;
}
void ti_set_last_error(TiError error, const char *message) { (void)error; (void)message; }
"""

STUB_VERSION = "uint32_t ti_get_version(void) { return VERSION; }\n"

STUB_RUNTIME = """
TiRuntime ti_create_runtime(TiArch arch, uint32_t index) { (void)arch; (void)index; return (TiRuntime)0x1000; }
void ti_destroy_runtime(TiRuntime runtime) { (void)runtime; }
void ti_get_runtime_capabilities(TiRuntime runtime, uint32_t *count, TiCapabilityLevelInfo *levels) {
  (void)runtime; (void)levels;
  *count = 0;
}
"""


def run(code: str, env: Mapping[str, str | None] | None = None) -> str:
    """What the code prints in a new process, which must exit 0 and leave stderr empty. None unsets a variable."""
    ignored = (INSTALL_DIR, "TI_LIB_DIR", *_library.INTEGER_VARIABLES)
    merged = {**{name: value for name, value in os.environ.items() if name not in ignored}, **(env or {})}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={name: value for name, value in merged.items() if value is not None},
        timeout=60,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    assert done.stderr == ""
    return done.stdout


@pytest.fixture(scope="module")
def wheel() -> Path:
    """The C API's folder in the installed package taichi."""
    spec = importlib.util.find_spec("taichi")
    if spec is None or spec.origin is None:
        pytest.skip("the package taichi, which carries the library, is not installed")
    return Path(spec.origin).parent / "_lib" / "c_api"


Compile = Callable[..., Path]


@pytest.fixture
def stub(tmp_path: Path) -> Compile:
    """Compiles a shared library under the real one's name and returns the folder to set as install folder."""
    cc = shutil.which("cc")
    if cc is None:
        pytest.skip("there is no C compiler cc")

    def compile_stub(source: str, *options: str, name: str = "stub") -> Path:
        target = tmp_path / name / _library.FOLDER / _library.FILE_NAME
        target.parent.mkdir(parents=True)
        (tmp_path / f"{name}.c").write_text(source)
        command = [cc, "-shared", "-fPIC", "-I", str(INCLUDE), "-o", str(target), str(tmp_path / f"{name}.c"), *options]
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=120)
        return tmp_path / name

    return compile_stub


# Where it is looked for.


def test_default_finds_a_library() -> None:
    code = "import os, taichi_aot as t; print(t.library_version(), os.path.isfile(t.library_path()))"
    assert run(code).splitlines()[-1] == "(1, 7, 0) True"


def test_install_dir_wins_over_the_other_places(wheel: Path) -> None:
    out = run("import taichi_aot as t; print(t.library_path())", {INSTALL_DIR: str(wheel)})
    assert out.strip() == str(wheel / _library.FOLDER / _library.FILE_NAME)


def test_empty_install_dir_variable_means_unset() -> None:
    code = "import taichi_aot as t; print(t.library_path())"
    assert run(code, {INSTALL_DIR: ""}) == run(code)


def test_install_dir_without_library_is_an_error_and_nothing_else_is_tried(tmp_path: Path) -> None:
    message = run(CATCH, {INSTALL_DIR: str(tmp_path)})
    assert f"{INSTALL_DIR}: no file {tmp_path / _library.FOLDER / _library.FILE_NAME}" in message
    for other in ("bundled", "installed package", "system loader"):
        assert other not in message
    assert "pip install taichi==1.7.4" in message


def test_order_of_places_without_install_dir(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(INSTALL_DIR, raising=False)
    (bundled, first), (package, second), (system, third) = _library._candidates()
    assert "bundled" in bundled
    assert first == str(PACKAGE / "_bundle" / _library.FOLDER / _library.FILE_NAME)
    assert "'taichi'" in package
    assert second is None or second.endswith(os.path.join("c_api", _library.FOLDER, _library.FILE_NAME))
    assert system == "system loader"
    assert third == _library.FILE_NAME


def test_nothing_found_lists_every_place_and_what_to_install(tmp_path: Path) -> None:
    gone = str(tmp_path / "gone" / _library.FILE_NAME)
    places = [("place one", gone), ("place two", None), ("place three", "libtaichi_aot_no_such_library.so")]
    message = run(f"import taichi_aot._ffi.library as l\nl._candidates = lambda: {places!r}\n" + CATCH)
    lines = message.splitlines()
    assert lines[0] == "the Taichi C-API library was not found. Tried:"
    assert lines[1] == f"  place one: no file {gone}"
    assert lines[2] == "  place two: not installed"
    assert lines[3].startswith("  place three: libtaichi_aot_no_such_library.so cannot be loaded: ")


@linux_only
def test_advice_when_nothing_is_found(tmp_path: Path) -> None:
    # The last of the real places is the bare name, whose failure must not be taken for a missing dependency.
    places = [("bundled", str(tmp_path / "gone.so")), ("system loader", _library.FILE_NAME)]
    code = f"import taichi_aot._ffi.library as l\nl._candidates = lambda: {places!r}\n"
    message = run(code + CATCH, {"LD_LIBRARY_PATH": None})
    assert f"{_library.FILE_NAME} cannot be loaded: {_library.FILE_NAME}: cannot open shared object file" in message
    assert "pip install taichi==1.7.4" in message
    assert INSTALL_DIR in message
    assert f"{_library.FOLDER}/{_library.FILE_NAME}" in message


def test_the_first_usable_place_is_taken(wheel: Path, tmp_path: Path) -> None:
    path = str(wheel / _library.FOLDER / _library.FILE_NAME)
    (tmp_path / "broken.so").write_text("this is text")
    places = [("a", None), ("b", str(tmp_path / "gone.so")), ("c", str(tmp_path / "broken.so")), ("d", path)]
    code = f"import taichi_aot._ffi.library as l\nl._candidates = lambda: {places!r}\nprint(l.library_path())"
    assert run(code).strip() == path


@linux_only
def test_a_library_of_the_system_is_known_by_its_full_path(wheel: Path) -> None:
    code = (
        "import os, taichi_aot._ffi.library as l\n"
        "l._candidates = lambda: [('system loader', l.FILE_NAME)]\n"
        "print(l.library_path(), os.environ['TI_LIB_DIR'])"
    )
    out = run(code, {"LD_LIBRARY_PATH": str(wheel / "lib")})
    assert out.split() == [str(wheel / "lib" / _library.FILE_NAME), str((wheel / "runtime").resolve())]


def test_a_broken_package_taichi_is_not_installed(tmp_path: Path) -> None:
    # find_spec raises for a module without a spec, as stand-ins for missing packages are.
    code = (
        "import sys, types, taichi_aot._ffi.library as l\n"
        "sys.modules['taichi'] = types.ModuleType('taichi')\n"
        "print(l._path_in_taichi())"
    )
    assert run(code).strip() == "None"


# What is refused.


def test_a_library_of_another_version_is_refused(stub: Compile) -> None:
    folder = stub(STUB_ERRORS + STUB_VERSION, "-DVERSION=1006000")
    message = run(CATCH, {INSTALL_DIR: str(folder)})
    assert f"{folder / _library.FOLDER / _library.FILE_NAME} has version 1.6.0; taichi_aot needs 1.7" in message


def test_any_patch_release_is_accepted(stub: Compile) -> None:
    folder = stub(STUB_ERRORS + STUB_VERSION, "-DVERSION=1007012")
    out = run("import taichi_aot; print(taichi_aot.library_version())", {INSTALL_DIR: str(folder)})
    assert out.strip() == "(1, 7, 12)"


def test_a_shared_library_of_another_kind_is_refused(stub: Compile) -> None:
    folder = stub("int something_else(void) { return 1; }\n")
    message = run(CATCH, {INSTALL_DIR: str(folder)})
    assert f"{_library.FILE_NAME} cannot be loaded: it is not a Taichi C-API library" in message


@pytest.mark.parametrize("content", [b"", b"this is text", b"\x7fELF" + bytes(60)], ids=["empty", "text", "ELF header"])
def test_a_file_that_is_no_library_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / _library.FOLDER / _library.FILE_NAME
    path.parent.mkdir()
    path.write_bytes(content)
    assert f"{path} cannot be loaded: " in run(CATCH, {INSTALL_DIR: str(tmp_path)})


def test_a_folder_of_that_name_is_refused(tmp_path: Path) -> None:
    path = tmp_path / _library.FOLDER / _library.FILE_NAME
    path.mkdir(parents=True)
    assert f"no file {path}" in run(CATCH, {INSTALL_DIR: str(tmp_path)})


@linux_only
def test_a_missing_dependency_is_named(stub: Compile, tmp_path: Path) -> None:
    needed = tmp_path / "libtaichi_aot_needed.so.3"
    made = stub("int needed(void) { return 1; }\n", "-Wl,-soname,libtaichi_aot_needed.so.3", name="dependency")
    (made / _library.FOLDER / _library.FILE_NAME).rename(needed)
    source = STUB_ERRORS + "int needed(void);\nuint32_t ti_get_version(void) { return 1006999 + needed(); }\n"
    folder = stub(source, str(needed))
    env = {INSTALL_DIR: str(folder), "LD_LIBRARY_PATH": str(tmp_path)}
    loads = run("import taichi_aot as t; print(t.library_version())", env)
    assert loads.strip() == "(1, 7, 0)"
    needed.unlink()
    message = run(CATCH, env)
    assert "libtaichi_aot_needed.so.3: cannot open shared object file" in message
    advice = message.splitlines()[-1]
    assert "libtaichi_aot_needed.so.3" in advice
    assert "install the package of your system that provides it" in advice
    assert "pip install" not in message


def test_advice_names_the_package_of_libx11() -> None:
    tried = [
        "  system loader: libtaichi_c_api.so cannot be loaded: libX11.so.6: cannot open shared object file: No such"
    ]
    (advice,) = _library._advice(tried)
    assert "libX11.so.6" in advice
    assert "apt-get install libx11-6" in advice


def test_a_failed_search_can_be_repeated(wheel: Path, stub: Compile) -> None:
    # Neither the failure nor the functions of the library that was refused may stay.
    stranger = stub("int something_else(void) { return 1; }\n")
    code = CATCH + f"import os; os.environ['{INSTALL_DIR}'] = {str(wheel)!r}; print(taichi_aot.library_version())"
    assert run(code, {INSTALL_DIR: str(stranger)}).splitlines()[-1] == "(1, 7, 0)"


def test_a_refused_library_leaves_no_functions(stub: Compile) -> None:
    # Until load() has returned, no function of any library may be reached.
    folder = stub(STUB_ERRORS + STUB_VERSION + STUB_RUNTIME, "-DVERSION=1006000")
    code = CATCH + (
        "from taichi_aot._ffi.library import ffi, lib\n"
        "print(lib.ti_get_version(), lib.checked_ti_destroy_runtime(ffi.NULL) == taichi_aot.ErrorCode.NOT_SUPPORTED)"
    )
    assert run(code, {INSTALL_DIR: str(folder)}).splitlines()[-1] == "0 True"


def test_threads_load_one_library() -> None:
    code = (
        "import concurrent.futures as c, taichi_aot._ffi.library as l\n"
        "calls, find = [], l._find_and_load\n"
        "l._find_and_load = lambda: (calls.append(1), find())[1]\n"
        "with c.ThreadPoolExecutor(16) as pool:\n"
        "    results = list(pool.map(lambda _: id(l.load()), range(64)))\n"
        "print(len(calls), len(set(results)))"
    )
    assert run(code).splitlines()[-1] == "1 1"


# A library without some functions.


@pytest.mark.parametrize(
    ("use", "function"),
    [
        ("runtime.wait()", "ti_wait"),
        ("runtime.flush()", "ti_flush"),
        ("runtime.zeros(4)", "ti_import_cpu_memory"),
    ],
)
def test_a_missing_function_is_named_when_it_is_needed(use: str, function: str, stub: Compile) -> None:
    folder = stub(STUB_ERRORS + STUB_VERSION + STUB_RUNTIME, "-DVERSION=1007000")
    code = f"""
import taichi_aot
runtime = taichi_aot.Runtime({CPU_ARCH!r})
try:
    {use}
except taichi_aot.NotSupportedError as error:
    print(error)
runtime.close()
print(runtime.closed, taichi_aot.library_path())
"""
    message, rest = run(code, {INSTALL_DIR: str(folder)}).splitlines()
    assert function in message.split()
    assert rest == f"True {folder / _library.FOLDER / _library.FILE_NAME}"


def test_nothing_is_called_before_the_library_is_loaded() -> None:
    code = (
        "from taichi_aot import ErrorCode\n"
        "from taichi_aot._ffi.library import ffi, lib\n"
        "print(lib.ti_get_version(), lib.checked_ti_wait(ffi.NULL) == ErrorCode.NOT_SUPPORTED)"
    )
    assert run(code).strip() == "0 True"


# The environment.


LOAD_AND_RUN = f"""
import taichi_aot
print(taichi_aot.library_version())
with taichi_aot.Runtime({CPU_ARCH!r}) as runtime:
    print(runtime.zeros(3).to_numpy().sum())
"""


@pytest.mark.parametrize(
    "env",
    [
        {"HOME": None, "XDG_CACHE_HOME": None},
        {"HOME": None, "XDG_CACHE_HOME": ""},
        {"HOME": "", "XDG_CACHE_HOME": None},
        {"HOME": None, "XDG_CACHE_HOME": "/nonexistent"},
        {"HOME": "/nonexistent", "XDG_CACHE_HOME": None},
    ],
    ids=["neither", "empty cache", "empty home", "cache only", "home only"],
)
def test_loads_without_a_home(env: dict[str, str | None]) -> None:
    assert run(LOAD_AND_RUN, env).splitlines()[-2:] == ["(1, 7, 0)", "0.0"]


@linux_only
def test_lib_dir_is_where_the_runtime_bitcode_is(wheel: Path) -> None:
    # The library asks the C environment, not Python's copy of it.
    code = (
        "import ctypes, os, taichi_aot; taichi_aot.library_path()\n"
        "getenv = ctypes.CDLL(None).getenv; getenv.restype = ctypes.c_char_p\n"
        "print(os.environ['TI_LIB_DIR'], getenv(b'TI_LIB_DIR').decode())"
    )
    assert run(code, {INSTALL_DIR: str(wheel)}).split() == [str((wheel / "runtime").resolve())] * 2


def test_lib_dir_of_the_default_library_holds_bitcode() -> None:
    out = run("import os, taichi_aot; taichi_aot.library_path(); print(os.environ['TI_LIB_DIR'])")
    assert list(Path(out.strip()).glob("runtime_*.bc"))


@pytest.mark.parametrize("value", ["/somewhere/else", ""])
def test_lib_dir_of_the_user_is_left_alone(value: str) -> None:
    code = "import os, taichi_aot; taichi_aot.library_path(); print(repr(os.environ['TI_LIB_DIR']))"
    assert run(code, {"TI_LIB_DIR": value}).strip() == repr(value)


def test_lib_dir_is_not_set_where_the_library_has_no_bitcode(stub: Compile) -> None:
    folder = stub(STUB_ERRORS + STUB_VERSION, "-DVERSION=1007000")
    code = "import os, taichi_aot; taichi_aot.library_path(); print('TI_LIB_DIR' in os.environ)"
    assert run(code, {INSTALL_DIR: str(folder)}).strip() == "False"


BAD_INTEGERS = {
    "word": "abc",
    "empty": "",
    "sign only": "-",
    "fraction": ".5",
    "too large": "99999999999",
    "too small": "-2147483649",
    "thousands of digits": "9" * 5000,  # more than Python itself converts
    "space that C does not know": "\u00a01",
    "separator that C does not know": "\x1c1",
    "digit that C does not know": "\u0661",
}


@pytest.mark.parametrize("value", BAD_INTEGERS.values(), ids=BAD_INTEGERS)
@pytest.mark.parametrize("variable", ["TI_ENABLE_CUDA", "TI_VISIBLE_DEVICE"])
def test_integers_that_would_abort_the_process_are_refused(variable: str, value: str) -> None:
    code = f"""
import taichi_aot
for use in (taichi_aot.library_version, taichi_aot.devices, taichi_aot.Runtime, lambda: taichi_aot.Runtime("vulkan")):
    try:
        use()
    except ValueError as error:
        assert {variable!r} in str(error), str(error)[:200]
    else:
        raise SystemExit("no error")
print("alive")
"""
    assert run(code, {variable: value}).strip() == "alive"


@pytest.mark.parametrize(
    ("variable", "uses"),
    [
        ("TI_ENABLE_CUDA", ["Runtime()", f"Runtime({CPU_ARCH!r})", "Runtime('vulkan')"]),
        ("TI_VISIBLE_DEVICE", ["Runtime()", f"Runtime({CPU_ARCH!r})", "Runtime('vulkan')"]),
        ("TI_VISIBLE_DEVICE", ["devices()", "available_archs()"]),  # which read it themselves
    ],
    ids=["TI_ENABLE_CUDA", "TI_VISIBLE_DEVICE", "TI_VISIBLE_DEVICE read by devices"],
)
def test_integers_set_after_loading_are_refused_too(variable: str, uses: list[str]) -> None:
    code = f"""
import os, taichi_aot
from taichi_aot import Runtime, available_archs, devices
taichi_aot.library_version()
os.environ[{variable!r}] = "abc"
for use in ({"".join(f"lambda: {use}, " for use in uses)}):
    try:
        use()
    except ValueError as error:
        assert {variable!r} in str(error), str(error)
    else:
        raise SystemExit("no error")
print("alive")
"""
    assert run(code).splitlines()[-1] == "alive"


@pytest.mark.parametrize("value", ["0", "1", "+1", "-1", " 1", "\t1", "007", "2147483647"])
@pytest.mark.parametrize("variable", ["TI_ENABLE_CUDA", "TI_VISIBLE_DEVICE"])
def test_integers_that_the_library_reads_pass(variable: str, value: str) -> None:
    assert run(LOAD_AND_RUN, {variable: value}).splitlines()[-2:] == ["(1, 7, 0)", "0.0"]


def test_the_rest_of_the_environment_passes_through(stub: Compile) -> None:
    code = (
        "import os, taichi_aot\n"
        "before = dict(os.environ)\n"
        "print(taichi_aot.library_version())\n"
        "print({name for name in {**before, **os.environ} if before.get(name) != os.environ.get(name)})"
    )
    env = {"TI_LOG_LEVEL": "error", "TI_OFFLINE_CACHE": "0", "SOME_VARIABLE": "value", "HOME": "/nonexistent"}
    assert run(code, env).splitlines()[-1] == "{'TI_LIB_DIR'}"
    # And it reaches the library: this one takes its patch number from it.
    source = "#include <stdlib.h>\n" + STUB_ERRORS
    source += 'uint32_t ti_get_version(void) { return 1007000 + (uint32_t)atoi(getenv("SOME_NUMBER")); }\n'
    out = run(code, {INSTALL_DIR: str(stub(source)), "SOME_NUMBER": "42"})
    assert out.splitlines() == ["(1, 7, 42)", "set()"]


# Importing.


@linux_only
def test_import_alone_loads_no_library() -> None:
    code = (
        "import taichi_aot\n"
        "print('taichi_c_api' in open('/proc/self/maps').read())\n"
        "taichi_aot.library_path()\n"
        "print('taichi_c_api' in open('/proc/self/maps').read())"
    )
    assert run(code).split() == ["False", "True"]


def test_import_changes_no_variable_and_imports_no_taichi() -> None:
    code = (
        "import os, sys\n"
        "before = dict(os.environ)\n"
        "import taichi_aot\n"
        "print(dict(os.environ) == before)\n"
        "taichi_aot.library_path()\n"
        "print('taichi' in sys.modules)"
    )
    assert run(code, {"HOME": None, "XDG_CACHE_HOME": None}).split() == ["True", "False"]


def test_import_succeeds_without_the_library(tmp_path: Path) -> None:
    code = "import taichi_aot; print(taichi_aot.Arch('vulkan'), taichi_aot.__version__)"
    assert run(code, {INSTALL_DIR: str(tmp_path), "TI_ENABLE_CUDA": "abc"}).split()[0] == "vulkan"


@pytest.mark.parametrize("use", ["library_path()", "devices()", "available_archs()", "Runtime()", "Runtime('x64')"])
def test_every_use_without_the_library_says_so(use: str, tmp_path: Path) -> None:
    code = CATCH.replace("library_version()", use)
    assert f"{INSTALL_DIR}: no file" in run(code, {INSTALL_DIR: str(tmp_path)})


def test_library_not_found_is_an_oserror() -> None:
    assert issubclass(taichi_aot.LibraryNotFoundError, OSError)


def test_one_module_imports_the_extension() -> None:
    importers = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = []
            if isinstance(node, ast.Import | ast.ImportFrom):
                names = [getattr(node, "module", None) or "", *(alias.name for alias in node.names)]
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):  # importlib.import_module(...)
                names = [node.value]
            if any(name.split(".")[-1] == "_capi" for name in names):
                importers.add(path.relative_to(PACKAGE).as_posix())
    assert importers == {"_library.py"}
