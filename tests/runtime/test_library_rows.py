"""What is measured to crash, hang, leak or abort in the C library itself, done through this one: each in a process."""

import os
from pathlib import Path

import pytest

from taichi_aot import Arch, library_path

PRELUDE = """
import gc, os, sys, threading
import numpy as np
import taichi_aot
from taichi_aot import Runtime

ARCH, MODULE = sys.argv[1:3]
HOST = {"host_read": True, "host_write": True}
# Whether arrays are in memory of the host, so that views of them are no copies.
ON_HOST = any(device.kind == "cpu" for device in taichi_aot.devices() if device.arch == taichi_aot.Arch(ARCH))


def together(*functions):
    '''Run them in a thread each, and raise what one raised.'''
    def work(function):
        try:
            barrier.wait()
            function()
        except BaseException as error:
            errors.append(error)
    errors, barrier = [], threading.Barrier(len(functions))
    threads = [threading.Thread(target=work, args=(function,)) for function in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def refused(error, *uses):
    for use in uses:
        try:
            use()
        except error:
            continue
        raise SystemExit(f"{use} went through")


def rss():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096
"""

RUNTIMES = {
    "24 at once": """
runtimes = [Runtime(ARCH) for _ in range(24)]
arrays = [rt.full(10, i, "f32") for i, rt in enumerate(runtimes)]
for rt, array in zip(runtimes, arrays):
    rt.load_module(MODULE).kernels["saxpy"](1.0, array, array)
assert [array.to_numpy()[9] for array in arrays] == [2 * i for i in range(24)]
for rt in runtimes[::-1]:
    rt.close()
""",
    "beside those of every other arch": """
others = [Runtime(arch) for arch in taichi_aot.available_archs()]
with Runtime(ARCH) as rt:
    saxpy = rt.load_module(MODULE).kernels["saxpy"]
    x = rt.full(10, 1.0, "f32")
    for i in range(5):
        saxpy(1.0, x, x)
        for other in others:
            assert other.full(3, i, "i32").to_numpy().tolist() == [i] * 3
    assert x.to_numpy()[0] == 32
for other in others:
    other.close()
""",
    "a hundred, one after the other, with a module each": """
for i in range(100):
    rt = Runtime(ARCH)
    x = rt.full(10, i, "f32")
    if i % 10 == 0:
        rt.load_module(MODULE).kernels["saxpy"](1.0, x, x)
        assert x.to_numpy()[0] == 2 * i
    if i % 3:
        rt.close()
""",
    "made by threads that have ended": """
box = []
def make():
    rt = Runtime(ARCH)
    box.append((rt, rt.load_module(MODULE).kernels["saxpy"], rt.full(10, 1.0, "f32")))
together(make, make, make)
for rt, saxpy, x in box:
    saxpy(1.0, x, x)
    assert x.to_numpy()[0] == 2
    rt.close()
""",
    "closed with work that was not waited for": """
for _ in range(5):
    rt = Runtime(ARCH)
    module = rt.load_module(MODULE)
    out = rt.zeros(100, "i32")
    for _ in range(50):
        module.kernels["spin"](1000, out)
    rt.close()
""",
    "give all their memory back": """
Runtime(ARCH).close()
before = rss()
for _ in range(3):
    with Runtime(ARCH) as rt:
        arrays = [rt.full(16 << 20, 1, "u8") for _ in range(16)]
        assert rss() - before > 200 << 20 or not ON_HOST
    del arrays
gc.collect()
assert rss() - before < 100 << 20, rss() - before
""",
    "give their memory back when they are dropped": """
Runtime(ARCH).close()
before = rss()
for _ in range(4):
    rt = Runtime(ARCH)
    arrays = [rt.full(16 << 20, 1, "u8") for _ in range(16)]
    del rt, arrays
    gc.collect()
assert rss() - before < 100 << 20, rss() - before
""",
}

