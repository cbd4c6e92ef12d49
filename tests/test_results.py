"""Results: every variable by name, immutable, with units, in many forms, to files and back."""

from __future__ import annotations

import copy
import pickle
import re

import numpy as np
import pytest

import motorik as mk
from motorik import gallery
from motorik.errors import FileFormatError, UnknownNameError
from motorik.results import SavedResult, load_result
from motorik.results.result import Interpolation
from tests.refusals import refused


class Everything(mk.Model):
    """A model with every part of the catalogue."""

    def build(self) -> None:
        self.world = mk.World(g=9.81)
        self.post = mk.Fixed(r=(0, 1, 0))
        self.hinge = mk.Revolute(n="z", useAxisFlange=True, phi=0.2)
        self.slider = mk.Prismatic(n="y", useAxisFlange=True, v=0.1)
        self.screw = mk.Screw(n="x", w=1.0)
        self.sleeve = mk.Cylindrical(s=0.1, w=0.5)
        self.cross = mk.Universal(phi_b=0.2, w_a=0.4)
        self.table = mk.Planar(v_x=0.2)
        self.ball = mk.Spherical(w_rel_a_start=(0.1, 0.2, 0.3))
        self.angles = mk.Spherical(useQuaternions=False)
        self.flight = mk.FreeMotion(r_rel_a=(1, 1, 1))
        self.probe = mk.FreeMotionScalarInit()
        self.turned = mk.FixedRotation(r=(0.1, 0, 0), n="z", angle=mk.deg(30))
        self.rod = mk.FixedTranslation(r=(0.3, 0, 0))
        self.marker = mk.Marker()
        self.bodies = mk.Model()
        self.bodies.body = mk.Body(m=mk.Parameter(2.0), r_CM=(0.1, 0, 0))
        self.bodies.shape = mk.BodyShape(m=1.0, r=(0.5, 0, 0), r_CM=(0.2, 0, 0))
        self.bodies.box = mk.BodyBox(r=(0.4, 0, 0), width=0.05)
        self.bodies.cylinder = mk.BodyCylinder(r=(0.4, 0, 0), diameter=0.05)
        self.point = mk.PointMass(m=0.2, v_0=(0, 1, 0))
        self.balls = mk.Body(I_11=0.1, I_22=0.1, I_33=0.1, r_CM=(0, 0.1, 0))
        self.loose = mk.Body(
            I_11=0.1, I_22=0.1, I_33=0.1, useQuaternions=False, w_0_start=(1, 2, 3)
        )
        self.flyer = mk.Body(I_11=0.1, I_22=0.1, I_33=0.1)
        self.damper = mk.rotational.Damper(d=0.1)
        self.spring = mk.rotational.Spring(c=2.0)
        self.both = mk.rotational.SpringDamper(c=1.0, d=0.1)
        self.wall = mk.rotational.Fixed()
        self.motor = mk.rotational.ConstantTorque(tau_constant=0.3)
        self.strut = mk.translational.SpringDamper(c=30.0, d=0.5)
        self.coil = mk.translational.Spring(c=3.0)
        self.brake = mk.translational.Damper(d=0.2)
        self.stop = mk.translational.Fixed()
        self.push = mk.translational.ConstantForce(f_constant=0.3)
        self.wire()

    def wire(self) -> None:
        """Connect everything."""
        b = self.bodies
        for a, c in (
            (self.world.frame_b, self.hinge.frame_a),
            (self.hinge.frame_b, b.body.frame_a),
            (b.body.frame_a, self.turned.frame_a),
            (self.turned.frame_b, self.slider.frame_a),
            (self.slider.frame_b, b.shape.frame_a),
            (b.shape.frame_b, self.screw.frame_b),
            (self.screw.frame_a, b.box.frame_a),
            (b.box.frame_b, self.sleeve.frame_a),
            (self.sleeve.frame_b, b.cylinder.frame_a),
            (b.cylinder.frame_b, self.probe.frame_a),
            (self.probe.frame_b, self.world.frame_b),
            (self.post.frame_b, self.cross.frame_a),
            (self.cross.frame_b, self.balls.frame_a),
            (self.balls.frame_a, self.rod.frame_a),
            (self.rod.frame_b, self.marker.frame_a),
            (self.flight.frame_a, self.rod.frame_b),
            (self.flight.frame_b, self.flyer.frame_a),
            (self.damper.flange_a, self.hinge.support),
            (self.damper.flange_b, self.hinge.axis),
            (self.spring.flange_a, self.wall.flange),
            (self.spring.flange_b, self.hinge.axis),
            (self.both.flange_a, self.hinge.axis),
            (self.both.flange_b, self.hinge.support),
            (self.motor.flange, self.hinge.axis),
            (self.strut.flange_a, self.slider.support),
            (self.strut.flange_b, self.slider.axis),
            (self.coil.flange_a, self.stop.flange),
            (self.coil.flange_b, self.slider.axis),
            (self.brake.flange_a, self.slider.support),
            (self.brake.flange_b, self.slider.axis),
            (self.push.flange, self.slider.axis),
        ):
            a >> c
        self.disc, self.plate = mk.Body(I_11=0.1, I_22=0.1, I_33=0.1), mk.Body()
        self.lamp = mk.Body(I_11=0.1, I_22=0.1, I_33=0.1, r_CM=(0.2, 0, 0))
        self.world.frame_b >> self.table.frame_a
        self.table.frame_b >> self.plate.frame_a
        self.plate.frame_a >> self.ball.frame_a
        self.ball.frame_b >> self.disc.frame_a
        self.disc.frame_a >> self.angles.frame_a
        self.angles.frame_b >> self.lamp.frame_a


