"""The loop mechanisms of the gallery, each with what Lagrange's equations say of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from math import pi

import numpy as np
from scipy.optimize import fsolve

from motorik import gallery
from motorik.gallery.engine_v6 import JointedCylinder
from motorik.model import Model
from tests.gallery import engine_references, loop_references, platform_references
from tests.gallery.lagrange import Motion

Rows = np.ndarray
Solution = Callable[[np.ndarray], Rows]


@dataclass(frozen=True)
class Case:
    """A mechanism: how to make it, how long it runs [s], and the true motion of `names`.

    `within` bounds the difference from the truth at a tolerance of 1e-10. `closed_form` says
    that its loops are solved by formulas; `conservative` that its energy is kept.
    """

    make: Callable[[], Model]
    stop: float
    names: tuple[str, ...]
    truth: Solution
    within: float = 1e-8
    closed_form: bool = True
    conservative: bool = False
    freedom: int = 1
    options: dict = field(default_factory=dict)


def one_angle(motion, phi: float, w: float) -> Solution:
    """Return the motion of a mechanism described by one coordinate."""
    return lambda t: motion.solve(np.array([phi]), np.array([w]), t)[0]


def andrews(t: np.ndarray) -> Rows:
    """Return the seven angles of Andrews' mechanism."""
    start = loop_references.ANDREWS_START
    return loop_references.andrews().solve(start, np.zeros(7), t)[0]


def planar_fourbar(t: np.ndarray) -> Rows:
    """Return the crank angle, and coupler and rocker against what carries them."""
    q, _ = loop_references.planar_fourbar().solve(np.zeros(3), np.zeros(3), t)
    return np.column_stack([q[:, 0], q[:, 1] - q[:, 0], q[:, 2]])


def fourfold_pendulum(t: np.ndarray) -> Rows:
    """Return both sliders and the four angles."""
    motion, start = loop_references.fourfold_pendulum()
    return motion.solve(start, np.zeros(6), t)[0]


def spatial_slider_crank(t: np.ndarray) -> Rows:
    """Return crank angle and slider."""
    motion, x = loop_references.spatial_slider_crank()
    q, _ = motion.solve(np.zeros(1), np.array([6.0]), t)
    return np.column_stack([q[:, 0], [float(x(angle)) for angle in q]])


def bricard(t: np.ndarray) -> Rows:
    """Return the angles of all six hinges; the last one turns the other way round."""
    q, _ = loop_references.bricard()[0].solve(np.zeros(2), np.zeros(2), t)
    return q[:, [0, 1, 0, 1, 0, 1]]


EXTENSIONS = (0.05, 0.0, 0.02, -0.04, 0.0, -0.03)


