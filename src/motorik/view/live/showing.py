"""Showing the page of a session: in a browser, if there is one, else its address is printed."""

from __future__ import annotations

import os
import sys
import webbrowser


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
