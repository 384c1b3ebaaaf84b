"""Kernels with stated access to arrays, as a bundle's description states it for an LLVM module."""

from __future__ import annotations

from typing import TypeVar

from taichi_aot import ComputeGraph, Kernel

Item = TypeVar("Item", Kernel, ComputeGraph)


def stating(item: Item, **access: str) -> Item:
    """Return the kernel or graph with this access to its arrays, by parameter."""
    target = item._launcher.target
    parameters = tuple(p._replace(access=access.get(p.name, "")) for p in item.signature.parameters)
    signature = item.signature._replace(parameters=parameters)
    dispatches = [parameters] if target.is_graph else None
    changed = type(target)(signature, target.module, target.ti_pointer, target.layout, dispatches=dispatches)
    return type(item)._make(changed)
