"""Right uses of a module's stubs, and wrong uses with the rules of mypy and pyright that report them."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

from taichi_aot import Image, Kernel, NdArray, Runtime

if TYPE_CHECKING:
    from kernels import Kernels


def right(rt: Runtime, x: NdArray, image: Image) -> np.float32:
    with cast("Kernels", rt.load_module("kernels.tib")) as module:
        module.saxpy(2.0, x, x)
        module.saxpy(a=np.float32(2), x=x, y=x)
        module.saxpy(True, x, y=x)
        module.kernels["saxpy"](2, x, y=x)
        module.kernels.saxpy(2.0, x, x)
        module.turn([1, 2, 3], np.eye(2), 7)
        module.turn(np.arange(3), [[1.0, 0.5], (0, 1)], n=np.int64(7))
        module.blur(image, image.texture(), x)
        module.graphs["both"](x=x)
        module.both(x)
        module.nothing()
        step = module.saxpy.bind(2.0, x, y=x)
        step.update(a=3.0)
        rt.sequence([step, module.both.bind(x)])(10)
        print([(name, module.kernels[name].signature) for name in module.kernels])
        pair = module.pair()
        print(pair[0] + pair[1].sum(), module.kernels["not-a-name"].name, module.kernels["close"].name)
        module.fields["not-a-name"].write(module.fields.v.to_numpy())
        print([module.fields[name].shape for name in module.fields], module.fields.particle.x.to_numpy())
        kernel: Kernel = module.saxpy.rename("b", "c", "d")
        print(kernel, module.info.version, module.runtime is rt)
        dot = module.dot.bind(x, x)
        return module.dot(x, x) + dot.result()


def wrong(module: Kernels, x: NdArray, image: Image, name: str) -> None:
    module.saxpy(a=2.0, x=x, z=x)  # mypy: call-arg; pyright: reportCallIssue
    module.saxpy(2.0, 3.0, x)  # mypy: arg-type; pyright: reportArgumentType
    module.saxpy(x, x, x)  # mypy: arg-type; pyright: reportArgumentType
    module.saxpy(2.0, x)  # mypy: call-arg; pyright: reportCallIssue
    module.saxpy(2.0, x, x, x)  # mypy: call-arg; pyright: reportCallIssue
    module.saxpy("2", x, x)  # mypy: arg-type; pyright: reportArgumentType
    module.saxpy(np.ones(3), x, x)  # mypy: arg-type; pyright: reportArgumentType
    module.saxpy(2.0, np.ones(3), x)  # mypy: arg-type; pyright: reportArgumentType
    module.turn(x, np.eye(2), 7)  # mypy: arg-type; pyright: reportArgumentType
    module.turn(np.ones(3), np.eye(2), 7)  # mypy: arg-type; pyright: reportArgumentType
    module.turn([1, 2, 3], [1, 2], 7)  # mypy: list-item; pyright: reportArgumentType
    module.turn([1, 2, 3], np.eye(2), 7.5)  # mypy: arg-type; pyright: reportArgumentType
    module.blur(7, image, x)  # mypy: arg-type; pyright: reportArgumentType
    module.blur(image, image, image)  # mypy: arg-type; pyright: reportArgumentType
    module.packed(x)  # mypy: arg-type; pyright: reportArgumentType
    module.saxpi(2.0, x, x)  # mypy: attr-defined; pyright: reportAttributeAccessIssue
    module.kernels.saxpi(2.0, x, x)  # mypy: attr-defined; pyright: reportAttributeAccessIssue
    print(module.kernels["saxpi"])  # mypy: call-overload; pyright: reportCallIssue; pyright: reportArgumentType
    print(module.kernels[name])  # mypy: call-overload; pyright: reportCallIssue; pyright: reportArgumentType
    print(module.graphs["saxpy"])  # mypy: index; pyright: reportArgumentType
    module.saxpy.bind(2.0, x, x).update(a=x)  # mypy: arg-type; pyright: reportArgumentType
    module.saxpy.bind(2.0, x, x).update(b=2.0)  # mypy: call-arg; pyright: reportCallIssue
    module.both(x, x)  # mypy: call-arg; pyright: reportCallIssue
    module.dot(x, x).upper()  # mypy: attr-defined; pyright: reportAttributeAccessIssue
    print(module.fields["hidden"])  # mypy: index; pyright: reportArgumentType
    print(module.fields.hidden)  # mypy: attr-defined; pyright: reportAttributeAccessIssue
