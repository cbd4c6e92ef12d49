"""Outcomes of native code: it cannot raise, so it returns one of these."""

from __future__ import annotations

from enum import Enum

from motorik.simulation.stepping.workspace import Status


class Outcome(Enum):
    """The end of a call of `Integration.advance`, with reason and remedy."""

    REACHED = (Status.REACHED, "the time to stop at was reached", "")
    PAUSED = (
        Status.PAUSED,
        "the run was paused before its end",
        "Call `advance` again to go on.",
    )
    ENDED = (Status.ENDED, "an event ended the run", "")
    NOT_FINITE = (
        Status.NOT_FINITE,
        "a state, its rate or a condition is no longer a finite number",
        "Look for a division by zero, a root of a negative number or a singular position "
        "at this time; if a force grows without bound, limit it or reduce the `max_step` "
        "of the solver.",
    )
    EXPLODES = (
        Status.EXPLODES,
        "the motion grows without bound: the scale of the mechanism is lost in its rounding",
        "Give a smaller `step`: this one is probably too long for the method to be stable; or "
        "take a method that chooses its steps by their error, such as 'auto'.",
    )
    STEP_TOO_SMALL = (
        Status.STEP_TOO_SMALL,
        "the step size required by the tolerance is too small to advance",
        "The solution may diverge or jump here. Replace a jump by a short smooth "
        "transition, loosen `rtol` and `atol`, or try method 'bdf' if the system is stiff.",
    )
    TOO_MANY_STEPS = (
        Status.TOO_MANY_STEPS,
        "the allowed number of steps is used up",
        "Raise the `max_steps` of the solver, loosen `rtol`, or try method 'bdf' if the system "
        "is stiff.",
    )
    STANDS_STILL = (
        Status.STANDS_STILL,
        "thousands of steps have not advanced the time by more than its rounding",
        "Raise `step` or `max_step` if they are that short; else a law changes without end "
        "near this time: replace its jumps by short smooth transitions.",
    )
    TEARS = (
        Status.TEARS,
        "a constraint jumps: however short the step, the loops are closed only far away from "
        "where it ends",
        "Look for a branch cut such as that of arctan2, a comparison or a division in a "
        "constraint of your own, and write it without, for example with the sine of a "
        "difference of angles.",
    )
    UNSOLVED = (
        Status.UNSOLVED,
        "the equations of motion and of loops are not solved exactly here",
        "Their masses differ too much, or vanish in some direction at this position. Give "
        "small bodies more mass or inertia, or take another strategy.",
    )
    NO_CONVERGENCE = (
        Status.NO_CONVERGENCE,
        "Newton's iteration does not converge even with the smallest step",
        "The rate jumps here or its Jacobian is wrong. Replace a jump by a short smooth "
        "transition, or try an explicit method such as 'dopri5'.",
    )
    GUARD_TRIPPED = (
        Status.GUARD_TRIPPED,
        "a guarded value approaches zero in the next step",
        "Continue from `before` in another formulation.",
    )
    NO_MODES = (
        Status.NO_MODES,
        "no combination of sticking and slipping fits the equations of motion",
        "Contact with large friction may have no solution (Painlevé). Give less friction, or "
        "an elastic contact.",
    )
    BEYOND = (
        Status.BEYOND,
        "a reset of `when` puts something beyond its stop, or into what it touches",
        "Reset it to a place on this side of the stop, or move the stop.",
    )
    CHATTERS = (
        Status.CHATTERS,
        "events follow one another without end at this time",
        "Look at the parts named: what one event does is undone at once, by another or by the "
        "motion. Leave some distance between the two, so that it takes time.",
    )

    SLIDES = (
        Status.SLIDES,
        "the motion slides along the border between two branches of a law",
        "Replace the jump of the law by a steep smooth transition.",
    )

    def __init__(self, code: int, why: str, remedy: str) -> None:
        self.code = code
        self.why = why
        self.remedy = remedy

    @property
    def is_failure(self) -> bool:
        """Whether the run cannot continue."""
        return self not in (Outcome.REACHED, Outcome.PAUSED, Outcome.ENDED)

    def explain(self, time: float, seen: str = "", remedy: str = "") -> str:
        """Return the message for a run that came to `time`, what was seen there, and what helps.

        A remedy of what was seen stands for that of the outcome.
        """
        text = f"t = {time:.9g} s: {self.why}{f'; {seen}' if seen else ''}"
        remedy = remedy or self.remedy
        return f"{text}\n  {remedy}" if remedy else text


OUTCOMES = {outcome.code: outcome for outcome in Outcome}
