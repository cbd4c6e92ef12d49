"""Put faults into copies of the source and tell which of them the tests catch.

``python scripts/mutants.py`` applies one fault after another, each to a fresh copy of `src`,
and runs the tests on it: first the files that are likely to catch it, then, if all of these
pass, the rest of the suite. It prints one line for each fault, ``caught`` with the test that
failed, or ``survived``, and at last how many were caught::

    RESULT mutants.caught 40 of 42

`--suite quick` runs what ``pytest -m "not slow"`` does, `--suite usual` what ``pytest`` does, and
`--suite thorough` everything;
`--only NAME` takes the faults whose name contains NAME; `--likely` leaves the rest of the
suite out. A fault is found by its exact text wherever it stands in the package, so files
may be moved and renamed; text that is gone, or that stands there twice, counts as a mistake
of this table and ends the program with 2.
"""

from __future__ import annotations

import argparse
import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src"
TESTS = ROOT / "tests"

#: Seconds after which a run of tests counts as failed: a fault may make loops endless.
PATIENCE = 1800

#: The tests of each suite, as pytest's option -m selects them.
SUITES = {"quick": "not slow", "usual": "not thorough", "thorough": ""}


@functools.cache
def texts() -> dict[Path, str]:
    """Return the text of every file of the package."""
    return {path: path.read_text(encoding="utf-8") for path in sorted(SOURCE.rglob("*.py"))}


@dataclass(frozen=True)
class Fault:
    """A fault: in the package the text `old`, which stands there once, becomes `new`."""

    name: str
    old: str
    new: str
    likely: tuple[
        str, ...
    ]  # files and folders of tests that should catch it, the first first

    def place(self) -> Path:
        """Return the file of the package that has the text, relative to `src`."""
        found = [
            path.relative_to(SOURCE)
            for path, text in texts().items()
            for _ in range(text.count(self.old))
        ]
        if len(found) != 1:
            places = ", ".join(map(str, found)) or "no file"
            raise LookupError(f"{self.name}: its text stands in {places}, not once")
        return found[0]

    def apply(self, copy: Path) -> None:
        """Write the fault into a copy of `src`."""
        path = copy / self.place()
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace(self.old, self.new), encoding="utf-8")


TREES, JOINTS = "laws/test_trees.py", "laws/test_joints.py"
LINES, COUPLED = "laws/test_line_masses.py", "laws/test_coupled_loops.py"
LINKAGES, TURNS = "laws/test_loops.py", "laws/test_unwrapped_angles.py"
STARTS, STORIES = "initialisation", "laws/test_start_stories.py"
METHODS = ("simulation/test_integrators_accuracy.py", "simulation/test_integration.py")
CLOSED_FORMS, STOPS = "events/test_closed_forms.py", "joints/test_stops.py"
CONTACT, BOX = "components/test_contact.py", "simulation/test_box_lcp.py"
TRIGGERS, SAMPLING = "events/test_triggers.py", "events/test_sampling.py"
RESULTS, GALLERY = "test_results.py", "gallery"
HOUSINGS, LOSSY = "laws/test_housings.py", "components/test_lossy_gear.py"
SENSORS, CONTINUED = "components/test_sensors.py", "laws/test_continued_runs.py"

