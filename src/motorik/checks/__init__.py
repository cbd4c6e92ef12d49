"""Checks: the contracts of motorik as tests that can be run on users' own joints."""

from motorik.checks.friction import check_friction
from motorik.checks.joint import check_joint
from motorik.names import refuse_others as _refuse_others

__all__ = ["check_friction", "check_joint"]

__getattr__ = _refuse_others(__name__, __all__)


def __dir__() -> list[str]:
    """Return the public names."""
    return list(__all__)
