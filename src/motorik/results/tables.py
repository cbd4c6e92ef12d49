"""Tables of results as files: CSV with units and any separator, and Excel workbooks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from math import isfinite
from pathlib import Path
from typing import IO, TYPE_CHECKING
from xml.sax.saxutils import escape
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np

from motorik.errors import ParameterError

if TYPE_CHECKING:
    from motorik.results.events import Events

SEPARATORS = {",": "a comma", ";": "a semicolon", "\t": "a tab"}
HEAD = re.compile(r"^(?P<name>.*?)(?: \[(?P<unit>[^\[\]]*)\])?$")
MOST_ROWS, MOST_COLUMNS = 1_048_576, 16_384  # of a sheet of a workbook


def check_separator(separator: object, decimal: object) -> None:
    """Refuse separators of columns and decimals that a table cannot have."""
    if separator not in SEPARATORS:
        raise ParameterError(
            "to_csv",
            f"separator = {separator!r} cannot stand between columns.",
            f"Give {', '.join(map(repr, SEPARATORS))}.",
            parameter="separator",
            value=separator,
        )
    if decimal not in (".", ",") or decimal == separator:
        raise ParameterError(
            "to_csv",
            f"decimal = {decimal!r} cannot stand in numbers between {SEPARATORS[str(separator)]}.",
            "Give decimal='.', or decimal=',' with separator=';'.",
            parameter="decimal",
            value=decimal,
        )


def head_of(name: str, unit: str | None) -> str:
    """Return the head of a column: the name of a variable, and its unit in brackets."""
    return name if unit is None else f"{name} [{unit or '1'}]"


def name_and_unit(head: str) -> tuple[str, str | None]:
    """Return the name and the unit, None without one, of the head of a column.

    Indices of names, such as ``r_0[1]``, follow without a space and are no units.
    """
    found = HEAD.match(head)
    assert found is not None
    unit = found["unit"]
    return (head, None) if unit is None else (found["name"], "" if unit == "1" else unit)


def write_csv(
    file: Path, heads: Sequence[str], table: np.ndarray, separator: str, decimal: str
) -> None:
    """Write a table of numbers with full precision."""
    with file.open("w", encoding="utf-8", newline="\n") as out:
        quoted = ('"{}"'.format(head.replace('"', '""')) for head in heads)
        out.write(separator.join(quoted) + "\n")
        for row in table.tolist():
            line = separator.join(format(value, ".17g") for value in row)
            out.write((line if decimal == "." else line.replace(".", ",")) + "\n")


# --- workbooks ----------------------------------------------------------------------------


KINDS = "http://schemas.openxmlformats.org/package/2006/content-types"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")  # not allowed in XML
Cell = str | float


def write_workbook(
    file: Path,
    heads: Sequence[tuple[str, str]],
    table: np.ndarray,
    events: Events,
    notes: Mapping[str, str | int],
) -> None:
    """Write an Excel workbook: variables below their names and units, events, and notes."""
    rows, columns = len(table) + 2, len(heads)
    for count, most, what in (
        (rows, MOST_ROWS, "rows"),
        (columns, MOST_COLUMNS, "columns"),
    ):
        if count > most:
            raise ParameterError(
                "to_excel",
                f"{count} {what} are more than the {most} of a sheet.",
                "Name fewer variables, simulate with fewer samples, or use to_netcdf.",
                parameter="names",
                value=count,
            )
    names, units = ([head[k] for head in heads] for k in (0, 1))
    listed = [(e.time, *e.cells()[1:]) for e in events]
    sheets: dict[str, Iterable[Sequence[Cell]]] = {
        "variables": chain([names, units], table.tolist())
    }
    if listed:
        sheets["events"] = chain([_heads_of_events()], listed)
    sheets["about"] = [(name, str(value)) for name, value in notes.items()]
    with ZipFile(file, "w", ZIP_DEFLATED) as book:
        _write_frame(book, [*sheets])
        for number, (name, lines) in enumerate(sheets.items(), 1):
            frozen = 2 if name == "variables" else 1 if name == "events" else 0
            with book.open(
                f"xl/worksheets/sheet{number}.xml", "w", force_zip64=True
            ) as out:
                _write_sheet(out, lines, frozen)


def _heads_of_events() -> Sequence[str]:
    from motorik.results.events import HEADS

    return HEADS


def _write_frame(book: ZipFile, names: Sequence[str]) -> None:
    """Write which sheets there are, and where."""
    numbers = range(1, len(names) + 1)
    kind = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    parts = "".join(
        f'<Override PartName="/xl/worksheets/sheet{k}.xml" ContentType="{kind}.worksheet+xml"/>'
        for k in numbers
    )
    book.writestr(
        "[Content_Types].xml",
        f'{XML}<Types xmlns="{KINDS}"><Default Extension="rels" ContentType='
        '"application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" '
        f'ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType='
        f'"{kind}.sheet.main+xml"/>{parts}</Types>',
    )
    book.writestr(
        "_rels/.rels",
        f'{XML}<Relationships xmlns="{RELATIONS}"><Relationship Id="rId1" '
        f'Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    )
    listed = "".join(
        f'<sheet name="{name}" sheetId="{k}" r:id="rId{k}"/>'
        for k, name in zip(numbers, names, strict=True)
    )
    book.writestr(
        "xl/workbook.xml",
        f'{XML}<workbook xmlns="{SHEET}" xmlns:r="{OFFICE}"><sheets>{listed}</sheets></workbook>',
    )
    links = "".join(
        f'<Relationship Id="rId{k}" Type="{OFFICE}/worksheet" '
        f'Target="worksheets/sheet{k}.xml"/>'
        for k in numbers
    )
    book.writestr(
        "xl/_rels/workbook.xml.rels",
        f'{XML}<Relationships xmlns="{RELATIONS}">{links}</Relationships>',
    )


def _write_sheet(out: IO[bytes], rows: Iterable[Sequence[Cell]], frozen: int) -> None:
    """Write a sheet, its first `frozen` rows always in view."""
    pane = (
        f'<sheetViews><sheetView workbookViewId="0"><pane ySplit="{frozen}" '
        f'topLeftCell="A{frozen + 1}" activePane="bottomLeft" state="frozen"/></sheetView>'
        "</sheetViews>"
        if frozen
        else ""
    )
    out.write(f'{XML}<worksheet xmlns="{SHEET}">{pane}<sheetData>'.encode())
    for row in rows:
        out.write(f"<row>{''.join(_cells(row))}</row>".encode())
    out.write(b"</sheetData></worksheet>")


def _cells(row: Sequence[Cell]) -> Iterator[str]:
    for value in row:
        if isinstance(value, float):
            # a sheet has neither infinity nor numbers that are not known
            yield (
                f"<c><v>{value!r}</v></c>"
                if isfinite(value)
                else '<c t="e"><v>#NUM!</v></c>'
            )
        else:
            text = escape(CONTROL.sub("", str(value)))
            yield f'<c t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'
