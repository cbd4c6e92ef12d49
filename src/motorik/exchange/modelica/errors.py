"""Errors of models that are read: each names the place in the file."""

from __future__ import annotations

from motorik.errors import MotorikError


class ModelicaError(MotorikError):
    """A model of the file cannot be built."""


class EquationsLeftOut(UserWarning):
    """A model has equations that the file counts but does not contain."""


class UnknownPartError(ModelicaError):
    """A type of the file is neither a known part nor a model of the file."""

    def __init__(self, part: str, type_name: str) -> None:
        self.type_name = type_name
        super().__init__(
            part,
            f"uses {type_name}, which is not a known part.",
            "Write the part and `register` it under this name.",
        )


class MissingFeatureError(ModelicaError):
    """A known part is used with a `feature` that it does not have."""

    def __init__(self, part: str, feature: str, remedy: str = "") -> None:
        self.feature = feature
        super().__init__(part, f"uses {feature}, which is not supported.", remedy)


class ExpressionError(ModelicaError):
    """An expression cannot be read or has no value; a caret shows where."""

    def __init__(
        self,
        what: str,
        text: str = "",
        position: int = -1,
        remedy: str = "",
        part: str = "expression",
    ) -> None:
        self.what = what
        self.text = text
        self.position = position
        shown = what
        if text and position >= 0:
            begin = max(0, position - 40)
            excerpt = text[begin : position + 40]
            shown = f"{what}\n    {excerpt}\n    {' ' * (position - begin)}^"
        super().__init__(part, shown, remedy)

    def at(self, part: str) -> ExpressionError:
        """Return the same error, naming the part that the expression belongs to."""
        if self.path != "expression":
            return self
        return ExpressionError(self.what, self.text, self.position, self.remedy, part)
