"""Joint assemblies: chains of three joints that close a loop, spatial and planar.

Spatial       `JointSSR JointSSP JointUSR JointUSP JointSUR JointSUP`, struts `JointUPS JointSPU`
Planar        `JointRRR JointRRP JointPRR JointRPR JointRPP`
"""

from typing import TYPE_CHECKING

from motorik.names import refuse_others as _refuse_others

if TYPE_CHECKING:  # names are imported when they are first used
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

_HOMES = {
    "motorik.components.assemblies.planar": (
        "JointPRR",
        "JointRPP",
        "JointRPR",
        "JointRRP",
        "JointRRR",
    ),
    "motorik.components.assemblies.spatial": (
        "JointSSP",
        "JointSSR",
        "JointSUP",
        "JointSUR",
        "JointUSP",
        "JointUSR",
    ),
    "motorik.components.assemblies.strut": (
        "JointSPU",
        "JointUPS",
    ),
}
__getattr__ = _refuse_others(__name__, __all__, _HOMES)


def __dir__() -> list[str]:
    """Return the public names."""
    return list(__all__)
