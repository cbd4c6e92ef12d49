"""Joint assemblies: chains of three joints that close a loop, spatial and planar.

Spatial       `JointSSR JointSSP JointUSR JointUSP JointSUR JointSUP`, struts `JointUPS JointSPU`
Planar        `JointRRR JointRRP JointPRR JointRPR JointRPP`
"""

from motorik.components.assemblies.planar import (
    JointPRR,
    JointRPP,
    JointRPR,
    JointRRP,
    JointRRR,
)
from motorik.components.assemblies.spatial import (
    JointSSP,
    JointSSR,
    JointSUP,
    JointSUR,
    JointUSP,
    JointUSR,
)
from motorik.components.assemblies.strut import JointSPU, JointUPS
from motorik.names import refuse_others as _refuse_others

__all__ = [
    "JointPRR",
    "JointRPP",
    "JointRPR",
    "JointRRP",
    "JointRRR",
    "JointSPU",
    "JointSSP",
    "JointSSR",
    "JointSUP",
    "JointSUR",
    "JointUPS",
    "JointUSP",
    "JointUSR",
]

__getattr__ = _refuse_others(__name__, __all__)
