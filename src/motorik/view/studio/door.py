"""The door to the studio from scripts and notebooks: `motorik.studio("crane.json")`."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from motorik.documents import Document, load_document
from motorik.errors import ParameterError, checked_call
from motorik.model import Model
from motorik.view.live.server import LOCAL
from motorik.view.studio.session import StudioSession


@checked_call
def studio(
    source: str | os.PathLike[str] | Document | Model | None = None,
    *,
    trust: Sequence[str] = (),
    open: bool | None = None,
    host: str = LOCAL[0],
    port: int = 0,
) -> StudioSession:
    """Open the studio: build, change and run a model in a page of the browser.

    `source` is a file, a document or a model; without one the page asks how to begin. A file
    that does not exist is made when it is first saved. `trust` names modules of users whose
    classes may be imported. The session serves until `close()`; ``session.document`` is the
    document as it is now.
    """
    document, file = taken(source)
    session = StudioSession(document, file, trust=[*trust], host=host, port=port)
    session.open(open)
    return session


def taken(
    source: str | os.PathLike[str] | Document | Model | None,
) -> tuple[Document | None, Path | None]:
    """Return the document that a source means, and its file if it is one."""
    if source is None:
        return None, None
    if isinstance(source, Document):
        return source, None
    if isinstance(source, Model):
        return source.to_document(), None
    if isinstance(source, (str, os.PathLike)):
        path = Path(source)
        if not path.exists() and path.suffix.lower() == ".json" and path.parent.is_dir():
            return Document(), path.resolve()
        return load_document(path), path.resolve()
    raise ParameterError(
        "studio",
        f"{source!r} is neither a file nor a document nor a model.",
        'Give e.g. "crane.json", or nothing.',
        parameter="source",
        value=source,
    )
