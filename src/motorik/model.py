"""Model: the mechanism a user builds, explains, compiles and simulates."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from motorik.components.composite import Composite
from motorik.components.part import ParameterSpec, StartSpec
from motorik.components.values import Parameter
from motorik.errors import SimulationError, UnknownNameError, suggest

if TYPE_CHECKING:
    import numpy as np

    from motorik.analysis.analysis import Branch
    from motorik.results import Result
    from motorik.simulation.simulator import Simulator
    from motorik.system.system import System

KEPT = 8  # compiled systems kept for each model


class Model(Composite):
    """A mechanism made of parts.

    Parts are named by assignment and connected by ``>>`` or `connect`, in any order::

        class Pendulum(Model):
            def build(self, damping=0.1):
                self.world = World()
                self.rev = Revolute(n="z", useAxisFlange=True)
                self.body = Body(m=1.0, r_CM=(0.5, 0, 0))
                self.world.frame_b >> self.rev.frame_a
                self.rev.frame_b >> self.body.frame_a

        result = Pendulum().simulate(10.0)

    A model can also be filled from outside: ``m = Model(); m.world = World(); …``, and be a
    part of another model.
    """

    strategy: ClassVar[str | Mapping[str, str]] = "auto"
    baumgarte: ClassVar[tuple[float, float] | None] = None

    def __init__(self, *unnamed: Any, **given: Any) -> None:
        self.__dict__["_compiled"] = {}
        super().__init__(*unnamed, **given)

    def __getstate__(self) -> dict[str, Any]:
        """Return what a copy or a pickle keeps: all but machine code."""
        state = {k: v for k, v in self.__dict__.items() if not k.startswith("_latest")}
        return {**state, "_compiled": {}}

    # --- compiling -------------------------------------------------------------------------

    def compile(
        self,
        strategy: str | Mapping[str, str] | None = None,
        baumgarte: tuple[float, float] | None = None,
    ) -> System:
        """Return the compiled equations of the model as it is now.

        `strategy` says how loops are solved: "auto", "explicit", "projected", "minimal",
        "baumgarte" (with the gains α, β [1/s]) or "absolute"; by default the model's own.
        A dict gives some loops a strategy by the name of a part in them.

        Compiled systems are kept: a model that was not changed is not compiled again, and
        live parameters never need it.
        """
        from motorik.system.system import System

        wanted = _wanted(strategy or self.strategy, baumgarte or self.baumgarte)
        state = (self.revision, wanted)
        if self.__dict__.get("_latest_state") == state:
            return self.__dict__["_latest"]
        key = (self._fingerprint(), wanted)
        kept = self.__dict__["_compiled"]
        if key not in kept:
            while len(kept) >= KEPT:
                kept.pop(next(iter(kept)))
            kept[key] = System(self, _as_wanted(*wanted))
        self.__dict__["_latest"] = kept[key]
        self.__dict__["_latest_state"] = state
        return kept[key]

    def _fingerprint(self) -> tuple[Any, ...]:
        """Return what tells two states of the model apart: parts, plain values, connections."""
        entries: list[Any] = []
        for part in self.walk():
            entries.append((part.path, type(part)))
            for name in part.specs:
                if name in part.__dict__:
                    entries.append(_comparable(part.__dict__[name]))
            entries += [(a.path, b.path) for a, b in part.connections]
        return tuple(entries)

    def explain(self, strategy: str | Mapping[str, str] | None = None) -> str:
        """Say what was decided when the model was assembled, and why."""
        from motorik.system.explain import explain

        system = self.compile(strategy)
        return explain(system.mechanism, system.chosen_algorithm(), system.formulation)

    # --- running ---------------------------------------------------------------------------

    def simulate(
        self,
        stop: float,
        *,
        begin: float = 0.0,
        method: str = "auto",
        rtol: float = 1e-6,
        atol: float | Mapping[str, float] | Sequence[float] | None = None,
        output: int | float | str | Sequence[float] | np.ndarray | None = None,
        step: float | None = None,
        max_step: float = math.inf,
        max_steps: int = 100_000_000,
        time_limit: float | None = None,
        start: Mapping[str, float] | None = None,
        parameters: Mapping[str, Any] | None = None,
        strategy: str | Mapping[str, str] | None = None,
        baumgarte: tuple[float, float] | None = None,
        branch: Mapping[str, str] | None = None,
        dead_centre: str = "project",
        progress: bool | None = None,
    ) -> Result:
        """Simulate from `begin` to `stop` [s] and return the result.

        * `method`: "auto", or one of euler, rk4, dopri5, dop853, gbs, adams, bdf;
        * `rtol`, `atol`: relative and absolute tolerance (one number, one per state, or a
          dict by state name); `atol` is `rtol` in SI units by default;
        * `output`: 500 intervals by default; a count of intervals, an interval [s], the
          times themselves, or "steps" for every step of the method;
        * `step`, `max_step` [s], `max_steps`, `time_limit` [s of computing];
        * `start`: start values by state name; `parameters`: values by parameter name for
          this run only, live ones at no cost, others by compiling the model anew;
        * `strategy`, `baumgarte`: how loops are solved, see `compile`; `branch`: on which
          side loops start, by the name of a joint in them (see `branches`);
        * `dead_centre`: at the dead centre of a loop in closed form go on by projection
          ("project"), or "stop";
        * `progress`: a progress bar for runs longer than a second (in terminals by default).

        A run that fails, is interrupted (Ctrl-C) or reaches a limit returns what it has:
        see ``result.complete`` and ``result.info.message``.
        """
        from motorik.simulation.run import simulate

        with _Overridden(self, parameters or {}):
            return simulate(
                self.compile(strategy, baumgarte),
                stop,
                begin=begin,
                method=method,
                rtol=rtol,
                atol=atol,
                output=output,
                step=step,
                max_step=max_step,
                max_steps=max_steps,
                time_limit=time_limit,
                start=start,
                branch=branch,
                dead_centre=dead_centre,
                progress=progress,
            )

    def simulator(self, **options: Any) -> Simulator:
        """Return a simulation that is moved on by `step(dt)`; options as of `Simulator`."""
        from motorik.simulation.simulator import Simulator

        return Simulator(self.compile(), **options)

    # --- loops -----------------------------------------------------------------------------

    def branches(self, start: Mapping[str, float] | None = None) -> list[Branch]:
        """Return the ways to assemble the loops at the independent start coordinates.

        Give ``branch=way.sides`` to `simulate` to start in one of them.
        """
        from motorik.analysis.analysis import branches

        return branches(self.compile(), start or {})

    def inverse_kinematics(
        self, targets: Mapping[str, Any], start: Mapping[str, float] | None = None
    ) -> dict[str, float]:
        """Return the coordinates at which variables have given values and all loops close.

        `targets` by the names that results use, e.g. ``{"tool.frame_b.r_0": (0.4, 0.2, 0)}``;
        coordinates in `start` are kept. The search begins at the start of the model.
        """
        from motorik.analysis.analysis import inverse_kinematics

        return inverse_kinematics(self.compile(), targets, start or {})

    def inverse_dynamics(
        self,
        time: Sequence[float] | np.ndarray,
        motion: Mapping[str, Sequence[Any]],
        drives: Sequence[str] | None = None,
        strategy: str = "projected",
    ) -> dict[str, np.ndarray]:
        """Return the forces [N] and torques [N.m] at joints that bring about a motion.

        `motion` gives coordinates by name as (values, rates, second rates) over `time` [s];
        what it leaves open follows from the loops. `drives` are the coordinates where
        actuators are, by default those of the motion.
        """
        import numpy as np

        from motorik.analysis.analysis import inverse_dynamics

        times = np.atleast_1d(np.asarray(time, dtype=float))
        return inverse_dynamics(self.compile(strategy), times, motion, drives)

    # --- parameters by name ----------------------------------------------------------------

    def find_parameter(self, name: str) -> tuple[Any, str]:
        """Return the part and the parameter that a dotted name means."""
        *path, last = name.split(".")
        part: Any = self
        for step in path:
            if step not in part.parts:
                raise UnknownNameError(
                    part.label, f"has no part {step!r}.", suggest(step, part.parts)
                )
            part = part.parts[step]
        spec = part.specs.get(last)
        if isinstance(spec, StartSpec):
            raise UnknownNameError(
                part.label,
                f"{last!r} is a start value, not a parameter.",
                f"Give it as start={{{name!r}: …}}.",
            )
        if not isinstance(spec, ParameterSpec):
            known = [n for n, s in part.specs.items() if isinstance(s, ParameterSpec)]
            raise UnknownNameError(
                part.label, f"has no parameter {last!r}.", suggest(last, known)
            )
        return part, last

    def __repr__(self) -> str:
        body = self.tree("  ")
        return f"{type(self).__name__}:\n{body}" if body else f"{type(self).__name__}()"


def _wanted(strategy: Any, gains: Any) -> tuple[Any, ...]:
    """Return what is wanted of loops in a form that can be compared."""
    if not isinstance(strategy, (str, Mapping)):
        raise UnknownNameError(
            "strategy", f"{strategy!r} is not known.", 'Give a name, e.g. "projected".'
        )
    by_part = tuple(sorted(strategy.items())) if isinstance(strategy, Mapping) else ()
    own = tuple(gains) if isinstance(gains, (tuple, list)) else gains
    return ("auto" if by_part else strategy, by_part, own)


def _as_wanted(strategy: str, by_part: tuple[Any, ...], gains: Any) -> Any:
    from motorik.loops.wanted import Wanted

    return Wanted(strategy, dict(by_part), gains)


class _Overridden:
    """Parameters with other values for the length of a run."""

    def __init__(self, model: Model, values: Mapping[str, Any]) -> None:
        if not isinstance(values, Mapping):
            raise SimulationError(
                "simulate",
                f"parameters = {values!r} names no parameters.",
                'Give e.g. {"body.m": 2.0}.',
            )
        self.model = model
        self.values = values
        self._before: list[tuple[Any, str, Any]] = []

    def __enter__(self) -> None:
        live = self.model.live_parameters() if self.values else {}
        try:
            for name, value in self.values.items():
                if name in live:
                    self._before.append((live[name], "value", live[name].value))
                    live[name].value = value
                    continue
                part, parameter = self.model.find_parameter(name)
                before = part.__dict__[parameter]
                own = getattr(before, "parameter", None)
                if isinstance(own, Parameter):
                    self._before.append((own, "value", own.value))
                    own.value = value
                else:
                    self._before.append((part, parameter, before))
                    setattr(part, parameter, value)
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *_: object) -> None:
        for owner, name, value in reversed(self._before):
            setattr(owner, name, value)
        self._before.clear()


def _comparable(value: Any) -> Any:
    leaves = getattr(value, "_leaves", None)
    if leaves:
        return (type(value), *(_comparable(getattr(value, leaf)) for leaf in leaves))
    try:
        hash(value)
    except TypeError:
        return repr(value)
    return value
