"""The notebooks of the examples run from top to bottom and come to the numbers they tell of."""

from __future__ import annotations

import pytest

nbformat = pytest.importorskip("nbformat")
pytest.importorskip("nbclient")
pytest.importorskip("ipykernel")

from scripts.make_notebooks import FOLDER, run  # noqa: E402

MONTE_CARLO = """
assert bool(runs.complete.all()) and len(runs) == 2000
assert abs(float(np.median(travel)) - 58.4) < 0.3                   # mm
assert share["strut.d"] > 0.5 > share["body.m"] > share["tyre.c"] > 0.05 > share["strut.c"]
assert abs(sum(share.values()) - 1.0) < 0.05                        # it is nearly linear
assert np.abs(alone["strut.s_rel"] - result["strut.s_rel"]).max() < 1e-9
assert abs(1e3 * np.abs(alone["strut.s_rel"]).max() - float(travel.max())) < 1e-6
"""
SUSPENSION = """
assert rest.stability == "stable" and abs(forces["tyre.f"] + 9.81 * (350 + 40 + 6 + 4)) < 20
assert modes.is_stable and np.allclose(modes.frequencies, (0.746, 11.01), rtol=0.01)
assert abs(bounce / natural[0] - 1.0) < 0.1
assert (np.diff(camber) < 0.0).all() and camber[-1] < -3.0 < 0.0 < camber[0]
assert bool(sweep.reached.all()) and abs(toe).max() < 1.0
assert np.allclose(ratio[1:-1], 0.542, atol=0.009)
"""
FIT = """
for name, value in TRUE.items():
    low, high = fit.intervals[name]
    assert low < value < high and abs(fit[name] / value - 1.0) < 0.03
assert abs(np.std(data["hinge.phi"] - result["hinge.phi"]) - 0.02) < 0.002
"""
LQR = """
assert standing.stability == "unstable" and max(p.real for p in poles) < -3.0
closed = np.linalg.eigvals(linear.A - linear.B @ K)
assert np.allclose(np.sort(closed.real), np.sort(poles.real), rtol=1e-6)
assert abs(result["shoulder.phi"][-1]) < 1e-3 < abs(result["shoulder.phi"]).max()
assert returns(10) and not returns(40)
assert abs(result["torque.y"]).max() < 10.0
"""
COMPUTED_TORQUE = """
def off(run):
    wanted = np.array([path(t)[0] for t in run.time])
    return max(np.abs(run[f"{name}.phi"] - wanted[:, k]).max() for k, name in enumerate(JOINTS))


assert off(runs[0.0]) < 2e-4 < 5e-3 < off(runs[0.5]) < 3e-2         # rad
assert runs[0.0].complete and abs(runs[0.0].time[-1] - 3.0) < 1e-9
"""
CHECKS = {
    "monte_carlo": MONTE_CARLO,
    "suspension": SUSPENSION,
    "fit_parameters": FIT,
    "lqr": LQR,
    "computed_torque": COMPUTED_TORQUE,
}
STORED = 200_000  # bytes, of each: they stay in the history of the repository


def test_every_notebook_is_tried():
    assert sorted(file.stem for file in FOLDER.glob("*.ipynb")) == sorted(CHECKS)


@pytest.mark.slow
@pytest.mark.parametrize("name", CHECKS)
def test_a_notebook_comes_to_its_numbers(name):
    if name == "lqr":
        pytest.importorskip("control", reason="python-control is not installed")
    run(FOLDER / f"{name}.ipynb", then=CHECKS[name])


@pytest.mark.parametrize("name", CHECKS)
def test_a_notebook_can_be_read_as_it_is(name):
    file = FOLDER / f"{name}.ipynb"
    book = nbformat.read(file, as_version=4)
    nbformat.validate(book)
    code = [cell for cell in book.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    shown = [output for cell in code for output in cell.outputs]
    assert not any(output.output_type == "error" for output in shown)
    assert sum("image/png" in output.get("data", {}) for output in shown) >= 2
    assert file.stat().st_size < STORED
