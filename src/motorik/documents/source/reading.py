"""A document from source, by parsing it: nothing is executed, and nothing of users imported.

Read are classes on `Model` with their `build`, and models that are filled from outside; parts,
`>>` and `connect`, numbers, vectors, arithmetic of arguments, guesses, laws, loops over ranges and
lists, helper functions, base classes within the file. A value that cannot be read is kept as text
in its place, a statement under "unread" of the document with the part that it follows; each is a
loss of the document that tells its line, and is written again.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import math
import operator
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeGuard

from motorik import functions
from motorik.documents.classes import (
    WINDOWS,
    find_class,
    find_value_class,
    name_in_documents,
    name_of_class,
)
from motorik.documents.diagnostics import Diagnostic
from motorik.documents.document import RUN, Document
from motorik.documents.formulas import FUNCTIONS, UNITS, Formula
from motorik.documents.reading import MOST_PARTS, Losses, clean
from motorik.documents.source.order import GROUPS, known_class
from motorik.documents.source.parsing import Parsed, parse
from motorik.documents.source.rest import read_rest, restored
from motorik.errors import MotorikError

Data = dict[str, Any]
Read = Any
"""What an expression is read as: a number, a text, a list, a part, a port, a formula …"""

MATHEMATICS = frozenset(functions.__all__)
MOST_STEPS = 100_000  # statements that are read, loops unrolled
DEEPEST_CALLS = 20
PORTS = {
    "frame": "frame",
    "rotational_flange": "rotational",
    "translational_flange": "translational",
    "signal_input": "signal in",
    "signal_output": "signal out",
    "boolean_input": "Boolean in",
    "boolean_output": "Boolean out",
    "integer_input": "Integer in",
    "integer_output": "Integer out",
}
DOMAINS = ("electrical", "heat", "hydraulic", "magnetic")
COMPARED: dict[type, Callable[[Any, Any], Any]] = {
    **{ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Is: operator.is_},
    **{ast.IsNot: operator.is_not, ast.Lt: operator.lt, ast.LtE: operator.le},
    **{ast.Gt: operator.gt, ast.GtE: operator.ge},
}
ARRAYS = ("numpy.array", "numpy.asarray", "motorik.algebra.Vector")
AXES = {f"motorik.algebra.{n}": k for k, n in enumerate("XYZ")}
PLANAR = ("motorik.planar.Model",)
MODELS = ("motorik.Model", "motorik.model.Model", *PLANAR)
OF_MATH = {"radians": "deg", "asin": "arcsin", "acos": "arccos", "atan": "arctan"}
OF_MATH |= {"atan2": "arctan2"}
WORD = re.compile(r"[^\W\d]\w*")
LIMITS = re.compile(r"(\S+) to (\S+)|at (least|most) (\S+)")


def read_source(text: str | bytes) -> Document:
    """Return the document of a source, with what could not be read as its losses.

    Nothing of it is executed. Source of `write_source` gives the same document.
    """
    if isinstance(text, bytes):
        text = text.decode("utf-8-sig", errors="replace")
    source, rest = read_rest(text)
    document = read_plain(source)
    if rest is None:
        said = "the comments at the end of the file, which the studio keeps, are broken."
        broken = Diagnostic(
            said, "Places in the diagram and the like are lost.", level="warning"
        )
        return Document(document.data, (*document.losses, broken))
    if not rest:
        return document
    losses = Losses()
    data = clean(restored(document.data, rest), losses)
    return Document(data, (*document.losses, *losses.all()))


def read_plain(text: str) -> Document:
    """Return the document that the statements of a source say."""
    module = _Module(parse(text))
    data = module.document()
    losses = Losses()
    return Document(clean(data, losses), (*module.lost.values(), *losses.all()))


# --- values while they are read -----------------------------------------------------------


class Unread(Exception):  # noqa: N818 - it says why, and is is_lost as a loss
    """Why an expression or a statement cannot be read."""


class _Number(float):
    """A number that a loop or a local name has: arithmetic with it is carried out."""

    is_whole = False


class _Term:
    """A formula as text, with the rank of its operator."""

    def __init__(self, text: str, rank: int = 5) -> None:
        self.text, self.rank = text, rank

    def operand(self, rank: int) -> str:
        return self.text if self.rank >= rank else f"({self.text})"


class _Array(list[Any]):
    """Numbers with which arithmetic is carried out element by element, as NumPy does."""


class _Kind:
    """A class of parts as a value."""

    def __init__(self, name: str) -> None:
        self.name = name


class _Loose:
    """A port of a part that has no name: it gets one where it is connected."""

    def __init__(self, part: _Part, path: str) -> None:
        self.part, self.path = part, path


class _Part:
    """A part that is made; its name is known once it is assigned."""

    def __init__(self, kind: str, arguments: Data, line: int) -> None:
        self.kind, self.arguments, self.line = kind, arguments, line
        self.path: str | None = None
        self.scope: _Scope | None = None


class _Port:
    """A part or port of a scope by its path, "" for the scope itself."""

    def __init__(self, scope: _Scope, path: str) -> None:
        self.scope, self.path = scope, path


def plot_file(model: str, number: int) -> str:
    """Return the file of a plot of a program: engine_v6.png, engine_v6_2.png."""
    stem = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", model).lower()
    return f"{stem}{f'_{number}' if number > 1 else ''}.png"


class _Scope:
    """A model that is read: its data grow."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.data: Data = {"parameters": [], "parts": [], "connections": []}
        self.lists: dict[str, list[str]] = {}
        self.ports: dict[str, Data] = {}
        self.constants: dict[tuple[str, str], Any] = {}
        self.line = 0
        self._known: dict[str, None] = {}  # the names of the first parts

    @property
    def parameters(self) -> dict[str, Data]:
        return {one["name"]: one for one in self.data["parameters"]}

    @property
    def part_names(self) -> Collection[str]:
        """The names of the parts so far."""
        parts, known = self.data["parts"], self._known
        for one in islice(parts, len(known), None):
            known[one["id"]] = None
        return known

    def state(self) -> tuple[Any, ...]:
        """Return how far it has grown, to go back to."""
        d = self.data
        sizes = (len(d["parameters"]), len(d["parts"]), len(d["connections"]))
        return (*sizes, dict(self.lists), len(d.get("notes", ())))

    def back(self, state: tuple[Any, ...]) -> None:
        """Take back what has been read since."""
        d = self.data
        for key, size in zip(("parameters", "parts", "connections"), state, strict=False):
            del d[key][size:]
        self._known.clear()
        self.lists = state[3]
        if "notes" in d:
            del d["notes"][state[4] :]

    def last_part(self) -> str:
        parts = self.data["parts"]
        return parts[-1]["id"] if parts else ""


Locals = dict[str, Any]


class _Frame:
    """The names in reach of statements: local ones, the scope that `self` is, where it is."""

    def __init__(
        self, scope: _Scope | None, names: Locals, own: str, depth: int = 0
    ) -> None:
        self.scope, self.names, self.own, self.depth = scope, names, own, depth
        self.kind: ast.ClassDef | None = None
        self.returned: Any = None
        self.has_returned = False


# --- the module ---------------------------------------------------------------------------


