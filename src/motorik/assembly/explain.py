"""What was decided when a model was assembled, in words."""

from __future__ import annotations

from motorik.assembly.mechanism import WORLD, Link, Mechanism
from motorik.components.contributions import Gravity


def explain(mechanism: Mechanism, algorithm: str = "") -> str:
    """Return the decisions of assembly as text: tree, states, gravity, why."""
    lines = [
        f"{mechanism.name}: {_count(mechanism.n_u, 'degree')} of freedom, "
        f"{_count(len(mechanism.links), 'moving link')}, {len(mechanism.states)} states",
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
    lines.append("states, with their start values:")
    for state in mechanism.states:
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
