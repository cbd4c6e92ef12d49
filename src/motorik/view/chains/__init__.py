"""Chains of transmission elements under a hand, by names, with all that moves them."""