class _Module:
    """The reading of one file."""

    def __init__(self, parsed: Parsed) -> None:
        self.parsed = parsed
        self.lost: dict[tuple[str, ...], Diagnostic] = {}
        self.depth = 0  # of models that are being read within one another
        self.imports: dict[str, str] = {}
        self.import_nodes: dict[str, str] = {}
        self.kinds: dict[str, ast.ClassDef] = {}
        self.functions: dict[str, ast.FunctionDef] = {}
        self.constants: dict[str, ast.stmt] = {}
        self.under_way: set[str] = set()
        self.globals = _Frame(None, {}, "")
        self.scopes: dict[str, _Scope] = {}
        self.unread: list[Data] = []
        self.run: Data = {}
        self.panels: list[Data] = []
        self.main: str | None = None
        self.given: Data = {}
        self.steps = 0
        self.used: set[int] = set()

    # --- the document --------------------------------------------------------------------

    def document(self) -> Data:
        """Return the data of the document."""
        frame = self.globals
        self._declare(frame)
        for node in self.parsed.tree.body:
            self._top(node, frame)
        name = self._main_name(frame)
        scope = self._scope_of(name) if name in self.kinds else self.scopes.get(name)
        if scope is None:
            scope = _Scope(name or "Model")
        data: Data = {"motorik": 1, "name": name if name in self.kinds else "Model"}
        models = {}
        for key in self.kinds:
            if key != name and self._is_used(key, scope):
                models[key] = self._finished(self._scope_of(key))
        own = self._finished(scope)
        for one in own["parameters"]:
            value = self.given.get(one["name"])
            if isinstance(value, dict) and "parameter" in value:
                texts = {k: v for k, v in value.items() if k not in ("parameter", "name")}
                one.update(texts | {"value": value["parameter"]})
                one.pop("live", None)
            elif value is not None:
                one["value"] = value
        if "description" in own:
            data["description"] = own.pop("description")
        modules = dict.fromkeys(
            part["class"].partition(":")[0]
            for each in (own, *models.values())
            for part in each["parts"]
            if ":" in part["class"] and not part["class"].startswith("motorik.")
        )
        if modules:
            data["modules"] = [*modules]
        data |= own
        if models:
            data["models"] = models
        if self.panels:
            data["panels"] = self.panels
        if self.run and self.run != {"stop_time": 10.0}:
            data["run"] = self.run
        kept = [*self._kept_imports(), *self.unread]
        kept.sort(key=lambda one: one["line"])
        if kept:
            data["unread"] = kept
        return data

    def _main_name(self, frame: _Frame) -> str:
        if self.main is not None:
            return self.main
        scripts = [name for name in self.scopes if name not in self.kinds]
        if scripts:
            return scripts[-1]
        return [*self.kinds][-1] if self.kinds else ""

    def _is_used(self, key: str, scope: _Scope) -> bool:
        """Return whether a class is a sub-model: it is used, or at least no base of others."""
        called = f"#{key}"
        used = any(
            part["class"] == called
            for one in self.scopes.values()
            for part in one.data["parts"]
        )
        bases = {
            base.id
            for one in self.kinds.values()
            for base in one.bases
            if isinstance(base, ast.Name)
        }
        return used or key not in bases

    def _finished(self, scope: _Scope) -> Data:
        """Return the data of a scope, its ports with what they stand for."""
        data = dict(scope.data)
        for (part, name), value in scope.constants.items():
            one = next((p for p in data["parts"] if p["id"] == part), None)
            if one is not None:
                one.setdefault("arguments", {})[name] = value
        if not scope.ports:
            return data
        ports: Data = {}
        connections = [*data["connections"]]
        for name, one in scope.ports.items():
            first = next((c for c in connections if c[0] == name), None)
            if first is not None and one.get("description") == f"{name} of {first[1]}":
                connections.remove(first)
                ports[name] = first[1]
            else:
                ports[name] = one
        data["connections"], data["ports"] = connections, ports
        return data

    def _kept_imports(self) -> list[Data]:
        """Return the imports and the constants that unread text needs."""
        texts = [one["text"] for one in self.unread]
        for scope in self.scopes.values():
            texts += [*_unreadable_texts(scope.data["parts"])]
        words: set[str] = set()
        there = {one["line"] for one in self.unread}
        found: dict[int, str] = {}
        while texts:
            new = {word for text in texts for word in WORD.findall(text)} - words
            words |= new
            nodes = [self.constants[name] for name in new & self.constants.keys()]
            rows = {
                n.lineno: self.parsed.segment(n) for n in nodes if n.lineno not in there
            }
            texts = [text for line, text in rows.items() if line not in found]
            found |= rows
        kept = dict.fromkeys(
            text for name, text in self.import_nodes.items() if name in words
        )
        needed = [*((1, text) for text in kept), *found.items()]
        return [
            {"in": "", "after": "", "line": line, "text": text} for line, text in needed
        ]

    # --- statements of the module --------------------------------------------------------

    def _declare(self, frame: _Frame) -> None:
        """Take in imports, classes and functions, in whatever order they stand."""
        for node in self.parsed.tree.body:
            if isinstance(node, ast.ImportFrom) and not node.level:
                for one in node.names:
                    bound = one.asname or one.name
                    self.imports[bound] = f"{node.module}.{one.name}"
                    alias = f" as {one.asname}" if one.asname else ""
                    text = f"from {node.module} import {one.name}{alias}"
                    self.import_nodes[bound] = text
            elif isinstance(node, ast.Import):
                for one in node.names:
                    bound = one.asname or one.name.partition(".")[0]
                    self.imports[bound] = one.name if one.asname else bound
                    alias = f" as {one.asname}" if one.asname else ""
                    self.import_nodes[bound] = f"import {one.name}{alias}"
        for node in self.parsed.tree.body:
            if isinstance(node, ast.ClassDef) and self._is_model(node):
                self.kinds[node.name] = node
            elif isinstance(node, ast.FunctionDef):
                self.functions[node.name] = node
            elif isinstance(node, (ast.Assign, ast.AnnAssign)):
                for name in _stored(node):
                    self.constants[name] = node

    def _is_model(self, node: ast.ClassDef) -> bool:
        if len(node.bases) != 1 or node.keywords or node.decorator_list:
            return False
        base = node.bases[0]
        if isinstance(base, ast.Name) and base.id in self.kinds:
            return True
        return self._qualified(base) in MODELS

    def _top(self, node: ast.stmt, frame: _Frame) -> None:
        match node:
            case ast.Import() | ast.ImportFrom(level=0):
                return
            case ast.ClassDef(name=name) if self.kinds.get(name) is node:
                self._scope_of(name)
                return
            case ast.If(test=test, body=body, orelse=[]) if _is_main(test):
                for inner in body:
                    self._program(inner, frame, "__main__")
                return
            case ast.Expr(value=ast.Constant(value=str())):
                self._keep(node, "", "", "", is_lost=False)
                return
            case ast.FunctionDef() | ast.ClassDef():
                self._keep(node, "", "", "a definition of its own", is_lost=False)
                return
        self._program(node, frame, "")

    def _program(self, node: ast.stmt, frame: _Frame, own: str) -> None:
        """Read a statement of a program: a model, its parts, its run and its plots."""
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call):
                if self._run_of(call, frame):
                    frame.names[name] = "result"
                    return
                if isinstance(made := self._model_of(call, frame), str):
                    if made == "":
                        scope = self.scopes[name] = _Scope(name)
                        if self._qualified(call.func) in PLANAR:
                            scope.data |= planar_options()
                        frame.names[name] = _Port(scope, "")
                        self.main = name
                    else:
                        frame.names[name] = ("model", made)
                        self.main = made
                    return
            case ast.Expr(value=ast.Call() as call) if self._run_of(call, frame):
                return
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(value=inner, attr="plot")) as call
            ):
                if isinstance(inner, ast.Call) and self._run_of(inner, frame):
                    pass
                names = [a.value for a in call.args if isinstance(a, ast.Constant)]
                is_plain = len(names) == len(call.args) and self._is_own_plot(call)
                if is_plain and all(isinstance(one, str) for one in names):
                    if names:
                        entry = {"id": f"p{len(self.panels) + 1}", "kind": "plot"}
                        self.panels.append({**entry, "variables": names})
                    return
            case ast.Expr(
                value=ast.Call(
                    func=ast.Name(id="print"),
                    args=[
                        ast.Call(
                            func=ast.Attribute(value=ast.Name(id=name), attr="summary"),
                            args=[],
                            keywords=[],
                        )
                    ],
                    keywords=[],
                )
            ) if frame.names.get(name) == "result":
                return
        scope = self._touched(node, frame)
        state = None if scope is None else scope.state()
        names, constants = dict(frame.names), {} if scope is None else dict(scope.constants)
        try:
            self._statement(node, frame, scope)
            for name, value in frame.names.items():
                if isinstance(value, _Port) and value.path == "":
                    if all(value.scope is not one for one in self.scopes.values()):
                        value.scope.name, self.main = name, name
                        self.scopes[name] = value.scope
        except Unread as why:
            if scope is not None:
                scope.back(state or ())
                scope.constants = constants
            frame.names = names
            is_value = isinstance(node, (ast.Assign, ast.AnnAssign)) and not {
                one.id for one in ast.walk(node) if isinstance(one, ast.Name)
            } & {*names}
            self._keep(node, own or ("" if is_value else "__main__"), "", str(why))

    def _touched(self, node: ast.stmt, frame: _Frame) -> _Scope | None:
        """Return the scope whose model a statement names."""
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name):
                found = frame.names.get(inner.id)
                if isinstance(found, _Port):
                    return found.scope
        return None

    def _model_of(self, call: ast.Call, frame: _Frame) -> str | None:
        """Return the class of which a call makes a model, "" of a plain `Model()`."""
        if self._qualified(call.func) in MODELS and not call.args and not call.keywords:
            return ""
        if isinstance(call.func, ast.Name) and call.func.id in self.kinds and not call.args:
            given: Data = {}
            for one in call.keywords:
                if one.arg is None:
                    return None
                try:
                    given[one.arg] = self._json(one.value, frame)
                except Unread:
                    return None
            self.given = given
            return call.func.id
        return None

    def _is_own_plot(self, call: ast.Call) -> bool:
        """Return whether a plot has no options but the file that `write_source` gives it."""
        file = plot_file(self.main or "", len(self.panels) + 1)
        return all(
            one.arg == "file"
            and isinstance(one.value, ast.Constant)
            and one.value.value == file
            for one in call.keywords
        )

    def _run_of(self, call: ast.Call, frame: _Frame) -> bool:
        """Return whether a call simulates a model; its options are those of the document."""
        func = call.func
        if not (isinstance(func, ast.Attribute) and func.attr == "simulate"):
            return False
        of = func.value
        if isinstance(of, ast.Name):
            known = frame.names.get(of.id)
            if isinstance(known, _Port) and known.path == "":
                self.main = known.scope.name
            elif isinstance(known, tuple):
                self.main = known[1]
            else:
                return False
        elif isinstance(of, ast.Call):
            made = self._model_of(of, frame)
            if not made:
                return False
            self.main = made
        else:
            return False
        names = [*(["stop_time"] if call.args else []), *(k.arg for k in call.keywords)]
        values = [*call.args[:1], *(k.value for k in call.keywords)]
        if len(call.args) > 1 or not all(name in RUN for name in names):
            return False
        try:
            run = {str(n): self._json(v, frame) for n, v in zip(names, values, strict=True)}
        except Unread:
            return False
        self.run = run
        return True

    # --- classes -------------------------------------------------------------------------

    def _scope_of(self, name: str) -> _Scope:
        """Return the scope of a class, which is read when it is first asked for."""
        if name in self.scopes:
            return self.scopes[name]
        if self.depth >= DEEPEST_CALLS:
            raise Unread("models are within one another too often")
        self.depth += 1
        try:
            return self._new_scope(name)
        finally:
            self.depth -= 1

    def _new_scope(self, name: str) -> _Scope:
        scope = self.scopes[name] = _Scope(name)
        node = self.kinds[name]
        text = ast.get_docstring(node)
        if text:
            scope.data["description"] = " ".join(text.split())
        frame = _Frame(scope, {"self": _Port(scope, "")}, name)
        frame.kind = node
        if self._qualified(self._lineage(node)[-1].bases[0]) in PLANAR:
            scope.data |= planar_options()
        for kind in reversed(self._lineage(node)):
            for inner in kind.body:
                self._member(inner, scope, frame)
        build, owner = self._method(node, "build")
        if build is not None and owner is not None:
            frame.kind = owner
            self._signature(build, scope, frame)
            self._body(build, scope, frame)
        return scope

    def _lineage(self, node: ast.ClassDef) -> list[ast.ClassDef]:
        found = [node]
        while len(found) < DEEPEST_CALLS:
            base = found[-1].bases[0]
            if not (isinstance(base, ast.Name) and base.id in self.kinds):
                break
            found.append(self.kinds[base.id])
        return found

    def _method(
        self, node: ast.ClassDef, name: str, above: bool = False
    ) -> tuple[ast.FunctionDef | None, ast.ClassDef | None]:
        """Return a method of a class or of its bases; `above`: of its bases alone."""
        for kind in self._lineage(node)[1 if above else 0 :]:
            for inner in kind.body:
                if isinstance(inner, ast.FunctionDef) and inner.name == name:
                    return inner, kind
        return None, None

    def _member(self, node: ast.stmt, scope: _Scope, frame: _Frame) -> None:
        """Read a statement of a class body: a port, or an option of its loops."""
        match node:
            case ast.Expr(value=ast.Constant(value=str())) | ast.Pass() | ast.FunctionDef():
                return
            case ast.Assign(targets=[target], value=value):
                try:
                    for one, inner in _pairs(target, value):
                        if not isinstance(one, ast.Name):
                            raise Unread("it is no port")
                        self._class_value(one.id, inner, scope, frame)
                    return
                except Unread as why:
                    self._keep(node, frame.own, "class", str(why))
                    return
        self._keep(node, frame.own, "class", "it is neither a port nor `build`")

    def _class_value(self, name: str, node: ast.expr, scope: _Scope, frame: _Frame) -> None:
        if name in ("strategy", "gains"):
            scope.data[name] = self._json(node, frame)
            return
        if not isinstance(node, ast.Call):
            frame.names[name] = self._value(node, frame)
            return
        called = self._qualified(node.func)
        last = called.rpartition(".")[2]
        steps = called.split(".")
        if called.startswith("motorik.") and last in PORTS:
            kind = PORTS[last]
        elif last == "port" and len(steps) > 2 and steps[-2] in DOMAINS:
            kind = steps[-2]
        else:
            raise Unread(f"{called or ast.unparse(node.func)} declares no port")
        given = [self._json(one, frame) for one in node.args]
        named = {str(k.arg): self._json(k.value, frame) for k in node.keywords}
        if len(given) != 1 or not isinstance(given[0], str) or not {*named} <= {"size"}:
            raise Unread("it has options that a document does not have")
        scope.ports[name] = {"kind": kind, "description": given[0], **named}

    def _signature(self, build: ast.FunctionDef, scope: _Scope, frame: _Frame) -> None:
        """Take the arguments of `build` as parameters of the model."""
        given = build.args
        names = [*given.posonlyargs, *given.args][1:]
        defaults: list[ast.expr | None] = [None] * (len(names) - len(given.defaults))
        defaults += given.defaults[max(0, len(given.defaults) - len(names)) :]
        names += given.kwonlyargs
        defaults += given.kw_defaults
        for one, default in zip(names, defaults, strict=True):
            entry: Data = {"name": one.arg}
            try:
                value = None if default is None else self._json(default, frame)
            except Unread as why:
                value = {"unreadable": ast.unparse(default), "source": True}  # type: ignore[arg-type]
                self._lose(str(why), one.lineno, frame.own, one.arg)
            entry |= _parameter_entry(value)
            note = self.parsed.comments.get(getattr(default, "end_lineno", one.lineno))
            if note is not None:
                entry |= _limits(note.text)
            scope.data["parameters"].append(entry)
            frame.names[one.arg] = _Term(one.arg)

    # --- bodies --------------------------------------------------------------------------

    def _body(self, build: ast.FunctionDef, scope: _Scope, frame: _Frame) -> None:
        """Read the statements of `build`, and the comments between them as notes."""
        body = [*build.body]
        if (
            body
            and isinstance(body[0], ast.Expr)
            and isinstance(body[0].value, ast.Constant)
        ):
            body = body[1:]
        line = build.body[0].lineno - 1 if build.body else build.lineno
        if body is not build.body and len(body) < len(build.body):
            line = build.body[0].end_lineno or line
        else:
            line = max(build.lineno, *(a.end_lineno or 0 for a in _arguments(build)))
        for node in body:
            note = self._comments(line, node, scope)
            before = len(scope.data["parts"])
            self._safely(node, frame, scope)
            added = scope.data["parts"][before:]
            if note and added:
                added[0]["note"] = note
            elif note:
                self._add_note(scope, note)
            line = node.end_lineno or node.lineno

    def _comments(self, after: int, node: ast.stmt, scope: _Scope) -> str:
        """Return the comments that belong to a statement; others become notes of the model."""
        block: list[str] = []
        for line in range(after + 1, node.lineno):
            found = self.parsed.comments.get(line)
            if found is not None and found.is_alone:
                block.append(found.text)
            elif not self.parsed.lines[line - 1].strip():
                self._add_note(scope, " ".join(block))
                block = []
        own = self.parsed.comments.get(node.end_lineno or node.lineno)
        if own is not None and not own.is_alone:
            block.append(own.text)
        if block and block[0] in GROUPS:
            block = block[1:]
        return " ".join(block)

    def _add_note(self, scope: _Scope, text: str) -> None:
        if text and text not in GROUPS:
            notes = scope.data.setdefault("notes", [])
            notes.append({"id": f"n{len(notes) + 1}", "text": text})

    def _safely(self, node: ast.stmt, frame: _Frame, scope: _Scope) -> None:
        """Read a statement, or keep it as text and nothing of what it does."""
        state, names = scope.state(), dict(frame.names)
        constants, ports = dict(scope.constants), dict(scope.ports)
        try:
            self._statement(node, frame, scope)
        except Unread as why:
            scope.back(state)
            frame.names, scope.constants, scope.ports = names, constants, ports
            self._keep(node, frame.own, scope.last_part(), str(why))

    def _statement(self, node: ast.stmt, frame: _Frame, scope: _Scope | None) -> None:
        self.steps += 1
        if self.steps > MOST_STEPS:
            raise Unread(f"the file has more than {MOST_STEPS} statements, loops unrolled")
        match node:
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                return
            case ast.Assign(targets=targets, value=value):
                self._assign_all(targets, value, frame)
                return
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self._assign_all([target], value, frame)
                return
            case ast.Expr(value=value):
                self._expression(value, frame)
                return
            case ast.For(target=target, iter=iterated, body=body, orelse=[]):
                for one in self._several(iterated, frame):
                    self._bind(target, one, frame)
                    for inner in body:
                        self._statement(inner, frame, scope)
                return
            case ast.If(test=test, body=body, orelse=orelse):
                for inner in body if self._truth(test, frame) else orelse:
                    self._statement(inner, frame, scope)
                return
            case ast.Return(value=value):
                frame.returned = None if value is None else self._value(value, frame)
                frame.has_returned = True
                return
        raise Unread(f"a document has nothing for `{type(node).__name__.lower()}`")

    def _assign_all(self, targets: list[ast.expr], node: ast.expr, frame: _Frame) -> None:
        first, *more = targets
        if not more:
            try:
                pairs = [*_pairs(first, node)]
            except Unread:
                pairs = []
            if len(pairs) > 1:
                values = [self._value(inner, frame) for _, inner in pairs]
                for (target, _), value in zip(pairs, values, strict=True):
                    self._bind(target, value, frame)
                return
        value = self._value(node, frame)
        for target in targets:
            self._bind(target, value, frame)

    def _bind(self, target: ast.expr, value: Read, frame: _Frame) -> None:
        """Give a local name or an attribute of a model its value."""
        match target:
            case ast.Name(id=name):
                frame.names[name] = _local(value)
            case ast.Tuple(elts=elts) | ast.List(elts=elts) if isinstance(value, list):
                stars = [k for k, one in enumerate(elts) if isinstance(one, ast.Starred)]
                if len(stars) == 1 and len(value) >= len(elts) - 1:
                    k, more = stars[0], len(value) - len(elts) + 1
                    value = [*value[:k], value[k : k + more], *value[k + more :]]
                    elts = [x.value if isinstance(x, ast.Starred) else x for x in elts]
                if len(elts) != len(value):
                    raise Unread("there are more names than values, or fewer")
                for one, inner in zip(elts, value, strict=True):
                    self._bind(one, inner, frame)
            case ast.Attribute(value=owner, attr=name):
                at = self._value(owner, frame)
                if not isinstance(at, _Port) or at.path:
                    raise Unread("only attributes of the model itself are read")
                self._attribute(at.scope, name, value, target.lineno)
            case _:
                raise Unread("it assigns to something else than a name")

    def _attribute(self, scope: _Scope, name: str, value: Read, line: int) -> None:
        if isinstance(value, _Part):
            self._add_part(scope, name, value)
        elif isinstance(value, list) and value and all(isinstance(v, _Part) for v in value):
            keys = [f"{name}[{k}]" for k in range(1, len(value) + 1)]
            self._add_parts(scope, name, dict(zip(keys, value, strict=True)))
        elif (
            isinstance(value, dict)
            and value
            and all(isinstance(v, _Part) for v in value.values())
        ):
            self._add_parts(scope, name, {f"{name}[{k}]": v for k, v in value.items()})
        elif isinstance(value, _Port) and value.scope is scope:
            raise Unread("a part has one name")
        elif name == "visual" and isinstance(value, dict):
            scope.data["visual"] = _json_of(value)
        elif isinstance(value, (int, float, _Term, list)) or _is_mark(value, "parameter"):
            entry = {"name": name, **_parameter_entry(_json_of(value))}
            if isinstance(value, _Term):
                entry.pop("live", None)
            if name in scope.parameters:
                raise Unread(f"{name!r} is assigned twice")
            scope.data["parameters"].append(entry)
        else:
            raise Unread(f"self.{name} is no part and no parameter")

    def _add_parts(self, scope: _Scope, name: str, parts: Mapping[str, _Part]) -> None:
        scope.lists[name] = [*parts]
        for own, part in parts.items():
            self._add_part(scope, own, part)

    def _add_part(self, scope: _Scope, name: str, part: _Part) -> None:
        if part.path is not None:
            raise Unread(f"the part already is {part.path!r}")
        if name in scope.part_names:
            raise Unread(f"there are two parts {name!r}")
        if len(scope.data["parts"]) >= MOST_PARTS:
            raise Unread(f"a model has {MOST_PARTS} parts at most")
        part.path, part.scope = name, scope
        entry: Data = {"id": name, "class": part.kind}
        if part.arguments:
            entry["arguments"] = part.arguments
        scope.data["parts"].append(entry)

    # --- expressions that do something ---------------------------------------------------

    def _expression(self, node: ast.expr, frame: _Frame) -> None:
        match node:
            case ast.BinOp(op=ast.RShift()):
                self._chain(node, frame)
                return
            case ast.Call(func=func, args=args, keywords=[]) if self._is_connect(
                func, frame
            ):
                ports = self._items(args, frame)
                for other in ports[1:]:
                    self._connect(ports[0], other)
                return
            case ast.Call(
                func=ast.Name(id="setattr"),
                args=[owner, ast.Constant(value=str(name)), value],
            ):
                at, made = self._value(owner, frame), self._value(value, frame)
                if isinstance(at, _Port) and not at.path:
                    self._attribute(at.scope, name, made, node.lineno)
                    return
            case ast.Call(
                func=ast.Attribute(
                    value=ast.Call(func=ast.Name(id="super"), args=[]), attr=name
                )
            ):
                if frame.kind is None or frame.scope is None:
                    raise Unread("there is no base class")
                method, owner = self._method(frame.kind, name, above=True)
                if method is not None:
                    self._inlined(method, node, frame, owner)
                return
            case ast.Call():
                self._value(node, frame)
                return
        raise Unread("it does nothing that a document can hold")

    def _is_connect(self, func: ast.expr, frame: _Frame) -> bool:
        if self._qualified(func) == "motorik.connect":
            return True
        if isinstance(func, ast.Attribute) and func.attr == "connect":
            try:
                return isinstance(self._value(func.value, frame), _Port)
            except Unread:
                return False
        return False

    def _chain(self, node: ast.expr, frame: _Frame) -> Any:
        if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.RShift)):
            return self._value(node, frame)
        a = self._chain(node.left, frame)
        b = self._value(node.right, frame)
        self._connect(a, b)
        return b

    def _named(self, port: Read, other: Read) -> Any:
        """Return a port whose part has a name in the model of the other port."""
        if not isinstance(port, _Loose) or not isinstance(other, _Port):
            return port
        if port.part.path is None:
            last = re.split(r"[.:#]", port.part.kind)[-1]
            stem = f"{last[:1].lower()}{last[1:]}"
            taken = other.scope.part_names
            k = 1
            while f"{stem}{k}" in taken:
                k += 1
            self._add_part(other.scope, f"{stem}{k}", port.part)
        return _Port(other.scope, f"{port.part.path}.{port.path}")

    def _connect(self, a: Read, b: Read) -> None:
        a, b = self._named(a, b), self._named(b, a)
        if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
            for one, other in zip(a, b, strict=True):
                self._connect(one, other)
            return
        if not isinstance(b, _Port) or ("." not in b.path and b.path not in b.scope.ports):
            raise Unread("it connects something that is no port of the model")
        if isinstance(a, _Port):
            if a.scope is not b.scope or (
                "." not in a.path and a.path not in a.scope.ports
            ):
                raise Unread("it connects something that is no port of the model")
            b.scope.data["connections"].append([a.path, b.path])
            return
        part, _, port = b.path.rpartition(".")
        name, bracket, place = port.partition("[")
        value = _json_of(a)
        if isinstance(value, str) or part not in b.scope.part_names:
            raise Unread("a number is connected with a port of a part within a part")
        if not bracket:
            b.scope.constants[part, name] = value
            return
        k = int(place.removesuffix("]"))
        before = b.scope.constants.get((part, name))
        found = [*before] if isinstance(before, list) else []
        found += [None] * (k - len(found))
        found[k - 1] = value
        b.scope.constants[part, name] = found

    # --- values --------------------------------------------------------------------------

    def _json(self, node: ast.expr, frame: _Frame) -> Any:
        """Return a value as documents have it."""
        return _json_of(self._value(node, frame))

    def _value(self, node: ast.expr, frame: _Frame) -> Any:
        match node:
            case ast.Constant(value=value):
                if value is None or isinstance(value, (bool, int, float, str)):
                    return value
            case ast.Name(id=name):
                return self._name(name, frame)
            case ast.Tuple(elts=elts) | ast.List(elts=elts):
                return self._items(elts, frame)
            case ast.Dict(keys=keys, values=values):
                names = [None if key is None else self._value(key, frame) for key in keys]
                if not all(isinstance(name, str) for name in names):
                    raise Unread("the keys of a dict are no texts")
                inner = [self._value(one, frame) for one in values]
                return dict(zip(names, inner, strict=True))
            case ast.UnaryOp(op=ast.USub() | ast.UAdd() as op, operand=operand):
                return self._signed(op, self._value(operand, frame))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return not self._truth(operand, frame)
            case ast.BinOp(op=ast.RShift()):
                return self._chain(node, frame)
            case ast.BinOp(left=left, op=op, right=right):
                return self._arithmetic(
                    self._value(left, frame), op, self._value(right, frame)
                )
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self._compared(
                    self._value(left, frame), op, self._value(right, frame)
                )
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return self._value(body if self._truth(test, frame) else orelse, frame)
            case ast.Attribute(value=owner, attr=name):
                return self._attribute_of(node, owner, name, frame)
            case ast.Subscript(value=owner, slice=ast.Slice() as index):
                return self._sliced(self._value(owner, frame), index, frame)
            case ast.Subscript(value=owner, slice=index):
                return self._element(self._value(owner, frame), self._value(index, frame))
            case ast.Call():
                return self._call(node, frame)
            case ast.Lambda():
                return self._lambda(node, frame)
            case (
                ast.ListComp(elt=elt, generators=rows)
                | ast.GeneratorExp(elt=elt, generators=rows)
            ):
                return [*self._comprehended(elt, rows, frame)]
            case ast.JoinedStr(values=values):
                return "".join(str(_plain(self._text_piece(one, frame))) for one in values)
        raise Unread(f"`{_short(ast.unparse(node))}` is not plain")

    def _comprehended(
        self, elt: ast.expr, rows: Sequence[ast.comprehension], frame: _Frame
    ) -> Iterator[Any]:
        """Yield the values of a comprehension."""
        if not rows:
            yield self._value(elt, frame)
            return
        first, *others = rows
        if first.is_async:
            raise Unread("it is asynchronous")
        for value in self._several(first.iter, frame):
            self.steps += 1
            if self.steps > MOST_STEPS:
                raise Unread("the file has too many values")
            inner = _Frame(frame.scope, dict(frame.names), frame.own, frame.depth)
            inner.kind = frame.kind
            self._bind(first.target, value, inner)
            if all(self._truth(test, inner) for test in first.ifs):
                yield from self._comprehended(elt, others, inner)

    def _text_piece(self, node: ast.expr, frame: _Frame) -> Any:
        if isinstance(node, ast.Constant):
            return node.value
        if isinstance(node, ast.FormattedValue) and node.format_spec is None:
            value = self._value(node.value, frame)
            if isinstance(value, str) or _is_numeric(value):
                return value
        raise Unread(f"`{_short(ast.unparse(node))}` is not plain")

    def _items(self, nodes: Sequence[ast.expr], frame: _Frame) -> list[Any]:
        """Return the values of a list or of arguments, those behind a star one by one."""
        found: list[Any] = []
        for one in nodes:
            if isinstance(one, ast.Starred):
                inner = self._value(one.value, frame)
                if not isinstance(inner, list):
                    raise Unread("there is no list behind the star")
                found += inner
            else:
                found.append(self._value(one, frame))
        return found

    def _name(self, name: str, frame: _Frame) -> Any:
        if name in frame.names:
            return frame.names[name]
        if name in self.constants and name not in self.under_way:
            self.under_way.add(name)
            try:
                self._statement(self.constants[name], self.globals, None)
            finally:
                self.under_way.discard(name)
            if name in self.globals.names:
                return self.globals.names[name]
        if name in self.kinds:
            return _Kind(f"#{name}")
        if name in self.functions:
            return self._as_function(self.functions[name], frame)
        called = self.imports.get(name, "")
        if called in ("math.pi", "numpy.pi"):
            return _Term("pi")
        if known := class_by_import(called) if called.startswith("motorik.") else "":
            return _Kind(known)
        if called in AXES:
            return _Array(_folded(float(k == AXES[called])) for k in range(3))
        if called in ("math.inf", "math.nan"):
            return {"number": called.removeprefix("math.")}
        if called == "math.tau":
            return _Term("2 * pi", 2)
        raise Unread(f"{name!r} is not known")

    def _attribute_of(
        self, node: ast.expr, owner: ast.expr, name: str, frame: _Frame
    ) -> Any:
        called = self._qualified(node)
        if called in ("math.pi", "numpy.pi"):
            return _Term("pi")
        if called in ("math.inf", "math.nan", "numpy.inf", "numpy.nan"):
            return {"number": name}
        return self._of_value(self._value(owner, frame), name, frame)

    def _of_value(self, at: Read, name: str, frame: _Frame) -> Any:
        """Return a port or part of a part, or a parameter of a model."""
        if isinstance(at, _Part) and at.path is not None and at.scope is not None:
            at = _Port(at.scope, at.path)
        if isinstance(at, _Part):
            return _Loose(at, name)
        if not isinstance(at, _Port):
            raise Unread(f"{name!r} of something else than a part")
        scope = at.scope
        if at.path:
            return _Port(scope, f"{at.path}.{name}")
        if name == "parts":
            return ("parts", scope)
        if name in scope.lists:
            return [_Port(scope, own) for own in scope.lists[name]]
        if name in scope.parameters:
            return _Term(name)
        if name not in scope.ports and name not in scope.part_names:
            raise Unread(f"the model has no {name!r}, or it was not read")
        return _Port(scope, name)

    def _sliced(self, at: Read, index: ast.Slice, frame: _Frame) -> Any:
        ends = [
            None if one is None else self._value(one, frame)
            for one in (index.lower, index.upper, index.step)
        ]
        is_plain = all(one is None or _is_numeric(one) for one in ends)
        if not isinstance(at, list) or not is_plain or ends[2] == 0:
            raise Unread("a slice of something else than a list")
        found = at[slice(*(None if one is None else int(one) for one in ends))]
        return _Array(found) if isinstance(at, _Array) else found

    def _element(self, at: Read, index: Read) -> Any:
        if isinstance(at, tuple) and at[0] == "parts" and isinstance(index, str):
            return _Port(at[1], index)
        if isinstance(at, list):
            if isinstance(index, str):
                key = f"[{index}]"
                return next(p for p in at if isinstance(p, _Port) and p.path.endswith(key))
            k = int(index) if _is_numeric(index) else None
            if k is None or not -len(at) <= k < len(at):
                raise Unread("the place in a list is not plain")
            return at[k]
        if isinstance(at, dict) and isinstance(index, str) and index in at:
            return at[index]
        if isinstance(at, _Port) and _is_numeric(index) and index >= 0:
            return _Port(at.scope, f"{at.path}[{int(index) + 1}]")
        if isinstance(at, _Port) and isinstance(index, str) and index.isidentifier():
            return _Port(at.scope, f"{at.path}.{index}")  # a signal of a bus
        if isinstance(at, _Term) and _is_numeric(index):
            return _Term(f"{at.operand(5)}[{int(index)}]")
        raise Unread("an element of something else than a list")

    # --- numbers -------------------------------------------------------------------------

    def _signed(self, op: ast.unaryop, value: Read) -> Any:
        if isinstance(op, ast.UAdd):
            return value
        if isinstance(value, _Array):
            return _Array(self._signed(op, one) for one in value)
        if _is_numeric(value):
            return _Number(-value) if isinstance(value, _Number) else -value
        if isinstance(value, dict) and value.get("number") == "inf":
            return {"number": "-inf"}
        return _Term(f"-{_term(value).operand(3)}", 3)

    def _arithmetic(self, a: Read, op: ast.operator, b: Read) -> Any:
        if isinstance(a, _Array) or isinstance(b, _Array):
            return self._of_arrays(a, op, b)
        if isinstance(op, ast.Mult | ast.Add) and (
            isinstance(a, list) or isinstance(b, list)
        ):
            return self._of_lists(a, op, b)
        signs = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Pow: "**"}
        if isinstance(a, _Number) or isinstance(b, _Number):
            if _is_numeric(a) and _is_numeric(b):
                return _folded(_computed(a, op, b))
        if type(op) not in signs:
            if _is_numeric(a) and _is_numeric(b):
                return _folded(_computed(a, op, b))
            raise Unread(f"`{type(op).__name__}` is no operation of formulas")
        rank = {ast.Add: 1, ast.Sub: 1, ast.Mult: 2, ast.Div: 2, ast.Pow: 4}[type(op)]
        left, right = (5, 3) if rank == 4 else (rank, rank + 1)
        text = f"{_term(a).operand(left)} {signs[type(op)]} {_term(b).operand(right)}"
        return _Term(text, rank)

    def _of_arrays(self, a: Read, op: ast.operator, b: Read) -> _Array:
        size = len(a) if isinstance(a, list) else len(b)
        rows = [one if isinstance(one, list) else [one] * size for one in (a, b)]
        if len(rows[0]) != len(rows[1]):
            raise Unread("the arrays have other lengths")
        return _Array(self._arithmetic(x, op, y) for x, y in zip(*rows, strict=True))

    def _of_lists(self, a: Read, op: ast.operator, b: Read) -> Any:
        if isinstance(op, ast.Add) and isinstance(a, list) and isinstance(b, list):
            return a + b
        count, own = (a, b) if isinstance(b, list) else (b, a)
        if not (
            _is_numeric(count)
            and isinstance(own, list)
            and float(count).is_integer()
            and 0 <= count <= 10_000
        ):
            raise Unread("it is no list of known length")
        if any(isinstance(one, _Part) for one in own):
            raise Unread("it has a part several times")
        return own * int(count)

    def _compared(self, a: Read, op: ast.cmpop, b: Read) -> Any:
        signs = {ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">="}
        is_known = isinstance(a, (str, bool)) or a is None
        if (_is_numeric(a) and _is_numeric(b)) or is_known:
            try:
                return bool(COMPARED[type(op)](a, b))
            except (KeyError, TypeError):
                pass
        if type(op) in signs:
            text = f"{_term(a).operand(1)} {signs[type(op)]} {_term(b).operand(1)}"
            return _Term(text, 0)
        raise Unread("it compares what is not known")

    def _truth(self, node: ast.expr, frame: _Frame) -> bool:
        value = self._value(node, frame)
        if value is None or isinstance(value, (bool, int, float, str)):
            return bool(value)
        raise Unread("it depends on a value that is not known when the file is read")

    def _several(self, node: ast.expr, frame: _Frame) -> list[Any]:
        """Return the values that a loop goes through."""
        value = self._value(node, frame)
        if isinstance(value, list):
            return [_folded(one) if _is_numeric(one) else one for one in value]
        raise Unread("a loop over something else than a range or a list")

    # --- calls ---------------------------------------------------------------------------

    def _qualified(self, node: ast.expr) -> str:
        """Return the name of something imported, with its module; "" of anything else."""
        steps: list[str] = []
        while isinstance(node, ast.Attribute):
            steps.append(node.attr)
            node = node.value
        if not isinstance(node, ast.Name) or node.id not in self.imports:
            return ""
        return ".".join([self.imports[node.id], *reversed(steps)])

    def _call(self, node: ast.Call, frame: _Frame) -> Any:
        called = self._qualified(node.func)
        last = called.rpartition(".")[2]
        if isinstance(node.func, ast.Name) and isinstance(
            kind := frame.names.get(node.func.id), _Kind
        ):
            return self._made(kind.name, node, frame)
        if isinstance(node.func, ast.Name) and node.func.id not in frame.names:
            name = node.func.id
            if name in self.kinds and not self._is_open(name):
                return self._made(f"#{name}", node, frame)
            if name in self.functions and name not in self.imports:
                return self._inlined(self.functions[name], node, frame, None)
            if not called and hasattr(builtins, name):
                return self._builtin(name, node, frame)
        if isinstance(node.func, ast.Attribute):
            at = node.func.value
            if isinstance(at, ast.Name) and frame.kind is not None:
                owner = frame.names.get(at.id)
                method, kind = self._method(frame.kind, node.func.attr)
                if isinstance(owner, _Port) and not owner.path and method is not None:
                    return self._inlined(method, node, frame, kind)
        top, _, rest = called.partition(".")
        if called in MODELS and not node.args and not node.keywords:
            scope = _Scope("Model")
            if called in PLANAR:
                scope.data |= planar_options()
            return _Port(scope, "")
        if called in ARRAYS:
            return self._array(called, node, frame)
        if called == "numpy.linalg.norm" and len(node.args) == 1 and not node.keywords:
            given = self._value(node.args[0], frame)
            if isinstance(given, list) and given and all(map(_is_numeric, given)):
                return _folded(math.hypot(*given))
        if top in ("math", "numpy") and rest:
            return self._mathematics(OF_MATH.get(rest, rest), node, frame)
        if top == "motorik":
            if last in UNITS and rest in (last, f"units.{last}"):
                return self._unit(last, node, frame)
            if last in MATHEMATICS and rest in (last, f"functions.{last}"):
                return self._mathematics(last, node, frame)
            if last in ("guess", "steady") and len(node.args) == 1 and not node.keywords:
                return {last: self._json(node.args[0], frame)}
            if last == "Parameter":
                return self._parameter(node, frame)
            if last == "Start" and 1 <= len(node.args) <= 2 and not node.keywords:
                value = self._json(node.args[0], frame)
                fixed = True if len(node.args) == 1 else self._json(node.args[1], frame)
                if isinstance(fixed, list):
                    return {"start": value, "fixed": [bool(one) for one in fixed]}
                return value if fixed else {"guess": value}
        if called:
            return self._of_class(called, node, frame)
        raise Unread(f"`{_short(ast.unparse(node.func))}` is not known")

    def _is_open(self, name: str) -> bool:
        """Return whether a class is being read at present: a model within itself."""
        return name == "" or name not in self.kinds

    def _made(self, kind: str, node: ast.Call, frame: _Frame) -> _Part:
        """Return a part with its arguments; those that cannot be read are kept as text."""
        if node.args:
            raise Unread("values of parts are given by name")
        if kind.startswith("#"):
            self._scope_of(kind[1:])
        arguments: Data = {}
        for one in node.keywords:
            if one.arg is None:
                given = self._value(one.value, frame)
                if not isinstance(given, dict):
                    raise Unread("it takes values from something else than a dict")
                arguments |= _json_of(given)
                continue
            try:
                arguments[one.arg] = self._json(one.value, frame)
            except Unread as why:
                text = self.parsed.expression(one.value)
                names = {n.id for n in ast.walk(one.value) if isinstance(n, ast.Name)}
                inner = names & frame.names.keys() - {"self"}
                lost = {n for n in inner if not isinstance(frame.names[n], _Term)}
                if lost:
                    raise Unread(f"{one.arg}: {why}") from None
                arguments[one.arg] = {"unreadable": text, "source": True}
                self._lose(str(why), one.value.lineno, frame.own, one.arg, text)
        if kind.startswith("#"):
            arguments = self._plain_where_live(kind[1:], arguments)
        return _Part(kind, arguments, node.lineno)

    def _plain_where_live(self, name: str, arguments: Data) -> Data:
        """Return arguments of a sub-model; live numbers for live parameters as plain ones.

        Those of documents stay live by themselves.
        """
        scope = self.scopes.get(name)
        parameters = {} if scope is None else scope.parameters
        return {
            own: value["parameter"]
            if _is_mark(value, "parameter")
            and {*value} == {"parameter"}
            and parameters.get(own, {}).get("live", True)
            and own in parameters
            else value
            for own, value in arguments.items()
        }

    def _of_class(self, called: str, node: ast.Call, frame: _Frame) -> Any:
        name = class_by_import(called)
        if not name:
            raise Unread(f"{called} is no public class of motorik")
        if ":" not in name or name.startswith("motorik."):
            if known_class(name) is None:
                try:
                    find_value_class(name)
                except MotorikError:
                    raise Unread(f"{called} is no class of parts or of values") from None
                if node.args:
                    raise Unread("values are given by name")
                given = {str(k.arg): self._json(k.value, frame) for k in node.keywords}
                return {"make": name, "arguments": given}
        return self._made(name, node, frame)

    def _parameter(self, node: ast.Call, frame: _Frame) -> Data:
        names = ("parameter", "name", "unit", "fixed", "description")
        found: Data = {}
        for name, one in zip(names, node.args, strict=False):
            found[name] = self._json(one, frame)
        for one in node.keywords:
            own = "parameter" if one.arg == "value" else str(one.arg)
            found[own] = self._json(one.value, frame)
        if (
            len(node.args) > len(names)
            or not {*found} <= {*names}
            or "parameter" not in found
        ):
            raise Unread("it is no call of Parameter")
        return {n: v for n, v in found.items() if n == "parameter" or v not in ("", True)}

    def _array(self, called: str, node: ast.Call, frame: _Frame) -> _Array:
        """Return numbers in a row, of which sums and multiples are carried out."""
        given = [self._value(one, frame) for one in node.args]
        if len(given) == 1 and isinstance(given[0], list):
            given = given[0]
        if node.keywords or not all(_is_numeric(x) or isinstance(x, list) for x in given):
            raise Unread(f"{called} has other values than numbers")
        return _Array(_Array(x) if isinstance(x, list) else _folded(x) for x in given)

    def _as_function(self, function: ast.FunctionDef, frame: _Frame) -> Data:
        """Return a function of the file as a formula of its arguments."""
        names = [a.arg for a in function.args.args]
        if not names or function.args.defaults or function.args.kwonlyargs:
            raise Unread(f"{function.name} has other arguments than plain ones")
        own = {name: _Term(name) for name in names}
        inner = _Frame(None, own, frame.own, frame.depth + 1)
        if frame.depth >= DEEPEST_CALLS:
            raise Unread("functions call each other too often")
        for statement in function.body:
            self._statement(statement, inner, None)
            if inner.has_returned:
                break
        return {"function": _term(inner.returned).text, "of": names}

    def _mathematics(self, name: str, node: ast.Call, frame: _Frame) -> Any:
        if name in UNITS:
            return self._unit(name, node, frame)
        if name not in MATHEMATICS or node.keywords:
            raise Unread(f"{name!r} is no function of formulas")
        given = [self._value(one, frame) for one in node.args]
        if any(isinstance(one, _Number) for one in given) and all(map(_is_numeric, given)):
            try:
                return _folded(float(FUNCTIONS[name](*map(float, given))))
            except (ArithmeticError, ValueError, TypeError):
                raise Unread("the number cannot be computed") from None
        return _Term(f"{name}({', '.join(_term(one).text for one in given)})")

    def _unit(self, name: str, node: ast.Call, frame: _Frame) -> Any:
        if len(node.args) != 1 or node.keywords:
            raise Unread(f"{name} takes one value")

        def converted(value: Read) -> Any:
            if isinstance(value, list):
                return [converted(one) for one in value]
            if isinstance(value, _Number):
                return _folded(float(UNITS[name](float(value))))
            return _Term(f"{name}({_term(value).text})")

        return converted(self._value(node.args[0], frame))

    def _builtin(self, name: str, node: ast.Call, frame: _Frame) -> Any:
        given = self._items(node.args, frame)
        if name == "dict" and not given and all(one.arg for one in node.keywords):
            return {str(one.arg): self._value(one.value, frame) for one in node.keywords}
        if name == "setattr" and len(given) == 3 and isinstance(given[1], str):
            at = given[0]
            if isinstance(at, _Port) and not at.path:
                self._attribute(at.scope, given[1], given[2], node.lineno)
                return None
        if name == "getattr" and len(given) == 2 and isinstance(given[1], str):
            if isinstance(given[0], (_Port, _Part)):
                return self._of_value(given[0], given[1], frame)
        if name == "enumerate" and [one.arg for one in node.keywords] == ["start"]:
            given.append(self._value(node.keywords[0].value, frame))
        elif node.keywords and not (name == "zip" and node.keywords[0].arg == "strict"):
            raise Unread(f"{name} is called with names")
        if name == "range" and given and all(_is_numeric(x) for x in given):
            whole = range(*map(int, given))
            if len(whole) > MOST_STEPS:
                raise Unread("the range is too long")
            return [_folded(k) for k in whole]
        if name in ("tuple", "list") and len(given) == 1 and isinstance(given[0], list):
            return [*given[0]]
        if name == "float" and len(given) == 1 and _is_numeric(given[0]):
            return _folded(float(given[0]))
        if name == "len" and len(given) == 1 and isinstance(given[0], list):
            return _folded(len(given[0]))
        if name == "zip" and all(isinstance(one, list) for one in given):
            return [list(row) for row in zip(*given, strict=False)]
        if name == "enumerate" and given and isinstance(given[0], list):
            first = int(given[1]) if len(given) > 1 else 0
            return [[_folded(k), one] for k, one in enumerate(given[0], first)]
        if name == "reversed" and len(given) == 1 and isinstance(given[0], list):
            return given[0][::-1]
        if name in ("abs", "max", "min") and all(map(_is_numeric, given)) and given:
            return _folded(getattr(builtins, name)(*given))
        raise Unread(f"{name!r} is not read")

    def _lambda(self, node: ast.Lambda, frame: _Frame) -> Data:
        names = [one.arg for one in node.args.args]
        if not names or node.args.defaults or node.args.kwonlyargs or node.args.vararg:
            raise Unread("the function has other arguments than plain ones")
        inner = _Frame(frame.scope, dict(frame.names), frame.own, frame.depth)
        inner.names |= {name: _Term(name) for name in names}
        text = _term(self._value(node.body, inner)).text
        return {"function": text, "of": names}

    def _inlined(
        self,
        function: ast.FunctionDef,
        node: ast.Call,
        frame: _Frame,
        kind: ast.ClassDef | None,
    ) -> Any:
        """Return the value of a function or method of the file, its statements being read."""
        if frame.depth >= DEEPEST_CALLS:
            raise Unread("functions call each other too often")
        if function.decorator_list or function.args.vararg or function.args.kwarg:
            raise Unread(f"{function.name} is no plain function")
        names = [a.arg for a in [*function.args.posonlyargs, *function.args.args]]
        scope = frame.scope
        inner = _Frame(scope, {}, frame.own, frame.depth + 1)
        inner.kind = kind or frame.kind
        if kind is not None:
            inner.names["self"] = _Port(scope, "") if scope is not None else None
            names = names[1:]
        else:
            for name, value in frame.names.items():
                if frame.own == "" and not isinstance(value, _Port):
                    inner.names[name] = value
        defaults = function.args.defaults
        for name, default in zip(
            names[len(names) - len(defaults) :], defaults, strict=True
        ):
            inner.names[name] = _local(self._value(default, inner))
        for one, default in zip(
            function.args.kwonlyargs, function.args.kw_defaults, strict=True
        ):
            names.append(one.arg)
            if default is not None:
                inner.names[one.arg] = _local(self._value(default, inner))
        if len(node.args) > len(names):
            raise Unread(f"{function.name} takes fewer values")
        for name, value in zip(names, node.args, strict=False):
            inner.names[name] = _local(self._value(value, frame))
        for one in node.keywords:
            if one.arg is None or one.arg not in names:
                raise Unread(f"{function.name} has no {one.arg!r}")
            inner.names[one.arg] = _local(self._value(one.value, frame))
        missing = [name for name in names if name not in inner.names]
        if missing:
            raise Unread(f"{function.name} needs {missing[0]!r}")
        for statement in function.body:
            if kind is not None and function.name == "build" and scope is not None:
                self._safely(statement, inner, scope)
            else:
                self._statement(statement, inner, scope)
            if inner.has_returned:
                break
        return inner.returned

    # --- what is kept --------------------------------------------------------------------

    def _keep(
        self, node: ast.stmt, own: str, after: str, why: str, is_lost: bool = True
    ) -> None:
        """Keep a statement as text, with its place, and tell it as a loss."""
        text = self.parsed.segment(node)
        entry = {"in": own, "after": after, "line": node.lineno, "text": text}
        self.unread.append(entry)
        if is_lost:
            self._lose(why, node.lineno, own, "", text)

    def _lose(self, why: str, line: int, own: str, field: str, text: str = "") -> None:
        said = f"line {line} is kept as text: {why}."
        remedy = "It is written again where it stood; the studio does not run it."
        scope = "" if own in ("", "__main__") else own
        fault = Diagnostic(said, remedy, "", "", field, _short(text), "warning", scope)
        self.lost.setdefault((said, field, fault.value or "", scope), fault)


