"""Results: time series by name, every variable of every part, computed on demand."""

from motorik.names import refuse_others as _refuse_others
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

__getattr__ = _refuse_others(__name__, __all__)


def __dir__() -> list[str]:
    """Return the public names."""
    return list(__all__)