def stewart(t: np.ndarray) -> Rows:
    """Return the place of the plate and the lengths of the legs."""
    motion, lengths = platform_references.stewart(stiffness=5e4, damping=300.0, mass=100.0)
    home = np.array([0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
    wanted = np.linalg.norm(platform_references.HOME, axis=1) + EXTENSIONS
    start = fsolve(lambda q: np.asarray(lengths(q))[:, 0] - wanted, home, xtol=1e-14)
    q, _ = motion.solve(start, np.zeros(6), t)
    return np.column_stack([q[:, :3], [np.asarray(lengths(row))[:, 0] for row in q]])


def macpherson(t: np.ndarray) -> Rows:
    """Return the angle of the arm; the steering stands."""
    motion = platform_references.macpherson()
    start = motion.close(np.array([-0.06, 0.0, 0.0, 0.0]), kept=[0])
    return motion.solve(start, np.zeros(4), t)[0][:, :1]


def fourbar(rod_has_mass: bool) -> Solution:
    """Return the crank angle of Modelica's spatial four-bar."""
    return one_angle(loop_references.spatial_fourbar(rod_has_mass), 0.0, 5 * pi / 3)


# the gas force has kinks, which long steps of high order would miss
KINKS = {"method": "dop853"}


def from_ten(make: Callable[[], Motion]) -> Solution:
    """Return angle and speed of a shaft that begins at 0 rad with 10 rad/s."""

    def solution(t: np.ndarray) -> Rows:
        return np.column_stack(make().solve(np.zeros(1), np.array([10.0]), t))

    return solution


def fired(make: Callable[[], Model], shaft: str, truth: Solution, within: float) -> Case:
    """Return an engine with gas, whose force has kinks, by the angle of its shaft."""
    names = (f"{shaft}.phi", f"{shaft}.w")
    return Case(make, 0.2, names, truth, within=within, options=KINKS)


FIRED_ONE = from_ten(partial(engine_references.engine1, gas=True))
SIX_PLAIN, SIX_LUMPED = (
    from_ten(partial(engine_references.engine_v6, throw))
    for throw in (engine_references.PLAIN, engine_references.LUMPED)
)

ANGLES = ("beta", "theta", "gamma", "phi", "delta", "omega", "epsilon")
LEGS = tuple(f"leg{i}.slide.s" for i in range(1, 7))
PLATE = tuple(f"plate.r_0[{i}]" for i in (1, 2, 3))

CASES = {
    "Andrews": Case(gallery.Andrews, 0.03, tuple(f"{n}.phi" for n in ANGLES), andrews),
    "SliderCrank": Case(
        gallery.SliderCrank,
        0.1,
        ("bearing.phi",),
        one_angle(loop_references.slider_crank(), 0.0, 150.0),
        conservative=True,
    ),
    "PlanarFourbar": Case(
        gallery.PlanarFourbar,
        2.0,
        ("revolute1.phi", "revolute2.phi", "revolute3.phi"),
        planar_fourbar,
    ),
    "FourfoldPendulum": Case(
        gallery.FourfoldPendulum,
        2.0,
        ("left_track.s", *(f"hinge{i}.phi" for i in range(1, 5)), "right_track.s"),
        fourfold_pendulum,
        freedom=4,
    ),
    "NFourBar": Case(
        lambda: gallery.NFourBar(n=2),
        10.0,
        ("pivot0.phi", "pivot1.phi", "pivot2.phi"),
        lambda t: one_angle(loop_references.n_four_bar(2), 0.0, 1.0)(t)[:, [0, 0, 0]],
        conservative=True,
    ),
    "ThreeCranks": Case(
        gallery.ThreeCranks,
        2.0,
        ("pivot0.phi", "pivot1.phi", "pivot2.phi"),
        lambda t: one_angle(loop_references.three_cranks(), -0.3, 0.0)(t)[:, [0, 0, 0]],
        conservative=True,
    ),
    "Fourbar1": Case(gallery.Fourbar1, 2.0, ("j1.phi",), fourbar(True), conservative=True),
    "Fourbar2": Case(
        gallery.Fourbar2,
        2.0,
        ("j1.phi",),
        fourbar(False),
        closed_form=False,
        conservative=True,
    ),
    "FourbarAnalytic": Case(
        gallery.FourbarAnalytic, 2.0, ("j1.phi",), fourbar(False), conservative=True
    ),
    "SpatialSliderCrank": Case(
        gallery.SpatialSliderCrank,
        2.0,
        ("bearing.phi", "rail.s"),
        spatial_slider_crank,
        conservative=True,
    ),
    "Bricard": Case(
        gallery.Bricard,
        5.0,
        tuple(f"hinge{i}.phi" for i in range(6)),
        bricard,
        closed_form=False,
        conservative=True,
    ),
    "StewartPlatform": Case(
        lambda: gallery.StewartPlatform(extensions=EXTENSIONS),
        0.5,
        (*PLATE, *LEGS),
        stewart,
        closed_form=False,
        freedom=6,
    ),
    "MacPherson": Case(
        lambda: gallery.MacPherson(steering=0.0),
        0.5,
        ("inner_joint.phi",),
        macpherson,
        closed_form=False,
    ),
    "MacPhersonAnalytic": Case(
        lambda: gallery.MacPhersonAnalytic(steering=0.0),
        0.5,
        ("inner_joint.phi",),
        macpherson,
    ),
    "Engine1a": Case(
        gallery.Engine1a,
        2.0,
        ("inertia.phi", "inertia.w"),
        from_ten(partial(engine_references.engine1, gas=False)),
        conservative=True,
    ),
    "Engine1b": fired(gallery.Engine1b, "inertia", FIRED_ONE, 1e-7),
    "Engine1bAnalytic": fired(gallery.Engine1bAnalytic, "inertia", FIRED_ONE, 1e-7),
    "EngineV6": fired(gallery.EngineV6, "load", SIX_PLAIN, 2e-7),
    "EngineV6Analytic": fired(gallery.EngineV6Analytic, "load", SIX_LUMPED, 2e-7),
    "EngineV6Analytic of joints": fired(
        lambda: gallery.EngineV6Analytic(cylinder=JointedCylinder), "load", SIX_LUMPED, 2e-7
    ),
}
