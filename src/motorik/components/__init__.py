"""The parts that users connect, in one folder for each subject.

Users import parts from `motorik` and from its modules `motorik.joints`, `parts`, `forces`,
`sensors`, `assemblies`, `constraints`, `rotational`, `translational` and `blocks`.
"""