@pytest.fixture(scope="module")
def result() -> mk.Result:
    """A run of a model with every part."""
    return Everything().simulate(0.2, output=10, rtol=1e-8)


# --- names, units, shapes -------------------------------------------------------------------


def test_the_model_has_every_part_of_the_catalogue(result):
    import motorik

    # drive lines and blocks have a model of all their parts of their own
    public = {getattr(motorik, name) for name in motorik.__all__}
    kinds = {k for k in public if isinstance(k, type) and issubclass(k, motorik.Part)}
    made = {type(part) for part in result.model.walk()}
    abstract = {motorik.Part, motorik.Model}
    shared = {k for k in kinds if k.__module__.endswith((".lines", ".part"))}
    assert kinds - made - abstract - shared == set()


@pytest.mark.slow
def test_every_variable_of_every_part_is_a_finite_number(result):
    values = result.compute(result.names())
    assert len(values) == len(set(result.names())) > 400
    for name, value in values.items():
        assert value.shape[0] == len(result) and value.ndim <= 3, name
        assert np.isfinite(value).all(), name
        assert isinstance(result.unit(name), str), name


def test_shapes_and_elements(result):
    assert result["hinge.phi"].shape == (11,)
    assert result["bodies.body.r_0"].shape == (11, 3)
    assert result["bodies.body.frame_a.R.T"].shape == (11, 3, 3)
    assert result["ball.Q"].shape == (11, 4)
    for i in range(3):
        column = result[f"bodies.body.r_0[{i + 1}]"]
        np.testing.assert_array_equal(column, result["bodies.body.r_0"][:, i])
    entry = result["bodies.body.frame_a.R.T[2,3]"]
    np.testing.assert_array_equal(entry, result["bodies.body.frame_a.R.T"][:, 1, 2])
    np.testing.assert_array_equal(result["ball.Q[4]"], result["ball.Q"][:, 3])


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("hinge.phi", "rad"),
        ("hinge.w", "rad/s"),
        ("hinge.a", "rad/s2"),
        ("hinge.tau", "N.m"),
        ("hinge.axis.tau", "N.m"),
        ("slider.s", "m"),
        ("slider.axis.f", "N"),
        ("sleeve.wd", "rad/s2"),
        ("sleeve.a", "m/s2"),
        ("screw.s", "m"),
        ("bodies.body.r_0", "m"),
        ("bodies.body.r_0[2]", "m"),
        ("bodies.body.kinetic_energy", "J"),
        ("bodies.body.momentum", "kg.m/s"),
        ("bodies.body.frame_a.f", "N"),
        ("bodies.body.frame_a.t", "N.m"),
        ("ball.Q[1]", "1"),
        ("damper.lossPower", "W"),
    ],
)
def test_units(result, name, unit):
    assert result.unit(name) == unit


