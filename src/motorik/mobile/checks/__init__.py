"""Checks: the contract of transmission elements as a test that can be run."""
