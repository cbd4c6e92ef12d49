"""Print figures of the source: its size, its words, and the order in which a run uses it.

    python scripts/house.py            # all figures
    python scripts/house.py --static   # those of the text alone: nothing is run

A name of a class may be defined more than once where users write it behind a namespace, as
`rotational.Damper` and `translational.Damper`; inside the package each name means one class.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "motorik"

# Words that NOTATION.md has replaced by those of the field, as parts of names.
RETIRED = {
    "anew": "again",
    "approach": "assembly residual",
    "asked": "requested, sampled",
    "bend": "minimum of an event function",
    "bends": "minima of event functions",
    "carrier": "rigid group",
    "carriers": "rigid groups",
    "enforced": "with a multiplier",
    "firing": "triggers",
    "happened": "events",
    "happenings": "events",
    "hits": "impacts",
    "kink": "discontinuity",
    "kinks": "discontinuities",
    "looks": "visuals",
    "slips": "nonsmooth constraints",
    "staging": "scene building",
    "survey": "mobility analysis",
    "told": "message",
    "watched": "sampled event functions",
    "winding": "unwrapping",
    "winds": "unwraps",
    "wound": "unwrapped",
}
# The stages of a run in order, and the functions with which each begins its work.
STAGES = {
    "assemble": ("topology.inventory.take_inventory", "topology.assemble.grow_tree"),
    "formulate": (
        "loops.mobility.analyse_mobility",
        "loops.decomposition.decompose_clusters",
        "loops.decide.decide",
    ),
    "compile": ("system.natives._make",),
    "initialise": ("initialisation.search.run",),
    "integrate": ("simulation.run.through",),
    "result": ("results.model_result.make_result",),
}


def sources() -> dict[str, Path]:
    """Return all files of the package by the names of their modules."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        found[name] = path
    return found


def tree_of(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"))


def repeated_classes() -> dict[str, list[str]]:
    """Return the names of classes at the top of more than one module, with these modules."""
    homes: defaultdict[str, list[str]] = defaultdict(list)
    for module, path in sources().items():
        for node in tree_of(path).body:
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(module)
    return {name: found for name, found in sorted(homes.items()) if len(found) > 1}


def defined_names(path: Path) -> Iterator[str]:
    """Yield the names that a file defines: modules, classes, functions, arguments, fields."""
    yield path.stem
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.ClassDef | ast.FunctionDef):
            yield node.name
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr


def words_of(name: str) -> set[str]:
    """Return the words of a name in small letters: `EventLog` and `event_log` alike."""
    parts = re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z0-9]+", name)
    return {part.lower() for part in parts}


def retired_names() -> Counter[str]:
    """Return how often names contain a retired word."""
    counts: Counter[str] = Counter()
    for path in sources().values():
        for name in set(defined_names(path)):
            counts.update(words_of(name) & RETIRED.keys())
    return counts


def importers() -> dict[str, set[str]]:
    """Return the modules that import each module."""
    known = sources()
    found: defaultdict[str, set[str]] = defaultdict(set)
    for module, path in known.items():
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.ImportFrom) and node.module in known:
                for alias in node.names:
                    full = f"{node.module}.{alias.name}"
                    found[full if full in known else node.module].add(module)
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    found[alias.name].add(module)
    return found


def fragments() -> list[tuple[str, str]]:
    """Return modules that only one other module of their own folder imports."""
    found = []
    for module, own in importers().items():
        others = own - {module}
        if module not in sources() or sources()[module].stem == "__init__":
            continue
        if len(others) == 1:
            (other,) = others
            if other.rpartition(".")[0] == module.rpartition(".")[0]:
                found.append((module, other))
    return sorted(found)


def definitions(pattern: str) -> list[str]:
    """Return where names at the top of modules match a pattern."""
    found = []
    for module, path in sources().items():
        for node in tree_of(path).body:
            names: list[str] = []
            if isinstance(node, ast.Assign):
                names = [t.id for t in node.targets if isinstance(t, ast.Name)]
            elif isinstance(node, ast.FunctionDef | ast.ClassDef):
                names = [node.name]
            found += [f"{module}.{name}" for name in names if re.fullmatch(pattern, name)]
    return found


