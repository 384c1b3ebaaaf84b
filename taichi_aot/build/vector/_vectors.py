"""Vector code of tasks: LLVM's passes for the form of loops that `_loop` makes.

The passes that make no vectors run once for all CPUs, with the compiler's licence to change the order of sums, since
its own passes have it too. Those that make vectors run without it, so that all CPUs compute the same bits.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence, Set
from contextlib import suppress
from pathlib import Path
from typing import Any, NamedTuple

from ...adopt.llvm._instructions import Instruction, UnknownCodeError
from ...adopt.taichi._native import FUNCTIONS
from ...bundle._info import VECTORS
from .._processes import side_by_side
from ..ir._functions import declare_functions, inline_functions
from ..ir._numbers import Licence, with_defined_casts
from ._fixed import DECLARED, KNOWN, OWN_ACCESSORS, PLAIN, Compiler, accessors, used_members
from ._ir import FLOATS, Function, Loop, NotVectorError, in_order, loops_of, node_of, read_function
from ._lanes import DECLARED as DECLARED_LANES
from ._lanes import nests_of, reads_along
from ._loop import INNER, KEEP, PARALLEL_LOOP, SCALAR, UNKNOWN, body_of
from ._passes import functions_of_blocks, has_choice, has_same_terms, passes_of, replace_switches
from ._sums import DECLARED as DECLARED_EXTREMES
from ._sums import DEFINED as EXTREMES
from ._sums import LANES

BITCODE = Path("_lib", "runtime", "runtime_x64.bc")  # of the compiler
NARROW = ("x86-64-v2", "aarch64", "aarch64-v8.2")  # targets whose vectors have two numbers of 64 bits
GATHERING = ("x86-64-v4",)  # targets that read elements by a vector of addresses
# A function of the compiler's runtime, which threads call to run part of a loop; and its name where kernels share it.
TASK, OWN_TASK = "cpu_parallel_range_for_task", "taichi_aot.task"
ALIKE = ("aarch64-v8.2",)  # targets that differ from one before them only in code of `DIFFERENT`
VECTOR_LOOP = "vector.body"  # LLVM's name of the block of a loop of vectors
# Vectors and matrices in an array are read by loads that are next to each other, up to so many. Lengths that are 1 are
# no case of their own: LLVM would make vectors for these instead.
OPTIONS = ("-max-interleave-group-factor=16", "-enable-mem-access-versioning=false")
# What the compiler states of the CPU for which it compiled the runtime, and what only debuggers need.
CPU_ATTRIBUTES = re.compile(
    r' "(?:target-cpu|target-features|tune-cpu|frame-pointer|min-legal-vector-width|stack-protector-buffer-size)"'
    r'="[^"]*"| uwtable'
)
DECLARATION = re.compile(r"^declare [^\n]*?@([\w.]+)\(", re.M)
OWN = "taichi_aot."  # functions that stand for numbers
HINT = "!llvm.loop"
UNROLL, UNROLL_VECTORS, INTERLEAVED = "!{UNROLL}", "!{UNROLL_VECTORS}", "!{INTERLEAVED}"  # in the places of nodes
NEVER, WHOLE, VARYING = (f'!{{!"llvm.loop.unroll.{how}"}}' for how in ("disable", "full", "runtime.disable"))
HINTS = {
    KEEP: NEVER,
    INNER: VARYING,
    UNROLL: WHOLE,
    INTERLEAVED: f'{NEVER}, !{{!"llvm.loop.interleave.count", i32 2}}',
    # The sums of lanes stay in registers if the loop over vectors of lanes is unrolled.
    UNROLL_VECTORS: f'{NEVER}, !{{!"llvm.loop.vectorize.followup_vectorized", {WHOLE}}}',
}
WAITS = {"fadd": 1, "fsub": 1, "fmul": 1, "fdiv": 4, "call": 6}
SLOW = 6  # a wait for which CPUs would rather compute two vectors at the same time
MOST_PATHS, WALKS = 1 << 17, 32  # walks: iterations of inner loops that are unrolled, of which there may be more
NODES = 10000  # numbers of own nodes of metadata begin here
MOST_UNROLLED = 2000  # instructions
WITHOUT_CODE = "has no code from before the compiler's passes"
NO_VECTORS = "has a loop of which LLVM makes no vectors"
SMALL = ("i8", "i16", "half")  # numbers of which vectors have 16 or more
ATOMIC = "changes memory by atomic operations"
OLD = "uses the old numbers of atomic operations"
BINS = "changes elements that the index does not choose"
CALLS = "calls the function "
SUM = "has a sum over the loop"
FAILED = "has a loop on which LLVM fails"  # its code is empty
IN_BLOCKS = "adds numbers of an element in blocks"
FOLLOWING = "has an inner loop whose numbers follow from those before"
HALF = "half"  # the type of f16
DIFFERENT = (HALF, "atomicrmw", "cmpxchg")
WHOLE_ROWS = ("@llvm.memset.", "@llvm.memcpy.", "@llvm.memmove.")


def without_cpu(code: str) -> str:
    """Return code without what the compiler states of the CPU for which it compiled the runtime."""
    return CPU_ATTRIBUTES.sub("", code)


class Source(NamedTuple):
    """The IR of one or several kernels that are equal."""

    code: str
    symbols: Mapping[str, str]  # the symbols of its tasks by their names
    # The IR of its tasks before the compiler's passes, by their names. Where LLVM fails on one, each is empty.
    before_passes: Mapping[str, str]
    # The members of the runtime's struct that the IR uses, as `used_members` names them: a launch sets no others.
    members: Sequence[str]


class _Form(NamedTuple):
    """A form of the loop of a task."""

    module: Any
    may_repeat: bool  # elements, as `_may_repeat` says
    reason: str  # why the code of the compiler stays if no target has vectors; empty if it does not
    lanes: Sequence[str] = ()  # the blocks of loops over lanes, which have to become vectors
    is_wide: bool = False  # whether lanes have numbers of 64 bits


class Vectors:
    """Vector code of the tasks of kernels.

    `machines` are those of LLVM for each target, `least` that whose costs scalar code follows, and `with_fma` the
    targets that have an instruction which multiplies, adds, and then rounds. `member_functions` is as `compile_kernels`
    takes it. Up to `processes` compile side by side.
    """

    def __init__(
        self,
        llvm: Any,
        machines: Mapping[str, Any],
        least: Any,
        kernels: Sequence[Source],
        member_functions: str,
        licence: Licence,
        with_fma: Container[str],
        compiler: Compiler,
        processes: int,
    ) -> None:
        self._llvm = llvm
        self._processes = processes
        self._passes = passes_of(llvm)
        self._compiler = compiler
        self._machines = machines
        self._with_fma = with_fma
        self._licence = licence
        # By symbol: the module of what is not the loop, with the names of its functions, and the loop for each target.
        self._starts: dict[str, tuple[Any, set[str]]] = {}
        self._made: dict[str, dict[str, Any]] = {target: {} for target in machines}
        self._least = least
        # For each symbol, `VECTORS` or the reason why its loop has no vectors; empty if it has no loop.
        self.loops: dict[str, str] = {}
        # The symbols of tasks whose code does not have what differs between the targets of arm64.
        self.alike: set[str] = set()
        sources = [code for each in kernels for code in each.before_passes.values() if code]
        self._runtime = self._runtime_of(sources, member_functions) if sources else None
        for code, symbols, before, members in kernels:
            with_blocks = functions_of_blocks(llvm, without_cpu(code))
            self.alike |= set(symbols.values()) if _is_alike(code) else set()
            for task, symbol in symbols.items():
                try:
                    if not before.get(task):
                        raise NotVectorError(WITHOUT_CODE if task not in before else FAILED)
                    if PARALLEL_LOOP in before[task] and f"@{TASK}(" not in code:
                        raise NotVectorError(UNKNOWN)
                    self.loops[symbol] = self._make(before[task], task, symbol, members, has_blocks=task in with_blocks)
                except UnknownCodeError as reason:
                    self.loops[symbol] = str(reason)
                    if self._passes.may_repeat and any(f" = load {each}, " in before.get(task, "") for each in SMALL):
                        with suppress(UnknownCodeError):
                            self._take_scalar(before[task], task, symbol, members)

    @property
    def started(self) -> set[str]:
        """The symbols of tasks whose loops are functions for each target."""
        return set(self._starts)

    def replace(self, module: Any) -> None:
        """Change a module so that tasks call loops, which are declared."""
        for symbol, (start, _) in self._starts.items():
            module.get_function(symbol).linkage = "available_externally"  # which is replaced
            start.triple, start.data_layout = module.triple, module.data_layout
            module.link_in(start)
        self._passes.remove_unused(module)
        module.verify()

    def part(self, module: Any, target: str, tasks: Set[str], loops: Set[str], *, is_shared: bool) -> Any:
        """Return a part of a module for a target: some of its tasks, the loops of some, and what all parts share."""
        part = module.clone()
        kept = set(tasks).union(*(names for symbol, (_, names) in self._starts.items() if symbol in tasks))
        for function in part.functions:
            if function.name == OWN_TASK and is_shared:
                function.linkage = "weak_odr"  # each batch of kernels has one
            elif function.linkage.name == "external" and not function.is_declaration and function.name not in kept:
                function.visibility, function.linkage = "default", "internal"
        for symbol, loop in self._made.get(target, {}).items():
            if symbol in loops:
                loop = loop.clone()
                loop.triple, loop.data_layout = part.triple, part.data_layout
                part.link_in(loop)
        self._passes.remove_unused(part)
        part.verify()
        return part

    def _make(self, before: str, task: str, symbol: str, members: Iterable[str], *, has_blocks: bool) -> str:
        """Make the code of a task for all targets; return `VECTORS`, or why its loop computes one element at a time.

        NotVectorError if its code stays as it is, with the reason.
        """
        name, function, forms, start = self._scalar(before, task, symbol, members, has_blocks=has_blocks)
        text = str(forms[0].module)
        why = _why_scalar(function)
        if not (_is_alike(text) and _is_alike(str(start))):
            self.alike.discard(symbol)
        has_casts = " = fpto" in text
        _check_functions(start, symbol)
        made: dict[str, Any] = {}
        has_vectors = any(_is_whole_row(each) for each in function.instructions())
        targets = [each for each in self._machines if not (symbol in self.alike and each in ALIKE)]

        def make(target: str) -> tuple[bytes, bool]:
            own = forms[target in NARROW and forms[0].is_wide :]
            module, has_lanes = self._for_target(own, name, target, vectors=not why)
            return module.as_bitcode(), has_lanes

        for target, (code, has_lanes) in zip(targets, side_by_side(make, targets, self._processes), strict=True):
            module = self._llvm.parse_bitcode(code)
            has_vectors |= has_lanes
            if _only_scatters(self._llvm, module.get_function(name)):
                raise NotVectorError(NO_VECTORS)
            has_vectors |= any(block.name.startswith(VECTOR_LOOP) for block in module.get_function(name).blocks)
            _check_functions(module, symbol)
            for each in _defined(module):
                if each.name != name:  # of `inline_functions`
                    each.linkage = "internal"
            is_checked = "x86" not in self._machines[target].triple
            made[target] = with_defined_casts(self._llvm, module, checked=is_checked) if has_casts else module
        if not has_vectors and forms[0].reason:
            raise NotVectorError(forms[0].reason)
        self._starts[symbol] = start, {each.name for each in _defined(start)}
        for target, module in made.items():
            self._made[target][symbol] = module
        return VECTORS if has_vectors else why or NO_VECTORS

    def _take_scalar(self, code: str, task: str, symbol: str, members: Iterable[str]) -> None:
        """Take the code of a task from before the compiler's passes if these may have begun a loop again.

        UnknownCodeError if that cannot be.
        """
        module, functions = self._read(code, members)
        context = next(iter(functions[task].parameters.values())).removesuffix("*")
        own, _ = self._own_accessors(str(module), context)
        self._complete(module, task, own)
        if any(_may_repeat(read_function(str(each)), {}) for each in _defined(module)):
            module.get_function(task).name = symbol
            start = self._llvm.parse_assembly(self._licence.applied(str(module)))
            _check_functions(start, symbol)
            self._starts[symbol] = start, {each.name for each in _defined(start)}

    def _read(self, code: str, members: Iterable[str]) -> tuple[Any, dict[str, Function]]:
        """A task's code from before the compiler's passes: its module, and the functions that it defines, by name."""
        module = self._llvm.parse_assembly(without_cpu(code))
        module.verify()
        functions = {each.name: read_function(str(each)) for each in _defined(module)}
        if not used_members(functions.values()).issubset(members):
            raise NotVectorError("uses a field that its optimized code does not use")
        return module, functions

    def _for_target(self, forms: Sequence[_Form], name: str, target: str, *, vectors: bool) -> tuple[Any, bool]:
        """The first of several forms whose lanes are vectors of a target, and whether it has lanes."""
        form, *others = forms
        module, machine = form.module.clone(), self._machines[target]
        module.triple, module.data_layout = machine.triple, str(machine.target_data)
        inline_functions(self._llvm, module, has_fma=target in self._with_fma)
        self._passes.inline(module, machine)
        self._optimize(module, machine, vectors=vectors, smaller=target in GATHERING or not form.may_repeat)
        if {f"%{block.name}" for block in module.get_function(name).blocks}.isdisjoint(form.lanes):
            return module, bool(form.lanes)
        return self._for_target(others, name, target, vectors=vectors)

    def _scalar(
        self, code: str, task: str, symbol: str, members: Iterable[str], *, has_blocks: bool
    ) -> tuple[str, Function, list[_Form], Any]:
        """The new form of a task, optimized without vectors: the loop, its name and forms, and the rest's module."""
        module, functions = self._read(code, members)
        body = body_of({each.name: each for each in functions.values()}, functions[task].name)
        if body.sums and self._licence.keeps_order:
            raise NotVectorError(SUM)
        has_blocks = has_blocks and not body.sums
        if has_blocks and self._licence.keeps_order:
            raise NotVectorError(IN_BLOCKS)
        texts = {functions[each.name].name: str(each) for each in module.functions if each.name in functions}
        new = {texts[body.name]: body.functions, texts[functions[task].name]: body.task}
        own, with_types = self._own_accessors(str(module), body.context)
        text = _replaced(str(module), new) + with_types(DECLARED) + DECLARED_EXTREMES
        # Unrolled sums would get an order that follows from their loads.
        text = f"{_with_hints(text, HINTS | ({INNER: f'{NEVER}, {VARYING}'} if has_blocks else {}))}\n{body.nodes}"
        module = self._llvm.parse_assembly(text)
        self._complete(module, task, own)
        module.get_function(task).name = symbol
        loop = module.get_function(body.name.removeprefix("@"))
        loop.name = f"{symbol}.loop"
        names = (loop.name, f"{body.name.removeprefix('@')}{SCALAR}")  # passes remove the second one if it does nothing
        forms = [read_function(str(each), prefix="w") for each in module.functions if each.name in names]
        if not (self._licence.reorders or has_same_terms(forms[0], forms[-1], body.sums)):
            raise NotVectorError("has sums whose terms would be in another order")
        if self._licence.keeps_order and self._compiler.follows_cpu and has_choice(forms[0]):
            raise NotVectorError("has sums or square roots that follow the CPU")
        return (loop.name, *self._split(module, loop.name, symbol, has_blocks=has_blocks))

    def _complete(self, module: Any, task: str, own: str) -> None:
        """Link a module with what its task calls, the code of accessors too, and optimize it without vectors."""
        module.verify()
        self._passes.clean(module, self._least)
        self._passes.inline(module, self._least)
        assert self._runtime is not None
        module.link_in(self._llvm.parse_assembly(own + EXTREMES))
        module.link_in(self._runtime.clone())
        if self._licence.has_functions:
            declare_functions(self._llvm, module)
        for function in _defined(module):
            function.linkage = "external" if function.name == task else "internal"
        self._optimize(module, self._least, vectors=False)

    def _split(self, module: Any, name: str, symbol: str, *, has_blocks: bool) -> tuple[Function, list[_Form], Any]:
        """The function of this name, its forms, and a module with those functions that are left."""
        found = self._llvm.parse_assembly(self._licence.applied(str(module)))
        found.verify()
        text = str(found)
        functions = {each.name: str(each) for each in _defined(found)}
        loop = read_function(functions[name], prefix="w")
        is_changed = replace_switches(self._passes, self._least, found, name, loop)
        nodes = _nodes(text)
        may_repeat = self._passes.may_repeat and _may_repeat(loop, nodes)
        elements = _elements(loop, nodes)
        if has_blocks and not all(reads_along(loop, each) for each in elements):
            raise NotVectorError(IN_BLOCKS)
        varying, is_hinted = _inner_loops(loop, nodes, reorders=self._licence.reorders)
        codes = [str(loop) if is_changed or is_hinted else functions[name]]
        inner = [each for each in loops_of(loop) if any(each.labels < own.labels for own in elements)]
        nests = nests_of(loop, elements, inner if has_blocks else varying, nodes)
        has_loops = any(each.has_loops for each in nests)
        if not (has_loops or self._licence.reorders) and any(_floats(loop, each) for each in varying):
            raise NotVectorError(FOLLOWING)
        if nests:
            blocks = "".join(each.add(UNROLL_VECTORS, KEEP) for each in nests)
            codes.append(f"{str(loop).rstrip().removesuffix('}')}{blocks}}}\n{DECLARED_LANES}")
        others = {code: _declared(code) for own, code in functions.items() if own != name}
        changes = [
            *({functions[name]: code, **others} for code in codes),
            {functions[name]: _declared(functions[name])},
        ]
        *loops, start = (self._llvm.parse_assembly(_with_hints(_replaced(text, each))) for each in changes)
        for each in loops:
            each.link_in(self._llvm.parse_assembly(KNOWN))
            each.get_function(name).linkage = "external"
            self._passes.remove_unused(each)
        called = [each.name for each in loops[0].functions if each.is_declaration and each.name in functions]
        for each in (*loops, start):
            for function in each.functions:
                if function.name in (name, *called):  # which the other module has
                    function.linkage, function.visibility = "external", "hidden"
                    function.name = name if function.name == name else f"{symbol}.{function.name}"
                elif not function.is_declaration:
                    function.linkage = "external" if function.name == symbol else "internal"
            each.verify()
        reason = IN_BLOCKS if has_blocks else FOLLOWING if has_loops else ""
        forms = [_Form(loops[0], may_repeat, reason)]
        if nests:
            lanes = [label for each in nests for label in each.innermost]
            forms.insert(0, _Form(loops[1], may_repeat, reason, lanes, any(each.is_wide for each in nests)))
        return loop, forms, start

    def _optimize(self, module: Any, machine: Any, **how: bool) -> None:
        self._passes.optimize(module, machine, **how)
        module.verify()

    def _runtime_of(self, sources: Iterable[str], member_functions: str) -> Any:
        """The functions of the compiler's runtime that tasks call."""
        spec = importlib.util.find_spec(self._compiler.package)
        assert spec is not None
        assert spec.submodule_search_locations
        llvm = self._llvm
        data = Path(next(iter(spec.submodule_search_locations)), BITCODE).read_bytes()
        needed = {name for source in (*sources, member_functions) for name in DECLARATION.findall(source)}
        runtime = llvm.parse_bitcode(data)
        self._keep(runtime, needed)  # LLVM reads and writes text slowly
        task = {str(each): _declared(str(each)) for each in runtime.functions if each.name == TASK}
        text = without_cpu(_replaced(str(runtime), task))
        runtime = llvm.parse_assembly("\n".join(map(_inlined, text.splitlines())))
        runtime.link_in(llvm.parse_assembly(member_functions))
        self._keep(runtime, needed)
        for function in runtime.functions:
            if f"@{function.name}" in OWN_ACCESSORS:
                function.name += PLAIN
            elif function.name == TASK:
                function.name, function.visibility = OWN_TASK, "hidden"
        return runtime

    def _keep(self, module: Any, names: Container[str]) -> None:
        """Keep functions of a module with these names, and what they use."""
        for function in _defined(module):
            function.linkage = "external" if function.name in names else "internal"
        for variable in module.global_variables:
            if not variable.is_declaration:
                variable.linkage = "internal"
        self._passes.remove_unused(module)

    def _own_accessors(self, text: str, context: str) -> tuple[str, Callable[[str], str]]:
        """The code of accessors, with the types of a text, and what replaces the names of the two structs in code."""
        types = {line.partition(" = ")[0]: line for line in text.splitlines() if " = type " in line}
        own = self._compiler
        context = own.context or context
        runtime = own.runtime or types[context].split(", ")[1].removesuffix("*")

        def with_types(code: str) -> str:
            return code.replace("RUNTIME", runtime).replace("CONTEXT", context)

        return "\n".join(types.values()) + with_types(accessors(own)), with_types


