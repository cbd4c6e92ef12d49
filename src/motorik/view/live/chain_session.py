"""ChainSession: a chain of transmission elements on a live page, with its widgets."""

from __future__ import annotations

import math
import weakref
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING

from motorik.errors import checked_call
from motorik.mobile import Slider, Widget
from motorik.view.argument_checks import check_number
from motorik.view.live.chain_player import ChainPlayer
from motorik.view.live.messages import scene_message
from motorik.view.live.notebook import check_shown
from motorik.view.live.server import LOCAL
from motorik.view.live.session import Session
from motorik.view.live.transport import Name

if TYPE_CHECKING:
    from motorik.view.chains.scene import Scene as ChainScene

BEAT = 0.1  # s between two looks whether the pages are still there
PATIENCE = 3.0  # s in which a page that is loaded again comes back

_open: weakref.WeakSet[ChainSession] = weakref.WeakSet()


class ChainSession(Session):
    """The session of a `mobile.Scene`: its widgets are panels, its animation objects are played.

    Steps follow each other by the animation increment, `speed` times faster, and as fast as
    they can where that is 0. Names are those of variables, frames and parameters::

        with scene.live() as session:
            session.set("phi", 0.3)
            session.drag("K2", (1.0, 0.5, 0.0))
            session.play()
            session.wait()
    """

    player: ChainPlayer

    @checked_call
    def __init__(
        self,
        viewer: ChainScene,
        *,
        speed: float = 1.0,
        fps: float = 30.0,
        stop_time: float | None = None,
        host: str = LOCAL[0],
        port: int = 0,
        open: bool | None = None,
        page: Callable[[str], str] | None = None,
    ) -> None:
        check_shown(open)
        self._left: float | None = None
        """When a page left, as `time.monotonic` has it."""
        player, shown = ChainPlayer(viewer), {"host": host, "port": port, "page": page}
        super().__init__(player, stop_time=stop_time, speed=speed, fps=fps, **shown)
        self.take_increment()
        for widget in viewer.widgets:
            self.add_widget(widget)
        self.open(open)
        self.do_aside(viewer.program.hand.compile, lambda: None)
        _open.add(self)

    def step(self, dt: float = 0.0) -> None:
        """Move all animation objects once, while time stands still."""
        super().step(dt)

    def refresh(self) -> None:
        """Show where the chain is now."""
        self.do(self.show_moved)

    def renew(self) -> None:
        """Show other shapes, and the variables of other animation objects."""
        self.player.renew()
        self._pages.show({"scene": scene_message(self.player.scene)})
        self._after_change()

    def take_increment(self) -> None:
        """Take another time between steps."""
        increment = self.player.viewer.increment
        self.pace.beat = self.player.beat
        if increment == 0.0:
            self.pace.set_speed(math.inf, self.player.clock)
        elif math.isinf(self.pace.speed):
            self.pace.set_speed(1.0, self.player.clock)

    def add_widget(self, widget: Widget) -> None:
        """Show a widget as a panel, with all controls that it has now."""
        player, title = self.player, widget.title
        alike = [one for one in player.viewer.widgets if one.title == title]
        panel = self.panels.find(title)
        panel.widgets.clear()
        for control in (control for one in alike for control in one.controls):
            if isinstance(control, Slider):
                name = f"{title}/{control.title}"
                while player.sliders.get(name, control) is not control:
                    name += "'"
                player.sliders[name] = control
                panel.slider(name, control.low, control.high, label=control.title)
            else:
                panel.button(control.title, control.press)

    def is_left(self, patience: float) -> bool:
        """Return whether its last page has been away for so long [s]."""
        left = self._left
        return left is not None and not self.clients and monotonic() - left >= patience

    def _leave(self, page: Name) -> None:
        super()._leave(page)
        self._left = monotonic()

    @staticmethod
    def wait_for_all(timeout: float | None = None, patience: float = PATIENCE) -> None:
        """Wait until all sessions of chains are closed: by `close`, by Ctrl-C or by their pages.

        A session whose last page has been away for `patience` [s] is closed; one that no page
        has come to yet waits for it.
        """
        if timeout is not None:
            timeout = check_number("main_loop", "timeout", timeout, low=0.0)
        until = math.inf if timeout is None else monotonic() + timeout
        while (waiting := list(_open)) and monotonic() < until:
            waiting[0].wait(min(BEAT, max(0.0, until - monotonic())))
            for session in waiting:
                if session.is_left(patience):
                    session.close()
            _open.difference_update([one for one in waiting if one.is_closed])