def test_states_are_columns_by_name(result):
    for i, name in enumerate(result.state_names):
        np.testing.assert_array_equal(result[name], result.states[:, i])
    assert result.states.shape == (11, len(result.state_names))


def test_the_rates_are_those_of_the_states(result):
    names = result.state_names
    at = {name: i for i, name in enumerate(names)}
    np.testing.assert_array_equal(result.rates[:, at["hinge.phi"]], result["hinge.w"])
    np.testing.assert_array_equal(result.rates[:, at["hinge.w"]], result["hinge.a"])


def test_a_composite_shows_its_parts_variables_under_its_own_names(result):
    np.testing.assert_array_equal(result["sleeve.s"], result["sleeve.prismatic.s"])
    np.testing.assert_array_equal(result["cross.w_b"], result["cross.revolute_b.w"])
    np.testing.assert_array_equal(result["table.phi"], result["table.revolute.phi"])


def test_misspelt_names_get_the_near_one(result):
    with refused(UnknownNameError, "hinge", "'phii'", "Did you mean 'phi'?"):
        result["hinge.phii"]
    with refused(UnknownNameError, "Everything", "'hinje'", "Did you mean 'hinge'?"):
        result["hinje.phi"]
    with refused(UnknownNameError, "bodies", "'bodi'", "Did you mean 'body'?"):
        result["bodies.bodi.r_0"]
    with refused(UnknownNameError, "hinge", "'frame_a.g'", "frame_a.f"):
        result["hinge.frame_a.g"]
    with refused(UnknownNameError, "bodies.body.r_0[4]", "it is 3", "Count from 1"):
        result["bodies.body.r_0[4]"]
    with refused(UnknownNameError, "bodies.body.r_0[0]", "it is 3"):
        result["bodies.body.r_0[0]"]
    with refused(UnknownNameError, "hinge.phi[1]", "one number"):
        result["hinge.phi[1]"]
    with refused(UnknownNameError, "R.T[1]", "3 × 3"):
        result["bodies.body.frame_a.R.T[1]"]
    with refused(UnknownNameError, "hinge", "'phii'"):
        result.unit("hinge.phii")


def test_nothing_in_a_result_can_be_changed(result):
    for array in (
        result.time,
        result.states,
        result.rates,
        result["hinge.a"],
        result["ball.Q"],
    ):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0
    with pytest.raises(AttributeError):
        result.info.steps = 0


# --- between the rows -----------------------------------------------------------------------


def test_at_meets_the_rows_and_a_finer_run_between_them(result):
    np.testing.assert_array_equal(result.at(result.time).states, result.states)
    assert result.at(0.1) == result.sample(5)
    fine = Everything().simulate(0.2, output=20, rtol=1e-8)
    between = result.at(fine.time[1::2])
    np.testing.assert_allclose(between.states, fine.states[1::2], rtol=0, atol=2e-5)


@pytest.mark.parametrize("times", [-0.1, 0.3, [0.1, 0.5], np.nan], ids=str)
def test_at_refuses_times_outside_the_run(result, times):
    with refused(UnknownNameError, "0 to 0.2 s"):
        result.at(times)