# --- pieces -------------------------------------------------------------------------------


def class_by_import(called: str) -> str:
    """Return the name that documents have for a class, by its module and name, or "".

    Nothing of users is imported: of their modules a name with a capital stands for a class.
    """
    module, _, last = called.rpartition(".")
    if module == "motorik" or module.startswith("motorik."):
        window = module.removeprefix("motorik").removeprefix(".")
        if window in ("", *WINDOWS):
            return _public_class(f"{window}.{last}" if window else last)
        return _own_class(module, last)
    steps = called.split(".")
    first = next((k for k, step in enumerate(steps) if step[:1].isupper()), None)
    if not first or any(keyword.iskeyword(step) for step in steps):
        return ""
    return f"{'.'.join(steps[:first])}:{'.'.join(steps[first:])}"


def _public_class(name: str) -> str:
    for find in (find_class, find_value_class):
        try:
            return name_of_class(find(name)) or name
        except MotorikError:
            continue
    return ""


def _own_class(module: str, last: str) -> str:
    """Return the name of a class that is imported from where motorik itself has it."""
    if not module.startswith("motorik.components."):
        return ""
    try:
        return name_in_documents(find_class(f"{module}:{last}"))
    except MotorikError:
        return ""


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Yield targets and values of an assignment, one by one where both are tuples."""
    if isinstance(target, ast.Tuple | ast.List) and isinstance(value, ast.Tuple | ast.List):
        if len(target.elts) != len(value.elts):
            raise Unread("there are more names than values, or fewer")
        yield from zip(target.elts, value.elts, strict=True)
    else:
        yield target, value


def _arguments(function: ast.FunctionDef) -> list[ast.expr | ast.arg]:
    a = function.args
    return [
        *a.posonlyargs,
        *a.args,
        *a.kwonlyargs,
        *a.defaults,
        *(d for d in a.kw_defaults if d),
    ]


def planar_options() -> Data:
    """Return the options of loops that a planar model has."""
    from motorik.planar import Model as PlanarModel

    found: Data = {"strategy": PlanarModel.strategy}
    if PlanarModel.gains is not None:
        gains: Any = PlanarModel.gains
        found["gains"] = [*gains] if isinstance(gains, tuple) else gains
    return found


def _stored(node: ast.Assign | ast.AnnAssign) -> Iterator[str]:
    """Yield the names that a statement assigns to."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    for target in targets:
        for one in ast.walk(target):
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store):
                yield one.id


