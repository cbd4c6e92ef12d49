"""Real pages in a real browser: headless Chromium, drawn by software, without network."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from motorik import gallery
from tests.view.web.live_pages import LivePage

PATIENCE = 30_000  # ms, for a machine that does other things as well


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark all tests of pages: a browser draws by software."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.slow)


class Watched:
    """A page, and everything that went wrong in it."""

    def __init__(self, page):
        self.page = page
        self.wrong: list[str] = []
        page.set_default_timeout(PATIENCE)
        self.listeners = {
            "pageerror": lambda error: self.wrong.append(str(error)),
            "dialog": self._refuse,
            "console": self._said,
            "request": self._asked,
        }
        for event, listener in self.listeners.items():
            page.on(event, listener)

    def end(self) -> None:
        """Listen no longer: the page is for others."""
        for event, listener in self.listeners.items():
            self.page.remove_listener(event, listener)

    def _said(self, message):
        stalls = "GPU stall" in message.text  # pages are composed by software
        if message.type in ("error", "warning") and not stalls:
            self.wrong.append(message.text)

    def _asked(self, request):
        if not request.url.startswith(("file:", "data:", "blob:", "about:")):
            self.wrong.append(f"asked for {request.url}")

    def _refuse(self, dialog):
        self.wrong.append(f"dialog {dialog.message}")
        dialog.dismiss()

    def open(self, file: Path, still: bool = True):
        """Open a film and wait for its first picture; `still`: then stop it."""
        self.page.goto(file.resolve().as_uri())
        self.until("window.viewer?.drawn?.count > 0")
        if still:
            self.page.evaluate("viewer.player.pause()")
        return self

    def until(self, expression: str, frame=None) -> None:
        """Wait until an expression is true; the policy of pages forbids to wait inside."""
        end = time.monotonic() + PATIENCE / 1000
        while not (frame or self.page).evaluate(f"Boolean({expression})"):
            assert time.monotonic() < end, f"{expression} never became true"
            self.page.wait_for_timeout(20)

    def drawn(self) -> None:
        """Wait until two more pictures are drawn, so that what is shown is what was asked."""
        self.page.evaluate(
            "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
        )

    def __getattr__(self, name):
        return getattr(self.page, name)


class Pages:
    """Pages by the options of their contexts, lent to one test after another.

    A fresh page costs three times as much as another file in one that is there already.
    """

    def __init__(self, browser):
        self.browser = browser
        self.free: dict[str, list[Any]] = {}

    def lend(self, **options) -> tuple[str, Any]:
        """Return a page as if nobody had used it, and the key to give it back by."""
        given = {"viewport": {"width": 800, "height": 540}, **options}
        key = repr(sorted(given.items()))
        if not self.free.get(key):
            return key, self.browser.new_context(**given).new_page()
        page = self.free[key].pop()
        page.set_viewport_size(given["viewport"])
        return key, page

    def take_back(self, key: str, page: Any) -> None:
        """Leave the file that is shown, with the pointer where no picture will be."""
        page.goto("about:blank")
        page.mouse.up()
        page.mouse.move(0, 0)
        self.free.setdefault(key, []).append(page)


@pytest.fixture(scope="session")
def pages(chromium) -> Pages:
    return Pages(chromium)


@pytest.fixture
def new_page(chromium, pages) -> Iterator[Callable[..., Watched]]:
    """Pages with options of their own; all must have ended without a word of complaint.

    `own`: a page for this test alone, which may do to it what no other test should see.
    """
    lent: list[tuple[str | None, Watched]] = []

    def make(own: bool = False, **options) -> Watched:
        if own:
            key, page = None, chromium.new_context(offline=True, **options).new_page()
        else:
            key, page = pages.lend(offline=True, **options)
        lent.append((key, Watched(page)))
        return lent[-1][1]

    yield make
    for key, watched in lent:
        watched.end()
        if key is None:
            watched.page.context.close()
        else:
            pages.take_back(key, watched.page)
    for _, watched in lent:
        assert watched.wrong == []


@pytest.fixture
def page(new_page) -> Watched:
    return new_page()


@contextmanager
def quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.fixture(scope="session")
def fourbar():
    """A run of a four-bar: a loop that moves in space."""
    with quiet():
        return gallery.Fourbar1().simulate(1.0, output=60)


@pytest.fixture(scope="session")
def pendulum():
    return gallery.Pendulum().simulate(2.0, output=101)


@pytest.fixture
def open_live(pages):
    """Open pages of live sessions; nothing went wrong in them when they are left."""
    lent: list[tuple[str, LivePage]] = []

    def make(session, **options) -> LivePage:
        key, page = pages.lend(offline=False, **options)
        lent.append((key, LivePage(page, session)))
        return lent[-1][1]

    yield make
    for key, live in lent:
        live.end()
        pages.take_back(key, live.page)
    for _, live in lent:
        assert live.wrong == []
