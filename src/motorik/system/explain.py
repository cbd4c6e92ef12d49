"""What was decided when a model was assembled, in words."""

from __future__ import annotations

from collections.abc import Sequence

from motorik.components.contributions import Gravity
from motorik.loops.formulation import EXPLICIT, MINIMAL, Formulation, LinearStep
from motorik.loops.rows import Row
from motorik.topology.mechanism import WORLD, Link, Mechanism


def explain(
    mechanism: Mechanism, algorithm: str = "", formulation: Formulation | None = None
) -> str:
    """Return the decisions of assembly as text: tree, states, gravity, why."""
    freedom, n_states = mechanism.n_u, len(mechanism.states)
    if formulation is not None:
        freedom = formulation.freedom
        n_states = len(formulation.state_q) + len(formulation.state_u)
    n_states += len(mechanism.signals.states)
    lines = [
        f"{mechanism.name}: {_count(freedom, 'degree')} of freedom, "
        f"{_count(len(mechanism.links), 'moving link')}, {n_states} states",
        f"gravity: {_gravity(mechanism.gravity)}",
    ]
    if algorithm:
        lines.append(f"forward dynamics: {algorithm}")
    lines.append("tree, from the world outward:")
    for link in mechanism.links:
        if link.parent == WORLD:
            lines += _branch(mechanism, link, "  ")
    merged = _merged(mechanism)
    if merged:
        lines.append("rigidly connected parts that move as one:")
        lines += [f"  {', '.join(parts)}" for parts in merged]
    chosen = mechanism.states
    if formulation is not None:
        lines += _loops(mechanism, formulation)
        n_q = mechanism.n_q
        chosen = [mechanism.states[k] for k in formulation.state_q]
        chosen += [mechanism.states[n_q + k] for k in formulation.state_u]
    lines.append("states, with their start values:")
    for state in [*chosen, *mechanism.signals.states]:
        how = "fixed" if state.start.is_fixed else "guess"
        unit = "" if state.unit == "1" else f" {state.unit}"
        lines.append(f"  {state.name} = {state.start.value:g}{unit} ({how})")
    if mechanism.demands:
        lines.append("demands on the start:")
        lines += [f"  {d.part}.{d.name}" for d in mechanism.demands]
    if mechanism.parameters:
        names = ", ".join(scalar.label for scalar in mechanism.parameters)
        lines.append(f"live parameters: {names}")
    if mechanism.reasons:
        lines.append("why:")
        lines += [f"  {reason}" for reason in mechanism.reasons]
    return "\n".join(lines)


def _loops(mechanism: Mechanism, formulation: Formulation) -> list[str]:
    """Return what was decided about each group of loops that share links."""
    lines: list[str] = []
    rows = formulation.rows.rows
    for number, decision in enumerate(formulation.decisions, 1):
        cluster = decision.cluster
        closing = [mechanism.closures[k].part for k in cluster.closures]
        loops = _count(len(closing), "loop")
        lines.append(f"loops, group {number}: {loops}, closed at {', '.join(closing)}")
        lines.append(f"  joints: {', '.join(cluster.names(mechanism))}")
        lines.append(f"  strategy: {decision.strategy} ({decision.reason})")
        if decision.plan is not None:
            names = {hinge.index: hinge.name for hinge in decision.hinges}
            for step in decision.plan.steps:
                own = ", ".join(names[h] for h in step.hinges)
                sides = f"; branches {', '.join(step.side_names)}" if step.sides > 1 else ""
                lines.append(f"    {step.title}: {own}{sides}")
        speeds = set(cluster.speeds) & set(formulation.state_u)
        if decision.strategy in (EXPLICIT, MINIMAL):
            kept = ", ".join(
                mechanism.speeds[k].name.rsplit(".", 1)[0] for k in sorted(speeds)
            )
            lines.append(f"  independent coordinates: {kept or 'none'}")
        lines.append(f"  degree of freedom: {cluster.freedom}")
        if cluster.redundant:
            lines.append(f"  {_redundant(cluster.redundant, rows)}")
    for step in formulation.steps:
        if isinstance(step, LinearStep):
            name = mechanism.coordinates[step.coordinate].name
            lines.append(f"{name} follows from {step.relation.part}")
    return lines


def _redundant(numbers: Sequence[int], rows: Sequence[Row]) -> str:
    counts: dict[tuple[str, str], int] = {}
    for k in numbers:
        what = "position" if rows[k].unit == "m" else "direction"
        key = (rows[k].part, what)
        counts[key] = counts.get(key, 0) + 1
    parts = ", ".join(
        f"{_count(n, f'{what} constraint')} of {part}" for (part, what), n in counts.items()
    )
    return (
        f"redundant, left out: {parts}: they follow from the others at all assembled poses, "
        "so reactions are not unique and the smallest are given"
    )


def _count(number: int, thing: str) -> str:
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _gravity(gravity: Gravity) -> str:
    if gravity.uniform is not None:
        g = gravity.uniform.xyz
        if all(isinstance(c, float) and c == 0.0 for c in g):
            return "none"
        return f"uniform, {tuple(g)} m/s2, had by accelerating the world"
    return "depends on the place, evaluated for each link"


def _branch(mechanism: Mechanism, link: Link, indent: str) -> list[str]:
    """Return the lines of a link and all that hangs on it (without recursion in long chains)."""
    lines: list[str] = []
    stack = [(link, indent)]
    while stack:
        at, space = stack.pop()
        way = "reversed " if at.is_reversed else ""
        heavy = at.inertia.mass()
        mass = f"{heavy:g} kg" if isinstance(heavy, float) else "live mass"
        kind = type(at.edge.joint if at.edge is not None else at.joint).__name__
        freedom = _count(len(at.u), "freedom")
        lines.append(f"{space}{at.part} ({way}{kind}, {freedom}) carries {mass}")
        for child in reversed(mechanism.children(at.index)):
            stack.append((child, space + "  " if len(space) < 40 else space))
    return lines


def _merged(mechanism: Mechanism) -> list[list[str]]:
    groups: dict[int, list[str]] = {}
    for branch in mechanism.branches:
        if branch.rigid is not None:
            index = mechanism.nodes[branch.near_node].link
            groups.setdefault(index, []).append(branch.near.owner.path)
    for mass in mechanism.masses:
        index = mechanism.nodes[mechanism.stock.node(mass.frame)].link
        groups.setdefault(index, []).append(mass.frame.owner.path)
    return [sorted(set(parts)) for parts in groups.values() if len(set(parts)) > 1]
