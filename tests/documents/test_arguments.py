"""Every argument of every class of parts survives documents and source, there and back."""

from __future__ import annotations

import inspect
import itertools
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

from motorik import Model, Parameter, guess, joints, parts, planar, steady
from motorik.components.base.declarations import ParameterSpec, PortSpec
from motorik.components.base.part import Part
from motorik.documents.classes import part_classes
from motorik.documents.source import read_source, write_source
from motorik.documents.source.rest import is_same
from motorik.errors import MotorikError
from tests.documents.sources import made

TABLE = ((0.0, 1.0), (1.0, 2.0))
TRIED = (
    *(True, False, 0.37, 2.5, 3, 0.0, -0.2, "x"),
    *((0.3, 0.4), (0.1, 0.2, 0.3), (0, 0, 1), (0.0, 1.0, 2.0, 3.0), (3, 1, 2), TABLE),
    *({"A": (0.1, 0.2)}, {"start": (0.1, 0.2, 0.3), "number": (1, 0, 0)}),
    *(guess(0.3), steady(0.1), joints.Coulomb(tau=0.2), Parameter(0.45, "own")),
)
"""Values of all kinds; an argument is given those that it takes."""


def state(part: Part) -> dict[str, str]:
    """Return all that a part is made of: its ports, and its values as text."""
    kept = part.__dict__
    return {
        name: "port" if isinstance(spec, PortSpec) else repr(kept.get(name))
        for name, spec in part.specs.items()
    }


def made_with(kind: type[Part], name: str, usual: dict[str, str] | None) -> Iterator[Part]:
    """Yield parts with other values of one argument than the usual ones."""
    spec = kind.specs.get(name)
    known = spec.kind_of_value if isinstance(spec, ParameterSpec) else None
    choices = known.choices if known else ()
    for value in (*TRIED, *choices[-1:]):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                part = kind(**{name: value})
        except (MotorikError, TypeError, ValueError):
            continue
        if state(part) != usual:
            yield part


def usual_state(kind: type[Part]) -> dict[str, str] | None:
    try:
        return state(kind())
    except MotorikError:  # a value must be given
        return None


@pytest.mark.slow
def test_every_argument_of_every_class_survives():
    """The parts of a class stand in one model, so that all of them take some seconds."""
    count, untried = 0, set()
    for name, _, kind in part_classes():
        model, given = Model(), {}
        for argument in inspect.signature(kind).parameters:
            found = [*itertools.islice(made_with(kind, argument, usual_state(kind)), 3)]
            given |= {f"{argument}_{k}_": part for k, part in enumerate(found)}
            untried |= set() if found else {(name, argument)}
        for own, part in given.items():
            setattr(model, own, part)
        kept = {own: state(part) for own, part in given.items()}
        document = model.to_document()
        assert {own: state(p) for own, p in document.build().parts.items()} == kept, name
        if given:
            source = write_source(document)
            assert is_same(read_source(source).data, document.data), name
            assert {own: state(p) for own, p in made(source).parts.items()} == kept, name
        count += len(given)
    assert count > 2000
    assert len(untried) < 250, untried  # tensors, tables and pairs that depend on others


def make_body(at: dict[str, Any]) -> Part:
    kind: Any = parts.BodyWithPoints  # a checker does not see its argument
    return kind(points=at)


@pytest.mark.parametrize(
    ("make", "place"),
    [
        (lambda **at: planar.Ground(ports=at), (0.1, 0.2)),
        (lambda **at: planar.Body(ports=at), (0.1, 0.2, 0.3)),
        (lambda **at: make_body(at), (0.1, 0.2, 0.3)),
    ],
)
def test_frames_that_the_user_names_survive(make: Any, place: tuple[float, ...]):
    """Also those named as the marks of values, placed by live numbers, and moved afterwards."""
    model = Model()
    model.size = Parameter(0.4, "size", unit="m")
    model.one = make(O=place, start=place, formula=(model.size, 2 * model.size, *place[2:]))
    model.one.r_O = (0.7, 0.8, 0.0)
    expected = [port.name for port in model.one.ports()]
    document = model.to_document()
    source = write_source(document)
    assert is_same(read_source(source).data, document.data)
    for again in (document.build(), made(source)):
        assert [port.name for port in again.one.ports()] == expected
        assert again.one.r_O.xyz == (0.7, 0.8, 0.0)
        assert again.one.r_start.xyz[:2] == place[:2]
        again.size = 0.5
        moved = again.to_document().build().one.r_formula.xyz
        assert [one.value for one in moved[:2]] == [0.5, 1.0]
