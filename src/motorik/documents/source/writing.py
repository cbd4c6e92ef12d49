"""Python out of a document: a class on `Model` for it, and one for each of its sub-models."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from motorik.components.base.declarations import PortSpec
from motorik.documents.document import Document, run_arguments
from motorik.documents.source.expressions import (
    ExpressionWriter,
    Imports,
    Unsaid,
    is_argument,
    is_class,
)
from motorik.documents.source.order import grouped, known_class, ordered
from motorik.documents.source.reading import plot_file, read_plain, read_source
from motorik.documents.source.rest import difference, write_rest
from motorik.documents.values import are_places
from motorik.errors import FileFormatError
from motorik.source_layout import (
    WIDTH,
    Group,
    Named,
    flat,
    laid_out,
    text_literal,
)

Data = dict[str, Any]
Value = Any
"""A value of a document, of JSON."""

DECLARED = {
    "frame": "frame",
    "rotational": "rotational_flange",
    "translational": "translational_flange",
    "signal in": "signal_input",
    "signal out": "signal_output",
    "Boolean in": "boolean_input",
    "Boolean out": "boolean_output",
    "Integer in": "integer_input",
    "Integer out": "integer_output",
}
"""The functions of `motorik.authoring` that declare ports, by their kinds."""
DOMAINS = ("electrical", "heat", "hydraulic", "magnetic")
PAD = " " * 8
RESERVED = ("self", "result", "__main__")


def write_source(document: Document | Data) -> str:
    """Return the Python source of a document, from which `read_source` reads the same one.

    A class on `Model` with `build`: live parameters are its arguments, parts stand in their order,
    connections follow the mechanism from the world outwards, notes are comments, sub-models
    are classes. Run as a program it simulates and plots. Other data, such as places in
    the diagram, stand in comments at its end.
    """
    data = document.data if isinstance(document, Document) else document
    source = _Source(data).text()
    rest = difference(read_plain(source).data, data)
    if not rest:
        return source
    whole = f"{source}\n\n{write_rest(rest)}"
    return whole


class _Source:
    """The source of one document."""

    def __init__(self, data: Data) -> None:
        self.data = data
        self.models: dict[str, Data] = data.get("models", {})
        self.name = class_name(data.get("name"), self.models)
        names = [
            one["name"] for scope in self._scopes() for one in scope.get("parameters", ())
        ]
        ports = [name for scope in self._scopes() for name in scope.get("ports", {})]
        for name in (*names, *self.models):
            if name in RESERVED or not is_argument(name):
                raise FileFormatError(
                    str(name),
                    "cannot be a name in Python source.",
                    "Give the parameter or sub-model another name.",
                    parameter="name",
                    value=name,
                )
        self.imports = Imports([self.name, *self.models, *names, *ports])

    def _scopes(self) -> Iterator[Data]:
        yield from self.models.values()
        yield self.data

    def text(self) -> str:
        """Return the whole source, without what it cannot say."""
        unread = self.data.get("unread", [])
        before = [one["text"] for one in unread if one.get("in") == "" and is_unread(one)]
        classes = [self._class(key, self.models[key]) for key in self._inner_first()]
        classes.append(self._class(self.name, self.data))
        classes.append(self._program())
        head = self._head()
        blocks = ["\n".join(head)] if head else []
        if before:
            blocks.append("\n\n\n".join(before))
        top = "\n\n".join(block for block in blocks if block)
        text = "\n\n\n".join([top, *classes]) + "\n"
        return text.lstrip("\n")

    def _head(self) -> list[str]:
        return self.imports.lines()

    def _inner_first(self) -> list[str]:
        """Return the sub-models so that each comes after those within it."""
        found: dict[str, None] = {}
        for first in self.models:
            under_way = {first: self._within(first)}
            while under_way:
                key = next(reversed(under_way))
                inner = next(under_way[key], None)
                if inner is None:
                    del under_way[key]
                    found[key] = None
                elif (
                    inner in self.models and inner not in found and (inner not in under_way)
                ):
                    under_way[inner] = self._within(inner)
        return [*found]

    def _within(self, key: str) -> Iterator[str]:
        """Yield the names of the sub-models that a sub-model uses."""
        kinds = (one["class"] for one in self.models[key]["parts"])
        return (kind[1:] for kind in kinds if kind.startswith("#"))

    # --- classes -------------------------------------------------------------------------

    def _class(self, name: str, scope: Data) -> str:
        lines = [f"class {name}({self.imports.name('motorik', 'Model')}):"]
        text = scope.get("description")
        if isinstance(text, str) and text.strip():
            lines += [docstring(text, "    "), ""]
        attributes = [*self._options(scope), *self._ports(scope)]
        for one in self.data.get("unread", []):
            if is_unread(one) and one.get("in") == name and one.get("after") == "class":
                attributes.append(textwrap.indent(one["text"], "    "))
        if attributes:
            lines += [*attributes, ""]
        names = {one["name"]: one["name"] for one in scope.get("parameters", ())}
        body = _Body(self, scope, names)
        signature, first = body.signature()
        statements = [*first, *body.lines()]
        if all(line.lstrip().startswith("#") or not line for line in statements):
            statements.append(f"{PAD}pass")
        lines += [*signature, *statements]
        return "\n".join(lines)

    def _options(self, scope: Data) -> Iterator[str]:
        """Yield the strategy and the gains of the loops."""
        for key in ("strategy", "gains"):
            if key in scope and scope is self.data:
                try:
                    value = ExpressionWriter(self.imports, {}).value(scope[key])
                except Unsaid:
                    continue
                yield laid_out(value, f"    {key} = ", 4)

    def _ports(self, scope: Data) -> Iterator[str]:
        for name, one in scope.get("ports", {}).items():
            if not is_argument(name):
                continue
            described = {} if isinstance(one, str) else one
            kind = described.get("kind") or self._kind_of(scope, one)
            if not isinstance(kind, str):
                continue
            text = described.get("description", f"{name} of {one}")
            items: list[object] = [text_literal(str(text))]
            size = described.get("size", 1)
            if size != 1:
                items.append(Named("size=", repr(size)))
            yield laid_out(
                Group(self._declaring(kind), "()", tuple(items)), f"    {name} = ", 4
            )

    def _declaring(self, kind: str) -> str:
        if kind in DOMAINS:
            return f"{self.imports.name('motorik.components.domains', kind)}.port"
        return self.imports.name("motorik.authoring", DECLARED.get(kind, "frame"))

    def _kind_of(self, scope: Data, one: Value, depth: int = 0) -> str | None:
        """Return the kind of a port by that of the inner port which it stands for."""
        from motorik.documents.building import kind_name

        to = one if isinstance(one, str) else one.get("to")
        if not isinstance(to, str) or depth > 20:
            return None
        first, _, rest = to.partition(".")
        kinds = {part["id"]: part["class"] for part in scope["parts"]}
        called = kinds.get(first, "")
        if called.startswith("#"):
            inner = self.models.get(called[1:])
            port = None if inner is None else inner.get("ports", {}).get(rest)
            if inner is None or port is None:
                return None
            own = None if isinstance(port, str) else port.get("kind")
            return own or self._kind_of(inner, port, depth + 1)
        found = known_class(called)
        spec = None if found is None else found.specs.get(rest)
        return kind_name(spec.type) if isinstance(spec, PortSpec) else None

    # --- the program ---------------------------------------------------------------------

    def _program(self) -> str:
        options = run_arguments(self.data)
        stop = options.pop("stop_time")
        written = ExpressionWriter(self.imports, {})
        items = [written.value(stop)]
        items += [
            Named(f"{name}=", written.value(value)) for name, value in options.items()
        ]
        call = Group(f"{self.name}().simulate", "()", tuple(items))
        lines = ['if __name__ == "__main__":', laid_out(call, "    result = ", 4)]
        lines.append("    print(result.summary())")
        plots = 0
        for panel in self.data.get("panels", ()):
            names = panel.get("variables")
            if panel.get("kind") == "plot" and isinstance(names, list) and names:
                plots += 1
                lines.append(self._plot(names, plots))
        kept = [
            textwrap.indent(one["text"], "    ")
            for one in self.data.get("unread", [])
            if is_unread(one) and one.get("in") == "__main__"
        ]
        if not plots and not kept:
            lines.append(self._plot((), 1))
        return "\n".join([*lines, *kept])

    def _plot(self, names: Sequence[object], number: int) -> str:
        file = Named("file=", text_literal(plot_file(self.name, number)))
        shown = (*(text_literal(str(one)) for one in names), file)
        return laid_out(Group("result.plot", "()", shown), "    ", 4)


class _Body:
    """The body of `build` of a scope."""

    def __init__(self, source: _Source, scope: Data, names: dict[str, str]) -> None:
        self.source, self.scope = source, scope
        self.written = ExpressionWriter(source.imports, names)
        self.where = (
            ""
            if scope is source.data
            else next(key for key, one in source.models.items() if one is scope)
        )
        self.unread: dict[str, list[str]] = {}
        own = self.where or source.name
        for one in source.data.get("unread", []):
            if is_unread(one) and one.get("in") == own:
                self.unread.setdefault(str(one.get("after", "")), []).append(one["text"])
        self.kinds = {one["id"]: one["class"] for one in scope["parts"]}

    def signature(self) -> tuple[list[str], list[str]]:
        """Return the lines of `def build`, and those that make parameters from formulas."""
        items, inner = [], []
        for one in self.scope.get("parameters", ()):
            name, value = one["name"], one["value"]
            is_live = one.get("live", True) and is_number(value)
            try:
                if isinstance(value, dict) and "formula" in value:
                    piece = self.written.value(value)
                    inner.append(laid_out(piece, f"{PAD}self.{name} = ", 8))
                    self.written.names = {**self.written.names, name: f"self.{name}"}
                    continue
                if is_live:
                    piece = self.written.parameter(value, one.get("label", ""), one)
                else:
                    piece = self.written.value(value)
            except Unsaid:
                piece = "None"
            items.append((laid_out(piece, f"{PAD}{name}=", 8, 1), limits_in_words(one)))
        if not items:
            return ["    def build(self):"], inner
        lines = ["    def build(", f"{PAD}self,"]
        lines += [f"{item},{f'  # {limits}' if limits else ''}" for item, limits in items]
        return [*lines, "    ):"], inner

    def lines(self) -> list[str]:
        """Return the statements: notes, parts in groups, constants, connections."""
        blocks: list[list[str]] = []
        for note in self.scope.get("notes", ()):
            if isinstance(note.get("text"), str) and note["text"].strip():
                blocks.append(comment(note["text"]))
        if self.unread.get(""):
            blocks.append(self._kept(""))
        if isinstance(self.scope.get("visual"), dict):
            try:
                piece = self.written.value(self.scope["visual"])
                blocks.append([laid_out(piece, f"{PAD}self.visual = ", 8)])
            except Unsaid:
                pass
        blocks += self._parts()
        blocks += self._connections()
        return (
            "\n\n".join("\n".join(block) for block in blocks).split("\n") if blocks else []
        )

    def _kept(self, after: str) -> list[str]:
        return [textwrap.indent(text, PAD) for text in self.unread.get(after, [])]

    # --- parts ---------------------------------------------------------------------------

    def _parts(self) -> list[list[str]]:
        groups = grouped(self.scope["parts"])
        lists = lists_of(self.scope["parts"])
        blocks = []
        for name, own in groups:
            block = [f"{PAD}# {name}"] if len(groups) > 1 else []
            for one in own:
                stem = one["id"].partition("[")[0]
                members = lists.get(stem)
                if members is not None and members[0] is not one:
                    continue
                for member in members or [one]:
                    note = member.get("note")
                    if isinstance(note, str) and note.strip():
                        block += comment(note)
                block.append(self._assigned(stem, one, members))
                for member in members or [one]:
                    block += self._kept(member["id"])
            blocks.append(block)
        return blocks

    def _assigned(self, stem: str, one: Data, members: list[Data] | None) -> str:
        if members is not None:
            calls = tuple(self._call(member) for member in members)
            keys = [key_of(member["id"]) for member in members]
            if keys == [str(k + 1) for k in range(len(keys))]:
                return laid_out(Group("", "[]", calls), f"{PAD}self.{stem} = ", 8)
            pairs = [
                Named(f"{text_literal(k)}: ", c) for k, c in zip(keys, calls, strict=True)
            ]
            return laid_out(Group("", "{}", tuple(pairs)), f"{PAD}self.{stem} = ", 8)
        if stem != one["id"]:
            items = ("self", text_literal(one["id"]), self._call(one))
            return laid_out(Group("setattr", "()", items), PAD, 8)
        return laid_out(self._call(one), f"{PAD}self.{stem} = ", 8)

    def _call(self, one: Data) -> Group:
        """Return the call that makes a part; values that source cannot say are left out."""
        name = one["class"]
        if name.startswith("#"):
            head = name[1:] if name[1:] in self.source.models else "None"
        elif is_class(name):
            head = self.source.imports.class_of(name)
        else:
            head = self.source.imports.name("motorik", "Part")
        items, live = [], self._live_of(name)
        for own, value in one.get("arguments", {}).items():
            if not is_argument(own) or is_port(name, own):
                continue
            try:
                if are_places(known_class(name), own, value):
                    piece: object = self.written.mapping(value)
                elif own in live and is_number(value):
                    piece = self.written.parameter(value, "", {})
                else:
                    piece = self.written.value(value)
            except Unsaid:
                continue
            items.append(Named(f"{own}=", piece))
        return Group(head, "()", tuple(items))

    def _live_of(self, kind: str) -> set[str]:
        """Return the live parameters of a sub-model; a plain number would end that."""
        scope = self.source.models.get(kind[1:], {}) if kind.startswith("#") else {}
        return {one["name"] for one in scope.get("parameters", ()) if one.get("live", True)}

    # --- connections ---------------------------------------------------------------------

    def _connections(self) -> list[list[str]]:
        blocks = []
        constants = [line for one in self.scope["parts"] for line in self._constants(one)]
        pairs = [(a, b) for a, b in self.scope["connections"]]
        for name, one in self.scope.get("ports", {}).items():
            to = one if isinstance(one, str) else one.get("to")
            if isinstance(to, str):
                pairs.append((name, to))
        for own in ordered(pairs, self.scope, self.source.models):
            said = [(self.path(a), self.path(b)) for a, b in own]
            blocks.append([connected(a, b) for a, b in said if a and b])
        if constants:
            blocks.append(constants)
        return [block for block in blocks if block]

    def _constants(self, one: Data) -> Iterator[str]:
        """Yield the statements that connect numbers with inputs of a part."""
        for own, value in one.get("arguments", {}).items():
            if not is_port(one["class"], own):
                continue
            place = self.path(f"{one['id']}.{own}")
            values = enumerate(value) if isinstance(value, list) else [(None, value)]
            for k, number in values:
                if number is None:
                    continue
                try:
                    said = flat(self.written.value(number))
                except Unsaid:
                    continue
                said = f"({said})" if " " in said else said
                yield connected(said, place if k is None else f"{place}[{k}]")

    def path(self, path: str) -> str:
        """Return the path of a port as Python has it, "" where it has none."""
        *steps, last = path.split(".")
        text = "self"
        for depth, step in enumerate(steps):
            stem, bracket, key = step.partition("[")
            if not is_argument(stem):
                return ""
            key = key.removesuffix("]")
            if not bracket:
                text += f".{stem}"
            elif depth == 0 and lists_of(self.scope["parts"]).get(stem) is None:
                text += f".parts[{text_literal(step)}]"
            elif key.isdigit():
                text += f".{stem}[{int(key) - 1}]"
            else:
                text += f".{stem}[{text_literal(key)}]"
        name, bracket, key = last.partition("[")
        key = key.removesuffix("]")
        if not is_argument(name) or (bracket and not key.isdigit()):
            return ""
        return f"{text}.{name}" + (f"[{int(key) - 1}]" if bracket else "")


# --- pieces -------------------------------------------------------------------------------


def connected(a: str, b: str) -> str:
    """Return the statement that connects two ports."""
    line = f"{PAD}{a} >> {b}"
    if len(line) <= WIDTH:
        return line
    return f"{PAD}(\n{PAD}    {a}\n{PAD}    >> {b}\n{PAD})"


def lists_of(parts: Sequence[Data]) -> dict[str, list[Data]]:
    """Return the parts that stand in lists and dicts, by the names of these.

    Only whole ones: a list counts from 1 without gaps, in its order, and nothing else stands
    between its parts.
    """
    found: dict[str, list[Data]] = {}
    plain = {one["id"] for one in parts}
    last = ""
    for one in parts:
        stem, bracket, _ = one["id"].partition("[")
        if bracket:
            if stem in found and stem != last:
                plain.add(stem)  # it is made part by part
            found.setdefault(stem, []).append(one)
        last = stem if bracket else ""
    kept = {}
    for stem, own in found.items():
        keys = [key_of(one["id"]) for one in own]
        is_list = keys == [str(k + 1) for k in range(len(keys))]
        is_dict = all(is_argument(key) for key in keys)
        if stem not in plain and (is_list or is_dict):
            kept[stem] = own
    return kept


def key_of(name: str) -> str:
    """Return the place or key of a part in a list: "legs[1]" has "1"."""
    return name.partition("[")[2].removesuffix("]")


def is_port(kind: str, name: str) -> bool:
    """Return whether an argument of a part is a number for one of its inputs."""
    found = None if kind.startswith("#") else known_class(kind)
    return found is not None and isinstance(found.specs.get(name), PortSpec)


def is_number(value: Value) -> bool:
    """Return whether a value can be that of a live parameter."""
    if isinstance(value, list):
        return len(value) == 3 and all(map(is_number, value))
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_unread(one: Value) -> bool:
    """Return whether an entry is source that could not be read, kept as text."""
    return isinstance(one, dict) and isinstance(one.get("text"), str) and bool(one["text"])


def limits_in_words(one: Data) -> str:
    """Return the limits of a parameter as a comment: "0.1 to 1.0", "at least 0.1"."""
    low, high = (one.get(key) for key in ("low", "high"))
    has_low, has_high = (
        isinstance(x, (int, float)) and not isinstance(x, bool) for x in (low, high)
    )
    if has_low and has_high:
        return f"{low!r} to {high!r}"
    if has_low:
        return f"at least {low!r}"
    return f"at most {high!r}" if has_high else ""


def comment(text: str) -> list[str]:
    """Return a text as comments of `build`."""
    lines = []
    for paragraph in text.split("\n"):
        words = " ".join("".join(c if c.isprintable() else " " for c in paragraph).split())
        wrapped = textwrap.wrap(words, WIDTH - len(PAD) - 2, break_long_words=False)
        lines += [f"{PAD}# {line}" for line in wrapped] or [f"{PAD}#"]
    return lines


def docstring(text: str, pad: str) -> str:
    """Return a text as a docstring of any length."""
    shown = text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"').strip()
    shown = "".join(c if c.isprintable() or c == "\n" else " " for c in shown)
    first = f'{pad}"""{shown}"""'
    if "\n" not in shown and len(first) <= WIDTH:
        return f'{pad}"""{shown[:-1]}\\""""' if shown.endswith('"') else first
    lines = []
    for number, paragraph in enumerate(shown.split("\n")):
        room = WIDTH - len(pad) - (6 if number == 0 else 0)
        lines += textwrap.wrap(paragraph, room, break_long_words=False) or [""]
    inner = "\n".join(f"{pad}{line}".rstrip() for line in lines).strip()
    return f'{pad}"""{inner}\n{pad}"""'


def class_name(name: Value, models: Data) -> str:
    """Return the name of the class of a document."""
    own = name if is_argument(name) and name not in RESERVED else "Mechanism"
    while own in models:
        own += "_"
    return own


__all__ = ["read_source", "write_source"]
