"""Operations: the edits of a user in a document, each as changes with their inverses.

`apply_operation(editor, {"op": "connect", "a": …, "b": …})` checks the operation against the
document and makes its changes; an operation that makes no sense raises an error and the caller
takes the changes back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from motorik.components.base.declarations import PortSpec
from motorik.documents.building import PORT_TYPES, kind_name
from motorik.documents.changes import Editor, Path, check_json, copied
from motorik.documents.classes import find_class
from motorik.documents.diagnostics import hint
from motorik.documents.document import check_run
from motorik.documents.formulas import renamed
from motorik.documents.reading import (
    MOST_CONNECTIONS,
    MOST_PARTS,
    Data,
    Json,
    is_identifier,
    is_name,
    is_place,
    plain,
)
from motorik.errors import FileFormatError, MotorikError, ParameterError, PortError


class EditScope:
    """The model itself or one of its sub-models, as operations see it."""

    def __init__(self, editor: Editor, name: str = "") -> None:
        self.editor, self.name = editor, name
        models = editor.data.get("models", {})
        if name and name not in models:
            raise FileFormatError(
                name, "is not a sub-model of the document.", hint(name, models)
            )
        self.path: tuple[str | int, ...] = ("models", name) if name else ()
        self.data: Data = models[name] if name else editor.data

    def index(self, part: object) -> int:
        """Return the place of a part in the list."""
        for k, one in enumerate(self.data["parts"]):
            if one["id"] == part:
                return k
        known = [one["id"] for one in self.data["parts"]]
        raise FileFormatError(
            str(part)[:80], "is not a part of the model.", hint(part, known)
        )

    def part(self, name: object) -> Data:
        """Return a part by its id."""
        return self.data["parts"][self.index(name)]

    @property
    def names(self) -> set[str]:
        """The names that are taken in this scope."""
        parts = {one["id"] for one in self.data["parts"]}
        parameters = {one["name"] for one in self.data.get("parameters", ())}
        return parts | parameters | {*self.data.get("ports", ())}

    def free_name(self, stem: str) -> str:
        """Return a name that is not taken: the stem, or with a number."""
        taken = self.names
        stem = stem if is_name(stem) and "[" not in stem else "part"
        if stem not in taken and not stem[-1:].isdigit():
            numbered = any(one.rstrip("0123456789") == stem for one in taken)
            if not numbered:
                return stem
        stem = stem.rstrip("0123456789") or "part"
        k = 2 if stem in taken else 1
        while f"{stem}{k}" in taken:
            k += 1
        return f"{stem}{k}"

    def check_free(self, name: object) -> str:
        """Return a new name if it is valid and free, or raise an error."""
        if not is_name(name):
            raise FileFormatError(
                str(name)[:80],
                "is not a name: letters, digits and underscores, no digit first.",
                "Choose another name.",
                parameter="id",
                value=name,
            )
        if name in self.names:
            raise FileFormatError(
                str(name),
                "is taken already.",
                "Choose another name.",
                parameter="id",
                value=name,
            )
        return str(name)

    def ports_of(self, part: Data) -> dict[str, tuple[str, str]] | None:
        """Return the ports that a part can have, by name: kind and condition; None if unknown."""
        kind = part["class"]
        if kind.startswith("#"):
            inner = self.editor.data.get("models", {}).get(kind[1:])
            if inner is None:
                return None
            return {
                name: self._declared(inner, one)
                for name, one in inner.get("ports", {}).items()
            }
        try:
            found = find_class(kind)
        except MotorikError:
            return None
        if getattr(found, "is_bus", False) or "ports" in found.specs:
            return None  # ports by names that the user chooses
        return {
            name: (kind_name(spec.type), spec.when)
            for name, spec in found.specs.items()
            if isinstance(spec, PortSpec)
        }

    def _declared(self, inner: Data, one: Json) -> tuple[str, str]:
        if isinstance(one, dict) and one.get("kind") in PORT_TYPES:
            return one["kind"], ""
        to = one if isinstance(one, str) else str(one.get("to", ""))
        name, _, port = to.partition(".")
        for part in inner["parts"]:
            if part["id"] == name and "." not in port:
                return (self.ports_of(part) or {}).get(port.partition("[")[0], ("", ""))
        return "", ""

    def kind_of(self, path: str) -> str:
        """Return the kind of a port by its path, "" if only the built model knows it."""
        first, _, rest = path.partition(".")
        if not rest:
            ports = self.data.get("ports", {})
            if first not in ports:
                raise PortError(
                    first[:80],
                    "is not a port of the model.",
                    hint(first, ports),
                    port=first,
                    value=first,
                )
            return self._declared(self.data, ports[first])[0]
        part = self.part(first)
        if "." in rest:  # within a sub-model or a part of parts
            return ""
        ports = self.ports_of(part)
        if ports is None:
            return ""
        name = rest.partition("[")[0]
        if name not in ports:
            raise PortError(
                f"{first}.{rest}"[:160],
                "is not a port of its class.",
                hint(name, ports),
                port=name[:80],
                value=path[:160],
            )
        return ports[name][0]


Operation = Callable[[EditScope, Data], Any]
OPERATIONS: dict[str, Operation] = {}


def operation(function: Operation) -> Operation:
    """Register an operation under its name."""
    OPERATIONS[function.__name__.strip("_")] = function
    return function


def apply_operation(editor: Editor, request: Data) -> Any:
    """Make the changes of an operation; return its answer to the author, such as new names."""
    name = request.get("op")
    if name == "batch":
        inner = request.get("operations")
        if not isinstance(inner, list) or len(inner) > 10_000:
            raise FileFormatError("batch", "has no list of operations.", "Give some.")
        return [apply_operation(editor, one) for one in inner]
    if not isinstance(name, str) or name not in OPERATIONS:
        raise FileFormatError(
            str(name)[:80], "is not an operation.", hint(str(name)[:80], OPERATIONS)
        )
    within = request.get("in") or ""
    if not isinstance(within, str):
        raise FileFormatError(str(within)[:80], "is not a sub-model.", "Give its name.")
    return OPERATIONS[name](EditScope(editor, within), request)


TITLES = {
    "add": "Add {}", "remove": "Remove {}", "rename": "Rename {}", "set": "Set {}",
    "connect": "Connect {}", "disconnect": "Disconnect {}", "place": "Move {}",
    "parameter": "Change parameter {}", "note": "Change note", "panel": "Change plot",
    "run_options": "Change options of the run", "group": "Group {}", "ungroup": "Ungroup {}",
    "describe": "Describe", "class_of": "Change class of {}", "annotate": "Annotate {}",
    "paste": "Paste", "module": "Change modules", "port": "Change port {}",
}  # fmt: skip


def title_of(request: Data) -> str:
    """Return the title of a step for undo and redo."""
    given = request.get("title")
    if isinstance(given, str) and given:
        return given[:80]
    op = request.get("op")
    if op == "batch":
        inner = request.get("operations") or [{}]
        first = title_of(inner[0])
        return first if len(inner) == 1 else f"{first} and {len(inner) - 1} more"
    about = request.get("id") or request.get("name") or request.get("part") or ""
    if isinstance(about, dict):
        about = about.get("id") or about.get("class") or ""
    if op in ("connect", "disconnect"):
        about = f"{request.get('a')} – {request.get('b')}"
    if op == "set":
        about = f"{about}.{request.get('field')}"
    if op in ("remove", "group"):
        ids = request.get("ids") or []
        about = ids[0] if len(ids) == 1 else f"{len(ids)} parts"
    if op == "place":
        at = request.get("at") or {}
        about = next(iter(at)) if len(at) == 1 else f"{len(at)} parts"
    return TITLES.get(str(op), str(op)).format(str(about)[:60]).strip()


# --- parts --------------------------------------------------------------------------------


@operation
def add(scope: EditScope, request: Data) -> Data:
    """Add a part: {"part": {"class": …, "id": …?, "arguments": …?}, "at": [x, y]?}."""
    part = request.get("part")
    if not isinstance(part, dict) or not isinstance(part.get("class"), str):
        raise FileFormatError(
            "add", "has no part with a class.", 'Give {"class": "Revolute"}.'
        )
    part = check_json(part, "part")
    _check_depth(part, "part")
    if len(scope.data["parts"]) >= MOST_PARTS:
        raise FileFormatError(
            "add", f"the model has {MOST_PARTS} parts already.", "Use sub-models."
        )
    kind = part["class"]
    _check_class(scope, kind)
    if part.get("id") in (None, ""):
        part = {
            "id": scope.free_name(_stem_of(kind)),
            **{k: v for k, v in part.items() if k != "id"},
        }
    else:
        scope.check_free(part["id"])
    if "arguments" in part and not isinstance(part["arguments"], dict):
        raise FileFormatError("add", "has arguments without names.", "Give an object.")
    scope.editor.append((*scope.path, "parts"), part)
    if is_place(request.get("at")):
        _put_place(scope, part["id"], request["at"])
    return {"id": part["id"]}


def new_name(data: Data, kind: str, within: str = "") -> str:
    """Return the name that a new part of a class gets if it is given none."""
    return EditScope(Editor(data), within).free_name(_stem_of(kind))


def _stem_of(kind: str) -> str:
    return _lowered(kind.rpartition(".")[2].rpartition(":")[2].removeprefix("#"))


def _lowered(stem: str) -> str:
    """Return the name of a part for that of its class: fixedTranslation, pID → pid."""
    if stem[:2].isupper():
        return stem.lower()
    return stem[:1].lower() + stem[1:]


def _check_class(scope: EditScope, kind: str) -> None:
    if not kind.startswith("#"):
        if ":" not in kind:
            find_class(kind)
        return
    models = scope.editor.data.get("models", {})
    if kind[1:] not in models:
        raise FileFormatError(
            "",
            f"there is no sub-model {kind[1:80]!r}.",
            hint(kind[1:80], models),
            parameter="class",
            value=kind[:80],
        )
    if scope.name and scope.name in _within(models, kind[1:], set()):
        raise FileFormatError(
            "",
            f"the sub-model {kind[1:]} would be within itself.",
            "Use another one.",
            parameter="class",
            value=kind,
        )


def _within(models: Data, name: str, seen: set[str]) -> set[str]:
    """Return the names of a sub-model and of all within it."""
    if name not in seen and name in models:
        seen.add(name)
        for part in models[name]["parts"]:
            if part["class"].startswith("#"):
                _within(models, part["class"][1:], seen)
    return seen


def _ids(scope: EditScope, request: Data) -> list[str]:
    ids = request.get("ids", [request["id"]] if "id" in request else None)
    if not isinstance(ids, list) or not ids:
        raise FileFormatError(str(request.get("op")), "names no parts.", 'Give "ids".')
    for one in ids:
        scope.index(one)
    return list(dict.fromkeys(ids))


def _owner(path: str) -> str:
    return path.partition(".")[0] if "." in path else ""


@operation
def remove(scope: EditScope, request: Data) -> None:
    """Remove parts with their connections, places in the diagram and ports: {"ids": […]}."""
    gone = {*_ids(scope, request)}
    _remove_connections(scope, lambda a, b: _owner(a) in gone or _owner(b) in gone)
    for name, one in [*scope.data.get("ports", {}).items()]:
        to = one if isinstance(one, str) else one.get("to", "")
        if _owner(str(to)) in gone:
            scope.editor.remove((*scope.path, "ports", name))
    for name in [name for name in scope.data.get("diagram", {}) if name in gone]:
        scope.editor.remove((*scope.path, "diagram", name))
    for name in gone:
        scope.editor.remove((*scope.path, "parts", scope.index(name)))


def _remove_connections(scope: EditScope, chosen: Callable[[str, str], bool]) -> None:
    wires = scope.data["connections"]
    for k in reversed(range(len(wires))):
        if chosen(*wires[k]):
            scope.editor.remove((*scope.path, "connections", k))


@operation
def rename(scope: EditScope, request: Data) -> Data:
    """Give a part another name, also in connections, plots and ports: {"id", "to"}."""
    old, new = str(request.get("id")), request.get("to")
    k = scope.index(old)
    if old == new:
        return {"id": new}
    new = scope.check_free(new)
    editor, path = scope.editor, scope.path
    editor.put((*path, "parts", k, "id"), new)

    def moved(place: str) -> str:
        return new + place[len(old) :] if _owner(place) == old else place

    _move_ends(scope, moved)
    places = scope.data.get("diagram", {})
    if old in places:
        at, place = [*places].index(old), places[old]
        editor.remove((*path, "diagram", old))
        editor.insert((*path, "diagram", new), place, at)
    if not scope.name:
        _rename_variables(scope, old, new)
    return {"id": new}


def _move_ends(scope: EditScope, moved: Callable[[str], str]) -> None:
    """Change the ends of connections, and the inner ends of ports."""
    for k, wire in enumerate(scope.data["connections"]):
        for end in (0, 1):
            if moved(wire[end]) != wire[end]:
                scope.editor.put((*scope.path, "connections", k, end), moved(wire[end]))
    for name, one in scope.data.get("ports", {}).items():
        to = one if isinstance(one, str) else one.get("to")
        if isinstance(to, str) and moved(to) != to:
            way = (*scope.path, "ports", name)
            scope.editor.put(way if isinstance(one, str) else (*way, "to"), moved(to))


def _rename_variables(scope: EditScope, old: str, new: str) -> None:
    """Rename the variables of a part in the plots."""
    for k, panel in enumerate(scope.data.get("panels", ())):
        names = panel.get("variables")
        if isinstance(names, list):
            for i, name in enumerate(names):
                if isinstance(name, str) and name.startswith(f"{old}."):
                    way = ("panels", k, "variables", i)
                    scope.editor.put(way, new + name[len(old) :])
        if str(panel.get("against", "")).startswith(f"{old}."):
            against = new + panel["against"][len(old) :]
            scope.editor.put(("panels", k, "against"), against)


@operation
def set_(scope: EditScope, request: Data) -> None:
    """Give an argument of a part a value, or its default: {"id", "field", "value"?}."""
    k, name = scope.index(request.get("id")), request.get("field")
    if not isinstance(name, str) or not name.isidentifier():
        raise FileFormatError(
            str(request.get("id")),
            f"{str(name)[:80]!r} is not the name of a parameter.",
            "Give one.",
        )
    part = scope.data["parts"][k]
    _check_field(scope, part, name)
    way = (*scope.path, "parts", k, "arguments")
    value = request.get("value")
    if "value" not in request or value == {"default": True}:
        if name in part.get("arguments", {}):
            scope.editor.remove((*way, name))
            if not part["arguments"]:
                scope.editor.remove(way)
        return
    value = check_json(value, f"{part['id']}.{name}")
    _check_depth(value, f"{part['id']}.{name}")
    scope.editor.ensure(way, {})
    scope.editor.put((*way, name), value)


def _check_field(scope: EditScope, part: Data, name: str) -> None:
    """Refuse the name of a parameter that the class of the part does not have."""
    kind = part["class"]
    if name in part.get("arguments", {}):
        return
    if kind.startswith("#"):
        inner = scope.editor.data.get("models", {}).get(kind[1:], {})
        known = {one["name"] for one in inner.get("parameters", ())} | {"visual"}
    else:
        from motorik.components.base.visual import visual_names

        try:
            found = find_class(kind)
        except MotorikError:
            return
        known = {*found.specs, *found.__signature__.parameters, *visual_names(found)}
        known.add("visual")
    if name not in known:
        raise ParameterError(
            part["id"],
            f"has no parameter {name!r}.",
            hint(name, known),
            parameter=name,
            value=name,
        )


def _check_depth(value: Json, what: str) -> None:
    if plain(value)[1]:
        raise FileFormatError(what, "is nested too deeply.", "Give a simpler value.")


@operation
def annotate(scope: EditScope, request: Data) -> None:
    """Hide a part, or note something at it: {"id", "hidden"?, "note"?}; null takes it away."""
    k = scope.index(request.get("id"))
    for key, kind in (("hidden", bool), ("note", str)):
        if key in request:
            way = (*scope.path, "parts", k, key)
            value = request[key]
            if value in (None, False, ""):
                if key in scope.data["parts"][k]:
                    scope.editor.remove(way)
            elif isinstance(value, kind):
                scope.editor.put(way, value)


@operation
def class_of(scope: EditScope, request: Data) -> None:
    """Give a part another class; it keeps what fits: {"id", "class"}."""
    k, kind = scope.index(request.get("id")), request.get("class")
    if not isinstance(kind, str):
        raise FileFormatError(str(request.get("id")), "gets no class.", "Give its name.")
    _check_class(scope, kind)
    part = scope.data["parts"][k]
    scope.editor.put((*scope.path, "parts", k, "class"), kind)
    for name in [*part.get("arguments", {})]:
        trial = {**part, "arguments": {}}
        try:
            _check_field(scope, trial, name)
        except MotorikError:
            scope.editor.remove((*scope.path, "parts", k, "arguments", name))
    ports = scope.ports_of(part)
    if ports is not None:

        def is_lost(path: str) -> bool:
            port = path.partition(".")[2].partition("[")[0]
            return _owner(path) == part["id"] and "." not in port and port not in ports

        _remove_connections(scope, lambda a, b: is_lost(a) or is_lost(b))


# --- connections --------------------------------------------------------------------------


def _ends(request: Data) -> tuple[str, str]:
    a, b = request.get("a"), request.get("b")
    if not isinstance(a, str) or not isinstance(b, str):
        raise PortError(
            "connect", "needs two ports.", 'Give "a" and "b".', port="", value=(a, b)
        )
    return a, b


@operation
def connect(scope: EditScope, request: Data) -> None:
    """Connect two ports that fit one another: {"a": "crank.frame_b", "b": "rod.frame_a"}."""
    a, b = _ends(request)
    kinds = scope.kind_of(a), scope.kind_of(b)
    if a == b:
        raise PortError(
            a,
            "is connected to itself.",
            "Choose another port.",
            port=a.rpartition(".")[2],
            value=b,
        )
    if any({x, y} == {a, b} for x, y in scope.data["connections"]):
        raise PortError(
            a,
            f"is connected with {b} already.",
            "Choose another port.",
            port=a.rpartition(".")[2],
            value=b,
        )
    if all(kinds) and not fits(*kinds):
        raise PortError(
            a,
            f"is of the kind {kinds[0]}, but {b} of the kind {kinds[1]}.",
            "Connect frames with frames, flanges with flanges, outputs with inputs.",
            port=a.rpartition(".")[2],
            value=b,
        )
    if len(scope.data["connections"]) >= MOST_CONNECTIONS:
        raise PortError(
            a,
            "there are too many connections.",
            "Use sub-models.",
            port=a.rpartition(".")[2],
            value=b,
        )
    scope.editor.append((*scope.path, "connections"), [a, b])


def fits(a: str, b: str) -> bool:
    """Return whether ports of two kinds can be connected."""
    if (
        " " in a or " " in b
    ):  # signals: of one type; from outputs to inputs, or through ports
        return a.partition(" ")[0] == b.partition(" ")[0]
    return a == b


@operation
def disconnect(scope: EditScope, request: Data) -> None:
    """Take a connection away: {"a", "b"} in any order."""
    a, b = _ends(request)
    before = len(scope.data["connections"])
    _remove_connections(scope, lambda x, y: {x, y} == {a, b})
    if len(scope.data["connections"]) == before:
        raise PortError(
            a[:160],
            f"is not connected with {b[:160]}.",
            "Look at the diagram.",
            port=a.rpartition(".")[2][:160],
            value=b,
        )


# --- diagram, notes, panels, run ----------------------------------------------------------


@operation
def place(scope: EditScope, request: Data) -> None:
    """Give parts places in the diagram: {"at": {"crank": [120, 80]}}."""
    at = request.get("at")
    if not isinstance(at, dict):
        raise FileFormatError("place", "has no places.", 'Give {"at": {"crank": [0, 0]}}.')
    known = scope.names
    for name, where in at.items():
        if name in known and is_place(where):
            _put_place(scope, name, where)
        elif where is None and name in scope.data.get("diagram", {}):
            scope.editor.remove((*scope.path, "diagram", name))


def _put_place(scope: EditScope, name: str, where: Sequence[float]) -> None:
    scope.editor.ensure((*scope.path, "diagram"), {})
    scope.editor.put((*scope.path, "diagram", name), [*where])


def _entry(scope: EditScope, request: Data, field: str, stem: str) -> Data:
    """Add, change or remove an entry of notes or panels, found by its id."""
    own = {k: v for k, v in request.items() if k not in RESERVED}
    own = check_json(own, field)
    _check_depth(own, field)
    entries = scope.editor.ensure((*scope.path, field), [])
    name = request.get("id") or request.get("name")
    k = next((k for k, one in enumerate(entries) if one["id"] == name), None)
    if request.get("remove"):
        if k is not None:
            scope.editor.remove((*scope.path, field, k))
        return {"id": name}
    if k is None:
        if not isinstance(name, str) or not name:
            taken = {one["id"] for one in entries}
            number = 1
            while f"{stem}{number}" in taken:
                number += 1
            name = f"{stem}{number}"
        scope.editor.append((*scope.path, field), {"id": name[:80], **own})
        return {"id": name[:80]}
    for key, value in own.items():
        way = (*scope.path, field, k, key)
        if value is None:
            if key in entries[k]:
                scope.editor.remove(way)
        else:
            scope.editor.put(way, value)
    return {"id": name}


RESERVED = ("op", "type", "id", "base", "in", "remove", "name", "client", "title", "merge")


@operation
def note(scope: EditScope, request: Data) -> Data:
    """Add, change or remove a note: {"name": "n1"?, "text", "at", "remove"?}."""
    return _entry(scope, request, "notes", "n")


@operation
def panel(scope: EditScope, request: Data) -> Data:
    """Add, change or remove a plot: {"name": "p1"?, "kind", "variables", "remove"?}."""
    return _entry(scope, request, "panels", "p")


@operation
def run_options(scope: EditScope, request: Data) -> None:
    """Change options of the run: {"stop_time": 10, "method": null}; null is the default."""
    own = {k: v for k, v in request.items() if k not in RESERVED}
    own = check_json(own, "run")
    _check_depth(own, "run")
    before = dict(scope.data.get("run", {}))
    _merge(scope, "run", own)
    try:
        check_run(scope.data["run"])
    except MotorikError as error:
        if error.parameter in own or _is_sound(before):
            raise


def _is_sound(run: Data) -> bool:
    """Return whether options of a run, of a file perhaps, are those that a run can have."""
    try:
        check_run(run)
    except MotorikError:
        return False
    return True


def _merge(scope: EditScope, key: str, own: Data) -> None:
    present = scope.editor.ensure((*scope.path, key), {})
    for name, value in own.items():
        if value is not None:
            scope.editor.put((*scope.path, key, name), value)
        elif name in present:
            scope.editor.remove((*scope.path, key, name))


@operation
def describe(scope: EditScope, request: Data) -> None:
    """Change name and description of the model: {"name"?, "description"?}."""
    name = request.get("name")
    if name is not None:
        if not is_identifier(name):
            raise FileFormatError(
                str(name)[:80],
                "is not a name: letters, digits, underscores.",
                "Choose another.",
                parameter="name",
                value=name,
            )
        scope.editor.put((*scope.path, "name"), name)
    if isinstance(request.get("description"), str):
        scope.editor.put((*scope.path, "description"), request["description"])


@operation
def module(scope: EditScope, request: Data) -> None:
    """Add or remove the name of a user's module: {"name": "mine.parts", "remove"?}."""
    name = request.get("name")
    if not isinstance(name, str) or not all(map(str.isidentifier, name.split("."))):
        raise FileFormatError(str(name)[:80], "is not the name of a module.", "Give one.")
    modules = scope.editor.ensure(("modules",), [])
    if request.get("remove"):
        if name in modules:
            scope.editor.remove(("modules", modules.index(name)))
    elif name not in modules:
        scope.editor.append(("modules",), name)


