"""The studio in a notebook: its page in a frame below the cell.

The page needs the socket and the files of its server, so it is framed from the server's own
address, which the browser must reach: the kernel runs on the machine of the browser.
"""

from __future__ import annotations

import html
from typing import Any

HEIGHT = 720  # px
FRAME = (
    '<iframe src="{url}" title="{title}" width="100%" height="{height}" '
    'style="border: 1px solid #8884; border-radius: 6px" '
    'allow="clipboard-read; clipboard-write; fullscreen; local-network-access"></iframe>'
    '<p><a href="{url}" target="_blank" rel="noreferrer">{title} in a page of its own</a>. '
    "Nothing to see? The kernel must run on the machine of this browser.</p>"
)


def framed(url: str, title: str, words: str) -> dict[str, Any]:
    """Return a page in a frame, and a link to it, as notebooks show them."""
    said = {"url": html.escape(url), "title": html.escape(title), "height": HEIGHT}
    return {"text/html": FRAME.format(**said), "text/plain": words}
