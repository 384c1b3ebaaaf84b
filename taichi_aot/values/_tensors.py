"""Arrays of other libraries in messages: what to write, and why some tensors cannot be used at all."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._wording import short

PROTOCOLS = ("__dlpack__", "__cuda_array_interface__", "__array_interface__")  # by which arrays share memory

HOST_COPIES = {"cupy": "{}.get()", "jax": "jax.device_get({})", "jaxlib": "jax.device_get({})", "torch": "{}.cpu()"}
REMEDIES = {
    "bfloat16": "it is of bfloat16, which Taichi and numpy do not have: write {}.float()",
    "fake": "it has no numbers, as in torch.compile: call an operator of taichi_aot.interop.torch there",
    "freed": "it has no memory: its storage was freed",
    "gradient": "it requires a gradient, which kernels do not track: write {}.detach()",
    "meta": "it is on the device 'meta', and has no numbers",
    "negative": "its numbers are stored negated: write {}.resolve_neg()",
    "nested": "it is nested: write {}.to_padded_tensor(0.0)",
    "quantized": "it is quantized: write {}.dequantize()",
    "sparse": "it is not dense: write {}.to_dense()",
    "traced": "it is traced, as in jax.jit, and has no numbers: call a function of taichi_aot.interop.jax there",
    "transformed": "it is an argument in torch.vmap or torch.func: call an operator of taichi_aot.interop.torch there",
    "deleted": "it was deleted, or donated to a function of jax.jit",
}


def array_hint(value: object) -> str:
    """Return the end of a message: how to make an NdArray of what another library has; empty for other values."""
    trouble = tensor_trouble(value)
    if trouble:
        return f"; {trouble}"
    code = copy_code(value)
    shared = " to copy it, or runtime.from_dlpack(x) to share its memory" * offers_memory(value)
    return f"; write {code}{shared}" if code else ""


def copy_code(value: object, name: str = "x", dtype: str = "", elem_shape: tuple[int, ...] = ()) -> str:
    """Return the code that copies another library's array, or a sequence, to the device; empty for other values.

    `name` is the value's name in the code, `dtype` Taichi's name of the type to cast to, empty for the type that it
    has, and `elem_shape` the wanted shape of elements.
    """
    kind, shape = value.__class__, elem_shape[0] if len(elem_shape) == 1 else elem_shape
    if offers_memory(value):
        host = HOST_COPIES.get(kind.__module__.partition(".")[0], "")
        if not host or "cuda" not in str(getattr(value, "device", "")).lower():
            host = "{}"
    elif hasattr(kind, "to_numpy"):  # arrays and fields of the Taichi compiler, series of pandas
        host = "{}.to_numpy()"
    elif kind in (list, tuple):
        host = "{}"
    else:
        return ""
    cast = f", {dtype!r}" if dtype else ""
    return f"runtime.asarray({host.format(name)}{cast}{f', elem_shape={short(shape)}' if elem_shape else ''})"


def cast_code(kind: str, name: str, dtype: str) -> str:
    """Return the code that casts an array to a dtype of numpy, given its class with the module."""
    return f"{name}.to(torch.{dtype})" if kind.startswith("torch.") else f"{name}.astype({dtype!r})"


def offers_memory(value: object) -> bool:
    """Return whether it is an array that can share its memory; numbers of numpy have the methods too."""
    kind = value.__class__
    return any(hasattr(kind, name) for name in PROTOCOLS) and not issubclass(kind, np.generic)


def tensor_trouble(value: Any, name: str = "x") -> str:
    """Return why other libraries cannot use a tensor or an array of JAX, and what to write; empty if they can."""
    kind: Any = value.__class__
    libraries = {each.__module__.partition(".")[0] for each in kind.__mro__}
    trouble = ""
    if isinstance(value, type):
        pass
    elif "torch" in libraries:
        trouble = _of_torch(value)
    elif libraries & {"jax", "jaxlib"}:
        trouble = _of_jax(value)
    return REMEDIES[trouble].format(name) if trouble else ""


def _of_torch(tensor: Any) -> str:
    kind: Any = tensor.__class__
    if kind.__name__ in ("FakeTensor", "FunctionalTensor"):
        return "fake"
    if getattr(tensor, "requires_grad", False) is True:
        return "gradient"
    if str(getattr(tensor, "dtype", "")) == "torch.bfloat16":
        return "bfloat16"
    flags = {"is_nested": "nested", "is_quantized": "quantized", "is_meta": "meta"}
    for flag, trouble in flags.items():
        if getattr(tensor, flag, False) is True:
            return trouble
    if str(getattr(tensor, "layout", "torch.strided")) != "torch.strided":
        return "sparse"
    try:
        if tensor.is_neg():
            return "negative"
        return "freed" if tensor.numel() and not tensor.data_ptr() else ""
    except AttributeError:  # of an older version
        return ""
    except RuntimeError:  # it has no memory of its own
        return "transformed"


def _of_jax(array: Any) -> str:
    kind: Any = array.__class__
    if any(each.__name__ == "Tracer" for each in kind.__mro__):
        return "traced"
    is_deleted = getattr(array, "is_deleted", None)
    return "deleted" if is_deleted is not None and is_deleted() is True else ""
