"""LLVM's passes, of llvmlite 0.44 for Taichi's code and of llvmlite 0.50 for that of Quadrants.

The two have no pass manager in common that keeps the bits of the compilers.
"""

from __future__ import annotations

from typing import Any

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
