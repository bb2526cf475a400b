"""Line plots on logarithmic axes, written as SVG by hand.

On such axes a cost that is proportional to size is a straight line with the slope of the dotted guide, whatever its
factor; a flatter line grows more slowly than the corpus. Colors follow the reader's light or dark scheme.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Sequence
from xml.sax.saxutils import escape

PANEL_WIDTH, PANEL_HEIGHT = 460, 300
LEFT, RIGHT, TOP, BOTTOM = 58, 112, 40, 44

STYLE = """
svg { background: #ffffff; }
text { font: 12px system-ui, sans-serif; fill: #333333; }
.title { font-weight: 600; font-size: 14px; }
.grid { stroke: #e3e3e3; stroke-width: 1; }
.guide { stroke: #a0a0a0; stroke-width: 1; stroke-dasharray: 2 4; fill: none; }
.line { stroke-width: 2; fill: none; stroke-linejoin: round; }
.c0 { stroke: #0072b2; } .c1 { stroke: #d55e00; } .c2 { stroke: #008a63; } .c3 { stroke: #b0508a; }
.f0 { fill: #0072b2; } .f1 { fill: #d55e00; } .f2 { fill: #008a63; } .f3 { fill: #b0508a; }
@media (prefers-color-scheme: dark) {
  svg { background: #0d1117; }
  text { fill: #c9d1d9; }
  .grid { stroke: #2b3138; }
  .guide { stroke: #6e7681; }
  .c0 { stroke: #58a6ff; } .c1 { stroke: #ff9e57; } .c2 { stroke: #3fcf9b; } .c3 { stroke: #e58fc3; }
  .f0 { fill: #58a6ff; } .f1 { fill: #ff9e57; } .f2 { fill: #3fcf9b; } .f3 { fill: #e58fc3; }
}
"""


@dataclass(frozen=True)
class Line:
    """Values of one kind, as pairs of size and cost. Costs are above zero."""

    name: str
    points: Sequence[tuple[float, float]]


@dataclass(frozen=True)
class Panel:
    """One plot. Up to four lines can be told apart."""

    title: str
    unit: str
    lines: Sequence[Line]


def decades(values: Sequence[float]) -> tuple[int, int]:
    """The powers of ten that enclose all values, at least one apart."""
    low = math.floor(math.log10(min(values)))
    high = math.ceil(math.log10(max(values)))
    return low, max(high, low + 1)


def label(power: int) -> str:
    """A power of ten as people write it."""
    if power >= 6:
        return f"{10 ** (power - 6)}M"
    if power >= 3:
        return f"{10 ** (power - 3)}k"
    return f"{10.0**power:g}"


def spread(wanted: Sequence[float], gap: float) -> list[float]:
    """Heights near the wanted ones that are at least a gap apart, so that labels do not lie on each other."""
    order = sorted(range(len(wanted)), key=lambda nr: wanted[nr])
    placed = [0.0] * len(wanted)
    last = -math.inf
    for nr in order:
        last = placed[nr] = max(wanted[nr], last + gap)
    # Pushing down moved the group; half of that is taken back, so that it stays around where it belongs.
    shift = sum(placed[nr] - wanted[nr] for nr in order) / len(order) if order else 0.0
    return [height - shift for height in placed]


class _Axes:
    """From values to places in one panel."""

    def __init__(self, panel: Panel, x: float, y: float) -> None:
        points = [point for line in panel.lines for point in line.points]
        self.sizes = decades([size for size, _ in points])
        self.costs = decades([cost for _, cost in points])
        self.left, self.right = x + LEFT, x + PANEL_WIDTH - RIGHT
        self.top, self.bottom = y + TOP, y + PANEL_HEIGHT - BOTTOM

    def x(self, size: float) -> float:
        low, high = self.sizes
        return self.left + (math.log10(size) - low) / (high - low) * (self.right - self.left)

    def y(self, cost: float) -> float:
        low, high = self.costs
        return self.bottom - (math.log10(cost) - low) / (high - low) * (self.bottom - self.top)

    def grid(self) -> list[str]:
        parts = []
        for power in range(self.sizes[0], self.sizes[1] + 1):
            x = self.x(10.0**power)
            parts.append(f'<path class="grid" d="M{x:.1f} {self.top:.1f}V{self.bottom:.1f}"/>')
            parts.append(f'<text x="{x:.1f}" y="{self.bottom + 17:.1f}" text-anchor="middle">{label(power)}</text>')
        for power in range(self.costs[0], self.costs[1] + 1):
            y = self.y(10.0**power)
            parts.append(f'<path class="grid" d="M{self.left:.1f} {y:.1f}H{self.right:.1f}"/>')
            parts.append(f'<text x="{self.left - 7:.1f}" y="{y + 4:.1f}" text-anchor="end">{label(power)}</text>')
        return parts

    def guide(self) -> str:
        """A line of slope 1 through the middle, cut to the panel."""
        middle_x = sum(self.sizes) / 2
        middle_y = sum(self.costs) / 2
        reach = min((self.sizes[1] - self.sizes[0]) / 2, (self.costs[1] - self.costs[0]) / 2)
        ends = [(10 ** (middle_x + side * reach), 10 ** (middle_y + side * reach)) for side in (-1, 1)]
        path = " ".join(f"{self.x(size):.1f} {self.y(cost):.1f}" for size, cost in ends)
        return f'<path class="guide" d="M{path}"/>'


def _panel(panel: Panel, x: float, y: float) -> list[str]:
    axes = _Axes(panel, x, y)
    parts = [f'<text class="title" x="{axes.left:.1f}" y="{y + 22:.1f}">{escape(panel.title)}, {escape(panel.unit)}</text>']
    parts += axes.grid()
    parts.append(axes.guide())
    parts.append(f'<text x="{axes.right:.1f}" y="{axes.bottom + 35:.1f}" text-anchor="end">chunks</text>')
    heights = spread([axes.y(line.points[-1][1]) for line in panel.lines], 15)
    for nr, (line, height) in enumerate(zip(panel.lines, heights)):
        path = " ".join(f"{axes.x(size):.1f} {axes.y(cost):.1f}" for size, cost in line.points)
        parts.append(f'<path class="line c{nr}" d="M{path}"/>')
        parts += [f'<circle class="f{nr}" cx="{axes.x(size):.1f}" cy="{axes.y(cost):.1f}" r="3"/>' for size, cost in line.points]
        end = axes.x(line.points[-1][0])
        parts.append(f'<text class="f{nr}" x="{end + 8:.1f}" y="{height + 4:.1f}">{escape(line.name)}</text>')
    return parts


def draw(panels: Sequence[Panel], columns: int = 2) -> str:
    """All panels as one picture."""
    rows = math.ceil(len(panels) / columns)
    width, height = PANEL_WIDTH * columns, PANEL_HEIGHT * rows
    described = "; ".join(panel.title for panel in panels)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img">',
        f"<title>How cost grows with size: {escape(described)}</title>",
        f"<style>{STYLE}</style>",
    ]
    for nr, panel in enumerate(panels):
        parts += _panel(panel, nr % columns * PANEL_WIDTH, nr // columns * PANEL_HEIGHT)
    return "\n".join([*parts, "</svg>"]) + "\n"
