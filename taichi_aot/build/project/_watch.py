"""Building again whenever the source changes: ``taichi-aot build --watch``."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.machinery import PathFinder
from pathlib import Path
from time import sleep

from ...bundle._origin import digest_of
from ...bundle._stamp import Stamp, identity_of
from .._errors import BuildError, UnavailableError
from ..output._result import BuildResult

INTERVAL = 0.2  # seconds


def watch(source: str, build: Callable[[], BuildResult]) -> Iterator[BuildResult | BuildError | OSError]:
    """Build, and build again whenever the source changes; yield each result or error, without end.

    The files of a result are watched. After an error, which may come before the source has imported anything, these are
    the files of the last result and all Python files in the folder of the source. UnavailableError if the compiler is
    missing, which no change of the source remedies, OSError from the first build.
    """
    sources: tuple[Path, ...] = ()

    def candidates() -> list[Path]:
        return [*sources, *_files_beside(source)]

    while True:
        before = _state(candidates())
        try:
            result = build()
        except UnavailableError:
            raise
        except (BuildError, OSError) as error:
            if isinstance(error, OSError) and not sources:
                raise
            yield error
            while _settled(candidates) == before:
                sleep(INTERVAL)
        else:
            sources = result.sources
            yield result
            _wait_for_other_contents(result)


def _wait_for_other_contents(result: BuildResult) -> None:
    """Wait until the files have other contents than those that were built, also if they changed during the build."""
    files, looked_at = [*map(str, result.sources)], None
    while True:
        state = _settled(lambda: result.sources)
        if state != looked_at and digest_of("", files) not in (None, result.source_sha256):
            return
        looked_at = state
        sleep(INTERVAL)


def _settled(files: Callable[[], Sequence[Path]]) -> dict[Path, Stamp | None]:
    """Return the state of files when it has not changed for a moment: editors may write a file in several steps."""
    state = _state(files())
    while True:
        sleep(INTERVAL / 4)
        last, state = state, _state(files())
        if state == last:
            return state


def _state(files: Iterable[Path]) -> dict[Path, Stamp | None]:
    return {path: identity_of(path) for path in files}


def _files_beside(source: str) -> list[Path]:
    """Return the Python files in the folder of a source; for a module, those in its top package."""
    if source.endswith(".py"):
        return [*Path(source).absolute().parent.glob("*.py")]
    spec = PathFinder.find_spec(source.partition(".")[0], [os.getcwd(), *sys.path])
    if spec is None or spec.origin is None:
        return []
    return [*Path(spec.origin).parent.rglob("*.py")] if spec.submodule_search_locations else [Path(spec.origin)]
