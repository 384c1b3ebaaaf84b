"""The C library is found, checked and loaded; in child processes, because a process loads it only once."""

import importlib.util
import os
import platform
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from helpers.archs import on_vulkan
from helpers.child import in_child, run_in_child
from scenarios import imports, loading

import taichi_aot
from taichi_aot.build import build
from taichi_aot.driver import _library as library

INCLUDE = Path(__file__).resolve().parents[2] / "include"
PACKAGE = Path(taichi_aot.__file__).parent
INSTALL_DIR = "TAICHI_C_API_INSTALL_DIR"
# A CPU runtime needs no driver, so a stub of the library can create one.
CPU_ARCH = "arm64" if platform.machine().lower() in ("arm64", "aarch64") else "x64"

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="depends on the Linux loader")

# Functions needed to load a library, and to create a runtime.
STUB_ERRORS = """
#include <stdio.h>
#include <taichi/taichi_core.h>
static TiError last;
static char text[256];
TiError ti_get_last_error(uint64_t *size, char *message) {
  if (size != NULL && message != NULL) snprintf(message, *size, "%s", text);
  return last;
}
void ti_set_last_error(TiError error, const char *message) {
  last = error;
  snprintf(text, sizeof text, "%s", message != NULL ? message : "");
}
"""

STUB_VERSION = "uint32_t ti_get_version(void) { return VERSION; }\n"

STUB_RUNTIME = """
TiRuntime ti_create_runtime(TiArch arch, uint32_t index) { (void)arch; (void)index; return (TiRuntime)0x1000; }
void ti_destroy_runtime(TiRuntime runtime) { (void)runtime; }
void ti_wait(TiRuntime runtime) { (void)runtime; }
void ti_get_runtime_capabilities(TiRuntime runtime, uint32_t *count, TiCapabilityLevelInfo *levels) {
  (void)runtime; (void)levels;
  *count = 0;
}
"""

CLEAN = dict.fromkeys((INSTALL_DIR, "TI_LIB_DIR", *library.INTEGER_VARIABLES))


def run(function, *args, env=None):
    """Return what a function prints; of the variables that the package reads, only those in `env` are set."""
    fresh = function.__module__ == imports.__name__  # a forked child has imported the package before
    return run_in_child(function, *args, env={**CLEAN, **(env or {})}, fresh=fresh).stdout


@pytest.fixture(scope="module")
def wheel():
    """The C library's folder in the installed package taichi."""
    spec = importlib.util.find_spec("taichi")
    if spec is None or spec.origin is None:
        pytest.skip("the package taichi, which contains the library, is not installed")
    return Path(spec.origin).parent / "_lib" / "c_api"


@pytest.fixture
def stub(tmp_path):
    """Compile a shared library under the name of the real one; return its install folder."""
    cc = shutil.which("cc")
    if cc is None:
        pytest.skip("the C compiler cc is not installed")

    def compile_stub(source, *options, name="stub"):
        target = library_in(tmp_path / name)
        target.parent.mkdir(parents=True)
        (tmp_path / f"{name}.c").write_text(source)
        command = [cc, "-shared", "-fPIC", "-I", str(INCLUDE), "-o", str(target), str(tmp_path / f"{name}.c"), *options]
        subprocess.run(command, check=True, capture_output=True, text=True, timeout=600)
        return tmp_path / name

    return compile_stub


def library_in(install_dir):
    return install_dir / library.FOLDER / library.FILE_NAME


# The search.


def test_default_finds_a_library():
    version, path, _ = run(loading.print_library).splitlines()
    assert version == "(1, 7, 0)"
    assert Path(path).is_file()


def test_install_dir_is_preferred(wheel):
    assert run(loading.print_library, env={INSTALL_DIR: str(wheel)}).splitlines()[1] == str(library_in(wheel))


def test_empty_install_dir_means_unset():
    assert run(loading.print_library, env={INSTALL_DIR: ""}) == run(loading.print_library)


