"""The planar model: solved as the planar library does, unless told otherwise."""

from __future__ import annotations

from motorik.model import Model as AnyModel


class Model(AnyModel):
    """A planar mechanism: absolute coordinates, multipliers and Baumgarte's stabilisation.

    f̈ + 2α ḟ + β² f = 0 (eq. 23) with the gains `baumgarte` = (α, β) [1/s]. Any other strategy
    can be asked for: ``model.simulate(1.0, strategy="explicit")``.
    """

    strategy = "absolute"
    baumgarte = (10.0, 10.0)
