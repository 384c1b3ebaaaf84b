"""LLVM's passes, and what it takes to get the compiler's results from them: switches, and the order of floats.

The passes are those of llvmlite 0.44 for Taichi's code, and of llvmlite 0.50 for that of Quadrants. The two have no
pass manager in common that keeps the bits of the compilers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from itertools import count
from typing import Any

from ...adopt.llvm._instructions import Instruction, UnknownCodeError, read_instruction
from ._ir import FLOATS, Block, Function, in_order, read_function

INLINING = 225  # LLVM's own threshold for O3


def passes_of(llvm: Any) -> Passes:
    """Return the passes of ``llvmlite.binding``."""
    return Passes(llvm) if hasattr(llvm, "create_pass_manager_builder") else NewPasses(llvm)


class Passes:
    """Passes of LLVM's older pass manager; `llvm` is ``llvmlite.binding``."""

    may_repeat = True  # elements of loops, as those of the compiler: both are of LLVM 15

    def __init__(self, llvm: Any) -> None:
        self._llvm = llvm
        self._optimizing: dict[tuple[Any, bool], Any] = {}  # arranging these passes takes a millisecond

    def clean(self, module: Any, machine: Any) -> None:
        """Run the passes that the compiler runs before all others."""
        builder = self._builder(vectors=False)
        passes = self._llvm.create_function_pass_manager(module)
        builder.populate(passes)
        passes.initialize()
        for function in module.functions:
            passes.run(function)
        passes.finalize()

    def inline(self, module: Any, machine: Any) -> None:
        """Inline the functions that state that they are to be inlined."""
        passes = self._llvm.create_module_pass_manager()
        passes.add_always_inliner_pass()
        passes.run(module)

    def lower_switches(self, module: Any, machine: Any) -> None:
        """Make switches branches."""
        passes = self._llvm.create_module_pass_manager()
        passes.add_lower_switch_pass()
        passes.run(module)

    def optimize(self, module: Any, machine: Any, *, vectors: bool, smaller: bool = True) -> None:
        """Run the passes of O3 for a machine, those that make vectors only if they are wanted.

        `smaller` tells whether smaller vectors may follow, of what is left of the vectors of a loop.
        """
        self._llvm.set_option("", f"-enable-epilogue-vectorization={str(smaller).lower()}")
        passes = self._optimizing.get((machine, vectors))
        if passes is None:
            passes = self._optimizing[machine, vectors] = self._llvm.create_module_pass_manager()
            machine.add_analysis_passes(passes)
            self._builder(vectors=vectors).populate(passes)
        passes.run(module)
        self.remove_unused(module)

    def remove_unused(self, module: Any) -> None:
        """Remove the functions and variables of a module that nothing uses."""
        passes = self._llvm.create_module_pass_manager()
        passes.add_global_dce_pass()
        passes.run(module)

    def _builder(self, *, vectors: bool) -> Any:
        builder = self._llvm.create_pass_manager_builder()
        builder.opt_level, builder.size_level, builder.inlining_threshold = 3, 0, INLINING
        builder.loop_vectorize = builder.slp_vectorize = vectors
        return builder


class NewPasses(Passes):
    """Passes of LLVM's newer pass manager."""

    may_repeat = False

    def clean(self, module: Any, machine: Any) -> None:
        self._run(module, machine, "simplify_cfg", "sroa")

    def inline(self, module: Any, machine: Any) -> None:
        self._run(module, machine, "always_inliner")

    def lower_switches(self, module: Any, machine: Any) -> None:
        self._run(module, machine, "lower_switch")

    def optimize(self, module: Any, machine: Any, *, vectors: bool, smaller: bool = True) -> None:
        options = self._llvm.create_pipeline_tuning_options(speed_level=3)
        options.loop_vectorization = options.slp_vectorization = options.loop_interleaving = vectors
        builder = self._llvm.create_pass_builder(machine, options)
        builder.getModulePassManager().run(module, builder)
        self._run(module, machine, "global_dead_code_eliminate")

    def remove_unused(self, module: Any) -> None:
        machine = self._llvm.Target.from_triple(
            module.triple or self._llvm.get_default_triple()
        ).create_target_machine()
        self._run(module, machine, "global_dead_code_eliminate")

    def _run(self, module: Any, machine: Any, *names: str) -> None:
        passes = self._llvm.create_new_module_pass_manager()
        for name in names:
            getattr(passes, f"add_{name}_pass")()
        passes.run(module, self._llvm.create_pass_builder(machine, self._llvm.create_pipeline_tuning_options()))


# Switches as comparisons, since LLVM makes no vectors of loops with switches.
#
# LLVM's passes would join comparisons of one number to a switch again. So each compares the number times another odd
# number, which no two numbers of the type share.


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


# Whether the compiler's passes add or multiply the floats of an element in another order than its statements.
#
# They make vectors of several numbers of one element. That keeps the order, except where a vector is reduced to a
# number, and where shuffled vectors are joined by one operation after another, which LLVM then may exchange.


REDUCED, SHUFFLE = "llvm.vector.reduce.f", "shufflevector"
ASSOCIATIVE = ("fadd", "fmul")


