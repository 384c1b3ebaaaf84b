"""Plans for CUDA and Vulkan compute the same loop lengths as the source."""

import itertools
import random
import re

import numpy as np
import pytest
from helpers.inside import is_sound
from helpers.mutants import mutate
from helpers.plans import length_of, memory_of, numbers_of, parsed

from taichi_aot.adopt.spirv._module import threads_of
from taichi_aot.adopt.spirv._plans import groups_of
from taichi_aot.build.code._loops import KernelCode

ARCHS = ("cuda", "vulkan")

# Loop lengths by kernel, as functions of scalars and sizes by name; None where no plan may know the length.
# A tuple has one for each arch. `LEFT` kernels are left to the library.
LENGTHS = {
    "static": [lambda a, k=k: a["x[0]"] - k for k in range(3)],
    "inner": [lambda a: a["x[0]"] - 2],
    "square": [lambda a: a["n"] ** 2 - a["m"]],
    "volume": [lambda a: a["v[0]"] * a["v[1]"] * a["v[2]"]],
    "ranges": [lambda a: (max(a["n"], 1) - 1) * (max(a["v[1]"], 2) - 2)],
    "choices": [lambda a: max(a["n"], a["m"]), lambda a: min(a["n"], a["m"], a["x[0]"])],
    "halves": [(lambda a: max(a["n"], 0), None)],  # an upper bound
    "clipped": [(lambda a: a["n"], None)],  # an upper bound
    "small": [None],
    "behind": [lambda a: a["n"], lambda a: a["k"]],
    "of_vector": [lambda a: a["v[2]"] - a["v[1]"]],
    "drawn": [(lambda a: a["n"], None)],
    "summed": [lambda a: a["x[0]"], lambda a: a["y[0]"]],
    "computed": [lambda a: a["n"], None],
    "chosen": [None],
    "between": [(lambda a: a["n"] + 1, None)],
    "thrice": [lambda a: a["n"], lambda a: a["x[0]"], lambda a: 2 * a["n"]],
    "shared": [lambda a: a["n"]],
    "total": [lambda a: a["x[0]"]],
    "array": [lambda a: a["x[0]"]],
    "grid": [lambda a: a["m[0]"] * a["m[1]"]],
    "vectors": [lambda a: a["v[0]"]],
    "scalar": [lambda a: a["n"]],
    "part": [lambda a: a["end"] - a["begin"]],
    "sampled": [lambda a: a["end"] - a["begin"]],
    "product": [lambda a: a["n"] * a["m"] + 1],
    "smaller": [lambda a: min(a["n"], a["x[0]"])],
    "plane": [lambda a: max(a["n"], 0) * max(a["m"], 0)],
    "constant": [lambda a: 200],
    "negative": [lambda a: 200],
    "empty": [lambda a: -5, lambda a: -3003, lambda a: 0, lambda a: a["x[0]"]],
    "cell": [lambda a: a["x[0]"]],
    "read": [None],
    "counted": [lambda a: 1, None],
    "several": [lambda a: a["n"], lambda a: a["m[0]"] * a["m[1]"], lambda a: 2 * a["n"]],
    "conditional": [None],
    "blocks": [lambda a: a["x[0]"]],
    "serial": [],
    "returned": [lambda a: a["n"]],
    "wide": [lambda a: a["x[0]"]],
    "power": [None],
}
SAMPLES = (-(2**31), -7, 0, 1, 3, 128, 1000, 2**31 - 1)


def loops(kernel, plan):
    """Return the length programs of a kernel's loops, in order."""
    tasks = [(kernel.tasks[task.number or number], task) for number, task in enumerate(plan.tasks)]
    return [task.length for info, task in tasks if info.kind == "range_for"]