# --- parameters and ports of the model ----------------------------------------------------


@operation
def parameter(scope: EditScope, request: Data) -> Data:
    """Add, change, rename or remove a live parameter of the model.

    {"name": "length", "value"?, "unit"?, "low"?, "high"?, "description"?, "to"?, "remove"?}.
    Formulas follow another name; one that is used cannot be removed.
    """
    name = request.get("name")
    entries = scope.editor.ensure((*scope.path, "parameters"), [])
    k = next((k for k, one in enumerate(entries) if one["name"] == name), None)
    way = (*scope.path, "parameters")
    if request.get("remove"):
        if k is not None:
            scope.editor.remove((*way, k))
        return {"name": name}
    own = {key: request[key] for key in VALUES if key in request}
    own = check_json(own, "parameter")
    _check_depth(own, "parameter")
    if k is None:
        if not is_identifier(name):
            name = scope.free_name("value") if name in (None, "") else name
        name = scope.check_free(name)
        scope.editor.append(way, {"name": name, "value": 0.0, **own})
        return {"name": name}
    for key, value in own.items():
        if value is not None:
            scope.editor.put((*way, k, key), value)
        elif key in entries[k] and key != "value":
            scope.editor.remove((*way, k, key))
    new = request.get("to")
    if new is not None and new != name:
        if not is_identifier(new):
            raise FileFormatError(
                str(new)[:80],
                "is not a name.",
                "Choose another.",
                parameter="to",
                value=new,
            )
        new = scope.check_free(new)
        scope.editor.put((*way, k, "name"), new)
        rewrite_formulas(scope, {str(name): new})
        _rename_arguments(scope, str(name), new)
        return {"name": new}
    return {"name": name}


