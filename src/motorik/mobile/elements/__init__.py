"""Transmission elements: motion goes forward, force comes back."""
