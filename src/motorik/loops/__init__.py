"""Kinematic loops: rows, samples, rank, clusters, closed forms, and the formulation."""
