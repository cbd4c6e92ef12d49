"""Scene builder: scenes of models, results and MOBILE's programs.

`build.py` has `scene_of` (a model before any run, or one that does not assemble),
`scene_of_results` and `run_of`. A `SceneBuilder` works in steps:

1. `places.py`: the rigid group and pose of each frame, from the assembled mechanism, or from
   start values alone where it does not assemble.
2. `measure.py`: sizes of annotations from the lengths of parts, bounding box, plane of motion.
3. `gather.py`: the visual of each part (`view.visuals`), colours, notes with error messages,
   and the values that a viewer lists for it.
4. scales of force and torque arrows, named frames, ground grid, traces; poses and values of
   runs.

`chain.py` does the same for chains of transmission elements.
"""
