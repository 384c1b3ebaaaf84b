"""From nothing to the first result, as a child process: first_result.py ARCH MODULE [all].

It prints ``result NUMBER`` immediately; then the times of loading the module and of loading it again, and the memory in
use. ``all`` fetches all kernels when loading, and prints the time of loading and of launching each of them. Otherwise
first_result.c does the same in plain C.
"""

import sys
import time

import numpy as np

from taichi_aot import Runtime

rt = Runtime(sys.argv[1])
begin = time.perf_counter_ns()
module = rt.load_module(sys.argv[2])
saxpy = module.kernels["saxpy"]
if sys.argv[3:]:
    module.prefetch()
load = time.perf_counter_ns() - begin
x = rt.asarray(np.arange(1024, dtype=np.float32))
y = rt.full(1024, 1.0, np.float32)
saxpy(2.0, x, y)
print("result", y.to_numpy()[-1], flush=True)
with open("/proc/self/status") as status:
    print("rss_kb", next(line for line in status if line.startswith("VmRSS:")).split()[1])

print("load_ns", load)
if sys.argv[3:]:
    begin = time.perf_counter_ns()
    for kernel in module.kernels.values():
        kernel(2.0, x, y)
    rt.wait()
    print("launch_ns", load + time.perf_counter_ns() - begin)
begin = time.perf_counter_ns()
again = rt.load_module(sys.argv[2]).kernels["saxpy"]
print("load_again_ns", time.perf_counter_ns() - begin)
