"""The mechanisms of the gallery as cases of laws: how each is built, and how long it runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import motorik as mk
from motorik import gallery
from motorik.errors import MotorikError

STRATEGIES = ("auto", "explicit", "projected", "baumgarte", "absolute")


@dataclass(frozen=True)
class Case:
    """A mechanism and the time [s] that it runs."""

    build: Callable[[], mk.Model]
    stop: float = 1.0


LOOPS: dict[str, Case] = {
    "andrews": Case(gallery.Andrews, 0.03),
    "bricard": Case(gallery.Bricard),
    "engine 1a": Case(gallery.Engine1a),
    "engine 1b": Case(gallery.Engine1b, 0.3),
    "engine 1b, assembled": Case(gallery.Engine1bAnalytic, 0.3),
    "engine V6": Case(gallery.EngineV6, 0.1),
    "engine V6, assembled": Case(gallery.EngineV6Analytic, 0.1),
    "four-bar 1": Case(gallery.Fourbar1),
    "four-bar 2": Case(gallery.Fourbar2),
    "four-bar, assembled": Case(gallery.FourbarAnalytic),
    "fourfold pendulum": Case(gallery.FourfoldPendulum),
    "macpherson": Case(gallery.MacPherson),
    "macpherson, assembled": Case(gallery.MacPhersonAnalytic),
    "n four-bars": Case(gallery.NFourBar),
    "planar four-bar": Case(gallery.PlanarFourbar),
    "planar loops": Case(gallery.PlanarLoopsAnalytic, 0.5),
    "slider-crank": Case(gallery.SliderCrank, 0.1),
    "spatial slider-crank": Case(gallery.SpatialSliderCrank),
    "platform": Case(gallery.StewartPlatform, 0.2),
    "three cranks": Case(gallery.ThreeCranks),
}
TREES: dict[str, Case] = {
    "pendulum": Case(gallery.Pendulum),
    "double pendulum": Case(gallery.DoublePendulum),
    "trolley": Case(gallery.TrolleyPendulum),
    "spinning wheel": Case(gallery.SpinningWheel),
    "manipulator": Case(gallery.manipulator6, 0.3),
}
ALL = {**LOOPS, **TREES}
FEW = ("four-bar 1", "planar four-bar", "slider-crank", "three cranks", "trolley")


@cache
def model_of(name: str) -> mk.Model:
    """Return the model of a name, the same each time, so that it is compiled once."""
    return ALL[name].build()


@cache
def applies(name: str, strategy: str) -> bool:
    """Tell whether a strategy can solve a mechanism of the gallery."""
    try:
        model_of(name).compile(strategy)
    except MotorikError:
        return False
    return True