def run_python(program: str) -> Any:
    """Return what a program prints last, as JSON, in a new process."""
    run = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    return json.loads(run.stdout.splitlines()[-1])


LOADED = """
import json, sys
from motorik.gallery import Pendulum
Pendulum().simulate(1.0)
print(json.dumps(sorted(m for m in sys.modules if m.split(".")[0] == "motorik")))
"""

ROOMS = """
import json, sys
from motorik.gallery import EngineV6
stages = STAGES
order = list(stages)
stage_of = {"motorik." + name: stage for stage, names in stages.items() for name in names}
packages = ("topology", "motion", "loops", "system", "initialisation", "simulation", "results")
calls, changes, last, seen = 0, 0, None, []
def profile(frame, event, arg):
    global calls, changes, last
    if event != "call":
        return
    name = frame.f_globals.get("__name__", "")
    if not name.startswith("motorik."):
        return
    calls += 1
    whole = f"{name}.{frame.f_code.co_name}"
    if whole in stage_of:
        seen.append((whole, stage_of[whole], str(frame.f_locals.get("name", ""))))
    package = name.split(".")[1]
    if package in packages and package != last:
        changes, last = changes + 1, package
model = EngineV6()
sys.setprofile(profile)
model.simulate(0.01)
sys.setprofile(None)
furthest, again = 0, []
for whole, stage, what in seen:
    at = order.index(stage)
    if at < furthest:
        again.append(f"{whole.removeprefix('motorik.')}({what}) after {order[furthest]} began")
    furthest = max(furthest, at)
print(json.dumps([calls, changes, again]))
"""

IMPORT = """
import json, time
began = time.perf_counter()
import motorik
print(json.dumps(time.perf_counter() - began))
"""


def print_figure(name: str, value: object, unit: str) -> None:
    """Print one figure."""
    print(f"RESULT house.{name} {value} {unit}")


def print_static() -> None:
    """Print the figures of the text."""
    known = sources()
    lines = sum(len(p.read_text(encoding="utf-8").splitlines()) for p in known.values())
    print_figure("files", len(known), "files")
    print_figure("lines", lines, "lines")
    print_figure("fragments", len(fragments()), "modules with one importer in their folder")
    repeated = repeated_classes()
    for name, homes in repeated.items():
        print(f"  {name}: {', '.join(homes)}")
    print_figure("repeated_classes", len(repeated), "names")
    retired = retired_names()
    for word, count in sorted(retired.items()):
        print(f"  {word}: {count}, in the words of the field: {RETIRED[word]}")
    print_figure("retired_names", retired.total(), "names")
    for name, pattern in (
        ("rounding", "ROUNDING|EPSILON"),
        ("newton", ".*[Nn]ewton.*"),
        ("factorisations", ".*(factor|cholesky|lu_|_lu|qr_).*"),
    ):
        found = definitions(pattern)
        print(f"  {name}: {', '.join(found)}")
        print_figure(f"definitions.{name}", len(found), "definitions")


def print_runs() -> None:
    """Print the figures of runs, each in a process of its own."""
    loaded = run_python(LOADED)
    print_figure("modules_of_a_pendulum", len(loaded), "modules")
    calls, changes, again = run_python(ROOMS.replace("STAGES", repr(STAGES)))
    for entry in again:
        print(f"  {entry}")
    print_figure("calls_of_engine_v6", calls, "calls")
    print_figure("changes_of_room", changes, "changes")
    print_figure("stages_entered_again", len(again), "times")
    times = [run_python(IMPORT) for _ in range(5)]
    print_figure("import", f"{min(times):.3f}", "s")


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--static", action="store_true", help="nothing is run")
    options = parser.parse_args()
    print_static()
    if not options.static:
        print_runs()


if __name__ == "__main__":
    main()
