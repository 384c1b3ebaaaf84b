"""A page of benchmark results: python report.py *.json -o FOLDER writes FOLDER/index.html and its plots."""

from __future__ import annotations

import argparse
import html
import json
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")
import matplotlib.pyplot as plt

from lib.harness import EXTRA, budget_text
from lib.titles import title_of

BLUE, GREY, RED = "#2b6cb0", "#a0aec0", "#c53030"
STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #1a202c }
table { border-collapse: collapse; margin: 1rem 0 }
td, th { padding: .15rem .8rem; text-align: right; border-bottom: 1px solid #e2e8f0 }
td:first-child, th:first-child { text-align: left }
img { max-width: 100% } .PASS { color: #276749 } .MISSED { color: #c53030 } small { color: #4a5568 }
"""
COLUMNS = ("min", "max", *EXTRA)
TITLES: dict[str, str] = {
    "us_per_launch": "µs per launch",
    "over_c_us": "µs over C",
    "over_own_us": "µs over own arrays",
    "times_own": "times own arrays",
    "times_base": "times the base",
    "gb_per_s": "GB/s",
    "gflop_per_s": "GFLOP/s",
    "us": "µs",
    "rss_mb": "MB in use",
}
Found = dict[str, Any]


def number(value: float | None) -> str:
    return "" if value is None else f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def plot(found: Found, path: Path) -> None:
    """Draw a result: transfers by size, everything else as bars. A phone shows the picture at half its size."""
    has_sizes = any("bytes" in variant for variant in found["variants"].values())
    figure = plot_sizes(found) if has_sizes else plot_bars(found)
    figure.savefig(path, dpi=160)
    plt.close(figure)


def plot_bars(found: Found) -> Any:
    """Draw a bar for each variant's median, under its title, with the quartiles as a line."""
    key, variants = str(found["key"]), found["variants"]
    names = list(variants)[::-1]
    values = [variants[name][key] for name in names]
    figure, axes = plt.subplots(figsize=(4.5, 0.9 + 0.42 * len(names)), layout="constrained")
    axes.barh(range(len(names)), values, color=[colour(name) for name in names], height=0.4)
    for i, name in enumerate(names):
        axes.annotate(title_of(name), (0, i + 0.25), xycoords=("axes fraction", "data"), va="bottom", fontsize=9)
        axes.plot(variants[name]["quartiles"], [i, i], color="#1a202c", linewidth=1.2)
        axes.annotate(
            number(values[i]),
            (max(values[i], *variants[name]["quartiles"]), i),
            xytext=(5, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
        )
    if max(values) > 30 * min(values):
        axes.set_xscale("log")
    axes.margins(x=0.12, y=0)
    axes.set_ylim(-0.5, len(names) - 0.2)
    axes.set_yticks([])
    axes.set_xlabel(TITLES.get(key, key))
    axes.set_title(f"{found['benchmark']} on {found['arch']}: median and quartiles", loc="left", fontsize=10)
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def colour(name: str) -> str:
    """Return blue for variants of this package, grey for those they are compared with."""
    others = ("c", "raw", "ctypes", "taichi_jit", "numpy", "cupy", "cuda.core", "warp", "tvm", "python", "triad")
    words = set(name.replace("/", " ").replace("_", " ").replace(",", " ").split()) | {name.split("/")[-1]}
    return GREY if words & set(others) and "aot" not in words else BLUE


def plot_sizes(found: Found) -> Any:
    """Draw time by size, one line for each variant."""
    figure, axes = plt.subplots(figsize=(4.5, 4.8), layout="constrained")
    series: dict[str, list[tuple[int, float]]] = {}
    for variant in found["variants"].values():
        series.setdefault(variant["series"], []).append((variant["bytes"], variant[found["key"]]))
    for name, points in series.items():
        style = ":" if name.startswith("c_") else "--" if name.startswith(("memcpy", "numpy")) else "-"
        axes.plot(*zip(*points, strict=True), style, marker=".", label=title_of(name))
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xlabel("bytes")
    axes.set_ylabel(TITLES.get(str(found["key"]), str(found["key"])))
    axes.set_title(f"{found['benchmark']} on {found['arch']}: medians", loc="left", fontsize=10)
    figure.legend(fontsize=8, ncols=2, loc="outside lower center", frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def table(found: Found) -> str:
    key, variants = found["key"], found["variants"]
    columns = [key, *(name for name in COLUMNS if any(name in variant for variant in variants.values()))]
    titles = [f"median, {TITLES.get(key, key)}", *(TITLES.get(name, name) for name in columns[1:])]
    head = "".join(f"<th>{html.escape(title)}</th>" for title in ("", *titles))
    rows = []
    for name, variant in variants.items():
        cells = "".join(f"<td>{number(variant.get(column))}</td>" for column in columns)
        rows.append(f"<tr><td>{html.escape(title_of(name))}</td>{cells}</tr>")
    return f"<table><tr>{head}</tr>{''.join(rows)}</table>"


def section(found: Found, image: str) -> str:
    """Return a result as HTML: benchmark, machine, plot, table, notes and budgets."""
    machine = found["machine"]
    versions = ", ".join(f"{name} {version}" for name, version in machine["versions"].items() if version)
    device = f"{machine['device']}, " if "device" in machine else ""
    where = f"{device}{machine['cpu']}, {machine['cores']} cores, {machine['system']}, Python {machine['python']}"
    parts = [
        f"<h2>{html.escape(found['benchmark'])} on {html.escape(found['arch'])}</h2>",
        f"<p><code>{html.escape(machine['command'])}</code><br><small>{html.escape(where)}, {html.escape(versions)}, "
        f"{html.escape(machine['date'])}</small></p>",
        f'<img src="{html.escape(image)}" alt="plot of the table below">',
        table(found),
        *(f"<p><small>{html.escape(note)}</small></p>" for note in found["notes"]),
    ]
    for budget in found["budgets"]:
        verdict = "PASS" if budget["pass"] else "MISSED"
        parts.append(f'<p><b class="{verdict}">{verdict}</b> {html.escape(budget_text(budget))}</p>')
    return "\n".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description="Make a page of benchmark results.")
    parser.add_argument("results", nargs="+", type=Path, help="the files of --json")
    parser.add_argument("-o", "--out", type=Path, required=True, help="folder to write to")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    sections = []
    for path in given.results:
        found = json.loads(path.read_text(encoding="utf-8"))
        plot(found, given.out / f"{path.stem}.png")
        sections.append(section(found, f"{path.stem}.png"))
    page = "\n".join(
        [
            '<!doctype html><html lang="en"><meta charset="utf-8"><title>taichi_aot benchmarks</title>',
            f"<style>{STYLE}</style><h1>taichi_aot benchmarks</h1>",
            *sections,
        ]
    )
    (given.out / "index.html").write_text(page + "\n", encoding="utf-8")
    print(f"wrote {given.out / 'index.html'}")


if __name__ == "__main__":
    main()
