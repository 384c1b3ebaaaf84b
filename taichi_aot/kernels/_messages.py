"""Messages about rejected arguments: the kernel, the parameter, the expected and the actual value, and a hint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..arrays._layout import is_image
from ..arrays._memory import Memory
from ..arrays._ndarray import ArraySlice, NdArray
from ..handles._runtime import RuntimeHandle
from ..values._errors import (
    ArgumentOverflowError,
    ArgumentTypeError,
    BufferStateError,
    InvalidArgumentError,
    InvalidBufferError,
    NotSupportedError,
    ObjectStateError,
    count,
    describe,
    is_array,
    is_masked,
    short,
    unknown_parameter,
)
from ..values._numbers import INTEGER_RANGES, cast_code, copy_code, numpy_dtype, offers_memory, tensor_trouble
from ..values._signature import TEXTURES, Parameter, Signature, python_names, shape_rule

if TYPE_CHECKING:
    from ..arrays._image import Image


class Messages(NamedTuple):
    """Creates the exceptions about one parameter of a kernel or graph."""

    signature: Signature
    parameter: Parameter

    def wrong_type(self, value: Any) -> TypeError:
        """Return the exception for a value of the wrong kind or type."""
        if value.__class__ is NdArray and self.parameter.kind == "ndarray":
            return ArgumentTypeError(f"{self._expected()}, got {value._type}; {self._other_array(value)}")
        got = describe(value)
        if is_image(value):
            got = f"an image of {value.format} with {value.ndim} dimensions"
        return ArgumentTypeError(f"{self._expected()}, got {got}{self._remedy(value)}")

    def wrong_foreign(self, value: object, dtype: object, shape: tuple[int, ...], *, is_shape: bool) -> TypeError:
        """Return the exception for another library's array of the wrong shape, if `is_shape`, or the wrong dtype."""
        got = describe(value)
        if not is_array(value):
            got += f" of {dtype} with shape {short(tuple(shape))}"  # torch has a class of its own
        remedy = shape_rule(self.parameter) if is_shape else self._cast_in_place(value)
        return ArgumentTypeError(f"{self._expected()}, got {got}; {remedy}")

    def _cast_in_place(self, value: object) -> str:
        """Return how to convert an array of another dtype that the kernel can use where it is."""
        name, access = self.parameter.name, self.parameter.access
        assert self.parameter.dtype is not None
        kind = f"{value.__class__.__module__}."
        if not (hasattr(value, "astype") or kind.startswith("torch.")):
            return self._copied(self._copy_code(value))
        code = cast_code(kind, name, str(numpy_dtype(self.parameter.dtype)))
        writes = "writes" if access else "may write"
        return f"write {code}" if access == "r" else f"write {name} = {code} and pass it: the kernel {writes} to it"

    def not_shared(self, value: object, reason: Exception) -> Exception:
        """Return the exception for another library's array whose memory cannot be used; `reason` says why."""
        kind = next((each for each in (InvalidBufferError, ArgumentTypeError) if isinstance(reason, each)), None)
        # Memory elsewhere is a ValueError.
        copied = f"; {self._copied(self._copy_code(value))}" if kind is None else ""
        return (kind or InvalidArgumentError)(f"{self._where()} cannot use {describe(value)}: {reason}{copied}")

    def _other_array(self, array: NdArray) -> str:
        """Return how to convert an array of another type to what the parameter takes."""
        wanted, sizes = self.parameter, array.shape + array.elem_shape
        elem_shape = wanted.elem_shape[0] if len(wanted.elem_shape) == 1 else wanted.elem_shape
        if sizes[wanted.ndim :] != wanted.elem_shape:
            elements = f"elem_shape={elem_shape}" if wanted.elem_shape else "no elem_shape"
            dimensions = count(wanted.ndim, "dimension")
            return f"its numbers have the shape {short(sizes)}: allocate it with {dimensions} and {elements}"
        if array.data_type is wanted.dtype:
            elements = f"elem_shape={elem_shape}" if wanted.elem_shape else "no elem_shape"
            return f"allocate it with shape {short(sizes[: wanted.ndim])} and {elements}"
        elements = f", elem_shape={elem_shape}" if wanted.elem_shape else ""
        cast = f"runtime.asarray({wanted.name}.to_numpy(), {str(wanted.dtype)!r}{elements})"
        return f"allocate it with dtype {str(wanted.dtype)!r}, or {self._copied(cast)}"

    def _remedy(self, value: object) -> str:
        """Return a hint on how to convert an object of another kind."""
        if is_masked(value):
            return "; its filled() method gives an array without a mask"
        if self.parameter.kind in TEXTURES:
            return self._image_remedy(value)
        if self.parameter.kind != "ndarray":
            return self._number_remedy(value)
        if value.__class__ is ArraySlice:
            return self._part_remedy(value)
        if isinstance(value, Memory):
            return "; its ndarray() method makes an NdArray over it"
        trouble = tensor_trouble(value, self.parameter.name)
        if trouble:
            return f"; {trouble}"
        if isinstance(value, np.generic):
            return f"; an index such as {self.parameter.name}[0] gives a number: pass the array"
        if isinstance(value, int | float) and "scalar" in [each.kind for each in self.signature.parameters]:
            return self._order()
        return self._array_remedy(value)

    def _part_remedy(self, part: Any) -> str:
        if part._offset and not part._handle.runtime.backend.memory.has_offsets:
            return f"; {self._copied(f'runtime.asarray({self.parameter.name}.to_numpy())')}"
        elements = f", elem_shape={part.elem_shape}" if part.elem_shape else ""
        layout = f"{part.shape}, {str(part.data_type)!r}{elements}, offset={part._offset}"
        return f"; write array.memory.ndarray({layout}), an NdArray over this part"

    def _array_remedy(self, value: object) -> str:
        code = self._copy_code(value)
        if not code:
            return f"; pass an NdArray, such as runtime.asarray(numbers, {str(self.parameter.dtype)!r})"
        is_cast_of_numpy = is_array(value) and self._cast(value)
        function = ", or use taichi_aot.function()" * (offers_memory(value) and not is_cast_of_numpy)
        return f"; {self._copied(code)}{function}"

    def _image_remedy(self, value: Any) -> str:
        wanted = self.parameter
        if is_image(value):
            format_ = wanted.format or str(value.format)
            sizes = ", ".join(("width", "height", "depth")[: wanted.ndim])
            return f"; runtime.allocate_image(({sizes}{',' * (wanted.ndim == 1)}), {format_!r}) makes one"
        if isinstance(value, NdArray):
            return "; copy_from() of an Image copies it into that"
        return "; runtime.image_from() makes an Image of a picture" if is_array(value) else ""

    def _number_remedy(self, value: Any) -> str:
        name, dtype = self.parameter.name, self.parameter.dtype
        is_own = isinstance(value, NdArray | ArraySlice)
        if self.parameter.kind in ("struct", "argpack"):
            return self._order() if is_own or is_array(value) else ""
        if self.parameter.kind == "matrix":
            return "; its to_numpy() method copies it to the host" if is_own else ""
        if is_own or is_array(value):
            if value._layout.size == 1 if is_own else np.ndarray.view(value, np.ndarray).size == 1:
                return f"; write {name}.item()"
            return self._order()
        if offers_memory(value) or isinstance(value, list | tuple) or is_image(value):
            return self._order()
        if isinstance(value, float | np.floating | str):
            return f"; write {'int' if dtype in INTEGER_RANGES else 'float'}({name})"
        return ""

    def _order(self) -> str:
        """Return the end of a message about arguments that seem to be in another order."""
        return f"; the order is {self.signature.name}({', '.join(python_names(self.signature.taken))})"

    def _cast(self, value: object) -> str:
        """Return the type to which an array has to be cast; empty if it has that type."""
        dtype = self.parameter.dtype
        assert dtype is not None
        is_same = is_array(value) and np.ndarray.view(value, np.ndarray).dtype == numpy_dtype(dtype)
        return "" if is_same else str(dtype)

    def _copy_code(self, value: object) -> str:
        return copy_code(value, self.parameter.name, self._cast(value), self.parameter.elem_shape)

    def _copied(self, code: str) -> str:
        """Return the remedy: convert by `code`, into a copy that the kernel then writes to."""
        name, access = self.parameter.name, self.parameter.access
        if access == "r":
            return f"write {code}"
        return f"write {name} = {code}, pass it, and read {name}.to_numpy(){' if the kernel writes it' * (not access)}"

    def unexpected(self, got: str) -> TypeError:
        """Return the exception for an element of a vector, matrix or struct; `got` says what it is."""
        return ArgumentTypeError(f"{self._expected()}, got {got}")

    def wrong_shape(self, shape: tuple[int, ...]) -> ValueError:
        """Return the exception for a vector or matrix of the wrong shape."""
        return InvalidArgumentError(f"{self._expected()}, got shape {short(shape)}")

    def unknown_member(self, name: object) -> TypeError:
        """Return the exception for a member that a struct does not have."""
        return unknown_parameter(f"{self._expected()}, got {short(name)}, which is not a member of it")

    def ragged(self) -> ValueError:
        """Return the exception for a matrix of sequences that differ in length."""
        return InvalidArgumentError(f"{self._expected()}, got a ragged sequence")

    def does_not_fit(self, reason: OverflowError) -> OverflowError:
        """Return the exception for a number out of the type's range; `reason` has the message."""
        return ArgumentOverflowError(f"{self._where()} {reason}")

    def wrong_usage(self, image: Image, missing: str) -> ValueError:
        """Return the exception for an image that was allocated without the usages `missing`."""
        return InvalidArgumentError(f"{self._where()} {image!r} was allocated without usage {missing}")

    def two_layouts(self, written: Parameter) -> ValueError:
        """Return the exception for an image that is also the argument of `written`, an rw_texture."""
        rule = "a kernel cannot take one image both as texture and as rw_texture"
        if written == self.parameter:
            return InvalidArgumentError(f"{self._where()} {rule}, but the graph passes this one as both")
        return InvalidArgumentError(
            f"{self._where()} the image is also the argument of {written.name!r}; {rule}: copy it to another image "
            "with copy_from()"
        )

    def foreign(self, array: NdArray | Image, runtime: RuntimeHandle) -> ValueError:
        """Return the exception for an array or image that does not belong to the kernel's runtime."""
        if not array._handle.runtime.is_open:
            return ObjectStateError(f"{self._where()} {array._handle.runtime.closed_error()}")
        name = self.parameter.name
        copy = (
            f"runtime.asarray({name}.to_numpy())"
            if isinstance(array, NdArray)
            else f"runtime.image_from({name}.to_numpy())"
        )
        own, other = runtime.device, array._handle.runtime.device
        where = str(runtime.arch) if own == other else f"{own}, and it is on {other}"
        return InvalidArgumentError(
            f"{self._where()} {array!r} belongs to another runtime than the kernel, which is on {where}; "
            f"create it with module.runtime, or {self._copied(f'module.{copy}')}"
        )

    def without_gradient(self, array: str) -> TypeError:
        """Return the exception for an array without a gradient; `array` is the name of its parameter."""
        return ArgumentTypeError(
            f"{self.signature.name}() parameter {array!r}: the array has no gradient; create it with grad=True, as in "
            f"runtime.zeros(shape, grad=True), or pass one: grads={{{array!r}: gradient}}"
        )

    def wrong_gradient(self, shape: tuple[int, ...], wanted: tuple[int, ...]) -> ValueError:
        """Return the exception for a gradient that does not have its array's shape, `wanted`."""
        return InvalidArgumentError(
            f"{self._where()} its shape is {short(shape)}, and that of the array {short(wanted)}"
        )

    def read_only(self) -> ValueError:
        """Return the exception for a read-only array to which the kernel may write."""
        reason = "may write to it" if self.parameter.access else "may write to it, as far as the module states"
        copied = self._copied(f"runtime.asarray({self.parameter.name})")
        return InvalidArgumentError(f"{self._where()} the array is read-only, and the kernel {reason}; {copied}")

    def closed(self) -> ValueError:
        """Return the exception for a closed array or image."""
        noun = "array" if self.parameter.kind == "ndarray" else "image"
        return ObjectStateError(f"{self._where()} the {noun} is closed")

    def mapped(self) -> BufferError:
        """Return the exception for a mapped array on an arch that maps a copy."""
        return BufferStateError(f"{self._where()} the array is mapped; leave the `with` block first")

    def unsupported(self, reason: str) -> NotSupportedError:
        """Return the exception for a parameter whose arguments cannot be passed."""
        return NotSupportedError(f"{self._where()} {reason}")

    def _expected(self) -> str:
        return f"{self._where()} expected {self.parameter.type_name}"

    def _where(self) -> str:
        return f"{self.signature.name}() parameter {self.parameter.name!r}:"


# Structs and argument packs as a call passes them: a mapping, an object, a record, or a value for each member.
