"""Modules that follow their file: ``reload=True``."""

import gc
import os
import re
import threading
import warnings

import pytest
from helpers.archives import described, pack, read_archive, write_folder
from helpers.child import in_child
from helpers.reloading import put, squaring
from helpers.threads import Background
from helpers.tracing import at_each_bytecode, interrupt

import taichi_aot
from taichi_aot import Arch, NotSupportedError, ReloadWarning

NAMES = {"saxpy": ["a", "x", "y"]}


@pytest.fixture
def files(modules):
    return read_archive(modules / "basic.tcm")


@pytest.fixture
def path(tmp_path, files):
    put(tmp_path / "live.tcm", files)
    return tmp_path / "live.tcm"


@pytest.fixture
def every_call_looks(monkeypatch):
    monkeypatch.setattr("taichi_aot.kernels._reloading.INTERVAL", 0)


def effect(y, launch):
    """Launch, and return what it has added to `y`."""
    y.fill(0)
    launch()
    return float(y.to_numpy()[0])


def test_objects_follow_the_file(rt, path, files):
    module = rt.load_module(path, NAMES, reload=True)
    x, y = rt.full(8, 1.0, "f32"), rt.zeros(8, "f32")
    saxpy, twice = module.saxpy, module.graphs["twice"]
    renamed = saxpy.rename("p", "q", "r")
    bound, of_graph = saxpy.bind(2.0, x, y), twice.bind(a=2.0, x=x, y=y)
    plain = rt.load_module(path, NAMES).saxpy.bind(5.0, x, y)
    launches = [
        lambda: saxpy(2.0, x, y),
        lambda: renamed(p=2.0, q=x, r=y),
        lambda: twice(a=2.0, x=x, y=y),
        bound,
        renamed.bind(2.0, r=y, q=x),
        of_graph,
        rt.sequence([bound, plain, of_graph]),
    ]
    before = [effect(y, launch) for launch in launches]
    assert before == [2, 2, 4, 2, 2, 4, 11]
    assert not module.reload()

    put(path, squaring(files))
    assert module.reload()
    assert not module.reload()
    assert [effect(y, launch) for launch in launches] == [4, 4, 8, 4, 4, 8, 17]
    assert (module.saxpy, module.graphs["twice"]) == (saxpy, twice)
    assert list(module.kernels) == list(taichi_aot.inspect(path).kernels)
    bound.update(a=3.0)
    assert effect(y, launches[-1]) == 9 + 5 + 8
    assert repr(bound).startswith("<Launch of saxpy(a: f32")
    assert len(launches[-1]) == 3
    assert taichi_aot.Kernel.bind(saxpy, 1.0, x, y).signature == saxpy.signature


def test_launches_look_at_the_file(rt, path, files, every_call_looks):
    module = taichi_aot.load(path, runtime=rt, reload=True)
    x, y = rt.full(8, 1.0, "f32"), rt.zeros(8, "f32")
    saxpy = module.saxpy
    bound = saxpy.bind(2.0, x, y)
    sequence = rt.sequence([bound])
    expected = 2
    for launch in (lambda: saxpy(2.0, x, y), bound, sequence):
        assert effect(y, launch) == expected
        expected = 6 - expected
        put(path, files if expected == 2 else squaring(files))
        assert effect(y, launch) == expected
    path.unlink()  # as between two steps of another tool
    assert effect(y, bound) == expected


def test_result_of_the_last_launch_stays(rt, modules, tmp_path):
    path = tmp_path / "returns.tcm"
    put(path, read_archive(modules / "returns.tcm"))
    module = rt.load_module(path, reload=True)
    x = rt.full(3, 2.0, "f32")
    step = module.dot.bind(x, x)
    step()
    os.utime(path)
    assert module.reload()
    assert step.result() == 12
    x.fill(1)
    step()
    assert step.result() == 3 == module.dot(x, x)


