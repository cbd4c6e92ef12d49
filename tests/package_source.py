"""The source of the package as syntax trees, each parsed once for all tests that read it."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

from scripts.house import PACKAGE, tree_of

__all__ = ["PACKAGE", "nodes_of"]


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    """Return all nodes of a file of the package; nobody changes them."""
    return tuple(ast.walk(tree_of(path)))