VALUES = ("value", "unit", "low", "high", "description", "live", "fixed", "label")


def _rename_arguments(scope: EditScope, old: str, new: str) -> None:
    """Rename the argument that uses of a sub-model give for a parameter."""
    if not scope.name:
        return
    editor = scope.editor
    for other in ("", *editor.data.get("models", {})):
        around = EditScope(editor, other)
        for k, part in enumerate(around.data["parts"]):
            given = part.get("arguments", {})
            if part["class"] == f"#{scope.name}" and old in given:
                at, value = [*given].index(old), given[old]
                way = (*around.path, "parts", k, "arguments")
                editor.remove((*way, old))
                editor.insert((*way, new), value, at)


def rewrite_formulas(scope: EditScope, names: dict[str, str]) -> None:
    """Rename names in all formulas of a scope, or put terms in their places."""
    for home in ("parameters", "parts"):
        for k, one in enumerate(scope.data.get(home, ())):
            inner = one.get("arguments", {}) if home == "parts" else one
            way = (*scope.path, home, k, *(("arguments",) if home == "parts" else ()))
            for path, text, own in formulas_in(inner, way):
                wanted = {a: b for a, b in names.items() if a not in own}
                scope.editor.put(path, renamed(text, wanted))


def formulas_in(
    value: Json, path: Path
) -> Iterator[tuple[list[str | int], str, Sequence[str]]]:
    """Yield the formulas within a value: path, text, and the names of its own arguments."""
    if isinstance(value, dict):
        for key in ("formula", "function"):
            if isinstance(value.get(key), str):
                own = value.get("of", ["u"]) if key == "function" else ()
                yield [*path, key], value[key], own if isinstance(own, list) else ()
        for key, one in value.items():
            yield from formulas_in(one, [*path, key])
    elif isinstance(value, list):
        for k, one in enumerate(value):
            yield from formulas_in(one, [*path, k])


