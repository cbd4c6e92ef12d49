"""The source of the package as syntax trees, each parsed once for all tests that read it."""

from scripts.house import PACKAGE, nodes_of, statements_of, tree_of

__all__ = ["PACKAGE", "nodes_of", "statements_of", "tree_of"]
