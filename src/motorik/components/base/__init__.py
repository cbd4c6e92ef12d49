"""The basis of all parts: ports, parameters, start values, contributions."""
