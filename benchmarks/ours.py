"""Motorik's side: links as a model, and its native code timed as that of the peers."""

from __future__ import annotations

import ctypes
import json
import time
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.models import Array, Fall, Samples, Tree, make_chain, make_falls
from benchmarks.report import best_seconds, print_note
from motorik import (
    Body,
    FixedRotation,
    FixedTranslation,
    FreeMotion,
    Model,
    Revolute,
    World,
)

if TYPE_CHECKING:
    from benchmarks.peers import Timing

METHODS = ("dopri5", "dop853", "gbs", "adams")
# our speeds of a free joint are (angular, linear), those of the samples (linear, angular)
SWAPPED = [3, 4, 5, 0, 1, 2]


def make_model(tree: Tree, q0: Array | None = None) -> Model:
    """Return the tree as a model: per link an offset, if any, a joint and a body."""
    model = Model()
    size = float(np.linalg.norm(tree.g))
    model.world = World(g=size, n=tuple(np.array(tree.g) / size))
    ends: list[Any] = []
    for i, link in enumerate(tree.links):
        carrier = model.world.frame_b if link.parent < 0 else ends[link.parent]
        offset = make_offset(link.p, link.R)
        if offset is not None:
            setattr(model, f"offset{i}", offset)
            model.connect(carrier, offset.frame_a)
            carrier = offset.frame_b
        if link.axis is None:
            joint = FreeMotion()
        else:
            joint = Revolute(n=link.axis, phi=0.0 if q0 is None else float(q0[i]))
        body = Body(m=link.m, r_CM=tuple(link.c), I=link.I.tolist())
        setattr(model, f"joint{i}", joint)
        setattr(model, f"body{i}", body)
        model.connect(carrier, joint.frame_a)
        model.connect(joint.frame_b, body.frame_a)
        ends.append(joint.frame_b)
    return model


def make_offset(p: Array, R: Array) -> FixedTranslation | FixedRotation | None:
    """Return the rigid part that leads to a frame at p and R, or None if it is the same."""
    if not np.array_equal(R, np.eye(3)):
        return FixedRotation(
            r=tuple(p),
            rotationType="TwoAxesVectors",
            n_x=tuple(R[:, 0]),
            n_y=tuple(R[:, 1]),
        )
    return FixedTranslation(r=tuple(p)) if p.any() else None


def compile_tree(tree: Tree) -> Any:
    """Return the system of a tree with its forward dynamics compiled."""
    system = make_model(tree).compile()
    _ = system.forward_dynamics
    return system


def make_motorik(tree: Tree, samples: Samples) -> Callable[[], Timing]:
    """Return motorik's forward dynamics, called by its address from a native loop."""
    return time_system(compile_tree(tree), tree, samples)


def time_system(system: Any, tree: Tree, samples: Samples) -> Callable[[], Timing]:
    """Return the timing of a compiled tree, its accelerations in the order of the links."""
    iq, iv = find_places(system, tree)
    q, v, tau = (np.empty_like(rows) for rows in (samples.q, samples.v, samples.tau))
    q[:, iq], v[:, iv], tau[:, iv] = samples.q, samples.v, samples.tau
    p = np.zeros(1)
    vdot = np.empty_like(v)
    timer = native_timer() or slow_timer
    function = system.forward_dynamics  # its code lives as long as this object

    def measure() -> Timing:
        seconds = timer(function.address, q, v, tau, p, vdot)
        return seconds, vdot[:, iv]

    return measure


def find_places(system: Any, tree: Tree) -> tuple[list[int], list[int]]:
    """Return where the coordinates and speeds of the links are in those of the system."""
    coordinates, speeds = system.state_names[: system.n_q], system.state_names[system.n_q :]
    iq: list[int] = []
    iv: list[int] = []
    for i, link in enumerate(tree.links):
        mine = f"joint{i}."
        q = [k for k, name in enumerate(coordinates) if name.startswith(mine)]
        v = [k for k, name in enumerate(speeds) if name.startswith(mine)]
        iq += q
        iv += v if link.axis else [v[k] for k in SWAPPED]
    return iq, iv


Timer = Callable[[int, Array, Array, Array, Array, Array], float]


@cache
def native_timer() -> Timer | None:
    """Return the timing loop in C, or None with a warning if there is no compiler."""
    from benchmarks.harness import NotAvailable, build  # a first run does without it

    try:
        path = build("time_address.c", "-O2", "-shared", "-fPIC", compiler="gcc")
    except NotAvailable as reason:
        print_note(
            f"{reason}; calls go through ctypes, which adds about a microsecond each"
        )
        return None
    function = ctypes.CDLL(str(path)).time_address
    function.restype = ctypes.c_double
    function.argtypes = [ctypes.c_void_p] * 6 + [ctypes.c_int] * 3

    def timer(address: int, *arrays: Array) -> float:
        q, v = arrays[:2]
        places = (array.ctypes.data for array in arrays)
        return function(address, *places, q.shape[1], v.shape[1], len(q))

    return timer


def slow_timer(address: int, *arrays: Array) -> float:
    """Return seconds per call, called from Python; the last array takes the results."""
    function = ctypes.CFUNCTYPE(None, *[ctypes.c_void_p] * 5)(address)
    *states, p, vdot = arrays
    rows = [
        [row.ctypes.data for row in (*sample[:3], p, sample[3])]
        for sample in zip(*states, vdot, strict=True)
    ]

    def cycle() -> None:
        for places in rows:
            function(*places)

    return best_seconds(cycle, rounds=1000) / len(rows)


def make_fall(fall: Fall) -> Callable[[str, float], Callable[[], tuple[float, Array]]]:
    """Return what makes a simulation of the fall by a method and a tolerance.

    As with the peer, only start and end are asked for.
    """
    model = make_model(fall.tree, fall.q0)
    iq, iv = find_places(model.compile(), fall.tree)

    def make(method: str, tolerance: float) -> Callable[[], tuple[float, Array]]:
        def simulate() -> tuple[float, Array]:
            start = time.thread_time()
            result = model.simulate(fall.duration, method=method, rtol=tolerance, output=1)
            elapsed = time.thread_time() - start
            end = result.states[-1]
            return elapsed, np.concatenate([end[iq], end[len(iq) :][iv]])

        return simulate

    return make


def simulate_once() -> None:
    """Build and simulate the double pendulum and print where it ends, as JSON."""
    fall = make_falls()[0]
    make = make_fall(fall)
    print(json.dumps(make("dop853", 1e-8)()[1].tolist()))


def time_compilation() -> None:
    """Print the seconds of compiling a double pendulum once libraries are loaded, as JSON.

    The chain of three before it loads the libraries and shares no code with it.
    """
    compile_tree(make_chain(3))
    model = make_model(make_chain(2))
    start = time.perf_counter()
    _ = model.compile().derivative
    print(json.dumps(time.perf_counter() - start))