def functions_of_blocks(llvm: Any, code: str) -> set[str]:
    """Return the names of the functions in IR, before any passes of our own, that have or use code in another order."""
    if SHUFFLE not in code and REDUCED not in code:
        return set()
    functions = [each for each in llvm.parse_assembly(code).functions if not each.is_declaration]
    used = {each.name: set(_used(llvm, each)) for each in functions}
    found = {each.name for each in functions if _is_reordered(each)}
    found |= {name for name, others in used.items() if any(each.startswith(REDUCED) for each in others)}
    users = found
    while users:
        users = {name for name, others in used.items() if name not in found and not found.isdisjoint(others)}
        found |= users
    return found


def _used(llvm: Any, function: Any) -> Iterator[str]:
    """The functions that a function calls, or whose addresses it has."""
    for block in function.blocks:
        for each in block.instructions:
            for operand in each.operands if each.opcode in ("call", "store") else ():
                if operand.value_kind == llvm.ValueKind.function:
                    yield operand.name


def _is_reordered(function: Any) -> bool:
    if not any(each.opcode == SHUFFLE for block in function.blocks for each in block.instructions):
        return False
    try:
        return _joins_shuffled(read_function(str(function)))
    except UnknownCodeError:
        return True


def _joins_shuffled(function: Function) -> bool:
    """Whether an operation that may be reordered has a shuffled result of the same operation."""
    definitions = {each.result: each for each in function.instructions()}

    def shuffled(value: str) -> Iterator[str]:
        each = definitions.get(value)
        if each is not None and each.opcode == SHUFFLE:
            for operand in each.operands[:2]:
                yield from shuffled(operand)
                yield definitions[operand].opcode if operand in definitions else ""

    operations = [each for each in definitions.values() if each.opcode in ASSOCIATIVE and "reassoc" in each.flags]
    return any(each.opcode in shuffled(value) for each in operations for value in each.operands)


# Which floats are added and multiplied in which order, so that two forms of a loop can be compared.
#
# LLVM puts the terms of a sum in order by the places of loads and divisions, which are others in another form.


ADDED = ("fadd", "fsub", "fmul", "fdiv", "frem")
COMMUTED = ("fadd", "fmul")
ROOT = "@llvm.sqrt."
UNNAMED = "?"


def has_same_terms(one: Function, other: Function, sums: frozenset[str]) -> bool:
    """Return whether two forms of a function have the same sums and products.

    Passes add numbers to the names of the numbers that iterations pass on. So these have the same names in both forms,
    or are in the same order.
    """
    return any(
        terms_of(one, sums, counts_phis=counts) == terms_of(other, sums, counts_phis=counts) for counts in (False, True)
    )


def terms_of(function: Function, sums: frozenset[str], *, counts_phis: bool) -> set[str]:
    """Return a digest of each sum and product of a function, except for those with numbers that are sums of the loop.

    `sums` are the names of loads of these numbers. `counts_phis`: whether the numbers that iterations pass on are told
    by their order.
    """
    terms = _Terms({each.result: each for each in function.instructions()}, sums)
    if counts_phis:
        terms.count_phis(function)
    return set(terms.of(function))


def has_choice(function: Function) -> bool:
    """Return whether flags of instructions let LLVM put terms in another order, or approximate a square root."""
    free = {each.result: _kind(each) for each in function.instructions() if "reassoc" in each.flags}
    return any(
        "afn" in each.flags
        if each.callee.startswith(ROOT)
        else _kind(each) in COMMUTED and any(free.get(operand) == _kind(each) for operand in each.operands)
        for each in function.instructions()
    )


def _kind(each: Instruction) -> str:
    return "fadd" if each.opcode == "fsub" else each.opcode


class _Terms:
    def __init__(self, definitions: Mapping[str, Instruction], sums: frozenset[str]) -> None:
        self._definitions = definitions
        self._sums = sums
        self._known: dict[str, str | None] = {}

    def count_phis(self, function: Function) -> None:
        phis = [each.result for each in in_order(function) if each.opcode == "phi" and each.type in FLOATS]
        self._known = {name: f"phi {number}" for number, name in enumerate(phis)}

    def of(self, function: Function) -> Iterator[str]:
        for each in in_order(function):  # the operands of each are known
            digest = self._digest(each.result)
            if digest is not None and each.opcode in ADDED:
                yield digest

    def _digest(self, value: str) -> str | None:
        """A digest of how a value is computed; None if it depends on a sum of the loop."""
        if value not in self._definitions:
            return _base(value)
        if value not in self._known:
            self._known[value] = self._describe(self._definitions[value])
        return self._known[value]

    def _describe(self, each: Instruction) -> str | None:
        if _base(each.result) in self._sums:
            return None
        is_float = each.type in FLOATS and each.opcode in (*ADDED, "fneg", "fpext", "fptrunc", "call")
        if not is_float or each.callee.startswith("@taichi_aot."):
            return _base(each.result)
        parts = [self._digest(operand) for operand in each.operands]
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        order = sorted(known) if each.opcode in COMMUTED else known
        return sha256(f"{each.opcode}{each.callee}({', '.join(order)})".encode()).hexdigest()


def _base(value: str) -> str:
    """The name that a value has before passes, which add to it; the same for all values that passes have made."""
    if not value.startswith("%"):
        return value
    name = value[1:].partition(".")[0]
    return name if name == "lane" or (name[:1] == "v" and name[1:].isdecimal()) else UNNAMED