def test_install_dir_without_a_library_is_an_error(tmp_path):
    message = run(loading.fail_to_load, env={INSTALL_DIR: str(tmp_path)})
    assert f"{INSTALL_DIR}: no file {library_in(tmp_path)}" in message
    for other in ("bundled with", "installed package", "system loader"):
        assert other not in message
    assert f"{INSTALL_DIR} is set, so no other place is searched: unset it to use the bundled library, or" in message


def test_bundled_library_comes_first(monkeypatch):
    monkeypatch.delenv(INSTALL_DIR, raising=False)
    (bundled, first), (package, second), (system, third) = library._candidates()
    assert "bundled" in bundled
    assert first == str(library_in(PACKAGE / "_bundle"))
    assert "'taichi'" in package
    assert second is None or second.endswith(os.path.join("c_api", library.FOLDER, library.FILE_NAME))
    assert system == "system loader"
    assert third == library.FILE_NAME


def test_error_lists_every_place(tmp_path):
    missing = tmp_path / "missing" / library.FILE_NAME
    places = (f"place one={missing}", "place two=", "place three=libtaichi_aot_no_such_library.so")
    lines = run(loading.fail_to_load, "library_version", *places).splitlines()
    assert lines[0] == "the Taichi C-API library was not found. Tried:"
    assert lines[1] == f"  place one: no file {missing}"
    assert lines[2] == "  place two: not installed"
    assert lines[3].startswith("  place three: libtaichi_aot_no_such_library.so cannot be loaded: ")


@linux_only
def test_error_says_how_to_install_the_library(tmp_path):
    # The last place is the bare name, whose failure must not be reported as a missing dependency.
    places = (f"bundled={tmp_path / 'missing.so'}", f"system loader={library.FILE_NAME}")
    message = run(loading.fail_to_load, "library_version", *places, env={"LD_LIBRARY_PATH": None})
    assert f"{library.FILE_NAME} cannot be loaded: {library.FILE_NAME}: cannot open shared object file" in message
    assert "pip install taichi==1.7.4" in message
    assert INSTALL_DIR in message
    assert f"{library.FOLDER}/{library.FILE_NAME}" in message


def test_first_usable_place_is_taken(wheel, tmp_path):
    path = library_in(wheel)
    (tmp_path / "broken.so").write_text("this is text")
    places = ("a=", f"b={tmp_path / 'missing.so'}", f"c={tmp_path / 'broken.so'}", f"d={path}")
    assert run(loading.print_library, *places).splitlines()[1] == str(path)


@linux_only
def test_library_of_the_system_is_reported_by_its_full_path(wheel):
    env = {"LD_LIBRARY_PATH": str(wheel / "lib")}
    _, path, lib_dir = run(loading.print_library, f"system loader={library.FILE_NAME}", env=env).splitlines()
    assert path == str(wheel / "lib" / library.FILE_NAME)
    assert lib_dir == str((wheel / "runtime").resolve())


def test_broken_package_taichi_counts_as_not_installed():
    assert run(loading.print_path_in_a_broken_package).strip() == "None"


# Refused files.


def test_library_of_another_version_is_refused(stub):
    folder = stub(STUB_ERRORS + STUB_VERSION, "-DVERSION=1006000")
    message = run(loading.fail_to_load, env={INSTALL_DIR: str(folder)})
    assert f"{library_in(folder)} has version 1.6.0; taichi_aot needs 1.7" in message


def test_any_patch_release_is_accepted(stub):
    folder = stub(STUB_ERRORS + STUB_VERSION, "-DVERSION=1007012")
    assert run(loading.print_library, env={INSTALL_DIR: str(folder)}).splitlines()[0] == "(1, 7, 12)"


def test_another_shared_library_is_refused(stub):
    folder = stub("int something_else(void) { return 1; }\n")
    message = run(loading.fail_to_load, env={INSTALL_DIR: str(folder)})
    assert f"{library.FILE_NAME} cannot be loaded: it is not a Taichi C-API library" in message


