"""The exception of a build."""

from __future__ import annotations

from collections.abc import Sequence


class BuildError(RuntimeError):
    """The source cannot be compiled. The message begins with the kernel, file and line, and states the remedy if known.

    Errors of only some of the archs begin with these archs.

    Examples
    --------
    >>> build("broken.py", "broken.tib")                                # doctest: +SKIP
    Traceback (most recent call last):
    taichi_aot.build.BuildError: kernel saxpy (broken.py, line 6): Name "z" is not defined here: import it, or ...
        y[i] = a * z[i]
                   ^
    """

    __module__ = "taichi_aot.build"  # tracebacks name the public place
    lacking = ""  # why an arch is left out that nobody names, if its devices may lack a type of numbers


class SourceError(BuildError):
    """An error at a line of the source, in what is compiled (``"kernel fill"``), with code and callers below."""

    def __init__(self, kernel: str, place: str, reason: str, lines: Sequence[str] = ()) -> None:
        where = f"{kernel} ({place})" if kernel else place
        super().__init__("\n".join([f"{where}: {reason}", *lines]))
        self.place = place  # file and line
        self.reason = reason  # the reason, with the remedy


class LackingError(BuildError):
    """Devices of an arch may lack a type of numbers."""

    def __init__(self, message: str, lacking: str) -> None:
        super().__init__(message)
        self.lacking = lacking


class CrashError(BuildError):
    """A child process has crashed."""


class LayoutError(BuildError):
    """The arch has no memory for fields laid out like this; this prevents compiling kernels that use them."""


class UnavailableError(BuildError):
    """This machine cannot compile for an arch, or for any arch."""


class UnplacedError(BuildError):
    """Fields are not placed in memory; this prevents compiling any kernel."""
