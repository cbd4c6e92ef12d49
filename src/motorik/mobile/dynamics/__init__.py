"""Equations of motion, systems, integrators and analyses."""
