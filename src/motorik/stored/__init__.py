"""Stored models: what was compiled before is loaded from disk without formulating it again.

`build` of a model is always run. The `key` is the digest of the parts that it has made and of all
that is installed; under it the `store` has a record of plain data: layout, `facts` that runs ask
for, the places of machine code, `starts`. A model that is loaded is a `CompiledModel` like any
other. Everything else is found by formulating, when it is asked for.

Only models of this package's parts with plain values are stored. All others are compiled as if
there were no store; with ``MOTORIK_STORE=0`` this is done with all.
"""