def _defined(module: Any) -> list[Any]:
    """The functions of a module that it does not only declare."""
    return [each for each in module.functions if not each.is_declaration]


def _inlined(line: str) -> str:
    """Mark a function of the runtime for inlining, as the compiler does: it was compiled without."""
    if line.startswith("attributes #") and " optnone " in line:
        return line.replace(" noinline ", " ").replace(" optnone ", " alwaysinline ")
    return line


def _with_hints(text: str, hints: Mapping[str, str] = HINTS) -> str:
    """The text with a node of metadata for each loop that has a hint for passes."""
    nodes: list[str] = []
    for hint, properties in hints.items():
        first, *parts = text.split(hint)
        text = first
        for part in parts:
            own = f"!{NODES + len(nodes)}"
            nodes.append(f"{own} = distinct !{{{own}, {properties}}}\n")
            text += f"{own}{part}"
    return f"{text}\n{''.join(nodes)}"


def _replaced(text: str, functions: Mapping[str, str]) -> str:
    """The text of a module in which functions have other texts."""
    for old, new in functions.items():
        assert text.count(old) == 1
        text = text.replace(old, new)
    return text


def _declared(function: str) -> str:
    """The declaration of a function."""
    head = next(line for line in function.splitlines() if line.startswith("define "))
    return head.replace("define internal ", "declare ", 1).replace("define ", "declare ", 1).removesuffix(" {") + "\n"


