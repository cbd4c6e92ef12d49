"""From connected parts to a mechanism: a spanning tree of links, closures, drive lines, signals.

- `Inventory`: the contributions of all parts by kind, and the sets of connected ports. It is a
  snapshot, so a mechanism does not change with its model.
- `TreeBuilder`: a spanning tree grown from the world outward. Rigidly connected parts merge into
  one `Link` and their inertias add up; a joint met from its far side is reversed; a body without
  connection becomes a root with six freedoms, or three in the plane. A joint between links that
  the tree connects already is cut and becomes a `Closure`.
- `drive_lines.py`: flanges tied by rigid couplings move as one shaft; gears, clamps and fixed
  ratios vanish here. A shaft takes the coordinate of the first joint on it, or a coordinate of its
  own; what remains (a second joint, planetary gears, prescribed motion) is a linear `Relation`.
- `Signals`: the source of each signal, computed on demand, and the states z of blocks. A block
  without direct feedthrough may be in a loop; an algebraic loop is refused by name.
- `massless_points.py`: points on which force laws alone act; static equilibrium moves them.
- `Mechanism`: all of this. Its links stand in an order in which each needs only links before it:
  motion outward, force inward (Featherstone 2008, ch. 4).

`graph.py` is free of mechanics: connected sets and paths in growing trees.
"""
