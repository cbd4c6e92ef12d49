"""Pages: how large films are, how long they take to write and open, how often they are drawn.

The browser is headless Chromium that draws by software, as on a machine without a graphics
card. `view.page.open` is the time from asking for the page to its first picture, of a browser
that runs already; `view.v6.fps` counts the pictures drawn while the film of the V6 plays in a
window of 1280 × 800. Both are the best of several: what else the machine does only ever costs.
"""

from __future__ import annotations

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.harness import NotAvailable
from benchmarks.report import best_seconds, print_result
from motorik import gallery
from motorik.view.scene import Scene
from motorik.view.web.film import write_film
from motorik.view.web.page import packed_code

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROWS = 500
OPENED, WATCHED = 5, 4  # times a page is opened; windows of a second in which it is watched
FLAGS = (
    "--use-angle=swiftshader",
    "--use-gl=angle",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
    "--no-sandbox",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def films(folder: Path) -> Path:
    """Print size and time of a film of the V6, and return it."""
    result = gallery.EngineV6().simulate(1.0, output=ROWS)
    file = folder / "v6.html"
    packed_code()
    taken = best_seconds(lambda: result.to_html(file), rounds=9)
    print_result("view.film.v6.size", file.stat().st_size / 1e3, "kB")
    print_result("view.film.v6.write", taken, "s")
    return file


@contextmanager
def browsing() -> Iterator[Page]:
    """Yield an empty page of a browser, if there is one."""
    program = shutil.which("chromium")
    if program is None:
        raise NotAvailable("chromium is not installed")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        raise NotAvailable("playwright is not installed") from None
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(FLAGS))
        yield browser.new_page(viewport={"width": 1280, "height": 800})
        browser.close()


def pages(file: Path) -> None:
    """Print how fast the film opens and plays in a browser."""
    with browsing() as page:
        print_result("view.page.open", min(opened(page, file) for _ in range(OPENED)), "s")
        print_result("view.v6.fps", max(watched(page) for _ in range(WATCHED)), "frames/s")


def draw_calls(scene: Scene) -> None:
    """Print how many draw calls a page of a scene takes for a picture."""
    with tempfile.TemporaryDirectory() as folder, browsing() as page:
        seconds = opened(page, write_film(scene, Path(folder) / "large.html"))
        print_result("view.page1000.open", seconds, "s")
        calls = page.evaluate("viewer.stage.renderer.info.render.calls")
        print_result("view.page1000.draw_calls", calls, "calls")


def opened(page: Page, file: Path) -> float:
    """Return the time until the first picture of a page [s]."""
    began = time.perf_counter()
    page.goto(file.as_uri())
    while not page.evaluate("window.viewer?.drawn?.count > 0"):
        time.sleep(0.002)
    return time.perf_counter() - began


def watched(page: Page) -> float:
    """Return the pictures drawn in each second of a film that plays [1/s]."""
    ask = "[viewer.drawn.count, performance.now()]"
    count, began = page.evaluate(ask)
    page.wait_for_timeout(1000)
    more, ended = page.evaluate(ask)
    return 1e3 * (more - count) / (ended - began)


def films_and_pages() -> None:
    """Print all figures of films, and those of a browser if there is one."""
    with tempfile.TemporaryDirectory() as folder:
        pages(films(Path(folder)))
