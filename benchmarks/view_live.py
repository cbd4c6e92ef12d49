"""Hands, sliders and live pages: how long movements take, and what a live page costs.

`view.drag.*` is one movement of the mouse, a tenth of a second of a fast hand;
`view.drag.session.*` the time from the message of a page, in a process of its own, to the frame
that answers it, `view.drag.chain.*` a movement of a MOBILE program; `view.slider.*` the time from
the message of a page to the whole trajectory sent to it; `view.live.v6.cpu` the share of one core
that a session takes at 30 frames per second, client not counted.
"""

from __future__ import annotations

import json
import math
import resource
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np

from benchmarks import page_client
from benchmarks.report import print_note, print_result
from examples.mobile.live_four_bar import FourBar
from motorik import Body, Model, Parameter, Revolute, World, gallery
from motorik.algebra import Vector
from motorik.view.chains.hand import ChainHand
from motorik.view.chains.program import ChainProgram
from motorik.view.scene.place import turned

MOVEMENTS = 200
SLIDES = 15
WATCHED = 6.0  # s


class Slid(Model):
    """A pendulum of live mass and length."""

    def build(self) -> None:
        """Hang a body on a hinge."""
        self.world = World()
        self.hinge = Revolute(n="z", phi=0.5)
        self.body = Body(m=Parameter(1.0), r_CM=(Parameter(0.5), 0, 0))
        self.world.frame_b >> self.hinge.frame_a
        self.hinge.frame_b >> self.body.frame_a


CASES: dict[str, tuple[Callable[[], Model], str]] = {
    "four_bar": (gallery.PlanarFourbar, "body2.frame_b"),
    "stewart": (gallery.StewartPlatform, "plate.frame_a"),
}


def away(k: int) -> np.ndarray:
    """Return how far the mouse is from where it began, after k movements [m]."""
    s = 0.06 * k
    return 0.1 * np.array([math.sin(s), 1.0 - math.cos(s), 0.5 * math.sin(0.7 * s)])


def drags() -> None:
    """Print the time of one movement of points that are dragged about, median and worst."""
    for name, (make, frame) in CASES.items():
        hand = make().manipulator()
        middle, taken, gap = hand.place(frame), [], 0.0
        for k in range(MOVEMENTS):
            began = time.perf_counter()
            hand.drag(frame, middle + away(k))
            taken.append(time.perf_counter() - began)
            gap = max(gap, hand.relative_violation)
        print_note(f"{name}: worst {1e3 * max(taken):.2f} ms, loops open by {gap:.0e}")
        print_result(f"view.drag.{name}", 1e3 * statistics.median(taken), "ms")


def chain_drags() -> None:
    """Print the time of one movement of a chain of transmission elements."""
    bars = FourBar()
    hand = ChainHand(bars.chain, ChainProgram(bars.chain).size)
    hand.compile()
    grip, taken = hand.grip_of_frame(bars.K[6], (0.5, 0.0, 0.0)), []
    middle = bars.K[6].X(Vector(0.5, 0.0, 0.0)).numpy()
    for k in range(MOVEMENTS):
        began = time.perf_counter()
        hand.move(grip, middle + away(k))
        taken.append(time.perf_counter() - began)
    print_note(f"chain: best {1e3 * min(taken):.2f} ms, worst {1e3 * max(taken):.2f} ms")
    print_result("view.drag.chain.four_bar", 1e3 * statistics.median(taken), "ms")


def session_drags() -> None:
    """Print the time of one movement through a session, from message to frame."""
    for name, (make, frame) in CASES.items():
        with make().live(open=False) as session:
            taken = dragged(session, frame)
            best, worst = 1e3 * min(taken), 1e3 * max(taken)
            print_note(f"{name} in a session: best {best:.2f} ms, worst {worst:.2f} ms")
            print_result(f"view.drag.session.{name}", 1e3 * statistics.median(taken), "ms")


def dragged(session, frame: str) -> list[float]:
    """Return the times of movements of a point that a page drags [s]."""
    middle = session.player.hand.place(frame)
    link = session.player.hand._placed(frame).link
    carriers = session.player.base.equations.rigid_groups
    pose = session.player.poses()[carriers.links[link] - 1]
    point = turned(pose[3:] * [-1, -1, -1, 1], middle - pose[:3])
    drag = {"type": "drag", "group": carriers.links[link], "point": point.tolist()}
    targets = [(middle + away(k)).tolist() for k in range(MOVEMENTS)]
    with ProcessPoolExecutor(1, get_context("spawn")) as browser:
        return browser.submit(page_client.drag, socket_of(session), drag, targets).result()


def sliders() -> None:
    """Print the time from a movement of a slider to the trajectory sent."""
    cases = {
        "pendulum": (Slid(), "Parameters/body.m", (0.5, 2.0), 5.0),
        "v6": (gallery.EngineV6(), "Start values/bearing.w", (5.0, 15.0), 0.5),
    }
    for name, (model, slider, (low, high), stop) in cases.items():
        print_result(
            f"view.slider.{name}", 1e3 * slid(model, slider, low, high, stop), "ms"
        )


def slid(model: Model, slider: str, low: float, high: float, stop: float) -> float:
    """Return the least time from the message of a slider to the run received [s]."""
    from websockets.sync.client import connect

    options = {"mode": "recorded", "stop_time": stop, "open": False}
    taken, size = [], 0
    with (
        model.live(**options) as session,
        connect(socket_of(session), max_size=None) as page,
    ):
        await_run(page)
        for k in range(SLIDES):
            value = low + (high - low) * (k % 7) / 7
            began = time.perf_counter()
            page.send(json.dumps({"type": "set", "id": slider, "value": value}))
            size = await_run(page)
            taken.append(time.perf_counter() - began)
        rows = len(session.result or ())
        print_note(f"{type(model).__name__}: {rows} rows, {size / 1e3:.0f} kB")
    return min(taken)


def socket_of(session) -> str:
    """Return the address of the socket of a session."""
    return session.url.replace("http://", "ws://").replace("/?", "/socket?")


def await_run(page) -> int:
    """Take messages until a run came; return its size in bytes."""
    while True:
        data = page.recv(timeout=60)
        if isinstance(data, str) and data.startswith('{"type": "run"'):
            return len(data)


def live() -> None:
    """Print the share of a core that the V6 takes at 30 frames per second."""
    with gallery.EngineV6().live(open=False) as session:
        session.play()
        time.sleep(1.0)
        frames, t = session.frames, session.time
        began, used = time.perf_counter(), computing_time()
        time.sleep(WATCHED)
        gone, used = time.perf_counter() - began, computing_time() - used
        print_note(
            f"{(session.frames - frames) / gone:.1f} frames/s, "
            f"{(session.time - t) / gone:.3f} s simulated each second"
        )
        print_result("view.live.v6.cpu", 100.0 * used / gone, "%")


def computing_time() -> float:
    """Return the processor time of this process so far [s]."""
    own = resource.getrusage(resource.RUSAGE_SELF)
    return own.ru_utime + own.ru_stime
