"""Ending a sequence early, when a number on the device passes a bound."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ...arrays._ndarray import ArraySlice, NdArray
from ...driver._library import ffi
from ...handles._runtime import RuntimeHandle
from ...values._convert import as_integer, convert
from ...values._enums import DataType
from ...values._errors import ArgumentOutOfRangeError, ArgumentTypeError, InvalidArgumentError, ObjectStateError
from ...values._wording import describe, short

if TYPE_CHECKING:
    from ..._capi import taichi_aot_until_p

NO_LIMIT = 2**63 - 1
NOT_READ = (DataType.F16, DataType.U1)  # numbers that C does not compare


class Iterations(int):
    """The number of iterations that a sequence with `LaunchSequence.until` has made: an int that says how they ended.

    Attributes
    ----------
    converged : bool
        Whether the last check found the number beyond its bound. Otherwise `repeat` iterations were made.
    value : float
        The number at the last check; NaN if there was none.

    Examples
    --------
    >>> made = Iterations(150, converged=True, value=9e-7)
    >>> made, made + 1, made.converged
    (150, 151, True)
    """

    converged: bool
    value: float

    def __new__(cls, count: int, converged: bool = False, value: float = math.nan) -> Iterations:
        self = super().__new__(cls, count)
        self.converged = converged
        self.value = value
        return self


class Bound(NamedTuple):
    """When a run ends: the number, the bound, on which side of it, and after how many iterations each check comes."""

    number: NdArray | ArraySlice
    bound: float
    is_above: bool
    every: int

    @classmethod
    def make(cls, runtime: RuntimeHandle, number: object, below: object, above: object, check_every: object) -> Bound:
        """Check the arguments of `LaunchSequence.until`."""
        if not isinstance(number, NdArray | ArraySlice):
            raise ArgumentTypeError(
                f"until() takes an NdArray of one number, or a slice such as array[0:1], not {describe(number)}"
            )
        if number._handle.runtime is not runtime:
            raise InvalidArgumentError(f"until(): {number!r} belongs to another runtime than the sequence")
        if number.size != 1:
            raise InvalidArgumentError(_not_one(cast("Any", number)))
        if number.data_type in NOT_READ:
            raise ArgumentTypeError(f"until(): {number!r} is of {number.data_type}; write the number as f32 or i32")
        if (below is None) is (above is None):
            raise ArgumentTypeError("until() takes either below= or above=")
        name, bound = ("below", below) if above is None else ("above", above)
        try:
            converted = float(convert(bound, DataType.F64))
        except (TypeError, OverflowError) as error:
            raise type(error)(f"until(): {name}: {error}") from None
        if math.isnan(converted):
            raise InvalidArgumentError(f"until(): {name} is NaN, which no number is {name}")
        every = as_integer(check_every, "check_every")
        if not 1 <= every <= NO_LIMIT:
            raise ArgumentOutOfRangeError(f"check_every must be at least 1 and less than 2**63, not {short(every)}")
        made = cls(number, converted, above is not None, every)
        made.begin()
        return made

    def begin(self) -> taichi_aot_until_p:
        """Return the ``taichi_aot_until *`` of a run; ValueError if the array is closed."""
        number = self.number
        if number.closed:
            number._handle.runtime.require_open()
            raise ObjectStateError("the array of until() is closed")
        memory = number._handle
        values: dict[str, Any] = {
            "memory": memory.c,
            "generation": number._c.generation,
            "offset": number._offset,
            "staging": memory.read_staging,
            "dtype": int(number.data_type),
            "side": 1 if self.is_above else -1,
            "bound": self.bound,
            "every": self.every,
            "value": math.nan,
        }
        until: taichi_aot_until_p = ffi.new("taichi_aot_until *", values)
        return until

    def __str__(self) -> str:
        every = f" every {self.every} iterations" if self.every > 1 else ""
        return f"until {self.number!r} is {'above' if self.is_above else 'below'} {self.bound:g}{every}"


def _not_one(number: Any) -> str:
    """Return the message for an array that does not have exactly one number."""
    count = math.prod(number.elem_shape)
    if number.size == 0:
        problem = f"{number!r} has none"
    elif count > 1:
        problem = f"each item of {number!r} has {count}: let a kernel write it to an array of numbers"
    else:
        problem = f"{number!r} has {number.size}: slice it, as in array[0:1]"
    return f"until() compares one number, and {problem}"
