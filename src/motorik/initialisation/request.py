"""InitialStateRequest: given values, fixed values, time and branches of an initial state."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np


class InitialStateRequest(NamedTuple):
    """Values X to begin with, which of them are fixed, live parameters, time and branches."""

    X: np.ndarray
    fixed: np.ndarray
    live: np.ndarray
    t: float
    branch: Mapping[str, str]