BEYOND = "sizes beyond all memory"
MEMORY = {
    "every way to map twice and to leave": """
rt = Runtime(ARCH)
memory = rt.allocate(64, **HOST)
first, second = memory.map(), memory.map()
first.__exit__(None, None, None)
with first as view, second as other, first as third:
    view[:] = 7
    assert (other == 7).all() and (third == 7).all()
    del view, other, third
first.__exit__(None, None, None)
second.__exit__(None, None, None)
memory.close()
first.__exit__(None, None, None)
refused(ValueError, first.__enter__, memory.map().__enter__)
""",
    "free twice, then allocate twice": """
rt = Runtime(ARCH)
for _ in range(10):
    memory = rt.allocate(64, **HOST)
    memory.close()
    memory.close()
    a, b = rt.allocate(64, **HOST), rt.allocate(64, **HOST)
    a.write(bytes([1]) * 64)
    b.write(bytes([2]) * 64)
    assert a.read() == bytes([1]) * 64
""",
    "free while mapped, by every way": """
rt = Runtime(ARCH)
memory, array = rt.allocate(64, **HOST), rt.full(16, 3.0)
with memory.map() as view, array.map() as other:
    refused(BufferError, memory.close, array.close, array.memory.close)
    view[:] = 1
    part = other[3:]
del view, other
memory.close()
if ON_HOST:
    refused(BufferError, array.close)
assert part.sum() == 13 * 3
del array, memory
gc.collect()
rt.close()
assert part.sum() == 13 * 3
""",
    BEYOND: """
rt = Runtime(ARCH)
for size in (1 << 40, 1 << 44, (1 << 47) - 1, 1 << 47, 2**63 - 1, 2**63, 2**64 - 1, 2**64):
    try:
        memory = rt.allocate(size, **HOST)
    except MemoryError:
        continue
    assert size <= 1 << 44, size  # a system that promises more than it has
    memory.close()
assert rt.full(10, 1.0).to_numpy().sum() == 10
""",
    "memory of another runtime, of the same number": """
one, two = Runtime(ARCH), Runtime(ARCH)
a, b = one.full(16, 1.0, "f32"), two.full(16, 2.0, "f32")
saxpy, swap = (one.load_module(MODULE).kernels[name] for name in ("saxpy", "swap"))
refused(ValueError, lambda: saxpy(1.0, a, b), lambda: saxpy(1.0, b, a), lambda: swap(a, b),
        lambda: saxpy.bind(1.0, b, b), lambda: a.copy_from(b), lambda: a.memory.copy_from(b.memory))
two.close()
refused(ValueError, lambda: saxpy(1.0, a, b))
assert a.to_numpy().tolist() == [1] * 16
""",
    "stale contents": """
rt = Runtime(ARCH)
for _ in range(20):
    rt.full(1 << 18, 7.0)
    assert not rt.zeros(1 << 18).to_numpy().any()
""",
}

IMPORTS = {
    "at any alignment": """
data = np.zeros(1000, np.uint8)
for offset in range(1, 20):
    memory = rt.import_memory(data[offset : offset + 100])
    memory.write(bytes([offset]) * 100)
    assert data[offset] == data[offset + 99] == offset and data[offset + 100] != offset
    memory.close()
""",
    "again and again at one place": """
data = np.zeros(100, np.float32)
one = rt.full(100, 1.0, "f32")
for _ in range(1000):
    saxpy(1.0, one, rt.from_dlpack(data))
assert (data == 1000).all()
""",
    "memory that is ours": """
memory = rt.allocate(400, **HOST)
memory.fill(1)
with memory.map() as view:
    again = rt.import_memory(view)
again.fill(2)
again.close()
del again, view
gc.collect()
assert memory.read() == bytes([2]) * 400
memory.close()
""",
    "whose owner is dropped": """
data = np.arange(100, dtype=np.float32)
array = rt.from_dlpack(data)
del data
gc.collect()
junk = [np.full(100, 7, np.float32) for _ in range(100)]
saxpy(1.0, array, array)
assert array.to_numpy().tolist() == [2 * i for i in range(100)]
launch = saxpy.bind(1.0, array, array)
del array
gc.collect()
junk = [np.full(100, 7, np.float32) for _ in range(100)]
launch()
""",
    "that cannot be shared": """
frozen = np.zeros(4, np.float32)
frozen.flags.writeable = False
refused(BufferError, lambda: rt.import_memory(frozen), lambda: rt.import_memory(bytes(4)),
        lambda: rt.import_memory(np.zeros((4, 4))[:, 1]), lambda: rt.from_dlpack(np.zeros(8, np.float32)[::2]))
refused(TypeError, lambda: rt.import_memory(None), lambda: rt.import_memory(3), lambda: rt.from_dlpack("text"),
        lambda: rt.from_dlpack(np.zeros(3, complex)))
refused(ValueError, lambda: rt.import_memory(bytearray()), lambda: rt.import_memory(np.empty(0)))
""",
    "of a runtime that is closed": """
data = np.ones(100, np.float32)
array, memory = rt.from_dlpack(data), rt.import_memory(data)
rt.close()
refused(ValueError, lambda: rt.import_memory(data), array.to_numpy, memory.read, lambda: saxpy(1.0, array, array))
del array, memory
gc.collect()
assert (data == 1).all()
""",
}

