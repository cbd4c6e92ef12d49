"""Initialisation of a run: given values, those of the parts, loops closed, all conditions met."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from motorik.components.base.units import warn_of_degrees
from motorik.errors import InitialValueError, SimulationError, UnknownNameError, suggest
from motorik.initialisation.given import is_number
from motorik.initialisation.start import InitialState
from motorik.results.sample import Sample

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.initialisation.native import NativeStart
    from motorik.initialisation.native_tree import TreeStart
    from motorik.initialisation.request import InitialStateRequest
    from motorik.initialisation.search import ChooseModes

SEARCHES = 8  # starts of a system from which on native code for them pays
KEPT = 32  # starts remembered by each system

__all__ = ["InitialState", "initialise"]


def initialise(
    system: CompiledModel,
    given: Mapping[str, float],
    live: np.ndarray,
    t: float = 0.0,
    branch: Mapping[str, str] | None = None,
    choose: ChooseModes | None = None,
) -> InitialState:
    """Return the start of a run; `live` are the values of live parameters.

    `choose` finds the modes of what switches, which given accelerations depend on.
    """
    system.parameter_check(live)
    sample = given if isinstance(given, Sample) else None
    given, live = _with_signals(system, given, live)
    X, fixed = given_values(system, given)
    replaced = replaced_conditions(system, given)
    if sample is not None:
        X, fixed = _with_sample(system, X, fixed, sample)
    if choose is not None and not needs_modes(system):
        choose = None
    branches = tuple((branch or {}).items())
    is_new = sample is None or bool(branch)  # not the continuation of a run
    key = (
        X.tobytes(),
        fixed.tobytes(),
        live.tobytes(),
        t,
        branches,
        choose is None,
        is_new,
        replaced,
    )
    kept = system.initialisation.found
    found = kept.get(key)
    if found is None:
        with system.lock:
            found = kept.get(key)
            if found is None:
                while len(kept) >= KEPT:
                    kept.pop(next(iter(kept)))
                if sample is not None and not is_new:
                    from motorik.initialisation.search import InitialStateSearch

                    every = tuple(range(len(system.mechanism.initial_conditions)))
                    search = InitialStateSearch(
                        system, fixed, live, t, initialise, None, every
                    )
                    found = search.continued(X, sample)
                if found is None and choose is None and not replaced:
                    from motorik.initialisation.request import InitialStateRequest

                    request = InitialStateRequest(X, fixed, live, t, branch or {})
                    found = _natively(system, request)
                if found is None:
                    from motorik.initialisation.search import InitialStateSearch

                    find = (
                        initialise if choose is None else partial(initialise, choose=choose)
                    )
                    search = InitialStateSearch(
                        system, fixed, live, t, find, choose, replaced
                    )
                    found = search.run(X, branch or {}, given)
                kept[key] = found
    if sample is None:
        return found.copy()
    from motorik.initialisation.continuation import with_turns

    return with_turns(found, sample)


def _with_sample(
    system: CompiledModel, X: np.ndarray, fixed: np.ndarray, sample: Sample
) -> tuple[np.ndarray, np.ndarray]:
    """Return values to begin with and which are fixed: of an output sample its states alone."""
    X, fixed, index = X.copy(), fixed.copy(), system.layout.index
    for name, value in sample.dependent.items():
        if name in index and name not in sample:
            X[index[name]] = value
            fixed[index[name]] = False
    return X, fixed


def needs_modes(system: CompiledModel) -> bool:
    """Return whether initial accelerations are given and there are nonsmooth constraints."""
    if not (system.facts.is_nonsmooth and system.facts.has_initial_conditions):
        return False
    return any(own.level == 2 for own in system.mechanism.initial_conditions)


def _natively(system: CompiledModel, request: InitialStateRequest) -> InitialState | None:
    """Return the start by native code, used once many are requested, if it is certain."""
    memory = system.initialisation
    if not memory.has_native:
        return None
    if memory.native is None:
        memory.searches += 1
        if memory.searches <= SEARCHES or not memory.is_checked:
            return None
        memory.native = make_native(system)
        memory.has_native = memory.native is not None
    found = None if memory.native is None else memory.native.find(request)
    return None if found is None else InitialState(system, request.t, *found)


def make_native(system: CompiledModel) -> NativeStart | TreeStart | None:
    """Return native code that finds initial states of a model, None if none suits it."""
    from motorik.initialisation.native import NativeStart
    from motorik.initialisation.native_tree import TreeStart

    if NativeStart.suits(system):
        return NativeStart(system, initialise)
    return TreeStart(system) if TreeStart.suits(system) else None


def _with_signals(
    system: CompiledModel, given: Mapping[str, float], live: np.ndarray
) -> tuple[Mapping[str, float], np.ndarray]:
    """Return the given values of states, and the live values with those given to signals."""
    if not isinstance(given, Mapping) or not given:
        return given, live
    places = system.layout.kept_signals
    signals = {name: value for name, value in given.items() if name in places}
    if not signals:
        return given, live
    live = live.copy()
    for name, value in signals.items():
        _check_number(name, value)
        live[places[name]] = value
    return {name: given[name] for name in given if name not in places}, live


def replaced_conditions(
    system: CompiledModel, given: Mapping[str, float]
) -> tuple[int, ...]:
    """Return the places of initial conditions that values given to a run replace.

    These are fixed start values of a part whose own states of which they are functions are
    all given, and all of them where every state of the model is: then nothing is left by which
    they could be met.
    """
    if not given or not system.facts.has_initial_conditions:
        return ()
    import casadi

    from motorik.compiler.symbols import elements
    from motorik.motion.view import MotionView

    mechanism, index = system.mechanism, system.layout.index
    kept, key = system.initialisation.replaced, tuple(sorted(given))
    if key in kept:
        return kept[key]
    t, q, u, z = system.equations.symbols("t", "q", "u", "z")
    places = {index[name] for name in given}
    has_all = places.issuperset(system.layout.places)
    motion = MotionView(mechanism, elements(q), elements(u), None, t, elements(z))
    found: list[int] = []
    for place, condition in enumerate(mechanism.initial_conditions):
        if has_all and not condition.is_law:
            found.append(place)
            continue
        link = next((k for k in mechanism.links if k.part == condition.part), None)
        if link is None or condition.level > 1 or condition.is_law:
            continue
        first, own = (0, link.q) if condition.level == 0 else (system.n_q, link.u)
        symbols = casadi.vertcat(*((u if condition.level else q)[k] for k in own))
        r = casadi.SX(casadi.vertcat(*condition.residual(motion)))
        uses = casadi.which_depends(r, symbols, 1, False)
        needed = {first + k for k, used in zip(own, uses, strict=True) if used}
        if needed and needed <= places:
            found.append(place)
    kept[key] = tuple(found)
    return kept[key]


def _check_number(name: str, value: object) -> None:
    if not is_number(value):
        raise InitialValueError(
            name,
            f"start value {value!r} is not a finite number.",
            "Give one number.",
            parameter=name.rpartition(".")[2],
            value=value,
        )


def given_values(
    system: CompiledModel, given: Mapping[str, float]
) -> tuple[np.ndarray, np.ndarray]:
    """Return the motion as given by the parts and the user, and which values are fixed."""
    if not isinstance(given, Mapping):
        raise SimulationError(
            "simulate",
            f"initial = {given!r} is not a dict by name.",
            'Give e.g. {"rev.phi": 0.5}.',
            parameter="initial",
            value=given,
        )
    X, fixed = system.layout.starts
    if not given:
        return X, fixed
    X, fixed = X.copy(), fixed.copy()
    index = system.layout.index
    for name, value in given.items():
        if name not in index:
            raise UnknownNameError(
                "initial",
                f"there is no state {name!r}.",
                suggest(str(name), [*index, *system.layout.kept_signals]),
                parameter="initial",
                value=name,
            )
        _check_number(name, value)
        warn_of_degrees("", name, system.layout.motion[index[name]].unit, float(value))
        X[index[name]] = value
        fixed[index[name]] = True
    fixed[system.guessed(fixed)] = False
    return X, fixed
