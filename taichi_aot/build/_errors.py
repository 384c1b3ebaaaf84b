"""The exception of a build."""

from __future__ import annotations

__all__ = ["BuildError", "UnavailableError", "UnplacedError"]


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


class UnavailableError(BuildError):
    """This machine cannot compile for an arch, or for any arch."""


class UnplacedError(BuildError):
    """Fields are not placed in memory; this prevents compiling any kernel."""
