"""Write docs/catalogue: every public part with its ports, parameters, variables and an example.

    python scripts/make_catalogue.py

Ports, parameters and start values are those of the declarations, result variables those of the
example, a function of `scripts/catalogue/<window>.py` with the name of the part. A test compares
the pages with what this script would write.
"""

from __future__ import annotations

import importlib
import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from motorik import Model, Part  # noqa: E402
from motorik.components.base.declarations import (  # noqa: E402
    ParameterSpec,
    PortSpec,
    StartSpec,
)
from motorik.components.base.ports import Domain, PortKind  # noqa: E402
from motorik.motion.catalogue import (  # noqa: E402
    FLANGE_LETTERS,
    FRAME_VARIABLES,
    Catalogue,
    CatalogueEntry,
    port_entries,
)

EXAMPLE = re.compile(r"def [A-Z]")
PAGES = ROOT / "docs" / "catalogue"
#: The windows of the catalogue, in the order of the pages, with their titles.
WINDOWS = {
    "parts": "Bodies and fixed frames",
    "joints": "Joints",
    "constraints": "Constraints",
    "assemblies": "Assemblies of joints",
    "forces": "Forces",
    "sensors": "Sensors",
    "rotational": "Rotational drive lines",
    "translational": "Translational drive lines",
    "electrical": "Electrical circuits",
    "heat": "Heat transfer",
    "hydraulic": "Hydraulics",
    "magnetic": "Magnetic circuits",
    "blocks": "Signal blocks",
    "visualizers": "Parts that are only drawn",
    "planar": "Planar mechanisms",
}
#: Letters that mean the same in all parts, by name and unit; see NOTATION.md.
LETTERS = {
    ("phi", "rad"): "angle",
    ("phi_a", "rad"): "angle of flange_a",
    ("phi_b", "rad"): "angle of flange_b",
    ("phi_d", "rad/s"): "rate of phi",
    ("w", "rad/s"): "angular velocity",
    ("a", "rad/s2"): "angular acceleration",
    ("a_b", "rad/s2"): "rate of w_b",
    ("tau", "N.m"): "torque",
    ("s", "m"): "position",
    ("s_a", "m"): "position of flange_a",
    ("s_b", "m"): "position of flange_b",
    ("v", "m/s"): "velocity",
    ("a", "m/s2"): "acceleration",
    ("f", "N"): "force",
    ("stored_energy", "J"): "energy stored in the spring",
}
#: Base classes of parts of your own.
BASES = {
    *("Block", "OneToOne", "Source", "LockedDirections"),
    *("VectorForce", "VectorJoint", "SpatialVectorJoint", "OnePort", "TwoPort"),
}


def public_parts(window: str) -> dict[str, type[Part]]:
    """Return the parts that a window shows, by name; bases of others are left out."""
    module = importlib.import_module(f"motorik.{window}")
    found = {name: getattr(module, name) for name in module.__all__}
    kinds = {n: k for n, k in found.items() if isinstance(k, type) and issubclass(k, Part)}
    return {n: k for n, k in kinds.items() if not issubclass(k, Model) and n not in BASES}


def examples_of(window: str) -> ModuleType:
    """Return the module with the examples of a window."""
    return importlib.import_module(f"scripts.catalogue.{window}")


def make_page(window: str) -> str:
    """Return the page of a window."""
    module, examples = importlib.import_module(f"motorik.{window}"), examples_of(window)
    lines = [f"# {WINDOWS[window]}", "", f"`motorik.{window}`", ""]
    lines += ["```python", imports_of(examples), "```", ""]
    assert module.__doc__
    parts = public_parts(window)
    lines += [", ".join(f"[`{name}`](#{name.lower()})" for name in parts) + ".", ""]
    for name, kind in parts.items():
        lines += make_entry(name, kind, examples)
    return "\n".join(lines).rstrip() + "\n"


def imports_of(examples: ModuleType) -> str:
    """Return what all examples of a module begin with: imports, and models that they share."""
    source = inspect.getsource(examples).splitlines()
    first = next(i for i, line in enumerate(source) if line.startswith(("import", "from")))
    examples_at = (i for i, line in enumerate(source) if EXAMPLE.match(line))
    own = source[first : next(examples_at, len(source))]
    for line in own:
        if line.startswith("from scripts."):  # shown itself, with all that it imports
            shared = imports_of(importlib.import_module(line.split()[1]))
            begin = next(i for i, code in enumerate(own) if code.startswith("def "))
            return "\n".join([shared, "", "", *own[begin:]]).strip()
    return "\n".join(own).strip()