def samples(signature):
    """Yield arguments by name: each takes every sample in turn, then all at random; sizes are not negative."""
    names = [
        parameter.name if parameter.kind == "scalar" else f"{parameter.name}[{i}]"
        for parameter in signature.parameters
        for i in range(max(1, parameter.ndim, *parameter.elem_shape))
    ]
    dice = np.random.default_rng(len(names))
    for name, value in itertools.product(names, SAMPLES):
        yield {**dict.fromkeys(names, 5), name: abs(value) % 2**31 if "[" in name else value}
    for _ in range(20):
        yield {name: int(dice.integers(0, 2**15)) for name in names}


def wrapped(number):
    return (number + 2**31) % 2**32 - 2**31


@pytest.mark.parametrize("arch", ARCHS)
def test_lengths_match_the_source(arch, planned):
    compared = 0
    for source in ("length_kernels", "loop_kernels"):
        kernels, plans, _ = planned(source, arch)
        for name, kernel in kernels.items():
            if name not in LENGTHS:
                assert kernel.uses_fields
                continue
            wanted = [each[ARCHS.index(arch)] if isinstance(each, tuple) else each for each in LENGTHS[name]]
            programs = loops(kernel, plans[name])
            assert [bool(program) for program in programs] == [length is not None for length in wanted], name
            for arguments in samples(kernel.signature):
                memory = memory_of(plans[name], kernel.signature, numbers_of(kernel.signature, arguments))
                for program, length in zip(programs, wanted, strict=True):
                    if length is not None:
                        assert length_of(program, memory) == wrapped(length(arguments)), (name, arguments)
                        compared += 1
    assert compared > 1000


def test_machine_code_states_the_lengths_that_may_be_too_long(planned):
    """Of loops that are no vectors, or whose length follows from several numbers."""
    kernels, plans, _ = planned("loop_kernels", "x64")
    found = set()
    for name in kernels.keys() & LENGTHS.keys():
        plan, signature = plans[name], kernels[name].signature
        for program, wanted in zip(loops(kernels[name], plan), LENGTHS[name], strict=True):
            exact = wanted[0] if isinstance(wanted, tuple) else wanted
            found |= {name} if program else set()
            for arguments in samples(signature) if program else ():
                memory = memory_of(plan, signature, numbers_of(signature, arguments))
                assert length_of(program, memory) == wrapped(exact(arguments)), (name, arguments)
    assert found >= {"part", "product", "plane", "several"}
    assert found.isdisjoint({"array", "grid", "vectors", "smaller", "constant", "negative"})


def test_loops_over_fields_have_lengths(planned):
    kernels, plans, _ = planned("length_kernels", "cuda")
    assert [length_of(program, b"") for program in loops(kernels["fields"], plans["fields"])] == [600, 100]


@pytest.mark.slow
def test_both_archs_compute_equal_lengths(planned):
    compared = 0
    (kernels, cuda, _), (others, vulkan, _) = (planned("generated", arch) for arch in ARCHS)
    for name in sorted(kernels.keys() & others.keys()):
        plans = cuda[name], vulkan[name]
        if any(isinstance(plan, str) for plan in plans):
            continue
        programs = [loops(kernel[name], plan) for kernel, plan in zip((kernels, others), plans, strict=True)]
        for arguments in samples(kernels[name].signature):
            numbers = numbers_of(kernels[name].signature, arguments)
            memories = [memory_of(plan, kernels[name].signature, numbers) for plan in plans]
            for pair in zip(*programs, strict=True):
                if all(pair):
                    lengths = [length_of(program, memory) for program, memory in zip(pair, memories, strict=True)]
                    assert lengths[0] == lengths[1], (name, arguments)
                    compared += 1
    assert compared > 300


