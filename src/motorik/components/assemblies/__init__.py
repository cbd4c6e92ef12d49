"""Joints in loops, solved together in closed form."""
