"""What every part is made of: ports, parameters, start values, contributions."""
