"""The attacks, and one case of each: a random model and what its runs showed."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator

import numpy as np

from validation.attack.at_rest import at_rest
from validation.attack.drive_lines import drive_lines
from validation.attack.finding import Finding
from validation.attack.lanes import lanes
from validation.attack.lift_offs import lift_offs
from validation.attack.live_loops import live_loops
from validation.attack.mobile_loops import mobile_loops
from validation.attack.moving_frames import beams, chains, satellites
from validation.attack.thrown_bodies import thrown_bodies

ATTACKS: dict[str, Callable[[np.random.Generator], Iterator[Finding]]] = {
    "chains": chains,
    "satellites": satellites,
    "beams": beams,
    "at_rest": at_rest,
    "live_loops": live_loops,
    "lift_offs": lift_offs,
    "drive_lines": drive_lines,
    "thrown_bodies": thrown_bodies,
    "mobile_loops": mobile_loops,
    "lanes": lanes,
}
Case = tuple[str, int, int]  # attack, seed, number


def findings(case: Case) -> list[Finding]:
    """Return what the runs of one case showed; an unexpected error counts as wrong."""
    attack, seed, number = case
    rng = np.random.default_rng([seed, number, zlib.crc32(attack.encode())])
    found: list[Finding] = []
    try:
        found.extend(ATTACKS[attack](rng))
    except Exception as error:
        words = " ".join(str(error).split())[:200]
        found.append(Finding("no error", np.inf, f"{type(error).__name__}: {words}"))
    return found
