"""State objects: frames, variables, lists, and numbers that elements read anew."""