@pytest.mark.parametrize("content", [b"", b"this is text", b"\x7fELF" + bytes(60)], ids=["empty", "text", "ELF header"])
def test_file_that_is_not_a_library_is_refused(content, tmp_path):
    path = library_in(tmp_path)
    path.parent.mkdir()
    path.write_bytes(content)
    assert f"{path} cannot be loaded: " in run(loading.fail_to_load, env={INSTALL_DIR: str(tmp_path)})


@linux_only
@pytest.mark.parametrize("part", [0.999999, 0.9, 0.5, 0.1, 0.0001])
def test_library_file_that_was_cut_short_is_refused(part, wheel, tmp_path):
    path = library_in(tmp_path)
    path.parent.mkdir()
    shutil.copyfile(library_in(wheel), path)
    os.truncate(path, int(path.stat().st_size * part))
    message = run(loading.fail_to_load, env={INSTALL_DIR: str(tmp_path)})
    assert f"{path} is damaged: the file ends before its contents do" in message


@linux_only
def test_missing_dependency_is_named(stub, tmp_path):
    needed = tmp_path / "libtaichi_aot_needed.so.3"
    made = stub("int needed(void) { return 1; }\n", "-Wl,-soname,libtaichi_aot_needed.so.3", name="dependency")
    library_in(made).rename(needed)
    source = STUB_ERRORS + "int needed(void);\nuint32_t ti_get_version(void) { return 1006999 + needed(); }\n"
    folder = stub(source, str(needed))
    env = {INSTALL_DIR: str(folder), "LD_LIBRARY_PATH": str(tmp_path)}
    assert run(loading.print_library, env=env).splitlines()[0] == "(1, 7, 0)"
    needed.unlink()
    message = run(loading.fail_to_load, env=env)
    assert "libtaichi_aot_needed.so.3: cannot open shared object file" in message
    advice = message.splitlines()[-1]
    assert "libtaichi_aot_needed.so.3" in advice
    assert "install the package of your system that provides it" in advice
    assert "pip install" not in message


def test_advice_names_the_package_of_libx11():
    tried = [
        "  system loader: libtaichi_c_api.so cannot be loaded: libX11.so.6: cannot open shared object file: No such"
    ]
    (advice,) = library._advice(tried)
    assert "libX11.so.6" in advice
    assert "apt-get install libx11-6" in advice


def test_search_can_be_repeated_after_a_failure(wheel, stub):
    # A failure is not cached, nor are the functions of a refused library.
    stranger = stub("int something_else(void) { return 1; }\n")
    out = run(loading.fail_then_load, str(wheel), env={INSTALL_DIR: str(stranger)})
    assert out.splitlines()[-1] == "(1, 7, 0)"


def test_functions_of_a_refused_library_are_not_called(stub):
    folder = stub(STUB_ERRORS + STUB_VERSION + STUB_RUNTIME, "-DVERSION=1006000")
    run(loading.call_functions_of_a_refused_library, env={INSTALL_DIR: str(folder)})


def test_threads_load_one_library():
    run(loading.load_in_threads)


def test_signal_handler_uses_the_library_while_it_is_loaded():
    run(loading.load_in_a_signal_handler, CPU_ARCH)


@pytest.mark.parametrize("env", [{}, {"HOME": None, "XDG_CACHE_HOME": None}], ids=["home", "no home"])
def test_interrupted_loading_changes_no_variable(env):
    run(loading.interrupt_the_loading, env=env)


def test_failed_loading_changes_no_variable(tmp_path):
    run(loading.fail_to_load, env={INSTALL_DIR: str(tmp_path), "HOME": None, "XDG_CACHE_HOME": None})


# A library without some functions.


@pytest.mark.parametrize(("use", "function"), [("flush", "ti_flush"), ("import", "ti_import_cpu_memory")])
def test_missing_function_is_named_when_it_is_needed(use, function, stub):
    folder = stub(STUB_ERRORS + STUB_VERSION + STUB_RUNTIME, "-DVERSION=1007000")
    message = run(loading.use_a_runtime, use, CPU_ARCH, env={INSTALL_DIR: str(folder)})
    assert function in message.split()
    assert "the loaded library does not have this function" in message


