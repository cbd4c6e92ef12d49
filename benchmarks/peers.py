"""Forward dynamics and simulation by Pinocchio, MuJoCo and heyoka, each at its best.

Every function here prepares one peer for one mechanism and returns what runs it; it raises
`NotAvailable` if the peer is not installed.
"""

from __future__ import annotations

import importlib
import sysconfig
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np

from benchmarks.equations import articulated_body, double_pendulum
from benchmarks.harness import NotAvailable, build, run, write_numbers
from benchmarks.models import Array, Fall, Samples, Tree, rotation_of

# seconds per call, and the accelerations at every sample
Timing = tuple[float, Array]


def require(module: str, package: str) -> ModuleType:
    """Return an optional module or say what to install."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise NotAvailable(f"{package} ({error}); pip install {package}") from None


def make_pinocchio(tree: Tree, samples: Samples) -> Callable[[], Timing]:
    """Return Pinocchio's `aba` in C++: the fastest of its builds and conventions.

    It is built as its own CMake target does, with the algorithms of its library, and from
    its headers alone for this processor; which one is faster depends on the machine.
    """
    require("pinocchio", "pin")
    prefix = Path(sysconfig.get_paths()["purelib"]) / "cmeel.prefix"
    eigen = prefix / "include" / "eigen3"
    if not eigen.is_dir():
        raise NotAvailable("Eigen's headers; pip install cmeel-eigen")
    flags = (
        "-O3", "-DNDEBUG", "-std=c++17", "-w",
        "-DBOOST_MPL_LIMIT_LIST_SIZE=30", "-DBOOST_MPL_LIMIT_VECTOR_SIZE=30",
        "-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS", "-DBOOST_FUSION_INVOKE_MAX_ARITY=12",
        f"-I{prefix / 'include'}", f"-I{eigen}",
    )  # fmt: skip
    library = prefix / "lib"
    linked = (f"-L{library}", "-lpinocchio_default", f"-Wl,-rpath,{library}")
    programs = [
        build("time_pinocchio.cpp", *flags, extra, compiler="g++", libraries=linked)
        for extra in ("-DPINOCCHIO_ENABLE_TEMPLATE_INSTANTIATION", "-march=native")
    ]
    links = [
        (link.parent, link.axis or (0, 0, 0), link.R, link.p, link.m, link.c, link.I)
        for link in tree.links
    ]
    states = zip(samples.q, samples.v, samples.tau, strict=True)
    numbers = write_numbers(
        tree.g,
        len(links),
        *(value for link in links for value in link),
        len(samples.q),
        *(value for state in states for value in state),
    )
    return lambda: min(
        (run(program, numbers=numbers) for program in programs),
        key=lambda timing: timing[0],
    )


def make_mujoco(tree: Tree, samples: Samples) -> Callable[[], Timing]:
    """Return MuJoCo's `mj_forward` in C with everything switched off that is not needed."""
    mujoco = require("mujoco", "mujoco")
    package = Path(str(mujoco.__file__)).parent
    libraries = sorted(package.glob("libmujoco.so.*"))
    if not libraries:
        raise NotAvailable(f"libmujoco.so in {package.name}; pip install mujoco")
    program = build(
        "time_mujoco.c", "-O2", f"-I{package / 'include'}", compiler="gcc",
        libraries=(str(libraries[-1]), f"-Wl,-rpath,{package}"),
    )  # fmt: skip
    model = compile_mujoco(mujoco, tree)
    moving = [in_world_axes(tree, q, v) for q, v in zip(samples.q, samples.v, strict=True)]
    states = zip(moving, samples.tau, strict=True)
    numbers = write_numbers(
        len(samples.q), *(value for (q, v), tau in states for value in (q, v, tau))
    )

    def measure() -> Timing:
        with tempfile.TemporaryDirectory() as folder:
            path = str(Path(folder) / "model.mjb")
            mujoco.mj_saveModel(model, path)
            seconds, qacc = run(program, path, numbers=numbers)
        rows = zip(samples.q, samples.v, qacc, strict=True)
        return seconds, np.array([in_body_axes(tree, q, v, a) for q, v, a in rows])

    return measure


