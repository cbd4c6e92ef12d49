"""From connected parts to a tree of links: what there is and how it hangs together."""