def _is_main(test: ast.expr) -> bool:
    return ast.unparse(test) in ("__name__ == '__main__'", "'__main__' == __name__")


def _is_numeric(value: Read) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_mark(value: Read, mark: str) -> bool:
    return isinstance(value, dict) and mark in value


def _folded(value: Read) -> Any:
    """Return a number with which arithmetic is carried out."""
    if not _is_numeric(value):
        return value
    found = _Number(value)
    found.is_whole = isinstance(value, int) or (
        isinstance(value, _Number) and value.is_whole
    )
    return found


def _local(value: Read) -> Any:
    """Return a value as that of a local name, with whose numbers arithmetic is carried out."""
    if isinstance(value, list):
        return type(value)(_local(one) for one in value)
    if isinstance(value, dict):
        return {name: _local(one) for name, one in value.items()}
    return _folded(value)


def _computed(a: Read, op: ast.operator, b: Read) -> Any:
    whole = all(isinstance(x, int) or getattr(x, "is_whole", False) for x in (a, b))
    x, y = (int(a), int(b)) if whole else (float(a), float(b))
    try:
        match op:
            case ast.Add():
                return x + y
            case ast.Sub():
                return x - y
            case ast.Mult():
                return x * y
            case ast.Div():
                return x / y
            case ast.FloorDiv():
                return x // y
            case ast.Mod():
                return x % y
            case ast.Pow():
                return float(x) ** float(y) if abs(y) > 64 else x**y
    except (ArithmeticError, ValueError):
        raise Unread("the number cannot be computed") from None
    raise Unread(f"`{type(op).__name__}` is no operation of formulas")