@operation
def port(scope: EditScope, request: Data) -> Data:
    """Give a sub-model a port, or take it away: {"name", "to": "hip.frame_a"?, "remove"?}."""
    name, to = str(request.get("name")), request.get("to")
    scope.editor.ensure((*scope.path, "ports"), {})
    if request.get("remove"):
        if name in scope.data["ports"]:
            scope.editor.remove((*scope.path, "ports", name))
            _remove_connections(scope, lambda a, b: name in (a, b))
        return {"name": name}
    if name not in scope.data["ports"]:
        name = scope.check_free(name)
    if not isinstance(to, str):
        raise PortError(
            name, "leads to no port.", 'Give "to": "hip.frame_a".', port=name, value=to
        )
    scope.kind_of(to)
    scope.editor.put((*scope.path, "ports", name), to)
    return {"name": name}


# --- groups -------------------------------------------------------------------------------


@operation
def group(scope: EditScope, request: Data) -> Data:
    """Put parts into a new sub-model with ports and parameters: {"ids", "name"}."""
    ids = _ids(scope, request)
    chosen = {*ids}
    editor, data = scope.editor, scope.data
    name = scope.check_free(request.get("name") or scope.free_name("group"))
    models = editor.ensure(("models",), {})
    key = stem = name[:1].upper() + name[1:]
    k = 1
    while key in models or not is_identifier(key):
        k += 1
        key = f"{stem.partition('[')[0]}{k}"
    inner_wires, outer_wires, ports = [], [], {}
    names: dict[str, str] = {}
    for k, (a, b) in enumerate(data["connections"]):
        inside = _owner(a) in chosen, _owner(b) in chosen
        if all(inside):
            inner_wires.append([a, b])
        elif any(inside):
            own, other = (a, b) if inside[0] else (b, a)
            if own not in names:
                names[own] = _port_name(own, ports, chosen)
                ports[names[own]] = own
            end = f"{name}.{names[own]}"
            outer_wires.append((k, [end, other] if inside[0] else [other, end]))
    parts = [copied(one) for one in data["parts"] if one["id"] in chosen]
    used = {
        word
        for one in parts
        for _, text, own in formulas_in(one.get("arguments", {}), ())
        for word in _names_in(text) - {*own}
    }
    parameters = [copied(one) for one in data.get("parameters", ()) if one["name"] in used]
    places = {n: at for n, at in data.get("diagram", {}).items() if n in chosen}
    model: Data = {
        "parameters": [{**one, "value": _plain_value(one)} for one in parameters],
        "parts": parts,
        "connections": inner_wires,
        "ports": ports,
    }
    if places:
        model["diagram"] = copied(places)
    editor.put(("models", key), model)
    first = min(scope.index(one) for one in ids)
    for k, wire in outer_wires:
        editor.put((*scope.path, "connections", k), wire)
    _remove_connections(scope, lambda a, b: _owner(a) in chosen and _owner(b) in chosen)
    _move_ports_into(scope, chosen, name, key, names)
    for one in [*data.get("diagram", {})]:
        if one in chosen:
            editor.remove((*scope.path, "diagram", one))
    for one in ids:
        editor.remove((*scope.path, "parts", scope.index(one)))
    part: Data = {"id": name, "class": f"#{key}"}
    if parameters:
        part["arguments"] = {one["name"]: {"formula": one["name"]} for one in parameters}
    editor.insert((*scope.path, "parts", min(first, len(data["parts"]))), part)
    if places:
        middle = [sum(at[i] for at in places.values()) / len(places) for i in (0, 1)]
        _put_place(scope, name, middle)
    if not scope.name:
        for one in ids:
            _rename_variables(scope, one, f"{name}.{one}")
    return {"id": name, "model": key}


