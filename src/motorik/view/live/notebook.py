"""Sessions in notebooks: the page of a session as a widget below the cell."""

from __future__ import annotations

import html
import os
import sys
import webbrowser
from abc import ABC, abstractmethod
from functools import cache
from typing import TYPE_CHECKING, Any, Protocol

from motorik.view.argument_checks import check_count
from motorik.view.live.broadcast import Broadcast
from motorik.view.live.comm import CommTransport, pack
from motorik.view.live.server import check_websockets
from motorik.view.web.show import in_notebook, picture_of
from motorik.view.web.widget import has_widgets, widget_class

if TYPE_CHECKING:
    from motorik.view.live.session import Session
    from motorik.view.scene import Scene


# --- opening the page ---------------------------------------------------------------------


def has_display() -> bool:
    """Return whether a browser could show a page here."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def open_page(url: str, wanted: bool | None) -> None:
    """Open a page in the browser, and print its address where that is not possible.

    By default it is opened where there is a display; False opens and prints nothing.
    """
    if wanted is False:
        return
    if (wanted or has_display()) and webbrowser.open(url):
        return
    print(f"Open {url} in a browser on this machine.")


HINT = "To use it here, also on another machine: pip install 'motorik[notebook]'."


class Shell(Protocol):
    """The interface of the IPython shell that is used."""

    execution_count: int
    events: Any

    def get_parent(self) -> dict[str, Any]:
        """Return the request that is being worked at."""
        ...


class Shown(Protocol):
    """A session that a cell shows."""

    @property
    def is_closed(self) -> bool:
        """Whether it was closed."""
        ...

    def close(self) -> None:
        """End it."""
        ...


class Cells:
    """The cells of a notebook: whether one runs, and which sessions each has shown."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self.is_running = True  # the first one to connect
        self._shown: dict[str, list[tuple[int, Shown]]] = {}
        shell.events.register("pre_run_cell", lambda info: self._set(True))
        shell.events.register("post_run_cell", lambda result: self._set(False))

    def _set(self, is_running: bool) -> None:
        self.is_running = is_running

    def note(self, session: Shown) -> None:
        """Note that the present cell shows a session.

        Those that it showed when it was run before are closed: nobody sees them any more.
        """
        cell, run = self._cell(), self._shell.execution_count
        for before, old in self._shown.get(cell, []):
            if cell and before != run and old is not session:
                old.close()
        kept = [one for one in self._shown.get(cell, []) if not one[1].is_closed]
        self._shown[cell] = [*kept, (run, session)]

    def has_shown(self, session: Shown) -> bool:
        """Return whether the present cell shows a session already, in this run of it."""
        shown = self._shown.get(self._cell(), [])
        return (self._shell.execution_count, session) in shown

    def _cell(self) -> str:
        """Return the identity of the present cell, "" where the notebook does not say it."""
        parent = self._shell.get_parent()
        return str(parent.get("metadata", {}).get("cellId") or "")


@cache
def _cells_of(shell: Shell) -> Cells:
    return Cells(shell)


def find_cells() -> Cells | None:
    """Return the cells of the notebook that runs, None where none does."""
    return _cells_of(sys.modules["IPython"].get_ipython()) if in_notebook() else None


def is_shown_by_widget(wanted: bool | None) -> bool:
    """Return whether a session that is opened so is shown in a notebook, by its kernel."""
    return wanted is None and in_notebook() and has_widgets()


def check_shown(wanted: bool | None) -> None:
    """Refuse a session that nothing can show, for want of a package."""
    if not is_shown_by_widget(wanted):
        check_websockets()


def show_session(session: Session, wanted: bool | None) -> None:
    """Show a session: below the cell of a notebook, else as `open_page` does."""
    cells = find_cells()
    if wanted is not None or cells is None:
        open_page(session.url, wanted)
        return
    shown, more = session.bundle() if has_widgets() else (_link(session), {})
    show_below(session, cells, shown, more)


def show_below(
    session: Shown, cells: Cells, shown: dict[str, Any], more: dict[str, Any] | None = None
) -> None:
    """Show a MIME bundle of a session, with metadata, below the present cell."""
    from IPython.display import display  # type: ignore[import-not-found]

    display(shown, metadata=more, raw=True)
    cells.note(session)


def _link(session: Session) -> dict[str, str]:
    """Return the address of a session for a notebook without widgets."""
    words = f"{session!r} is a page for a browser on the machine of the kernel."
    link = f'<a href="{html.escape(session.url)}" target="_blank" rel="noreferrer">'
    title = html.escape(session.player.scene.title)
    shown = f"<p>{link}{title}, live</a>, in a browser on the machine of the kernel. "
    return {
        "text/plain": f"{words} {HINT}",
        "text/html": f"{shown}{html.escape(HINT)}</p>",
    }


class InNotebook(ABC):
    """The view of a session in a notebook: its page, connected both ways through the kernel."""

    _pages: Broadcast
    _widget: Any = None

    @property
    @abstractmethod
    def scene(self) -> Scene:
        """The scene that pages show."""

    @property
    @abstractmethod
    def is_closed(self) -> bool:
        """Whether it was closed."""

    @abstractmethod
    def close(self) -> None:
        """End it."""

    def widget(self, height: int | None = None) -> Any:
        """Return the page as a widget, `height` pixels high; needs motorik[notebook].

        It may be shown several times, and in any layout of ipywidgets.
        """
        if self._widget is None:
            self._widget = self._make_widget()
        if height is not None:
            self._widget.height = check_count("widget", "height", height, low=1)
        return self._widget

    def _make_widget(self) -> Any:
        pages, cells = self._pages, find_cells()
        scene = pages.greeting()["scene"]
        assert isinstance(scene, str)
        widget = widget_class()(scene=pack(scene))
        transport = CommTransport(
            pages.greeting,
            pages.receive,
            widget.send,
            lambda: cells is not None and cells.is_running,
            scene,
            pages.leave,
        )
        widget.on_msg(lambda _widget, said, _buffers: transport.receive_message(said))
        if self.is_closed:
            transport.stop()
        else:
            pages.join(transport)
        return widget

    def bundle(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the view as a MIME bundle with metadata."""
        made = self.widget()._repr_mimebundle_() or {}
        shown, more = made if isinstance(made, tuple) else (made, {})
        # shown by a notebook that is not trusted, or whose kernel is gone
        picture = {"image/png": picture_of(self.scene)}
        return {**shown, **picture, "text/plain": repr(self)}, more

    def _repr_mimebundle_(self, **_: object) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return another view of it; only words where the same cell shows it already."""
        cells = find_cells()
        if cells is None or self.is_closed or not has_widgets() or cells.has_shown(self):
            return {"text/plain": repr(self)}, {}
        return self.bundle()
