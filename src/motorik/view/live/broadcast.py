"""Broadcast: messages to all pages of a session, and the history for pages that join later."""

from __future__ import annotations

import json
import struct
import threading
from collections.abc import Callable, Mapping

from motorik.view.live.clients import Data
from motorik.view.live.messages import notice, notice_of
from motorik.view.live.server import Server, check_websockets
from motorik.view.live.transport import Leave, Name, Receive, Transport

# --- history of frames for pages that join later ------------------------------------------


MOST_FRAMES = 3000
MOST_BYTES = 8_000_000


class History:
    """Frames of one run in the order of time, at most `most` of them.

    Where there are more, every second one of those before the last is forgotten: the whole
    run stays, in coarser steps. Time that goes back, or another kind of frame, starts it again.
    """

    def __init__(self, most: int = MOST_FRAMES) -> None:
        self._most = most
        self._frames: list[bytes] = []

    def add(self, frame: bytes) -> None:
        """Take a frame as pages get it; one of the same time replaces the one before."""
        frames = self._frames
        if frames and (len(frame) != len(frames[-1]) or _time(frame) < _time(frames[-1])):
            frames.clear()
        if frames and _time(frame) == _time(frames[-1]):
            frames.pop()
        frames.append(frame)
        if len(frames) > max(2, min(self._most, MOST_BYTES // len(frame))):
            del frames[1:-1:2]

    def clear(self) -> None:
        """Forget all of them."""
        self._frames.clear()

    @property
    def past(self) -> bytes:
        """All frames but the last, one after the other."""
        return b"".join(self._frames[:-1])


def _time(frame: bytes) -> float:
    return float(struct.unpack_from("<d", frame)[0])


PAST = "past"  # the frames of a run before the newest one
ORDER = ("scene", "panel", "state", "run", PAST, "frame", "values")  # as a page gets them


def message(kind: str, **fields: object) -> dict[str, Data]:
    """Return a message of a kind, by its key."""
    return {kind: json.dumps({"type": kind, **fields}, allow_nan=False)}


class Broadcast:
    """The transports of a session, the newest of each kind of message, and the frames so far.

    So a page that is loaded again shows the same as all others, and their history. The first
    transport is a server of pages, which `serve` starts; a notebook adds its own by `join`.
    """

    def __init__(
        self,
        page: Callable[[str], str],
        receive: Receive,
        leave: Leave,
        host: str,
        port: int,
    ) -> None:
        self._newest: dict[str, Data] = {}
        self._history = History()
        self._lock = threading.Lock()
        self.receive, self.leave = receive, leave
        self.server = Server(page, self.greeting, receive, host, port, leave)
        self._transports: list[Transport] = [self.server]
        self._is_served = self._is_over = False

    @property
    def is_served(self) -> bool:
        """Whether there is a page at an address."""
        return self._is_served

    @property
    def count(self) -> int:
        """The number of connected pages."""
        return sum(transport.count for transport in self._transports)

    def serve(self) -> None:
        """Serve the page at an address of this machine, if that is not done yet."""
        if self._is_served or self._is_over:
            return
        check_websockets()
        self.server.start()
        self._is_served = True

    def join(self, transport: Transport) -> None:
        """Tell pages of another transport as well."""
        with self._lock:
            self._transports = [*self._transports, transport]

    def stop(self) -> None:
        """Close all transports."""
        self._is_over = True
        for transport in self._transports:
            transport.stop()

    def greeting(self) -> Mapping[str, Data]:
        """Return the messages for a page that joins now."""
        with self._lock:
            known = {**self._newest, PAST: self._history.past}
            return {key: known[key] for key in ORDER if known.get(key)}

    def show(self, messages: Mapping[str, Data]) -> None:
        """Send messages by key to all pages at once, and to those that come later."""
        with self._lock:
            if "run" in messages:  # takes the place of the frames before
                self._history.clear()
                self._newest.pop("frame", None)
            self._newest.update(messages)
            frame = messages.get("frame")
            if isinstance(frame, bytes):
                self._history.add(frame)
        self._send(messages)

    def _send(self, messages: Mapping[str, Data]) -> None:
        for transport in self._transports:
            transport.send(messages)

    def answer(self, page: Name, key: str, data: Data) -> None:
        """Send a message to one page."""
        for transport in self._transports:
            transport.answer(page, key, data)

    @property
    def frames(self) -> bytes:
        """All frames of the present run, one after the other."""
        with self._lock:
            newest = self._newest.get("frame", b"")
            return self._history.past + (newest if isinstance(newest, bytes) else b"")

    def warn(self, text: str) -> None:
        """Tell pages of today something that is not an error."""
        self._send({"notice": notice("warning", text)})

    def inform(self, text: str) -> None:
        """Send a message to the connected pages."""
        self._send({"notice": notice("info", text)})

    def tell(self, error: Exception) -> None:
        """Tell pages of today of an error."""
        self._send({"notice": notice_of(error)})
