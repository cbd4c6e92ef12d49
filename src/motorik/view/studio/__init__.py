"""The studio: building, running and exporting a model in the browser.

=============  ===============================================================================
`session`      `StudioSession`: requests of pages, edits, files, runs; three threads
`server`       page, bundle, catalogue and socket on one port, with one token
`scenes`       scene, diagnostics and ports of a revision, without compiling
`runner`       the process beside, `worker`, that compiles and simulates and can be killed
`folder`       recent files, autosaved documents, paths that the user names
`places`       automatic layout and aligning of the diagram
`catalogue`    the classes with their symbols and colours, kept on disk
`page/`        the bundle of the page, built from studio/ of the repository
=============  ===============================================================================

Python owns the document; its model is built anew for each revision, never edited in place. An edit
is shown twice: at once as structure and pose, found by numbers alone, and by a run, compiled in
the process beside.
"""
