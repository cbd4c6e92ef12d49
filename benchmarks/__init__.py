"""Speed and size of motorik beside its peers, measured in the same run.

Every file answers one question and runs alone, from the root of the repository:

    python -m benchmarks.forward_dynamics     µs per evaluation, beside Pinocchio and MuJoCo
    python -m benchmarks.simulation           ms per simulation, beside heyoka; cold start
    python -m benchmarks.growth               cost per body as a chain grows to 1000 links
    python -m benchmarks.results              twenty variables asked of a run, one after another
    python -m benchmarks.library              s to compile and to run parts of libraries
    python -m benchmarks.parts                ms to create each kind of part, a hundred engines
    python -m benchmarks.motor_calculus       operations of motors and of expanded vectors
    python -m benchmarks.mobile               chains of transmission elements, at once and native
    python -m benchmarks.ensembles            µs for each of 1000 runs, beside heyoka and MuJoCo
    python -m benchmarks.loops                closed loops: strategies, beside MuJoCo

The peers are optional (``pip install motorik[bench]``, and a C++ compiler); one that is not
there is named in a line of its own and left out. They run on Linux.
"""
