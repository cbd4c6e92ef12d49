"""RunFacts: what runs ask of a compiled model besides its layout and its machine code."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping

    from motorik.compiled_model import CompiledModel
    from motorik.loops.scales import Scales


class RunFacts:
    """Facts of a compiled model that runs ask for, as plain data, found when first asked for.

    Those of a stored model are read instead, so that a run without events needs neither its
    mechanism nor its equations.
    """

    _system: CompiledModel

    def __init__(self, system: CompiledModel | None = None) -> None:
        if system is not None:
            self._system = system

    # --- the mechanism ---------------------------------------------------------------------

    @cached_property
    def name(self) -> str:
        """The name of the mechanism."""
        return self._system.mechanism.name

    @cached_property
    def has_initial_conditions(self) -> bool:
        """Whether parts demand anything of the start besides values of states."""
        return bool(self._system.mechanism.initial_conditions)

    @cached_property
    def starts_as_given(self) -> bool:
        """Whether a run begins with the values given: nothing is to be found or put right.

        Something may still be beyond a stop there.
        """
        return self.state_is_given and not self.has_delays

    @cached_property
    def state_is_given(self) -> bool:
        """Whether the state of a start is that given; modes of friction may be to be found."""
        from motorik.loops.guesses import guesses, speed_guesses

        mechanism = self._system.mechanism
        if (
            not self.is_tree
            or not self.start_is_kinematic
            or self._system.layout.n_unwrapped
        ):
            return False
        return not (guesses(mechanism) or speed_guesses(mechanism))

    @cached_property
    def start_is_kinematic(self) -> bool:
        """Whether loops alone determine what is not given of a start.

        There are no conditions, no blocks or circuits that begin at rest, no forces in balance.
        """
        signals = self._system.mechanism.signals
        if self.has_initial_conditions or signals.found_states or self.searched:
            return False
        if signals.n_network_conditions or self._system.layout.n_guesses:
            return False
        return self._system.form.equilibrium is None

    @cached_property
    def gravity(self) -> float:
        """The strength of uniform gravity on masses [m/s²]; 0 without any."""
        system = self._system
        mechanism = system.mechanism
        g = mechanism.gravity.uniform
        if g is None or not (mechanism.masses or mechanism.line_masses):
            return 0.0
        return math.sqrt(sum(system.assembled.number(e) ** 2 for e in g.xyz))

    @cached_property
    def has_live_gravity(self) -> bool:
        """Whether this strength changes with live parameters."""
        mechanism = self._system.mechanism
        g = mechanism.gravity.uniform
        if g is None or not (mechanism.masses or mechanism.line_masses):
            return False
        return any(not isinstance(e, float) for e in g.xyz)

    @cached_property
    def searched(self) -> list[str]:
        """The variables that nonlinear equations of parts determine by search."""
        network = self._system.mechanism.signals.network
        return [] if network is None else list(network.searched)

    @cached_property
    def losable(self) -> dict[str, str]:
        """The variables that have no value in some modes of switches, and what they depend on."""
        network = self._system.mechanism.signals.network
        return {} if network is None else dict(network.losable)

    # --- the formulation -------------------------------------------------------------------

    @cached_property
    def is_tree(self) -> bool:
        """Whether nothing is to be solved: no loops, no massless bodies."""
        return self._system.formulation.is_empty

    @cached_property
    def has_loops(self) -> bool:
        """Whether loops were to be solved in one way or another."""
        form = self._system.formulation
        return bool(form.decisions or form.with_multiplier)

    @cached_property
    def freedom(self) -> int:
        """The degree of freedom."""
        return self._system.formulation.freedom

    @cached_property
    def scales(self) -> Scales:
        """The lengths of the mechanism."""
        return self._system.formulation.scales

    @cached_property
    def has_equilibrium(self) -> bool:
        """Whether massless bodies move by static equilibrium."""
        return self._system.form.equilibrium is not None

    @cached_property
    def needs_projection(self) -> bool:
        """Whether states drift off what they must satisfy."""
        return self._system.form.needs_projection

    @cached_property
    def is_audited(self) -> bool:
        """Whether rates are compared with the equations before elimination."""
        return self._system.form.is_audited

    @cached_property
    def has_charts(self) -> bool:
        """Whether joints change their coordinates in a run."""
        joints = (link.joint for link in self._system.mechanism.links)
        return any(c.name == "chart" for joint in joints for c in joint.coordinates)

    @cached_property
    def n_coordinates(self) -> int:
        """How many coordinates are states, each with its rate among the speeds in their order.

        0 if one of them has another rate.
        """
        from motorik.motion.joint_stiffness import speeds_of_coordinates

        f = self._system.formulation
        speeds = speeds_of_coordinates(self._system.mechanism)
        found = [speeds.get(k) for k in f.state_q]
        return len(found) if found == list(f.state_u) else 0

    @cached_property
    def solves_along_freedoms(self) -> bool:
        """Whether implicit methods solve their linear equations along the freedoms of a tree."""
        from motorik.motion.joint_stiffness import acts_along_freedoms

        form, mechanism = self._system.form, self._system.mechanism
        if not (self.is_tree and self.is_rolled and self.n_coordinates):
            return False
        if self._system.layout.blocks or form.feeds_back or self.is_nonsmooth:
            return False
        return mechanism.signals.network is None and acts_along_freedoms(mechanism)

    @cached_property
    def fastest_gain(self) -> float:
        """The largest of Baumgarte's gains [1/s], 0 without any."""
        gains = self._system.formulation.gains
        return 0.0 if gains is None else float(max(gains))

    @cached_property
    def n_guarded(self) -> int:
        """The number of guards of a run."""
        return len(self._system.equations.guarded)

    # --- the equations ---------------------------------------------------------------------

    @cached_property
    def is_rolled(self) -> bool:
        """Whether equal links share one piece of native code."""
        return self._system.natives.is_rolled

    @cached_property
    def responds(self) -> bool:
        """Whether kernels find the forces of many constraints."""
        return self._system.equations.response is not None

    @cached_property
    def has_discontinuities(self) -> bool:
        """Whether forces have cases, so that methods of high order meet kinks."""
        return self._system.natives.has_discontinuities

    @cached_property
    def has_laws(self) -> bool:
        """Whether forces act that depend on the motion, which have relative coordinates."""
        inventory = self._system.mechanism.inventory
        return bool(inventory.lines or inventory.joint_forces or inventory.forces)

    @cached_property
    def stretch_units(self) -> list[str]:
        """The units of the relative coordinates of these laws."""
        if not self.has_laws:
            return []
        name, natives = "relative_coordinates", self._system.natives
        equations = self._system.equations
        if self.is_rolled and natives.can_roll(name):
            natives.tape(name)
        else:
            equations.function(name)
        return list(equations.stretch_units)

    # --- events ----------------------------------------------------------------------------

    @cached_property
    def is_nonsmooth(self) -> bool:
        """Whether forces stick or slip."""
        return self._system.form.nonsmooth is not None

    @cached_property
    def has_events(self) -> bool:
        """Whether events change anything: forces that switch, or triggers."""
        return self.is_nonsmooth or bool(self._system.mechanism.inventory.triggers)

    @cached_property
    def has_delays(self) -> bool:
        """Whether signals are delayed."""
        return bool(self._system.mechanism.inventory.delays)

    @cached_property
    def has_time_events(self) -> bool:
        """Whether laws change at times of their own."""
        events = self._system.time_events
        return bool(events.count or events.mesh.count)

    @cached_property
    def n_state_events(self) -> int:
        """The number of conditions on the state in laws."""
        return self._system.function("law_conditions").numel_out(0) // 3

    @cached_property
    def skips_conditions(self) -> bool:
        """Whether there are too many of them to be sampled in each step."""
        from motorik.nonsmooth.laws.state_events import skips_conditions

        return skips_conditions(self._system.equations)

    # --- as data ---------------------------------------------------------------------------

    def as_data(self) -> dict[str, object]:
        """Return all facts as numbers, words and lists."""
        found = {name: getattr(self, name) for name in PLAIN}
        scales = self.scales
        arrays = (scales.coordinates, scales.speeds, scales.constraints)
        return {
            **found,
            "scales": [scales.length, *(array.tolist() for array in arrays)],
        }

    @staticmethod
    def of_data(data: Mapping[str, Any]) -> RunFacts:
        """Return the facts that `as_data` has written."""
        from motorik.loops.scales import Scales

        own = RunFacts()
        own.__dict__.update({name: data[name] for name in PLAIN})
        length, *arrays = data["scales"]
        own.scales = Scales(length, *(np.array(array, dtype=float) for array in arrays))
        return own


PLAIN = tuple(
    name
    for name, value in vars(RunFacts).items()
    if isinstance(value, cached_property) and name != "scales"
)
"""The facts that are numbers, words or lists of words."""
