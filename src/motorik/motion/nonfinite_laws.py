"""The part whose law gives NaN or infinity, found by evaluating each law on numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from motorik.algebra.motor import Motor
from motorik.algebra.pose import Pose
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.components.base.contributions import (
    FrameForce,
    LineForce,
    Mass,
    Measurement,
    SignalLaw,
)
from motorik.components.base.line_mass import LineMass
from motorik.components.base.ports import Port
from motorik.errors import MotorikError
from motorik.immutable import immutable
from motorik.motion.view import MotionView
from motorik.topology.mechanism import Closure, Mechanism
from motorik.topology.planes import is_planar

if TYPE_CHECKING:
    from motorik.equations.ordering import Block
    from motorik.topology.networks import Network

Number = Callable[[Scalar], float]

SHOWN = 6  # quantities of equations that a message lists


@immutable
class TestedLaw:
    """A law of a part to be evaluated: its name, its function, and its arguments."""

    part: str
    what: str
    compute: Callable[[], object]
    inputs: Callable[[], dict[str, object]] = dict
    remark: Callable[[], str] = str


def find_nonfinite_law(
    mechanism: Mechanism,
    t: float,
    q: Sequence[float],
    u: Sequence[float],
    z: Sequence[float] = (),
    number: Number = float,
) -> str:
    """Return a message that names the first part whose law is not finite, "" if there is none.

    The laws are evaluated at t [s], coordinates q, speeds u and block states z. `number` gives
    the value of a scalar in which live parameters are symbols. A law is named only if its
    arguments are finite.

    "drive: its force law gives nan at t = 0.5 s, for x = 0, v = 1."
    """
    states = [*mechanism.states, *mechanism.signals.states]
    for state, value in zip(states, (*q, *u, *z), strict=True):
        if not math.isfinite(value):
            return f"{state.name} is {value:g} {state.unit} at t = {t:.6g} s."
    motion = MotionView(mechanism, list(q), list(u), None, t, list(z))
    for law in _laws(mechanism, motion, number):
        words = _message_of(law, t, number)
        if words:
            return words
    return ""


def find_undirected_force(
    mechanism: Mechanism, q: Sequence[float], u: Sequence[float], number: Number = float
) -> str:
    """Return a message that names a spring whose ends coincide, "" if there is none.

    Its force has no direction and is taken as zero, which is probably not intended.
    """
    motion = MotionView(mechanism, list(q), list(u))
    for force in mechanism.forces:
        pull = getattr(force.part, "pull", None)
        if pull is None or _distance(motion, force, number) > number(force.p.s_small):
            continue
        f = number(pull(force.p, 0.0, 0.0))
        if f != 0.0:
            return (
                f"{force.part.path}: its ends are at one point, so that its force of "
                f"{abs(f):.4g} N has no direction."
            )
    return ""


# --- evaluation -------------------------------------------------------------------------------


def _message_of(law: TestedLaw, t: float, number: Number) -> str:
    """Return a message about a law that is not finite, "" if it is or has no numbers."""
    try:
        given = {name: _numbers(value, number) for name, value in law.inputs().items()}
    except Exception:  # its arguments cannot be computed: another law is the cause
        return ""
    if not all(math.isfinite(x) for values in given.values() for x in values):
        return ""
    at = f"at t = {t:.6g} s"
    if given:
        at += f", for {', '.join(f'{name} = {_shown(x)}' for name, x in given.items())}"
    try:
        values = _numbers(law.compute(), number)
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        why = error.reason.rstrip(".") if isinstance(error, MotorikError) else reason
        return f"{law.part}: its {law.what} cannot be computed {at}: {why}{law.remark()}."
    bad = [x for x in values if not math.isfinite(x)]
    return f"{law.part}: its {law.what} gives {bad[0]:g} {at}{law.remark()}." if bad else ""


def _numbers(value: object, number: Number) -> list[float]:
    return [number(scalar) for scalar in _scalars(value)]


def _shown(values: Sequence[float]) -> str:
    words = ", ".join(f"{x:.4g}" for x in values)
    return words if len(values) == 1 else f"({words})"


def _scalars(value: object) -> Iterator[Scalar]:
    """Return the scalars in the value of a law."""
    if isinstance(value, (tuple, list)):
        for one in value:
            yield from _scalars(one)
    elif isinstance(value, Vector):
        yield from value.xyz
    elif isinstance(value, Motor):
        yield from value.components
    elif isinstance(value, Pose):
        yield from (*value.R.entries, *value.p.xyz)
    else:
        yield getattr(value, "radians", value)


# --- the laws of a mechanism, causes before effects -------------------------------------------


def _laws(mechanism: Mechanism, motion: MotionView, number: Number) -> Iterable[TestedLaw]:
    yield from _joints(mechanism, motion)
    yield from _signals(mechanism, motion)
    yield from _network(mechanism, motion)
    yield from _flanges(mechanism, motion)
    for force in mechanism.forces:
        yield _force(motion, force, number)
    yield from _gravity(mechanism, motion)
    for mass in mechanism.line_masses:
        yield from _line_mass(motion, mass)
    for closure in mechanism.closures:
        yield from _closure(mechanism, motion, closure)


def _joints(mechanism: Mechanism, motion: MotionView) -> Iterable[TestedLaw]:
    for link in mechanism.links:
        q, u = [motion.q[k] for k in link.q], [motion.u[k] for k in link.u]
        names = [coordinate.name for coordinate in link.joint.coordinates]
        given = dict(zip(names, q, strict=True))
        yield TestedLaw(link.part, "pose", lambda j=link.joint, q=q: j.pose(*q), given.copy)
        yield TestedLaw(
            link.part, "rate", lambda j=link.joint, q=q, u=u: j.rates(q, u), given.copy
        )


def _signals(mechanism: Mechanism, motion: MotionView) -> Iterable[TestedLaw]:
    inventory = mechanism.inventory
    sources: list[SignalLaw | Measurement] = [
        *inventory.measurements,
        *inventory.signal_laws,
    ]
    for source in sources:
        if isinstance(source, Measurement) and source.level >= 2:
            continue  # depends on accelerations, hence on all other laws
        inputs = source.inputs if isinstance(source, SignalLaw) else ()
        given = _values(motion, inputs)
        what = "reading" if isinstance(source, Measurement) else "law"
        outputs = source.outputs
        yield TestedLaw(
            source.part.path, what, lambda ports=outputs: _read(motion, ports), given
        )
        if isinstance(source, SignalLaw) and source.rates is not None:
            states = [motion.state(source.part, name) for name in source.names]
            yield TestedLaw(
                source.part.path,
                "law of rates",
                lambda law=source, states=states: law.rates(  # type: ignore[misc]
                    law.p, motion.t, _read(motion, law.inputs), states
                ),
                given,
            )


def _network(mechanism: Mechanism, motion: MotionView) -> Iterable[TestedLaw]:
    """Yield the equations of parts, block by block in order of solution."""
    network = mechanism.signals.network
    if network is None:
        return
    ordered, values = network.ordered, motion.network_point()
    for block in ordered.blocks:
        names = [network.system.name(atom) for atom in block.needs[:SHOWN]]
        yield TestedLaw(
            ", ".join(dict.fromkeys(own.part for own in block.equations)),
            f"equation for {', '.join(map(network.system.name, block.unknowns[:SHOWN]))}",
            lambda block=block: [values.read(atom) for atom in block.unknowns],
            lambda block=block, names=names: {
                name: values.read(atom)
                for name, atom in zip(names, block.needs[:SHOWN], strict=True)
            },
            lambda block=block: _without_solution(network, block),
        )


def _without_solution(network: Network, block: Block) -> str:
    """Return the remark on equations that give no numbers."""
    if not block.torn:
        return "; here they have no solution, or more than one"
    own = ", ".join(
        f"{network.system.name(atom)} = {float(network.guesses[atom]):.6g}"
        for atom in block.torn[:SHOWN]
    )
    return f"; no solution is near the last one, {own}: it ends here, or jumps"


def _flanges(mechanism: Mechanism, motion: MotionView) -> Iterable[TestedLaw]:
    for relation in mechanism.relations:
        if (prescribed := relation.motion) is not None:
            yield TestedLaw(
                prescribed.part.path,
                "law of motion",
                lambda prescribed=prescribed: prescribed.law(
                    prescribed.p, motion.t, *_read(motion, prescribed.signals)
                ),
                _values(motion, prescribed.signals),
            )
    for line in mechanism.lines:
        ends = (line.flange_a, line.flange_b)

        def relative(ends: Sequence[Port | None] = ends) -> tuple[Scalar, Scalar]:
            a, b = ((0.0, 0.0) if end is None else motion.flange(end) for end in ends)
            return b[0] - a[0], b[1] - a[1]

        def given(
            line: LineForce = line,
            relative: Callable[[], tuple[Scalar, Scalar]] = relative,
        ) -> dict[str, object]:
            x, v = relative()
            return {"x": x, "v": v, **_values(motion, line.signals)()}

        yield TestedLaw(
            line.flange_b.owner.path,
            "force law",
            lambda line=line, relative=relative: line.law(
                line.p, *relative(), *_read(motion, line.signals)
            ),
            given,
        )


def _force(motion: MotionView, force: FrameForce, number: Number) -> TestedLaw:
    def given() -> dict[str, object]:
        angles = {name: motion.coordinate(force.part, name) for name in force.coordinates}
        return {**_places(motion, force), **angles, **_values(motion, force.signals)()}

    def remark() -> str:
        pair = len(force.frames) == 2 and not force.coordinates
        meet = pair and _distance(motion, force, number) == 0.0
        return "; its frames are at one point" if meet else ""

    return TestedLaw(
        force.part.path, "force law", lambda: motion.frame_forces(force), given, remark
    )


def _gravity(mechanism: Mechanism, motion: MotionView) -> Iterable[TestedLaw]:
    for mass in mechanism.masses:

        def centre(mass: Mass = mass) -> Vector:
            moment, m = mass.inertia.first_moment(), mass.inertia.mass()
            return motion.pose(mass.frame)(moment / m)

        yield TestedLaw(
            mass.frame.owner.path,
            "gravity",
            lambda centre=centre: motion.gravity(centre()),
            lambda centre=centre: {"r_CM": centre()},
        )


def _line_mass(motion: MotionView, mass: LineMass) -> Iterable[TestedLaw]:
    def ends() -> dict[str, object]:
        return {f"{port.name}.r_0": motion.pose(port).p for port in mass.frames}

    def place() -> Vector:
        return mass.position(motion)

    yield TestedLaw(mass.part.path, "place", place, ends)
    yield TestedLaw(
        mass.part.path, "gravity", lambda: motion.gravity(place()), lambda: {"r_0": place()}
    )


def _closure(
    mechanism: Mechanism, motion: MotionView, closure: Closure
) -> Iterable[TestedLaw]:
    def poses() -> list[Pose]:
        return [mechanism.pose_from(closure.base, end, motion.q) for end in closure.ends]

    def positions() -> list[Scalar]:
        return [motion.flange(port)[0] for port in closure.flanges]

    def given() -> dict[str, object]:
        places = (pose.p for pose in poses())
        return {port.name: p for port, p in zip(closure.ports, places, strict=True)}

    if closure.constraint.residual is not None:
        residual = closure.constraint.residual
        yield TestedLaw(
            closure.part, "constraint", lambda: residual(*poses(), *positions()), given
        )
    if closure.constraint.rate is not None:
        rate = closure.constraint.rate

        def of_flanges() -> tuple[list[Scalar], ...]:
            states = [motion.flange(port) for port in closure.flanges]
            return ([x for x, _ in states], [v for _, v in states]) if states else ()

        yield TestedLaw(
            closure.part,
            "constraint of speeds",
            lambda: rate(
                poses(), [motion.velocity_at(end) for end in closure.ends], *of_flanges()
            ),
            given,
        )


def _places(motion: MotionView, force: FrameForce) -> dict[str, object]:
    """Return the positions of the frames of a force law; in the plane x and y."""
    places = {port.name: motion.pose(port).p for port in force.frames}
    if not is_planar(force):
        return {f"{name}.r_0": p for name, p in places.items()}
    return {f"{name}.{c}": getattr(p, c) for name, p in places.items() for c in "xy"}


def _read(motion: MotionView, ports: Iterable[Port]) -> list[Scalar]:
    return [motion.signal(port) for port in ports]


def _values(motion: MotionView, ports: Iterable[Port]) -> Callable[[], dict[str, object]]:
    return lambda: {port.name: motion.signal(port) for port in ports}


def _distance(motion: MotionView, force: FrameForce, number: Number) -> float:
    a, b = (motion.pose(port).p for port in force.frames[:2])
    return math.hypot(*(number(e) for e in (b - a).xyz))
