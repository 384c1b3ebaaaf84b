"""Programs for the lengths of loops: one that is accepted stays within its stack and the argument struct."""

import pytest
from helpers.inside import is_safe
from helpers.plans import length_of
from hypothesis import given
from hypothesis import strategies as st

from taichi_aot.adopt.taichi._programs import DEEPEST, LONGEST, Operation, depth

LOAD, CONSTANT, ADD = Operation.LOAD, Operation.CONSTANT, Operation.ADD
BYTES = 24
OPERATIONS = st.tuples(st.integers(-1, len(Operation)), st.integers(-1, BYTES) | st.integers(-(2**32), 2**32))


@given(program=st.lists(OPERATIONS, max_size=8).map(tuple))
def test_accepted_programs_can_be_run(program):
    if is_safe(program, BYTES) and program:
        assert depth(program) <= DEEPEST
        assert -(2**31) <= length_of(program, bytes(range(BYTES))) < 2**31


@pytest.mark.parametrize(
    ("program", "accepted"),
    [
        ((), True),
        (((LOAD, BYTES - 4),), True),
        (((LOAD, BYTES - 3),), False),
        (((LOAD, -1),), False),
        (((CONSTANT, 2**31),), False),
        (((CONSTANT, -(2**31)),), True),
        (((ADD, 0),), False),
        (((CONSTANT, 1), (ADD, 0)), False),
        (((CONSTANT, 1), (CONSTANT, 1)), False),
        (((CONSTANT, 1), (CONSTANT, 1), (ADD, 0)), True),
        (((8, 0),), False),
        (((CONSTANT, 1),) * DEEPEST + ((ADD, 0),) * (DEEPEST - 1), True),
        (((CONSTANT, 1),) * (DEEPEST + 1) + ((ADD, 0),) * DEEPEST, False),
        (((CONSTANT, 1), *((CONSTANT, 1), (ADD, 0)) * (LONGEST // 2)), False),
    ],
)
def test_programs_are_accepted_or_refused(program, accepted):
    assert is_safe(program, BYTES) is accepted
    if accepted and not program:
        assert not is_safe(((LOAD, 0),), 0)
