"""Half a minute of the soak and of the stress test; a record takes ``benchmarks/soak.py --minutes 20``."""

import re
import subprocess
import sys
from pathlib import Path

SOAK = Path(__file__).resolve().parent.parent / "benchmarks" / "soak.py"


def run_half_a_minute(arch, *options):
    """The counts of the table that is printed."""
    command = [sys.executable, str(SOAK), "--minutes", "0.5", "--arch", str(arch), *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    table = re.findall(r"^([\w ]+?)  +([\d,]+)$", done.stdout, re.MULTILINE)
    return {name: int(count.replace(",", "")) for name, count in table}


def test_soak_of_half_a_minute(arch):
    counts = run_half_a_minute(arch)
    assert counts.pop("errors") == 0
    total = counts.pop("all operations")
    assert len(counts) >= 20
    assert total == sum(counts.values()) > 500


def test_stress_of_half_a_minute(arch):
    """Threads that close, update, map, run sequences, load modules and collect garbage at once."""
    counts = run_half_a_minute(arch, "--stress")
    assert counts.pop("errors") == 0
    assert counts.pop("rounds") > 2
    total = counts.pop("all operations")
    assert len(counts) >= 12
    assert total == sum(counts.values()) > 500
