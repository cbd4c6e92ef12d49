"""dataclass_transform: editors learn the constructors from declarations."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import dataclass_transform as dataclass_transform
else:

    def dataclass_transform(**options):
        """Return a decorator that changes nothing; it is for editors."""
        return lambda kind: kind
