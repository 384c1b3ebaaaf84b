"""The random numbers of a runtime: its seed, and the states that ``ti.random`` draws from.

Taichi's generator is xorshift128. On the CPU each group of a loop's tasks has a state of its own, so the numbers do not
depend on the threads (``pool.c``); on CUDA each thread of a launch has one. On SPIR-V a thread makes its state at the
start of a task, of its number and of two words: how many tasks have drawn, and one that a seed sets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from ..driver._host import MOST_THREADS
from ..driver._library import address_of, ffi
from ..values._errors import ArgumentOutOfRangeError, ArgumentTypeError, describe, short

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    SeedLike: TypeAlias = int | Sequence[int] | np.random.SeedSequence
    SeedKey: TypeAlias = tuple[int | tuple[int, ...], tuple[int, ...], int]

SCRAMBLE = 123456789 * 1000000007 & 0xFFFFFFFF
WORDS = 4  # of a state; a lock follows them


class RandomNumbers:
    """The seed of a runtime, and the states that its code draws from.

    `follow`: functions that rewrite states that exist; they take this object, so that they need not keep it alive.
    """

    seed: np.random.SeedSequence | None = None  # None: that of the JIT
    cuda: Any = None  # what `_ptx` keeps on the device
    follow: tuple[Callable[[RandomNumbers], object], ...] = ()
    _host: Any = None
    _cell: Any = None

    def start(self, seed: np.random.SeedSequence) -> None:
        """Begin again, from a seed."""
        self.seed = seed
        for rewrite in self.follow:
            rewrite(self)

    def start_by_default(self, seed: int) -> None:
        """Begin from the seed of a module, unless there is one; 0 is Taichi's default."""
        if self.seed is None and seed:
            self.start(np.random.SeedSequence(abs(seed), spawn_key=(seed < 0,)))

    def host_states(self) -> int:
        """Return the address of the states on the CPU, which live as long as this object."""
        if self._host is None:
            self._host = ffi.from_buffer(bytearray(self.states(0, MOST_THREADS)))
            self.follow += (RandomNumbers._rewrite_host,)
        return address_of(self._host)

    def _rewrite_host(self) -> None:
        ffi.memmove(self._host, self.states(0, MOST_THREADS), len(self._host))

    def host_cell(self) -> int:
        """Return the address at which code of the library finds that of the states."""
        if self._cell is None:
            self._cell = ffi.new("uint64_t *", self.host_states())
        return address_of(self._cell)

    def states(self, first: int, count: int) -> bytes:
        """Return the initial states of these numbers. Without a seed they are those of the JIT."""
        states = np.zeros((count, WORDS + 1), np.uint32)
        if self.seed is None:
            numbers = np.arange(first, first + count, dtype=np.uint64)
            states[:, 0] = (numbers * np.uint64(SCRAMBLE) & np.uint64(0xFFFFFFFF)).astype(np.uint32)
            states[:, 1:WORDS] = 362436069, 521288629, 88675123
        else:
            states[:, :WORDS] = _child(self.seed, first).generate_state(WORDS * count).reshape(count, WORDS)
        return states.tobytes()

    def words(self) -> list[int]:
        """Return the words that tasks in SPIR-V begin with; zeros are the JIT's."""
        return [0, 0] if self.seed is None else list(map(int, _child(self.seed, 0).generate_state(2)))


def _child(seed: np.random.SeedSequence, number: int) -> np.random.SeedSequence:
    return np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, number), pool_size=seed.pool_size)


def seed_sequence(seed: object) -> np.random.SeedSequence:
    """Return a seed as numpy has it; TypeError or ValueError unless it is an int, several, or a SeedSequence."""
    if isinstance(seed, np.random.SeedSequence):
        return seed
    try:
        if seed is None or isinstance(seed, (str, bytes, float, bool)):
            raise TypeError
        return np.random.SeedSequence(seed)  # type: ignore[arg-type]
    except TypeError:
        raise ArgumentTypeError(
            f"seed is an integer, a sequence of them, or a numpy.random.SeedSequence, not {describe(seed)}"
        ) from None
    except ValueError:
        raise ArgumentOutOfRangeError(f"seed must not be negative: {short(seed)}") from None


def seed_key(seed: object) -> SeedKey:
    """Return a seed in a form that can be compared and pickled."""
    sequence = seed_sequence(seed)
    entropy: Any = sequence.entropy
    return (tuple(map(int, entropy)) if np.ndim(entropy) else int(entropy)), sequence.spawn_key, sequence.pool_size


def seed_of(key: SeedKey) -> np.random.SeedSequence:
    entropy, spawn_key, pool_size = key
    return np.random.SeedSequence(entropy, spawn_key=spawn_key, pool_size=pool_size)
