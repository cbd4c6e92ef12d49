"""Parts: a registered part made from the modifiers that the file gives it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from motorik.components.base.part import ParameterSpec, Part, StartSpec
from motorik.components.base.values import Parameter, Start
from motorik.components.base.visual import visual_names
from motorik.components.blocks.table_files import read_table
from motorik.components.visualizers import FixedVisualizer
from motorik.errors import MotorikError, UnknownNameError, suggest
from motorik.exchange.modelica.arrays import Value, flat
from motorik.exchange.modelica.errors import (
    ExpressionError,
    MissingFeatureError,
    ModelicaError,
    UnknownPartError,
)
from motorik.exchange.modelica.evaluate import Evaluation
from motorik.exchange.modelica.expressions import FunctionCall, Name
from motorik.exchange.modelica.live import reading_of
from motorik.exchange.modelica.modifiers import (
    FUNCTION,
    TYPE,
    VALUE,
    Modifiers,
    ScopedExpression,
    essential,
)
from motorik.exchange.modelica.parser import parse
from motorik.exchange.modelica.registry import (
    FUNCTIONS,
    PARTS,
    RegisteredPart,
    completed_name,
    find_full_name,
)
from motorik.exchange.modelica.visuals import take_visuals, warn_and_skip

NOT_GIVEN = object()

# variables of Modelica's parts that these parts have not, or not as states: guesses are ignored
DISCRETE = frozenset({"mode", "locked", "stuck", "startForward", "startBackward"})
AT_REST = ("false", "Stuck", "Unknown")
VARIABLES = DISCRETE | {"rRod_0", "rRod_a", "s_rel", "lineForce"}


# remedies for features that parts do not have
INSTEAD = {
    "useHeatPort": "Give useHeatPort=false and leave out what is connected to heatPort; the heat "
    "is the result variable lossPower of the part, or of the parts within it.",
}


def make_part(entry: RegisteredPart, modifiers: Modifiers, label: str) -> Part:
    """Return the part of a registered type with these modifiers; `label` names it in errors."""
    entry, modifiers = _replaced(entry, modifiers, label)
    given: dict[str, Any] = dict(entry.preset)
    if "tableOnFile" in entry.absent:
        modifiers = _with_table_of_file(modifiers, given, label)
    inner: Modifiers = {}
    look: Modifiers = {}
    for key, modifier in modifiers.items():
        if key == TYPE:
            continue
        spec = entry.part.specs.get(key)
        if key in entry.lists and VALUE in modifier:
            read = reading_of(modifier[VALUE], f"{label}.{key}", several=True)
            given[entry.lists[key]] = read
        elif key in entry.expressions and VALUE in modifier:
            given[entry.expressions[key]] = reading_of(modifier[VALUE], f"{label}.{key}")
        elif isinstance(spec, (ParameterSpec, StartSpec)):
            with warn_and_skip(f"{label}.{key}", issubclass(entry.part, FixedVisualizer)):
                value = given_value(spec, modifier, entry, f"{label}.{key}")
                if value is not NOT_GIVEN:
                    given[key] = value
        elif key in entry.absent or key in entry.always:
            check_switch(modifier, entry, key, label)
        elif key in entry.counts:
            given.setdefault(key, modifier)
        elif key in entry.only:
            check_choice(modifier, entry, key, label)
        elif key in visual_names(entry.part):
            look[key] = modifier
        elif entry.ignore is not None and key not in entry.ignore:
            inner[key] = modifier
        elif key in VARIABLES:
            check_guess(modifier, entry, key, label)
    for key, name in entry.counts.items():
        if key in given:
            _give_count(given, key, name, name in modifiers, label)
    try:
        part = entry.part(**given)
    except MotorikError as error:
        raise type(error)(label, error.reason, error.remedy, **error.fields) from None
    adjust(part, inner, entry, label)
    take_visuals(part, look, label)
    return part


def _with_table_of_file(
    modifiers: Modifiers, given: dict[str, Any], label: str
) -> Modifiers:
    """Return the modifiers without those of a table in a file, whose numbers are given.

    A path that is not absolute is one from the working directory.
    """

    def value_of(name: str) -> Any:
        bound = essential(modifiers.get(name, {})).get(VALUE)
        try:
            return None if bound is None else bound.value()
        except ExpressionError as error:
            raise error.at(f"{label}.{name}") from None

    if value_of("tableOnFile") is not True:
        return modifiers
    file, name = value_of("fileName"), value_of("tableName")
    if not isinstance(file, str) or not isinstance(name, str | None):
        raise ModelicaError(
            label,
            f"tableOnFile with fileName = {file!r} and tableName = {name!r}.",
            "Give both as texts: the path of a text file, and the name of its table.",
        )
    try:
        given["table"] = read_table(file.removeprefix("file://"), name)
    except MotorikError as error:
        raise type(error)(label, error.reason, error.remedy, **error.fields) from None
    of_file = ("tableOnFile", "fileName", "tableName")
    return {key: own for key, own in modifiers.items() if key not in of_file}


def _replaced(
    entry: RegisteredPart, modifiers: Modifiers, label: str
) -> tuple[RegisteredPart, Modifiers]:
    """Return the type that switches among the modifiers choose, and the other modifiers.

    Guesses of start values are left to the type; fixed ones of a variable that it does not have
    are refused.
    """
    for key, name in entry.instead.items():
        bound = essential(modifiers.get(key, {})).get(VALUE)
        rest = {name: modifier for name, modifier in modifiers.items() if name != key}
        if bound is None or bound.value() is False:
            modifiers = rest
            continue
        other = PARTS[name]
        for own, modifier in rest.items():
            if isinstance(entry.part.specs.get(own), StartSpec):
                check_guess(modifier, other, own, label)
        kept = {
            n: m
            for n, m in rest.items()
            if n not in entry.part.specs or n in other.part.specs
        }
        return other, kept
    return entry, modifiers


def _give_count(
    given: dict[str, Any], key: str, name: str, is_given: bool, label: str
) -> None:
    """Let a list have as many elements as a count says: ones, unless the list is given."""
    bound = essential(given.pop(key)).get(VALUE)
    if bound is None:
        return
    count = bound.value()
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise ModelicaError(f"{label}.{key}", f"{bound.text} is not a count.")
    if not is_given:
        given[name] = (1.0,) * count
    elif len(flat(given[name])) != count:
        raise ModelicaError(
            label,
            f"{key} = {count}, and {name} has {len(flat(given[name]))} elements.",
            f"Give {name} as many elements as {key} says.",
        )


def adjust(part: Part, modifiers: Modifiers, entry: RegisteredPart, label: str) -> None:
    """Give modifiers to parts within a part: `gear(spring(c = 10))`."""
    for key, modifier in modifiers.items():
        child = part.parts.get(key)
        if child is None:
            known = [
                *part.parameter_names(),
                *part.parts,
                *entry.absent,
                *(entry.ignore or ()),
            ]
            raise UnknownNameError(
                label,
                f"({entry.name}) has no modifier {key!r}.",
                suggest(key, known),
                parameter=key,
                value=key,
            )
        place = f"{label}.{key}"
        deeper: Modifiers = {}
        for name, inner in modifier.items():
            spec = child.specs.get(name)
            if isinstance(spec, (ParameterSpec, StartSpec)):
                value = given_value(spec, inner, entry, f"{place}.{name}")
                if value is not NOT_GIVEN:
                    setattr(child, name, value)
            else:
                deeper[name] = inner
        adjust(child, deeper, entry, place)


def given_value(
    spec: ParameterSpec | StartSpec, modifier: Modifiers, entry: RegisteredPart, place: str
) -> Any:
    """Return the value that a modifier gives to a parameter or a start value."""
    try:
        if isinstance(spec, StartSpec):
            return _start(spec, essential(modifier), entry, place)
        value = _parameter(spec, essential(modifier), place)
    except ExpressionError as error:
        raise error.at(place) from None
    unit = entry.units.get(place.rpartition(".")[2])
    return value if unit is None or value is NOT_GIVEN else _in_unit(unit, value, place)


def _in_unit(unit: Callable[[Any], Any], value: object, place: str) -> Any:
    """Return a value in the unit of the part's parameter; one that runs find has no other."""
    if isinstance(value, Parameter):
        raise MissingFeatureError(place, "a parameter in degrees with fixed = false")
    try:
        return unit(value)
    except MotorikError as error:
        raise type(error)(place, error.reason, error.remedy) from None


