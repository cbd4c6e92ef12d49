"""The planar model: absolute coordinates and multipliers by default."""

from __future__ import annotations

from motorik.model import Model as AnyModel


class Model(AnyModel):
    """A planar mechanism: absolute coordinates, multipliers and Baumgarte's stabilisation.

    f̈ + 2α ḟ + β² f = 0 (eq. 23) with the `gains` (α, β) [1/s]. The default "own" is
    α = β = 10 1/s for a mechanism of 1 m on earth, in proportion to √(g / length). Any other
    strategy can be chosen: ``model.simulate(1.0, strategy="explicit")``.
    """

    strategy = "absolute"
    gains = "own"
