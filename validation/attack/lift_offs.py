"""Smooth lift-offs from stops and contacts, and smooth returns."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from scipy.linalg import expm

import motorik as mk
from motorik import forces, translational
from motorik.results import Result
from validation.attack.finding import METHODS, Finding, judged, run

KINDS = ("stop of a joint", "contact", "mass with stops")
STOP = 6.0


def model_of(kind: str) -> mk.Model:
    """Return a mass at a stop, with a spring to a second mass under a constant force."""
    model = mk.Model()
    model.c, model.load = mk.Parameter(40.0), mk.Parameter(5.0)
    model.spring = translational.Spring(c=model.c, s_rel0=1.0)
    model.swinging = translational.Mass(m=3.0, s=1.0, v=0.0)
    model.force = translational.ConstantForce(f_constant=-model.load)
    if kind == "mass with stops":
        model.held = translational.MassWithStopAndFriction(
            m=1.0,
            L=0.0,
            smin=0.0,
            smax=1000.0,
            F_prop=0.0,
            F_Coulomb=0.0,
            F_Stribeck=0.0,
            s=0.0,
            v=0.0,
        )
        model.connect(model.held.flange_b, model.spring.flange_a)
    else:
        model.world = mk.World(gravityType="none")
        stops = (0.0, None) if "stop" in kind else None
        model.held = mk.Prismatic(n="y", s=0.0, v=0.0, useAxisFlange=True, stops=stops)
        model.body = mk.Body(m=1.0)
        model.connect(model.world.frame_b, model.held.frame_a)
        model.connect(model.held.frame_b, model.body.frame_a)
        model.connect(model.held.axis, model.spring.flange_a)
        if kind == "contact":
            model.contact = forces.PointPlaneContact(mu=0.0, e=0.0)
            model.connect(model.world.frame_b, model.contact.frame_a)
            model.connect(model.contact.frame_b, model.body.frame_a)
    model.connect(model.spring.flange_b, model.swinging.flange_a)
    model.connect(model.force.flange, model.swinging.flange_b)
    return model


def reference(c: float, load: float, start: float) -> np.ndarray:
    """Return the place of the held mass by exact pieces of linear motion, every 0.01 s.

    While it rests, the second mass swings by itself; while it is free, both do. Changes
    are located by bisection on the closed forms.
    """
    m1, m2 = 1.0, 3.0
    x = np.array([0.0, 0.0, start, 0.0])  # s1, v1, s2, v2
    rest = np.zeros((4, 4))
    rest[2, 3], rest[3, 2] = 1.0, -c / m2
    free = rest.copy()
    free[0, 1], free[1, 0], free[1, 2], free[3, 0] = 1.0, -c / m1, c / m1, c / m2
    push = np.array([0.0, 0.0, 0.0, (c - load) / m2])
    pulled = push + np.array([0.0, -c / m1, 0.0, 0.0])
    flows = {}
    for name, A, b in (("rest", rest, push), ("free", free, pulled)):
        flows[name] = affine_flow(A, b)
    t, out = 0.0, [0.0]
    mode = "rest" if x[2] <= 1.0 else "free"
    for k in range(1, round(STOP / 0.01) + 1):
        end = 0.01 * k
        for _ in range(20):
            y = flows[mode](end - t, x)
            leaves = mode == "rest" and y[2] - 1.0 > 0.0
            lands = mode == "free" and y[0] < 0.0
            if not (leaves or lands):
                break
            low, high = 0.0, end - t
            for _ in range(80):
                middle = 0.5 * (low + high)
                z = flows[mode](middle, x)
                beyond = z[2] - 1.0 > 0.0 if leaves else z[0] < 0.0
                low, high = (low, middle) if beyond else (middle, high)
            x, t = flows[mode](high, x), t + high
            if lands:
                x[0], x[1] = 0.0, 0.0
                mode = "rest" if x[2] <= 1.0 else "free"
            else:
                mode = "free"
        x, t = flows[mode](end - t, x), end
        out.append(x[0])
    return np.array(out)


def affine_flow(A: np.ndarray, b: np.ndarray) -> Callable[[float, np.ndarray], np.ndarray]:
    """Return the solution of x' = A x + b after a time, as a function of time and start."""
    size = len(b)
    whole = np.zeros((size + 1, size + 1))
    whole[:size, :size], whole[:size, size] = A, b

    def flow(t: float, x: np.ndarray) -> np.ndarray:
        return (expm(t * whole) @ np.append(x, 1.0))[:size]

    return flow


def penetration(result: Result, size: float) -> float:
    """Return how far rows contradict s ≥ 0, relative to the size of the motion."""
    return float(max(0.0, -result["held.s"].min()) / size)


def lift_offs(rng: np.random.Generator) -> Iterator[Finding]:
    """Lift a mass off a stop by a spring; compare every method with exact linear pieces."""
    kind = str(rng.choice(KINDS))
    model = model_of(kind)
    for _ in range(12):
        c, load = float(10 ** rng.uniform(0, 3)), float(rng.uniform(0.1, 10.0))
        swing = load / c * float(rng.uniform(1.001, 3.0))
        start = 1.0 - load / c - swing
        method, rtol = str(rng.choice(METHODS)), float(10 ** rng.uniform(-10, -4))
        detail = (
            f"{kind}, c {c:.4g}, load {load:.4g}, swing {swing:.4g}, {method} {rtol:.1e}"
        )

        def apart(
            c: float = c,
            load: float = load,
            start: float = start,
            method: str = method,
            rtol: float = rtol,
        ) -> float:
            result = run(
                model,
                STOP,
                parameters={"c": c, "load": load},
                initial={"swinging.s": start},
                method=method,
                rtol=rtol,
                output=round(STOP / 0.01),
            )
            exact = reference(c, load, start)
            size = max(np.abs(exact).max(), load / c)
            turned = np.sqrt(c * 4 / 3) * STOP
            worst = np.abs(result["held.s"] - exact).max() / size
            allowed = 1e3 * (rtol + 1e-12) * turned
            inside = penetration(result, size) / (10.0 * (rtol + 1e-12))
            return float(max(worst / allowed, inside))

        yield judged("exact pieces", apart, detail)
