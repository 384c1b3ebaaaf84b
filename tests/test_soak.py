"""Seconds of the soak and the stress test; records use ``benchmarks/soak.py --minutes 20``."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.child import child_environment

SOAK = Path(__file__).resolve().parent.parent / "benchmarks" / "soak.py"


@pytest.fixture
def soak(arch, walk_minutes):
    """Run the soak with some options; return the counts of its table."""

    def run(*options):
        command = [sys.executable, str(SOAK), "--minutes", str(walk_minutes), "--arch", str(arch), *options]
        done = subprocess.run(
            command,
            env=child_environment(),
            capture_output=True,
            text=True,
            timeout=120 * walk_minutes + 600,
            check=False,
        )
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        table = re.findall(r"^([\w ]+?)  +([\d,]+)$", done.stdout, re.MULTILINE)
        counts = {name: int(count.replace(",", "")) for name, count in table}
        assert counts.pop("errors") == 0
        return counts

    return run


@pytest.mark.slow(but="x64")
@pytest.mark.scaled
def test_soak_finds_no_error(soak):
    counts = soak()
    assert counts.pop("all operations") == sum(counts.values())
    assert len(counts) >= 20


@pytest.mark.slow(but="vulkan")
@pytest.mark.scaled
def test_stress_finds_no_error(soak):
    """Threads close, update, map, run sequences, load modules and collect garbage at once."""
    counts = soak("--stress")
    assert counts.pop("rounds") > 0
    assert counts.pop("all operations") == sum(counts.values())
    assert len(counts) >= 12
