"""Masses whose accelerations act on one another."""

from motorik import Model, blocks
from motorik import functions as fn
from motorik import translational as tr


def feed_back(model: Model) -> None:
    """Let the forces f + K h(a), h = a² / √(1 + a²), act on the masses `mass` of a model.

    `f` and `K` are numbers of the model, one and a row for each mass.
    """
    n = len(model.mass)
    model.meter = [tr.AccSensor() for _ in range(n)]
    model.push = [tr.ConstantForce(f_constant=float(f)) for f in model.f]
    model.force = [tr.Force() for _ in range(n)]
    model.sum = [blocks.Sum(k=[1.0] * n) for _ in range(n)]
    model.law = [
        blocks.Function(
            f=lambda a, k=float(model.K[i, j]): k * a * a / fn.sqrt(1.0 + a * a)
        )
        for i in range(n)
        for j in range(n)
    ]
    for i in range(n):
        model.mass[i].flange_b >> model.meter[i].flange
        model.push[i].flange >> model.mass[i].flange_a
        model.force[i].flange >> model.mass[i].flange_b
        model.sum[i].y >> model.force[i].f
        for j in range(n):
            model.meter[j].a >> model.law[i * n + j].u
            model.law[i * n + j].y >> model.sum[i].u[j]
