"""What machine code may do with floats: the values of the option ``math``."""

from __future__ import annotations

from typing import NamedTuple

from .._options import Math


class Licence(NamedTuple):
    """What machine code may do with floats."""

    has_functions: bool  # whether mathematical functions are those of `_functions`, not of the system's ``libm``
    keeps_order: bool  # whether the terms of sums over a loop stay in their order
    # Whether each kind of CPU may have an order of its own, and a multiplication and an addition become one
    # instruction, with one rounding.
    reorders: bool

    def applied(self, text: str) -> str:
        """Return code with the flags of instructions that this licence gives."""
        lines = text.splitlines()
        return "\n".join(self._line(line) if line.startswith("  ") else line for line in lines)

    def _line(self, line: str) -> str:
        if not self.reorders:
            return line.replace(" reassoc ", " ").replace(" afn ", " ")  # which lets square roots be approximations
        for opcode in ("fadd", "fsub", "fmul"):
            line = line.replace(f" = {opcode} ", f" = {opcode} contract ")
        return line


LICENCES: dict[Math, Licence] = {
    "exact": Licence(has_functions=False, keeps_order=True, reorders=False),
    "default": Licence(has_functions=True, keeps_order=False, reorders=False),
    "fast": Licence(has_functions=True, keeps_order=False, reorders=True),
}
