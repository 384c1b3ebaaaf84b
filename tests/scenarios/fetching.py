"""Fetch kernels of LLVM modules, whose code is in a folder while the library reads it."""

from __future__ import annotations

import ctypes
import itertools
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from glob import glob
from pathlib import Path

from helpers.archives import pack, read_archive
from helpers.raising import assert_raises, raised
from helpers.threads import run_together
from helpers.tracing import at_each_bytecode, interrupt

from taichi_aot import AotModule, NameNotFoundError, Runtime, capi, library_path

FOLDER = Path(os.environ.get("TMPDIR", "/nowhere"))
NOBODY = 65534


def variants(module: str) -> Iterator[bytes]:
    """Return archives of a module with different digests."""
    files = read_archive(Path(module))
    for i in itertools.count():
        yield pack({**files, "__content__": files["__content__"] + b"\n" * (i + 1)})


def assert_working(module: AotModule) -> None:
    x, y = module.runtime.full(8, 1.0, "f32"), module.runtime.zeros(8)
    module.saxpy(2.0, x, y)
    module.twice(a=1.0, x=x, y=y)
    assert (y.to_numpy() == 4).all()


@contextmanager
def away(folder: Path) -> Iterator[None]:
    """Put a file in place of the folder for a while."""
    shutil.rmtree(folder)
    folder.write_text("")
    yield
    folder.unlink()
    folder.mkdir()


def fetch_when_used(module: str) -> None:
    """Reading names fetches nothing; a failed fetch is repeated; fetched kernels need no folder."""
    loaded = Runtime("x64").load_module(module)
    assert os.listdir(FOLDER) == []
    with away(FOLDER):
        assert "saxpy" in loaded.kernels
        assert sorted(loaded.kernels) == sorted(loaded.info.kernels)
        assert "saxpy" in dir(loaded)
        assert "saxpy" in dir(loaded.kernels)
        assert "saxpy" in repr(loaded.kernels) + str(loaded) + str(loaded.kernels)
        reason = "could not be fetched because the temporary folder (TMPDIR) of its module cannot be written: "
        message = str(raised(lambda: loaded.saxpy, FileExistsError))
        assert f"kernel saxpy {reason}" in message
        assert str(FOLDER) in message
        assert f"graph twice {reason}" in str(raised(lambda: loaded.graphs["twice"], FileExistsError))
        assert_raises(FileExistsError, loaded.prefetch)
    loaded.prefetch("saxpy", "twice")
    unknown = str(raised(lambda: loaded.prefetch("store", "itoa"), NameNotFoundError))
    assert "no kernel or graph 'itoa', it has '" in unknown
    assert "did you mean 'iota'" in unknown
    one_by_one = str(raised(lambda: loaded.prefetch(["saxpy", "fill"]), TypeError))  # type: ignore[arg-type]
    assert one_by_one == "prefetch() takes names one by one, as in prefetch('a', 'b'), not ['saxpy', 'fill']"
    assert "not NoneType" in str(raised(lambda: loaded.prefetch(None), TypeError))  # type: ignore[arg-type]
    with away(FOLDER):
        assert_working(loaded)
        assert_raises(FileExistsError, lambda: loaded.store)
    loaded.prefetch()
    with away(FOLDER):
        for name in loaded.kernels:
            loaded.kernels[name]
        for name in loaded.graphs:
            loaded.graphs[name]
    loaded.close()
    assert_raises(ValueError, loaded.prefetch)


def fetch_after_the_folder_has_vanished(module: str) -> None:
    """Fetch after the module's folder has vanished: it is created again, because the library reads from there."""
    loaded = Runtime("x64").load_module(module)
    for kernel in ("saxpy", "store"):
        shutil.rmtree(FOLDER)
        loaded.prefetch(kernel)
        assert os.listdir(FOLDER) == []
    assert_working(loaded)


def fetch_in_every_order(module: str) -> None:
    """Fetch kernels and graphs in every order: a graph fetches its missing kernels."""
    rt, sources = Runtime("x64"), variants(module)
    for order in itertools.permutations(["saxpy", "twice", "both", "swap"]):
        loaded = rt.load_module(next(sources))
        for name in order:
            loaded.prefetch(name)
        assert_working(loaded)
    assert os.listdir(FOLDER) == []


def fetch_from_threads(module: str) -> None:
    """Fetch all kernels of 30 modules in eight threads, in different orders, while another thread launches."""
    rt, sources = Runtime("x64"), variants(module)
    modules = [rt.load_module(next(sources)) for _ in range(30)]
    x, done = rt.zeros(1), []
    add = rt.load_module(module).saxpy.bind(1.0, rt.full(1, 1.0), x)

    def fetch(which: int) -> None:
        for loaded in modules[which * 3 :] + modules[: which * 3]:
            loaded.prefetch(*list(loaded.kernels)[which % 7 :])
            loaded.prefetch()
        done.append(which)

    def launch() -> None:
        count = 0
        while len(done) < 8:
            add()
            count += 1
        assert x.to_numpy().tolist() == [count]

    run_together(launch, *(partial(fetch, i) for i in range(8)))
    for loaded in modules:
        assert_working(loaded)
    assert os.listdir(FOLDER) == []


