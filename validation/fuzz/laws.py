"""Laws that hold for every mechanism; each raises `LawError` with what it measured."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np
from scipy.spatial.transform import Rotation

from motorik import MotorikError, SolverOptions
from motorik.results import Result
from validation.fuzz.balances import newton, power
from validation.fuzz.case import COARSE, FINE, STEPS, Case, LawError
from validation.fuzz.drawing import JointDrawn, WheelDrawn
from validation.fuzz.geometry import Z, joint_pose
from validation.fuzz.units import BY_NAME, LENGTH, RATE, SPEED, Units

STRATEGIES = ("projected", "baumgarte", "absolute", "explicit")
METHODS = ("dopri5", "gbs", "adams", "bdf")
TRIED = 1  # of the strategies or methods for each case, chosen by its seed
SAME = 3e-7  # motions by two methods, as parts of the mechanism's size
CLOSED = 1e-7  # gaps, as parts of the mechanism's size
CLOSED_BAUMGARTE = 1e-4
STATE_LINE = re.compile(r"^  (\S+) = (\S+)(?: \S+)? \((fixed|guess)(?: \S+)?\)$")


def complete(case: Case) -> None:
    """Check that the run reaches its end and every state is finite.

    What is refused in the units of the case is refused in natural ones, too.
    """
    try:
        result = case.fine()
    except MotorikError as error:
        if case.units != Units():
            case.run(case.drawing.model(Units()), Units())
            raise LawError(f"refused, but not in natural units: {_short(error)}") from error
        raise
    if not np.isfinite(result.states).all():
        raise LawError("a state is not finite")


def strategies(case: Case) -> None:
    """Any strategy that applies gives the same motion."""
    case.check_clear()
    found = []
    for strategy in case.some(STRATEGIES, TRIED):
        try:
            other = case.run(strategy=strategy)
        except MotorikError as error:
            if len(str(error)) < 20 or ":" not in str(error):
                raise LawError(f"{strategy} refused without a name: {error}") from error
            continue
        apart = case.apart(case.fine(), other)
        own = 0.0
        if apart > 1e-6 and strategy == "baumgarte":
            own = case.apart(other, case.run(strategy=strategy, rtol=1e-7))
        if apart > 1e-6 + 3.0 * case.condition() + 10.0 * own:
            found.append(f"{strategy} {apart:.1e}")
    if found:
        raise LawError(
            f"{', '.join(found)} apart from default, {case.condition():.1e} expected"
        )


def methods(case: Case) -> None:
    """Any method gives the same motion, as exactly as it claims.

    Each step may err by the tolerance, and a method whose formulas are of low order errs more
    in all; but the error falls at least tenfold with a tolerance a hundredth as large.
    """
    case.check_clear()
    found = []
    for method in case.some(METHODS, TRIED):
        run = case.run(method=method)
        apart = case.apart(case.fine(), run)
        allowed = SAME + 3.0 * case.condition() + FINE * run.info.steps
        if apart > allowed:
            own = case.apart(run, case.run(method=method, rtol=COARSE))
            allowed += 0.1 * own
        if apart > allowed:
            found.append(f"{method} {apart:.1e} (allowed {allowed:.1e})")
    if found:
        raise LawError(f"{', '.join(found)} apart from dop853")


def grid(case: Case) -> None:
    """Check that times of output do not change values, whole turns of angles included."""
    case.check_clear()
    few, many, steps = (case.run(output=grid) for grid in (7, 700, "steps"))
    case.check_same(case.apart(few, _Rows(many, 100)), "7 intervals against 700")  # type: ignore[arg-type]
    names = [name for joint in case.drawing.joints for name in joint.names()]
    names += few.state_names
    allowed = 1e-5 + 10.0 * case.condition()
    found = []
    for name in dict.fromkeys(names):
        if ".chart" in name:
            continue
        scale = case.units.of(BY_NAME[few.unit(name)])
        a, b, c = (run[name] / scale for run in (few, many, steps))
        size = max(1.0, float(np.abs(b).max()))
        if np.abs(a - b[::100]).max() > allowed * size:
            found.append(f"{name}: 7 intervals {np.abs(a - b[::100]).max():.2g}")
        if abs(c[-1] - b[-1]) > allowed * size:
            found.append(f"{name}: steps {c[-1] - b[-1]:.2g} at the end")
    if found:
        raise LawError(f"{'; '.join(found[:3])} off 700 intervals (natural units)")


def order(case: Case) -> None:
    """Check that order and names of parts and connections do not change the motion."""
    case.check_clear()
    rng = np.random.default_rng([case.seed, case.number])
    new = rng.permutation(len(case.drawing.pieces))
    names = {name: f"p{k}" for name, k in zip(case.drawing.pieces, new, strict=True)}
    model = case.drawing.model(case.units, int(rng.integers(1 << 30)), names)
    other = case.run(model)
    case.check_same(case.apart(case.fine(), other, names=names), "in another order")


def units(case: Case) -> None:
    """In units a thousand times as fine the motion is the same."""
    case.check_clear()
    other, finer = _in_finer_units(case)
    case.check_same(case.apart(case.fine(), other, finer), "in finer units")


def steps(case: Case) -> None:
    """In units a thousand times as fine a run takes the same steps."""
    other, _ = _in_finer_units(case)
    one, two = case.fine().info.steps, other.info.steps
    if abs(one - two) > 2 + 0.05 * one:
        raise LawError(f"{one} steps, {two} in finer units")


def defaults(case: Case) -> None:
    """With the tolerances that a user gets who gives none, four digits are right.

    Where the motion is so fast that they are not, the error is that of the tolerance: a tenth
    of it makes the error about a tenth, so it is about a ninth of what separates both.
    """
    case.check_clear()
    model, stop = case.model(), case.drawing.stop * case.units.time
    run = _completed(
        model.simulate(
            stop, output=20, solver=SolverOptions(max_steps=STEPS), progress=False
        )
    )
    apart = case.apart(case.fine(), run)
    allowed = 1e-4 + 100.0 * case.condition()
    if apart > allowed:
        rtol = 10.0 * run.info.tolerance
        rough = model.simulate(
            stop,
            output=20,
            rtol=rtol,
            solver=SolverOptions(max_steps=STEPS),
            progress=False,
        )
        allowed += 0.2 * case.apart(run, _completed(rough))
    if apart > allowed:
        raise LawError(f"{apart:.1e} off with default tolerances, {allowed:.1e} allowed")


def closed(case: Case) -> None:
    """Frames of every joint are as its coordinates say; rods keep lengths, wheels roll."""
    result = case.fine()
    allowed = CLOSED_BAUMGARTE if case.drawing.planar else CLOSED
    found = []
    for joint in case.drawing.joints:
        p, R = _relative(result, f"{joint.name}.frame_a", f"{joint.name}.frame_b")
        p = p / case.units.of(LENGTH)
        q = _coordinates(result, joint, case)
        for k in range(len(result)):
            if joint.kind in "SF":
                gap = np.abs(p[k]).max() if joint.kind == "S" else 0.0
                turn = np.abs(R[k] - _from_quaternion(result[f"{joint.name}.Q"][k])).max()
            else:
                pose = joint_pose(joint.kind, joint.axes, q[k])
                gap, turn = np.abs(p[k] - pose.p).max(), np.abs(R[k] - pose.R).max()
            if max(gap, turn) > allowed:
                words = (
                    f"{joint.name} ({joint.kind}) row {k}: open by {gap:.1e}, {turn:.1e}"
                )
                found.append(words)
                break
    for rod in case.drawing.rods:
        p, _ = _relative(result, rod.frame_a, rod.frame_b)
        off = np.abs(np.linalg.norm(p, axis=1) / case.units.of(LENGTH) - rod.length).max()
        if off > allowed:
            found.append(f"{rod.frame_a.partition('.')[0]}: length off by {off:.1e}")
    for wheel in case.drawing.wheels:
        height, slip = _contact(case, result, wheel)
        if max(height, slip) > allowed:
            found.append(f"{wheel.body}: {height:.1e} off the road, slips by {slip:.1e}")
    if found:
        raise LawError("; ".join(found[:3]))


def start(case: Case) -> None:
    """Check that what is fixed is met, and that exact guesses are where it starts."""
    result, found = case.fine(), []
    for name, value in case.drawing.fixed.items():
        key = name.rpartition(".")[2]
        wanted = np.asarray(value.number)
        if key.startswith(("angles_start", "w_rel_a_start")):
            continue
        row = result[name][0] / case.units.of(BY_NAME[result.unit(name)])
        if np.abs(row - wanted).max() > 1e-7:
            found.append(f"{name} = {row} instead of {wanted}")
    if not case.drawing.noise:
        r, T = case.poses(result)
        for k, body in enumerate(case.drawing.bodies):
            if body.start is None:
                continue
            off = np.abs(r[0, k] - body.start.p).max()
            turned = np.abs(T[0, k].T - body.start.R).max()
            if max(off, turned) > 1e-6:
                found.append(f"{body.name} starts {off:.1e}, {turned:.1e} off")
    if found:
        raise LawError("; ".join(found[:3]))


def story(case: Case) -> None:
    """Check that explain() and the result tell the same of freedom and fixed starts."""
    result = case.fine()
    text = case.model().explain()
    head = re.search(r"(\d+) degrees? of freedom.* (\d+) states", text)
    listed = _listed(text)
    if head is None or not listed:
        raise LawError("explain() names no freedom or no states")
    if int(head[2]) != len(listed):
        raise LawError(f"explain() says {head[2]} states and lists {len(listed)}")
    unknown = [name for name, _, _ in listed if name not in result.state_names]
    if unknown:
        raise LawError(f"explain() lists {unknown[0]}, which the result does not know")
    freedom = re.search(r"(\d+) degrees? of freedom", result.summary())
    if freedom is None or freedom[1] != head[1]:
        raise LawError(f"explain() says {head[1]} degrees of freedom, summary() {freedom}")
    for name, value, how in listed:
        row = float(result[name][0])
        scale = case.units.of(BY_NAME[result.unit(name)])
        off = abs(row - float(value)) / scale
        if how == "fixed" and off > 1e-5 * max(1.0, abs(row / scale)):
            raise LawError(f"explain() says {name} = {value} (fixed), it starts at {row:g}")


def states(case: Case) -> None:
    """explain() lists just the states of the result, with the values they start at."""
    result = case.fine()
    listed = _listed(case.model().explain())
    names = [name for name, _, _ in listed]
    if names != result.state_names:
        extra = sorted(set(result.state_names) - set(names))
        raise LawError(f"result.state_names has {len(extra)} more: {', '.join(extra[:3])}")
    for name, value, how in listed:
        row = float(result[name][0])
        scale = case.units.of(BY_NAME[result.unit(name)])
        if abs(row - float(value)) / scale > 1e-5 * max(1.0, abs(row / scale)):
            raise LawError(f"explain() says {name} = {value} ({how}), it starts at {row:g}")


LAWS: dict[str, Callable[[Case], None]] = {
    "complete": complete,
    "strategies": strategies,
    "methods": methods,
    "grid": grid,
    "order": order,
    "units": units,
    "steps": steps,
    "defaults": defaults,
    "newton": newton,
    "power": power,
    "closed": closed,
    "start": start,
    "story": story,
    "states": states,
}


class _Rows:
    """Every so many rows of a result."""

    def __init__(self, result: Result, every: int) -> None:
        self.result, self.every = result, every

    def compute(self, names: object) -> None:
        """Compute variables at once."""
        self.result.compute(names)  # type: ignore[arg-type]

    def __getitem__(self, name: str) -> np.ndarray:
        return self.result[name][:: self.every]


def _completed(result: Result) -> Result:
    if not result.complete:
        raise LawError(f"incomplete: {result.info.message.partition(chr(10))[0]}")
    return result


def _in_finer_units(case: Case) -> tuple[Result, Units]:
    case.fine()
    try:
        return case.in_finer_units()
    except MotorikError as error:
        raise LawError(f"refused in finer units: {_short(error)}") from error


def _short(error: MotorikError) -> str:
    return f"{type(error).__name__}: {' '.join(str(error).split())[:200]}"


def _listed(text: str) -> list[tuple[str, str, str]]:
    """Return name, value and kind of the states that explain() lists."""
    _, _, rest = text.partition("states, with their start values:\n")
    found = []
    for line in rest.splitlines():
        match = STATE_LINE.match(line)
        if match is None:
            break
        found.append((match[1], match[2], match[3]))
    return found


def _relative(result: Result, a: str, b: str) -> tuple[np.ndarray, np.ndarray]:
    """Return position and rotation of frame b seen from frame a, by time."""
    names = [f"{frame}.{what}" for frame in (a, b) for what in ("r_0", "R.T")]
    result.compute(names)
    r_a, T_a, r_b, T_b = (result[name] for name in names)
    p = np.einsum("tij,tj->ti", T_a, r_b - r_a)
    return p, T_a @ T_b.transpose(0, 2, 1)


def _coordinates(result: Result, joint: JointDrawn, case: Case) -> np.ndarray:
    columns = [
        result[name] / case.units.of(BY_NAME[result.unit(name)]) for name in joint.names()
    ]
    return np.stack(columns, axis=1) if columns else np.zeros((len(result), 0))


def _contact(case: Case, result: Result, wheel: WheelDrawn) -> tuple[float, float]:
    """Return how far the lowest point of a wheel is off the road at most, and its speed."""
    R = result[f"{wheel.body}.frame_a.R.T"].transpose(0, 2, 1)
    r = result[f"{wheel.body}.r_0"] / case.units.of(LENGTH)
    v = result[f"{wheel.body}.v_0"] / case.units.of(SPEED)
    w = np.einsum("tij,tj->ti", R, result[f"{wheel.body}.w_a"]) / case.units.of(RATE)
    axle = R[:, :, 1]
    down = axle * axle[:, 2:] - Z
    arm = wheel.radius * down / np.linalg.norm(down, axis=1)[:, None]
    height, slip = (r + arm)[:, 2], v + np.cross(w, arm)
    return float(np.abs(height).max()), float(np.abs(slip).max())


def _from_quaternion(Q: np.ndarray) -> np.ndarray:
    return Rotation.from_quat(Q).as_matrix()
