"""Explanation of the assembly of a model as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from motorik.components.base.ports import PortKind
from motorik.components.blocks.discrete import When
from motorik.elements.revolute import RevolutePair
from motorik.errors import MotorikError
from motorik.initialisation.initialise import initialise
from motorik.loops.formulation import LinearStep
from motorik.loops.options import STRATEGIES
from motorik.nonsmooth.laws.time_events import INTERVALS
from motorik.numerics.tolerances import PARALLEL
from motorik.topology.mechanism import WORLD

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.components.base.contributions import Assignment, Gravity
    from motorik.components.base.part import Part
    from motorik.loops.formulation import Cluster, ConstraintEquation, Formulation
    from motorik.topology.mechanism import Link, Mechanism

LISTED = 20  # compound joints that are listed


def explain(system: CompiledModel, modes: Mapping[str, str] | None = None) -> str:
    """Return the decisions of assembly as text: tree, states, gravity, reasons.

    `modes` are those of each nonsmooth constraint at the start.
    """
    mechanism, formulation = system.mechanism, system.formulation
    lines = [
        f"{mechanism.name}: {_count(system.freedom, 'degree')} of freedom, "
        f"{_count(len(mechanism.links), 'moving link')}, {_count(system.layout.n_x, 'state')}",
        f"gravity: {_gravity(mechanism.gravity)}",
        f"forward dynamics: {system.chosen_algorithm()}",
        "tree, from the world outward:",
    ]
    for link in mechanism.links:
        if link.parent == WORLD:
            lines += _branch(mechanism, link, "  ")
    merged = _merged(mechanism)
    if merged:
        lines.append("rigidly connected parts that move as one:")
        lines += [f"  {', '.join(parts)}" for parts in merged]
    if mechanism.line_masses:
        names = ", ".join(mass.part.path for mass in mechanism.line_masses)
        lines.append(f"masses on lines, moved by both ends: {names}")
    if not formulation.is_empty:
        lines += _loops(system, formulation)
    lines += _states(system)
    lines += _switching(modes or {})
    lines += _triggers(mechanism)
    lines += _of_time(system)
    if mechanism.initial_conditions:
        lines.append("initial conditions:")
        lines += [f"  {d.part}.{d.name}" for d in mechanism.initial_conditions]
    lines += _parameters(system)
    if mechanism.reasons:
        lines.append("why:")
        lines += [f"  {reason}" for reason in mechanism.reasons]
    return "\n".join(lines)


def _states(system: CompiledModel) -> list[str]:
    """Return the states with the values that a run starts with, or with their guesses."""
    lines = ["states, with their start values:"]
    values = system.layout.state_of(system.layout.starts[0]).tolist()
    why = ""
    try:
        values = initialise(system, {}, system.parameter_values()).x.tolist()
    except MotorikError as error:
        why = f"  no start is found from these: {error.place}: {error.reason}"
    for state, value in zip(system.layout.states, values, strict=True):
        unit = "" if state.unit in ("1", "") else f" {state.unit}"
        how = "fixed"
        if not state.start.is_fixed:
            given = float(state.start.value)  # type: ignore[arg-type]
            how = "guess" if abs(given - value) < 1e-9 else f"guess {given:g}"
        lines.append(f"  {state.name} = {value:g}{unit} ({how})")
    return [*lines, why] if why else lines


def _switching(modes: Mapping[str, str]) -> list[str]:
    """Return the nonsmooth constraints, each with its initial mode."""
    lines = [f"  {name}: {mode}" for name, mode in modes.items()]
    return ["parts that stick, slip or hit, with their modes at the start:", *lines] * bool(
        lines
    )


def _triggers(mechanism: Mechanism) -> list[str]:
    """Return the conditions and clocks at which something happens, and what it changes."""
    lines = []
    for trigger in mechanism.inventory.triggers:
        when = "where its condition becomes positive"
        if trigger.condition is None:
            late = f", the first at {trigger.offset:g} s" * bool(trigger.offset)
            when = f"every {trigger.period:g} s{late}"
        does = [_done(trigger.part, one) for one in trigger.assignments]
        does += ["ends the run"] * trigger.stops
        lines.append(f"  {trigger.part.path}: {when}, {', '.join(does) or 'tells it'}")
    return ["what happens at instants:", *lines] * bool(lines)


def _done(part: Part, assignment: Assignment) -> str:
    """Return the effect of an event: a number or a state is set, or a flange is pushed."""
    target = assignment.target
    if isinstance(target, str):
        return f"resets {target}"
    if isinstance(part, When) and target in part.pushes():
        return f"pushes {part.pushes()[target].path}"
    return f"sets {target.label}"


def _of_time(system: CompiledModel) -> list[str]:
    """Return how many functions of time are sampled beforehand, if there are any."""
    count = system.time_events.mesh.count
    if not count:
        return []
    return [
        f"nonlinear functions of time: {count}, sampled in {INTERVALS} intervals of a run "
        "for what long steps would pass"
    ]


def _parameters(system: CompiledModel) -> list[str]:
    lines = []
    places = system.layout.live_names
    names = list(places)
    n = len(names) - system.n_designed
    if n:
        lines.append(f"live parameters: {', '.join(names[:n])}")
    for name in names[n:]:
        value = float(system.assembled.p[places[name]])
        lines.append(f"{name} = {value:.9g} m, from the model's own start values")
    return lines


def _loops(system: CompiledModel, formulation: Formulation) -> list[str]:
    """Return the decisions about each cluster of loops."""
    mechanism = system.mechanism
    lines: list[str] = []
    for number, decision in enumerate(formulation.decisions, 1):
        cluster = decision.cluster
        closing = [mechanism.closures[k].part for k in cluster.closures]
        loops = _count(len(closing), "loop")
        lines.append(f"loops, group {number}: {loops}, closed at {', '.join(closing)}")
        lines.append(f"  joints: {', '.join(cluster.names(mechanism))}")
        lines.append(f"  strategy: {decision.strategy} ({decision.reason})")
        if decision.decomposition is not None:
            names = {hinge.index: hinge.name for hinge in decision.hinges}
            for step in decision.decomposition.groups:
                own = ", ".join(names[h] for h in step.hinges)
                branches = (
                    f"; branches {', '.join(step.branch_names)}"
                    if step.n_branches > 1
                    else ""
                )
                lines.append(f"    {step.title}: {own}{branches}")
        speeds = set(cluster.speeds) & set(formulation.state_u)
        traits = STRATEGIES[decision.strategy]
        if traits.must_close:
            kept = ", ".join(
                mechanism.speeds[k].name.rsplit(".", 1)[0] for k in sorted(speeds)
            )
            lines.append(f"  independent coordinates: {kept or 'none'}")
        lines.append(f"  {_freedom(mechanism, cluster)}")
        if cluster.redundant:
            lines.append(f"  {_redundant(system, cluster)}")
    for step in formulation.steps:
        if isinstance(step, LinearStep):
            name = mechanism.coordinates[step.coordinate].name
            lines.append(f"{name} follows from {step.relation.part}")
    return [*lines, *_units(system)]


def _units(system: CompiledModel) -> list[str]:
    """Return the joints and compound joints that are solved one after the other."""
    loops, links = system.form.loops, system.mechanism.links
    compound = loops.coupled
    single = len(loops.compounds) - len(compound)
    lines = [
        f"solved along the tree: {_count(single, 'joint')} one by one, "
        f"{_count(len(compound), 'compound joint')}"
    ]
    for unit in compound[:LISTED]:
        parts = ", ".join(dict.fromkeys(links[k].part for k in unit.links))
        base = (
            "the world" if unit.base == WORLD else f"what {links[unit.base].part} carries"
        )
        lines.append(f"  {parts}, on {base}")
    if len(compound) > LISTED:
        lines.append(f"  and {len(compound) - LISTED} more")
    return lines


def _freedom(mechanism: Mechanism, cluster: Cluster) -> str:
    """Return the degrees of freedom of the loops, and the relations on them."""
    inside = set(cluster.speeds)
    held = [r.part for r in mechanism.relations if any(u in inside for u, _ in r.terms)]
    text = f"degrees of freedom of the loops: {cluster.freedom}"
    return f"{text}, also constrained by {', '.join(dict.fromkeys(held))}" if held else text


def _redundant(system: CompiledModel, cluster: Cluster) -> str:
    equations: Sequence[ConstraintEquation] = system.formulation.constraints.equations
    counts: dict[tuple[str, str], int] = {}
    for k in cluster.redundant:
        what = "position" if equations[k].unit == "m" else "direction"
        key = (equations[k].part, what)
        counts[key] = counts.get(key, 0) + 1
    parts = ", ".join(
        f"{_count(n, f'{what} constraint')} of {part}" for (part, what), n in counts.items()
    )
    text = (
        f"redundant, left out: {parts}: they follow from the others at all assembled poses"
    )
    if _is_planar(system, cluster) and len(cluster.redundant) <= _count_across(
        equations, cluster
    ):
        return (
            f"{text}; forces in the plane of motion are unique, of those across it and of "
            "moments in it the smallest are given"
        )
    return f"{text}, so reactions are not unique and the smallest are given"


def _count_across(equations: Sequence[ConstraintEquation], cluster: Cluster) -> int:
    """Return how many constraint equations of planar loops hold motion out of the plane.

    Of what closes a loop two equations hold in the plane, or all if there are fewer; across it
    at most three can be held, a position and two directions.
    """
    held = Counter(equations[k].part for k in cluster.constraints)
    return sum(max(0, min(3, count - 2)) for count in held.values())


def _is_planar(system: CompiledModel, cluster: Cluster) -> bool:
    """Return whether all hinges of a cluster have parallel axes at the start."""
    mobility = system.mobility
    if mobility is None:
        return False
    axes = []
    for k in cluster.links:
        link = mobility.numeric.links[k]
        if isinstance(link.joint, RevolutePair):
            R = mobility.views[0].pose_of_link(link.index).R
            axes.append([float(e) for e in (R @ link.joint.axis).xyz])
    if not axes:
        return False
    return bool(np.linalg.norm(np.cross(axes[0], axes), axis=1).max() < PARALLEL)


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _gravity(gravity: Gravity) -> str:
    if gravity.uniform is not None:
        g = gravity.uniform.xyz
        if all(isinstance(c, float) and c == 0.0 for c in g):
            return "none"
        return f"uniform, {tuple(g)} m/s2, applied as base acceleration"
    return "depends on the place, evaluated for each link"


def _branch(mechanism: Mechanism, link: Link, indent: str) -> list[str]:
    """Return the lines of a link and its descendants (without recursion in long chains)."""
    lines: list[str] = []
    stack = [(link, indent)]
    while stack:
        at, space = stack.pop()
        way = "reversed " if at.is_reversed else ""
        mass = _load(at)
        kind = type(at.entry.owner).__name__
        freedom = _count(len(at.u), "freedom")
        lines.append(f"{space}{at.part} ({way}{kind}, {freedom}) carries {mass}")
        for child in reversed(mechanism.children(at.index)):
            stack.append((child, space + "  " if len(space) < 40 else space))
    return lines


def _load(link: Link) -> str:
    """Return the mass that a link carries, or the inertia of what is on its line."""
    heavy, unit = link.inertia.mass(), "kg"
    if link.own is not None:
        turns = link.own.flange.kind is PortKind.ROTATIONAL
        heavy, unit = link.armature, "kg·m2" if turns else "kg"
    return f"{heavy:g} {unit}" if isinstance(heavy, float) else "live mass"


def _merged(mechanism: Mechanism) -> list[list[str]]:
    groups: dict[int, list[str]] = {}
    for branch in mechanism.branches:
        if branch.rigid is not None:
            index = mechanism.nodes[branch.near_node].link
            groups.setdefault(index, []).append(branch.near.owner.path)
    for mass in mechanism.masses:
        index = mechanism.nodes[mechanism.inventory.node(mass.frame)].link
        groups.setdefault(index, []).append(mass.frame.owner.path)
    return [sorted(set(parts)) for parts in groups.values() if len(set(parts)) > 1]
