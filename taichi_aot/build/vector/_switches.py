"""Switches as comparisons, since LLVM makes no vectors of loops with switches.

LLVM's passes would join comparisons of one number to a switch again. So each compares the number times another odd
number, which no two numbers of the type share.
"""

from __future__ import annotations

from itertools import count
from typing import Any

from ...adopt.llvm._instructions import Instruction, read_instruction
from ._ir import Block, Function, read_function
from ._passes import Passes

FACTOR = 0x9E3779B1  # odd and large: its products overflow, so that LLVM does not divide by it again
LEAF = "%SwitchLeaf"  # LLVM's name of a comparison with one case
PREFIX = "w"  # of values without names


def replace_switches(passes: Passes, machine: Any, module: Any, name: str, function: Function) -> bool:
    """Replace the switches of a function, read from a module that has it by name; return whether there are any."""
    if not any(each.opcode == "switch" for each in function.instructions()):
        return False
    lowered = module.clone()
    passes.lower_switches(lowered, machine)
    new = read_function(str(lowered.get_function(name)), PREFIX)
    numbers = count()
    function.blocks = {
        label: Block(label, [made for each in block.instructions for made in _hidden(each, numbers)])
        for label, block in new.blocks.items()
    }
    return True


def _hidden(each: Instruction, numbers: count[int]) -> list[Instruction]:
    if not (each.result.startswith(LEAF) and each.word == "eq" and each.operands[1].removeprefix("-").isdecimal()):
        return [each]
    bits = int(each.type[1:])
    factor = FACTOR + 2 * next(numbers)
    product = read_instruction(f"{each.result}.hidden = mul {each.type} {each.operands[0]}, {factor % (1 << bits)}")
    operands = [product.result, str(int(each.operands[1]) * factor % (1 << bits))]
    return [product, each.copy(operands=operands)]
