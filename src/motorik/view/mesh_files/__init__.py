"""Mesh files: readers of STL, OBJ, DXF and GLB (binary glTF 2.0).

Each reader takes the bytes of a file and returns vertices [n, 3] and triangles [m, 3], `read_glb`
also colours of vertices. Nothing in a file is executed, no other file is opened, and counts are
checked against `limits.py` before arrays are made. `view.meshes` finds files, reports faults with
a remedy and computes the mass of the enclosed body.
"""