FAULTS = (
    # --- dynamics of trees ------------------------------------------------------------------
    Fault(
        "coriolis acceleration with the wrong sign",
        "c = V.cross(V_rel) + joint.bias(q, u)",
        "c = joint.bias(q, u) - V.cross(V_rel)",
        (TREES,),
    ),
    Fault(
        "a Jacobian without the rotation of forces behind a joint",
        "phi[4 * nq] += z * fx - x * fz",
        "phi[4 * nq] -= z * fx - x * fz",
        ("laws/test_tree_jacobian.py",),
    ),
    Fault(
        "seeds of a Jacobian that are not taken back",
        "seeds[SEEDS * (first + c) + c] = 0.0",
        "seeds[SEEDS * (first + c) + c] = 1.0",
        ("laws/test_seeded_jacobian.py",),
    ),
    Fault(
        "Jacobians with loads on the wrong freedom",
        "motor = tail(motors, LOAD * TILE * first_u[i + 1])",
        "motor = tail(motors, LOAD * TILE * first_u[i])",
        ("laws/test_tree_jacobian.py",),
    ),
    Fault(
        "gyroscopic force dropped in axes of the world",
        "return X, S, V, c, swirl(inertia, V), R, inertia",
        "return X, S, V, c, ZERO_MOTOR, R, inertia",
        (TREES,),
    ),
    Fault(
        "bias acceleration not passed on to the parent",
        "b_p + X(force + left(c))",
        "b_p + X(force)",
        (TREES,),
    ),
    Fault(
        "force of a locked freedom without the acceleration of its link",
        "forces.append(s.add(mul(sigma, along), rest))",
        "forces.append(rest)",
        ("dynamics/test_locked.py",),
    ),
    Fault(
        "descent beyond the first bound that it reaches",
        "if room < part:\n                part, last = room, k",
        "if room < 0.0:\n                part, last = room, k",
        ("events/test_joint_constraints.py",),
    ),
    Fault(
        "torque of a weight with the wrong sign",
        "b = b - Motor(weight, centre.cross(weight))",
        "b = b - Motor(weight, weight.cross(centre))",
        ("laws/test_balances.py", "laws/test_closed_forms.py", TREES),
    ),
    Fault(
        "a joint never leaves a limit in bounded least squares",
        "released = release_one(m, n, G, left, low, high, at, released)",
        "released = -1",
        ("analysis/test_inverse_kinematics.py", "laws/test_friction_given_motion.py"),
    ),
    Fault(
        "what drives cannot do weighs nothing in a given motion",
        "G[i] *= weight\n        for i in lanes(m):\n            h[i] *= weight",
        "G[i] *= 0.0\n        for i in lanes(m):\n            h[i] *= 0.0",
        ("laws/test_friction_given_motion.py",),
    ),
    Fault(
        "armature left out of inverse dynamics",
        "tau[k] = add(screw @ f[i], mul(link.armature, ud[k]))",
        "tau[k] = screw @ f[i]",
        ("dynamics/test_armature.py", "components/test_rotor.py"),
    ),
    Fault(
        "armature left out of the mass matrix",
        "M[k, k] = add(M[k, k], link.armature)",
        "M[k, k] = add(M[k, k], 0.0)",
        ("assembly/test_lines.py", "components/test_lines.py", "components/test_rotor.py"),
    ),
    # --- joints -----------------------------------------------------------------------------
    Fault(
        "pitch of a screw with the wrong sign",
        "return (Motor(self.axis, self._h * self.axis),)",
        "return (Motor(self.axis, -self._h * self.axis),)",
        (JOINTS, TREES),
    ),
    Fault(
        "first axis of a universal joint turned the wrong way",
        "first = rotation_about(self.axis_b, phi_b).T @ self.axis_a",
        "first = rotation_about(self.axis_b, phi_b) @ self.axis_a",
        (JOINTS, TREES),
    ),
    Fault(
        "contact of a rolling wheel on the wrong side",
        "tuple(Motor(e, d.cross(e)) for e in",
        "tuple(Motor(e, e.cross(d)) for e in",
        (JOINTS, "elements"),
    ),
    # --- masses on lines --------------------------------------------------------------------
    Fault(
        "bias of a mass on a line dropped",
        "place.moved(found.r, a_b - a_a) + place.bias(found.r, v_b - v_a)",
        "place.moved(found.r, a_b - a_a)",
        (LINES,),
    ),
    Fault(
        "half of a Coriolis term of a mass at a distance",
        "(2.0 * e.dot(v)) * turning + mul(",
        "(1.0 * e.dot(v)) * turning + mul(",
        (LINES, "elements"),
    ),
    # --- drive lines and sensors --------------------------------------------------------------
    Fault(
        "torque of a gear on its housing with the wrong sign",
        "(*factors, p.ratio - 1.0)",
        "(*factors, 1.0 - p.ratio)",
        (HOUSINGS,),
    ),
    Fault(
        "housing of a pinion turned backward",
        "terms.append((self.supportR, -c_R))",
        "terms.append((self.supportR, c_R))",
        (HOUSINGS,),
    ),
    Fault(
        "bearings of a gear drive where flange_b drives",
        "by_b = (1.0 - 1.0 / self.of_b) * tau_a + direction",
        "by_b = (1.0 - 1.0 / self.of_b) * tau_a - direction",
        (LOSSY,),
    ),
    Fault(
        "bearing torque of a gear on one side alone",
        "return 0.5 * self.bearing_a",
        "return 0.0 * self.bearing_a",
        (LOSSY,),
    ),
    Fault(
        "pinion in the plane on a rack that does not turn",
        "return x_i.dot(V - w_i * Z.cross(MN)) + self.r * (w_j - w_i)",
        "return x_i.dot(V) + self.r * (w_j - w_i)",
        ("planar/test_laws.py",),
    ),
    Fault(
        "middle of a rod at the negative velocity of its end",
        "0.5 * (motion.velocity_0(a) + motion.velocity_0(b))",
        "0.5 * (motion.velocity_0(a) - motion.velocity_0(b))",
        ("components/test_rods.py",),
    ),
    Fault(
        "axes of a relative sensor accelerate the wrong way",
        "2.0 * w_c.cross(v) + z_c.cross(r)",
        "2.0 * w_c.cross(v) - z_c.cross(r)",
        (SENSORS,),
    ),
    Fault(
        "cut force turned backward into the frame of a sensor",
        "sign * (R_c.T @ (motion.pose",
        "sign * (R_c @ (motion.pose",
        (SENSORS,),
    ),
    Fault(
        "periodic table counted from time zero",
        "floor((x - self.first) / period)",
        "floor(x / period)",
        ("components/test_tables.py",),
    ),
    Fault(
        "segment of a table begun behind its break",
        'np.searchsorted(self.values, x, side="right") * 1.0',
        'np.searchsorted(self.values, x, side="left") * 1.0',
        ("components/test_table_curves.py",),
    ),
    Fault(
        "weights of monotone slopes exchanged",
        "(a + 2.0 * b) / safe_left + (b + 2.0 * a) / safe_right",
        "(b + 2.0 * a) / safe_left + (a + 2.0 * b) / safe_right",
        ("components/test_table_curves.py",),
    ),
    Fault(
        "speeds of a file taken per half a minute",
        '"from_rpm": _scaled(math.pi / 30)',
        '"from_rpm": _scaled(math.pi / 60)',
        ("exchange/test_modelica_expressions.py",),
    ),
    Fault(
        "drives that time moves stand still in inverse dynamics",
        'missed = rows.map("constraints")[:, -G.shape[1] :]',
        "missed = (G @ (u / system.scales.speeds)[:, :, None])[:, :, 0]  # ",
        ("laws/test_motion_given.py",),
    ),
    # --- loops ------------------------------------------------------------------------------
    Fault(
        "bias of constraints dropped",
        "self.gamma = casadi.jtimes(self.a, self.y, self.y_rate)",
        "self.gamma = 0.0 * casadi.jtimes(self.a, self.y, self.y_rate)",
        (COUPLED, LINKAGES),
    ),
    Fault(
        "bias of constraints of equal loops with the wrong sign",
        "self.gamma = casadi.jtimes(self.a, y, y_rate)",
        "self.gamma = -casadi.jtimes(self.a, y, y_rate)",
        (COUPLED,),
    ),
    Fault(
        "drift of dependent speeds left out of enforced constraints",
        "total = add(total, mul(value, drift[speed]))",
        "total = add(total, mul(0.0, drift[speed]))",
        ("laws/test_dependent_accelerations.py", COUPLED, LINKAGES),
    ),
    Fault(
        "position correction in the wrong direction",
        "neg(values[k]) if holonomic[k] or not only_positions else 0.0",
        "values[k] if holonomic[k] or not only_positions else 0.0",
        (LINKAGES,),
    ),
    Fault(
        "Baumgarte gain of positions not squared",
        "value = add(value, mul(beta * beta, self.violations[constraint]))",
        "value = add(value, mul(beta, self.violations[constraint]))",
        ("planar/test_strategies.py", "planar", LINKAGES),
    ),
    Fault(
        "turn of a planar hinge taken backward",
        "turn = turns[i + 1].seen_from(turns[i])",
        "turn = turns[i].seen_from(turns[i + 1])",
        (LINKAGES,),
    ),
    Fault(
        "angle of a cut joint not near its start value",
        "return value + TURN * whole_turns(cut.start - value)",
        "return value",
        (TURNS, "assembly/test_start_values.py", "assembly"),
    ),
    Fault(
        "angle of a cut joint summed with the wrong signs",
        "for end, sign in ((0, -1.0), (1, 1.0)):",
        "for end, sign in ((0, 1.0), (1, -1.0)):",
        (TURNS, GALLERY),
    ),
    Fault(
        "force and moment of a closure exchanged",
        "forces.append(Motor(Vector(*components[3:]), Vector(*components[:3])))",
        "forces.append(Motor(Vector(*components[:3]), Vector(*components[3:])))",
        ("laws/test_loop_reactions.py",),
    ),
    # --- initial conditions -------------------------------------------------------------------
    Fault(
        "Newton step of the start in the wrong direction",
        "step[k] = -e.ease[k] * x[place]",
        "step[k] = e.ease[k] * x[place]",
        (STARTS,),
    ),
    Fault(
        "start speeds not projected onto the constraints",
        """\
            write_unknowns(a, u)
            missed = left_in(a, given)""",
        """\
            missed = left_in(a, given)""",
        (STARTS,),
    ),
    Fault(
        "native starts accepted at a dead centre",
        "if not margin[i] >= SAFE:",
        "if not margin[i] >= -1.0:",
        (STARTS,),
    ),
    Fault(
        "starts of variants all from the first values",
        "found[k] = find_start(s, f, t, tail(X, k * s.n_motion), tail(live, k * n_live))",
        "found[k] = find_start(s, f, t, X, tail(live, k * n_live))",
        ("simulation/test_ensembles.py",),
    ),
    Fault(
        "relative coordinates off by errors of the wrong sign in lanes",
        "other[at] = point[at] - h[l] * error[at]",
        "other[at] = point[at] + 2.0 * h[l] * error[at]",
        ("simulation/test_ensembles.py",),
    ),
    Fault(
        "guessed speeds of bodies taken with the wrong sign",
        "u[free] -= step * self._unit[free]",
        "u[free] += step * self._unit[free]",
        (STARTS, STORIES),
    ),
    Fault(
        "start beyond a stop accepted",
        "gap < -PENETRATION * max(size, -gap):",
        "gap < -1e6 * max(size, -gap):",
        ("events/test_resets_into_penetration.py",),
    ),
    Fault(
        "fixed start speeds of loops moved",
        "shortest_step(J, missed, free[own], ease, SPEED_RANK",
        "shortest_step(J, missed, free[own] | True, ease, SPEED_RANK",
        (STARTS,),
    ),
    Fault(
        "full turns of a dependent angle lost in a continued run",
        "X[index[name]] = _near(float(X[index[name]]), sample.dependent[name])",
        "X[index[name]] = float(X[index[name]])",
        (CONTINUED,),
    ),
    Fault(
        "full turns of a cut joint lost in a continued run",
        "p[place] = _near(float(p[place]), known)\n",
        "p[place] = float(p[place])\n",
        (CONTINUED,),
    ),
    Fault(
        "full turns of a sum of angles continued with the wrong sign",
        "_near(float(p[place]), known - total)",
        "_near(float(p[place]), known + total)",
        (CONTINUED,),
    ),
    Fault(
        "discrete signals lost in a continued run",
        "states |= self._discrete(k)",
        "states |= {}",
        ("events/test_conditions_and_restarts.py",),
    ),
    # --- derivatives of runs -------------------------------------------------------------------
    Fault(
        "adjoint: a motion read from the step before",
        "if times[middle] <= t:",
        "if times[middle] < t - 1.0:",
        ("sensitivity/test_adjoint.py",),
    ),
    Fault(
        "adjoint: the weights of a polynomial of other points",
        "weights[[0, -1]] *= 0.5",
        "weights[[0, -1]] *= 1.0",
        ("sensitivity/test_adjoint.py",),
    ),
    Fault(
        "adjoint: an event that moves does not change an integral",
        "D[places].T @ y[n:-1] + dt * step",
        "D[places].T @ y[n:-1]",
        ("sensitivity/test_adjoint.py",),
    ),
    Fault(
        "adjoint: what a reset sets depends on nothing",
        "tuple(sorted({*given, *_assigned_places(system)}))",
        "tuple(sorted(given))",
        ("sensitivity/test_adjoint.py",),
    ),
    Fault(
        "adjoint: a start that loops determine",
        "elif place < 0 or closing is None or place in closing:",
        "elif place < 0 or closing is None:",
        ("sensitivity/test_sensitivities.py",),
    ),
    Fault(
        "samples of derivatives without full turns",
        "return system.layout.with_references(p, run.angles)",
        "return system.layout.with_references(p, 0.0 * run.angles)",
        ("sensitivity/test_sensitivities.py",),
    ),
    # --- compiled code ------------------------------------------------------------------------
    Fault(
        "entry of a matrix product from another column",
        "_sum_of_products(x, xy, y, yy, z, zy)",
        "_sum_of_products(x, xy, y, yx, z, zy)",
        ("algebra",),
    ),
    Fault(
        "samples of matrices written over each other",
        "passed += [array.ctypes.data, argument.size * self.width]",
        "passed += [array.ctypes.data, argument.rows * self.width]",
        ("compiler/test_lower.py", "compiler/test_tape.py"),
    ),
    Fault(
        "higher coefficients of the past of a signal dropped",
        "row[FIRST + i * ORDER + k] = total / scale",
        "row[FIRST + i * ORDER + k] = total / scale if k < 2 else 0.0",
        ("components/test_delay_blocks.py",),
    ),
    # --- integrators --------------------------------------------------------------------------
    Fault(
        "tolerance of states ignored",
        "weight[i] = 1.0 / tolerance",
        "weight[i] = 1e-4 / tolerance",
        ("laws/test_closed_forms.py", "gallery", "laws/test_error_control.py"),
    ),
    Fault(
        "stages evaluated at the beginning of the step",
        "evaluate(w, m, ode, t + C[s] * h, stage, tail(k, (s + 1) * n))",
        "evaluate(w, m, ode, t, stage, tail(k, (s + 1) * n))",
        METHODS,
    ),
    Fault(
        "dense output with the rate of the wrong end",
        "d[n + i] = h * k[i] - change",
        "d[n + i] = h * f[i] - change",
        METHODS,
    ),
    Fault(
        "variable steps of Adams methods taken as equal ones",
        "beta[i] = beta[i - 1] * psi[i - 1] / psi_old",
        "beta[i] = beta[i - 1]",
        ("simulation/test_integrators_multistep.py", *METHODS),
    ),
    Fault(
        "Jacobian of BDF with the wrong sign",
        "matrix[i] = -c * jacobian[i]",
        "matrix[i] = c * jacobian[i]",
        ("simulation/test_integrators_multistep.py", *METHODS),
    ),
    Fault(
        "unwrapped angle off by a turn",
        "return angle + TURN * floor((near - angle) / TURN + 0.5)",
        "return angle + TURN * floor((near - angle) / TURN + 1.0)",
        ("simulation/test_unwrapping.py", TURNS),
    ),
    Fault(
        "unwrapping without the speed",
        "expected = now[k] + 0.5 * h * (before + after)",
        "expected = now[k] + 0.0 * h * (before + after)",
        ("simulation/test_unwrapping.py", TURNS),
    ),
    # --- events -------------------------------------------------------------------------------
    Fault(
        "coefficient of restitution squared",
        "lcp[Lcp.REBOUND * m + k] = contact.restitution * speed",
        "lcp[Lcp.REBOUND * m + k] = contact.restitution**2 * speed",
        (STOPS, CLOSED_FORMS),
    ),
    Fault(
        "located event returns the time before the crossing",
        "return a if at_a < 0.0 else b",
        "return b if at_a < 0.0 else a",
        (CLOSED_FORMS, TRIGGERS, "events"),
    ),
    Fault(
        "condition that comes true does not act",
        "acts[k] = holds",
        "acts[k] = 0.0 * holds",
        (TRIGGERS,),
    ),
    Fault(
        "clock skips every second tick",
        "own.ticks += 1",
        "own.ticks += 2",
        (SAMPLING,),
    ),
    Fault(
        "direction of sliding swapped in the complementarity problem of one constraint",
        "mode[0] = ContactMode.FORWARD if free < value else ContactMode.BACKWARD",
        "mode[0] = ContactMode.BACKWARD if free < value else ContactMode.FORWARD",
        (BOX, CLOSED_FORMS),
    ),
    Fault(
        "upper bound of a force ignored",
        "value = min(max(free, low[0]), high[0])",
        "value = max(free, low[0])",
        (BOX, CLOSED_FORMS),
    ),
    Fault(
        "friction of backward sliding with the wrong sign",
        "return ForceBounds(-holding, holding, -sliding(w), sliding(-w), on)",
        "return ForceBounds(-holding, holding, -sliding(w), -sliding(-w), on)",
        ("joints/test_friction.py", CONTACT),
    ),
    Fault(
        "impacts with friction may gain energy",
        "return gained if gained > IMPACT_WORK * size else 0.0",
        "return 0.0 * gained",
        (CONTACT, "components", "validation/test_attack.py"),
    ),
    Fault(
        "time event of a remainder at its zeros",
        '(0.5 if name == "remainder" else 0.0)',
        '(0.0 if name == "remainder" else 0.0)',
        ("events/test_time_events.py",),
    ),
    # --- results ------------------------------------------------------------------------------
    Fault(
        "potential energy with the wrong sign",
        "total = add(total, m * motion.gravity_potential(centre))",
        "total = add(total, -m * motion.gravity_potential(centre))",
        (GALLERY, "laws/test_balances.py"),
    ),
    Fault(
        "kinetic energy of a mass on a line doubled",
        "total = add(total, 0.5 * mass.m * v.dot(v))",
        "total = add(total, 1.0 * mass.m * v.dot(v))",
        (LINES,),
    ),
    Fault(
        "kinetic energy of inertias on drive lines doubled",
        "0.5 * link.armature * motion.u[k]",
        "1.0 * link.armature * motion.u[k]",
        (HOUSINGS,),
    ),
    Fault(
        "energy of a spring without its other end",
        "x = motion.flange(line.flange_b)[0] - x_a",
        "x = motion.flange(line.flange_b)[0] - 0.0 * x_a",
        ("laws/test_balances.py",),
    ),
    Fault(
        "angles at a sample unwrapped to the next one",
        "np.where(self.share < 0.5, self.first, self.next)",
        "np.where(self.share < 0.0, self.first, self.next)",
        (RESULTS, TURNS),
    ),
    Fault(
        "interpolated result taken from the next interval",
        'np.searchsorted(time, t, side="right") - 1, 0,',
        'np.searchsorted(time, t, side="right"), 0,',
        (RESULTS,),
    ),
    Fault(
        "output sample written to the next place",
        "sample(n, w, m, ode, t, tail(out.samples, g * n))",
        "sample(n, w, m, ode, t, tail(out.samples, min(g + 1, m.grid_count - 1) * n))",
        METHODS,
    ),
    Fault(
        "values before an event evaluated after it",
        "result[:-1][doubled] -= aside[:-1][doubled]",
        "result[:-1][doubled] += aside[:-1][doubled]",
        ("events", RESULTS),
    ),
    Fault(
        "saved values before and after an event exchanged",
        "values[name][event.instant, side] for name in values",
        "values[name][event.instant, 1 - side] for name in values",
        ("test_result_files.py", "events/test_table.py", "events/test_states_at_events.py"),
    ),
)


