"""Switching rows: friction, stops and clutches that stick, slide, open and close."""
