"""Pages: one HTML file with the viewer and a scene in it, that needs no network.

Scene and viewer are compressed and written in base64, so nothing in a model, a mesh or a name
can become markup or script. The page's own policy allows just the two scripts that it was
written with, by their hashes, and no connection except that of a live page to its server.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<title>{title}</title>
<style>html, body {{ height: 100%; margin: 0; }} #place {{ height: 100%; }}
@media (prefers-color-scheme: dark) {{ body {{ background: #1d2126; color: #e4e8ed; }} }}</style>
</head>
<body>
<div id="place"></div>
<template id="code" data-text="{code}"></template>
<template id="data" data-{kind}="{data}"></template>
<script>{boot}</script>
</body>
</html>
"""

BOOT = """
(async () => {
  const host = document.getElementById("place");
  const { film, films, socket } = document.getElementById("data").dataset;
  if (!("DecompressionStream" in window)) {
    host.textContent = "This page needs a browser of 2023 or later.";
    return;
  }
  const text = atob(document.getElementById("code").dataset.text);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const script = document.createElement("script");
  script.textContent = await new Response(stream).text();
  document.head.append(script);
  if (films) window.gallery = motorik.gallery(host, films);
  else window.viewer = await (film ? motorik.film(host, film) : motorik.live(host, socket));
})();
"""
"""Unpacks the viewer and starts it."""


@cache
def viewer_code() -> str:
    """Return the viewer, a script that defines `motorik`."""
    file = files("motorik.view.web") / "viewer" / "viewer.js"
    return file.read_text(encoding="utf-8")


@cache
def packed_code() -> str:
    """Return the viewer compressed, in base64."""
    return pack(viewer_code())


def pack(text: str) -> str:
    """Return a text compressed by gzip, in base64; the same text gives the same characters."""
    packed = gzip.compress(text.encode("utf-8"), compresslevel=6, mtime=0)
    return base64.b64encode(packed).decode("ascii")


def make_film(scene: str, title: str) -> str:
    """Return a page that shows a scene, given as the text of its JSON, and plays its runs."""
    return _make_page(title, "film", pack(scene), connect="'none'")


def make_gallery_page(title: str, films: Sequence[Mapping[str, str]]) -> str:
    """Return a page of films: each its `title`, a `text`, a `picture` and its packed `scene`.

    The picture is a data address; the scene is what `pack` makes of the text of its JSON.
    """
    said = json.dumps({"title": title, "films": list(films)}, separators=(",", ":"))
    return _make_page(title, "films", html.escape(said), connect="'none'")


def make_live_page(title: str, socket: str) -> str:
    """Return a page of a model that runs in a server.

    `socket` is the address of its WebSocket, or the path of it on the server of the page.
    """
    return _make_page(title, "socket", html.escape(socket), connect="'self' ws: wss:")


def _make_page(title: str, kind: str, data: str, connect: str) -> str:
    scripts = " ".join(_hash(text) for text in (BOOT, viewer_code()))
    rules = {
        "default-src": "'none'",
        "script-src": scripts,
        "style-src": "'unsafe-inline'",
        "img-src": "data: blob:",
        "connect-src": connect,
    }
    policy = "; ".join(f"{name} {value}" for name, value in rules.items())
    return PAGE.format(
        policy=policy,
        title=html.escape(title),
        code=packed_code(),
        kind=kind,
        data=data,
        boot=BOOT,
    )


def _hash(script: str) -> str:
    digest = hashlib.sha256(script.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