def _plain_value(one: Data) -> Any:
    """Return the value of a parameter as a sub-model has it: uses give their own."""
    return 0.0 if isinstance(one["value"], dict) else one["value"]


def _port_name(path: str, taken: Data, parts: Json) -> str:
    part, _, port = path.partition(".")
    stem = "".join(c if c.isalnum() else "_" for c in port).strip("_") or "port"
    for name in (stem, f"{part}_{stem}".replace("[", "_").replace("]", "")):
        if name not in taken and name not in parts and is_identifier(name):
            return name
    k = 2
    while f"{stem}_{k}" in taken or f"{stem}_{k}" in parts:
        k += 1
    return f"{stem}_{k}"


def _names_in(text: str) -> Any:
    from motorik.documents.formulas import Formula

    try:
        return Formula(text).names
    except MotorikError:
        return frozenset()


def _move_ports_into(
    scope: EditScope, chosen: Json, name: str, key: str, names: dict[str, str]
) -> None:
    """Lead the ports of a scope to parts that were grouped through the new sub-model."""
    for own, one in scope.data.get("ports", {}).items():
        to = one if isinstance(one, str) else one.get("to")
        if isinstance(to, str) and _owner(to) in chosen:
            if to not in names:
                taken = scope.editor.data["models"][key]["ports"]
                names[to] = _port_name(to, taken, chosen)
                scope.editor.put(("models", key, "ports", names[to]), to)
            way = (*scope.path, "ports", own)
            end = f"{name}.{names[to]}"
            scope.editor.put(way if isinstance(one, str) else (*way, "to"), end)


