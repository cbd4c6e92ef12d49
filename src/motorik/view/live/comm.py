"""CommTransport: pages in the cells of a notebook, by the channel of its kernel.

A parcel to the pages is a dictionary with buffers: its number `n`, the page `to` which it goes
("" for all), its `parts` in order, each a text, or the number of a buffer with a packed text or
a frame, and the last message `heard` (received) from each page. A page sends `hello`, `bye`,
the last parcel it has `seen`, that it is still `here`, or a message, as the text that a socket
would carry. A page that is silent for long is gone: a browser that is closed does not say
goodbye.
"""

from __future__ import annotations

import gzip
import threading
import time as clock
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from motorik.view.live.budget import Clock
from motorik.view.live.clients import Data, Waiting
from motorik.view.live.messages import notice
from motorik.view.live.transport import Leave, Name, Receive, receive_message

FLIGHT = 12  # parcels that no page has seen yet; then the next one waits
BLIND = 0.1  # s between further parcels while a cell runs, when no page can answer
LARGE = 4096  # characters of a text that is packed
SILENT = 20.0  # s after which a page is gone; it says every few seconds that it is here
MOST_PAGES, LONGEST_NAME, LARGEST_NUMBER = 64, 64, 1 << 53
MOST_BYTES = 1_000_000  # of numbers: notebooks have a limit of some such for a second

SAVE_IT = 'write it by session.save("film.mp4").'

Post = Callable[[dict[str, Any], list[bytes]], object]


