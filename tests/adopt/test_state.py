"""Kernels have plans for Vulkan only if no launch reads what an earlier one left in the library's buffers."""

from __future__ import annotations

import struct

import pytest
from helpers.plans import lowered, plans_of

from taichi_aot.adopt.spirv import _code as spirv
from taichi_aot.adopt.spirv._loops import OP_STORE
from taichi_aot.adopt.spirv._metadata import threads_of
from taichi_aot.adopt.spirv._plans import KEPT_STATE, groups_of
from taichi_aot.adopt.taichi._plans import BindingKind, Dispatch

NOTHING = struct.pack("<I", 1 << 16)  # OpNop


@pytest.fixture(scope="module")
def module(build_source):
    return lowered(build_source("kept_kernels", "vulkan"))


def test_random_numbers_and_unknown_places_are_left_to_the_library(module):
    plans = plans_of(module)
    assert {name: plan for name, plan in plans.items() if isinstance(plan, str)} == {
        "drawn": KEPT_STATE,
        "filled": KEPT_STATE,
        "looked_up": KEPT_STATE,
    }


def test_lengths_are_known_beside_numbers_of_another_type(module):
    plan = plans_of(module)["doubled"]
    kinds = [[binding.kind for binding in task.bindings].count(BindingKind.TEMPORARIES) for task in plan.tasks]
    assert max(kinds) == 2
    assert [bool(task.length) for task in plan.tasks if task.groups > 1] == [True] * 3


def stores(name, code):
    """Yield the offset and size of each store instruction."""
    at = 4 * spirv.HEADER_WORDS
    for opcode, operands in spirv.instructions(name, code):
        size = 4 * (1 + len(operands))
        if opcode == OP_STORE:
            yield at, size
        at += size


def without(code, at, size):
    return code[:at] + NOTHING * (size // 4) + code[at + size :]


def test_launch_must_write_before_it_reads(module):
    """Remove one store at a time: a store inside a branch cannot replace an unconditional one before it."""
    name = next(name for name in module.files if name.startswith("carried") and name.endswith("t00.spv"))
    code = module.files[name]
    found = []
    for place in stores(name, code):  # count, total, and count in the branch
        plans = plans_of(module, {name: without(code, *place)})
        found.append(isinstance(plans["carried"], Dispatch))
    assert found == [False, False, True]


def test_group_counts_match_the_library():
    """A loop over an empty constant range states fewer than 0 threads; the copy for the library has 0."""
    assert [groups_of(threads, 128) for threads in (200_000, 129, 128, 1, 0)] == [1563, 2, 1, 1, 1]
    assert [threads_of({"advisory_total_num_threads": number}) for number in (7, 0, -5, -1000)] == [7, 0, 0, 0]
