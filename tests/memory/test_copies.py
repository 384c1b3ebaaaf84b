"""Device copies and memory slices: ranges, refusals, and order with launches."""

import numpy as np
import pytest
from helpers.inside import stage_in_parts
from helpers.scaling import examples
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from taichi_aot import MemorySlice, Runtime

HOST = {"host_read": True, "host_write": True}
PART = 1 << 20  # bytes copied through the staging buffer at a time


def random_bytes(size, seed=1):
    return np.random.default_rng(seed).integers(0, 256, size, np.uint8).tobytes()


def filled(rt, data, **flags):
    memory = rt.allocate(len(data), **flags)
    memory.write(data)
    return memory


# Whole memories and arrays.


@pytest.mark.parametrize("source_flags", [{}, HOST], ids=["from the device", "from the host"])
@pytest.mark.parametrize("target_flags", [{}, HOST], ids=["to the device", "to the host"])
@pytest.mark.parametrize("size", [1, 3, 4096, PART - 1, PART, PART + 1])
def test_memory_is_copied(rt, size, source_flags, target_flags):
    data = random_bytes(size)
    source, target = filled(rt, data, **source_flags), filled(rt, bytes(size), **target_flags)
    target.copy_from(source)
    assert target.read() == data
    assert source.read() == data


@pytest.mark.parametrize(("begin", "size"), [(0, PART), (1, PART), (PART - 1, 2), (PART, PART + 1), (PART + 1, PART)])
def test_slices_may_cross_staging_parts(own_rt, begin, size):
    stage_in_parts(own_rt, PART)
    data = bytearray(random_bytes(2 * PART + 1))
    memory = filled(own_rt, bytes(data))
    assert memory[begin : begin + size].read() == data[begin : begin + size]
    change = random_bytes(size, seed=2)
    memory[begin : begin + size].write(change)
    data[begin : begin + size] = change
    assert memory.read() == data


@pytest.mark.parametrize("flags", [{}, HOST], ids=["device", "host"])
@pytest.mark.parametrize("size", [1, (1 << 20) - 1, 1 << 20, (1 << 20) + 1, (5 << 20) + 3])
def test_fill_changes_only_the_slice(rt, size, flags):
    memory = filled(rt, bytes([7]) * (size + 2), **flags)
    memory[1:-1].fill(9)
    assert memory.read() == b"\x07" + bytes([9]) * size + b"\x07"


# Refusals.


def test_copy_needs_the_same_dtype_and_shape(rt):
    target = rt.zeros((2, 3))
    for other, error in [
        (rt.zeros((2, 3), "i32"), TypeError),
        (rt.zeros((2, 3), "f64"), TypeError),
        (rt.zeros((3, 2)), ValueError),
        (rt.zeros(6), ValueError),
        (rt.zeros(2, "f32", 3), ValueError),
        (rt.zeros((2, 3)).memory, TypeError),
        (np.zeros((2, 3), np.float32), TypeError),
        (None, TypeError),
    ]:
        with pytest.raises(error):
            target.copy_from(other)
    assert not target.to_numpy().any()


def test_copy_needs_memory_of_the_same_size(rt):
    memory = rt.allocate(16)
    with pytest.raises(ValueError, match="cannot copy 15 bytes into 16"):
        memory.copy_from(rt.allocate(15))
    with pytest.raises(ValueError, match="cannot copy 17 bytes into 4"):
        memory[4:8].copy_from(rt.allocate(17))
    for other in (bytes(16), np.zeros(16, np.uint8), rt.zeros(4), None):
        with pytest.raises(TypeError, match="expected a Memory or a slice of one"):
            memory.copy_from(other)


@pytest.mark.parametrize("which", ["source", "target", "runtime"])
def test_copy_of_closed_memory_is_a_value_error(arch, which):
    with Runtime(arch) as rt:
        things = {"runtime": rt, "source": rt.zeros(4), "target": rt.zeros(4)}
        source, target = things["source"], things["target"]
        parts = source.memory[1:3], target.memory[1:3]
        things[which].close()
        for use in (
            lambda: target.copy_from(source),
            lambda: target.memory.copy_from(source.memory),
            lambda: parts[1].copy_from(parts[0]),
        ):
            with pytest.raises(ValueError, match="closed"):
                use()
        closed = {"source": parts[:1], "target": parts[1:], "runtime": parts}[which]
        for part in closed:
            assert repr(part).startswith("<closed MemorySlice")
            for use in (part.read, lambda part=part: part.write(b"1"), lambda part=part: part.fill(1)):
                with pytest.raises(ValueError, match="closed"):
                    use()


@pytest.mark.parametrize("flags", [{}, HOST], ids=["device", "host"])
def test_overlapping_copy_is_a_value_error(rt, flags):
    data = random_bytes(64)
    memory = filled(rt, data, **flags)
    for target, source in [(memory, memory), (memory[0:8], memory[7:15]), (memory[3:9], memory[3:9])]:
        with pytest.raises(ValueError, match="overlap"):
            target.copy_from(source)
    with pytest.raises(ValueError, match="overlap"):
        memory[4:60][0:8].copy_from(memory[11:19])
    memory[4:4].copy_from(memory[4:4])
    assert memory.read() == data
    memory[0:8].copy_from(memory[8:16])
    assert memory.read() == data[8:16] + data[8:]