def _check_functions(module: Any, symbol: str) -> None:
    """Refuse code of a task that calls functions which a system need not have."""
    own = "llvm.", OWN, f"{symbol}."
    for function in module.functions:
        if function.is_declaration and not function.name.startswith(own) and function.name not in FUNCTIONS:
            raise NotVectorError(f"{CALLS}{function.name!r}")


def _why_scalar(function: Function) -> str:
    """Why LLVM makes no vectors of a body, if something in it says so."""
    for each in function.instructions():
        is_own = each.callee.startswith(("@llvm.", f"@{OWN}")) or each.callee.endswith(SCALAR)
        if each.opcode == "call" and not is_own:
            return f"{CALLS}{each.callee.removeprefix('@')!r}"
        if each.opcode == "atomicrmw":
            return _why_atomic(function, each)
    return ""


def _why_atomic(function: Function, atomic: Instruction) -> str:
    if any(atomic.result in each.operands for each in function.instructions()):
        return OLD
    inside = {label for loop in loops_of(function) for label in loop.labels}
    varying = {each.result for label in inside for each in function.blocks[label].instructions}
    return BINS if atomic.operands[0] in varying else ATOMIC


def _only_scatters(llvm: Any, function: Any) -> bool:
    """Whether a loop of vectors only stores numbers here and there, where a condition holds: branches are faster."""
    blocks = [each for each in function.blocks if each.name.startswith(VECTOR_LOOP)]
    instructions = [each for block in blocks for each in block.instructions if each.opcode in ("load", "call")]
    called = [each for call in instructions for each in call.operands if each.value_kind == llvm.ValueKind.function]
    has_loads = any(each.opcode == "load" for each in instructions) or any(map(_is_load, called))
    return not has_loads and any(each.name.startswith("llvm.masked.scatter.") for each in called)


