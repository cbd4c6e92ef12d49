"""Mass matrix and Jacobians of frames: Pinocchio for trees, energies and differences for loops."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest

from motorik import gallery
from motorik.errors import InitialValueError, ParameterError, UnknownNameError
from tests.analysis.models import pendulum, suspension
from tests.laws.physical_trees import make_tree, random_shapes

needs_pinocchio = pytest.mark.skipif(
    find_spec("pinocchio") is None, reason="Pinocchio is the second route"
)


@needs_pinocchio
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_random_trees_agree_with_pinocchio(seed):
    import pinocchio as pin

    from tests.laws.pinocchio_twin import Twin

    tree = make_tree(random_shapes(np.random.default_rng(seed), 4), seed)
    model, twin = tree.model(seed, seed), Twin(tree)
    system = model.compile()
    coordinates, speeds = system.state_names[: system.n_q], system.state_names[system.n_q :]
    q, _, _ = tree.state(coordinates, seed)
    named = dict(zip(coordinates, q, strict=True))
    T, q_pin = twin.speed_map(named, speeds), twin.coordinates(named)
    upper = np.triu(pin.crba(twin.model, twin.data, q_pin))
    expected = T.T @ (upper + np.triu(upper, 1).T) @ T
    M = model.mass_matrix(at=named)
    assert list(M.state.values) == speeds
    assert np.abs(M.values - expected).max() < 1e-12 * np.abs(expected).max()
    pin.computeJointJacobians(twin.model, twin.data, q_pin)
    pin.updateFramePlacements(twin.model, twin.data)
    frames = [f"{name}.frame_a" for name in twin.frames]
    J = model.jacobian(frames, at=named)
    for name, index in twin.frames.items():
        aligned = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        own = pin.getFrameJacobian(twin.model, twin.data, index, aligned) @ T
        found = J.sel(frame=f"{name}.frame_a").values
        assert (
            np.abs(found - np.vstack([own[3:], own[:3]])).max() < 1e-12 * np.abs(own).max()
        )


@pytest.mark.slow
@pytest.mark.parametrize("strategy", ["auto", "projected", "absolute"])
def test_loops_keep_energy_and_velocities(strategy):
    model = suspension()
    result = model.simulate(0.2, output=4, strategy=strategy)
    M = model.mass_matrix(at=result)
    u = np.column_stack([result[name] for name in M.state.values])
    kinetic = _kinetic(model.compile(strategy), result)
    assert np.allclose(0.5 * np.einsum("ri,rij,rj->r", u, M.values, u), kinetic, rtol=1e-8)
    J = model.jacobian("hub.frame_b", at=result)
    velocity = np.einsum("rcs,rs->rc", J.values, u)
    turning = np.einsum("rji,rj->ri", result["hub.frame_b.R.T"], result["hub.frame_b.R.w"])
    assert np.allclose(velocity[:, :3], turning, atol=1e-9)


def _kinetic(system, result):
    """Return the kinetic energy by summation over bodies."""
    first = system.function("energy")
    p = np.zeros(first.numel_in(2))
    p[: system.layout.n_live] = system.parameter_values()
    names = result.motion_names
    X = result.motion[:, [names.index(n) for n in system.layout.motion_names]]
    return np.array([float(first(0.0, x, p)[0]) for x in X])


def test_a_pendulum_has_its_closed_form():
    model = pendulum()
    phi = np.linspace(-1.0, 1.0, 5)
    M = model.mass_matrix(at={"hinge.phi": phi})
    assert M.dims == ("row", "state", "state_of_column")
    assert np.allclose(M.values.ravel(), 2.0 * 0.5**2 + 0.001)
    assert str(M.unit.values[0, 0]) == "kg.m2"
    J = model.jacobian("bob.frame_a", at={"hinge.phi": 0.3})
    assert J.sel(component="w[3]", state="hinge.w") == 1.0 and J.shape == (6, 1)


@pytest.mark.slow
def test_rows_of_a_loop_are_those_of_single_states():
    model = gallery.Fourbar1()
    phi = np.linspace(0.0, 2.0, 4)
    rows = model.jacobian(["b3.frame_b", "b2.frame_b"], at={"j1.phi": phi})
    found = model.mass_matrix(at={"j1.phi": phi})
    for k, value in enumerate(phi):
        one = model.jacobian(["b3.frame_b", "b2.frame_b"], at={"j1.phi": float(value)})
        assert np.allclose(one.values, rows[k].values, atol=1e-9)
        assert np.allclose(
            model.mass_matrix(at={"j1.phi": float(value)}).values, found[k].values
        )


def test_what_is_wrong_is_named():
    model = pendulum()
    with pytest.raises(UnknownNameError, match="Did you mean 'frame_a'"):
        model.jacobian("bob.frame_c")
    with pytest.raises(ParameterError, match=r"hinge\.w: has the shape"):
        model.mass_matrix(at={"hinge.phi": np.zeros(3), "hinge.w": np.zeros(2)})
    with pytest.raises(ParameterError, match="finite numbers"):
        model.mass_matrix(at={"hinge.phi": [0.0, np.nan]})
    with pytest.raises(UnknownNameError, match=r"Did you mean 'hinge\.phi'"):
        model.jacobian("bob.frame_a", at={"hinge.phy": [0.0, 1.0]})


@pytest.mark.slow
def test_a_row_out_of_reach_says_how_far_it_goes():
    with pytest.raises(InitialValueError, match=r"row 2, inner_joint\.phi = 3 rad.*as far"):
        suspension().mass_matrix(at={"inner_joint.phi": [0.0, 0.2, 3.0]})
