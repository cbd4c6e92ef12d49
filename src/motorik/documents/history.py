"""EditHistory: the revisions of a document, with undo and redo without limit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from motorik.documents.changes import Editor, apply_change, copied
from motorik.documents.operations import apply_operation, title_of
from motorik.documents.reading import Data
from motorik.errors import FileFormatError, MotorikError
from motorik.immutable import immutable, mutable


@immutable
class Step:
    """One step of undo: its title, its changes in order, and their inverses in order of undoing.

    Steps that follow one another with the same `merge` are one, as those of a slider.
    """

    title: str
    changes: tuple[Data, ...]
    inverses: tuple[Data, ...]
    merge: str = ""


@immutable
class Edit:
    """The effect of one request: the new revision, the changes, and values for its author."""

    revision: int
    title: str
    changes: tuple[Data, ...]
    answer: Any = None


@mutable
class EditHistory:
    """The data of a document, its revision, and the steps that led there."""

    data: Data
    revision: int = 1

    def __post_init__(self) -> None:
        self.done: list[Step] = []
        self.undone: list[Step] = []

    @property
    def can_undo(self) -> str | None:
        """The title of the step that undo takes back, None if there is none."""
        return self.done[-1].title if self.done else None

    @property
    def can_redo(self) -> str | None:
        """The title of the step that redo makes again, None if there is none."""
        return self.undone[-1].title if self.undone else None

    def apply(self, request: Data) -> Edit:
        """Apply an operation, or a batch of them, as one step; an error changes nothing."""
        editor = Editor(self.data)
        try:
            answer = apply_operation(editor, request)
        except MotorikError:
            editor.undo()
            raise
        except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
            editor.undo()
            raise FileFormatError(
                str(request.get("op")),
                f"cannot be done: {type(error).__name__}: {error}.",
                "Look at the values of the request.",
            ) from error
        if not editor.changes:
            return Edit(self.revision, "", (), answer)
        merge = request.get("merge")
        step = Step(
            title_of(request),
            tuple(editor.changes),
            tuple(reversed(editor.inverses)),
            merge if isinstance(merge, str) else "",
        )
        last = self.done[-1] if self.done else None
        if last is not None and step.merge and step.merge == last.merge and not self.undone:
            step = Step(
                step.title,
                (*last.changes, *step.changes),
                (*step.inverses, *last.inverses),
                step.merge,
            )
            self.done[-1] = step
        else:
            self.done.append(step)
        self.undone.clear()
        self.revision += 1
        return Edit(self.revision, step.title, tuple(editor.changes), answer)

    def undo(self) -> Edit:
        """Take the last step back."""
        if not self.done:
            raise FileFormatError(
                "undo", "there is nothing to undo.", "Change something first."
            )
        step = self.done.pop()
        self.undone.append(step)
        return self._moved(step.title, step.inverses)

    def redo(self) -> Edit:
        """Make the last step that was taken back again."""
        if not self.undone:
            raise FileFormatError(
                "redo", "there is nothing to redo.", "Undo something first."
            )
        step = self.undone.pop()
        self.done.append(step)
        return self._moved(step.title, step.changes)

    def _moved(self, title: str, changes: Sequence[Data]) -> Edit:
        for change in changes:
            apply_change(self.data, change)
        self.revision += 1
        return Edit(self.revision, title, tuple(copied(one) for one in changes))
