"""Usual causes of the signals that end a process during a launch."""

from __future__ import annotations

from ..driver._child import Ending

OUT_OF_RANGE = "an index out of range in the kernel"
CAUSES = {
    "SIGSEGV": OUT_OF_RANGE,
    "SIGBUS": OUT_OF_RANGE,
    "SIGFPE": "an integer division by zero",
    "SIGABRT": "a check that fails in the library or the driver, or memory that an index out of range has damaged",
    "SIGILL": "code for another CPU, or a damaged module",
    "SIGKILL": "the system, when memory is short",
}
REMEDY = (
    "build it with `taichi-aot build --debug`, whose kernels check indices and name the line, or state the shapes of "
    "the kernel's arrays (shapes=), which launches check"
)


def with_cause(ending: Ending) -> str:
    """Return how a launch ended its process, and the usual cause."""
    cause = CAUSES.get(ending.end)
    message = ending.message or "the process ended without an answer"
    return f"{message}, usually {cause}" if cause else message


def with_remedy(message: str) -> str:
    """Return a message with the remedy, if it has one for the cause."""
    return f"{message}: {REMEDY}" if OUT_OF_RANGE in message else message
