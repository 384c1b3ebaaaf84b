"""The C-API's HowTo examples print the same through functions and through objects."""

import re
from pathlib import Path

import pytest
from helpers.child import run_child

HOWTO = Path(__file__).parents[2] / "examples" / "howto"

PRINTED = """\
1024 bytes on the device
1024 bytes written
1024 bytes read
bytes 1020 to 1023: [252, 253, 254, 255]
a module
foo: [[1968.0, 1969.0, 1970.0, 1971.0], [1972.0, 1973.0, 1974.0, 1975.0], \
[1976.0, 1977.0, 1978.0, 1979.0], [1980.0, 1981.0, 1982.0, 1983.0]]
bar: [[463.5, 464.5, 465.5, 466.5], [467.5, 468.5, 469.5, 470.5], \
[471.5, 472.5, 473.5, 474.5], [475.5, 476.5, 477.5, 478.5]]
"""


@pytest.mark.slow(but="x64")
def test_functions_and_objects_print_the_same(arch, howto):
    printed = []
    for program in ("functions.py", "objects.py"):
        done = run_child("-W", "error", HOWTO / program, arch, howto)
        lines = done.stderr.splitlines()  # CPUs report that they free memory, after they have
        assert all(program == "functions.py" and line.endswith("arch_is_cpu(config.arch)") for line in lines), lines
        printed.append(done.stdout)
    # A runtime of its own also reports buffer addresses, which the library never does.
    for lines in printed:
        first, _, rest = lines.partition("\n")
        assert re.fullmatch(r"a runtime with \d+ capabilities", first)
        assert rest == PRINTED
