"""The exception of a build."""

from __future__ import annotations

__all__ = ["BuildError", "LayoutError", "UnavailableError", "UnplacedError"]


class BuildError(RuntimeError):
    """The source cannot be compiled. The message states the archs, the reason and, if known, the remedy.

    Examples
    --------
    >>> build("broken.py", "broken.tib")                                # doctest: +SKIP
    Traceback (most recent call last):
    taichi_aot.build.BuildError: x64, vulkan: File "broken.py", line 6, in saxpy:
            y[i] = a * z[i]
                       ^
    Name "z" is not defined
    """

    __module__ = "taichi_aot.build"  # tracebacks name the public place


class LayoutError(BuildError):
    """The arch has no memory for fields laid out like this; this prevents compiling kernels that use them."""


class UnavailableError(BuildError):
    """This machine cannot compile for an arch, or for any arch."""


class UnplacedError(BuildError):
    """Fields are not placed in memory; this prevents compiling any kernel."""
