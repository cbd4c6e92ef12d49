"""Small numerics: linear systems, least squares, Newton's method, roots, and their tolerances.

Most of it is written as kernels, which run as plain Python and as machine code alike, so the
search for an initial state and its native repetition are one and the same code.
"""
