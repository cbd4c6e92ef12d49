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
