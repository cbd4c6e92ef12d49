"""Forward dynamics: µs per evaluation by motorik, Pinocchio and MuJoCo, one thread.

All get the same links and the same four states, are called from a native loop, take turns,
and must agree on the accelerations before any figure counts.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from benchmarks.harness import NotAvailable
from benchmarks.models import (
    Samples,
    Tree,
    make_chain,
    make_humanoid,
    make_manipulator,
    make_samples,
)
from benchmarks.ours import make_motorik
from benchmarks.peers import Timing, make_mujoco, make_pinocchio
from benchmarks.report import best_in_turns, print_machine, print_note, print_ratios

MAKERS = {"motorik": make_motorik, "pinocchio": make_pinocchio, "mujoco": make_mujoco}


def prepare(tree: Tree, samples: Samples) -> dict[str, Callable[[], Timing]]:
    """Return everybody who is there, ready to run."""
    ready = {}
    for name, make in MAKERS.items():
        try:
            ready[name] = make(tree, samples)
        except NotAvailable as reason:
            print_note(f"peer not available: {name}: {reason}")
    return ready


def check_agreement(tree: Tree, contestants: dict[str, Callable[[], Timing]]) -> None:
    """Raise if accelerations differ by more than rounding, which grows along a chain."""
    answers = {name: measure()[1] for name, measure in contestants.items()}
    (first, reference), *others = answers.items()
    for name, vdot in others:
        error = np.abs(vdot - reference).max() / np.abs(reference).max()
        if not error < 1e-8:
            raise ArithmeticError(f"{tree.name}: {name} and {first} differ by {error:.1e}")


def main() -> None:
    """Measure the five mechanisms and print figures and ratios."""
    print_machine()
    chains = (make_chain(n) for n in (10, 30, 100))
    for tree in (make_manipulator(), make_humanoid(), *chains):
        contestants = prepare(tree, make_samples(tree))
        check_agreement(tree, contestants)
        best = best_in_turns(
            {name: (lambda run=run: 1e6 * run()[0]) for name, run in contestants.items()}
        )
        print_ratios(f"forward_dynamics.{tree.name}", best, of="motorik", unit="us")


if __name__ == "__main__":
    main()