def _is_load(function: Any) -> bool:
    return bool(function.name.startswith(("llvm.masked.load.", "llvm.masked.gather.")))


def has_half(kernel: Source) -> bool:
    """Return whether a kernel may have code of f16."""
    return any(HALF in code for code in (kernel.code, *kernel.before_passes.values()))


def _is_alike(code: str) -> bool:
    """Whether the targets of arm64 have the same instructions for code; False if that is not sure."""
    return not any(each in code for each in DIFFERENT)


def _is_whole_row(each: Instruction) -> bool:
    """Whether an instruction fills or copies as many elements as a row has."""
    return each.callee.startswith(WHOLE_ROWS) and not each.operands[2].isdecimal()


def _may_repeat(function: Function, nodes: Mapping[str, Set[str]]) -> bool:
    """Whether LLVM 15 may compute wrong numbers: smaller vectors after those of a loop take its first elements again.

    They do if an intrinsic, such as a minimum, makes addresses of the index, and each address is computed alone.
    """
    loops = loops_of(function)
    own = [each.labels for each in loops if not _is_inner(function.blocks[each.last].end, nodes)]
    inside = (each for each in loops if not any(labels < each.labels for labels in own))  # elements, or one of them
    return any(_has_intrinsic_of_index(function, each) for each in inside)


