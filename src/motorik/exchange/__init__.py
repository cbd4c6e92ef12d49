"""Exchange: models from other formats.

`modelica` builds models from descriptions of Modelica models as data: types of parts, modifiers and
connections.
"""

from motorik.exchange import modelica

__all__ = ["modelica"]
