"""Documents of random and of known models, for tests of their source."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from hypothesis import strategies as st

from motorik import gallery
from motorik.documents import Document
from motorik.model import Model

Data = dict[str, Any]


@cache
def of_gallery() -> dict[str, Data]:
    """Return the documents of all mechanisms of the gallery by name."""
    found = {}
    for name in gallery.__all__:
        kind = getattr(gallery, name)
        if isinstance(kind, type) and issubclass(kind, Model):
            found[name] = Document.of(kind()).data
    return found


def run(model: Model, stop_time: float = 0.2) -> dict[str, np.ndarray]:
    """Return the states of a run by name."""
    result = model.simulate(stop_time)
    return {name: result.states[:, k] for k, name in enumerate(result.state_names)} | {
        "time": result.time
    }


def made(source: str) -> Model:
    """Return the model of a source that is run as a program is imported."""
    space: dict[str, Any] = {"__name__": "exported"}
    exec(compile(source, "exported.py", "exec"), space)
    kinds = [
        one
        for one in space.values()
        if isinstance(one, type) and issubclass(one, Model) and one.__module__ == "exported"
    ]
    return kinds[-1]()


def apart(a: dict[str, np.ndarray], b: dict[str, np.ndarray]) -> float:
    """Return how far two runs are apart, relative to the size of each state."""
    assert a.keys() == b.keys()
    assert all(a[name].shape == b[name].shape for name in a)
    return max(
        float(np.abs(a[name] - b[name]).max() / max(1.0, np.abs(a[name]).max()))
        for name in a
    )


# --- random documents ---------------------------------------------------------------------

IDS = st.sampled_from(
    [
        "world",
        "crank",
        "rod",
        "legs[1]",
        "legs[2]",
        "wheels[left]",
        "far[3]",
        "π",
        "x_1",
        "b",
    ]
)
NUMBERS = st.one_of(
    st.floats(allow_nan=False, allow_infinity=False),
    st.integers(-(10**15), 10**15),
    st.sampled_from([0.0, 1.0, -0.5, 1e-9, 1e300]),
)
TEXTS = st.text(max_size=30)
FORMULAS = st.sampled_from(
    [
        *("length", "2 * length", "-length / (2 + mass)", "length**2 - mass**-1", "pi / 2"),
        *("sin(length) ** 2", "where(length > 0.1, 1, 2)", "abs(length)+max(mass,1)"),
        *(
            "(length, 0, mass)",
            "deg(30)",
            "a - (b - c)",
            "(-length)**2",
            "2*(3+mass)*length",
        ),
        *("(", "length length", "unknown(1)", "9" * 50),
    ]
)


def values() -> st.SearchStrategy[Any]:
    """Return values of arguments, sound ones and odd ones."""
    plain = st.one_of(NUMBERS, st.booleans(), st.none(), TEXTS)
    formula = FORMULAS.map(lambda text: {"formula": text})
    return st.one_of(
        plain,
        st.lists(st.one_of(NUMBERS, formula), max_size=4),
        formula,
        st.builds(lambda v: {"guess": v}, st.one_of(NUMBERS, formula)),
        st.builds(lambda v: {"steady": v}, NUMBERS),
        st.builds(lambda v: {"start": [v, 0.0], "fixed": [True, False]}, NUMBERS),
        st.builds(
            lambda v, n, u: {"parameter": v, "name": n, "unit": u, "low": 0.0},
            *(NUMBERS, TEXTS, TEXTS),
        ),
        st.sampled_from(
            [
                {"make": "joints.Coulomb", "arguments": {"tau": 0.2}},
                {"make": "joints.Coulomb", "arguments": {"no name": 0.2}},
                {"make": 7},
                {"function": "0.3 * u**2 + length", "of": ["u"]},
                {"function": "sin(t)", "of": ["t", "class"]},
                {"unreadable": "<function f at 0x7f>"},
                {"unreadable": "lambda t: t if t > 0 else 0", "source": True},
                {"number": "inf"},
                {"number": "-inf"},
                {"number": "twelve"},
                {"odd": [1, {"deep": "\u2028 # \\"}]},
            ]
        ),
    )


PARAMETERS = st.lists(
    st.fixed_dictionaries(
        {
            "name": st.sampled_from(["length", "mass", "a", "b", "c", "sin", "Revolute"]),
            "value": st.one_of(
                NUMBERS, st.lists(NUMBERS, min_size=3, max_size=3), FORMULAS
            ),
        },
        optional={
            "unit": st.sampled_from(["m", "kg", "", "N.m/rad"]),
            "low": NUMBERS,
            "high": NUMBERS,
            "description": TEXTS,
            "label": TEXTS,
            "fixed": st.booleans(),
            "live": st.booleans(),
            "odd": st.integers(),
        },
    ),
    max_size=4,
    unique_by=lambda one: one["name"],
)
CLASSES = st.sampled_from(
    [
        *("World", "Revolute", "rotational.Damper", "blocks.Sine", "rotational.Torque"),
        *("#Leg", "mine.parts:Arm", "mine.parts:Arm.Inner", "Nonsense", "planar.Body"),
        *("motorik.components.forces.gas:GasForce2", "no class", "#Missing"),
    ]
)
PARTS = st.lists(
    st.fixed_dictionaries(
        {"id": IDS, "class": CLASSES},
        optional={
            "arguments": st.dictionaries(
                st.sampled_from(["n", "phi", "tau", "f", "visual", "class", "über"]),
                values(),
                max_size=4,
            ),
            "note": TEXTS,
            "hidden": st.booleans(),
        },
    ),
    max_size=6,
    unique_by=lambda one: one["id"],
)
PORTS = st.sampled_from(
    [
        *("world.frame_b", "crank.frame_a", "crank.frame_b", "rod.frame_a", "legs[1].hip"),
        *("legs[2].hinge.axis", "b.u[1]", "wheels[left].frame_a", "far[3].frame_a", "hip"),
        *("π.flange_a", "not a path", "x_1", "rod.class", "sum.u[0]", "crank.frame_b"),
    ]
)
CONNECTIONS = st.lists(st.lists(PORTS, min_size=2, max_size=2), max_size=6)


def scopes() -> st.SearchStrategy[Data]:
    """Return a model or sub-model."""
    return st.fixed_dictionaries(
        {"parameters": PARAMETERS, "parts": PARTS, "connections": CONNECTIONS},
        optional={
            "description": TEXTS,
            "ports": st.dictionaries(
                st.sampled_from(["hip", "axis_1"]),
                st.one_of(
                    PORTS,
                    st.sampled_from(
                        [{"kind": "frame", "description": "hip"}, {"to": "crank.frame_a"}]
                    ),
                ),
                max_size=2,
            ),
            "notes": st.lists(
                st.fixed_dictionaries({"id": TEXTS, "text": TEXTS}),
                max_size=3,
                unique_by=lambda one: one["id"],
            ),
            "diagram": st.dictionaries(IDS, st.lists(NUMBERS, min_size=2, max_size=2)),
        },
    )


def documents() -> st.SearchStrategy[Data]:
    """Return whole documents, with sub-models, plots, options of runs and unknown keys."""
    return st.builds(
        lambda name, scope, models, more: {
            "motorik": 1,
            "name": name,
            **scope,
            **({"models": models} if models else {}),
            **more,
        },
        st.one_of(st.sampled_from(["Crane", "Body", "class", "guess"]), TEXTS),
        scopes(),
        st.dictionaries(st.sampled_from(["Leg", "Arm", "World"]), scopes(), max_size=2),
        st.fixed_dictionaries(
            {},
            optional={
                "run": st.fixed_dictionaries({"stop_time": NUMBERS, "odd": st.none()}),
                "panels": st.just(
                    [{"id": "p7", "kind": "plot", "variables": ["crank.phi", 'a"b']}]
                ),
                "strategy": st.sampled_from(["projected", 7]),
                "visual": st.just({"color": "red"}),
                "future": st.just({"x": [1, {"y": "  two  blanks  "}]}),
            },
        ),
    )