def _has_intrinsic_of_index(function: Function, loop: Loop) -> bool:
    """Whether an intrinsic takes an integer that follows from an index or a sum of a loop."""
    inside = {id(each) for label in loop.labels for each in function.blocks[label].instructions}
    varying: set[str] = set()
    for each in in_order(function):
        if id(each) in inside and (each.opcode == "phi" or not varying.isdisjoint(each.operands)):
            if each.callee.startswith("@llvm.") and each.type.startswith("i"):
                return True
            if each.opcode != "load":
                varying.add(each.result)
    return False


def _nodes(text: str) -> dict[str, frozenset[str]]:
    """The members of the nodes of metadata in a module's text."""
    lines = (line.partition(" = ") for line in text.splitlines() if line.startswith("!"))
    return {name: frozenset(node.partition("{")[2].removesuffix("}").split(", ")) for name, _, node in lines}


def _inner_loops(function: Function, nodes: Mapping[str, Set[str]], *, reorders: bool) -> tuple[list[Loop], bool]:
    """Have LLVM unroll short inner loops, of which it would make no vectors, and interleave slow loops over elements.

    Return the other inner loops, and whether there are hints. NotVectorError if one has sums that may be in another
    order.
    """
    definitions = {each.result: each for each in function.instructions()}
    waits = _waits(function)
    varying: list[Loop] = []
    is_any = False
    for loop in loops_of(function):
        end = function.blocks[loop.last].end
        if not _is_inner(end, nodes):
            hint = _hint(function, loop, definitions, waits) if HINT in end.rest else ""
            if hint:
                is_any = True
                end.rest = f", {HINT} {hint}"
            continue
        size = sum(len(function.blocks[label].instructions) for label in loop.labels)
        is_short = 0 < _iterations(function, loop, definitions) * size <= MOST_UNROLLED
        if not reorders and any(_is_reordered(function, loop, each, definitions) for each in _floats(function, loop)):
            raise NotVectorError(FOLLOWING)
        is_any = True
        end.rest = f", {HINT} {UNROLL}" if is_short else ""
        varying += [] if is_short else [loop]
    return varying, is_any


