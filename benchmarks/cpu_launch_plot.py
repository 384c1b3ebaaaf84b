"""The plot of launches on the CPU: python cpu_launch_plot.py RECORD PICTURE draws a record of cpu_launch.py.

It shows the light and the heavy body on all cores of the record. numpy uses one core.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt

from report import BLUE, GREY

BODIES = {"light": "y[i] = a * x[i] + y[i]", "heavy": "32 steps of Newton's iteration"}
# Title, colour and style of a line, by variant.
LINES = {
    "native": ("machine code", BLUE, "-"),
    "pool": ("library, own pool", "#63b3ed", "-"),
    "library": ("library", "#1a202c", "-"),
    "numba": ("Numba", GREY, "--"),
    "numpy": ("numpy, one core", GREY, ":"),
}


def series(variants: dict[str, Any], body: str, cores: int) -> dict[str, list[tuple[int, float]]]:
    """Return elements and us per launch by variant."""
    found: dict[str, list[tuple[int, float]]] = {}
    for name, variant in variants.items():
        own, length, count, title = name.split("/")
        if own == body and title in LINES and (title == "numpy" or int(count) == cores):
            found.setdefault(title, []).append((int(length), variant["us_per_launch"]))
    return {title: sorted(found[title]) for title in LINES if title in found}


def draw(axes: Any, body: str, found: dict[str, list[tuple[int, float]]]) -> None:
    for name, points in found.items():
        title, colour, style = LINES[name]
        axes.plot(*zip(*points, strict=True), style, color=colour, marker=".", linewidth=1.8, label=title)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xticks([length for length, _ in max(found.values(), key=len)])
    axes.xaxis.set_major_formatter(lambda length, _: f"{length / 2**20:g}M" if length >= 2**20 else label(length))
    axes.yaxis.set_major_formatter(lambda time, _: f"{time / 1000:g} ms" if time >= 1000 else f"{time:g} µs")
    axes.set_title(BODIES[body], loc="left", fontsize=10, family="monospace" if body == "light" else None)
    axes.set_xlabel("elements")
    axes.grid(axis="y", color="#e2e8f0")
    axes.spines[["top", "right"]].set_visible(False)


def label(length: float) -> str:
    return f"{length / 1024:g}K" if length >= 1024 else f"{length:g}"


def main() -> None:
    parser = argparse.ArgumentParser(description="Draw the plot of launches on the CPU.")
    parser.add_argument("record", type=Path, help="the file of cpu_launch.py --json")
    parser.add_argument("picture", type=Path)
    given = parser.parse_args()
    record = json.loads(given.record.read_text(encoding="utf-8"))
    cores = max(int(name.split("/")[2]) for name in record["variants"])
    figure, panels = plt.subplots(len(BODIES), figsize=(4.5, 6.4), layout="constrained")  # for a phone
    for axes, body in zip(panels, BODIES, strict=True):
        draw(axes, body, series(record["variants"], body, cores))
        axes.set_ylabel(f"a launch on {cores} cores")
    figure.legend(
        *panels[0].get_legend_handles_labels(), fontsize=9, ncols=2, loc="outside lower center", frameon=False
    )
    figure.savefig(given.picture, dpi=120)


if __name__ == "__main__":
    main()
