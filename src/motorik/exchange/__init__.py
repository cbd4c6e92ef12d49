"""Exchange: models and results from and to other formats."""

from motorik.exchange import modelica

__all__ = ["modelica"]