def test_functions_report_not_supported_before_loading():
    run(loading.call_functions_before_loading)


# The environment.


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
def test_loads_without_a_home(env):
    run(loading.run_on_the_cpu, CPU_ARCH, env=env)


@linux_only
def test_lib_dir_is_the_folder_of_the_runtime_bitcode(wheel):
    out = run(loading.compare_lib_dir_with_the_c_environment, env={INSTALL_DIR: str(wheel)})
    assert out.strip() == str((wheel / "runtime").resolve())


def test_lib_dir_of_the_default_library_has_bitcode():
    lib_dir = run(loading.print_library).splitlines()[2]
    assert list(Path(lib_dir).glob("runtime_*.bc"))


@pytest.mark.parametrize("value", ["/somewhere/else", ""])
def test_lib_dir_of_the_user_is_not_changed(value):
    assert run(loading.print_library, env={"TI_LIB_DIR": value}).splitlines()[2:] == [value]


def test_lib_dir_is_not_set_for_a_library_without_bitcode(stub):
    folder = stub(STUB_ERRORS + STUB_VERSION, "-DVERSION=1007000")
    assert run(loading.print_library, env={INSTALL_DIR: str(folder)}).splitlines()[2] == "None"


BAD_INTEGERS = {
    "word": "abc",
    "empty": "",
    "sign only": "-",
    "fraction": ".5",
    "too large": "99999999999",
    "too small": "-2147483649",
    "thousands of digits": "9" * 5000,  # more digits than Python converts
    "blank that C does not have": "\u00a01",
    "separator that C does not have": "\x1c1",
    "digit that C does not have": "\u0661",
}


@pytest.mark.parametrize("value", BAD_INTEGERS.values(), ids=BAD_INTEGERS)
@pytest.mark.parametrize("variable", ["TI_ENABLE_CUDA", "TI_VISIBLE_DEVICE"])
def test_integers_that_would_abort_the_process_are_refused(variable, value):
    uses = ("library_version", "devices", "Runtime", "Runtime vulkan")
    run(loading.refuse_a_variable, variable, *uses, env={variable: value})


@pytest.mark.parametrize(
    ("variable", "uses"),
    [
        ("TI_ENABLE_CUDA", ["Runtime", f"Runtime {CPU_ARCH}", "Runtime vulkan"]),
        ("TI_VISIBLE_DEVICE", ["Runtime", f"Runtime {CPU_ARCH}", "Runtime vulkan"]),
        ("TI_VISIBLE_DEVICE", ["devices", "available_archs"]),  # these read the variable themselves
    ],
    ids=["TI_ENABLE_CUDA", "TI_VISIBLE_DEVICE", "TI_VISIBLE_DEVICE read by devices"],
)
def test_integers_set_after_loading_are_refused_too(variable, uses):
    run(loading.refuse_a_variable_set_after_loading, variable, *uses)


@pytest.mark.parametrize("value", ["0", "1", "+1", "-1", " 1", "\t1", "007", "2147483647"])
@pytest.mark.parametrize("variable", ["TI_ENABLE_CUDA", "TI_VISIBLE_DEVICE"])
def test_integers_that_the_library_can_parse_are_accepted(variable, value):
    run(loading.run_on_the_cpu, CPU_ARCH, env={variable: value})


def test_unrelated_variables_are_not_changed(stub):
    env = {"TI_LOG_LEVEL": "error", "TI_OFFLINE_CACHE": "0", "SOME_VARIABLE": "value", "HOME": "/nonexistent"}
    assert run(loading.print_changed_variables, env=env).splitlines()[-1] == "{'TI_LIB_DIR'}"
    # The library sees them: this stub takes its patch number from a variable.
    source = "#include <stdlib.h>\n" + STUB_ERRORS
    source += 'uint32_t ti_get_version(void) { return 1007000 + (uint32_t)atoi(getenv("SOME_NUMBER")); }\n'
    out = run(loading.print_changed_variables, env={INSTALL_DIR: str(stub(source)), "SOME_NUMBER": "42"})
    assert out.splitlines() == ["(1, 7, 42)", "set()"]


