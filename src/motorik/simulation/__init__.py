"""Simulation of compiled systems: options, integration, runs."""