def compile_mujoco(mujoco: ModuleType, tree: Tree):
    """Return the tree as an `MjModel` without contacts, limits, actuators and sensors."""
    spec = mujoco.MjSpec()
    spec.compiler.degree = False
    spec.option.gravity = tree.g
    for name in ("CONSTRAINT", "CONTACT", "SPRING", "DAMPER", "ACTUATION", "SENSOR"):
        spec.option.disableflags |= int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{name}"))
    bodies = []
    for link in tree.links:
        parent = spec.worldbody if link.parent < 0 else bodies[link.parent]
        quaternion = np.zeros(4)
        mujoco.mju_mat2Quat(quaternion, np.ascontiguousarray(link.R).ravel())
        body = parent.add_body(pos=link.p, quat=quaternion)
        body.mass, body.ipos, body.explicitinertial = link.m, link.c, True
        body.fullinertia = link.I[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
        if link.axis is None:
            body.add_freejoint()
        else:
            body.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=link.axis)
        bodies.append(body)
    return spec.compile()


def in_world_axes(tree: Tree, q: Array, v: Array) -> tuple[Array, Array]:
    """Return a state as MuJoCo has it: quaternions w first, velocity in the world."""
    q, v = q.copy(), v.copy()
    for link, iq, iv in tree.blocks():
        if link.axis is None:
            quaternion, linear = q[iq][3:].copy(), v[iv][:3].copy()
            q[iq][3:] = np.roll(quaternion, 1)
            v[iv][:3] = rotation_of(quaternion) @ linear
    return q, v


def in_body_axes(tree: Tree, q: Array, v: Array, a: Array) -> Array:
    """Return MuJoCo's acceleration a as the rate of v:  v̇ = Rᵀ a − ω × v."""
    a = a.copy()
    for link, iq, iv in tree.blocks():
        if link.axis is None:
            linear, angular = v[iv][:3], v[iv][3:]
            turned = rotation_of(q[iq][3:]).T @ a[iv][:3]
            a[iv][:3] = turned - np.cross(angular, linear)
    return a


def make_heyoka(
    fall: Fall, tolerance: float, *, compact: bool = False, fast_math: bool = False
) -> Callable[[], tuple[float, Array]]:
    """Return heyoka's Taylor integration of a fall: seconds, final (q, v).

    Unrolled code runs about twice as fast as `compact` code but compiles for half a minute
    if the equations are long. The first step is capped: at rest in the horizontal all odd
    derivatives vanish, which misleads the step size control.
    """
    heyoka = require("heyoka", "heyoka")
    heyoka.llvm_state.set_diskcache_enabled(False)
    n = len(fall.q0)
    variables = heyoka.make_vars(*[f"x{i:02d}" for i in range(2 * n)])
    q, v = variables[:n], variables[n:]
    if fall.name == "double_pendulum":
        vdot = double_pendulum(q, v, heyoka.sin, heyoka.cos)
    else:
        vdot = articulated_body(fall.tree, q, v, heyoka.sin, heyoka.cos)
    start = np.concatenate([fall.q0, np.zeros(n)])
    integrator = heyoka.taylor_adaptive(
        [*zip(q, v, strict=True), *zip(v, vdot, strict=True)],
        start, tol=tolerance, compact_mode=compact, fast_math=fast_math,
    )  # fmt: skip

    def simulate() -> tuple[float, Array]:
        integrator.time = 0.0
        integrator.state[:] = start
        begin = time.thread_time()
        integrator.step(max_delta_t=0.01)
        integrator.propagate_until(fall.duration)
        return time.thread_time() - begin, integrator.state.copy()

    return simulate