def _term(value: Read) -> _Term:
    """Return a value as an operand of a formula."""
    if isinstance(value, _Term):
        return value
    if isinstance(value, bool):
        return _Term(repr(value))
    if _is_numeric(value):
        plain = _plain(value)
        return _Term(repr(plain), 5 if plain >= 0 else 3)
    if isinstance(value, list) and len(value) == 3:
        return _Term(f"({', '.join(_term(one).text for one in value)})")
    if isinstance(value, dict) and {*value} == {"formula"}:
        return _Term(f"({value['formula']})")
    raise Unread("it is no number in a formula")


def _plain(value: Read) -> Any:
    if isinstance(value, _Number):
        return int(value) if value.is_whole else float(value)
    return value


def _json_of(value: Read) -> Any:
    """Return a value that was read as one of a document."""
    if isinstance(value, _Term):
        Formula(value.text)
        return {"formula": value.text}
    if isinstance(value, list):
        return [_json_of(one) for one in value]
    if isinstance(value, dict):
        return {name: _json_of(one) for name, one in value.items()}
    if isinstance(value, float) and not abs(value) < float("inf"):
        return {"number": "inf" if value > 0 else "-inf" if value < 0 else "nan"}
    if value is None or isinstance(value, (bool, str)) or _is_numeric(value):
        return _plain(value)
    raise Unread("it is no value of a part")


