"""Formats of images."""

from __future__ import annotations

from taichi_aot import Format
from taichi_aot.formats._spirv import IMAGE_FORMATS

# Formats that kernels can store to, in Taichi's order.
RW_FORMATS = sorted(IMAGE_FORMATS.values(), key=lambda name: Format(name).value)
COLORS = [format for format in Format if not format.name.startswith("DEPTH")]