def interrupt_fetches(module: str) -> None:
    rt, sources = Runtime("x64"), variants(module)
    source = next(sources)

    def fetch() -> None:
        rt.load_module(source).prefetch("saxpy", "both")

    fetch()
    for _ in at_each_bytecode(fetch, interrupt, at_most=100):
        assert_working(rt.load_module(source))
        assert os.listdir(FOLDER) == []
        source = next(sources)


def fetch_on_a_full_disk(module: str) -> None:
    rt, sources = Runtime("x64"), variants(module)
    loaded = rt.load_module(next(sources))
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))
    assert "too large" in str(raised(lambda: loaded.saxpy, OSError))
    assert "too large" in str(raised(lambda: rt.load_module(next(sources)), OSError))
    resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert os.listdir(FOLDER) == []
    assert_working(loaded)
    assert_working(rt.load_module(next(sources)))


def fetch_from_a_locked_folder(module: str) -> None:
    """Fetch while the folder for temporary files is not writable for a while."""
    loaded = Runtime("x64").load_module(module)
    FOLDER.chmod(0o500)
    user = os.geteuid()
    if user == 0:
        os.seteuid(NOBODY)  # root may write anywhere
    assert_raises(PermissionError, lambda: loaded.saxpy)
    os.seteuid(user)
    FOLDER.chmod(0o700)
    assert_working(loaded)


def fetch_from_a_taken_folder(module: str) -> None:
    """Fetch while a foreign folder or link has the name of our folder: it is neither used nor deleted."""
    os.urandom = bytes
    loaded = Runtime("x64").load_module(module)
    path = FOLDER / f"taichi-aot-module-{'00' * 8}"
    path.mkdir()
    path.chmod(0o777)
    assert str(path) in str(raised(lambda: loaded.saxpy, FileExistsError))
    path.rmdir()
    path.symlink_to(FOLDER / "elsewhere")
    (FOLDER / "elsewhere").mkdir(0o700)
    assert_raises(OSError, lambda: loaded.saxpy)
    assert sorted(os.listdir(FOLDER)) == ["elsewhere", path.name]
    path.unlink()
    path.mkdir(0o700)  # as an interrupted fetch leaves it
    (path / "saxpy.ll").write_text("damaged")
    assert_working(loaded)
    assert os.listdir(FOLDER) == ["elsewhere"]


def fetch_in_a_forked_child(module: str) -> None:
    loaded = Runtime("x64").load_module(module)
    child = os.fork()
    if child == 0:
        message = str(raised(lambda: loaded.saxpy, ValueError))
        assert "forked" in message
        assert_working(Runtime("x64").load_module(module))
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert_working(loaded)
    assert os.listdir(FOLDER) == []


def fetch_through_the_c_api(module: str) -> None:
    """Fetch through the C-API, also by another binding that only knows the address."""
    rt = Runtime("x64")
    loaded = rt.load_module(module)
    own = capi.load_aot_module(rt.handle, str(Path(module).with_suffix("")))
    assert capi.get_aot_module_kernel(own, "saxpy")
    assert capi.get_aot_module_compute_graph(own, "twice")
    library = ctypes.CDLL(library_path())
    library.ti_get_aot_module_kernel.restype = ctypes.c_void_p
    for name in loaded.kernels:
        assert library.ti_get_aot_module_kernel(ctypes.c_void_p(int(loaded.handle)), name.encode())
    assert_working(loaded)


def fetch_endlessly(module: str) -> None:
    rt = Runtime("x64")
    print("ready", flush=True)
    for source in variants(module):
        rt.load_module(source).prefetch()


def kill_while_fetching(module: str) -> None:
    """Kill a process while it fetches: the next process deletes its folder, but not that of a live process."""
    other = FOLDER / "taichi-aot-module-not-a-folder"
    command = [sys.executable, "-m", "scenarios", "fetching:fetch_endlessly", module]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        try:
            left = _stop_while_code_is_in(FOLDER, process)
            other.write_text("")
            rt = Runtime("x64")
            assert_working(rt.load_module(module))
            assert _code_in(FOLDER) == {left}
        finally:
            process.kill()
    assert _code_in(FOLDER) == {left}
    command = [sys.executable, "-m", "scenarios", "fetching:load", module]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    assert os.listdir(FOLDER) == [other.name]


def load(module: str) -> None:
    Runtime("x64").load_module(module)


def _stop_while_code_is_in(folder: Path, process: subprocess.Popen[bytes]) -> Path:
    """Stop a process that fetches, while its folder exists; return the folder."""
    assert process.stdout is not None
    process.stdout.readline()
    while True:
        while not _code_in(folder):
            assert process.poll() is None
            time.sleep(0.0005)
        process.send_signal(signal.SIGSTOP)
        assert os.WIFSTOPPED(os.waitpid(process.pid, os.WUNTRACED)[1])
        if found := _code_in(folder):
            (left,) = found
            return left
        process.send_signal(signal.SIGCONT)


def _code_in(folder: Path) -> set[Path]:
    """Return the folders with code; unlike the method of Path, this glob passes over one that has just been deleted."""
    return {(folder / path).parent for path in glob("*/*.ll", root_dir=folder)}