THREADS = {
    "launch the same kernel on one runtime": """
x, y = rt.full(100, 1.0, "f32"), rt.zeros(100)
def work():
    for i in range(500):
        saxpy(1.0, x, y)
        if i % 100 == 0:
            rt.flush()
together(work, work)
assert y.to_numpy().tolist() == [1000] * 100
""",
    "launch bound, direct and in graphs": """
x, ys = rt.full(100, 1.0, "f32"), [rt.zeros(100) for _ in range(4)]
twice = module.graphs["twice"]
launch, bound = saxpy.bind(1.0, x, ys[0]), twice.bind(1.0, x, ys[1])
sequence = rt.sequence([saxpy.bind(1.0, x, ys[3])])
def many(use):
    def work():
        for _ in range(300):
            use()
    return work
together(many(launch), many(launch), many(bound), many(lambda: saxpy(a=1.0, x=x, y=ys[2])), lambda: sequence(300))
assert [int(y.to_numpy()[50]) for y in ys] == [600, 600, 300, 300]
""",
    "on two runtimes": """
def work():
    with Runtime(ARCH) as own:
        saxpy = own.load_module(MODULE).kernels["saxpy"]
        x, y = own.full(100, 1.0, "f32"), own.zeros(100)
        for _ in range(300):
            saxpy(1.0, x, y)
        assert y.to_numpy().tolist() == [300] * 100
together(work, work, work)
""",
    "allocate and free": """
def work(value):
    def run():
        kept = []
        for i in range(1000):
            kept.append(rt.full(1 + i % 500, value, "i32"))
            if i % 3 == 0:
                kept.pop(i % len(kept)).close()
            if len(kept) > 20:
                assert (kept.pop(0).to_numpy() == value).all()
    return run
together(*map(work, range(4)))
""",
    "map and unmap": """
memory = rt.allocate(4096, **HOST)
def work(which):
    def run():
        for i in range(300):
            with memory.map() as view:
                part = view[which * 1024 : (which + 1) * 1024]
                part[:] = i % 256
                assert (part == i % 256).all()
    return run
together(*map(work, range(4)))
assert memory.read() == bytes([299 % 256]) * 4096
""",
    "fetch kernels": """
for _ in range(10):
    module = rt.load_module(MODULE)
    def work():
        for name in module.kernels:
            module.kernels[name]
        for name in module.graphs:
            module.graphs[name]
    together(work, work, work, work)
x = rt.full(4, 1.0, "f32")
module.kernels["saxpy"](1.0, x, x)
assert x.to_numpy()[0] == 2
""",
    "load modules": """
def work():
    own = Runtime(ARCH)
    for target in (own, rt, own):
        x = target.full(4, 1.0, "f32")
        target.load_module(MODULE).kernels["saxpy"](1.0, x, x)
        assert x.to_numpy()[0] == 2
together(work, work, work, work)
""",
    "wait while another launches": """
x, y = rt.full(100, 1.0, "f32"), rt.zeros(100)
def launch():
    for _ in range(1000):
        saxpy(1.0, x, y)
def wait():
    for _ in range(300):
        rt.wait()
        rt.flush()
together(launch, wait, wait)
assert y.to_numpy()[0] == 1000
""",
    "read while another launches": """
x, y = rt.full(100, 1.0, "f32"), rt.zeros(100)
def launch():
    for _ in range(500):
        saxpy(1.0, x, y)
def read():
    before = 0
    for _ in range(200):
        now = y.memory.read(0, 4)
        now = np.frombuffer(now, np.float32)[0]
        assert before <= now <= 500 and now == int(now), (before, now)
        before = now
together(launch, read, read)
assert y.to_numpy()[0] == 500
""",
}


@pytest.fixture
def survives(arch, modules, child):
    """Runs the code after the prelude in a child process, which must reach its end silently."""

    def run(code, **options):
        code = f"{PRELUDE}{code}\nprint('alive')\n"
        done = child(code, arch, modules / "basic.tcm", timeout=120, **options)
        assert done.stdout.split() == ["alive"]
        return done.stderr

    return run


MAKE = """
rt = Runtime(ARCH)
module = rt.load_module(MODULE)
saxpy = module.kernels["saxpy"]
"""


