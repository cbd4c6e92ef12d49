"""check_element: the contract of a transmission element as a test that can be run."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from motorik.errors import MotorikError
from motorik.immutable import immutable
from motorik.mobile.arguments import checked_function
from motorik.mobile.checks.trial import MOVING, Trial, make_sample, power, write_force
from motorik.mobile.compiled.chain import CompiledChain
from motorik.mobile.compiled.quantities import StateQuantity
from motorik.mobile.states.frame import Frame
from motorik.mobile.states.preserved import preserved
from motorik.mobile.states.transmission import Element, Subtask
from motorik.mobile.states.variable import StateVariable

# --- an element on symbols and compiled, against numbers ----------------------------------


OF_FRAME = ("R", "p", "ang_v", "lin_v", "ang_a", "lin_a")
OF_VARIABLE = ("q", "qd", "qdd")


def differ_on_symbols(trial: Trial) -> float:
    """Return by how much motion and forces in machine code differ from those on numbers."""
    trial.put()
    trial.load()
    moving = [StateQuantity(s, name) for s in trial.inputs for name in _motion(s)]
    loads = [StateQuantity(s, name) for s in trial.outputs for name in _force(s)]
    made = [StateQuantity(s, name) for s in trial.outputs for name in _motion(s)]
    made += [StateQuantity(s, name) for s in trial.inputs for name in _force(s)]
    given = sorted([*moving, *loads], key=lambda quantity: ORDER.index(quantity.name))
    names = dict.fromkeys(quantity.name for quantity in given)
    arrays = [
        np.array([x for q in given if q.name == name for x in q.read()], dtype=float)
        for name in names
    ]
    native = CompiledChain(trial.element, given, made)
    seen = native(*arrays)
    trial.element.motion()
    trial.element.force()
    right = [x for quantity in made for x in quantity.read()]
    rows = seen if isinstance(seen, list) else [seen]
    flat = np.concatenate([np.ravel(row) for row in rows])
    return trial.deviation(flat, np.array(right, dtype=float))


ORDER = (*OF_FRAME, *OF_VARIABLE, "f", "t", "Q")
"""In which order quantities are written: those of acceleration need those of velocity."""


def _motion(state: object) -> tuple[str, ...]:
    return OF_FRAME if isinstance(state, Frame) else OF_VARIABLE


def _force(state: object) -> tuple[str, ...]:
    return ("f", "t") if isinstance(state, Frame) else ("Q",)


@checked_function
def check_element(
    element: Element,
    samples: int = 4,
    *,
    spread: float = 0.2,
    seed: int = 0,
    tolerance: float = 1e-7,
) -> dict[str, float]:
    """Verify a transmission element, or raise `MotorikError`.

    Every law is checked in random motions under random loads, with the inputs near their
    present positions: within `spread` [rad and m]. The error names the law, by how much it fails
    and what to do; for an element that passes, the largest deviation of each law is
    returned, relative to its largest numbers. State objects are left as they were.

    >>> from motorik.mobile import Frame, RigidLink
    >>> sorted(check_element(RigidLink(Frame("a"), Frame("b"), (1, 2, 3))))[:3]
    ['acceleration', 'adding', 'coriolis']
    """
    part = repr(element)
    _check_declarations(part, element)
    found: dict[str, float] = {}
    memory = element.keep()
    with preserved(element.touched):
        rng = np.random.default_rng(seed)
        trials = [Trial(element, make_sample(element, rng, spread)) for _ in range(samples)]
        for law in LAWS:
            found[law.name] = max(law.tried(part, trial, tolerance) for trial in trials)
    element.restore(memory)
    return found


def _check_declarations(part: str, element: Element) -> None:
    """Refuse an element whose inputs and outputs are no state objects, or the same."""
    for what, states in (("inputs", element.inputs), ("outputs", element.outputs)):
        for state in states:
            if not isinstance(state, Frame | StateVariable):
                raise MotorikError(
                    part,
                    f"{state!r} among its {what} is neither a frame nor a variable.",
                    f"Let `{what}` return frames and variables alone.",
                )
    given = {id(state) for state in element.inputs}
    for state in element.outputs:
        if id(state) in given:
            raise MotorikError(
                part,
                f"{state!r} is both input and output.",
                "Let `outputs` return what `motion` writes, `inputs` what it only reads.",
            )


@immutable
class ElementLaw:
    """A law of elements, and the function that measures the deviation from it in a trial."""

    name: str
    statement: str
    remedy: str
    deviation: Callable[[Trial], float]

    def tried(self, part: str, trial: Trial, tolerance: float) -> float:
        """Return the deviation, or raise an error if it is too large."""
        try:
            deviation = self.deviation(trial)
        except Exception as error:
            raise MotorikError(
                part,
                f"the law {self.statement} cannot be checked: {type(error).__name__}: {error}",
                self.remedy,
            ) from error
        if not deviation <= tolerance:  # NaN is a failure, too
            raise MotorikError(
                part,
                f"the law {self.statement} fails by {deviation:.3g} of its largest numbers "
                f"(allowed {tolerance:.3g}).",
                self.remedy,
            )
        return deviation


# --- motion -------------------------------------------------------------------------------------


def _moved(trial: Trial, *passes: Subtask) -> np.ndarray:
    """Return the motion of the outputs after traversals one after another."""
    trial.put()
    for subtasks in passes:
        trial.element.motion(subtasks)
    levels = ("position", "velocity", "acceleration")
    return np.concatenate([trial.read(level) for level in levels])


def _repeating(trial: Trial) -> float:
    once, twice = _moved(trial, Subtask.ALL), _moved(trial, Subtask.ALL, Subtask.ALL)
    return trial.deviation(twice, once)


def _velocity(trial: Trial) -> float:
    rate = trial.rate_of_places()
    trial.put()
    trial.element.motion(MOVING)
    return trial.deviation(trial.read("velocity"), rate)


def _acceleration(trial: Trial) -> float:
    rate = trial.rate_of_velocities()
    trial.put()
    trial.element.motion()
    return trial.deviation(trial.read("acceleration"), rate)


def _euler(trial: Trial) -> float:
    """Compare J q̇ with J q̈ for q̈ = q̇, and the linear part of J q̈ with `lin_a`."""
    trial.put(subtasks=Subtask.EULER)
    element = trial.element
    element.motion(MOVING)
    for state in trial.inputs:
        if isinstance(state, Frame):
            state.accelerate(state.V, Subtask.EULER)
        else:
            assert isinstance(state, StateVariable)
            state.qdd = state.qd
    element.motion(Subtask.EULER)
    seen, right = trial.read("acceleration"), trial.read("velocity")
    frames = [state for state in trial.outputs if isinstance(state, Frame)]
    linear = [x for K in frames for x in (K.lin_a - K.A.moment).xyz]
    kept = trial.deviation(np.array(linear, dtype=float), np.zeros(len(linear)))
    return max(trial.deviation(seen, right), kept)


def _coriolis(trial: Trial) -> float:
    """Compare EULER and CORIOLIS in turn with both at once, and CORIOLIS in two passes."""
    element = trial.element
    trial.put()
    element.motion()
    both = trial.read("acceleration")
    trial.put(subtasks=Subtask.EULER)
    element.motion(Subtask.EULER)
    euler = trial.read("acceleration")
    parts = []
    for passes in ((Subtask.CORIOLIS,), (Subtask.COMPUTE_CORIOLIS, Subtask.USE_CORIOLIS)):
        trial.put(subtasks=Subtask.CORIOLIS)
        for state in trial.inputs:
            if isinstance(state, Frame) or getattr(state, "is_dependent", False):
                state.clear_acceleration()
        for subtasks in passes:
            element.motion(subtasks)
        parts.append(trial.read("acceleration"))
    return max(trial.deviation(euler + part, both) for part in parts)


def _levels(trial: Trial) -> float:
    at_once = _moved(trial, Subtask.ALL)
    levels = (Subtask.POSITION, Subtask.VELOCITY, Subtask.ACCELERATION)
    halves = (Subtask.ROTATION, Subtask.TRANSLATION, *levels[1:])
    return max(trial.deviation(_moved(trial, *part), at_once) for part in (levels, halves))


def _nothing(trial: Trial) -> float:
    before = _moved(trial, Subtask.ALL)
    after = _moved(trial, Subtask.ALL, Subtask.NOTHING)
    without = _forces(trial, Subtask.NOTHING)
    moved = trial.deviation(after, before)
    return max(moved, trial.deviation(without, np.zeros(len(without))))


# --- force --------------------------------------------------------------------------------------


def _forces(trial: Trial, *passes: Subtask, factor: float = 1.0) -> np.ndarray:
    """Return the forces on the inputs after traversals, all but these without load."""
    trial.put()
    trial.element.motion()
    trial.element.clear_forces()
    trial.load(factor)
    for subtasks in passes:
        trial.element.force(subtasks)
    return trial.read("force", trial.inputs)


def _power(trial: Trial) -> float:
    """Compare the power of all inputs with that of all outputs."""
    _forces(trial, Subtask.EXTERNAL)
    given = sum(
        power(s, load) for s, load in zip(trial.outputs, trial.sample.loads, strict=True)
    )
    taken = sum(power(s, trial.read("force", (s,))) for s in trial.inputs)
    return trial.deviation(np.array([taken]), np.array([given]))


def _adding(trial: Trial) -> float:
    """Compare loads on loaded inputs with the same on empty ones; twice the load, twice all."""
    alone = _forces(trial, Subtask.ALL)
    trial.put()
    trial.element.motion()
    trial.element.clear_forces()
    trial.load()
    for state, load in zip(trial.inputs, trial.sample.velocities, strict=True):
        write_force(state, load)
    before = trial.read("force", trial.inputs)
    trial.element.force()
    onto = trial.read("force", trial.inputs)
    single, double = (_forces(trial, Subtask.EXTERNAL, factor=f) for f in (1.0, 2.0))
    return max(trial.deviation(onto - before, alone), trial.deviation(double, 2.0 * single))


def _same_again(trial: Trial) -> float:
    return trial.deviation(_forces(trial, Subtask.ALL), _forces(trial, Subtask.ALL))


def _sources(trial: Trial) -> float:
    """Compare all forces with the sum of those transmitted, of sources, and of inertia."""
    outside = Subtask.EXTERNAL
    everything, external = _forces(trial, Subtask.ALL), _forces(trial, outside)
    internal = _forces(trial, outside | Subtask.INTERNAL) - external
    inertia = _forces(trial, outside | Subtask.INERTIA) - external
    euler = _forces(trial, outside | Subtask.EULER) - external
    coriolis = _forces(trial, outside | Subtask.CORIOLIS) - external
    kept = (
        _forces(trial, Subtask.COMPUTE_INTERNAL, outside | Subtask.USE_INTERNAL) - external
    )
    pairs = (
        (external + internal + inertia, everything),
        (euler + coriolis, inertia),
        (kept, internal),
    )
    return max(trial.deviation(seen, right) for seen, right in pairs)


LAWS = (
    ElementLaw(
        "repeating",
        "that the same motion twice gives the same outputs",
        "Let `motion` follow from the inputs alone; what moves on by itself is a Driver.",
        _repeating,
    ),
    ElementLaw(
        "velocity",
        "that velocities are the rates of positions",
        "Write under VELOCITY q̇′ = J q̇; of a frame V = (ω, v), both in its own axes.",
        _velocity,
    ),
    ElementLaw(
        "euler",
        "that EULER transmits accelerations as VELOCITY does velocities",
        "Write under EULER J q̈ and nothing else, of a frame by "
        "`frame.accelerate(A, subtasks)`, A in its own axes.",
        _euler,
    ),
    ElementLaw(
        "acceleration",
        "that accelerations are the rates of velocities",
        "Write under EULER | CORIOLIS J q̈ + J̇ q̇; of a frame A is the rate of the components "
        "of V.",
        _acceleration,
    ),
    ElementLaw(
        "coriolis",
        "that EULER and CORIOLIS are the two parts of the acceleration",
        "Under COMPUTE_CORIOLIS keep J̇ q̇, under USE_CORIOLIS add it; the acceleration of input "
        "frames is transmitted in both, q̈ of variables in EULER alone.",
        _coriolis,
    ),
    ElementLaw(
        "levels",
        "that position, velocity and acceleration in turn are all at once",
        "Ask `Subtask.VELOCITY in subtasks` and so on; for parts of POSITION "
        "`subtasks & Subtask.POSITION`.",
        _levels,
    ),
    ElementLaw(
        "nothing",
        "that NOTHING does nothing",
        "Do only what is among the sub-tasks.",
        _nothing,
    ),
    ElementLaw(
        "power",
        "that force is the transpose of velocity (power in = power out)",
        "Under EXTERNAL add Q += Jᵀ Q′ to the inputs, with the same J as in `motion`.",
        _power,
    ),
    ElementLaw(
        "adding",
        "that forces add to what the inputs carry, and are proportional to the loads",
        "Use `add_force`; under EXTERNAL transmit loads alone, no forces of the element's own.",
        _adding,
    ),
    ElementLaw(
        "same",
        "that the same load gives the same forces again",
        "Let `force` store nothing but what COMPUTE_INTERNAL computes.",
        _same_again,
    ),
    ElementLaw(
        "sources",
        "that EXTERNAL, INTERNAL and INERTIA are all forces",
        "Add springs under USE_INTERNAL, after COMPUTE_INTERNAL has found them; inertia under "
        "EULER and USE_CORIOLIS; loads of outputs under EXTERNAL.",
        _sources,
    ),
    ElementLaw(
        "symbols",
        "that machine code gives what numbers give",
        "Compute with the functions of motorik.algebra (sin, where, …), never with `if` on a "
        "scalar or with `float(…)`.",
        differ_on_symbols,
    ),
)
"""The laws of a transmission element."""
