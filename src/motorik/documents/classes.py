"""Classes of parts by their public names: those of motorik, and of a user's named modules.

A name is looked up in the lists of public names only; nothing else of a module can be reached,
and modules of users are imported only where they are trusted by name.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Collection, Iterator
from functools import cache
from typing import Any

from motorik.components.base.declared_value import DeclaredValue
from motorik.components.base.part import Part
from motorik.documents.diagnostics import hint
from motorik.errors import FileFormatError, MotorikError
from motorik.names import remedy_for

WINDOWS = (
    *("parts", "joints", "constraints", "assemblies", "forces", "sensors"),
    *("rotational", "translational", "electrical", "heat", "hydraulic", "magnetic"),
    *("blocks", "visualizers", "planar"),
)
"""The public modules with classes of parts, in the order of the catalogue."""


def find_class(name: str, trusted: Collection[str] = ()) -> type[Part]:
    """Return a class of parts by the name that documents use, or raise an error.

    Names are `Revolute`, `rotational.Damper` or `mine.parts:Leg`; the last is imported only if
    "mine.parts" is among the trusted modules.
    """
    if ":" in name:
        found = _of_user(name, trusted)
    else:
        found = _public(name)
        found = found if isinstance(found, type) and _is_complete(found) else None
    if not isinstance(found, type) or not issubclass(found, Part):
        raise _unknown(name, "is not a class of parts")
    return found


def find_value_class(name: str) -> type[Any]:
    """Return a public class of values of parts, such as "joints.Coulomb", or raise an error."""
    found = _public(name)
    if not isinstance(found, type) or not issubclass(found, DeclaredValue):
        raise _unknown(name, "is not a law or value of parts")
    return found


def _public(name: str) -> object:
    window, _, last = name.rpartition(".")
    home: Any = importlib.import_module("motorik")
    if window:
        if window not in WINDOWS:
            raise _unknown(name, f"is in no public module {window!r}")
        home = importlib.import_module(f"motorik.{window}")
    if last not in home.__all__:
        raise _unknown(name, "is not known")
    return getattr(home, last)


def _of_user(name: str, trusted: Collection[str]) -> object:
    module, _, last = name.partition(":")
    is_own = module.startswith("motorik.components.")
    if module not in trusted and not is_own:
        raise FileFormatError(
            name,
            f"is a class of the module {module!r}, which is not trusted.",
            f"Trust the module if you know it: importing runs its code (--trust {module}).",
            parameter="class",
            value=name,
        )
    try:
        home = importlib.import_module(module)
    except MotorikError:
        raise
    except Exception as error:
        raise FileFormatError(
            name,
            f"the module {module!r} cannot be imported: {type(error).__name__}: {error}.",
            "Start motorik where Python finds the module, or correct it.",
            parameter="class",
            value=module,
        ) from error
    found: object = home
    for step in last.split("."):
        found = vars(found).get(step) if hasattr(found, "__dict__") else None
    if found is None:
        known = [n for n, one in vars(home).items() if isinstance(one, type)]
        raise FileFormatError(
            name,
            f"the module {module!r} has no class {last!r}.",
            hint(last, known),
            parameter="class",
            value=name,
        )
    return found


def _unknown(name: str, why: str) -> FileFormatError:
    shown, known = name[:80], [one for one, _ in _public_names()]
    window, _, last = shown.rpartition(".")
    remedy = hint(shown, known) if window else remedy_for(last, known, "motorik")
    return FileFormatError(
        "", f"the class {shown!r} {why}.", remedy, parameter="class", value=shown
    )


@cache
def _public_names() -> tuple[tuple[str, str], ...]:
    """Return the names that documents use, each with its module; nothing is imported for it."""
    found = []
    motorik: Any = importlib.import_module("motorik")
    top = set(motorik.__all__)
    for window in WINDOWS:
        home = importlib.import_module(f"motorik.{window}")
        for name in home.__all__:
            is_top = name in top and getattr(motorik, name) is getattr(home, name)
            found.append((name if is_top else f"{window}.{name}", window))
    return tuple(found)


@cache
def _names() -> dict[object, str]:
    return {_public(name): name for name, _ in reversed(_public_names())}


def name_of_class(kind: type) -> str:
    """Return the public name of a class of parts or values, "" if it has none."""
    return _names().get(kind, "")


def name_in_documents(kind: type) -> str:
    """Return the name under which a document refers to a class."""
    return name_of_class(kind) or f"{kind.__module__}:{kind.__qualname__}"


def is_reachable(kind: type) -> bool:
    """Return whether a class of a user can be found again by module and name."""
    home: Any = sys.modules.get(kind.__module__)
    for step in kind.__qualname__.split("."):
        home = vars(home).get(step) if home is not None else None
    return home is kind and kind.__module__ != "__main__"


def part_classes() -> Iterator[tuple[str, str, type[Part]]]:
    """Yield name, module and class of all public parts, for the catalogue."""
    for name, window in _public_names():
        kind = _public(name)
        if isinstance(kind, type) and issubclass(kind, Part) and _is_complete(kind):
            yield name, window, kind


def _is_complete(kind: type) -> bool:
    """Return whether a class is one to make parts of, no base class of models."""
    return issubclass(kind, Part) and not (
        kind.is_model and kind.is_open and not kind.specs
    )


def is_public_name(name: str) -> bool:
    """Return whether a name is one that documents use for something public."""
    return any(name == known for known, _ in _public_names())


def window_of(name: str) -> str:
    """Return the public module of a class that stands in `motorik` itself."""
    return next(window for known, window in _public_names() if known == name)
