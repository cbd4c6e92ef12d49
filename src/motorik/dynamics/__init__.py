"""Dynamics of links: step functions of one link each, and sparse linear systems."""
