"""The demos of the command line, in `PROGRAMS`, with their modules."""

from __future__ import annotations

from .filter import Filter
from .julia import Julia
from .life import Life
from .mpm88 import Fluid
from .nbody import Galaxies
from .program import Program
from .wave import Wave

__all__ = ["PROGRAMS", "Program"]

PROGRAMS: dict[str, type[Program]] = {
    "mpm88": Fluid,
    "julia": Julia,
    "nbody": Galaxies,
    "wave": Wave,
    "life": Life,
    "filter": Filter,
}
