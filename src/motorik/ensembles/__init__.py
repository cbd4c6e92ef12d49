"""Ensembles: many runs of one model, with other starts and other live parameters.

==============  ==========================================================================
`Variants`      what differs from run to run, read and checked: starts and parameters
`run_variants`  makes the runs of a `PreparedRun`, in lanes and threads
`Ensemble`      the runs: every variable as a labelled array, each run as a `Result`
`sweep`         the same in blocks on the workers of a Dask cluster, or here
==============  ==========================================================================

Runs in which nothing happens but motion go in lanes, several in one vector of the processor, see
`simulation.lanes`. A run that meets an event, a guard or stiffness leaves its lane to the next
one and is made as `simulate` makes it.
"""

from motorik.ensembles.ensemble import Ensemble
from motorik.ensembles.running import run_variants
from motorik.ensembles.sweeping import sweep
from motorik.ensembles.variants import Variants

__all__ = ["Ensemble", "Variants", "run_variants", "sweep"]
