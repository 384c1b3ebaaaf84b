"""The plot of a stencil on several devices: python halo_plot.py RECORD PICTURE draws a record of halo.py."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt

from report import BLUE

KINDS = {"strong": "one grid for all devices", "weak": "a grid for each device"}


def speeds(variants: dict[str, Any], kind: str) -> list[tuple[int, float]]:
    """Return the number of devices and the cells per second over those of one device."""
    counts = sorted(int(name.split("/")[1]) for name in variants if re.fullmatch(rf"{kind}/\d+/step", name))
    return [(1, 1.0), *((count, variants[f"{kind}/{count}/step"]["speed_over_1"]) for count in counts if count > 1)]


def draw(axes: Any, kind: str, variants: dict[str, Any]) -> None:
    points = speeds(variants, kind)
    axes.plot(*zip(*points, strict=True), color=BLUE, marker=".", linewidth=1.8, label="exchange, then compute")
    counts = [count for count, _ in points]
    axes.plot(counts, counts, ":", color="#1a202c", label="as many times as devices")
    axes.set_xticks(counts)
    axes.set_title(KINDS[kind], loc="left", fontsize=10)
    axes.set_xlabel("devices")
    axes.set_ylim(bottom=0)
    axes.grid(axis="y", color="#e2e8f0")
    axes.spines[["top", "right"]].set_visible(False)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("record", type=Path)
    parser.add_argument("picture", type=Path)
    options = parser.parse_args()
    variants = json.loads(options.record.read_text(encoding="utf-8"))["variants"]
    figure, both = plt.subplots(1, 2, figsize=(8, 3.2), sharey=True, layout="constrained")
    for axes, kind in zip(both, KINDS, strict=True):
        draw(axes, kind, variants)
    both[0].set_ylabel("times one device")
    both[0].legend(frameon=False, fontsize=8)
    figure.savefig(options.picture, dpi=150)


if __name__ == "__main__":
    main()