def _waits(function: Function) -> dict[str, int]:
    """How long each number of a function waits for those that it is computed from, in additions of floats."""
    found: dict[str, int] = {}
    for each in in_order(function):
        before = max((found.get(name, 0) for name in each.operands), default=0)
        found[each.result] = before + (WAITS.get(each.opcode, 0) if each.type in FLOATS else 0)
    return found


def _hint(function: Function, loop: Loop, definitions: Mapping[str, Instruction], waits: Mapping[str, int]) -> str:
    """The hint for a loop over lanes, or for one whose iterations are slow and do not need each other."""
    if _iterations(function, loop, definitions) == LANES:
        return UNROLL_VECTORS
    has_index = sum(each.opcode == "phi" for each in function.blocks[loop.head].instructions) == 1
    results = [each.result for label in loop.labels for each in function.blocks[label].instructions]
    is_slow = max(waits.get(each, 0) for each in results) >= SLOW
    return INTERLEAVED if has_index and is_slow and not _is_tangled(function, loop) else ""


def _is_tangled(function: Function, loop: Loop) -> bool:
    """Whether numbers of an element follow from each other by more paths than LLVM 15 ends with.

    For two elements that are interleaved but are not vectors, it follows each path to a number that has a condition.
    """
    blocks = function.blocks
    own = [each for each in loops_of(function) if each.labels <= loop.labels]
    if sum(len(blocks[label].end.labels) > 1 for label in loop.labels) <= len(own):
        return False
    inside = {id(each) for label in loop.labels for each in blocks[label].instructions}
    numbers = [each for each in in_order(function) if id(each) in inside]
    index = {each.result for each in blocks[loop.head].instructions if each.opcode == "phi"}
    paths: dict[str, int] = {}
    for _ in range(WALKS if len(own) > 1 else 1):
        for each in numbers:
            if each.result not in index:
                before = [paths.get(name, 0) for name in each.operands]
                paths[each.result] = 1 + (max(before) if each.opcode == "phi" else sum(before))
    return max(paths.values()) > MOST_PATHS


