"""Theme: the colours and lines that plots and pictures share."""

from __future__ import annotations

from typing import Any

COLOURS = ("#0b5394", "#cc4125", "#38761d", "#bf9000", "#674ea7", "#45818e", "#a64d79")
INK = "#333333"
PAPER = "white"
STEEL = "#a9bcd0"
EDGE = "#3d5a80"
AXIS_COLOURS = ("#cc4125", "#38761d", "#0b5394")

THEME: dict[Any, Any] = {
    "axes.axisbelow": True,
    "axes.edgecolor": INK,
    "axes.grid": True,
    "axes.labelcolor": INK,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "figure.constrained_layout.use": True,
    "figure.facecolor": PAPER,
    "font.size": 10.0,
    "grid.color": "#e3e3e3",
    "grid.linewidth": 0.7,
    "legend.frameon": False,
    "lines.linewidth": 1.5,
    "savefig.dpi": 150,
    "xtick.color": INK,
    "ytick.color": INK,
}
"""Settings of matplotlib, used in a context so that the user's own stay as they are."""

TINTS = ("#5b84b1", "#6aa08a", "#b0896a", "#8f7fb0", "#a1a45f", "#b07a8f")
"""Muted colours that distinguish bodies which move differently."""


def shares_of(code: str) -> tuple[float, float, float]:
    """Return red, green, blue of 0 to 1 of "#rrggbb"."""
    red, green, blue = (int(code[k : k + 2], 16) / 255 for k in (1, 3, 5))
    return red, green, blue


COLOR_MAPS: dict[str, str] = {
    "jet": "#00007f #0000ff #007fff #00ffff #7fff7f #ffff00 #ff7f00 #ff0000 #7f0000",
    "hot": "#000000 #ff0000 #ffff00 #ffffff",
    "gray": "#000000 #ffffff",
    "spring": "#ff00ff #ffff00",
    "summer": "#007f66 #ffff66",
    "autumn": "#ff0000 #ffff00",
    "winter": "#0000ff #00ff7f",
    "coolWarm": "#3b4cc0 #5977e3 #7b9ff9 #9ebeff #c0d4f5 #dddcdc #f2cbb7 #f7ac8e "
    "#ee8468 #d65244 #b40426",
    "plasma": "#0d0887 #41049d #6a00a8 #8f0da4 #b12a90 #cc4778 #e16462 #f2844b "
    "#fca636 #fcce25 #f0f921",
    "trafficLight": "#00ff00 #ffff00 #ff0000",
    "viridis": "#440154 #482475 #414487 #355f8d #2a788e #21918c #22a884 #44bf70 "
    "#7ad151 #bddf26 #fde725",
}
"""Colours from the smallest to the largest value of a field, evenly apart."""


def color_steps(name: str, count: int) -> tuple[tuple[float, float, float], ...]:
    """Return so many colours of a map, from its first to its last."""
    given = [shares_of(code) for code in COLOR_MAPS[name].split()]
    found = []
    for k in range(count):
        place = k / max(count - 1, 1) * (len(given) - 1)
        first = min(int(place), len(given) - 2)
        t = place - first
        pairs = zip(given[first], given[first + 1], strict=True)
        red, green, blue = (a + t * (b - a) for a, b in pairs)
        found.append((red, green, blue))
    return tuple(found)


ROLES: dict[str, str] = {
    "world": "#7f7f7f",
    "ground": "#c9c4b8",
    "floor": "#d9d6cc",
    "body": "#5b84b1",
    "mass": "#2f4b7c",
    "joint": "#d9822b",
    "drive": "#8a6fb0",
    "force": "#3f9142",
    "spring": "#bf9000",
    "damper": "#6d7680",
    "contact": "#a64d79",
    "sensor": "#d6b200",
    "signal": "#45818e",
    "electrical": "#6a5acd",
    "heat": "#d1495b",
    "hydraulic": "#2a9d8f",
    "magnetic": "#9c5fb5",
    "arrow_force": "#2e9e3e",
    "arrow_torque": "#c0392b",
    "frame": "#555555",
    "trace": "#cc4125",
    "text": "#333333",
    "ghost": "#b8c4d0",
    "error": "#e00000",
}
"""The colours of shapes by their role."""
