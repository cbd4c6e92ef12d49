"""Studio: what a user of the studio waits for.

    python -m benchmarks.studio [names]

One function of `FIGURES` for each figure; with names only those that begin with one of them
are measured. Times are the least of several rounds, seen from a page at the socket.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine
from importlib.resources import files
from typing import Any

from benchmarks.harness import NotAvailable
from benchmarks.report import print_machine, print_note, print_result
from motorik import gallery
from motorik.documents import Document
from motorik.view.studio.session import StudioSession

ROUNDS = 8


class Page:
    """A page without a browser."""

    def __init__(self, socket: Any) -> None:
        self.socket, self.number = socket, 0

    async def until(self, kind: str, **match: object) -> dict[str, Any]:
        """Return the next message of a kind with these fields."""
        while True:
            data = await asyncio.wait_for(self.socket.recv(), 120.0)
            if isinstance(data, bytes) or f'"{kind}"' not in data[:40]:
                continue
            found = json.loads(data)
            if found["type"] == kind and all(found.get(k) == v for k, v in match.items()):
                return found

    async def ask(self, op: str, **fields: object) -> dict[str, Any]:
        """Return the answer to a request."""
        self.number += 1
        request = {"type": "request", "request": self.number, "client": "c1", "op": op}
        await self.socket.send(json.dumps({**request, **fields}))
        return await self.until("answer", request=self.number)


def with_page(document: Document, act: Callable[[Page], Coroutine[Any, Any, None]]) -> None:
    """Let an act play on a page of a document."""
    try:
        import websockets
    except ImportError:
        raise NotAvailable("websockets is not installed") from None
    with StudioSession(document) as session:
        session.start()
        url = session.url.replace("http", "ws").replace("/?", "/socket?")

        async def play() -> None:
            async with websockets.connect(url, max_size=None) as socket:
                await act(Page(socket))

        asyncio.run(play())


def open_() -> None:
    """Start the studio in a new process, until the page has document, scene and catalogue."""
    program = (
        "import sys, urllib.request; from motorik.view.studio.session import StudioSession; "
        "from motorik.documents import load_document; "
        "s = StudioSession(load_document(sys.argv[1])); s.start(); "
        "u = s.url.replace('/?', '/catalogue.json?'); urllib.request.urlopen(u).read(); "
        "s.close()"
    )
    with tempfile.TemporaryDirectory() as folder:
        file = gallery.PlanarFourbar().to_document().save(f"{folder}/fourbar.json")
        seconds = []
        for _ in range(3):
            began = time.perf_counter()
            subprocess.run([sys.executable, "-c", program, str(file)], check=True)
            seconds.append(time.perf_counter() - began)
    print_result("studio.open", min(seconds), "s")


def edit_v6() -> None:
    """Edit a number of the V6, until diagram, diagnostics and 3-D view have it."""

    async def act(page: Page) -> None:
        await page.until("scene")
        seconds = []
        for k in range(ROUNDS):
            began = time.perf_counter()
            request = {"id": "load", "field": "J", "value": 1.0 + 0.1 * k}
            answer = await page.ask("set", **request)
            await page.until("scene", revision=answer["revision"])
            seconds.append(time.perf_counter() - began)
        print_result("studio.edit.v6", 1e3 * min(seconds), "ms")

    with_page(gallery.EngineV6().to_document(), act)


def run_v6() -> None:
    """Edit a number of the V6 and simulate one turn, until the page has the motion."""

    async def act(page: Page) -> None:
        await page.until("scene")
        await page.ask("run_options", stop_time=0.6)
        seconds = []
        for k in range(ROUNDS):
            began = time.perf_counter()
            await page.ask("set", id="load", field="J", value=1.0 + 0.1 * k)
            run = (await page.ask("simulate"))["run"]
            await page.until("run", id=run)
            seconds.append(time.perf_counter() - began)
        print_result("studio.run.v6.first", 1e3 * seconds[0], "ms")
        print_result("studio.run.v6", 1e3 * min(seconds[2:]), "ms")

    with_page(gallery.EngineV6().to_document(), act)


def pause_1000() -> None:
    """Move parts of a model of 1000 parts, while its scene is found: the longest answer."""

    async def act(page: Page) -> None:
        await page.until("document")
        seconds = []
        for k in range(40):
            began = time.perf_counter()
            await page.ask("place", at={f"hinge{k}": [10.0 * k, 20.0]})
            seconds.append(time.perf_counter() - began)
            await asyncio.sleep(0.02)
        print_result("studio.pause1000", 1e3 * max(seconds), "ms")

    parts: list[dict[str, Any]] = [{"id": "world", "class": "World"}]
    wires, before = [], "world.frame_b"
    for k in range(500):
        parts.append({"id": f"hinge{k}", "class": "Revolute"})
        parts.append({"id": f"box{k}", "class": "BodyBox", "arguments": {"r": [0.1, 0, 0]}})
        wires += [[before, f"hinge{k}.frame_a"], [f"hinge{k}.frame_b", f"box{k}.frame_a"]]
        before = f"box{k}.frame_b"
    with_page(Document({"motorik": 1, "parts": parts, "connections": wires}), act)


def bundle() -> None:
    """Measure the page, script and style, compressed."""
    page = files("motorik.view.studio") / "page"
    found = [page / name for name in ("studio.js", "studio.css")]
    if not all(one.is_file() for one in found):
        raise NotAvailable("the page was not built")
    size = sum(len(gzip.compress(one.read_bytes(), 9, mtime=0)) for one in found)
    print_result("studio.bundle", size / 1000, "kB")


FIGURES: dict[str, Callable[[], None]] = {
    "studio.open": open_,
    "studio.edit.v6": edit_v6,
    "studio.run.v6": run_v6,
    "studio.pause1000": pause_1000,
    "studio.bundle": bundle,
}


def main() -> None:
    """Measure the figures whose names begin with one of the arguments, all without any."""
    wanted = sys.argv[1:]
    print_machine()
    with tempfile.TemporaryDirectory() as home:
        os.environ["MOTORIK_HOME"] = home
        for name, figure in FIGURES.items():
            if wanted and not any(name.startswith(one) for one in wanted):
                continue
            try:
                figure()
            except NotAvailable as error:
                print_note(f"{name}: {error}")


if __name__ == "__main__":
    main()
