"""Results: time series by name, every variable of every part, computed on demand."""

from typing import TYPE_CHECKING

from motorik.names import refuse_others as _refuse_others

if TYPE_CHECKING:  # names are imported when they are first used
    from motorik.results.events import Event, Events
    from motorik.results.model_result import ModelResult
    from motorik.results.poses import Poses
    from motorik.results.result import Result
    from motorik.results.run_info import RunInfo
    from motorik.results.sample import Sample
    from motorik.results.saved import SavedResult, load_result
    from motorik.results.series import Series
    from motorik.results.values import ParameterValues

__all__ = [
    "Event",
    "Events",
    "ModelResult",
    "ParameterValues",
    "Poses",
    "Result",
    "RunInfo",
    "Sample",
    "SavedResult",
    "Series",
    "load_result",
]

_HOMES = {
    "motorik.results.events": (
        "Event",
        "Events",
    ),
    "motorik.results.model_result": ("ModelResult",),
    "motorik.results.poses": ("Poses",),
    "motorik.results.result": ("Result",),
    "motorik.results.run_info": ("RunInfo",),
    "motorik.results.sample": ("Sample",),
    "motorik.results.saved": (
        "SavedResult",
        "load_result",
    ),
    "motorik.results.series": ("Series",),
    "motorik.results.values": ("ParameterValues",),
}
__getattr__ = _refuse_others(__name__, __all__, _HOMES)


def __dir__() -> list[str]:
    """Return the public names."""
    return list(__all__)
