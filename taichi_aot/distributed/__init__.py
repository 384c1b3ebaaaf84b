"""An array over several runtimes or processes: each has a part, with halos that the parts exchange.

>>> from taichi_aot.distributed import decompose
>>> with Runtime("x64") as first, Runtime("x64") as second:
...     parts = decompose((6, 4), [first, second], halo=1)
...     parts.write(np.arange(24, dtype="f4").reshape(6, 4))
...     parts.exchange()
...     print(parts[1].array[0].tolist())  # the last row of the first part
[8.0, 9.0, 10.0, 11.0]
"""

from ._parts import Parts, decompose
from ._strips import Interior, Part

__all__ = ["Interior", "Part", "Parts", "decompose"]
