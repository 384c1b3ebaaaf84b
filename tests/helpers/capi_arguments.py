"""Arguments of launches through `capi`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from taichi_aot import Image, Memory, Runtime, capi

TYPE, DATA, VALUE = capi.TiArgumentType, capi.TiDataType, capi.TiArgumentValue


def array(
    memory: Memory | capi.TiMemory, *shape: int, dtype: str = "f32", elem_shape: Sequence[int] = ()
) -> capi.TiArgument:
    return capi.TiArgument(
        TYPE.TI_ARGUMENT_TYPE_NDARRAY,
        VALUE(
            ndarray=capi.TiNdArray(
                memory.handle if isinstance(memory, Memory) else memory,
                capi.TiNdShape(len(shape), list(shape)),
                capi.TiNdShape(len(elem_shape), list(elem_shape)),
                DATA[f"TI_DATA_TYPE_{dtype.upper()}"],
            )
        ),
    )


def i32(number: int) -> capi.TiArgument:
    return capi.TiArgument(TYPE.TI_ARGUMENT_TYPE_I32, VALUE(i32=number))


def f32(number: float) -> capi.TiArgument:
    return capi.TiArgument(TYPE.TI_ARGUMENT_TYPE_F32, VALUE(f32=number))


def i64(number: int) -> capi.TiArgument:
    scalar = capi.TiScalar(DATA.TI_DATA_TYPE_I64, capi.TiScalarValue(x64=number))
    return capi.TiArgument(TYPE.TI_ARGUMENT_TYPE_SCALAR, VALUE(scalar=scalar))


def launcher(rt: Runtime, handle: capi.TiKernel | capi.TiComputeGraph, *names: str) -> Callable[..., None]:
    """Return a function that launches a kernel, or a graph with these argument names."""

    def launch(*arguments: capi.TiArgument) -> None:
        if isinstance(handle, capi.TiKernel):
            capi.launch_kernel(rt.handle, handle, arguments)
        else:
            named = [capi.TiNamedArgument(*pair) for pair in zip(names, arguments, strict=True)]
            capi.launch_compute_graph(rt.handle, handle, named)
        rt.wait()

    return launch


def texture(image: Image) -> capi.TiArgument:
    width, height = image.extent
    texture = capi.TiTexture(
        image.handle,
        dimension=capi.TiImageDimension.TI_IMAGE_DIMENSION_2D,
        extent=capi.TiImageExtent(width, height, 1, 1),
        format=capi.TiFormat(int(image.format)),
    )
    return capi.TiArgument(TYPE.TI_ARGUMENT_TYPE_TEXTURE, VALUE(texture=texture))
