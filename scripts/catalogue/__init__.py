"""Examples of all parts for the catalogue: one function each, with the name of the part."""
