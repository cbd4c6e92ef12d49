"""A page in a process of its own, as a browser is: what it waits for the answers of a session."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence

from websockets.sync.client import ClientConnection, connect

QUIET = 0.004  # s without a message after which an answer is complete


def drag(
    url: str, held: dict[str, object], targets: Sequence[Sequence[float]]
) -> list[float]:
    """Return the times from a movement to the frame that answers it [s].

    `held` are the fields of the message that do not change; the first target begins the drag.
    """
    taken = []
    with connect(url, max_size=None) as page:
        hear_out(page)
        for number, target in enumerate(targets):
            phase = "move" if number else "begin"
            message = json.dumps({**held, "phase": phase, "target": target})
            began = time.perf_counter()
            page.send(message)
            while not isinstance(page.recv(timeout=10), bytes):
                pass
            taken.append(time.perf_counter() - began)
            hear_out(page)
    return taken[1:]


def hear_out(page: ClientConnection) -> None:
    """Take messages until none comes any more."""
    while True:
        try:
            page.recv(timeout=QUIET)
        except TimeoutError:
            return