@pytest.mark.parametrize("row", RUNTIMES)
def test_runtimes(survives, row):
    survives(RUNTIMES[row])


@pytest.mark.parametrize("row", MEMORY)
def test_memory(survives, row):
    # Where the device has not that much, the library itself says so on stderr.
    logged = survives(MEMORY[row], quiet=row != BEYOND)
    assert all("out of memory" in line for line in logged.splitlines())


@pytest.mark.parametrize("row", IMPORTS)
def test_imported_memory(arch, survives, row):
    if not arch.is_cpu:
        pytest.skip("only CPU archs take memory of the host")
    survives(MAKE + IMPORTS[row])


def test_memory_of_the_host_is_refused_elsewhere(arch, survives):
    if arch.is_cpu:
        pytest.skip("it is taken here")
    survives("""
rt = Runtime(ARCH)
data = np.ones(4, np.float32)
error = ValueError if ARCH == "cuda" else taichi_aot.NotSupportedError
refused(error, lambda: rt.import_memory(data), lambda: rt.from_dlpack(data))
assert rt.asarray(data).to_numpy().tolist() == [1] * 4
""")


@pytest.mark.parametrize("row", THREADS)
def test_threads(survives, row):
    survives(MAKE + THREADS[row])


@pytest.mark.parametrize("order", ["before", "after"])
def test_taichi_in_the_same_process(arch, modules, child, order):
    """The compiler's package has a copy of the library's code of its own, and both have LLVM."""
    jit = """
import taichi as ti
ti.init(arch=ti.cpu, offline_cache=False, log_level=ti.ERROR)
@ti.kernel
def triple(x: ti.types.ndarray(dtype=ti.f32, ndim=1)):
    for i in x:
        x[i] *= 3
jit = np.ones(4, np.float32)
triple(jit)
assert jit.tolist() == [3] * 4
"""
    ours = """
x = rt.full(4, 1.0, "f32")
saxpy(1.0, x, x)
assert x.to_numpy().tolist() == [2] * 4
"""
    code = f"{jit}{MAKE}{ours}" if order == "before" else f"{MAKE}{ours}{jit}"
    code = f"{PRELUDE}{code}{ours}\ntriple(jit)\nassert jit.tolist() == [9] * 4\nrt.close()\nprint('alive')\n"
    # Taichi itself warns, greets and logs.
    done = child("import warnings\nwarnings.simplefilter('ignore')\n" + code, arch, modules / "basic.tcm", quiet=False)
    assert done.stdout.splitlines()[-1] == "alive"


@pytest.mark.parametrize("what", ["missing", "empty", "magic only", "text", "cut", "cut by a word", "too long"])
def test_bitcode_that_is_missing_or_damaged(child, available, what, tmp_path):
    """In a folder that the user names; the library reads it for each runtime."""
    if Arch.X64 not in available:
        pytest.skip("there are no x64 runtimes here")
    library_path()  # which sets the variable
    sound = Path(os.environ["TI_LIB_DIR"], "runtime_x64.bc").read_bytes()
    contents = {
        "empty": b"",
        "magic only": sound[:4],
        "text": b"no bitcode",
        "cut": sound[: len(sound) // 2],
        "cut by a word": sound[:-4],
        "too long": sound + b"1234",
    }
    if what in contents:
        (tmp_path / "runtime_x64.bc").write_bytes(contents[what])
    code = """
import taichi_aot
try:
    taichi_aot.Runtime("x64")
except taichi_aot.TaichiError as error:
    print(type(error).__name__, error)
"""
    message = child(code, env={"TI_LIB_DIR": str(tmp_path)}, quiet=False).stdout.splitlines()[-1]
    assert message.startswith("InvalidStateError" if what == "missing" else "CorruptedDataError")
    assert what == "missing" or "runtime_x64.bc is damaged" in message


def test_sound_bitcode_in_a_folder_of_the_user(child, available, tmp_path):
    if Arch.X64 not in available:
        pytest.skip("there are no x64 runtimes here")
    library_path()
    for path in Path(os.environ["TI_LIB_DIR"]).glob("*.bc"):
        (tmp_path / path.name).write_bytes(path.read_bytes())
    code = "import taichi_aot\nprint(taichi_aot.Runtime('x64').full(3, 1.0).to_numpy().sum())"
    assert child(code, env={"TI_LIB_DIR": str(tmp_path)}).stdout == "3.0\n"
