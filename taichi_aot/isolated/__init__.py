"""Try modules in child processes, which crash instead of the calling process.

A module can pass all checks of its files and still crash the process that loads or launches it. `validate` reads a
module, loads it and launches each of its kernels and graphs. Each step runs in its own process with limits:

>>> from taichi_aot import isolated
>>> report = isolated.validate("unknown.tcm", timeout=10)      # doctest: +SKIP
>>> report.ok                                                  # doctest: +SKIP
False
>>> print(report)                                              # doctest: +SKIP
unknown.tcm (x64): 1 of 4 steps failed
    read: ok
    load: ok
    kernel saxpy: ok
    kernel divide: crashed: SIGFPE, usually an integer division by zero, launched with made-up arguments
"""

from ._validate import Action, Argument, Outcome, Report, Step, choose_arch, make_arguments, validate

__all__ = ["Action", "Argument", "Outcome", "Report", "Step", "choose_arch", "make_arguments", "validate"]