def make_entry(name: str, kind: type[Part], examples: ModuleType) -> list[str]:
    """Return what the page tells about one part."""
    document = kind.__dict__.get("__doc__") or ""
    described = document.split("\n\nPorts:")[0].split("\n\nParameters:")[0]
    lines = [f"## {name}", "", inspect.cleandoc(described), ""]
    specs = kind.specs
    ports = {n: s for n, s in specs.items() if isinstance(s, PortSpec)}
    parameters = {n: s for n, s in specs.items() if isinstance(s, ParameterSpec)}
    starts = {n: s for n, s in specs.items() if isinstance(s, StartSpec)}
    lines += table(
        ("port", "kind", "meaning"),
        (
            (
                f"`{n}`",
                kind_of_port(s.kind),
                s.description + (f" (if `{s.when}`)" if s.when else ""),
            )
            for n, s in ports.items()
        ),
    )
    lines += table(
        ("parameter", "unit", "default", "meaning"),
        (
            (f"`{n}`", unit(s.unit), shown(s.default), s.description)
            for n, s in parameters.items()
        ),
    )
    lines += table(
        ("start value", "unit", "meaning"),
        ((f"`{n}`", unit(s.unit), s.description) for n, s in starts.items()),
    )
    model = getattr(examples, name)()
    lines += table(("result variable", "unit", "meaning"), variables_of(model, kind))
    return [*lines, "```python", source_of(getattr(examples, name)), "```", ""]


def kind_of_port(kind: PortKind) -> str:
    """Return a kind of port as the table shows it: its domain, frame or signal."""
    return kind.name if isinstance(kind, Domain) else kind.value


def unit(text: str) -> str:
    """Return a unit as the table shows it."""
    return "" if text in ("", "1") else text.replace(".", "·")


def shown(default: object) -> str:
    """Return a default value as the table shows it."""
    if callable(default):
        return ""
    return f"`{default!r}`" if default is not None else ""


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return a table, or nothing where it would be empty."""
    body = [
        f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"
        for row in rows
    ]
    if not body:
        return []
    return [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}", *body, ""]


def variables_of(model: Model, kind: type[Part]) -> list[tuple[str, str, str]]:
    """Return name, unit and meaning of the result variables of the example's part.

    Those of frames and flanges are the same for all parts, and are left out, as are those of
    parts within it.
    """
    part = next(part for part in model.walk() if type(part) is kind)
    entries = Catalogue(model.compile().mechanism).of_part(part)
    at_ports = {name for port in part.ports() for name, _ in port_entries(port, "")}
    signals = {port.name for port in part.ports()}
    meant = {name: spec.description for name, spec in kind.specs.items()}
    return [
        (
            f"`{name}`",
            unit(entry.unit),
            entry.description or meant.get(name, meaning(entry, name)),
        )
        for name, entry in entries.items()
        if "." not in name and (name not in at_ports or name in signals)
    ]


def meaning(entry: CatalogueEntry, name: str) -> str:
    """Return what a letter means."""
    return LETTERS.get((name, entry.unit), "")


def port_variables() -> list[str]:
    """Return the table of the variables that every frame and flange has."""
    rows = [
        (f"`frame.{name}`", unit(of), text)
        for name, (of, text, _) in FRAME_VARIABLES.items()
    ]
    for letters in FLANGE_LETTERS.values():
        meanings = ("position or angle", "speed", "force or torque on the part")
        rows += [
            (f"`flange.{name}`", unit(of), text)
            for (name, of), text in zip(letters, meanings, strict=True)
        ]
    return table(("variable of a port", "unit", "meaning"), rows)


def source_of(example: object) -> str:
    """Return the code of an example, run for a second at its end."""
    assert callable(example)
    lines = inspect.getsource(example).splitlines()[1:]
    body = textwrap.dedent("\n".join(lines)).strip()
    assert body.endswith("return model"), f"{example} must end with 'return model'"
    return body.removesuffix("return model") + "result = model.simulate(0.1)"


def make_index() -> str:
    """Return the page that lists all parts."""
    lines = [
        "# Catalogue of parts",
        "",
        "Every part with its ports, parameters, start values, result variables and an example",
        "that runs. Written by `scripts/make_catalogue.py` from the declarations. Units are SI,",
        "angles radians; no unit means a number without one.",
        "",
    ]
    for window, title in WINDOWS.items():
        names = ", ".join(
            f"[`{name}`]({window}.md#{name.lower()})" for name in public_parts(window)
        )
        lines += [f"**[{title}]({window}.md)** (`motorik.{window}`): {names}", ""]
    lines += [
        "[Reference sheets of MOBILE](mobile.md): every class of `motorik.mobile`.",
        "",
        "Results show these variables of every port, by its name:",
        "",
        *port_variables(),
    ]
    return "\n".join(lines).rstrip() + "\n"


def make_dictionary() -> str:
    """Return the page that names Modelica's types and what stands for them here."""
    from motorik.exchange.modelica.registry import PARTS

    shown_in: dict[type[Part], str] = {}
    for window in WINDOWS:
        for name, kind in public_parts(window).items():
            shown_in.setdefault(kind, f"[`{window}.{name}`]({window}.md#{name.lower()})")
    rows = []
    for name, entry in sorted(PARTS.items()):
        is_library = name.startswith("Modelica.") and ".Examples." not in name
        if is_library and entry.part in shown_in:
            others = {
                f"{feature} other than {' or '.join(values)}"
                for feature, values in entry.only.items()
            }
            without = {f"{feature} = false" for feature in entry.always}
            missing = sorted(entry.absent | without | others)
            absent = ", ".join(f"`{feature}`" for feature in missing)
            rows.append(
                (f"`{name.removeprefix('Modelica.')}`", shown_in[entry.part], absent)
            )
    head = (ROOT / "scripts" / "catalogue" / "modelica_head.md").read_text(encoding="utf-8")
    lines = table(("Modelica.", "motorik.", "what it has not"), rows)
    return "\n".join([head, *lines]).rstrip() + "\n"


