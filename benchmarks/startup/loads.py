"""Loading modules of one kernel in a process that has loaded another, as a child process: loads.py ARCH MODULE.

It prints the median times of reading a file, and of loading it and fetching its kernel. Each time the file is another
copy of the module.
"""

import statistics
import sys
import tempfile
import time
from pathlib import Path

from taichi_aot import Runtime

COPIES = 20

rt = Runtime(sys.argv[1])
rt.load_module(sys.argv[2]).kernels["saxpy"]
reads, loads = [], []
with tempfile.TemporaryDirectory() as folder:
    for i in range(COPIES):
        path = Path(folder, f"{i}.tcm")
        path.write_bytes(Path(sys.argv[2]).read_bytes())
        begin = time.perf_counter_ns()
        data = path.read_bytes()
        reads.append(time.perf_counter_ns() - begin)
        begin = time.perf_counter_ns()
        module = rt.load_module(path)
        module.kernels["saxpy"]
        loads.append(time.perf_counter_ns() - begin)
        module.close()
print("read_ns", statistics.median(reads), flush=True)
print("load_ns", statistics.median(loads))