def run_tests(copy: Path, paths: Sequence[str], suite: str) -> str:
    """Run tests on a copy of the source; return the first test that failed, "" if none did."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-x",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
    ]
    environment = {**os.environ, "PYTHONPATH": str(copy)}
    try:
        done = subprocess.run(
            [*command, "-m", SUITES[suite], *paths],
            cwd=ROOT,
            env=environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
        )
    except subprocess.TimeoutExpired:
        return f"no end after {PATIENCE} s"
    if done.returncode in (0, 5):  # 5: no test was selected
        return ""
    found = re.search(r"^(?:FAILED|ERROR) (.*)$", done.stdout, re.MULTILINE)
    return found[1].split(" - ")[0] if found else f"exit code {done.returncode}"


def try_fault(fault: Fault, suite: str, likely_alone: bool) -> str:
    """Return the test that catches a fault, "" if it survives."""
    with tempfile.TemporaryDirectory(prefix="motorik-mutant-") as folder:
        copy = Path(folder) / "src"
        shutil.copytree(SOURCE, copy, ignore=shutil.ignore_patterns("__pycache__"))
        fault.apply(copy)
        likely = [str(TESTS / name) for name in fault.likely if (TESTS / name).exists()]
        found = run_tests(copy, likely, suite) if likely else ""
        if found or likely_alone:
            return found
        return run_tests(copy, [str(TESTS)], suite)


def missing(faults: Sequence[Fault]) -> list[str]:
    """Return which faults do not fit the source, and why."""
    found = []
    for fault in faults:
        try:
            fault.place()
        except LookupError as error:
            found.append(str(error))
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Try the faults; return 0 if all were caught, 1 if some survived, 2 for a wrong table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="faults whose name contains this")
    parser.add_argument("--suite", choices=SUITES, default="usual")
    parser.add_argument("--jobs", type=int, default=1, help="faults tried at once")
    parser.add_argument("--likely", action="store_true", help="run the likely files alone")
    parser.add_argument("--list", action="store_true", help="print the faults and stop")
    given = parser.parse_args(arguments)
    faults = [fault for fault in FAULTS if given.only in fault.name]
    wrong = missing(faults)
    print("".join(f"not in the source: {line}\n" for line in wrong), end="")
    if given.list or wrong:
        for fault in faults if given.list else ():
            print(fault.name)
        return 2 if wrong else 0

    def tried(fault: Fault) -> bool:
        found = try_fault(fault, given.suite, given.likely)
        end = f"caught    {fault.name}: {found}" if found else f"survived  {fault.name}"
        print(end, flush=True)
        return bool(found)

    with ThreadPoolExecutor(max_workers=given.jobs) as pool:
        caught = sum(pool.map(tried, faults))
    print(f"RESULT mutants.caught {caught} of {len(faults)}")
    return 0 if caught == len(faults) else 1


if __name__ == "__main__":
    sys.exit(main())
