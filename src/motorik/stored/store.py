"""The store: compiled models on disk, as small records of plain data.

A record has what a run needs besides machine code, which is in the same folder under keys of its
own: the layout, facts, where functions are, and starts that were found. It is written as Python
writes the constants of compiled modules, and it is an entry of the object cache: written
atomically, trusted if this user wrote it and its digest is right, evicted when unused for long. A
record that cannot be read counts as absent.
"""

from __future__ import annotations

import marshal
import os
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from motorik.compiler.cache import read_entry, write_entry
from motorik.compiler.native import host_key
from motorik.components.base.internal import FrictionWithOnset, NonsmoothForce
from motorik.components.base.values import Start
from motorik.errors import CompileError, count_warnings
from motorik.immutable import immutable
from motorik.loops.branch_blocks import BranchParameters
from motorik.stored.facts import RunFacts
from motorik.stored.key import model_key
from motorik.stored.starts import StoredStart, starts_as_data
from motorik.system.kept_code import KeptCode
from motorik.system.layout import Layout, NonsmoothLayout
from motorik.topology.live_values import live_scalars
from motorik.topology.state_variables import StateVariableSpec

if TYPE_CHECKING:
    from motorik.compiled_model import CompiledModel
    from motorik.components.base.composite import Composite
    from motorik.components.base.internal import DiskState
    from motorik.initialisation.memory import InitialisationMemory
    from motorik.loops.formulate import FormulatedModel
    from motorik.loops.options import LoopStrategy

RUN_FUNCTIONS = (
    *("derivative", "derivative_lanes", "jacobian", "audited", "project", "full_state"),
    *("margins", "unwrapped_angles", "relative_coordinates", "full_state_rates"),
)
"""The functions that runs call, and of whose equations nothing but the code is needed.

Those that results interpret, as long as few samples are asked for, are not among them.
"""

VARIABLE = "MOTORIK_STORE"
SIMPLE = (bool, int, float, str)
Plain = bool | int | float | str | list[Any] | dict[str, Any] | None


@immutable
class StorePlace:
    """Where a compiled model is stored, and how many warnings there were before it was made."""

    key: str
    p: np.ndarray
    n_warnings: int

    @staticmethod
    def of(model: Composite, options: LoopStrategy) -> StorePlace | None:
        """Return the place of a model as it is now; None if it has none."""
        if os.environ.get(VARIABLE, "1") == "0":
            return None
        live = live_scalars(model)
        p = np.array([scalar.value for scalar in live], dtype=float)
        key = model_key(model, options, p, host_key())
        return None if key is None else StorePlace(key, p, count_warnings())

    def read(self, model: Composite, options: LoopStrategy) -> StoredModel | None:
        """Return the model as it is stored here; None if it is not, or if that is no record."""
        entry = read_entry(self.key)
        if entry is None:
            return None
        try:
            return StoredModel(model, options, self.p, marshal.loads(entry))
        except (ValueError, EOFError, TypeError, LookupError, AttributeError):
            return None

    def write(self, system: CompiledModel) -> None:
        """Store a compiled model after a run, if a later process could do without its equations.

        Where its compilation has warned it is not stored: a later process would not warn.
        """
        natives, made = system.natives, system.natives.made
        names = [n for n in RUN_FUNCTIONS if n in made and not natives.was_sampled(n)]
        if count_warnings() != self.n_warnings or set(names) <= natives.kept.keys():
            return
        if system.layout.live != live_scalars(system.model):  # guesses of networks
            return
        codes = {name: KeptCode.of(made[name]) for name in names}
        data = {
            "layout": _layout_as_data(system.layout),
            "facts": system.facts.as_data(),
            "codes": {name: code.as_data() for name, code in codes.items() if code},
            "starts": starts_as_data(system, self.p),
            "jumps": system.initialisation.jumps != ((), ()),
        }
        try:
            content = marshal.dumps(_plain(data))
        except TypeError:  # something in it is no plain data
            return
        write_entry(self.key, content)
        kept = {name: code for name, code in codes.items() if code}
        natives.kept = {**natives.kept, **kept}


