"""Print figures of the source: size, words, the order in which a run uses it, times.

    python scripts/house.py            # all figures
    python scripts/house.py --static   # those of the text alone: nothing is run
    python scripts/house.py --suite    # also the time of all tests and of the short ones

A name of a class is defined once in each namespace. Two namespaces may share a name, as users
write `rotational.Damper` and `translational.Damper`, which are the names of the Modelica library:
`RotationalDamper` behind `rotational.` would say the same twice, and an alias of another name would
show in `help` and `repr` a name that nobody can call.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import json
import re
import subprocess
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "src" / "motorik"

# Words that NOTATION.md has replaced by those of the field, as parts of names.
RETIRED = {
    "anew": "again",
    "approach": "assembly residual",
    "asked": "requested, sampled",
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
    "compile": ("system.native_functions._make",),
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


@cache
def tree_of(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Return all nodes of a file."""
    return tuple(ast.walk(tree_of(path)))


def statements_of(tree: ast.AST) -> Iterator[ast.stmt]:
    """Yield all statements below a node, at any depth; expressions are passed over."""
    for field in ("body", "handlers", "orelse", "finalbody", "cases"):
        for node in getattr(tree, field, ()):
            if isinstance(node, ast.stmt):
                yield node
            yield from statements_of(node)


# The public namespaces behind which users write names, by the modules that define them.
NAMESPACES = {
    "motorik.algebra": "algebra",
    "motorik.components.base": "authoring",
    "motorik.components.base.choices": "kinds",
    "motorik.components.base.kinds": "kinds",
    **{
        f"motorik.components.{name}": name
        for name in (
            "blocks",
            "electrical",
            "forces",
            "heat",
            "hydraulic",
            "magnetic",
            "rotational",
            "sensors",
            "translational",
        )
    },
    "motorik.components.visualizers": "visualizers",
    "motorik.mobile": "mobile",
    "motorik.planar": "planar",
    "motorik.view.chains.scene": "mobile",
}


def namespace_of(module: str) -> str:
    """Return the public namespace of a module; all others share that of `motorik`."""
    while module and module not in NAMESPACES:
        module = module.rpartition(".")[0]
    return NAMESPACES.get(module, "motorik")


def class_homes() -> dict[str, list[str]]:
    """Return the modules that define each name of a class."""
    homes: defaultdict[str, list[str]] = defaultdict(list)
    for module, path in sources().items():
        for node in tree_of(path).body:
            if isinstance(node, ast.ClassDef):
                homes[node.name].append(module)
    return homes


def repeated_classes() -> dict[str, list[str]]:
    """Return the names of several classes of one namespace, with the modules of all of them."""
    found = {}
    for name, homes in sorted(class_homes().items()):
        if len(set(map(namespace_of, homes))) < len(homes):
            found[name] = homes
    return found


def shared_names() -> dict[str, list[str]]:
    """Return the names of classes that several namespaces have, with these namespaces."""
    homes = {name: [*map(namespace_of, own)] for name, own in class_homes().items()}
    return {name: own for name, own in sorted(homes.items()) if len(set(own)) > 1}


def defined_names(path: Path) -> Iterator[str]:
    """Yield the names that a file defines: modules, classes, functions, arguments, fields."""
    yield path.stem
    for node in nodes_of(path):
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


FREE_RELATIVE = re.compile(
    r"(?:^|(?<=[.] ))(?:What|Whatever|Whoever|(?:Return|Yield|Write|Take) what)\b[^.?]*"
)