def test_any_variable_is_read_by_name_at_a_time_and_the_states_are_printed(result):
    found = result.at(0.1)
    assert found.time == 0.1 and found["time"] == 0.1
    assert dict(found) == dict(zip(result.state_names, result.states[5], strict=True))
    np.testing.assert_array_equal(found["ball.Q"], result["ball.Q"][5])
    np.testing.assert_array_equal(found["hinge.a"], result["hinge.a"][5])
    assert found.energy()["total"] == result.energy()["total"][5]
    text = repr(found)
    assert "at t = 0.1 s" in text.splitlines()[0]
    assert re.search(r"hinge\.phi +-?[\d.]+ rad$", text, re.MULTILINE)
    assert "hinge.phi" in found and "hinge.a" not in found
    with refused(UnknownNameError, "hinge", "'ph'", "'phi'"):
        found["hinge.ph"]


def test_a_sample_with_another_value_or_from_a_pickle_starts_a_run_as_well():
    model = gallery.PlanarFourbar()
    result = model.simulate(1.0, output=20)
    sample = result.sample(10)
    (turn,) = (name for name in sample if name.endswith("phi"))
    assert (sample | {turn: 2.0})[turn] == 2.0 != sample[turn]
    kept = pickle.loads(pickle.dumps(sample))
    assert dict(kept) == dict(sample) and kept.dependent == sample.dependent
    with refused(UnknownNameError, "revolute1.phi"):
        kept["revolute2.frame_a.r_0"]


@pytest.mark.slow
@pytest.mark.kinds(1)
@pytest.mark.parametrize("strategy", ["explicit", "projected"])
def test_variables_of_loops_between_the_samples_fit_the_states_there(strategy):
    """Dependent angles keep their turns, and the loop is as closed as the states are exact."""
    coarse, fine = (
        gallery.PlanarFourbar().simulate(2.0, output=n, rtol=1e-10, strategy=strategy)
        for n in (800, 1600)
    )
    between = coarse.at(fine.time[1::2])
    for name in [*fine.motion_names, "revolute2.phi"]:
        np.testing.assert_allclose(between[name], fine[name][1::2], rtol=0, atol=2e-5)
    assert max(between.constraint_violation()) < (1e-14 if strategy == "explicit" else 1e-5)


def test_at_works_on_a_result_of_one_row():
    model = mk.Model()
    model.world, model.point = mk.World(), mk.PointMass(r_0=(1, 2, 3))
    one = model.simulate(1.0, output=[0.0])
    assert len(one) == 1
    np.testing.assert_array_equal(one.at([0.0, 0.0]).states, one.states[[0, 0]])


# --- as a collection of variables -----------------------------------------------------------


def test_a_result_holds_its_variables_by_name(result, tmp_path):
    saved = load_result(result.to_csv(tmp_path / "some.csv", "hinge.phi"))
    for series in (result, saved):
        assert "hinge.phi" in series and "hinge.psi" not in series and 3 not in series
        assert list(series) == series.names()
        np.testing.assert_array_equal(series["time"], series.time)
        assert "time" in series and series.unit("time") == "s"
        with refused(UnknownNameError, "result", "0", "one name"):
            series[0]
    assert repr(saved) == "<SavedResult: 1 variables, 11 samples to t = 0.2 s>"


def test_a_result_is_its_own_copy_and_says_how_to_pass_it_on(result):
    assert copy.copy(result) is result and copy.deepcopy(result) is result
    with refused(FileFormatError, "result", "pickled", "to_xarray"):
        pickle.dumps(result)


def test_states_that_no_part_shows_are_among_the_names(result):
    assert all(name in result for name in result.state_names)
    names = set(result.names())
    assert all({name, name.partition("[")[0]} & names for name in result.state_names)


# --- text -----------------------------------------------------------------------------------