# Slices.


def test_slice_keeps_the_memory_alive(rt):
    part = filled(rt, b"abcdef", **HOST)[2:5]
    assert (part.read(), part.size, len(part), part.offset) == (b"cde", 3, 3, 2)
    assert repr(part) == f"<MemorySlice [2:5] on {rt.arch}>"
    assert isinstance(part, MemorySlice)


def test_offsets_are_relative_to_the_slice(rt):
    memory = filled(rt, b"0123456789", **HOST)
    part = memory[2:8]
    assert part.read(1, 3) == b"345"
    assert part.read(6) == b""
    part.write(b"xy", 4)
    assert memory.read() == b"012345xy89"
    for use in (
        lambda: part.read(7),
        lambda: part.read(5, 2),
        lambda: part.read(-1),
        lambda: part.write(b"xyz", 4),
        lambda: part.write(b"x", 6),
        lambda: part.write(b"x", -1),
    ):
        with pytest.raises(IndexError, match="6 bytes"):
            use()
    assert memory.read() == b"012345xy89"


@pytest.mark.parametrize(
    "key", [slice(0, 17), slice(17, 17), slice(-17, 3), slice(3, -17), slice(10**30, None)], ids=str
)
def test_slice_out_of_range_is_an_index_error(rt, key):
    memory = rt.allocate(16)
    with pytest.raises(IndexError, match="16 bytes"):
        memory[key]
    with pytest.raises(IndexError, match="16 bytes"):
        rt.allocate(32)[8:24][key]


@pytest.mark.parametrize(
    ("key", "error"),
    [
        (3, TypeError),
        ((slice(0, 3), 2), TypeError),
        (..., TypeError),
        (slice(0.5, 3), TypeError),
        (slice(0, "3"), TypeError),
        (slice(0, 8, 2), ValueError),
        (slice(None, None, -1), ValueError),
        (slice(0, 8, 0), ValueError),
    ],
    ids=str,
)
def test_invalid_slice_is_an_error(rt, key, error):
    memory = rt.allocate(16)
    with pytest.raises(error):
        memory[key]
    with pytest.raises(error):
        memory[2:14][key]


SIZE = 40
BOUND = st.one_of(st.none(), st.integers(-SIZE, SIZE))
STEP = st.tuples(st.sampled_from(["read", "write", "fill", "copy"]), st.lists(st.tuples(BOUND, BOUND), max_size=3))

_memories = {}


def shared_memories(arch):
    """Two memories shared by all examples: one that the host can map, and one that it cannot."""
    if arch not in _memories:
        rt = Runtime(arch)
        _memories[arch] = (rt.allocate(SIZE, **HOST), rt.allocate(SIZE))
    return _memories[arch]


@settings(max_examples=examples(150), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(STEP, max_size=8), seed=st.integers(0, 2**32 - 1))
def test_slices_of_slices_follow_python(arch, steps, seed):
    """Compare with memoryviews of a bytearray."""
    rng = np.random.default_rng(seed)
    models = [bytearray(rng.bytes(SIZE)) for _ in range(2)]
    memories = shared_memories(arch)
    for memory, model in zip(memories, models, strict=True):
        memory.write(bytes(model))
    for what, cuts in steps:
        which = int(rng.integers(2))
        part, expected = memories[which], memoryview(models[which])
        for begin, end in cuts:
            if max(abs(begin or 0), abs(end or 0)) > len(expected):
                with pytest.raises(IndexError):
                    part[begin:end]
                break
            part, expected = part[begin:end], expected[begin:end]
        assert len(part) == len(expected)
        if what == "read":
            assert part.read() == expected.tobytes()
        elif what == "write":
            expected[:] = rng.bytes(len(expected))
            part.write(expected.tobytes())
        elif what == "fill":
            value = int(rng.integers(256))
            expected[:] = bytes([value]) * len(expected)
            part.fill(value)
        else:
            begin = int(rng.integers(SIZE - len(expected) + 1))
            end = begin + len(expected)
            expected[:] = models[1 - which][begin:end]
            part.copy_from(memories[1 - which][begin:end])
    for memory, model in zip(memories, models, strict=True):
        assert memory.read() == model


# Order with launches.


def test_copy_after_a_launch_sees_its_result(rt, module):
    saxpy = module.kernels["saxpy"]
    x, y, copies = rt.full(1000, 1.0, "f32"), rt.zeros(1000), [rt.zeros(1000) for _ in range(20)]
    for target in copies:
        saxpy(1.0, x, y)
        target.copy_from(y)
    assert [target.to_numpy().tolist() for target in copies] == [[i] * 1000 for i in range(1, 21)]