@operation
def ungroup(scope: EditScope, request: Data) -> Data:
    """Put the parts of a sub-model in its place: {"id"}."""
    name = request.get("id")
    k = scope.index(name)
    part, editor = scope.data["parts"][k], scope.editor
    kind = part["class"]
    model = editor.data.get("models", {}).get(kind[1:]) if kind.startswith("#") else None
    if model is None:
        raise FileFormatError(
            str(name), "is no sub-model.", "Choose a part that was grouped.", parameter="id"
        )
    model, arguments = copied(model), copied(part.get("arguments", {}))
    arguments.pop("visual", None)
    way = scope.path
    at = scope.data.get("diagram", {}).get(name)
    terms = _terms(scope, model, arguments, str(name))
    new: dict[str, str] = {}
    editor.remove((*way, "parts", k))
    taken = scope.names
    for one in model["parts"]:
        own = one["id"]
        new[own] = own
        if own in taken:
            stem = "".join(c if c.isalnum() else "_" for c in f"{name}_{own}").strip("_")
            new[own] = scope.free_name(stem)
        taken.add(new[own])
    for i, one in enumerate(model["parts"]):
        editor.insert((*way, "parts", k + i), {**one, "id": new[one["id"]]})
        for path, text, own in formulas_in(one.get("arguments", {}), ()):
            wanted = {a: b for a, b in terms.items() if a not in own}
            editor.put((*way, "parts", k + i, "arguments", *path), renamed(text, wanted))

    def inside(path: str) -> str:
        first, dot, rest = path.partition(".")
        return f"{new.get(first, first)}{dot}{rest}"

    ends = _inner_ends(model)
    _lead_through(scope, str(name), ends, inside)
    for a, b in model["connections"]:
        if "." in a and "." in b:
            editor.append((*way, "connections"), [inside(a), inside(b)])
    _place_ungrouped(scope, str(name), model, new, at)
    if not scope.name:
        for own, called in new.items():
            _rename_variables(scope, f"{name}.{own}", called)
    return {"ids": [*new.values()]}


