"""View: what it costs to look at a mechanism.

    python -m benchmarks.view [names]

One function of `FIGURES` for each figure; with names only those that begin with one of them
are measured. A figure that needs something that is not installed is left out, with a note.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

from benchmarks import view_live, view_pages
from benchmarks.harness import NotAvailable
from benchmarks.report import best_seconds, print_machine, print_note, print_result
from motorik import BodyBox, Model, Revolute, World, connect
from motorik.gallery import EngineV6
from motorik.results import Result

ROWS = 500


@cache
def run_of_engine() -> Result:
    """Return a run of the V6 engine, one turn long."""
    return EngineV6().simulate(0.1, output=ROWS)


def poses_v6() -> None:
    """Find the poses of all carriers of the V6, over the rows of a run and of one frame."""
    result = run_of_engine()
    system = result.model.compile()
    native = system.poses
    t = result.time.reshape(-1, 1)
    p = result._parameters if result._parameters.ndim == 1 else result._parameters[0]
    seconds = best_seconds(lambda: native.map(t, result.motion, p), rounds=30)
    print_result("view.poses.v6", 1e6 * seconds / len(result), "us")
    now, X = float(result.time[1]), result.motion[1]
    seconds = best_seconds(lambda: native(now, X, p), rounds=300)
    print_result("view.poses.v6.single", 1e6 * seconds, "us")


def scene_v6() -> None:
    """Make the scene of a run of the V6, and its text."""
    result = run_of_engine()
    scene = result.scene()
    print_result("view.scene.v6", 1e3 * best_seconds(result.scene, rounds=9), "ms")
    print_result("view.scene.v6.text", 1e3 * best_seconds(scene.text, rounds=9), "ms")
    print_result("view.scene.v6.size", len(scene.text()) / 1000, "kB")


class Chain(Model):
    """Bodies hinged one to the next."""

    def build(self, n: int = 100) -> None:
        """Make `n` hinges and boxes."""
        self.world = World()
        self.hinges = [Revolute(n="z") for _ in range(n)]
        self.rods = [BodyBox(r=(0.1, 0.0, 0.0), width=0.02) for _ in range(n)]
        at = self.world.frame_b
        for hinge, rod in zip(self.hinges, self.rods, strict=True):
            connect(at, hinge.frame_a)
            connect(hinge.frame_b, rod.frame_a)
            at = rod.frame_b


def draws() -> None:
    """Draw the V6, and a chain of a hundred bodies, from the run to the pixels."""
    engine, chain = run_of_engine(), Chain().simulate(0.1, output=10)
    for name, run in (("v6", engine), ("chain100", chain)):

        def draw(run: Result = run) -> object:
            return run.draw(0.05).pixels

        draw()
        print_result(f"view.draw.{name}", best_seconds(draw, rounds=9), "s")


def animates() -> None:
    """Write a movie of the V6; the second one, when all is compiled."""
    run = run_of_engine()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "v6.gif"

        def film() -> None:
            run.to_movie(file, fps=20.0, speed=0.05, progress=False)

        film()
        seconds = best_seconds(film, rounds=3)
    print_result("view.animate.v6", 41 / seconds, "frames/s")


def large() -> None:
    """Make the scene of a thousand bodies at their start."""
    seconds = best_seconds(lambda: Chain(n=1000).scene(), rounds=2)
    print_result("view.scene1000", seconds, "s")


FIGURES: dict[str, Callable[[], None]] = {
    "view.poses.v6": poses_v6,
    "view.scene.v6": scene_v6,
    "view.draw": draws,
    "view.animate.v6": animates,
    "view.scene1000": large,
    "view.page1000": lambda: view_pages.draw_calls(Chain(n=1000).scene()),
    "view.film.v6": view_pages.films_and_pages,
    "view.drag": view_live.drags,
    "view.drag.session": view_live.session_drags,
    "view.drag.chain": view_live.chain_drags,
    "view.slider": view_live.sliders,
    "view.live.v6.cpu": view_live.live,
}
"""The figures by the beginning of their names."""


def main(names: list[str]) -> None:
    """Measure all figures, or those of some names."""
    print_machine()
    for name, measure in FIGURES.items():
        if names and not any(name.startswith(wanted) for wanted in names):
            continue
        try:
            measure()
        except NotAvailable as missing:
            print_note(f"{name} left out: {missing}")


if __name__ == "__main__":
    main(sys.argv[1:])