def test_file_that_does_not_fit_is_refused(shared_runtime, compiled, tmp_path, every_call_looks, caplog):
    rt, path, basic = shared_runtime(Arch.X64), tmp_path / "live.tib", compiled("x64") / "basic.tcm"
    good = described(basic)
    path.write_bytes(good)
    module = rt.load_module(path, reload=True)
    x, y = rt.full(4, 1.0, "f32"), rt.zeros(8, "f32")
    bound = module.saxpy.bind(2.0, y, x)
    refused = {
        described(basic, "saxpy", a={"name": "alpha"}): r"kernel saxpy\(a: f32, .*\) is in use, and .*\(alpha: f32",
        described(basic, "saxpy", x={"shape": ("n",)}, y={"shape": ("n",)}): r"saxpy\(\): x has n=8, y has n=4",
        (compiled("x64") / "returns.tcm").read_bytes(): "no kernel 'saxpy', which is in use",
        **dict.fromkeys((b"PK", good[:-1], good[: len(good) // 2]), "is not a sound .* it is cut off"),
        good[len(good) // 2 :]: "is not a sound .* its first bytes are missing",
        b"": "is not a sound .* it is empty",
        b"text": "is not a sound .* it begins with b'text'",
        None: "is not an AOT module: it has neither",
    }
    for data, reason in refused.items():
        if data is None:
            path.unlink()
            path.mkdir()
        else:
            put(path, data)
        says = f"live.tib has changed, and the old code stays in use: .*{reason}"
        with pytest.warns(ReloadWarning, match=says) as caught:
            bound()
        assert caught[0].filename == __file__
        assert [record.getMessage() for record in caplog.records] == [str(caught[0].message)]
        caplog.clear()
        with warnings.catch_warnings():  # it warns once for each file
            warnings.simplefilter("error")
            bound()
            module.saxpy(2.0, y, x)
        with pytest.raises(taichi_aot.TaichiError, match=says):
            module.reload()
        module.saxpy(2.0, y, x)
    path.rmdir()
    put(path, good)
    assert module.reload()
    for _ in range(2):
        path.rename(tmp_path / "moved.tib")
        bound()
        bound()
        (record,) = caplog.records
        assert re.search(r"live\.tib is missing, and the old code stays in use: .*No such file", record.getMessage())
        caplog.clear()
        with pytest.raises(FileNotFoundError, match=r"live\.tib"):
            module.reload()
        (tmp_path / "moved.tib").rename(path)
        bound()
    assert not caplog.records


def test_kernels_that_are_not_in_use_may_change(rt, path, modules):
    module = rt.load_module(path, reload=True)
    kernels = module.kernels
    put(path, read_archive(modules / "returns.tcm"))
    assert module.reload()
    assert "saxpy" not in module.kernels
    assert module.dot(rt.full(2, 1.0, "f32"), rt.full(2, 1.0, "f32")) == 2
    with pytest.raises(taichi_aot.NameNotFoundError, match="no kernel 'saxpy'"):
        kernels["saxpy"]  # looked up in the file that is loaded now
    with pytest.raises(AttributeError, match="saxpy"):
        module.saxpy  # noqa: B018


def test_module_with_fields_cannot_follow_its_file(build_source):
    with pytest.raises(NotSupportedError, match="a module with fields cannot be reloaded"):
        taichi_aot.load(build_source("simulation", "x64"), "x64", reload=True)


def test_wrong_calls_raise(rt, path, files):
    with pytest.raises(TypeError, match="reload=True needs the path of a file, not bytes"):
        rt.load_module(pack(files), reload=True)
    with pytest.raises(taichi_aot.InvalidStateError, match="load it with reload=True"):
        rt.load_module(path).reload()
    with pytest.raises(FileNotFoundError):
        rt.load_module("missing.tib", reload=True)


def test_closed_module_does_not_follow_its_file(arch, path, files, every_call_looks):
    module = taichi_aot.load(path, arch, reload=True)
    rt = module.runtime
    x, y = rt.full(8, 1.0, "f32"), rt.zeros(8, "f32")
    bound, saxpy = module.saxpy.bind(2.0, x, y), module.saxpy
    module.close()
    module.close()
    assert rt.closed
    put(path, squaring(files))
    for call in (bound, lambda: saxpy(2.0, x, y), lambda: saxpy.bind(2.0, x, y), module.reload):
        with pytest.raises(ValueError, match="closed"):
            call()


@pytest.mark.slow(but="x64")
def test_nothing_keeps_what_was_dropped(arch, path, files):
    gc.collect()
    before = taichi_aot.object_counts()
    module = taichi_aot.load(path, arch, reload=True)
    x, y = module.runtime.full(8, 1.0, "f32"), module.runtime.zeros(8, "f32")
    saxpy = module.saxpy
    launches = [saxpy.bind(2.0, x, y), module.runtime.sequence([saxpy.bind(2.0, x, y)])]
    put(path, squaring(files))
    assert module.reload()
    del module
    gc.disable()
    try:
        assert effect(y, launches[0]) == 4  # what follows the file keeps what it needs
        del x, y, saxpy, launches
        assert taichi_aot.object_counts() == before
    finally:
        gc.enable()


@pytest.mark.slow
@in_child
def test_threads_launch_the_old_module_or_the_new_one(arch, basic, tmp_path):
    """Each launch adds 2 or 4, and those that are in progress do not fail."""
    basic, files = tmp_path / "live.tcm", read_archive(basic)
    versions = files, squaring(files)
    put(basic, versions[0])
    module = taichi_aot.Runtime(Arch(arch)).load_module(basic, {"saxpy": ["a", "x", "y"]}, reload=True)
    rt, saxpy = module.runtime, module.saxpy
    ended = threading.Event()

    def launch():
        x, y = rt.full(8, 1.0, "f32"), rt.zeros(8, "f32")
        step = saxpy.bind(2.0, x, y)
        sequence = rt.sequence([step])
        while not ended.is_set():
            for call in (step, lambda: saxpy(2.0, x, y), lambda: sequence(3), lambda: module.saxpy(2.0, x, y)):
                y.fill(0)
                call()
                assert set(y.to_numpy().tolist()) <= {2.0, 4.0, 6.0, 12.0}
            step.update(a=2.0)
            saxpy.bind(2.0, x, y)()

    threads = [Background(launch) for _ in range(3)]
    try:
        for i in range(1, 30):
            put(basic, versions[i % 2])
            module.reload()  # unless a launch has done so already
    finally:
        ended.set()
    for thread in threads:
        thread.finish()


@pytest.mark.slow
@in_child
def test_interrupted_reload_can_be_repeated(arch, basic, tmp_path):
    """Interrupt it at its bytecodes: each object then has the old code or the new one, and the next reload succeeds."""
    basic, files = tmp_path / "live.tcm", read_archive(basic)
    versions = files, squaring(files)
    put(basic, versions[0])
    module = taichi_aot.Runtime(Arch(arch)).load_module(basic, {"saxpy": ["a", "x", "y"]}, reload=True)
    rt, saxpy = module.runtime, module.saxpy
    x, y = rt.full(8, 1.0, "f32"), rt.zeros(8, "f32")
    step = saxpy.bind(2.0, x, y)
    launches = [lambda: saxpy(2.0, x, y), step, rt.sequence([step])]

    def effects():
        found = set()
        for launch in launches:
            y.fill(0)
            launch()
            found.add(float(y.to_numpy()[0]))
        return found

    number = 1
    put(basic, versions[1])
    for _ in at_each_bytecode(module.reload, interrupt, at_most=100):
        assert effects() <= {2.0, 4.0}
        module.reload()
        assert effects() == {4.0 if number else 2.0}
        number = 1 - number
        put(basic, versions[number])


def test_calls_of_other_modules_are_not_changed(rt, path):
    """Only kernels that follow a file have a function that looks at it."""
    followed, plain = rt.load_module(path, reload=True).saxpy, rt.load_module(path).saxpy
    assert type(plain._call).__name__ == "function"
    assert type(followed._call) is not type(plain._call)
    assert type(plain.bind(1.0, rt.zeros(1, "f32"), rt.zeros(1, "f32"))) is taichi_aot.Launch


def test_folder_is_followed(rt, modules, tmp_path, files):
    folder = tmp_path / "module"
    write_folder(folder, files)
    module = rt.load_module(folder, reload=True)
    x, y = rt.full(8, 1.0, "f32"), rt.zeros(8, "f32")
    bound = module.saxpy.bind(2.0, x, y)
    for name in files:
        (folder / name).unlink()
    write_folder(folder, squaring(files))
    assert module.reload()
    assert effect(y, bound) == 4
