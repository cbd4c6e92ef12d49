"""Random trees against an independent library, against themselves, and built otherwise."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.laws.physical_trees import (
    JOINT_KINDS,
    ROOT_KINDS,
    PhysicalTree,
    Shape,
    make_tree,
    random_shapes,
)

pinocchio = pytest.importorskip(
    "pinocchio", reason="the independent library of this comparison is not installed"
)


def compare(tree, seed, tolerance):
    from tests.laws.pinocchio_twin import Twin
    system = tree.model(seed).compile()
    twin = Twin(tree)
    n_q = system.n_q
    names = system.state_names
    q, u, tau = tree.state(names, seed)
    named = dict(zip(names[:n_q], q, strict=True))
    T = twin.speed_map(named, names[n_q:])
    Q = twin.coordinates(named)
    v = T @ u
    errors = {}
    ud = np.asarray(system.function("forward_dynamics")(q, u, tau, [])).ravel()
    vd = pinocchio.aba(twin.model, twin.data, Q, v, np.linalg.solve(T.T, tau))
    errors["fd"] = rel(T @ ud, vd)
    M = np.asarray(system.function("mass_matrix")(q, [])).reshape(len(u), len(u))
    M_pin = pinocchio.crba(twin.model, twin.data, Q)
    M_pin = np.triu(M_pin) + np.triu(M_pin, 1).T
    errors["M"] = rel(M, T.T @ M_pin @ T)
    need = np.asarray(system.function("inverse_dynamics")(q, u, tau, [])).ravel()
    errors["id"] = rel(need, T.T @ pinocchio.rnea(twin.model, twin.data, Q, v, T @ tau))
    motion = twin.motion(Q, v, T @ tau)
    f = system.output_function(list(motion))
    out = np.asarray(f(0, q, u, tau, [])).ravel()
    errors["kin"] = rel(out, np.concatenate(list(motion.values())))
    return errors

def rel(a, b):
    return np.abs(a - b).max() / np.abs(b).max()

if __name__ == "__main__":
    import time
    worst = {}
    for seed in range(120):
        rng = np.random.default_rng(seed)
        shapes = random_shapes(rng, 1 + seed % 8)
        t=time.time()
        e = compare(make_tree(shapes, seed), seed, 0)
        for k in e: worst[k] = max(worst.get(k,0), e[k])
        if max(e.values()) > 1e-10: print(seed, e, shapes)
    print(worst)
