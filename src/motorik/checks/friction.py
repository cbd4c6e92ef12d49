"""check_friction: the laws of friction along drive lines, tried in runs of a test stand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import inf, isfinite, isnan
from typing import Any

import numpy as np

from motorik.algebra.scalar import Scalar, is_number
from motorik.components.base.contributions import ForceBounds
from motorik.components.base.ports import join
from motorik.components.base.resolving import number_resolver
from motorik.components.blocks.continuous import Integrator
from motorik.components.blocks.sources import Constant, Expression, TimeFunction
from motorik.components.lines.flanges import ROTATIONAL
from motorik.components.lines.friction import Friction
from motorik.components.rotational import parts as turning
from motorik.components.rotational import sources as torques
from motorik.components.translational import parts as sliding
from motorik.components.translational import sources as forces
from motorik.errors import MotorikError, ParameterError, called_as
from motorik.immutable import immutable
from motorik.model import Model
from motorik.results import Result

SPEEDS = 33  # places between rest and the largest speed where the law is asked
ROWS = 201  # of results
ASIDE = 1e-6  # how near below its limit friction is loaded
RTOL = 1e-11
REMEDIES = {
    "resists": "Let `resist(p, w, *signals)` return a finite force ≥ 0 for w ≥ 0; at rest let it "
    "hold at least as much.",
    "dissipates": "Let the force act against the speed.",
    "power": "Let `lossPower` be what the flanges take in.",
    "energy": "Let laws read p.friction.force, and nothing else add to it.",
    "holds": "Let `bounds` enclose the force of sliding slowly.",
    "breaks": "Let `bounds` be those at which it moves.",
}
NEAR_REST = (
    "The law is also evaluated a little below w = 0: let `resist` be finite and smooth "
    "there, without roots or logarithms of w, e.g. sqrt(w + 1e-6) for sqrt(w)."
)
HUGE = 1e3  # times the sliding force, where friction holds whatever comes


@immutable
class Stand:
    """A test stand: a kind of friction, its parameters and signals, its forces, the inertia."""

    kind: type[Friction]
    parameters: Mapping[str, Any]
    signals: Mapping[str, float]
    speed: float
    rest: ForceBounds
    inertia: float

    def run(
        self, drive: Callable[[Scalar], Scalar], begin: float, times: Iterable[float]
    ) -> Result:
        """Return a run from a speed with a force along it, as a function of time."""
        model = Rig(stand=self, drive=drive, begin=begin)
        times = np.array(sorted(times))
        return model.simulate(times[-1], rtol=RTOL, output=times, progress=False)


class Rig(Model):
    """A friction element on an inertia, which a force drives; the other side stands still."""

    def build(self, stand: Stand, drive: Callable[[Scalar], Scalar], begin: float) -> None:
        """Make and connect it, with the integrals of the work done and of the loss."""
        names = stand.kind.line_names
        turns = names is ROTATIONAL
        part: Any = stand.kind(**stand.parameters)
        loads: Any = turning.Inertia if turns else sliding.Mass
        drives: Any = torques.Torque if turns else forces.Force
        walls: Any = turning.Fixed if turns else sliding.Fixed
        moving = {"J" if turns else "m": stand.inertia, names.v: begin}
        self.part, self.load, self.drive = part, loads(**moving), drives()
        self.source = TimeFunction(f=drive)
        join(self.source.y, getattr(self.drive, names.f))
        join(self.drive.flange, self.load.flange_b)
        join(part.flange_b, self.load.flange_a)
        against = part.sides(part.resolved(number_resolver))[0]
        if against is not None:
            self.wall = walls()
            join(self.wall.flange, against)
        for name, port in zip(stand.signals, part.inputs(), strict=True):
            constant = Constant(k=stand.signals[name])
            setattr(self, f"signal_{name}", constant)
            join(constant.y, port)
        self.loss = Expression(f=lambda motion: motion.variable(part, "lossPower"))
        self.power = Expression(
            f=lambda motion: drive(motion.t) * motion.variable(self.load, names.v)
        )
        self.lost, self.done = Integrator(), Integrator()
        join(self.loss.y, self.lost.u)
        join(self.power.y, self.done.u)


@called_as("check_friction", ParameterError)
def check_friction(
    kind: type[Friction],
    *,
    speed: float = 1.0,
    signals: Mapping[str, float] | None = None,
    tolerance: float = 1e-8,
    **parameters: Any,
) -> dict[str, float]:
    """Prove a kind of friction right, or raise `MotorikError`.

    A part of this kind, made with `parameters` and given constant `signals` (1 each by
    default), brakes an inertia from ± `speed` [m/s or rad/s] and holds it against a growing
    force. The error names the law and the figures; what passes gets the largest deviation
    found for each law.

    >>> from motorik.rotational import BearingFriction
    >>> sorted(check_friction(BearingFriction, tau_pos=((0.0, 2.0), (1.0, 3.0))))
    ['breaks', 'dissipates', 'energy', 'holds', 'power', 'resists']
    """
    stand = _stand(kind, parameters, dict(signals or {}), speed)
    found: dict[str, float] = {}

    def note(more: Mapping[str, float]) -> None:
        for law, deviation in more.items():
            found[law] = max(found.get(law, 0.0), deviation)
            if isnan(deviation):
                seen = "`resist` is not finite at some w ≥ 0."
                if law != "resists":
                    seen = (
                        "a run to rest gives what is no number: `resist` fails near w = 0."
                    )
                raise MotorikError(kind.__name__, seen, NEAR_REST)
            if not deviation <= tolerance:
                raise MotorikError(
                    kind.__name__,
                    f"the law {law!r} fails by {deviation:.3g} (allowed {tolerance:.3g}).",
                    REMEDIES[law],
                )

    note({"resists": _resists(stand)})
    for begin in (speed, -speed) if isfinite(stand.rest.high) else (speed,):
        result = stand.run(lambda t: 0.0 * t, begin, np.linspace(0.0, 2.0, ROWS))
        note(_balances(stand, result))
    for direction in (1.0, -1.0):
        note(_under_load(stand, direction))
    return found


def _stand(
    kind: type[Friction],
    parameters: Mapping[str, Any],
    signals: dict[str, float],
    speed: float,
) -> Stand:
    """Return the stand, with an inertia that slides for about a second."""
    if not (isinstance(kind, type) and issubclass(kind, Friction)):
        raise ParameterError(
            "check_friction",
            f"{kind!r} is no kind of friction.",
            "Give a class on `Friction`, e.g. rotational.Clutch.",
            parameter="kind",
            value=kind,
        )
    if not (is_number(speed) and 0.0 < speed < inf):
        raise ParameterError(
            "check_friction",
            f"speed = {speed!r} is no speed above 0.",
            "Give the speed [m/s or rad/s] that it is to brake from, e.g. speed=10.0.",
            parameter="speed",
            value=speed,
        )
    part = kind(**parameters)
    names = [port.name for port in part.inputs()]
    for name in signals:
        if name not in names:
            raise ParameterError(
                "check_friction",
                f"{kind.__name__} takes no signal {name!r}.",
                f"It takes {', '.join(names) or 'none'}.",
                parameter="signals",
                value=signals,
            )
    given = {name: signals.get(name, 1.0) for name in names}
    p = part.resolved(number_resolver)
    rest = part.bounds(p, 0.0, *given.values())
    most = max(abs(part.bounds(p, w, *given.values()).forward) for w in (0.0, speed))
    if not most > 0.0 or not isfinite(most):
        raise MotorikError(
            kind.__name__,
            f"its sliding force is {most:g} at rest and at {speed:g}.",
            "Choose parameters and signals with which it resists.",
        )
    return Stand(kind, parameters, given, speed, rest, most / speed)


def _resists(stand: Stand) -> float:
    """Return by how much it drives at any speed, or holds less at rest than it slides by."""
    part = stand.kind(**stand.parameters)
    p, given = part.resolved(number_resolver), stand.signals.values()
    values: list[float] = []
    for w in np.linspace(0.0, stand.speed, SPEEDS):
        values += [
            float(stand.kind.resist(p, w, *given)),
            -float(part.bounds(p, w, *given).forward),
            float(part.bounds(p, -w, *given).backward),
        ]
    rest = stand.rest
    inside = max(rest.low - rest.forward, rest.backward - rest.high, 0.0)
    if not np.isfinite(values).all():
        return float("nan")
    return max(0.0, -min(values), inside) / max(map(abs, values))


def _balances(stand: Stand, result: Result) -> dict[str, float]:
    """Return how far a run is from dissipation and from the balances of power and energy."""
    names = stand.kind.line_names
    loss = np.asarray(result["part.lossPower"])
    taken = sum(
        np.asarray(result[f"part.{port}.{names.f}"] * result[f"part.{port}.{names.v}"])
        for port in ("flange_a", "flange_b")
    )
    inertia = getattr(stand.kind, "inertia", "")
    if inertia:
        part = stand.kind(**stand.parameters)
        own = getattr(part.resolved(number_resolver), inertia)
        taken = taken - own * result["part.a"] * result["part.v"]
    energy = result.energy()["kinetic"]
    kept = energy + result["lost.y"] - result["done.y"]
    scale = 0.5 * stand.inertia * stand.speed**2
    scale = max(scale, float(energy.max()), float(np.abs(result["done.y"]).max()))
    power = max(float(np.abs(loss).max()), scale)
    return {
        "dissipates": max(0.0, -float(loss.min())) / power,
        "power": float(np.abs(taken - loss).max()) / power,
        "energy": float(np.ptp(kept)) / scale,
    }


def _under_load(stand: Stand, direction: float) -> dict[str, float]:
    """Return how far it is from holding below its limit, and from moving beyond it."""
    names = stand.kind.line_names
    limit = -stand.rest.low if direction > 0.0 else stand.rest.high
    ends = isfinite(limit)
    top = limit if ends else HUGE * stand.inertia * stand.speed
    if top <= 0.0:
        return {}
    times = [0.0, 0.5, 1.0 - ASIDE, 1.0 + ASIDE, *np.linspace(1.1, 2.0, ROWS)]
    result = stand.run(lambda t: direction * top * t, 0.0, times)
    speeds = np.asarray(result[f"load.{names.v}"]) / stand.speed
    held = speeds[:3] if ends else speeds
    found = {"holds": float(np.abs(held).max())}
    if ends:
        mode = np.asarray(result["part.mode"])
        moved = (mode[:3] == 0.0).all() and (mode[3:] == direction).all()
        found["breaks"] = 0.0 if moved and (direction * speeds[4:] > 0.0).all() else 1.0
    return found | _balances(stand, result)
