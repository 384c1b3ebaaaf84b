"""Who outlives whom: every order of dropping and closing, cycles, threads, forks, the end of the process."""

import sys

import pytest

PRELUDE = """
import gc, itertools, multiprocessing, os, sys, threading
import numpy as np
import taichi_aot
from taichi_aot import Runtime
from taichi_aot._drivers.fork import gpu_drivers
from taichi_aot._handles.runtime import process

ARCH, MODULE = sys.argv[1:3]


def make():
    rt = Runtime(ARCH)
    module = rt.load_module(MODULE)
    kernel, graph = module.kernels["saxpy"], module.graphs["twice"]
    x, y = rt.full(100, 1.0, "f32"), rt.zeros(100)
    memory = rt.allocate(64, host_read=True, host_write=True)
    kernel(1.0, x, y)
    graph(1.0, x, y)
    return dict(rt=rt, module=module, kernel=kernel, graph=graph, x=x, y=y, memory=memory)


def must_raise(*uses):
    for use in uses:
        try:
            use()
        except ValueError:
            continue
        raise SystemExit("a use went through")
"""

SCENARIOS = {
    "dropped in every order": """
for i, order in enumerate(itertools.permutations(make())):
    if i % 97 == 0:
        things = make()
        for name in order:
            del things[name]
""",
    "closed in every order": """
for order in itertools.permutations(["rt", "module", "x", "memory"]):
    things = make()
    for name in order:
        things[name].close()
        things[name].close()
""",
    "in a reference cycle": """
for _ in range(5):
    things = make()
    things["self"] = things
    del things
    gc.collect()
""",
    "in a reference cycle, with views": """
for _ in range(5):
    things = make()
    things["self"] = things
    things["mapping"] = things["x"].map()
    things["view"] = things["mapping"].__enter__()[3:]
    del things
    gc.collect()
""",
    "at exit": """
things = make()
things["self"] = things
mapping = things["x"].map()
view = mapping.__enter__()
things["kernel"](1.0, things["y"], things["y"])
""",
    "closed, with a view at exit": """
things = make()
with things["x"].map() as view:
    pass
things["rt"].close()
""",
    "at exit, with a daemon thread in the library": """
import time
things = make()
started = threading.Event()
def work():
    while True:
        things["kernel"](1.0, things["x"], things["y"])
        things["rt"].wait()
        started.set()
threading.Thread(target=work, daemon=True).start()
started.wait()
time.sleep(0.05)
""",
    "dropped by another thread": """
box = [make()]
def work():
    things = box.pop()
    things["kernel"](1.0, things["x"], things["y"])
    assert things["y"].to_numpy()[0] == 4
    things["self"] = things
    del things
    gc.collect()
thread = threading.Thread(target=work)
thread.start()
thread.join()
make()["rt"].close()
""",
    "made and closed by another thread": """
def work():
    things = make()
    box.append(things)
    things["x"].close()
box = []
thread = threading.Thread(target=work)
thread.start()
thread.join()
assert box[0]["y"].to_numpy()[0] == 3
box[0]["rt"].close()
""",
    "used by many threads at once": """
things = make()
errors = []
def work():
    try:
        for i in range(200):
            things["kernel"](0.0, things["x"], things["y"])
            array = things["rt"].full(1000, i, "f32")
            assert array.to_numpy()[-1] == i
            if i % 40 == 0:
                things["rt"].wait()
            if i % 50 == 0:
                things["rt"].load_module(MODULE).kernels["saxpy"](0.0, things["x"], things["y"])
    except BaseException as error:
        errors.append(error)
threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert not errors, errors
assert things["y"].to_numpy()[0] == 3
""",
    "runtimes made and closed by many threads at once": """
errors = []
def work():
    try:
        for _ in range(5):
            things = make()
            assert things["y"].to_numpy()[0] == 3
            things["rt"].close()
    except BaseException as error:
        errors.append(error)
threads = [threading.Thread(target=work) for _ in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
assert not errors, errors
""",
    "closed while other threads use it": """
things = make()
def work():
    try:
        while True:
            things["kernel"](1.0, things["x"], things["y"])
            things["rt"].full(10, 1.0).to_numpy()
    except ValueError as error:
        assert "closed" in str(error)
        done.append(1)
done = []
threads = [threading.Thread(target=work) for _ in range(3)]
for thread in threads:
    thread.start()
import time
time.sleep(0.3)
things["rt"].close()
for thread in threads:
    thread.join()
assert len(done) == 3
""",
    "an array closed while another thread's kernel writes to it": """
things = make()
rt, spin = things["rt"], things["module"].kernels["spin"]
out = rt.zeros(1000, "i32")
thread = threading.Thread(target=spin, args=(3_000_000, out))
thread.start()
import time
time.sleep(0.1)
out.close()
other = rt.zeros(1000, "i32")
thread.join()
rt.wait()
assert not other.to_numpy().any()
""",
    "after a fork": """
things = make()
mapping = things["x"].map()
view = mapping.__enter__()
launch = things["kernel"].bind(0.0, things["x"], things["y"])
sequence = things["rt"].sequence([launch])
part = things["memory"][3:9]
pid = os.fork()
if pid == 0:
    rt, module, kernel, x = (things[name] for name in ("rt", "module", "kernel", "x"))
    must_raise(launch, sequence, lambda: launch.update(a=1.0), part.read, lambda: part.fill(1), lambda: x.copy_from(x))
    must_raise(lambda: x.__dlpack__(), lambda: rt.sequence([launch])(3), lambda: rt.load_module(MODULE))
    assert rt.closed and module.closed and x.closed
    must_raise(
        rt.wait, rt.flush, lambda: rt.zeros(3), x.to_numpy, lambda: kernel(1.0, x, x), things["memory"].read,
        lambda: module.kernels["iota"], lambda: rt.load_module(MODULE),
    )
    try:
        rt.wait()
    except ValueError as error:
        assert "forked" in str(error)
    assert view[0] == 1
    rt.close()
    x.close()
    module.close()
    del things, rt, module, kernel, x, view, mapping
    gc.collect()
    if not gpu_drivers.lost:
        child = make()
        assert child["y"].to_numpy()[0] == 3
    sys.exit(7)
assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 7
assert things["y"].to_numpy()[0] == 3
assert view[0] == 1
""",
    "forked while another thread uses it": """
things = make()
stop = threading.Event()
def work():
    while not stop.is_set():
        things["kernel"](0.0, things["x"], things["y"])
        things["rt"].wait()
thread = threading.Thread(target=work)
thread.start()
for _ in range(5):
    pid = os.fork()
    if pid == 0:
        must_raise(things["rt"].wait, things["x"].to_numpy)
        things["rt"].close()
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
stop.set()
thread.join()
""",
    "with multiprocessing": """
def work(i):
    return float(make()["y"].to_numpy()[0]) + i
if __name__ == "__main__":
    things = make()
    for method in ("spawn",) if gpu_drivers.used else ("fork", "spawn"):
        with multiprocessing.get_context(method).Pool(2) as pool:
            assert pool.map(work, range(4)) == [3, 4, 5, 6]
""",
}


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_nothing_ends_the_process(arch, modules, child, scenario):
    # From 3.12 on Python itself warns of a fork while threads run; that the child copes is what is tested.
    ignore = "import warnings\nwarnings.filterwarnings('ignore', '.*fork', DeprecationWarning)\n"
    code = ignore + PRELUDE + SCENARIOS[scenario] + "\nprint('reached the end')\n"
    done = child(code, arch, modules / "basic.tcm", timeout=120)
    assert "reached the end" in done.stdout
    assert sys.platform != "linux" or "Taichi" not in done.stdout


