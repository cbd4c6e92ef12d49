"""Ensembles: many runs of one model, with other starts and other live parameters.

==============  ==========================================================================
`Variants`      what differs from run to run, read and checked: starts and parameters
`run_variants`  makes the runs of a `PreparedRun`, in lanes and threads
`Ensemble`      the runs: every variable as a labelled array, each run as a `Result`
`sweep`         the same in blocks on the workers of a Dask cluster, or here
==============  ==========================================================================

Runs go in lanes, several in one vector of the processor, each with its own steps and events, see
`simulation.lanes`. One that meets a guard or stiffness is answered as a single run and takes its
place again; one whose formulation changes, or that fails, is made anew as `simulate` makes it.
"""

from motorik.ensembles.ensemble import Ensemble
from motorik.ensembles.running import run_variants
from motorik.ensembles.sweeping import sweep
from motorik.ensembles.variants import Variants

__all__ = ["Ensemble", "Variants", "run_variants", "sweep"]
