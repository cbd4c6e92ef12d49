"""Modelica: models described as data (types, modifiers, connections) become motorik models.

``read_model("MultiBody.Examples.Elementary.Pendulum", "models.json")`` builds a model from the
structure alone; `register` assigns a part to a Modelica name.

`library.py` loads descriptions of models, `reading.py` makes the parts of one and connects
them. `registry.py` maps names of Modelica to parts, with the entries of `catalogue.py`,
`catalogue_lines.py`, `catalogue_heat.py` and others; `parts.py` passes
modifiers on as parameters, start values and options of drawing (`visuals.py`).
`expressions.py`, `parser.py`, `evaluate.py`, `arrays.py` and `functions.py` evaluate Modelica
expressions; `instance.py` and `flatten.py` resolve inheritance, redeclaration and arrays of
parts. Equations are not read:
`EquationsLeftOut` warns about them.
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