def _parameter(spec: ParameterSpec, modifier: Modifiers, place: str) -> Any:
    _check_keys(modifier, (VALUE, FUNCTION, "start", "fixed"), place)
    if is_free(modifier, place):
        return free_parameter(modifier, spec.default, place)
    if FUNCTION in modifier:
        return _function(modifier[FUNCTION], place)
    return modifier[VALUE].value() if VALUE in modifier else NOT_GIVEN


def is_free(modifier: Modifiers, place: str) -> bool:
    """Return whether a parameter is left to the start (`fixed = false`)."""
    if "fixed" not in modifier:
        return False
    answers = set(flat(modifier["fixed"][VALUE].value()))
    if not answers <= {True, False} or not answers:
        raise ModelicaError(place, "fixed is neither true nor false.")
    if len(answers) > 1:
        raise MissingFeatureError(place, "a parameter of which only components are fixed")
    return answers == {False}


def free_parameter(
    modifier: Modifiers, default: Any, place: str, name: str = ""
) -> Parameter:
    """Return the parameter that each run finds, with `start` as its guess."""
    if VALUE in modifier:
        raise ModelicaError(
            place, "has a value and fixed = false.", "Give the value as start."
        )
    guess = modifier["start"][VALUE].value() if "start" in modifier else default
    if guess is None:
        raise ModelicaError(place, "has no guess.", "Give start.")
    return Parameter(guess, name, fixed=False)


