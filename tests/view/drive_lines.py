"""Drive lines as they are laid out: where flanges are, and whether they are joined."""

from motorik.view.visuals.line_layout import flanges_of


def ends_of(layout, part):
    """Return where the flanges of a part are along its row, by their sets."""
    cell = layout.cells[part]
    first, last = (cell.end, cell.begin) if cell.turned else (cell.begin, cell.end)
    nodes = [layout.facts.node[port] for port in flanges_of(part)]
    middle = [(first + last) / 2] * len(nodes)
    places = middle if cell.below else (first, last, *middle)
    return dict(zip(nodes, places, strict=False))


def check_joined(layout):
    """Refuse a set of flanges whose parts in one row neither touch nor are joined."""
    at: dict = {}
    for part, cell in layout.cells.items():
        for node, x in ends_of(layout, part).items():
            if layout.rows.get(node) is cell.row:
                at.setdefault(node, []).append(x)
    joined: dict = {}
    for links in layout.links.values():
        for port, begin, end in links:
            joined.setdefault(layout.facts.node[port], []).append((begin, end))
    for node, places in at.items():
        reached, rest = {round(places[0], 9)}, {round(x, 9) for x in places}
        for _ in range(len(rest)):
            for begin, end in joined.get(node, ()):
                pair = {round(begin, 9), round(end, 9)}
                reached |= pair if pair & reached else set()
        assert rest <= reached, (node.path, places, joined.get(node))