def test_a_gpu_is_refused_after_a_fork(arch, modules, child):
    """NVIDIA's driver ends a forked child that creates a device; pretended here, where there is no GPU."""
    code = (
        PRELUDE
        + """
import warnings
from taichi_aot import Arch, NotSupportedError, available_archs
warnings.filterwarnings("ignore", ".*fork", DeprecationWarning)
make()["rt"].close()
gpu_drivers.used = True
pid = os.fork()
if pid == 0:
    try:
        Runtime("vulkan")
    except NotSupportedError as error:
        assert "'spawn'" in str(error)
        Runtime("x64").close()
        assert Runtime().arch is Arch.X64
        assert available_archs() == (Arch.X64,)
        os._exit(5)
    os._exit(1)
assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 5
"""
    )
    child(code, arch, modules / "basic.tcm")


def test_views_survive_the_cleanup_of_everything_else(arch, modules, child):
    code = (
        PRELUDE
        + """
things = make()
with things["x"].map() as view:
    part = view[10:20]
del view, things
gc.collect()
for _ in range(20):
    other = Runtime(ARCH)
    other.full(100, 9.0, "f32")
    other.close()
assert part.tolist() == [1.0] * 10
part[:] = 2
print(part.sum())
"""
    )
    assert child(code, arch, modules / "basic.tcm").stdout == "20.0\n"


def test_a_runtime_that_was_dropped_in_another_thread_is_destroyed_by_the_next_one(arch, modules, child):
    code = (
        PRELUDE
        + """
from taichi_aot._handles.runtime import process
box = [make()]
def work():
    box.clear()
    gc.collect()  # what finalizers queued holds its runtime
thread = threading.Thread(target=work)
thread.start()
thread.join()
assert len(process.abandoned) == 1
make()["rt"].close()
assert len(process.abandoned) == 0
print(len(process.runtimes))
"""
    )
    assert child(code, arch, modules / "basic.tcm").stdout == "0\n"


@pytest.mark.parametrize("wait", ["rt.wait()", "out.to_numpy()", "rt.close()"])
@pytest.mark.parametrize("launch", ["spin(3_000_000, out)", "spin.bind(3_000_000, out)()"])
def test_ctrl_c_in_a_long_call_is_honoured_when_the_library_returns(arch, modules, child, launch, wait):
    """On x64 launching takes long, elsewhere the wait. No kernel is cut short, and no later line runs."""
    count = {"x64": 1, "cuda": 400}.get(str(arch), 40)
    code = f"""{PRELUDE}
import signal, time
rt = Runtime(ARCH)
spin = rt.load_module(MODULE).kernels["spin"]
out = rt.zeros(1000, "i32")
def interrupt():
    time.sleep(0.1)
    os.kill(os.getpid(), signal.SIGINT)
thread = threading.Thread(target=interrupt)
try:
    thread.start()
    for _ in range({count}):
        {launch}
    {wait}
    raise SystemExit("not interrupted")
except KeyboardInterrupt:
    print("interrupted")
thread.join()
if not rt.closed:
    assert out.to_numpy().all()
    rt.close()
with Runtime(ARCH) as other:
    print(other.full(3, 1.0).to_numpy().sum())
"""
    assert child(code, arch, modules / "basic.tcm", timeout=50).stdout == "interrupted\n3.0\n"
