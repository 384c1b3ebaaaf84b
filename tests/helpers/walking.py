"""Run random walks of a hypothesis state machine for a given time."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test


def run_walks(
    machine: Any, counts: Counter[str], first_seed: int, seconds: float, *, walks: int, after: Callable[[], object]
) -> None:
    """Run walks of up to 100 steps, `walks` per seed; print each seed first and call `after` afterwards.

    `counts` has the machine's counts "returned" and "raised".
    """
    options = settings(
        max_examples=walks,
        stateful_step_count=100,
        deadline=None,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        print_blob=False,
    )
    number, end = first_seed, time.monotonic() + seconds
    while time.monotonic() < end:
        print("seed", number, flush=True)
        run_state_machine_as_test(seed(number)(machine), settings=options)
        number += 1
        after()
    print(walks * (number - first_seed), "walks,", counts["returned"], "returns,", counts["raised"], "exceptions")
