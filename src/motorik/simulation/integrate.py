"""The method of an integration, by its name or chosen automatically."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from motorik.errors import SimulationError, suggest
from motorik.simulation.integration import Integration
from motorik.simulation.methods import METHODS, Method

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from motorik.simulation.integration_options import IntegrationOptions
    from motorik.simulation.stepping.native_functions import Native

AUTO = "auto"
HIGH_ORDER_FROM = 1e-5  # rtol from which on eighth order is cheaper than fifth
LANES_FROM, LANES_UP_TO = 1e-9, 32  # tolerance and states for which extrapolation pays


def make_integration(
    method: str | Method,
    rhs: Native | Callable[[], Native],
    x0: ArrayLike,
    *,
    rtol: float = 1e-6,
    **options: Unpack[IntegrationOptions],
) -> Integration:
    """Return an integration by a method's name; the options are those of `Integration`.

    "auto" takes the explicit method that is cheaper at this tolerance and switches to
    backward differentiation if the system is stiff; `statistics` lists when.
    """
    if method == AUTO:
        options["stiff_method"] = "bdf"
        method = "dop853" if rtol <= HIGH_ORDER_FROM else "dopri5"
        if rtol <= LANES_FROM and np.size(x0) <= LANES_UP_TO and "rhs_lanes" in options:
            method = "gbs"
    if not isinstance(method, Method):
        if method not in METHODS:
            known = [AUTO, *METHODS]
            raise SimulationError(
                "method",
                f"{method!r} is not known.",
                suggest(method, known),
                parameter="method",
                value=method,
            )
        method = METHODS[method]
    return Integration(method, rhs, x0, rtol=rtol, **options)