# Importing.


@linux_only
def test_import_loads_no_library():
    run(imports.load_no_library)


def test_import_changes_no_variable_and_imports_no_taichi():
    run(imports.change_nothing, env={"HOME": None, "XDG_CACHE_HOME": None})


def test_import_works_without_the_library(tmp_path):
    run(imports.work_without_the_library, env={INSTALL_DIR: str(tmp_path), "TI_ENABLE_CUDA": "abc"})


def test_devices_are_found_without_the_library(tmp_path):
    lines = run(loading.print_devices, env={INSTALL_DIR: str(tmp_path)}).splitlines()
    assert lines == run(loading.print_devices).splitlines()
    assert CPU_ARCH in lines[0].split()


@pytest.mark.parametrize("use", ["library_path", "Runtime", "Runtime x64"])
def test_every_use_without_the_library_is_an_error(use, tmp_path):
    assert f"{INSTALL_DIR}: no file" in run(loading.fail_to_load, use, env={INSTALL_DIR: str(tmp_path)})


def test_library_not_found_is_an_oserror():
    assert issubclass(taichi_aot.LibraryNotFoundError, OSError)


@on_vulkan
@in_child(env={INSTALL_DIR: os.devnull})
def test_vulkan_without_the_library(arch, basic):
    """Launches, returned values, graphs, copies, images, events and waits; a handle of the C-API needs the library."""
    with taichi_aot.Runtime(arch) as rt:
        module = rt.load_module(basic)
        saxpy, x, y = module.kernels["saxpy"], rt.full(100, 1.0, "f32"), rt.zeros(100)
        saxpy(1.0, x, y)
        bound = saxpy.bind(2.0, x, y)
        bound()
        rt.sequence([bound])(repeat=3)
        event = rt.record_event()
        rt.wait()
        assert event.done
        assert y.to_numpy().tolist() == [9.0] * 100
        x.copy_from(y)
        assert x.to_numpy().sum() == 900
        assert module.kernels["answer"](rt.zeros(1, "i32")) == 42
        module.graphs["twice"](a=1.0, x=x, y=y)
        assert y.to_numpy()[0] == 27
        pixels = np.arange(48, dtype=np.uint8).reshape(3, 4, 4)
        assert (rt.image_from(pixels).to_numpy() == pixels).all()
        for made in (rt, saxpy):
            with pytest.raises(taichi_aot.LibraryNotFoundError, match="TAICHI_C_API_INSTALL_DIR is set"):
                assert made.handle
        saxpy(1.0, x, y)
        assert y.to_numpy()[0] == 36


HALVES = """\
import taichi as ti
from taichi_aot.build import export

HALVES = ti.types.ndarray(ti.types.vector(2, ti.f16), ndim=1)


@export
@ti.kernel
def largest(a: ti.f16, x: HALVES, y: HALVES):
    for i in x:
        v = x[i] + y[i]
        if i % 2 == 0:
            v = x[i] + ti.max(y[i], x[i])
        else:
            v = v + ti.max(ti.cast(i // 3, ti.f16), a)
        y[i] = v


@export
@ti.kernel
def increment(x: HALVES):
    for i in x:
        x[i] = x[i] + 1.0
"""


@in_child(quiet=False)
def test_code_on_which_the_librarys_compiler_fails(tmp_path):
    """On some CPUs LLVM fails on largest numbers of f16, and the library cannot destroy what it leaves."""
    pytest.importorskip("taichi")
    source = tmp_path / "halves.py"
    source.write_text(HALVES)
    path = build(source, tmp_path / "halves.tcm", archs=["x64"], native=False, ignore=["shapes"]).path
    with taichi_aot.Runtime("x64") as rt:
        module = rt.load_module(path)
        with suppress(taichi_aot.InvalidStateError):
            module.kernels["largest"]
        x = rt.full(3, 1.0, "f16", (2,))
        module.kernels["increment"](x)
        assert x.to_numpy().tolist() == [[2.0, 2.0]] * 3
