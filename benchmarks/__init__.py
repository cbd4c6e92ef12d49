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
    python -m benchmarks.analysis             inverse problems, derivatives, beside Pinocchio
    python -m benchmarks.control              loops at 1 kHz, simulators at once, beside MuJoCo
    python -m benchmarks.stiff                lightly damped beams, beside Exudyn and CVODES
    python -m benchmarks.events               clutches, impacts, contact, rest
    python -m benchmarks.starts               µs to begin another variant
    python -m benchmarks.audit                cost of the audit of loops in a run
    python -m benchmarks.studio               what a user of the studio waits for
    python -m benchmarks.view                 what it costs to look at a mechanism

The peers are optional (``pip install motorik[bench]``, and a C++ compiler); one that is not
there is named in a line of its own and left out. They run on Linux.
"""
