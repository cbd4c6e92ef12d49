"""Web: the viewer in a browser, as a page in one file, in notebooks and in live pages.

The viewer (`viewer/` of the repository, TypeScript on three.js, bundled by esbuild into
`viewer/viewer.js`, which is committed) is one class that shows a scene. `page.py` writes a
page: viewer and scene compressed in base64, and a content security policy that allows only its
own scripts by their hashes. `film.py` writes a recorded run with its initial view, `gallery.py`
a page of several, `show.py` opens one or shows it below a cell, `widget.py` is the anywidget.

A run is sent once and interpolated in the browser; only live models stream. Shapes fixed to one
rigid group become one geometry; stretched shapes move their vertices by shares of the length.
The page draws only when something changes. After a change in `viewer/src`, run `npm ci && npm
run check && npm run bundle` in `viewer/`; a test builds the bundle again and compares.
"""
