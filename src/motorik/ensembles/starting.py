"""The starts of the variants of an ensemble: blocks of them by native code, the rest one by one."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

import numpy as np

from motorik.errors import MotorikError
from motorik.immutable import immutable
from motorik.initialisation.start import InitialState

if TYPE_CHECKING:
    from motorik.ensembles.variants import Variants
    from motorik.initialisation.request import StartBlock
    from motorik.prepared_run import PreparedRun


@immutable
class VariantStarts:
    """Starts of some variants.

    Those that native code has found are lines of arrays; the others are as they were `searched`
    for, and `failures` say why there is none, by the number of the variant.
    """

    variants: np.ndarray
    states: np.ndarray
    parameters: np.ndarray
    motion: np.ndarray
    searched: dict[int, InitialState] = field(default_factory=dict)
    failures: dict[int, str] = field(default_factory=dict)

    def single(self, run: PreparedRun) -> dict[int, InitialState]:
        """Return all starts, by the number of the variant."""
        t, lines = run.options.start_time, enumerate(self.variants.tolist())
        found = {
            k: InitialState(
                run.system, t, self.motion[i], self.states[i], self.parameters[i].copy()
            )
            for i, k in lines
        }
        return {**found, **self.searched}


def find_starts(run: PreparedRun, variants: Variants, wanted: np.ndarray) -> VariantStarts:
    """Return the starts of these variants; several threads may ask at the same time."""
    searched: dict[int, InitialState] = {}
    failures: dict[int, str] = {}
    own = check_parameters(run, variants, wanted, failures)
    block = find_natively(run, variants, own)
    found = np.zeros(own.size, dtype=bool) if block is None else block.found > 0
    for k in own[~found].tolist():
        try:
            searched[k] = find_start(run, variants, k)
        except MotorikError as error:
            failures[k] = str(error)
    if block is None:
        none = np.empty((0, 0))
        return VariantStarts(own[:0], none, none, none, searched, failures)
    lines = block.states[found], block.parameters[found], block.motion[found]
    return VariantStarts(own[found], *lines, searched, failures)


def check_parameters(
    run: PreparedRun, variants: Variants, wanted: np.ndarray, failures: dict[int, str]
) -> np.ndarray:
    """Return the variants whose parameters are valid; note why others are not."""
    check = run.system.parameter_check
    if not variants.varied or check.takes_all(variants.parameter_places):
        return wanted
    kept = []
    for k in wanted.tolist():
        try:
            check(variants.live_at(k))
        except MotorikError as error:
            failures[k] = str(error)
        else:
            kept.append(k)
    return np.array(kept, dtype=np.intp)


def find_natively(
    run: PreparedRun, variants: Variants, wanted: np.ndarray
) -> StartBlock | None:
    """Return the starts of a block, None where native code finds none."""
    if variants.pattern is None or not wanted.size:
        return None
    X, fixed, places = variants.pattern
    rows = np.repeat(X[None], wanted.size, axis=0)
    rows[:, places] = variants.starts[wanted]
    live = variants.live if len(variants.live) == 1 else variants.live[wanted]
    return run.begin_block(rows, fixed, variants.given_at(0), live)


def find_start(run: PreparedRun, variants: Variants, k: int) -> InitialState:
    """Return the start of one variant, searched for where it has to be."""
    live = variants.live_at(k)
    if variants.pattern is None:
        return run.begin(variants.given_at(k), live)
    X, fixed, places = variants.pattern
    X = X.copy()
    X[places] = variants.starts[k]
    return run.begin_with(X, fixed, variants.given_at(k), live)
