"""Straight-line code: from a graph of scalar operations to LLVM IR without branches.

`code.py` reads a CasADi function as `StraightCode`, one value after the other, each an operation
on earlier values. `partition.py` splits long code into blocks, which pass values in a work array,
and groups the angles whose sines and cosines are computed together. `packing.py` finds values of
equal structure for vector lanes (superword-level parallelism). `routine.py` writes the LLVM
function with `block_text.py` and `packed_text.py`; `operations.py` has the instructions of every
operation, `sincos.py` and `arctangent.py` the polynomials of sine, cosine and atan2, `lanes.py`
the vector types, `module_text.py` the module around all functions.
"""