def _parameter_entry(value: Read) -> Data:
    """Return value, unit and the like of a parameter of a model."""
    if not _is_mark(value, "parameter"):
        return {"value": value, "live": False}
    found: Data = {"value": value["parameter"]}
    if value.get("name"):
        found["label"] = value["name"]
    for word in ("unit", "description"):
        if value.get(word):
            found[word] = value[word]
    if value.get("fixed", True) is False:
        found["fixed"] = False
    return found


def _limits(text: str) -> Data:
    """Return the limits that a comment says: "0.1 to 1.0", "at least 0.1"."""
    found = LIMITS.match(text)
    if found is None:
        return {}
    low, high, word, one = found.groups()
    try:
        if low is not None:
            return {"low": _number_of(low), "high": _number_of(high)}
        return {"low" if word == "least" else "high": _number_of(one)}
    except ValueError:
        return {}


def _number_of(text: str) -> float | int:
    return int(text) if re.fullmatch(r"-?\d{1,15}", text) else float(text)


def _unreadable_texts(parts: Sequence[Data]) -> Iterator[str]:
    for part in parts:
        for value in part.get("arguments", {}).values():
            if isinstance(value, dict) and value.get("source") is True:
                yield str(value.get("unreadable"))


def _short(text: str) -> str:
    first = text.split("\n")[0]
    return first if len(first) <= 60 and first == text else f"{first[:60]}…"


__all__ = ["class_by_import", "read_plain", "read_source"]
