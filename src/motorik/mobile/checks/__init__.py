"""Checks: the contract of transmission elements as a runnable proof."""
