"""State of the GPU drivers of this process, which a fork loses."""

from __future__ import annotations

import os


class _GpuDrivers:
    """The state of the GPU drivers of this process. They do not survive a fork."""

    used = False  # whether a runtime on a GPU was created in this process, or in its parent before the fork
    lost = False  # whether that was before a fork, so that this process cannot use a GPU

    def after_fork_in_child(self) -> None:
        self.lost = self.used


gpu_drivers = _GpuDrivers()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=gpu_drivers.after_fork_in_child)
