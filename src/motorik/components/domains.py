"""The physical domains beside mechanics whose parts motorik has."""

from __future__ import annotations

from motorik.components.base.ports import Domain

electrical = Domain("electrical", across=("v", "V"), through=("i", "A"))
heat = Domain("heat", across=("T", "K"), through=("Q_flow", "W"))
hydraulic = Domain("hydraulic", across=("p", "Pa"), through=("q", "m3/s"))
magnetic = Domain("magnetic", across=("V_m", "A"), through=("Phi", "Wb"))
