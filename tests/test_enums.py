"""Enumerations find members by name and number, and list them for an unknown one."""

import copy
import pickle

import numpy as np
import pytest

from taichi_aot import AddressMode, Arch, DataType, Filter, Format, Sampler

NAMED = (Arch, DataType, Format, Filter, AddressMode)
DEEP = []
for _ in range(10**5):
    DEEP = [DEEP]


@pytest.mark.parametrize("enum", NAMED)
def test_members_are_found_by_name_and_number(enum):
    for member in enum:
        assert enum(str(member)) is enum(member.name) is enum(int(member)) is enum(np.int64(member)) is member
        assert str(member) == f"{member}" == member.name.lower()
        assert pickle.loads(pickle.dumps(member)) is copy.copy(member) is member


class Odd:
    def __repr__(self):
        raise AssertionError("the user's repr must not run")


@pytest.mark.parametrize("enum", NAMED)
@pytest.mark.parametrize("value", [99, -1, 4.0, "none", None, b"x64", DEEP, Odd(), 10**5000], ids=range(9))
def test_unknown_member_error_lists_the_members(enum, value):
    noun = "address mode" if enum is AddressMode else enum.__name__.lower().replace("datatype", "data type")
    with pytest.raises(ValueError, match=f"^unknown {noun} .*; known are .*{str(next(iter(enum)))!r}, ") as caught:
        enum(value)
    assert len(str(caught.value)) < 700


def test_samplers_check_their_members():
    assert Sampler() == Sampler("linear", Filter.LINEAR, "repeat")
    assert Sampler("nearest").mag_filter is Filter.NEAREST
    assert repr(Sampler()) == "<Sampler mag_filter=linear min_filter=linear address_mode=repeat>"
    assert pickle.loads(pickle.dumps(Sampler("nearest"))) == Sampler(Filter.NEAREST)
    for arguments in ({"mag_filter": 7}, {"min_filter": None}, {"address_mode": "clamp"}):
        with pytest.raises(ValueError, match=r"^unknown (filter|address mode)"):
            Sampler(**arguments)
