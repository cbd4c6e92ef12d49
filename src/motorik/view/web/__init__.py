"""Web: the viewer in a browser, as a film in one file, in notebooks and in live pages."""
