"""The package is a house: every room may know only some others, and heavy guests are fenced."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

import motorik
from motorik.names import LAZY, MODULES
from tests.package_source import PACKAGE, statements_of, tree_of

LOWER = {"errors", "algebra", "immutable", "names", "numerics.tolerances"}
PARTS = {*LOWER, "elements", "equations", "components"}
WINDOWS = {
    *("assemblies", "blocks", "constraints", "electrical", "forces"),
    *("heat", "hydraulic", "joints", "magnetic"),
    *("parts", "rotational", "sensors", "translational", "visualizers"),
}
# packages whose parts have places of their own in the order, each a room
DIVIDED = {
    "numerics.tolerances",
    *("nonsmooth.memory", "nonsmooth.laws", "nonsmooth.complementarity"),
    *("nonsmooth.detection", "nonsmooth.application", "simulation.stepping"),
}
ROOMS = (
    *("topology", "dynamics", "motion", "loops"),
    *("nonsmooth.memory", "nonsmooth.laws"),
    *("system", "initialisation", "simulation.stepping"),
    *("nonsmooth.complementarity", "nonsmooth.detection", "nonsmooth.application"),
    "simulation",
)
EVERYTHING = {
    *PARTS,
    *WINDOWS,
    *ROOMS,
    "analysis",
    "authoring",
    "checks",
    "compiled_model",
    "compiler",
    "ensembles",
    "exchange",
    "functions",
    "gallery",
    "mobile",
    "model",
    "numerics",
    "pipeline",
    "planar",
    "prepared_run",
    "progress",
    "results",
    "sensitivity",
    "stored",
    "units",
    "view",
}


def before(room: str) -> set[str]:
    """Return the rooms that a model passes before this one, on its way to a result."""
    return set(ROOMS[: ROOMS.index(room)])


MAY_KNOW = {
    "__main__": {"view"},
    "errors": set(),
    "immutable": set(),
    "names": {"errors"},
    "numerics.tolerances": set(),
    "algebra": {"errors", "names", "numerics.tolerances"},
    "progress": set(),
    "source_layout": {"immutable"},
    "elements": {*LOWER, "numerics"},
    "equations": {*LOWER, "numerics"},
    "components": {*LOWER, "elements", "equations"},
    **{name: {"components", "names"} for name in WINDOWS},
    "authoring": PARTS,
    "functions": {"algebra", "names"},
    "units": {"errors", "immutable", "names", "components"},
    "compiler": LOWER,
    "numerics": {*LOWER, "compiler"},
    "topology": {*PARTS, "numerics"},
    "dynamics": {*PARTS, "topology", "numerics"},
    "motion": {*PARTS, *before("motion"), "numerics"},
    "loops": {*PARTS, *before("loops"), "compiler", "numerics", "progress"},
    "nonsmooth": set(),
    "nonsmooth.memory": {*LOWER, "compiler", "numerics"},
    "nonsmooth.laws": {*PARTS, *before("nonsmooth.laws"), "compiler", "numerics"},
    "system": {*PARTS, *before("system"), "compiler", "numerics", "progress"},
    "initialisation": {
        *PARTS,
        *before("initialisation"),
        "compiler",
        "numerics",
        "results",
    },
    "simulation.stepping": {*LOWER, "compiler", "numerics", "nonsmooth.memory"},
    **{
        f"nonsmooth.{name}": {
            *PARTS,
            *before(f"nonsmooth.{name}"),
            *("compiler", "numerics", "results"),
        }
        for name in ("complementarity", "detection", "application")
    },
    "simulation": {
        *LOWER,
        *before("simulation"),
        *("components", "compiler", "numerics", "results", "progress"),
    },
    "analysis": {*PARTS, *before("simulation"), "compiler", "numerics", "results"},
    "sensitivity": {*PARTS, *ROOMS, "analysis", "compiler", "results"},
    "stored": {*PARTS, *before("simulation"), "compiler", "numerics"},
    "compiled_model": {*PARTS, *before("simulation"), "compiler", "numerics", "stored"},
    "pipeline": {*PARTS, *ROOMS, "compiled_model", "compiler", "results", "stored"},
    "prepared_run": {
        *PARTS,
        *ROOMS,
        *("compiled_model", "ensembles", "pipeline", "results"),
    },
    "ensembles": {*PARTS, *ROOMS, "prepared_run", "progress", "results"},
    "results": LOWER,
    "checks": {
        *PARTS,
        *before("simulation"),
        "compiler",
        "numerics",
        "mobile",
        "model",
        "results",
    },
    "visible": {"components", "errors"},
    "model": {
        "visible",
        *(
            EVERYTHING
            - {"view", "exchange", "gallery", "planar", "checks", "mobile"}
            - {"documents"}
        ),
    },
    "mobile": {
        *PARTS,
        *before("initialisation"),
        *("compiler", "numerics", "simulation", "simulation.stepping", "results"),
        "source_layout",
    },
    "planar": {*PARTS, "model"},
    "learning": {"errors", "model", "simulation"},
    "documents": {
        *PARTS,
        *WINDOWS,
        *("functions", "model", "planar", "simulation", "source_layout", "units"),
    },
    "gallery": EVERYTHING - {"view", "exchange"},
    "view": {*EVERYTHING, "documents", "source_layout"},
    "exchange": {*EVERYTHING, "documents"},
}
MAY_KNOW_LATER = {
    "compiled_model": {"analysis", "sensitivity", "simulation"},
    "nonsmooth.application": {"compiled_model"},
    "results": {"view"},
    "visible": {"results", "initialisation", "view"},
    "model": {"view", "exchange", "documents"},
    "mobile": {"view"},
}

FENCED = {
    "imageio_ffmpeg": {"view"},
    "casadi": {
        "equations",
        "topology",
        *("motion", "loops", "nonsmooth.laws", "system", "initialisation", "analysis"),
        "sensitivity",
        "nonsmooth.application",
        *("compiler", "numerics", "mobile", "checks"),
    },
    "llvmlite": {"compiler"},
    "numba": set(),
    "scipy": set(),
    "matplotlib": {"view"},
    "mpl_toolkits": {"view"},
    "PIL": {"view"},
    "trimesh": {"view"},
    "xarray": {"ensembles", "results"},
    "pandas": {"results"},
}


def room_of(path: Path) -> str:
    """Return the room a file belongs to: its folder, or the file itself in the hall."""
    return room_named(".".join(path.relative_to(PACKAGE).with_suffix("").parts))


def room_named(module: str) -> str:
    """Return the room of a module of the package, or of a name in it."""
    first, _, rest = module.partition(".")
    inner = f"{first}.{rest.partition('.')[0]}"
    return inner if inner in DIVIDED else first


def imports(statements: Iterable[ast.stmt]) -> Iterator[tuple[str, int]]:
    """Yield the full names that statements import, with their lines."""
    for node in statements:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                yield "." * node.level + (node.module or ""), node.lineno
            elif node.module == "motorik":
                for alias in node.names:
                    yield f"motorik.{alias.name}", node.lineno
            else:
                yield str(node.module), node.lineno


def is_for_types_only(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)


def without_types(tree: ast.Module) -> ast.Module:
    """Return a module without what only types need."""
    return ast.Module([node for node in tree.body if not is_for_types_only(node)], [])


def run_at_import(tree: ast.AST) -> Iterator[ast.stmt]:
    """Yield the statements that run when their module is imported."""
    for node in ast.iter_child_nodes(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.expr):
            if isinstance(node, ast.stmt):
                yield node
            yield from run_at_import(node)


@cache
def at_import(tree: ast.Module) -> list[tuple[str, int]]:
    """Return what is imported when the module is, without what only types need."""
    return list(imports(run_at_import(without_types(tree))))


@cache
def at_run(tree: ast.Module) -> list[tuple[str, int]]:
    """Return everything that is imported sooner or later, without what only types need."""
    return list(imports(statements_of(without_types(tree))))


def forbidden_rooms(room: str, tree: ast.Module) -> list[str]:
    """Return the imports of a file of this room that its doors do not allow."""
    found = []
    for names, allowed in (
        (at_import(tree), MAY_KNOW[room]),
        (at_run(tree), MAY_KNOW[room] | MAY_KNOW_LATER.get(room, set())),
    ):
        for name, line in names:
            if name.startswith("."):
                found.append(f"line {line}: relative import {name}")
            elif name.split(".")[0] == "motorik":
                other = room_named(name.removeprefix("motorik").removeprefix("."))
                if room == "gallery" and other in motorik.__all__:
                    continue  # models are written as users write them
                if other not in {*allowed, room}:
                    found.append(f"line {line}: {room} may not know {name}")
    return found


def forbidden_packages(room: str, tree: ast.Module) -> list[str]:
    """Return the imports of fenced packages outside their rooms, or too early."""
    early = at_import(tree)
    found = []
    for name, line in at_run(tree):
        package = name.split(".")[0]
        if package in FENCED and room not in FENCED[package]:
            found.append(f"line {line}: {package} does not belong in {room}")
        elif package in FENCED and (name, line) in early:
            found.append(f"line {line}: import {package} inside the function that needs it")
    return found


SOURCES = sorted(path for path in PACKAGE.rglob("*.py") if path != PACKAGE / "__init__.py")


def offences(forbidden: Callable[[str, ast.Module], list[str]]) -> dict[str, list[str]]:
    """Return the files of the package that import what a rule forbids, and what this is."""
    found = {
        str(path.relative_to(PACKAGE)): forbidden(room_of(path), tree_of(path))
        for path in SOURCES
    }
    return {name: lines for name, lines in found.items() if lines}


def test_doors_open_one_way():
    assert offences(forbidden_rooms) == {}


def rooms_of_the_architecture() -> dict[str, set[str]]:
    """Return the table of ARCHITECTURE.md: packages, and those that its last column names."""
    text = (PACKAGE.parents[1] / "ARCHITECTURE.md").read_text(encoding="utf-8")
    table = text.partition("\n## Rooms\n")[2].partition("\n\n`tests")[0]
    found: dict[str, set[str]] = {}
    for line in table.splitlines()[3:]:
        names, *_, known = (cell.strip() for cell in line.strip("|").split("|"))
        rooms = set(re.findall(r"[a-z]+", known)) - {"laws", "the", "rest", "stepping"}
        for name in re.findall(r"`([a-z]+)`", names):
            found[name] = rooms
    return found


def test_the_architecture_describes_the_packages_there_are():
    """Each package may import what its line names, and what these may import."""
    table = rooms_of_the_architecture()
    packages = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    assert table.keys() == packages
    for name, known in table.items():
        below, more = set(), set(known)
        while more:
            below |= more
            more = set().union(*(table.get(own, set()) for own in more)) - below
        real = {
            other.split(".")[1]
            for path in (PACKAGE / name).rglob("*.py")
            for other, _ in at_import(tree_of(path))
            if other.startswith("motorik.") and other != "motorik.numerics.tolerances"
        }
        if "everything" not in below:
            assert real & packages - {name} <= below, name


def test_the_architecture_is_read_in_one_go():
    assert (PACKAGE.parents[1] / "ARCHITECTURE.md").stat().st_size <= 12 * 1024


def test_heavy_packages_stay_in_their_rooms():
    assert offences(forbidden_packages) == {}


def test_modules_of_the_package_are_imported_by_from():
    """The digest of the source of kernels follows this form of import only."""
    for path in SOURCES:
        for node in statements_of(tree_of(path)):
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
                assert not [name for name in names if name.startswith("motorik.")], path


def test_a_closed_door_is_noticed():
    assert forbidden_rooms(
        "algebra", ast.parse("from motorik.elements import RevolutePair")
    )
    assert forbidden_rooms(
        "compiler", ast.parse("def f():\n    import motorik.topology.tree")
    )
    assert forbidden_rooms(
        "results", ast.parse("from motorik.view.plots import plot_result")
    )
    assert forbidden_rooms("elements", ast.parse("from . import joint"))
    assert not forbidden_rooms(
        "results", ast.parse("def f():\n    from motorik.view import plots")
    )
    assert not forbidden_rooms("view", ast.parse("from motorik import gallery"))


def test_a_guest_in_the_wrong_room_is_noticed():
    assert forbidden_packages("algebra", ast.parse("def f():\n    import casadi"))
    assert forbidden_packages("compiler", ast.parse("import llvmlite.binding"))
    assert forbidden_packages("simulation", ast.parse("from numba import njit"))
    assert forbidden_packages("view", ast.parse("class A:\n    import matplotlib.pyplot"))
    assert not forbidden_packages(
        "compiler", ast.parse("class A:\n    def f(self):\n        import llvmlite")
    )
    assert not forbidden_packages(
        "assembly",
        ast.parse("from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import casadi"),
    )


def test_importing_motorik_loads_nothing_heavy():
    program = "import sys, motorik; print(*sorted(m for m in sys.modules if '.' not in m))"
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    loaded = set(run.stdout.split())
    assert "motorik" in loaded
    assert loaded.isdisjoint({*FENCED, "h5netcdf", "rich"})


def test_no_module_needs_what_only_type_checkers_have():
    """A plain install has no typing_extensions: it stands below TYPE_CHECKING alone."""
    for path in PACKAGE.rglob("*.py"):
        names = [name for name, _ in at_import(tree_of(path))]
        assert "typing_extensions" not in names, path


# --- doors -----------------------------------------------------------------------------------

# The modules of each stage of the pipeline that other packages may import: its public face.
# All others are private. A new door is a decision: add it here, and say why in the commit.
FACES = {
    "equations": {"language", "ordering", "structure", "system", "template"},
    "topology": {
        "assemble",
        "assembled_model",
        "graph",
        "inventory",
        "law_states",
        "live_values",
        "mechanism",
        "networks",
        "planes",
        "signals",
        "state_variables",
        "tree",
    },
    "dynamics": {
        "articulated",
        "block_triangular",
        "composite_body",
        "compound",
        "elimination",
        "line_mass",
        "compliances",
        "massless",
        "reframe",
        "scaling",
        "sparse",
        "symmetric_order",
    },
    "motion": {
        "catalogue",
        "energy",
        "feedback",
        "joint_stiffness",
        "loads",
        "nonfinite_laws",
        "signal_rates",
        "steps",
        "traced",
        "tree_equations",
        "view",
    },
    "loops": {
        "assembled_pose",
        "branch_blocks",
        "constraint_blocks",
        "diagnosis",
        "equations_of_motion",
        "formulate",
        "formulation",
        "guesses",
        "mobility",
        "options",
        "position_problem",
        "scales",
    },
    "nonsmooth": {
        "application.driver_kernels",
        "application.event_log",
        "application.pasts",
        "application.run_events",
        "application.sliding_modes",
        "application.time_stepping",
        "laws.algebraic_loops",
        "laws.event_functions",
        "laws.forces",
        "laws.joint_constraints",
        "laws.response",
        "laws.state_events",
        "laws.time_events",
        "memory",
    },
    "system": {
        "equations",
        "guards",
        "kept_code",
        "layout",
        "multipliers",
        "native_functions",
        "output_samples",
        "parameters",
        "rigid_groups",
        "stages",
        "state_space",
    },
    "initialisation": {
        "branch_parameters",
        "branches",
        "consistency",
        "explain",
        "given",
        "initialise",
        "jumps",
        "memory",
        "network_guesses",
        "penetration",
        "quick_start",
        "reformulation",
        "request",
        "start",
    },
    "simulation": {
        "lanes",
        "initial_state",
        "integration",
        "model_integration",
        "options",
        "run",
        "simulator",
        "simulators",
        "stepping.step_kernels",
        "stepping.workspace",
    },
    "numerics": {
        "bounded_least_squares",
        "cholesky",
        "continuation",
        "eigenvalues",
        "implicit_functions",
        "least_squares",
        "linear_steps",
        "lu",
        "modes",
        "newton",
        "roots",
        "sparse_elimination",
        "sparse_matrix",
        "tolerances",
        "traced_newton",
        "vectors",
    },
    "sensitivity": {"code", "exported", "fitting", "gradient", "trajectory"},
    "analysis": {
        "branches",
        "configurations",
        "directional",
        "equilibrium",
        "evaluate",
        "kinematics",
        "linearization",
        "matrices",
        "modes",
        "operating_point",
        "pose_equations",
        "inverse_dynamics",
        "inverse_kinematics",
        "manipulator",
        "manipulator.code",
        "manipulator.outcome",
        "manipulator.follow",
        "manipulator.grip",
        "manipulator.manipulator",
    },
}


def crossed_doors() -> dict[str, set[str]]:
    """Return the modules of each package that others import."""
    found: dict[str, set[str]] = {}
    for path in SOURCES:
        own = path.relative_to(PACKAGE).parts[0].removesuffix(".py")
        for node in statements_of(tree_of(path)):
            if isinstance(node, ast.ImportFrom) and node.module:
                for name in door_names(node):
                    _, _, rest = name.partition(".")
                    package, _, inner = rest.partition(".")
                    if package in FACES and package != own and inner:
                        found.setdefault(package, set()).add(inner)
    return found


def door_names(node: ast.ImportFrom) -> Iterator[str]:
    """Yield the full names of the modules that an import names."""
    base = PACKAGE.parent / Path(*str(node.module).split("."))
    for alias in node.names:
        is_module = (base / f"{alias.name}.py").exists()
        yield f"{node.module}.{alias.name}" if is_module else str(node.module)


def test_packages_are_entered_by_their_doors():
    found = crossed_doors()
    for package, face in FACES.items():
        entered = found.get(package, set())
        assert entered <= face, f"{package}: {sorted(entered - face)} are private"
        assert face <= entered, f"{package}: nobody uses {sorted(face - entered)}"


LIBRARIES = """
import sys
import casadi, llvmlite.binding, numpy
libraries = set(sys.modules)
"""
LOADED = """
from motorik.gallery import Pendulum
Pendulum().simulate(1.0)
print(*(name for name in sys.modules if name not in libraries))
"""


@cache
def loaded_by_a_pendulum(stored: str = "0") -> set[str]:
    """Return the modules that a run loads beside those that its libraries load anyway."""
    command = [sys.executable, "-c", LIBRARIES + LOADED]
    options = {"check": True, "env": {**os.environ, "MOTORIK_STORE": stored}}
    subprocess.run(command, capture_output=True, **options)
    run = subprocess.run(  # the second time, machine code is in the cache
        command, capture_output=True, text=True, **options
    )
    return set(run.stdout.split())


# --- names that are imported when they are first used ------------------------------------------


def names_for_type_checkers(tree: ast.Module) -> dict[str, set[str]]:
    """Return the names that a module imports for type checkers, by the module they are from."""
    found: dict[str, set[str]] = {}
    for block in filter(is_for_types_only, tree.body):
        for node in ast.walk(block):
            if isinstance(node, ast.ImportFrom):
                found.setdefault(str(node.module), set()).update(a.name for a in node.names)
    return found


def table_of_homes(tree: ast.Module) -> dict[str, set[str]]:
    """Return the names that a module finds when they are first used, by their homes."""
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "_HOMES":
            return {home: set(own) for home, own in ast.literal_eval(node.value).items()}
    raise LookupError("no table of homes")


def test_names_found_later_are_those_that_type_checkers_see():
    windows = 0
    for file in sorted(PACKAGE.rglob("*.py")):
        if "_HOMES = " not in file.read_text("utf-8"):
            continue
        tree = tree_of(file)
        homes, seen = table_of_homes(tree), names_for_type_checkers(tree)
        windows += 1
        if file == PACKAGE / "__init__.py":
            assert seen.pop("motorik") == {*MODULES, *LAZY}
        assert homes == seen, file
        public = next(
            ast.literal_eval(node.value)
            for node in tree.body
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
        )
        assert {name for own in homes.values() for name in own} <= set(public), file
    assert windows > 10


def test_no_name_found_later_is_that_of_a_module_beside_it():
    """Where the module is imported, it takes the place of the name."""
    for file in PACKAGE.rglob("__init__.py"):
        if "_HOMES = " in file.read_text("utf-8"):
            package = ".".join(["motorik", *file.parent.relative_to(PACKAGE).parts])
            modules = {own.stem for own in file.parent.glob("*.py")}
            for home, names in table_of_homes(tree_of(file)).items():
                assert home == package or not names & modules, home


def test_a_tree_loads_no_loops_and_a_smooth_run_no_events():
    loaded = loaded_by_a_pendulum()
    assert "motorik.simulation.driver" in loaded
    needed = {"", ".options", ".formulate", ".branch_blocks", ".scales", ".guesses"}
    assert {n for n in loaded if n.startswith("motorik.loops")} <= {
        f"motorik.loops{end}" for end in needed
    }
    for room in ("complementarity", "detection", "application.event_handling"):
        own = f"motorik.nonsmooth.{room}"
        assert not [name for name in loaded if name.startswith(own)]


def test_a_run_of_a_stored_model_loads_nothing_that_formulates():
    loaded = loaded_by_a_pendulum(stored="1")
    assert "motorik.stored.store" in loaded
    rooms = ("dynamics", "motion", "nonsmooth.laws", "system.equations", "topology.tree")
    assert not [n for n in loaded if n.startswith(tuple(f"motorik.{r}" for r in rooms))]
    assert not {"motorik.loops.formulate", "motorik.compiler.lower"} & loaded


def test_a_run_whose_code_is_cached_loads_little_of_the_standard_library():
    """Faults, files, random numbers and translation have their modules to themselves."""
    loaded = loaded_by_a_pendulum()
    assert loaded.isdisjoint(
        {
            *("difflib", "html", "json", "pkgutil", "random", "subprocess", "tempfile"),
            *("asyncio", "concurrent.futures", "email", "importlib.metadata", "logging"),
            *("numpy.random", "motorik.compiler.kernels.statements"),
        }
    )
