"""Branches of closed forms: chosen by an assembled pose, by guesses or by name.

Each step of a closed form has two solutions, told by a sign.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from motorik.errors import DeadCentreError, UnknownNameError, suggest
from motorik.immutable import immutable
from motorik.loops.formulation import BRANCH_SIGNS, AssurGroup, ClosedForm
from motorik.numerics.tolerances import BRANCH_FITS

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.loops.formulation import Formulation

TURN = 2.0 * math.pi
COARSE = 1024.0  # references of angles are multiples of 1 / COARSE rad


@immutable
class ClosedFormCoordinates:
    """Coordinates that closed forms lead to: all of the tree, and those of their hinges."""

    q: np.ndarray | Mapping[int, float]
    hinges: Mapping[int, float]


Gap = Callable[[ClosedForm, AssurGroup, ClosedFormCoordinates], float]
"""How far a step is from where it should be, in scales."""


class BranchSearch:
    """Closed forms on numbers, at given states, time, block states and live parameters."""

    def __init__(
        self,
        system: CompiledModel,
        q: np.ndarray,
        z: np.ndarray,
        live: np.ndarray,
        t: float,
    ) -> None:
        self.system, self.formulation = system, system.formulation
        self._states = q[list(self.formulation.state_q)]
        self._z, self._live, self._t = z, live, t
        self._at = self.formulation.branch_slices
        self._parameters = np.zeros(self.formulation.n_branch_parameters)
        self._parameters[self._at.unwrapped] = turning_references(self.formulation, q)

    def coordinates(self, signs: np.ndarray) -> np.ndarray:
        """Return all coordinates on the branches with these signs."""
        return self._all(signs)[0]

    def _places(self, signs: np.ndarray) -> ClosedFormCoordinates:
        """Return the coordinates that the closed forms give on these branches."""
        q, values = self._all(signs)
        numbers = self.system.equations.hinge_numbers
        return ClosedFormCoordinates(q, dict(zip(numbers, values.tolist(), strict=True)))

    def _all(self, signs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return all coordinates, and those of all hinges."""
        equations = self.system.equations
        function = equations.function("positions")
        own = self._parameters.copy()
        own[self._at.branches] = signs
        found = function(self._t, self._states, self._z, self._live, own)
        q, hinges = (np.asarray(a, dtype=float).ravel() for a in found)
        return q, hinges

    def _places_of(self, form: ClosedForm, signs: np.ndarray) -> ClosedFormCoordinates:
        """Return the coordinates that one closed form gives by its signs, from states alone."""
        equations, at = self.system.equations, self._at_state
        known = [self._states[at[k]] for k in form.inputs]
        near = [self._reference[k] for k in form.outputs if k in self._reference]
        function, hinges = equations.form_function(form)
        q, values = function(known, signs, near, self._live)
        coordinates = [k for k in form.coordinate.values() if k not in form.inputs]
        return ClosedFormCoordinates(
            dict(zip(coordinates, np.asarray(q).ravel().tolist(), strict=True)),
            dict(zip(hinges, np.asarray(values).ravel().tolist(), strict=True)),
        )

    @cached_property
    def _at_state(self) -> dict[int, int]:
        return {k: n for n, k in enumerate(self.formulation.state_q)}

    @cached_property
    def _reference(self) -> dict[int, float]:
        turning = self.formulation.unwrapped
        near = self._parameters[self._at.unwrapped].tolist()
        return dict(zip(turning, near, strict=True))

    @cached_property
    def _is_by_form(self) -> bool:
        """Whether there are several closed forms, none of which needs another."""
        forms = self.formulation.forms
        return len(forms) > 1 and all(k in self._at_state for f in forms for k in f.inputs)

    def nearest(self, gap: Gap) -> tuple[np.ndarray, list[float]]:
        """Return the signs with the smallest deviations, step by step, and these deviations."""
        signs = np.ones(len(self.formulation.branched_groups))
        least: list[float] = []
        begin = 0
        for form in self.formulation.forms:
            own = slice(begin, begin + len(form.decomposition.groups))
            begin = own.stop
            for at, step in enumerate(form.decomposition.groups, start=own.start):
                found = []
                for sign in BRANCH_SIGNS[: step.n_branches]:
                    signs[at] = sign
                    if self._is_by_form:
                        places = self._places_of(form, signs[own])
                    else:
                        places = self._places(signs)
                    apart = gap(form, step, places)
                    found.append(apart if math.isfinite(apart) else math.inf)
                signs[at] = BRANCH_SIGNS[int(np.argmin(found))]
                least.append(min(found))
        return signs, least

    def of_pose(self, q: np.ndarray) -> np.ndarray:
        """Return the signs at an assembled pose, or raise `DeadCentreError`."""
        angles = {k for k, _ in self.formulation.constraints.revolutes}
        scale = self.formulation.scales.coordinates

        def gap(form: ClosedForm, step: AssurGroup, places: ClosedFormCoordinates) -> float:
            own = [form.coordinate[h] for h in step.hinges if h in form.coordinate]
            apart = [
                abs(wrapped(places.q[k] - q[k]) if k in angles else places.q[k] - q[k])
                / scale[k]
                for k in own
            ]
            return max(apart, default=0.0)

        signs, gaps = self.nearest(gap)
        for (form, step), left in zip(self.formulation.branched_groups, gaps, strict=True):
            if step.n_branches > 1 and not left < BRANCH_FITS:
                names = [form.hinges[h].name for h in step.hinges]
                raise DeadCentreError(
                    names[0],
                    f"the {step.title} of {', '.join(names)} starts at its dead centre, or "
                    f"cannot be closed there: {left:.3g} remains.",
                    'Start elsewhere, or use strategy="projected".',
                )
        return signs

    def by_guesses(self, X: np.ndarray) -> np.ndarray | None:
        """Return the signs nearest to the guesses; None if a cluster has none, or none closes."""

        def guess(form: ClosedForm, hinge: int) -> tuple[float, bool]:
            start = self.system.mechanism.inventory.joints[hinge].starts[0]
            value = float(start.value)  # type: ignore[arg-type]
            if hinge in form.coordinate:
                value = float(X[form.coordinate[hinge]])
            return value, start.is_given

        for form in self.formulation.forms:
            solved = [h for step in form.decomposition.groups for h in step.hinges]
            if not any(guess(form, h)[1] for h in solved):
                return None

        def gap(form: ClosedForm, step: AssurGroup, places: ClosedFormCoordinates) -> float:
            wanted = {h: guess(form, h) for h in step.hinges}
            if any(is_given for _, is_given in wanted.values()):
                wanted = {h: pair for h, pair in wanted.items() if pair[1]}
            total = 0.0
            for h, (value, _) in wanted.items():
                apart = places.hinges[h] - value
                if form.hinges[h].kind == "R" and math.isfinite(apart):
                    apart = wrapped(apart)
                else:
                    apart /= self.system.scales.length
                total += apart * apart
            return total

        signs, gaps = self.nearest(gap)
        return signs if all(map(math.isfinite, gaps)) else None

    def by_names(self, signs: np.ndarray, branch: Mapping[str, str]) -> np.ndarray:
        """Return the signs with those changed that `branch` gives, by a joint of the loop."""
        signs = signs.copy()
        for part, name in branch.items():
            k, step = self._find(part)
            if name not in step.branch_names:
                raise UnknownNameError(
                    part,
                    f"the {step.title} has no branch {name!r}.",
                    suggest(name, step.branch_names),
                    parameter="branch",
                    value=name,
                )
            signs[k] = BRANCH_SIGNS[step.branch_names.index(name)]
        return signs

    def _find(self, part: str) -> tuple[int, AssurGroup]:
        for k, (form, step) in enumerate(self.formulation.branched_groups):
            names = [form.hinges[h].name for h in step.hinges]
            own = any(name == part or name.startswith(f"{part}.") for name in names)
            if step.n_branches > 1 and own:
                return k, step
        known = [
            form.hinges[h].name
            for form, s in self.formulation.branched_groups
            for h in s.hinges
        ]
        raise UnknownNameError(
            "branch",
            f"{part!r} is not a joint of a loop with branches.",
            suggest(part, known),
            parameter="branch",
            value=part,
        )


def turning_references(formulation: Formulation, q: np.ndarray) -> np.ndarray:
    """Return the references of unwrapped angles at assembled coordinates."""
    values = q.tolist()
    return np.array(
        [q[k] - float(formulation.angle_sum(k, values)) for k in formulation.unwrapped]
    )


def coarse(references: ArrayLike) -> np.ndarray:
    """Return references of angles [rad] without their last digits.

    They only count full turns, so a motion is bitwise the same however its start was found.
    """
    return np.floor(np.asarray(references, dtype=float) * COARSE + 0.5) / COARSE


def wrapped(angle: float) -> float:
    """Return an angle within half a turn of zero."""
    return math.remainder(angle, TURN)
