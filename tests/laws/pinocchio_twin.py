"""A physical tree as a model of Pinocchio, built from the same numbers and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pinocchio as pin
from scipy.linalg import block_diag
from scipy.spatial.transform import Rotation

from tests.laws.physical_trees import JointKind, Limb, PhysicalTree, RigidWay

UNIT = np.eye(3)
Values = Mapping[str, float]


@dataclass(frozen=True)
class Step:
    """A joint of Pinocchio and how its q and v follow from our coordinates and speeds.

    `speeds` are names, v = T u with T = `map_speeds(q)` (the identity if there is none).
    """

    joint: pin.JointModel
    coordinates: tuple[str, ...]
    speeds: tuple[str, ...]
    to_q: Callable[[np.ndarray], np.ndarray] | None = None
    map_speeds: Callable[[np.ndarray], np.ndarray] | None = None


class Twin:
    """The Pinocchio model of a tree, with the maps between its variables and ours."""

    def __init__(self, tree: PhysicalTree) -> None:
        self.model = pin.Model()
        self.model.gravity.linear = tree.g
        self.steps: list[Step] = []
        self.frames: dict[str, int] = {}
        self._add_all(tree, -1, 0, pin.SE3.Identity())
        self.data = self.model.createData()

    def _add_all(self, tree: PhysicalTree, parent: int, joint: int, X: pin.SE3) -> None:
        """Add the limbs that hang on a limb, each with all beyond it before the next one.

        Pinocchio's mass matrix is right only for joints in this order.
        """
        for i, limb in enumerate(tree.limbs):
            if limb.parent == parent:
                self._add_all(tree, i, *self._add(i, limb, joint, X * pose_of(limb.mount)))

    def _add(self, i: int, limb: Limb, joint: int, X: pin.SE3) -> tuple[int, pin.SE3]:
        if limb.joint is None:
            X = pin.SE3.Identity()
            steps = [root(f"b{i}", limb)]
            tail = pin.SE3.Identity()
        else:
            steps = joint_steps(f"j{i}", limb.joint)
            tail = pose_of(limb.tail)
        for k, step in enumerate(steps):
            joint = self.model.addJoint(joint, step.joint, X, f"{i}.{k}")
            self.steps.append(step)
            X = pin.SE3.Identity()
        self._weigh(joint, tail, f"b{i}", limb.weight)
        for k, (ways, weight) in enumerate(limb.welded):
            self._weigh(joint, tail * pose_of(ways), f"b{i}_{k}", weight)
        return joint, tail

    def _weigh(self, joint: int, X: pin.SE3, name: str, weight) -> None:
        I = np.zeros((3, 3)) if weight.I is None else weight.I
        self.model.appendBodyToJoint(joint, pin.Inertia(weight.m, weight.c, I), X)
        frame = pin.Frame(name, joint, X, pin.FrameType.OP_FRAME)
        self.frames[name] = self.model.addFrame(frame)

    # --- variables -------------------------------------------------------------------------

    def coordinates(self, q: Values) -> np.ndarray:
        """Return Pinocchio's configuration for our coordinates."""
        parts = []
        for step in self.steps:
            own = np.array([q[name] for name in step.coordinates])
            parts.append(own if step.to_q is None else step.to_q(own))
        return np.concatenate(parts)

    def speed_map(self, q: Values, speeds: Sequence[str]) -> np.ndarray:
        """Return T with v = T u, u in the order of `speeds`; T's rate along u vanishes."""
        blocks, names = [], []
        for step in self.steps:
            own = np.array([q[name] for name in step.coordinates])
            n = len(step.speeds)
            blocks.append(np.eye(n) if step.map_speeds is None else step.map_speeds(own))
            names += step.speeds
        order = [names.index(name) for name in speeds]
        return block_diag(*blocks)[:, order]

    def motion(self, q: np.ndarray, v: np.ndarray, vd: np.ndarray) -> dict[str, np.ndarray]:
        """Return position, axes, velocities and accelerations of all body frames."""
        pin.forwardKinematics(self.model, self.data, q, v, vd)
        pin.updateFramePlacements(self.model, self.data)
        found: dict[str, np.ndarray] = {}
        for name, index in self.frames.items():
            X = self.data.oMf[index]
            aligned, local = (
                pin.ReferenceFrame.LOCAL_WORLD_ALIGNED,
                pin.ReferenceFrame.LOCAL,
            )
            moved = pin.getFrameVelocity(self.model, self.data, index, aligned)
            turned = pin.getFrameVelocity(self.model, self.data, index, local)
            pushed = pin.getFrameClassicalAcceleration(
                self.model, self.data, index, aligned
            )
            found |= {
                f"{name}.frame_a.r_0": X.translation.copy(),
                f"{name}.frame_a.R.T": X.rotation.T.ravel(),
                f"{name}.frame_a.R.w": turned.angular.copy(),
                f"{name}.v_0": moved.linear.copy(),
                f"{name}.a_0": pushed.linear.copy(),
            }
        return found


def pose_of(ways: Sequence[RigidWay]) -> pin.SE3:
    """Return the pose at the end of rigid ways."""
    X = np.eye(4)
    for way in ways:
        X = X @ way.pose()
    return pin.SE3(X[:3, :3], X[:3, 3])


# --- joints ---------------------------------------------------------------------------------


def joint_steps(name: str, joint: JointKind) -> list[Step]:
    """Return the joints of Pinocchio that make up a joint, from the world outward."""
    if joint.kind == "spherical":
        return [ball(name, joint.flipped)]
    if joint.kind == "free":
        return [free(name, joint.flipped)]
    sign = -1.0 if joint.flipped else 1.0
    steps = [
        one_freedom(kind, sign * axis, joint.lead, q, u)
        for kind, axis, q, u in freedoms(name, joint)
    ]
    return steps[::-1] if joint.flipped else steps