def make_sheets() -> str:
    """Return the reference sheets of MOBILE: every class and function of `motorik.mobile`."""
    from motorik import mobile

    lines = [
        "# Reference sheets of MOBILE",
        "",
        "`motorik.mobile`: every class with its call, its meaning, methods and properties, as",
        "part II of the user's guide has them. [MOBILE in motorik](../mobile.md) names",
        "the classes of the guide. Written by `scripts/make_catalogue.py` from the docstrings.",
        "",
    ]
    own = {name: getattr(mobile, name) for name in mobile.__all__}
    kinds = {name: one for name, one in own.items() if callable(one)}
    links = (f"[`{name}`](#{name.lower()})" for name in kinds)
    lines += [", ".join(links) + ".", ""]
    for name, one in kinds.items():
        lines += sheet(name, one)
    return "\n".join(lines).rstrip() + "\n"


def sheet(name: str, one: Callable[..., object]) -> list[str]:
    """Return the reference sheet of a class or function."""
    text = inspect.getdoc(one) or ""
    lines = [f"## {name}", "", f"`{name}{call_of(one)}`", ""]
    lines += ["```text", *text.split("\n"), "```", ""] if text else []
    if not isinstance(one, type):
        return lines
    rows = []
    for member in sorted(dir(one)):
        found = inspect.getattr_static(one, member)
        home = next((base for base in one.__mro__ if member in vars(base)), object)
        inner = getattr(found, "__func__", getattr(found, "fget", found))
        if member.startswith("_") or not home.__module__.startswith("motorik."):
            continue
        if inspect.isfunction(inner):
            first = (inspect.getdoc(inner) or "").split("\n")[0]
            shape = "" if isinstance(found, property) else call_of(inner)
            rows.append((f"`{member}{shape}`", first))
    return [*lines, *table(("method or property", "meaning"), rows)]


def call_of(one: Callable[..., object]) -> str:
    """Return the arguments of a call, without types."""
    try:
        given = inspect.signature(one).parameters.values()
    except (TypeError, ValueError):
        return "(…)"
    plain = [p.replace(annotation=p.empty) for p in given if p.name != "self"]
    hidden = [
        p.replace(default=inspect.Parameter.empty if p.default is p.empty else ...)
        for p in plain
    ]
    return str(inspect.Signature(hidden)).replace("Ellipsis", "…")


def make_pages() -> dict[Path, str]:
    """Return all pages by their files."""
    pages = {PAGES / f"{window}.md": make_page(window) for window in WINDOWS}
    others = {
        PAGES / "modelica.md": make_dictionary(),
        PAGES / "mobile.md": make_sheets(),
    }
    return {PAGES / "README.md": make_index(), **pages, **others}


def main() -> None:
    """Write all pages."""
    PAGES.mkdir(parents=True, exist_ok=True)
    for file, text in make_pages().items():
        file.write_text(text, encoding="utf-8")
        print(file.relative_to(ROOT))


if __name__ == "__main__":
    main()