def test_the_summary_tells_what_was_run_and_what_it_cost(result):
    text = result.summary()
    for words in (
        "Everything: 0 s to 0.2 s,",
        "11 samples",
        f"method      {result.info.method}, relative tolerance 1e-08",
        f"steps       {result.info.steps} accepted, {result.info.rejected} rejected",
        f"evaluations {result.info.evaluations}",
        "energy      ",
    ):
        assert words in text, words
    assert "incomplete" not in text
    assert repr(result) == "<Result of Everything: 11 samples to t = 0.2 s>"


def test_an_unfinished_run_says_why_in_one_line_and_what_to_do_in_the_summary():
    part = Everything().simulate(1.0, method="dopri5", solver=mk.SolverOptions(max_steps=5))
    why, remedy = part.info.message.splitlines()
    assert repr(part).endswith(f"incomplete: {why}>")
    assert f"\n  incomplete  {why}\n{' ' * 14}{remedy.strip()}" in part.summary()


def test_the_change_of_energy_is_measured_by_the_energy_in_play():
    model = mk.Model()
    model.world, model.top = mk.World(gravityType="none"), mk.Body(w_0_start=(0, 0, 9))
    (line,) = [x for x in model.simulate(1.0).summary().splitlines() if "energy" in x]
    share = float(line.split("(")[1].split()[0])
    assert share < 1e-6  # spins on: nothing is exchanged, yet there is kinetic energy


def test_energy_has_its_three_kinds(result):
    energy = result.energy()
    forms = {"kinetic", "potential", "elastic", "stored", "total"}
    assert set(energy) == {*forms, "supplied", "lost", "undeclared", "imbalance"}
    parts = energy["kinetic"] + energy["potential"] + energy["stored"]
    np.testing.assert_array_equal(energy["total"], parts)
    stored = sum(result[f"{n}.stored_energy"] for n in ("spring", "both", "strut", "coil"))
    np.testing.assert_allclose(energy["stored"], stored, rtol=0, atol=1e-14)


def test_energy_in_a_gravity_function_is_not_made_up():
    model = mk.Model()
    model.world = mk.World(gravityAcceleration=lambda r: (0, -9.81, 0))
    model.ball = mk.PointMass(m=2.0)
    fallen = model.simulate(1.0)
    energy = fallen.energy()
    assert energy["kinetic"][-1] == pytest.approx(9.81**2, rel=1e-9)
    assert np.isnan(energy["potential"]).all() and np.isnan(energy["total"]).all()
    assert "not known: the gravity function" in fallen.summary()


# --- other forms ----------------------------------------------------------------------------

SOME = ("hinge.phi", "bodies.body.r_0", "bodies.body.frame_a.R.T")


def test_as_xarray(result):
    data = result.to_xarray(*SOME)
    assert dict(data.sizes)["time"] == 11
    for name in SOME:
        np.testing.assert_array_equal(data[name].values, result[name])
        assert data[name].attrs["units"] == result.unit(name)
    assert data.attrs["model"] == "Everything" and data.attrs["complete"] == 1
    assert data["time"].attrs["units"] == "s"
    assert list(result.to_xarray().data_vars) == result.state_names


def test_as_pandas(result):
    table = result.to_pandas(*SOME)
    assert table.index.name == "time" and table.shape == (11, 13)
    np.testing.assert_array_equal(
        table["bodies.body.r_0[2]"], result["bodies.body.r_0"][:, 1]
    )
    entry = result["bodies.body.frame_a.R.T"][:, 2, 0]
    np.testing.assert_array_equal(table["bodies.body.frame_a.R.T[3,1]"], entry)


def test_a_netcdf_file_gives_everything_back(result, tmp_path):
    path = result.to_netcdf(tmp_path / "run.nc", *SOME)
    back = load_result(path)
    assert isinstance(back, SavedResult) and back.names() == list(SOME)
    np.testing.assert_array_equal(back.time, result.time)
    for name in SOME:
        np.testing.assert_array_equal(back[name], result[name])
        assert back.unit(name) == result.unit(name)
    with pytest.raises(ValueError, match="read-only"):
        back[SOME[0]][0] = 1.0