def freedoms(name: str, joint: JointKind) -> list[tuple[str, np.ndarray, str, str]]:
    """Return kind, axis, coordinate and speed of each freedom, from frame_a to frame_b."""
    n, other = joint.n, joint.other
    if joint.kind == "cylindrical":
        return [slide(f"{name}.prismatic", n), turn(f"{name}.revolute", n)]
    if joint.kind == "universal":
        return [turn(f"{name}.revolute_a", n), turn(f"{name}.revolute_b", other)]
    if joint.kind == "planar":
        y = np.cross(n, other) / np.linalg.norm(np.cross(n, other))
        return [
            slide(f"{name}.prismatic_x", np.cross(y, n)),
            slide(f"{name}.prismatic_y", y),
            turn(f"{name}.revolute", n),
        ]
    if joint.kind == "spherical angles":
        return three_turns(name, joint.sequence)
    return [slide(name, n)] if joint.kind == "prismatic" else [turn(name, n, joint.kind)]


def turn(
    name: str, n: np.ndarray, kind: str = "revolute"
) -> tuple[str, np.ndarray, str, str]:
    """Return a turn (or a screw) about n."""
    return kind, n, f"{name}.phi", f"{name}.w"


def slide(name: str, n: np.ndarray) -> tuple[str, np.ndarray, str, str]:
    """Return a slide along n."""
    return "prismatic", n, f"{name}.s", f"{name}.v"


def three_turns(
    name: str, sequence: Sequence[int]
) -> list[tuple[str, np.ndarray, str, str]]:
    """Return the turns by three angles."""
    return [
        ("revolute", UNIT[axis - 1], f"{name}.phi[{i}]", f"{name}.phi_d[{i}]")
        for i, axis in enumerate(sequence, start=1)
    ]


def one_freedom(kind: str, axis: np.ndarray, lead: float, q: str, u: str) -> Step:
    """Return a joint of one freedom."""
    joints = {
        "revolute": lambda: pin.JointModelRevoluteUnaligned(axis),
        "prismatic": lambda: pin.JointModelPrismaticUnaligned(axis),
        "screw": lambda: pin.JointModelHelicalUnaligned(axis, lead / (2 * np.pi)),
    }
    return Step(joints[kind](), (q,), (u,))


def numbered(name: str, count: int) -> tuple[str, ...]:
    """Return name[1] … name[count]."""
    return tuple(f"{name}[{i}]" for i in range(1, count + 1))


def ball(name: str, flipped: bool) -> Step:
    """Return a spherical joint; seen from b its quaternion is conj(Q), its speed −R ω."""
    names = numbered(f"{name}.Q", 4), numbered(f"{name}.w_rel", 3)
    if not flipped:
        return Step(pin.JointModelSpherical(), *names)
    return Step(pin.JointModelSpherical(), *names, conjugate, lambda Q: -rotation(Q))


def free(name: str, flipped: bool) -> Step:
    """Return a free joint; seen from b it has X_ab⁻¹ and the velocity −X_ab V."""
    coordinates = (*numbered(f"{name}.r_rel_a", 3), *numbered(f"{name}.Q", 4))
    speeds = (*numbered(f"{name}.w_rel_b", 3), *numbered(f"{name}.v_rel_b", 3))
    if not flipped:
        return Step(pin.JointModelFreeFlyer(), coordinates, speeds, None, linear_first)

    def inverse(q: np.ndarray) -> np.ndarray:
        return np.concatenate([-rotation(q[3:]).T @ q[:3], conjugate(q[3:])])

    def back(q: np.ndarray) -> np.ndarray:
        R = rotation(q[3:])
        return -np.block([[pin.skew(q[:3]) @ R, R], [R, np.zeros((3, 3))]])

    return Step(pin.JointModelFreeFlyer(), coordinates, speeds, inverse, back)


def root(name: str, limb: Limb) -> Step:
    """Return the joint of Pinocchio from the world to a body that floats."""
    name = f"{name}.body" if limb.weight.shaped else name
    r = numbered(f"{name}.r_0", 3)
    if limb.root == "point mass":
        return Step(pin.JointModelTranslation(), r, numbered(f"{name}.v_0", 3))
    speeds = (*numbered(f"{name}.w_a", 3), *numbered(f"{name}.v_a", 3))
    if limb.root == "floating":
        coordinates = (*r, *numbered(f"{name}.Q", 4))
        return Step(pin.JointModelFreeFlyer(), coordinates, speeds, None, linear_first)
    coordinates = (*r, *numbered(f"{name}.phi", 3), f"{name}.chart")
    return Step(pin.JointModelFreeFlyer(), coordinates, speeds, by_angles, linear_first)


def by_angles(q: np.ndarray) -> np.ndarray:
    """Return position and quaternion of Cardan angles; chart 1 renames the axes of b."""
    R = Rotation.from_euler("XYZ", q[3:6]).as_matrix()
    if q[6] > 0.5:
        R = R[:, [2, 0, 1]]
    return np.concatenate([q[:3], Rotation.from_matrix(R).as_quat()])


def linear_first(_: np.ndarray) -> np.ndarray:
    """Return the map from (ω, v) to (v, ω)."""
    return np.roll(np.eye(6), 3, axis=0)


def conjugate(Q: np.ndarray) -> np.ndarray:
    """Return the quaternion (real part last) of the inverse rotation."""
    return Q * [-1, -1, -1, 1]


def rotation(Q: np.ndarray) -> np.ndarray:
    """Return the rotation matrix of a quaternion, real part last."""
    return Rotation.from_quat(Q).as_matrix()