def _terms(scope: EditScope, model: Data, arguments: Data, name: str) -> dict[str, str]:
    """Return the values for the parameters of a sub-model in the scope around it.

    Numbers become parameters of the scope, so that formulas have a name for them.
    """
    terms: dict[str, str] = {}
    for one in model.get("parameters", ()):
        own = one["name"]
        value = arguments.get(own, one["value"])
        if isinstance(value, dict) and isinstance(value.get("formula"), str):
            text = value["formula"]
            if own not in arguments:
                text = renamed(text, terms)
            terms[own] = text if is_identifier(text) else f"({text})"
            continue
        stem = "".join(c if c.isalnum() else "_" for c in f"{name}_{own}").strip("_")
        called = scope.free_name(stem)
        scope.editor.ensure((*scope.path, "parameters"), [])
        entry = {**one, "name": called, "value": value}
        scope.editor.append((*scope.path, "parameters"), entry)
        terms[own] = called
    return terms


def _inner_ends(model: Data) -> dict[str, list[str]]:
    """Return the inner ports that each port of a sub-model leads to."""
    ends: dict[str, list[str]] = {}
    for port, one in model.get("ports", {}).items():
        to = one if isinstance(one, str) else one.get("to")
        ends[port] = [to] if isinstance(to, str) else []
    for a, b in model["connections"]:
        for own, other in ((a, b), (b, a)):
            if own in ends and "." in other:
                ends[own].append(other)
    return ends


def _lead_through(
    scope: EditScope, name: str, ends: dict[str, list[str]], inside: Callable[[str], str]
) -> None:
    """Let connections with a sub-model lead to the parts that were within it."""
    editor, way = scope.editor, (*scope.path, "connections")
    outer: dict[str, list[str]] = {}
    for k in reversed(range(len(scope.data["connections"]))):
        a, b = scope.data["connections"][k]
        if name not in (_owner(a), _owner(b)):
            continue
        own, other = (a, b) if _owner(a) == name else (b, a)
        rest = own.partition(".")[2]
        port, bracket, element = rest.partition("[")
        if port in ends and "." not in rest:
            outer.setdefault(port, []).append(other)
            targets = [inside(one) + bracket + element for one in ends[port]]
        else:
            targets = [inside(rest)]
        editor.remove((*way, k))
        for i, target in enumerate(targets):
            pair = [target, other] if own is a else [other, target]
            editor.insert((*way, k + i), pair)
    for port, inner in ends.items():
        if port not in outer and len(inner) > 1:  # the port only joined parts within
            for one in inner[1:]:
                editor.append(way, [inside(inner[0]), inside(one)])
    for own, one in scope.data.get("ports", {}).items():
        to = one if isinstance(one, str) else one.get("to")
        if isinstance(to, str) and _owner(to) == name:
            rest = to.partition(".")[2]
            inner = ends.get(rest) or [rest]
            target = (*scope.path, "ports", own)
            editor.put(
                target if isinstance(one, str) else (*target, "to"), inside(inner[0])
            )