def _start(
    spec: StartSpec, modifier: Modifiers, entry: RegisteredPart, place: str
) -> Start:
    _check_keys(modifier, (VALUE, "start", "fixed"), place)
    if VALUE in modifier:
        raise MissingFeatureError(place, f"{entry.name} with an equation for {place}")
    default = spec.default or Start(0.0 if spec.size == 1 else (0.0,) * spec.size)
    value, fixed = default.value, default.fixed
    if "start" in modifier:
        value = _start_numbers(modifier["start"][VALUE], spec.size, place)
    if "fixed" in modifier:
        answers = tuple(flat(modifier["fixed"][VALUE].value()))
        if not set(answers) <= {True, False} or len(answers) not in (1, spec.size):
            raise ModelicaError(place, "fixed is neither true nor false.")
        fixed = bool(answers[0]) if len(set(answers)) == 1 else tuple(map(bool, answers))
    return Start(value, fixed, "start" in modifier)


def _start_numbers(
    bound: ScopedExpression, size: int, place: str
) -> float | tuple[float, ...]:
    numbers = flat(bound.value())
    if len(numbers) != size or any(isinstance(n, (bool, str)) for n in numbers):
        raise ModelicaError(
            place, f"start = {bound.text} is not {size} number(s).", "Give as many numbers."
        )
    return float(numbers[0]) if size == 1 else tuple(map(float, numbers))


def _check_keys(modifier: Modifiers, known: tuple[str, ...], place: str) -> None:
    for key in modifier:
        if key not in known:
            raise UnknownNameError(
                place,
                f"has no attribute {key!r}.",
                suggest(key, known),
                parameter=key,
                value=key,
            )


def check_guess(modifier: Modifiers, entry: RegisteredPart, key: str, label: str) -> None:
    """Refuse a modifier of a variable that the part does not have, unless it is a guess.

    A guess of the start has no effect on the motion; a fixed start value or an equation has.
    The discrete variables of friction may be fixed at rest, as they are found anyhow.
    """
    place = f"{label}.{key}"
    for name, inner in essential(modifier).items():
        if name == "start":
            continue
        if name == "fixed":
            if not _is_met(modifier, key, place):
                raise MissingFeatureError(
                    place, f"{entry.name} with a fixed start value of {key}"
                )
        elif name in (VALUE, FUNCTION, TYPE):
            raise MissingFeatureError(place, f"{entry.name} with an equation for {key}")
        else:
            check_guess(inner, entry, name, place)


def _is_met(modifier: Modifiers, key: str, place: str) -> bool:
    """Return whether a fixed start value is one that the part begins with."""
    try:
        if not any(flat(modifier["fixed"][VALUE].value())):
            return True
        if key not in DISCRETE:
            return False
        begin = modifier.get("start", {}).get(VALUE)
        return begin is None or begin.text.rpartition(".")[2] in AT_REST
    except ExpressionError as error:
        raise error.at(place) from None


def check_choice(modifier: Modifiers, entry: RegisteredPart, key: str, label: str) -> None:
    """Refuse a value of a parameter with which the part is not Modelica's."""
    bound = essential(modifier).get(VALUE)
    if bound is None:
        return
    try:
        given: Value = bound.value()
    except ExpressionError as error:
        raise error.at(f"{label}.{key}") from None
    short = str(given).rpartition(".")[2]
    if short not in entry.only[key]:
        raise MissingFeatureError(
            label,
            f"{entry.name} with {key} = {bound.text}",
            f"Supported: {', '.join(entry.only[key])}.",
        )


def check_switch(modifier: Modifiers, entry: RegisteredPart, key: str, label: str) -> None:
    """Refuse a feature that the part does not have, unless it is false or not fixed.

    One that it cannot do without may not be false. Variables have no value at all.
    """
    bound = modifier.get(VALUE) or modifier.get("fixed", {}).get(VALUE)
    if bound is None:
        return
    try:
        used: Value = bound.value()
    except ExpressionError as error:
        raise error.at(f"{label}.{key}") from None
    if key in entry.always and not all(flat(used)):
        raise MissingFeatureError(
            label, f"{entry.name} without {key}", f"Leave {key} out, or let it be true."
        )
    if key in entry.absent and any(one is not False for one in flat(used)):
        remedy = INSTEAD.get(
            key, f"Leave {key} out of the data, and add what it does by hand."
        )
        raise MissingFeatureError(label, f"{entry.name} with {key}", remedy)


def _function(bound: ScopedExpression, place: str) -> Any:
    """Return the function that a redeclaration `name(argument = value, …)` means."""
    tree = parse(bound.text)
    if isinstance(tree, Name):
        tree = FunctionCall(tree.dotted)
    if not isinstance(tree, FunctionCall) or tree.arguments:
        raise ExpressionError("the name of a function expected.", bound.text, 0)
    full = find_full_name(tree.function, bound.within, FUNCTIONS)
    if full is None:
        raise UnknownPartError(place, completed_name(tree.function, bound.within))
    evaluation = Evaluation(bound.text, bound.scope)
    values = {name: evaluation.value(argument) for name, argument in tree.named}
    try:
        return FUNCTIONS[full](**values)
    except TypeError as error:
        raise ModelicaError(place, f"{full}: {error}.", "Check the arguments.") from None
