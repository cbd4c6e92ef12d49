"""Spreadsheets: variables of a result as a workbook (XLSX) of one sheet, with units."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np

from motorik.results import Result

KINDS = "http://schemas.openxmlformats.org/package/2006/content-types"
LINKS = "http://schemas.openxmlformats.org/package/2006/relationships"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
MOST_ROWS, MOST_COLUMNS = 1_048_570, 16_384  # of a sheet

FILES = {
    "[Content_Types].xml": f'<Types xmlns="{KINDS}">'
    '<Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{TYPE}.sheet.main+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{TYPE}.worksheet+xml"/>'
    "</Types>",
    "_rels/.rels": f'<Relationships xmlns="{LINKS}"><Relationship Id="r1" '
    f'Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{SHEET}" xmlns:r="{OFFICE}"><sheets>'
    '<sheet name="Result" sheetId="1" r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{LINKS}"><Relationship Id="r1" '
    f'Type="{OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
}


def write_xlsx(result: Result, file: Path, names: Sequence[str] = ()) -> None:
    """Write variables over time, the first row their names, the second their units."""
    chosen = [*names] or [*result.state_names]
    chosen = chosen[: MOST_COLUMNS - 1]
    columns = [np.asarray(result.time, dtype=float)]
    columns += [np.asarray(result[name], dtype=float) for name in chosen]
    units = ["s", *(str(result.unit(name)) for name in chosen)]
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as book:
        for name, text in FILES.items():
            book.writestr(name, HEAD + text)
        rows = "".join(_rows(["time", *chosen], units, columns))
        text = f'<worksheet xmlns="{SHEET}"><sheetData>{rows}</sheetData></worksheet>'
        book.writestr("xl/worksheets/sheet1.xml", HEAD + text)


def _rows(
    names: Sequence[str], units: Sequence[str], columns: Sequence[np.ndarray]
) -> Iterator[str]:
    for row in (names, units):
        yield f"<row>{''.join(map(_text, row))}</row>"
    for values in zip(*(own[:MOST_ROWS].tolist() for own in columns), strict=True):
        yield f"<row>{''.join(map(_number, values))}</row>"


def _text(value: str) -> str:
    return f'<c t="inlineStr"><is><t>{escape(value)}</t></is></c>'


def _number(value: float) -> str:
    return f"<c><v>{value!r}</v></c>" if np.isfinite(value) else "<c/>"
