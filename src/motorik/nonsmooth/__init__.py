"""Nonsmooth mechanics: friction, contact, stops, sliding modes and events."""