class CommTransport:
    """Sends to all pages of one widget, from a thread of its own, as fast as they see it.

    `greeting` is what a page gets first, `receive` takes what pages say, `post` sends a
    parcel; `is_busy` is whether the kernel runs a cell and receives nothing meanwhile.
    `known` is the scene that all pages have from the beginning; `leave` is called when a page
    is gone.
    """

    def __init__(
        self,
        greeting: Callable[[], Mapping[str, Data]],
        receive: Receive,
        post: Post,
        is_busy: Callable[[], bool],
        known: Data,
        leave: Leave = lambda page: None,
        now: Clock = clock.monotonic,
    ) -> None:
        self._greeting, self._receive, self._post = greeting, receive, post
        self._is_busy, self._known = is_busy, known
        self._leave, self._now = leave, now
        self._waiting = Waiting()
        self._wake = threading.Condition()
        self._heard: dict[str, int] = {}
        self._heard_at: dict[str, float] = {}
        self._sent = self._seen = 0
        self._sent_at = 0.0
        self._has_heard = self._is_over = False
        self._thread = threading.Thread(
            target=self._work, name="motorik live notebook", daemon=True
        )
        self._thread.start()

    # --- from the session ----------------------------------------------------------------------

    @property
    def count(self) -> int:
        """How many pages have said hello, and not goodbye."""
        return len(self._heard)

    def send(self, messages: Mapping[str, Data]) -> None:
        """Let messages wait for the next parcel; of a key the newest."""
        with self._wake:
            for key, data in messages.items():
                self._waiting.put(key, data)
            self._wake.notify()

    def answer(self, page: Name, key: str, data: Data) -> None:
        """Send a message to one page, if it is one of these."""
        if page[0] is not self or self._is_over:
            return
        if not _may_pass(data) or (key == "file" and len(data) > MOST_BYTES):
            data = notice("warning", "The file is too large for a notebook: " + SAVE_IT)
        self._post_parts([data], to=str(page[-1]))

    def stop(self) -> None:
        """Tell pages that the session is over; they keep their picture."""
        with self._wake:
            self._is_over = True
            self._wake.notify()
        if self._thread is not threading.current_thread():
            self._thread.join()
        self._post_parts(self._waiting_parts(), closed=True)

    # --- from pages ----------------------------------------------------------------------------

    def receive_message(self, said: object) -> None:
        """Act on what a page says; what no page of ours would say is passed over."""
        page = said.get("page") if isinstance(said, dict) else None
        if not isinstance(page, str) or len(page) > LONGEST_NAME:
            return
        assert isinstance(said, dict)
        kind, number = said.get("say"), said.get("n")
        if kind == "bye":
            self._forget(page)
            return
        if page not in self._heard and len(self._heard) >= MOST_PAGES:
            self._forget(next(iter(self._heard)))
        if not isinstance(number, int) or not 0 <= number < LARGEST_NUMBER:
            number = 0
        with self._wake:
            self._heard_at[page] = self._now()
            if kind in ("seen", "here"):
                self._heard.setdefault(page, 0)
            else:
                self._heard[page] = number
                self._has_heard = True
            self._wake.notify()
        if kind == "hello":
            self._greet(page)
        elif kind == "seen":
            self._note_seen(number)
        elif kind != "here" and not self._is_over:
            self._take(page, said.get("message"))

    def _forget(self, page: str) -> None:
        """Take notice that a page is gone."""
        with self._wake:
            was_here = self._heard.pop(page, None) is not None
            self._heard_at.pop(page, None)
        if was_here:
            self._leave((self, page))

    def forget_silent(self) -> None:
        """Forget pages that have been silent for long, while the kernel could receive."""
        with self._wake:
            now = self._now()
            if self._is_busy():  # their messages wait
                self._heard_at = dict.fromkeys(self._heard_at, now)
            silent = [page for page, at in self._heard_at.items() if now - at > SILENT]
        for page in silent:
            self._forget(page)

    def _note_seen(self, number: int) -> None:
        with self._wake:
            self._seen = min(max(self._seen, number), self._sent)
            self._wake.notify()

    def _greet(self, page: str) -> None:
        """Send what all others know to a page that has come; nothing else is on its way."""
        with self._wake:
            self._seen = self._sent
        known = self._greeting().values()
        parts = [data for data in known if data is not self._known and _may_pass(data)]
        self._post_parts(parts, to=page, closed=self._is_over)

    def _take(self, page: str, text: object) -> None:
        """Take a message; a refusal goes to the page that it came from."""

        def answer(key: str, data: Data) -> None:
            self._post_parts([data], to=page)

        data = text if isinstance(text, str) else b""
        receive_message(data, (self, page), self._receive, answer)

    # --- in the thread ---------------------------------------------------------------------------

    def _work(self) -> None:
        while True:
            parts: list[Data] = []
            with self._wake:
                if not self._is_over and not self._is_due():
                    idle = SILENT / 4.0 if self._heard else None
                    self._wake.wait(BLIND if self._waiting else idle)
                if self._is_over:
                    return
                if is_due := self._is_due():
                    self._sent += 1
                    self._sent_at = clock.monotonic()
                    parts = self._waiting_parts()
                number = self._sent
            if is_due:
                self._post_parts(parts, number)
            self.forget_silent()

    def _is_due(self) -> bool:
        """Return whether there is something to send, and pages have confirmed the last parcel."""
        if not self._waiting:
            return self._has_heard
        if self._sent - self._seen < FLIGHT:
            return True
        return self._is_busy() and clock.monotonic() - self._sent_at >= BLIND

    def _waiting_parts(self) -> list[Data]:
        return [self._waiting.take() for _ in range(len(self._waiting))]

    def _post_parts(
        self, parts: Iterable[Data], n: int = 0, to: str = "", closed: bool = False
    ) -> None:
        self._has_heard = False
        buffers: list[bytes] = []
        said: list[dict[str, str | int]] = []
        for part in parts:
            if isinstance(part, str) and len(part) <= LARGE:
                said.append({"text": part})
                continue
            kind = "packed" if isinstance(part, str) else "frame"
            said.append({kind: len(buffers)})
            buffers.append(pack(part) if isinstance(part, str) else part)
        parcel = {"n": n, "to": to, "parts": said, "heard": dict(self._heard)}
        self._post(parcel | ({"closed": True} if closed else {}), buffers)


def _may_pass(data: Data) -> bool:
    """Return whether notebooks transmit a message: they drop too large ones."""
    return isinstance(data, str) or len(data) <= MOST_BYTES


def pack(text: str) -> bytes:
    """Return a text compressed by gzip."""
    return gzip.compress(text.encode("utf-8"), compresslevel=6, mtime=0)
