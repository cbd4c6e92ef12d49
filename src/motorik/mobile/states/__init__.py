"""State objects: frames, variables, lists, and parameters that are read in each traversal."""