def free_relatives() -> list[str]:
    """Return sentences of docstrings that begin with "What …" instead of naming the thing."""
    found = []
    for module, path in sources().items():
        for node in (tree_of(path), *statements_of(tree_of(path))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                text = " ".join((ast.get_docstring(node) or "").split())
                found += [f"{module}: {own}" for own in FREE_RELATIVE.findall(text)]
    return found


FIRST_NAME = re.compile(r"([A-Z][a-z0-9]+[A-Z]\w*):")
QUOTED_NAME = re.compile(r"(?<!`)`([A-Z][a-z0-9]+[A-Z]\w*|\w+\.py)`(?!`)")


def words_outside_docstrings(path: Path) -> set[str]:
    """Return all words of a file but those of docstrings."""
    text = path.read_text(encoding="utf-8")
    return set(re.findall(r"\w+", re.sub(r'""".*?"""', "", text, flags=re.DOTALL)))


def stale_names() -> list[str]:
    """Return names of classes and files in docstrings that do not exist any more.

    A docstring that begins with `Name:` names something that its module defines; a quoted name
    or file is one of the package.
    """
    files = sources().values()
    known = {*dir(builtins), *(path.name for path in files)}
    known = known.union(*map(words_outside_docstrings, files))
    found = []
    for module, path in sources().items():
        for node in (tree_of(path), *statements_of(tree_of(path))):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                text = ast.get_docstring(node) or ""
                first = FIRST_NAME.match(text)
                own = [] if first is None or first[1] in defined_names(path) else [first[1]]
                own += [name for name in QUOTED_NAME.findall(text) if name not in known]
                found += [f"{module}: {name}" for name in own]
    return found


def importers() -> dict[str, set[str]]:
    """Return the modules that import each module."""
    known = sources()
    found: defaultdict[str, set[str]] = defaultdict(set)
    for module, path in known.items():
        for node in statements_of(tree_of(path)):
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


def is_epsilon(node: ast.AST) -> bool:
    """Return whether an expression is the machine epsilon, by whatever name or number."""
    if isinstance(node, ast.Attribute):
        return re.search("finfo|float_info", ast.unparse(node.value)) is not None and (
            node.attr in ("eps", "epsilon")
        )
    return isinstance(node, ast.Constant) and node.value == sys.float_info.epsilon


def named_constants(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """Yield the names in capitals that a module or its classes assign, with their values."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and len(node.targets) == 1:
            target, values = node.targets[0], [node.value]
            names = [target]
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                names, values = target.elts, node.value.elts
            for name, value in zip(names, values, strict=False):
                if isinstance(name, ast.Name) and name.id.isupper():
                    yield name.id, value


def rounding_definitions() -> list[str]:
    """Return the modules that define rounding: the machine epsilon, or a name for it."""
    found = set()
    for module, path in sources().items():
        tree = tree_of(path)
        if any(map(is_epsilon, ast.walk(tree))):
            found.add(module)
        for name, _ in named_constants(tree):
            if re.fullmatch("_?(ROUNDING|EPSILON|EPS)S?", name):
                found.add(module)
    return sorted(found)


def small_constants() -> list[str]:
    """Return named numbers below 1e-5 outside the table of tolerances and of pictures."""
    found = []
    for module, path in sources().items():
        if module == "motorik.numerics.tolerances" or ".view." in module:
            continue
        for name, value in named_constants(tree_of(path)):
            number = value.value if isinstance(value, ast.Constant) else None
            if isinstance(number, float) and 0.0 < number < 1e-5:
                found.append(f"{module}.{name}")
    return found


def called(node: ast.AST) -> str:
    """Return the last name of what is called, "" if it is no call of a name."""
    if not isinstance(node, ast.Call):
        return ""
    return getattr(node.func, "attr", getattr(node.func, "id", ""))


def functions() -> Iterator[tuple[str, ast.FunctionDef]]:
    """Yield all functions of the package with their full names."""
    for module, path in sources().items():
        for node in statements_of(tree_of(path)):
            if isinstance(node, ast.FunctionDef):
                yield f"{module}.{node.name}", node


LINEAR = re.compile(
    "lstsq|pinv|inv|solve|substitute|_?inverse|shortest|regularised|"
    "(find|damped|square|regularised|selected|shortest|newton|pose)_step"
)


def newton_iterations() -> list[str]:
    """Return functions of Newton's method, by what they do or by their name.

    They have a counted loop that solves linear equations and may be left.
    """
    found = []
    for name, function in functions():
        if re.fullmatch("[a-z].*newton.*|newton.*", function.name):
            found.append(name)
            continue
        for loop in ast.walk(function):
            is_counted = isinstance(loop, ast.For) and called(loop.iter) == "range"
            if not (is_counted or isinstance(loop, ast.While)):
                continue
            inside = list(ast.walk(loop))
            solves = any(LINEAR.fullmatch(called(node)) for node in inside)
            if solves and any(isinstance(n, ast.Break | ast.Return) for n in inside):
                found.append(name)
                break
    return found


def is_update(node: ast.AST) -> bool:
    """Return whether a product is subtracted from an element: a step of an elimination."""
    if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Sub):
        is_element = isinstance(node.target, ast.Subscript)
        product = (isinstance(n, ast.BinOp | ast.Name) for n in ast.walk(node.value))
        return is_element and "*" in ast.unparse(node.value) and any(product)
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
        value = node.value
        return called(value) == "sub" and any(called(n) == "mul" for n in ast.walk(value))
    return False


def elimination_depth(node: ast.AST, depth: int = 0) -> int:
    """Return how many loops lie around the innermost such step."""
    depth += isinstance(node, ast.For | ast.While)
    own = depth if is_update(node) else 0
    inner = (elimination_depth(n, depth) for n in ast.iter_child_nodes(node))
    return max(own, max(inner, default=0))


def factorisations() -> list[str]:
    """Return functions with products subtracted in three loops that divide or take roots."""
    found = []
    for name, function in functions():
        divides = any(
            isinstance(n, ast.Div) or called(n) in ("div", "sqrt", "dot4")
            for n in ast.walk(function)
        )
        if divides and elimination_depth(function) >= 3:
            found.append(name)
    return found


# The home of each kind of decomposition, and of Newton's method.
DECOMPOSITIONS = {
    "motorik.numerics.lu": "LU, dense",
    "motorik.numerics.cholesky": "Cholesky, pivoted",
    "motorik.numerics.least_squares": "orthogonal, least squares",
    "motorik.algebra.linear_system": "LDL of scalars of any kind",
    "motorik.numerics.sparse_elimination": "square sparse, orders at samples, straight-line",
    "motorik.dynamics.sparse": "symmetric sparse, straight-line",
}
NEWTON = {
    "motorik.numerics.newton": "least squares, damped",
    "motorik.numerics.continuation": "square equations, on a branch",
}
# Iterations that differ in kind, and loops that only look like one of these methods.
OF_OTHER_KIND = {
    "motorik.numerics.traced_newton": "a fixed number of steps, traced",
    "motorik.nonsmooth.laws.force_bounds": "the same, by tangents of force bounds",
    "motorik.simulation.methods.bdf": "simplified, of implicit integration",
    "motorik.simulation.methods.radau": "simplified, of three stages together",
    "motorik.nonsmooth.complementarity.friction_cones": "of smoothed complementarity",
    "motorik.loops.nearest_branch": "least distance along a constraint manifold",
    "motorik.loops.pose_sampling": "a walk along a constraint manifold",
    "motorik.analysis.friction": "active sets of drives",
    "motorik.sensitivity.fitting": "least residuals of data, which do not vanish",
    "motorik.system.multipliers": "iterative refinement of normal equations",
    "motorik.simulation.stiffness": "Arnoldi's basis of a few products of a Jacobian",
    "motorik.motion.drive_lines": "equations of drive lines, by names of unknowns",
    "motorik.gallery.motor_chain": "a model as a user writes it",
}


def print_homes(name: str, found: list[str], homes: dict[str, str], unit: str) -> None:
    """Print the homes of a method, what is of another kind, and the copies elsewhere.

    The figure is the number of definitions of each kind: one, and one more for each copy.
    """
    modules = {function.rpartition(".")[0] for function in found}
    for table, title in ((homes, "home"), (OF_OTHER_KIND, "of another kind")):
        for module in sorted(modules & table.keys()):
            print(f"  {name}, {title}: {module}, {table[module]}")
    copies = sorted(modules - homes.keys() - OF_OTHER_KIND.keys())
    print(f"  {name}, elsewhere: {', '.join(copies) or 'nowhere'}")
    own = int(bool(modules & homes.keys()))
    print_figure(f"definitions.{name}", own + len(copies), unit)


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


COLD_START = """
import json
from benchmarks.fresh import empty_cache, run_python
code = "from benchmarks.ours import simulate_once; simulate_once()"
with empty_cache() as filled:
    run_python(code, filled)
    print(json.dumps(min(run_python(code, filled)[0] for _ in range(10))))
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
    print_figure("repeated_classes", len(repeated), "names in one namespace")
    shared = shared_names()
    for name, namespaces in shared.items():
        print(f"  {name}: {', '.join(f'{own}.{name}' for own in namespaces)}")
    print_figure("shared_classes", len(shared), "names in several namespaces")
    retired = retired_names()
    for word, count in sorted(retired.items()):
        print(f"  {word}: {count}, in the words of the field: {RETIRED[word]}")
    print_figure("retired_names", retired.total(), "names")
    print_figure("free_relatives", len(free_relatives()), "sentences of docstrings")
    print_figure("stale_names", len(stale_names()), "names in docstrings")
    print_numerics()


def print_numerics() -> None:
    """Print how often rounding, Newton's method and each decomposition are defined."""
    rounding = rounding_definitions()
    print(f"  rounding: {', '.join(rounding)}")
    print_figure("definitions.rounding", len(rounding), "modules")
    small = small_constants()
    print(f"  small constants outside the table: {', '.join(small) or 'none'}")
    print_figure("small_constants", len(small), "names")
    print_homes("newton", newton_iterations(), NEWTON, "rooms")
    print_homes("factorisations", factorisations(), DECOMPOSITIONS, "of each kind")


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
    print_figure("cold_start.again", f"{run_python(COLD_START):.3f}", "s")


def print_suite() -> None:
    """Print the time of the tests, on two cores, and of those that are not slow."""
    command = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "worksteal", "-q"]
    for name, more in (("suite", []), ("suite.short", ["-m", "not slow"])):
        began = time.perf_counter()
        run = subprocess.run([*command, *more], cwd=ROOT, capture_output=True, text=True)
        spent = time.perf_counter() - began
        print(f"  {name}: {run.stdout.splitlines()[-1]}")
        print_figure(name, f"{spent / 60.0:.1f}", "minutes")


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--static", action="store_true", help="nothing is run")
    parser.add_argument("--suite", action="store_true", help="all tests are run, too")
    options = parser.parse_args()
    print_static()
    if not options.static:
        print_runs()
    if options.suite:
        print_suite()


if __name__ == "__main__":
    main()
