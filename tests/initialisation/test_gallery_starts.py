"""Starts of all mechanisms by native code are those of the search; nearly all are given."""

from __future__ import annotations

import numpy as np
import pytest

import motorik as mk
from motorik import gallery
from tests.assembly.four_bars import four_bar as planar_four_bar
from tests.covering import each_once, slow_but
from tests.initialisation.native_law import Share, by_code, compare, prepared, share_of
from tests.laws import coupled_loops, linkages
from tests.laws.gallery_models import LOOPS, applies, model_of

ANSWERED = 0.9  # part of the starts that native code must find
FEW = ("andrews", "bricard", "engine 1a", "engine V6", "macpherson", "planar loops")
COUPLED = {
    name: getattr(coupled_loops, name)
    for name in ("beside", "nested", "geared", "driven", "sprung", "balls", "in_a_row")
}


def check(name: str, share: Share, least: int) -> None:
    """Print the share, and raise if it is small."""
    print(f"{name}: {share} starts were found natively")
    assert share.possible >= least and share.native >= ANSWERED * share.possible, share


@pytest.mark.slow
@pytest.mark.kinds(4)
@pytest.mark.parametrize("name", slow_but(LOOPS, "bricard", "four-bar 1", "slider-crank"))
def test_every_mechanism_of_the_gallery(name):
    system = model_of(name).compile()
    check(name, share_of(system, 10), 3)


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize(("name", "strategy"), each_once(FEW, ["projected", "baumgarte"]))
def test_every_strategy(name, strategy):
    if not applies(name, strategy):
        pytest.skip("refused")
    system = model_of(name).compile(strategy)
    check(f"{name}, {strategy}", share_of(system, 10), 3)


@pytest.mark.thorough
@pytest.mark.slow
def test_a_platform():
    check("projected", share_of(model_of("platform").compile("projected"), 5), 2)


@pytest.mark.thorough
@pytest.mark.slow
@pytest.mark.parametrize("name", ["bricard"])
def test_absolute_coordinates(name):
    check(f"{name}, absolute", share_of(model_of(name).compile("absolute"), 5), 2)


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("name", COUPLED)
def test_coupled_loops(name):
    check(name, share_of(COUPLED[name]().compile(), 15), 3)


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(1))
@pytest.mark.parametrize("kind", [linkages.planar, linkages.spatial, linkages.platform])
def test_random_linkages(kind, seed):
    system = kind(seed).model().compile()
    check(f"{kind.__name__} {seed}", share_of(system, 15), 5)


# --- live parameters --------------------------------------------------------------------------


def engine() -> mk.Model:
    """Return an engine with live cheek and rod."""
    model = gallery.Engine1b()
    model.crank2.r, model.crank4.r = mk.Parameter((0, 0.1, 0)), mk.Parameter((0, -0.1, 0))
    model.connectingRod.r = mk.Parameter((0, -0.2, 0))
    return model


def suspension() -> mk.Model:
    """Return a suspension with a live tie rod."""
    model = gallery.MacPherson()
    model.tie_rod.rodLength = mk.Parameter(float(model.tie_rod.rodLength))  # type: ignore
    return model


def crank() -> mk.Model:
    """Return a spatial slider-crank with a live offset."""
    model = gallery.SpatialSliderCrank()
    model.pedestal.r = mk.Parameter(model.pedestal.r.xyz)
    return model


def four_bar() -> mk.Model:
    """Return a four-bar in space with a live crank."""
    model = gallery.Fourbar1()
    model.b1.r = mk.Parameter((0, 0.5, 0.1))
    return model


LIVE = {"engine": engine, "suspension": suspension, "crank": crank, "four-bar": four_bar}


@pytest.mark.kinds(1)
@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["auto", "projected"])
@pytest.mark.parametrize("name", LIVE)
def test_other_values_of_live_parameters(name, strategy):
    start, live, _ = prepared(LIVE[name]().compile(strategy))
    rng, share = np.random.default_rng(4), Share()
    for width in (0.003, 0.03) * 6:
        changed = live * (1.0 + width * rng.normal(size=live.size))
        share.note(compare(start, {}, changed))
    check(f"{name}, {strategy}", share, 4)


def test_the_law_notices_another_assembly():
    start, live, _ = prepared(planar_four_bar().compile())
    given = {"drive.phi": 0.7}
    assert compare(start, given, live)
    other = by_code(start, given, live, {"elbow": "elbow_up"})
    assert other is not None
    start.code.guess[:] = other[0][: start.layout.n_q]
    assert by_code(start, given, live) is not None
    with pytest.raises(AssertionError):
        compare(start, given, live)