class StoredModel:
    """A compiled model as an earlier process has stored it; the source of one in this process."""

    def __init__(
        self,
        model: Composite,
        options: LoopStrategy,
        p: np.ndarray,
        data: Mapping[str, Any],
    ) -> None:
        self.model, self.options, self._p = model, options, p
        self.layout = _read_layout(data["layout"], model)
        self.codes = {name: KeptCode.of_data(own) for name, own in data["codes"].items()}
        self._facts = RunFacts.of_data(data["facts"])
        self._starts = [StoredStart.of_data(*own) for own in data["starts"]]
        self._may_jump: bool = data["jumps"]

    def facts_of(self, system: CompiledModel) -> RunFacts:
        """Return the facts that runs ask for."""
        self._facts._system = system
        return self._facts

    def initialisation_of(self, system: CompiledModel) -> InitialisationMemory:
        """Return the memory of its starts."""
        from motorik.initialisation.memory import InitialisationMemory

        found = dict(own.entry(system) for own in self._starts)
        memory = InitialisationMemory(found=found)
        memory.is_checked = True
        memory.jumps = None if self._may_jump else ((), ())
        return memory

    def formulated(self) -> FormulatedModel:
        """Return the model formulated from its parts; its layout is the one that was stored."""
        from motorik.loops.formulate import formulate
        from motorik.topology.assembled_model import assemble_model

        made = formulate(assemble_model(self.model, self._p), self.options)
        layout = Layout.of(made.formulation, made.assembled.live)
        if _plain(_layout_as_data(layout)) != _plain(_layout_as_data(self.layout)):
            raise CompileError(
                made.mechanism.name,
                "was stored with another order of its states",
                "Call motorik.compiler.clear_cache() once.",
            )
        return made


def _plain(value: object) -> Plain:
    """Return numbers, words, lists and dicts of plain types only; numbers of NumPy are others."""
    if isinstance(value, np.generic):
        value = value.item()
    kind: type = type(value)
    if value is None or (isinstance(value, (bool, int, float, str)) and kind in SIMPLE):
        return value
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    if isinstance(value, dict) and kind is dict:
        return {name: _plain(one) for name, one in value.items()}
    raise TypeError(kind)


# --- layouts -------------------------------------------------------------------------------


def _layout_as_data(layout: Layout) -> dict[str, Any]:
    nonsmooth = layout.nonsmooth
    return {
        "states": [
            [_state_as_data(own) for own in several]
            for several in (layout.coordinates, layout.speeds, layout.blocks)
        ],
        "state_q": list(layout.state_q),
        "state_u": list(layout.state_u),
        "n_live": len(layout.live),
        "branch": [[own.start, own.stop] for own in layout.branch.blocks()],
        "forces": [
            [isinstance(own, FrictionWithOnset), *own.entries().values()]
            for own in nonsmooth.forces
        ],
        "disks": [
            None if own is None else list(own.entries().values()) for own in nonsmooth.disks
        ],
        "pairs": list(nonsmooth.pairs),
        "sign_cases": [list(own) for own in nonsmooth.sign_cases],
    }


def _state_as_data(state: StateVariableSpec) -> list[object]:
    start = state.start
    values = (start.value, start.fixed, start.given, start.steady)
    plain = [list(own) if isinstance(own, tuple) else own for own in values]
    return [state.name, state.unit, plain, state.nominal]


def _read_layout(data: Mapping[str, Any], model: Composite) -> Layout:
    live = live_scalars(model)
    if len(live) != data["n_live"]:
        raise ValueError(live)
    coordinates, speeds, blocks = (tuple(map(_state, own)) for own in data["states"])
    return Layout(
        coordinates,
        speeds,
        blocks,
        tuple(data["state_q"]),
        tuple(data["state_u"]),
        live,
        BranchParameters(*(slice(*own) for own in data["branch"])),
        NonsmoothLayout(
            tuple(map(_force, data["forces"])),
            tuple(map(_disk, data["disks"])),
            tuple(data["pairs"]),
            tuple((a, b) for a, b in data["sign_cases"]),
        ),
    )


def _state(data: Sequence[Any]) -> StateVariableSpec:
    name, unit, start, nominal = data
    value, fixed, given, steady = start
    flags = (tuple(own) if isinstance(own, list) else own for own in (fixed, given))
    return StateVariableSpec(name, unit, Start(value, *flags, steady=steady), nominal)


def _force(data: Sequence[Any]) -> NonsmoothForce[int]:
    with_onset, *places = data
    return (FrictionWithOnset if with_onset else NonsmoothForce)(*places)


def _disk(data: Sequence[int] | None) -> DiskState[int] | None:
    if data is None:
        return None
    from motorik.components.base.internal import DiskState

    return DiskState(*data)


__all__ = ["StorePlace", "StoredModel"]