@pytest.mark.parametrize(
    ("pattern", "replacement"),
    [
        (rb"^  %48 = mul nsw i32 %46, %47$", rb"  %48 = mul nsw i32 %46, 8"),  # another loop of the runtime
        (rb"^(body: .*)$", rb"\1\n  %grid = call i32 @grid_dim()"),
        (rb"^(body: .*)$", rb"\1\n  %grid = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.y()"),
        (rb"get_temporary_pointer\((.*), i64 0\)", rb"get_temporary_pointer(\1, i64 %4)"),
        (
            rb"^  store i32 %4, i32\* %7, align 4$",
            rb"  store i32 %4, i32* %7, align 4\n  store i32 %4, i32* %7, align 4",
        ),
        (rb"^  store i32 %4, i32\* %7, align 4$", rb"  call void @other(i32* %7)\n  store i32 %4, i32* %7, align 4"),
        (rb"^  store i32 %4, i32\* %7, align 4$", rb"  store i32 %5, i32* %7, align 4"),
        (rb"^  br label %body$", rb"  br i1 %x, label %body, label %final"),
        (
            rb"^  store i32 %4, i32\* %7, align 4$",
            rb'  br i1 %x, label %"a b", label %after\n\n"a b":\n\g<0>\n  br label %after\n\nafter:',
        ),
        (rb"^  (call void @gpu_parallel_range_for.*)$", rb"  \1\n  tail \1"),
        (rb"^  (%7 = bitcast .*)$", rb"  \1\n  %y = cmpxchg i32* %7, i32 0, i32 1 seq_cst seq_cst"),
    ],
)
def test_code_that_may_depend_on_the_grid_or_change_the_range_has_no_length(build_source, pattern, replacement):
    module = parsed(build_source("loop_kernels", "cuda"))
    tasks = module.info.all_kernels["scalar"].tasks
    changed, count = re.subn(pattern, replacement, module.files["scalar.ll"], flags=re.MULTILINE)
    assert count
    assert KernelCode(module.files["scalar.ll"]).loop_lengths(tasks)[1]
    assert KernelCode(changed).loop_lengths(tasks)[1] == ()


def mutate_lines(code, dice):
    """Drop, double or swap one line, or change a name or number in it."""
    lines = code.split(b"\n")
    where, other = dice.randrange(len(lines)), dice.randrange(len(lines))
    kind = dice.randrange(4)
    if kind == 0:
        del lines[where]
    elif kind == 1:
        lines.insert(other, lines[where])
    elif kind == 2:
        lines[where], lines[other] = lines[other], lines[where]
    else:
        words = lines[where].split(b" ")
        words[dice.randrange(len(words))] = dice.choice([b"%4", b"i32", b"{", b"}*", b"9" * 20, b"label", b"-1"])
        lines[where] = b" ".join(words)
    return b"\n".join(lines)


def is_followed(program):
    """Return whether C can follow a program of a length."""
    length = [number for pair in program for number in pair]
    task = {"name": "t", "groups": 1, "block": 128, "bindings": [], "length": length}
    return is_sound({"bytes": 1 << 20, "arguments": [], "tasks": [task]}, "")


@pytest.mark.scaled
@pytest.mark.parametrize("change", [mutate, mutate_lines])
def test_damaged_code_has_no_lengths_or_safe_programs(build_source, mutant_count, change):
    module = parsed(build_source("loop_kernels", "cuda"))
    known = 0
    for name, kernel in module.info.all_kernels.items():
        dice = random.Random(f"17 {name}")
        for _ in range(mutant_count):
            lengths = KernelCode(change(module.files[f"{name}.ll"], dice)).loop_lengths(kernel.tasks)
            assert all(map(is_followed, lengths))
            known += any(lengths)
    assert 0 < known < len(module.info.all_kernels) * mutant_count


def test_group_counts_match_the_library():
    """A loop over an empty constant range states fewer than 0 threads; the copy for the library has 0."""
    assert [groups_of(threads, 128) for threads in (200_000, 129, 128, 1, 0)] == [1563, 2, 1, 1, 1]
    assert [threads_of({"advisory_total_num_threads": number}) for number in (7, 0, -5, -1000)] == [7, 0, 0, 0]
