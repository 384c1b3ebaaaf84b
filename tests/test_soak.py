"""Half a minute of the soak; a record takes ``benchmarks/soak.py --minutes 20``."""

import re
import subprocess
import sys
from pathlib import Path

SOAK = Path(__file__).resolve().parent.parent / "benchmarks" / "soak.py"


def test_soak_of_half_a_minute(arch):
    command = [sys.executable, str(SOAK), "--minutes", "0.5", "--arch", str(arch)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    table = dict(re.findall(r"^([\w ]+?)  +([\d,]+)$", done.stdout, re.MULTILINE))
    assert table["errors"] == "0"
    kinds = [int(count.replace(",", "")) for name, count in table.items() if name not in ("errors", "all operations")]
    assert len(kinds) >= 20
    assert int(table["all operations"].replace(",", "")) == sum(kinds) > 500
