"""Programs built for several archs: all archs get the same kernels, graphs and fields."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain

from ...values._enums import Arch
from .._archs import TARGETS
from ._children import Job, Progress, compile_all
from ._compiled import Compiled, without_memory

LATE = "it uses fields of a ti.FieldsBuilder, for which the C library has no memory"
NO_FIELD = "it uses fields that cannot be in the module"


def compile_program(
    jobs: Sequence[Job], progress: Callable[[Progress], None], is_required: bool
) -> tuple[list[Compiled], dict[str, str]]:
    """Compile a program for each job, again if it has what another arch cannot have.

    An arch that is not required is unavailable if it can have none of the kernels. The second result states why
    kernels, graphs and fields are left out, by name.
    """
    done: dict[Arch, Compiled] = {}
    left_out: dict[str, str] = {}
    waiting = list(jobs)
    while waiting:
        skipped = tuple(left_out)
        done |= {each.arch: each for each in compile_all([job._replace(skipped=skipped) for job in waiting], progress)}
        lost = {arch: _lost(compiled) for arch, compiled in done.items() if not compiled.unavailable}
        _add_missing(done, lost)
        if not is_required:
            _drop_useless(done, lost)
        left_out |= _join({arch: {n: r for n, r in names.items() if n not in left_out} for arch, names in lost.items()})
        new = left_out.keys() - set(skipped)
        waiting = [job for job in jobs if new and _must_repeat(done[job.arch], new)]
    return list(done.values()), left_out


def _lost(compiled: Compiled) -> dict[str, str]:
    """Return the items that an arch cannot have, with the reasons."""
    if compiled.crashed_at:
        return {compiled.crashed_at: compiled.error.partition("; it printed:")[0].rpartition("): ")[2]}
    if compiled.program is None:
        return {}
    lost = dict(compiled.program["left_out"])
    if compiled.program["is_partial"]:
        return lost
    info = compiled.parsed.info
    reason = compiled.program["layout_error"]
    names = [name for name, kernel in info.all_kernels.items() if kernel.field_trees] if reason else []
    reason = reason or (NO_FIELD if TARGETS[compiled.arch].has_field_trees else LATE)
    for name in (*names, *without_memory(compiled)):
        graphs = [graph for graph, each in info.graphs.items() if any(name == step.kernel for step in each.dispatches)]
        lost |= dict.fromkeys([name] if name in info.kernels else graphs, reason)
    return lost


def _add_missing(done: Mapping[Arch, Compiled], lost: Mapping[Arch, dict[str, str]]) -> None:
    """Add what another arch has: a program can differ, or end earlier, on an arch."""
    names = dict.fromkeys(chain.from_iterable(_names(done[each]) for each in lost))
    for arch, own in lost.items():
        program = done[arch].program
        if program is not None and not program["is_partial"]:
            reason = program["ended"] or "the program does not have it"
            own |= {name: reason for name in names if name not in own and name not in _names(done[arch])}


def _drop_useless(done: Mapping[Arch, Compiled], lost: dict[Arch, dict[str, str]]) -> None:
    """Make archs unavailable that lose all kernels and graphs, if another does not."""
    useless = [arch for arch, names in lost.items() if done[arch].program and not _launchable(done[arch]) - set(names)]
    if len(useless) < len(lost):
        for each in useless:
            reason = next(iter(lost.pop(each).values()))
            done[each].unavailable = f"it can have none of the program's kernels: {reason}"


def _launchable(compiled: Compiled) -> set[str]:
    return {each["name"] for kind in ("kernels", "graphs") for each in compiled.description[kind]}


def _names(compiled: Compiled) -> list[str]:
    """Return the names of kernels, graphs and fields, in their order."""
    kinds = ("kernels", "graphs", "fields")
    entries = [each for kind in kinds for each in compiled.description.get(kind, ())]
    return list(dict.fromkeys(each["name"].partition(".")[0] for each in entries))


def _join(lost: Mapping[Arch, Mapping[str, str]]) -> dict[str, str]:
    """Return the reasons by name; with their archs, if they are not those of all."""
    names = dict.fromkeys(chain.from_iterable(lost.values()))
    reasons = {name: {arch: own[name] for arch, own in lost.items() if name in own} for name in names}
    return {name: "; ".join(with_archs(each, len(lost))) for name, each in reasons.items()}


def with_archs(reasons: Mapping[Arch, str], count: int, form: str = "{archs}: {reason}") -> list[str]:
    """Return each reason, in a form with its archs if these are not all of so many."""
    archs: dict[str, list[str]] = {}
    for arch, reason in reasons.items():
        archs.setdefault(reason, []).append(str(arch))
    return [
        reason if len(found) == count else form.format(archs=", ".join(found), reason=reason)
        for reason, found in archs.items()
    ]


def _must_repeat(compiled: Compiled, new: set[str]) -> bool:
    """Return whether a module has what is now left out."""
    if compiled.unavailable:
        return False
    if compiled.program is None:
        return compiled.crashed_at in new
    return compiled.program["is_partial"] or not new.isdisjoint(_names(compiled))
