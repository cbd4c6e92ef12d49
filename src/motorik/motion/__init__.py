"""A mechanism in motion: any quantity at a state, reactions, the catalogue of variables."""
