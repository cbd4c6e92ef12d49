"""The catalogue of parts: what users connect, in folders along its ideas.

Users import parts from `motorik` and from its windows `motorik.joints`, `parts`, `forces`,
`sensors`, `assemblies`, `constraints`, `rotational`, `translational` and `blocks`.
"""
