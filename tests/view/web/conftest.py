"""Real pages in a real browser: headless Chromium, drawn by software, without network."""

from __future__ import annotations

import shutil
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from motorik import gallery
from tests.view.web.live_pages import LivePage

FLAGS = [
    "--use-angle=swiftshader",
    "--use-gl=angle",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
    "--no-sandbox",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 30_000  # ms, for a machine that does other things as well


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark all tests of pages: a browser draws by software."""
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def chromium():
    """The browser, if there is one here."""
    sync_api = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed: pip install playwright"
    )
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        pytest.skip("chromium is not installed: apt-get install chromium")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


class Watched:
    """A page, and everything that went wrong in it."""

    def __init__(self, page):
        self.page = page
        self.wrong: list[str] = []
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: self.wrong.append(str(error)))
        page.on("dialog", lambda dialog: self._refuse(dialog))
        page.on(
            "console",
            lambda said: (
                self.wrong.append(said.text) if said.type in ("error", "warning") else None
            ),
        )
        page.on(
            "request",
            lambda asked: (
                None
                if asked.url.startswith(("file:", "data:", "blob:", "about:"))
                else self.wrong.append(f"asked for {asked.url}")
            ),
        )

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


@pytest.fixture
def new_page(chromium) -> Callable[..., Watched]:
    """Pages with options of their own; all must have ended without a word of complaint."""
    opened: list[Watched] = []

    def make(**options) -> Watched:
        given = {"viewport": {"width": 1000, "height": 640}, "offline": True, **options}
        context = chromium.new_context(**given)
        opened.append(Watched(context.new_page()))
        return opened[-1]

    yield make
    for watched in opened:
        watched.page.context.close()
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
def open_live(chromium):
    """Open pages of live sessions; all are closed, and nothing went wrong in them."""
    pages: list[LivePage] = []

    def make(session) -> LivePage:
        pages.append(LivePage(chromium, session))
        return pages[-1]

    yield make
    for page in pages:
        page.close()