def _place_ungrouped(
    scope: EditScope, name: str, model: Data, new: dict[str, str], at: Json
) -> None:
    places = model.get("diagram", {})
    if at is not None:
        scope.editor.remove((*scope.path, "diagram", name))
    if not places:
        return
    middle = [sum(one[i] for one in places.values()) / len(places) for i in (0, 1)]
    shift = [at[i] - middle[i] for i in (0, 1)] if at is not None else [0.0, 0.0]
    for own, where in places.items():
        if own in new:
            _put_place(scope, new[own], [where[0] + shift[0], where[1] + shift[1]])


# --- pieces of documents ------------------------------------------------------------------


def copy_parts(data: Data, ids: Sequence[str], within: str = "") -> Data:
    """Return parts with the connections among them as a piece that can be pasted."""
    editor = Editor(data)
    scope = EditScope(editor, within)
    chosen = {*ids}
    for one in ids:
        scope.index(one)
    parts = [one for one in scope.data["parts"] if one["id"] in chosen]
    wires = [
        wire
        for wire in scope.data["connections"]
        if all(_owner(end) in chosen for end in wire)
    ]
    places = {n: at for n, at in scope.data.get("diagram", {}).items() if n in chosen}
    used: Any = {
        word
        for one in parts
        for _, text, own in formulas_in(one.get("arguments", {}), ())
        for word in _names_in(text) - {*own}
    }
    keys: set[str] = set()
    for one in parts:
        if one["class"].startswith("#"):
            _within(data.get("models", {}), one["class"][1:], keys)
    piece: Data = {"motorik": 1, "parts": parts, "connections": wires}
    parameters = [one for one in scope.data.get("parameters", ()) if one["name"] in used]
    if parameters:
        piece["parameters"] = parameters
    if keys:
        piece["models"] = {
            key: data["models"][key] for key in data["models"] if key in keys
        }
    if places:
        piece["diagram"] = places
    return copied(piece)


@operation
def paste(scope: EditScope, request: Data) -> Data:
    """Paste a piece with new names: {"piece": {…}, "at": [x, y]?}."""
    from motorik.documents.reading import Losses, clean

    piece = request.get("piece")
    if not isinstance(piece, dict):
        raise FileFormatError("paste", "has nothing to paste.", "Copy parts first.")
    piece = clean(check_json(piece, "piece"), Losses())
    editor = scope.editor
    own_models = {**editor.data.get("models", {})}
    keys: dict[str, str] = {}
    for key, model in piece.get("models", {}).items():
        new, k = key, 1
        while new in own_models and own_models[new] != model:
            k += 1
            new = f"{key}{k}"
        keys[key] = new
    for key, model in piece.get("models", {}).items():
        if keys[key] not in own_models:
            renamed_model = {
                **model,
                "parts": [_of_class(one, keys) for one in model["parts"]],
            }
            editor.ensure(("models",), {})
            editor.put(("models", keys[key]), renamed_model)
    known = {one["name"] for one in scope.data.get("parameters", ())}
    for one in piece.get("parameters", ()):
        if one["name"] not in known and one["name"] not in scope.names:
            editor.ensure((*scope.path, "parameters"), [])
            editor.append((*scope.path, "parameters"), one)
    new_names: dict[str, str] = {}
    for one in piece["parts"]:
        new_names[one["id"]] = name = scope.free_name(one["id"])
        part = _of_class({**one, "id": name}, keys)
        if part["class"].startswith("#"):
            _check_class(scope, part["class"])
        editor.append((*scope.path, "parts"), part)
    for wire in piece["connections"]:
        ends = [f"{new_names[_owner(end)]}.{end.partition('.')[2]}" for end in wire
                if _owner(end) in new_names]  # fmt: skip
        if len(ends) == 2:
            editor.append((*scope.path, "connections"), ends)
    _place_pasted(scope, piece, new_names, request.get("at"))
    return {"ids": [*new_names.values()], "names": new_names}


def _of_class(part: Data, keys: dict[str, str]) -> Data:
    kind = part["class"]
    return (
        {**part, "class": f"#{keys.get(kind[1:], kind[1:])}"} if kind[:1] == "#" else part
    )


def _place_pasted(scope: EditScope, piece: Data, names: dict[str, str], at: Json) -> None:
    places = piece.get("diagram", {})
    if not places:
        return
    corner = [min(one[i] for one in places.values()) for i in (0, 1)]
    shift = [at[i] - corner[i] for i in (0, 1)] if is_place(at) else [40.0, 40.0]
    for own, where in places.items():
        if own in names:
            _put_place(scope, names[own], [where[0] + shift[0], where[1] + shift[1]])
