"""Modelica: models described as data (types, modifiers, connections) become motorik models.

``read_model("MultiBody.Examples.Elementary.Pendulum", "models.json")`` builds a model from
the structure alone; `register` assigns a part to a Modelica name.
"""

from motorik.exchange.modelica.errors import (
    EquationsLeftOut,
    ExpressionError,
    MissingFeatureError,
    ModelicaError,
    UnknownPartError,
)
from motorik.exchange.modelica.evaluate import evaluate
from motorik.exchange.modelica.library import Library, library_of, load_library
from motorik.exchange.modelica.reading import ReadModel, read, read_model
from motorik.exchange.modelica.registry import (
    register,
    register_function,
    register_port,
    register_port_base,
)
from motorik.names import refuse_others as _refuse_others

__all__ = [
    "EquationsLeftOut",
    "ExpressionError",
    "Library",
    "MissingFeatureError",
    "ModelicaError",
    "ReadModel",
    "UnknownPartError",
    "evaluate",
    "library_of",
    "load_library",
    "read",
    "read_model",
    "register",
    "register_function",
    "register_port",
    "register_port_base",
]

__getattr__ = _refuse_others(__name__, __all__)
