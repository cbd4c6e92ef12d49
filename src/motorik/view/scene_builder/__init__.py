"""Staging: scenes made of models, results and MOBILE's programs."""