def _is_inner(end: Instruction, nodes: Mapping[str, Set[str]]) -> bool:
    """Whether the jump at the end of a loop has no hint, or that of the kernel's own loops."""
    hint = node_of(end.rest, HINT)
    return not hint or any(nodes.get(each) == {VARYING[2:-1]} for each in nodes.get(hint, ()))


def _elements(function: Function, nodes: Mapping[str, Set[str]]) -> list[Loop]:
    """The loops over elements, which have no others but those inside an element."""
    own = [each for each in loops_of(function) if not _is_inner(function.blocks[each.last].end, nodes)]
    return [each for each in own if not any(other.labels < each.labels for other in own)]


def _floats(function: Function, loop: Loop) -> list[Instruction]:
    """The floats that each iteration of a loop computes from the last one's."""
    return [each for each in function.blocks[loop.head].instructions if each.opcode == "phi" and each.type in FLOATS]


def _iterations(function: Function, loop: Loop, definitions: Mapping[str, Instruction]) -> int:
    """How often a loop runs, if that is a number; else 0."""
    end = function.blocks[loop.last].end
    compared = definitions.get(end.operands[0]) if end.operands else None
    if compared is None or compared.word != "eq" or end.labels[1:] != [loop.head]:
        return 0
    new, bound = definitions.get(compared.operands[0]), compared.operands[1]
    old = definitions.get(new.operands[0]) if new is not None and new.opcode == "add" else None
    if new is None or old is None or old.opcode != "phi" or not (new.operands[1].isdecimal() and bound.isdecimal()):
        return 0
    values = dict(zip(old.labels, old.operands, strict=True))
    starts = {value for label, value in values.items() if label != loop.last}
    if values.get(loop.last) != new.result or len(starts) != 1 or not min(starts).isdecimal():
        return 0
    count, rest = divmod(int(bound) - int(min(starts)), int(new.operands[1]))
    return 0 if rest else count


def _is_reordered(function: Function, loop: Loop, number: Instruction, definitions: Mapping[str, Instruction]) -> bool:
    """Whether Taichi's passes may have joined constants of two iterations, which keep their own here."""
    following = definitions.get(dict(zip(number.labels, number.operands, strict=True))[loop.last])
    users = [each for each in function.instructions() if number.result in each.operands]
    return following is None or (_has_constant(following) and any(map(_has_constant, users)))


def _has_constant(each: Instruction) -> bool:
    return each.opcode in ("fadd", "fsub", "fmul", "fdiv") and any(not value.startswith("%") for value in each.operands)
