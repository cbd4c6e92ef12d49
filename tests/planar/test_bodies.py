"""Bodies with ports where the user puts them."""

import copy
import inspect
import pickle

import pytest

from motorik import Parameter, ParameterError, UnknownNameError, planar
from motorik.components.base.contributions import Mass, Rigid
from motorik.topology.assemble import assemble


def contributions(part):
    return list(part.contributions(part.resolved(lambda scalar: scalar.value)))


def test_ports_are_frames_at_their_places():
    body = planar.Body(m=2.0, r_CM=(0.1, 0.2), ports={"A": (0.5, 0), "B": (-0.5, 0, 0.3)})
    mass, *rigids = contributions(body)
    assert isinstance(mass, Mass) and mass.frame is body.G
    assert [rigid.frame_b for rigid in rigids] == [body.A, body.B]
    assert all(isinstance(rigid, Rigid) and rigid.frame_a is body.G for rigid in rigids)
    assert rigids[0].X_ab.p.xyz == pytest.approx((0.4, -0.2, 0.0))
    assert rigids[1].X_ab.R.yx == pytest.approx(0.29552020666133955)


def test_a_body_prints_its_constructor_and_tells_its_signature():
    body = planar.Body(m=2.0, ports={"A": (0.5, 0.0), "B": (0.0, 0.1, 0.3)})
    assert repr(body) == "Body(m=2.0, ports={'A': (0.5, 0.0), 'B': (0.0, 0.1, 0.3)})"
    assert repr(eval(repr(body), vars(planar))) == repr(body)
    body.r_A = (0.6, 0.0, 0.0)
    assert repr(eval(repr(body), vars(planar))) == repr(body)
    assert "ports" in inspect.signature(planar.Body).parameters


def test_ports_survive_copies_and_pickles():
    body = planar.Body(ports={"A": (0.5, 0.0)})
    for twin in (copy.deepcopy(body), pickle.loads(pickle.dumps(body))):
        assert repr(twin) == repr(body)
        assert twin.A.owner is twin
        twin.r_A = (0.7, 0.0, 0.0)
    assert body.r_A.x == 0.5


def test_types_for_editors_are_nothing_at_run_time():
    assert planar.Body[str] is planar.Body
    assert planar.Ground[str] is planar.Ground
    assert not hasattr(planar.Body(), "__orig_class__")
    assert [port.name for port in planar.Body(ports={"A": (0, 0)}).ports()] == ["G", "A"]


def test_a_place_can_be_live():
    class Pendulum(planar.Model):
        def build(self, length):
            self.ground = planar.Ground(ports={"O": (0, 0)})
            self.bob = planar.Body(ports={"O": (0, length)})
            self.hinge = planar.Revolute()
            self.ground.O >> self.hinge.frame_a
            self.hinge.frame_b >> self.bob.O

    model = Pendulum(length=Parameter(0.5))
    assert list(model.live_parameters()) == ["length"]
    assert len(assemble(model).parameters) == 1


@pytest.mark.parametrize(
    ("ports", "message"),
    [
        ({"m": (0, 0)}, "'m' already means something else"),
        ({"CM": (0, 0)}, "'r_CM' already means something else"),
        ({"two words": (0, 0)}, "not a valid port name"),
        ({"A": (1.0,)}, r"neither \(x, y\) nor"),
        ({"A": (0, "far")}, "not a number"),
        ((0.0, 1.0), "not a dict of places"),
    ],
)
def test_ports_that_cannot_be_are_refused(ports, message):
    with pytest.raises(ParameterError, match=message):
        planar.Body(ports=ports)


def test_a_misspelt_port_is_answered_with_those_there_are():
    with pytest.raises(UnknownNameError, match="'left'"):
        _ = planar.Body(ports={"left": (0, 0)}).lfet


def test_a_body_needs_mass_and_inertia():
    with pytest.raises(ParameterError, match="above 0"):
        planar.Body(m=0.0)
    with pytest.raises(ParameterError, match="above 0"):
        planar.Body(I=0.0)
