"""The mechanisms of the gallery as templates of documents."""

from __future__ import annotations

from motorik.documents.reading import Data
from motorik.errors import ParameterError, suggest
from motorik.model import Model

TEMPLATES = (
    *("Pendulum", "DoublePendulum", "PlanarFourbar", "SliderCrank", "SpatialSliderCrank"),
    *("Engine1a", "Engine1b", "EngineV6", "FourfoldPendulum", "SpinningWheel"),
    *("TrolleyPendulum", "StewartPlatform", "MacPherson", "Andrews", "Bricard"),
)
"""The mechanisms of the gallery that the start dialog offers."""


def gallery_list() -> list[Data]:
    """Return the templates of the start dialog."""
    from motorik import gallery

    found = []
    for name in TEMPLATES:
        kind = getattr(gallery, name)
        text = " ".join((kind.__doc__ or "").partition("\n\n")[0].split())
        found.append({"name": name, "title": name, "text": text})
    return found


def gallery_model(name: object) -> Model:
    """Return a mechanism of the gallery by its name."""
    from motorik import gallery

    if name not in TEMPLATES:
        raise ParameterError(
            "gallery",
            f"has no {str(name)[:80]!r}.",
            suggest(str(name)[:80], TEMPLATES),
            parameter="name",
        )
    return getattr(gallery, str(name))()