def test_a_csv_file_gives_every_bit_back(result, tmp_path):
    path = result.to_csv(tmp_path / "run.csv", *SOME)
    back = load_result(path)
    np.testing.assert_array_equal(back.time, result.time)
    np.testing.assert_array_equal(back["hinge.phi"], result["hinge.phi"])
    for i in range(3):
        found = back[f"bodies.body.r_0[{i + 1}]"]
        np.testing.assert_array_equal(found, result["bodies.body.r_0"][:, i])
    np.testing.assert_array_equal(
        back["bodies.body.frame_a.R.T[1,3]"], result["bodies.body.frame_a.R.T"][:, 0, 2]
    )
    assert len(back.names()) == 13
    again = load_result(back.to_csv(tmp_path / "again.csv"))
    np.testing.assert_array_equal(again["hinge.phi"], result["hinge.phi"])


def test_a_saved_result_knows_its_names(result, tmp_path):
    back = load_result(result.to_netcdf(tmp_path / "run.nc", *SOME))
    with refused(UnknownNameError, "'hinge.fi'", "Did you mean 'hinge.phi'?"):
        back["hinge.fi"]
    with refused(UnknownNameError, "'hinge.fi'"):
        back.unit("hinge.fi")


@pytest.mark.parametrize("ending", ["csv", "nc"])
def test_a_missing_file_is_named(tmp_path, ending):
    with refused(FileFormatError, f"nothing.{ending}", "no such file"):
        load_result(tmp_path / f"nothing.{ending}")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "time,x\n",
        '"time","x"\n1,2\n3\n',
        '"time","x"\n1,two\n',
        '"time","x"\n1,2,3\n',
        '"x","y"\n1,2\n',
        "\x00\xff\x01",
    ],
    ids=repr,
)
def test_a_corrupt_csv_file_is_refused(tmp_path, text):
    path = tmp_path / "bad.csv"
    path.write_text(text, encoding="latin-1")
    with refused(FileFormatError, "bad.csv", "cannot be read"):
        load_result(path)


@pytest.mark.parametrize("kept", [0, 100, 0.5], ids=str)
def test_a_corrupt_netcdf_file_is_refused(result, tmp_path, kept):
    path = result.to_netcdf(tmp_path / "bad.nc", *SOME)
    content = path.read_bytes()
    path.write_bytes(content[: kept if isinstance(kept, int) else int(len(content) * kept)])
    with refused(FileFormatError, "bad.nc", "cannot be read"):
        load_result(path)


def test_a_netcdf_file_of_something_else_is_refused(tmp_path):
    import xarray

    path = tmp_path / "other.nc"
    xarray.Dataset({"x": ("place", [1.0, 2.0])}).to_netcdf(path, engine="h5netcdf")
    with refused(FileFormatError, "other.nc", "time"):
        load_result(path)


def test_a_quaternion_is_shown_as_the_states_have_it():
    # over one full turn the states go from (0, 0, 0, 1) to (0, 0, 0, −1), without a jump
    model = mk.Model()
    model.world = mk.World(gravityType="none")
    model.body = mk.Body(w_0_start=(0, 0, 2 * np.pi))
    turned = model.simulate(1.0, rtol=1e-10, output=100)
    np.testing.assert_allclose(turned["body.Q"][-1], (0, 0, 0, -1), atol=1e-8)
    assert np.abs(np.diff(turned["body.Q"], axis=0)).max() < 0.04


def test_the_nearest_sample_is_the_one_at_the_least_distance():
    chance = np.random.default_rng(4)
    time = np.sort(chance.uniform(size=20))
    t = chance.uniform(-0.1, 1.1, 200)
    nearest = Interpolation.between(time, t).nearest
    expected = np.abs(time - t[:, None]).argmin(axis=1)
    np.testing.assert_array_equal(nearest, expected)
