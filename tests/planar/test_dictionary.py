"""The dictionary of docs/planar.md: every name exists, and is what the paper's equation says."""

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from motorik import LoopOptions, SolverOptions, planar
from motorik.components.base.part import ParameterSpec
from motorik.components.base.ports import Port
from tests.planar import mechanisms as m
from tests.planar.absolute import close

DOCUMENT = Path(__file__).parents[2] / "docs" / "planar.md"
PLACE = (-0.3, 0.05, 0.4)  # x_M, y_M, θ_i1 of the port
TIMES = np.linspace(0.0, 0.3, 4)


class Double(planar.Model):
    """A double pendulum; the second body is `body`, its hinge `joint`."""

    def build(self):
        self.ground = planar.Ground(ports={"O": (0, 0)})
        self.arm = planar.Body(
            m=0.7, I=0.02, ports={"O": (0, 0.2), "tip": (0, -0.3)}, theta=0.5, w=1.0
        )
        self.body = planar.Body(m=1.2, I=0.03, ports={"port": PLACE}, theta=-0.4, w=-2.0)
        self.bearing = planar.Revolute()
        self.joint = planar.Revolute(drive=lambda t, phi, w: 0.3 - 0.1 * w)
        self.ground.O >> self.bearing.frame_a
        self.bearing.frame_b >> self.arm.O
        self.arm.tip >> self.joint.frame_a
        self.joint.frame_b >> self.body.port


@cache
def entries():
    """Return the names of the dictionary by what they are."""
    text = DOCUMENT.read_text(encoding="utf-8").split("## 5. For those who know the paper")[
        1
    ]
    found = {}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 4 and "`" in cells[2]:
            found.setdefault(cells[3], []).extend(re.findall(r"`([^`]+)`", cells[2]))
    return found


@cache
def run():
    model = Double()
    result = model.simulate(
        TIMES[-1],
        output=TIMES,
        rtol=1e-10,
        solver=SolverOptions(atol=1e-11),
        loops=LoopOptions(gains=(20.0, 20.0)),
    )
    result.compute(entries()["result"])
    return model, result


def truth(k):
    """Return all results of the dictionary at a time, from the state of the bodies alone."""
    model, result = run()
    mechanism = m.independent(model)
    q = m.motion_of(result, model)[k]
    v = m.motion_of(result, model, ("vx", "vy", "w"))[k]
    a, multipliers = mechanism.solve(TIMES[k], q, v)
    f, rates = mechanism.residual(q).astype(float), mechanism.rate(q, v)
    (x, y, th), (vx, vy, w), (ax, ay, al) = q[3:], v[3:], a[3:]
    px, py, angle = PLACE
    c, s = np.cos(th), np.sin(th)
    rx, ry = px * c - py * s, px * s + py * c
    torque = 0.3 - 0.1 * (w - v[2])
    Fx, Fy = multipliers[2:]
    return {
        **{f"body.{n}": e for n, e in zip(("x", "y", "theta"), q[3:], strict=True)},
        **{f"body.{n}": e for n, e in zip(("vx", "vy", "w"), v[3:], strict=True)},
        **{f"body.{n}": e for n, e in zip(("ax", "ay", "alpha"), a[3:], strict=True)},
        **{"body.port.x": x + rx, "body.port.y": y + ry, "body.port.theta": th + angle},
        **{"body.port.vx": vx - w * ry, "body.port.vy": vy + w * rx, "body.port.w": w},
        "body.port.ax": ax - al * ry - w**2 * rx,
        "body.port.ay": ay + al * rx - w**2 * ry,
        "body.port.alpha": al,
        **{"body.port.Fx": Fx, "body.port.Fy": Fy, "body.port.Cz": torque},
        **{"joint.Fx_a": -Fx, "joint.Fy_a": -Fy, "joint.Cz_a": -torque},
        **{"joint.Fx_b": Fx, "joint.Fy_b": Fy, "joint.Cz_b": torque},
        **{f"joint.lambda_{i + 1}": multipliers[2 + i] for i in range(2)},
        **{f"joint.residual_{i + 1}": f[2 + i] for i in range(2)},
        **{f"joint.residual_rate_{i + 1}": rates[2 + i] for i in range(2)},
    }


@pytest.mark.kinds(2)
@pytest.mark.slow
@pytest.mark.parametrize("k", range(len(TIMES)))
def test_every_result_of_the_dictionary_is_what_the_equation_says(k):
    _, result = run()
    wanted = truth(k)
    assert sorted(wanted) == sorted(entries()["result"])
    gains = 20.0**2 * max(abs(wanted[f"joint.residual_{i}"]) for i in (1, 2))
    for name, value in wanted.items():
        close(result[name][k], value, 1e-6 + 10.0 * gains)
    assert np.abs(list(wanted.values())).max() > 1.0


@pytest.mark.slow
def test_parameters_and_ports_of_the_dictionary_exist():
    model, _ = run()
    for name in entries()["parameter"]:
        part, _, own = name.partition(".")
        assert isinstance(getattr(model, part).specs[own], ParameterSpec)
    for name in entries()["port"]:
        part, _, own = name.partition(".")
        assert isinstance(getattr(getattr(model, part), own), Port)
    assert model.body.r_port.xyz[:2] == PLACE[:2]
    assert model.body.angle_port == PLACE[2]


def test_classes_methods_and_options_of_the_dictionary_exist():
    for name in (*entries()["class"], *entries()["method"]):
        at = planar
        for step in name.split(".")[1:]:
            at = getattr(at, step)
        assert callable(at)
    assert entries()["option"] == ["gains", "LoopOptions"]
    assert LoopOptions(gains=(1.0, 2.0)).gains == (1.0, 2.0)


def test_the_document_names_every_class_of_the_library():
    text = DOCUMENT.read_text(encoding="utf-8")
    for name in planar.__all__:
        assert re.search(rf"\b{name}\b", text), f"docs/planar.md does not name {name}"
