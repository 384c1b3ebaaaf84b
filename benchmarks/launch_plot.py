"""The plot of docs/launching.md: python launch_plot.py FOLDER PICTURE draws the records of launch.py in the folder.

Variants that a record does not have are left out.
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

ARCHS = {"cuda": "CUDA", "vulkan": "Vulkan"}
# The bars and their variants of launch.py; a bar shows the first variant that was measured.
BARS = {
    "plain C": ("c",),
    "the library, in a sequence": ("library_sequence", "sequence"),
    "bound": ("bound",),
    "recorded sequence": ("sequence",),
    "CuPy RawKernel": ("cupy",),
    "cuda.core": ("cuda.core",),
    "CuPy, CUDA graph": ("cupy_graph",),
    "Taichi JIT": ("taichi_jit",),
}
OURS = ("bound", "recorded sequence")


def bars(variants: dict[str, Any]) -> dict[str, Any]:
    """Return the statistics by bar."""
    found = {}
    for title, names in BARS.items():
        name = next((name for name in names if name in variants), None)
        if name and not (title == "recorded sequence" and "library_sequence" not in variants):
            found[title] = variants[name]
    return found


def draw(axes: Any, found: dict[str, Any], title: str) -> None:
    titles, key = list(found)[::-1], "us_per_launch"
    values = [found[name][key] for name in titles]
    axes.barh(titles, values, color=[BLUE if name in OURS else GREY for name in titles], height=0.7)
    for i, name in enumerate(titles):
        axes.plot(found[name]["quartiles"], [i, i], color="#1a202c", linewidth=1.2)
        place = (max(values[i], *found[name]["quartiles"]), i)
        axes.annotate(f"{values[i]:.3g}", place, xytext=(5, 0), textcoords="offset points", va="center", fontsize=8)
    axes.margins(x=0.12)
    axes.set_title(title, loc="left", fontsize=10)
    axes.spines[["top", "right"]].set_visible(False)


def main() -> None:
    parser = argparse.ArgumentParser(description="Draw the plot of docs/launching.md.")
    parser.add_argument("folder", type=Path, help="with launch-cuda.json and launch-vulkan.json, or one of them")
    parser.add_argument("picture", type=Path)
    given = parser.parse_args()
    records = {title: given.folder / f"launch-{arch}.json" for arch, title in ARCHS.items()}
    found = {
        title: bars(json.loads(path.read_text(encoding="utf-8"))["variants"])
        for title, path in records.items()
        if path.is_file()
    }
    heights = [len(one) for one in found.values()]
    size = (5.5, 0.7 * len(found) + 0.32 * sum(heights))
    figure, rows = plt.subplots(len(found), figsize=size, height_ratios=heights, layout="constrained", squeeze=False)
    for (axes,), (title, one) in zip(rows, found.items(), strict=True):
        draw(axes, one, f"{title}: median and quartiles")
    rows[-1, 0].set_xlabel("µs per launch of saxpy on one element")
    figure.savefig(given.picture, dpi=120)


if __name__ == "__main__":
    main()
