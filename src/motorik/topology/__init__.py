"""From connected parts to a tree of links."""
