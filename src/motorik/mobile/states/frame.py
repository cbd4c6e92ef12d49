"""Frame: position, motion and load of a coordinate system of the mechanism."""

from __future__ import annotations

from motorik.algebra.given import fixed_rotation
from motorik.algebra.matrix import Matrix
from motorik.algebra.motor import Acceleration, Force, Motor, Velocity
from motorik.algebra.pose import IDENTITY_POSE, Pose
from motorik.algebra.scalar import Scalar
from motorik.algebra.vector import Vector
from motorik.mobile.states.assigned import assigned_name
from motorik.mobile.states.transmission import Subtask

_USE_CORIOLIS = Subtask.USE_CORIOLIS.value

Kept = tuple[Pose, Motor, Motor, Motor, bool]
"""All that a frame holds."""

NO_VELOCITY, NO_ACCELERATION, NO_FORCE = Velocity(), Acceleration(), Force()


class Frame:
    """A spatial state object: motion and load of one frame against the inertial frame 0.

    ====  ==================================================================
    `X`   pose X_0b of the frame seen from the inertial frame
    `V`   velocity motor, resolved in the frame itself about its own origin
    `A`   rate of the components of V; so v̇ of the origin is A.moment + ω × v
    `F`   force motor on the structure between this frame and the inertial one
    ====  ==================================================================

    The same state by vectors, all resolved in the frame itself: `R`, `r`, `ang_v`,
    `lin_v`, `ang_a`, `lin_a`, `f`, `t`; each can be set as well as read. Motion is written
    by the element that ends in the frame, forces add up from those that start in it.
    Vectors are values: ``K.f = K.f.replace(z=1.0)`` sets one component. Without a name it has
    that of the variable that it is assigned to, ``K0 = Frame()``; `frames` makes several.

    An element writes its acceleration by `accelerate`, with the sub-tasks of the traversal:
    after EULER alone `lin_a` is the linear part of J q̈, whatever the velocities are, as
    Jacobians need it; after CORIOLIS alone it is that of J̇ q̇, and the sum after both.

    >>> K = Frame("tip")
    >>> K.f = Vector(0.0, 0.0, 2.0)
    >>> K.F.resultant
    Vector(0.0, 0.0, 2.0)
    """

    __slots__ = ("F", "V", "X", "_A", "_is_euler", "name")
    X: Pose
    V: Motor
    F: Motor

    def __init__(
        self,
        name: str | None = None,
        X: Pose = IDENTITY_POSE,
        V: Motor = NO_VELOCITY,
        A: Motor = NO_ACCELERATION,
        F: Motor = NO_FORCE,
    ) -> None:
        self.name = assigned_name(self) if name is None else name
        self.X, self.V, self.A, self.F = X, V, A, F

    @property
    def A(self) -> Motor:  # noqa: N802 - the mathematician's letter
        """Rate of the components of V, or the part of it that was asked for last."""
        return self._A

    @A.setter
    def A(self, A: Motor) -> None:  # noqa: N802
        self._A, self._is_euler = A, False

    def accelerate(self, A: Motor, subtasks: Subtask) -> None:
        """Take the acceleration that a traversal of these sub-tasks has found."""
        self._A, self._is_euler = A, not subtasks.value & _USE_CORIOLIS

    def clear_force(self) -> None:
        """Take the load away."""
        self.F = NO_FORCE

    def add_force(self, F: Motor) -> None:
        """Add to the load."""
        self.F = self.F + F

    def take_force(self) -> Motor:
        """Take the load away and return it."""
        F, self.F = self.F, NO_FORCE
        return F

    def clear_acceleration(self) -> None:
        """Take the acceleration away."""
        self.A = NO_ACCELERATION

    def rest(self) -> None:
        """Bring the frame to rest in the inertial one."""
        self.X, self.V, self.A = IDENTITY_POSE, NO_VELOCITY, NO_ACCELERATION

    def keep(self) -> Kept:
        """Return all that the frame holds, for `restore`."""
        return (self.X, self.V, self._A, self.F, self._is_euler)

    def restore(self, kept: Kept) -> None:
        """Restore the values that `keep` returned."""
        self.X, self.V, self._A, self.F, self._is_euler = kept

    @property
    def acceleration_entries(self) -> tuple[Scalar, ...]:
        """The components of A: angular, then linear."""
        return self.A.components

    def load_along(self, index: int) -> None:
        """Replace the load by the unit one that works along this component of motion."""
        unit = [1.0 if i == index else 0.0 for i in range(6)]
        self.F = Force.of((*unit[3:], *unit[:3]))

    @property
    def R(self) -> Matrix:  # noqa: N802 - the mathematician's letter
        """Rotation matrix with v_0 = R v."""
        return self.X.R

    @R.setter
    def R(self, R: Matrix) -> None:  # noqa: N802
        self.X = Pose(fixed_rotation(R, self.name or "Frame"), self.X.p)

    @property
    def r(self) -> Vector:
        """Position [m] of the origin from the inertial one, in own axes; in inertial axes X.p."""
        return self.X.R.T @ self.X.p

    @r.setter
    def r(self, r: Vector) -> None:
        self.X = Pose(self.X.R, self.X.R @ r)

    @property
    def ang_v(self) -> Vector:
        """Angular velocity ω [rad/s]."""
        return self.V.resultant

    @ang_v.setter
    def ang_v(self, w: Vector) -> None:
        self.V = Velocity(w, self.V.moment)

    @property
    def lin_v(self) -> Vector:
        """Velocity v of the origin [m/s]."""
        return self.V.moment

    @lin_v.setter
    def lin_v(self, v: Vector) -> None:
        self.V = Velocity(self.V.resultant, v)

    @property
    def ang_a(self) -> Vector:
        """Angular acceleration [rad/s²]."""
        return self.A.resultant

    @ang_a.setter
    def ang_a(self, z: Vector) -> None:
        self._A = Acceleration(z, self._A.moment)

    @property
    def lin_a(self) -> Vector:
        """Acceleration of the origin [m/s²]: A.moment + ω × v; after EULER A.moment alone."""
        if self._is_euler:
            return self._A.moment
        return self._A.moment + self.ang_v.cross(self.lin_v)

    @lin_a.setter
    def lin_a(self, a: Vector) -> None:
        self.A = Acceleration(self.A.resultant, a - self.ang_v.cross(self.lin_v))

    @property
    def f(self) -> Vector:
        """Force [N]."""
        return self.F.resultant

    @f.setter
    def f(self, f: Vector) -> None:
        self.F = Force(f, self.F.moment)

    @property
    def t(self) -> Vector:
        """Moment about the origin [N·m]."""
        return self.F.moment

    @t.setter
    def t(self, t: Vector) -> None:
        self.F = Force(self.F.resultant, t)

    def __repr__(self) -> str:
        return f"Frame({self.name!r})"
