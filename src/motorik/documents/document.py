"""Document: a model as data, to be read, changed, saved and built."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from motorik.documents.building import Built, build_model
from motorik.documents.changes import copied
from motorik.documents.diagnostics import Diagnostic, shown
from motorik.documents.folders import write_whole
from motorik.documents.reading import Data, read_text, write_text
from motorik.documents.taking import take_document
from motorik.errors import FileFormatError, checked_methods
from motorik.simulation.options import RunOptions

if TYPE_CHECKING:
    from motorik.components.base.composite import Composite
    from motorik.model import Model
    from motorik.results import Result


@checked_methods
class Document:
    """A model as data: parts, values, connections, places in a diagram, options of runs.

    ``load_document("crane.json").build()`` is the model, ``model.to_document().save("crane.json")``
    the file. `data` is plain JSON, described in docs/documents.md; `losses` say what of a file
    could not be read. Nothing of a document is executed: classes of users, `modules`, are
    imported only if they are trusted by name.
    """

    def __init__(self, data: Data | None = None, losses: Sequence[Diagnostic] = ()) -> None:
        self.data: Data = {"motorik": 1, "name": "Model", **EMPTY} if data is None else data
        self.losses = tuple(losses)

    @staticmethod
    def read(text: str | bytes) -> Document:
        """Return the document of a text; one that is no document at all raises an error."""
        return Document(*read_text(text))

    @staticmethod
    def of(model: Composite) -> Document:
        """Return the document of a model."""
        return Document(take_document(model))

    @property
    def name(self) -> str:
        """The name of the model."""
        return str(self.data.get("name") or "Model")

    @property
    def modules(self) -> list[str]:
        """The modules of users that its classes come from."""
        scopes = [self.data, *self.data.get("models", {}).values()]
        named = {
            part["class"].partition(":")[0]: None
            for scope in scopes
            for part in scope["parts"]
            if ":" in part["class"]
        }
        return [*named]

    def text(self) -> str:
        """Return the text of the file."""
        return write_text(self.data)

    def save(self, file: str | os.PathLike[str]) -> Path:
        """Write the document to a file, all of it or nothing; return its path."""
        path = Path(file)
        try:
            write_whole(path, self.text())
        except OSError as error:
            raise FileFormatError(
                str(path),
                f"cannot be written: {error.strerror or error}.",
                "Choose another folder.",
                value=str(path),
            ) from error
        return path

    def built(self, trust: Sequence[str] = ()) -> Built:
        """Return the model as far as it can be built, with all faults of the document."""
        return build_model(self.data, tuple(trust))

    def build(self, trust: Sequence[str] = ()) -> Model:
        """Return the model; an error tells the first fault. `trust` names modules of users."""
        found = self.built(trust)
        if found.errors:
            first, *others = found.errors
            more = f" ({len(others)} further errors.)" if others else ""
            raise FileFormatError(
                first.place or self.name,
                f"{first.text}{more}",
                first.remedy,
                port=first.port,
                parameter=first.field,
                value=first.value,
            )
        return found.model

    def run(self, trust: Sequence[str] = ()) -> Result:
        """Build the model and simulate it with the options of the document."""
        check_run(self.data.get("run", {}))
        return self.build(trust).simulate(**run_arguments(self.data))

    def copy(self) -> Document:
        """Return a copy that shares nothing with it."""
        return Document(copied(self.data), self.losses)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Document) and self.text() == other.text()

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        parts = len(self.data.get("parts", ()))
        lost = f", {len(self.losses)} losses" if self.losses else ""
        return f"<Document {self.name}: {parts} parts{lost}>"


EMPTY: Data = {"parameters": [], "parts": [], "connections": []}
RUN = {
    "stop_time": (float, int),
    "start_time": (float, int),
    "rtol": (float,),
    "method": (str,),
    "step": (float, int),
    "output": (int, str),
    "interval": (float, int),
    "strategy": (str,),
}
"""The options of a run that a document may hold, with their types."""


def run_arguments(data: Data) -> Data:
    """Return the arguments of `simulate` that a document gives; by default ten seconds."""
    given = data.get("run", {})
    found: Data = {"stop_time": 10.0}
    for name, kinds in RUN.items():
        value = given.get(name)
        if value is None or isinstance(value, bool):
            continue
        if isinstance(value, kinds) or (float in kinds and isinstance(value, int)):
            found[name] = value
    return found


def check_run(given: Data) -> None:
    """Refuse options of a run that no run can have: their kinds, and the numbers together."""
    for name, kinds in RUN.items():
        value = given.get(name)
        fits = isinstance(value, kinds) or (float in kinds and isinstance(value, int))
        if value is None or (fits and not isinstance(value, bool)):
            continue
        words = "a text" if kinds == (str,) else "a number"
        raise FileFormatError(
            "run",
            f"{name} = {shown(value)} is not {words}.",
            "Give another value, or null for the usual one.",
            parameter=name,
            value=value,
        )
    options = run_arguments({"run": given})
    options.pop("strategy", None)
    RunOptions(**options).grid()


def load_document(file: str | os.PathLike[str]) -> Document:
    """Return the document of a file: ``load_document("crane.json").build()`` is its model."""
    path = Path(file)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise FileFormatError(
            str(path),
            f"cannot be read: {error.strerror or error}.",
            "Give the path of a file that was saved by motorik.",
            value=str(path),
        ) from error
    return Document(*read_text(content, str(path)))
