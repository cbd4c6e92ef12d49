"""An independent solver for planar mechanisms: absolute coordinates and a dense matrix.

    | M  Jᵀ | | q̈ |   | Q            |
    | J  0  | |−λ | = | −γ            |

with J and γ = J̇ q̇ by complex steps of the joints' vector constraints, and rolling by
differences. It shares with the package the constraints themselves and nothing else.
"""

import numpy as np
from scipy.integrate import solve_ivp

from motorik.algebra import Vector

GRAVITY = 9.80665
STEP = 1e-30


def close(found, wanted, within):
    """Refuse what is further away than `within`, whatever its size."""
    np.testing.assert_allclose(found, wanted, rtol=0.0, atol=within)


def port_of(body, place):
    """Return OM, x, y of a port at (x, y, angle) of a body at (x, y, θ), also if complex."""
    x, y, th = body
    a, b, angle = (*place, 0.0)[:3]
    c, s = np.cos(th), np.sin(th)
    ca, sa = np.cos(th + angle), np.sin(th + angle)
    return (
        Vector(x + c * a - s * b, y + s * a + c * b),
        Vector(ca, sa),
        Vector(-sa, ca),
    )


class Mechanism:
    """Bodies as (m, I), joints as (joint, body i, place, body j, place); −1 is the ground.

    `forces(t, q, v)` returns what acts besides gravity, one row (Fx, Fy, Cz) per body.
    """

    def __init__(self, bodies, joints, forces=None, g=GRAVITY):
        self.M = np.diag([e for m, I in bodies for e in (m, m, I)])
        self.weight = np.array([e for m, I in bodies for e in (0.0, -m * g, 0.0)])
        self.joints = joints
        self.forces = forces

    def _ports(self, joint, q):
        _, i, place_i, j, place_j = joint
        for k, place in ((i, place_i), (j, place_j)):
            body = (0.0, 0.0, 0.0) if k < 0 else q[3 * k : 3 * k + 3]
            yield port_of(body, place)

    def residual(self, q):
        """Return all position constraints."""
        rows = []
        for joint in self.joints:
            (OM, x_i, y_i), (ON, x_j, y_j) = self._ports(joint, q)
            found = joint[0]._numbers().constraint(OM, ON, x_i, y_i, x_j, y_j)
            rows += found if isinstance(found, tuple) else [found]
        return np.array(rows)

    def constraints(self, q, v):
        """Return all rolling constraints: linear in v."""
        rows = []
        moved = np.asarray(q) + 1j * STEP * np.asarray(v)
        for joint in self.joints:
            (OM, x_i, y_i), (ON, x_j, y_j) = self._ports(joint, np.asarray(q))
            far = [origin for origin, _, _ in self._ports(joint, moved)]
            V_M, V_N = (Vector(*(np.imag(e) / STEP for e in o.xyz)) for o in far)
            w = [0.0 if k < 0 else v[3 * k + 2] for k in (joint[1], joint[3])]
            found = joint[0]._numbers().rolling(OM, ON, x_i, y_i, x_j, y_j, V_M, V_N, *w)
            rows += found if isinstance(found, tuple) else [found]
        return np.array(rows)

    def rate(self, q, v):
        """Return the rates of all constraints."""
        of_position = np.imag(self.residual(q + 1j * STEP * v)) / STEP
        return np.concatenate([of_position, self.constraints(q, v)])

    def jacobian(self, q):
        """Return the matrix of the rates, linear in the velocities."""
        return np.column_stack([self.rate(q, e) for e in np.eye(q.size)])

    def bias(self, q, v):
        """Return the rate of `rate` at constant velocities, by differences of sixth order."""
        h = 3e-3 / max(1.0, np.abs(v).max())
        weights = np.array([-1, 9, -45, 0, 45, -9, 1]) / (60 * h)
        return weights @ [self.rate(q + k * h * v, v) for k in range(-3, 4)]

    def solve(self, t, q, v):
        """Return accelerations and multipliers."""
        Q = self.weight.copy()
        if self.forces is not None:
            Q += np.ravel(self.forces(t, q, v))
        J = self.jacobian(q)
        n, m = q.size, J.shape[0]
        K = np.block([[self.M, J.T], [J, np.zeros((m, m))]])
        solution = np.linalg.lstsq(K, np.concatenate([Q, -self.bias(q, v)]), rcond=None)[0]
        return solution[:n], -solution[n:]

    def simulate(self, q, v, times, rtol=1e-10, atol=1e-12):
        """Return positions and velocities at the times, one row each."""
        n = len(q)

        def rate(t, x):
            return np.concatenate([x[n:], self.solve(t, x[:n], x[n:])[0]])

        run = solve_ivp(
            rate,
            (times[0], times[-1]),
            np.concatenate([q, v]),
            "DOP853",
            times,
            rtol=rtol,
            atol=atol,
        )
        assert run.success
        return run.y[:n].T, run.y[n:].T
