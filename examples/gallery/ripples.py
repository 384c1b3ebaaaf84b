"""A pond: click or drag to make waves. Matplotlib reads and writes the kernel's own memory.

    python examples/gallery/ripples.py              # a window
    python examples/gallery/ripples.py ripples.gif  # an animation without one, in which rain falls

The view from `map()` shares the memory on the CPU, and on Vulkan if the host can access the device's memory. Elsewhere
it is a copy that is written back.
"""

from __future__ import annotations

from collections.abc import Iterable

import matplotlib.pyplot as plt
import numpy as np
import program
from matplotlib.animation import FuncAnimation
from matplotlib.artist import Artist
from matplotlib.backend_bases import Event, MouseEvent

from taichi_aot import AotModule

SPEED, FRICTION = 0.5, 0.006
STEPS = 4  # per frame; an even number, so that the newest heights are in the same array again
DROP = 5.0  # radius in cells


class Pond:
    """Heights of the water; a sequence of two launches advances them."""

    def __init__(self, module: AotModule, size: int) -> None:
        self.runtime = module.runtime
        self.now, self.before, speed, friction = (self.runtime.zeros((size, size), np.float32) for _ in range(4))
        speed.fill(SPEED)
        friction.fill(FRICTION)
        ripple = module.kernels["ripple"]
        self._steps = self.runtime.sequence(
            [
                ripple.bind(now=self.now, before=self.before, speed=speed, friction=friction),
                ripple.bind(now=self.before, before=self.now, speed=speed, friction=friction),
            ]
        )
        self._y, self._x = np.mgrid[:size, :size].astype(np.float32)

    def step(self) -> None:
        self._steps(repeat=STEPS // 2)

    def drop(self, x: float, y: float) -> None:
        """Push the water down at a place and up around it."""
        far = ((self._x - x) ** 2 + (self._y - y) ** 2) / DROP**2
        with self.now.map() as now, self.before.map() as before:
            for heights in (now, before):
                heights -= (1 - far) * np.exp(-far)


class Window:
    """A figure of the pond that is redrawn continuously."""

    def __init__(self, pond: Pond, rain: np.random.Generator | None = None) -> None:
        self.pond, self.rain = pond, rain
        self.figure, axes = plt.subplots(figsize=(4, 4))
        axes.set_axis_off()
        self.figure.subplots_adjust(0, 0, 1, 1)
        with pond.now.map() as heights:
            self.image = axes.imshow(heights, cmap="Blues_r", vmin=-0.3, vmax=0.5, interpolation="bilinear")
        for event in ("button_press_event", "motion_notify_event"):
            self.figure.canvas.mpl_connect(event, self.touch)

    def touch(self, event: Event) -> None:
        if isinstance(event, MouseEvent) and event.button == 1 and event.xdata is not None and event.ydata is not None:
            self.pond.drop(event.xdata, event.ydata)

    def draw(self, frame: int) -> Iterable[Artist]:
        if self.rain is not None and frame % 10 == 0:
            self.pond.drop(*self.rain.random(2) * self.pond.now.shape)
        self.pond.step()
        with self.pond.now.map() as heights:
            self.image.set_data(heights)
        return [self.image]


def main() -> None:
    options = program.arguments(__doc__, size=256, steps=120, suffix=".gif", nargs="?").parse_args()
    with program.open_kernels("wave_kernels.py", options) as module:
        pond = Pond(module, options.size)
        window = Window(pond, rain=np.random.default_rng(1) if options.out else None)
        frames = options.steps if options.out else None
        animation = FuncAnimation(window.figure, window.draw, frames, interval=20, blit=True, cache_frame_data=False)
        if options.out:
            animation.save(options.out, writer="pillow", dpi=80)
            print(f"wrote {options.out}")
        else:
            pond.drop(options.size / 2, options.size / 3)
            plt.show()


if __name__ == "__main__":
    main()
