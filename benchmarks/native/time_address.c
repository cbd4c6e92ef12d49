/* Times a native function void f(q, v, tau, p, vdot), given by its address. */
#include "stopwatch.h"

typedef void (*Function)(const double *, const double *, const double *, const double *,
                         double *);
typedef struct {
  Function function;
  const double *q, *v, *tau, *p;
  double *vdot;
  int nq, nv;
} Job;

static void evaluate(void *context, int sample) {
  Job *job = (Job *)context;
  job->function(job->q + sample * job->nq, job->v + sample * job->nv,
                job->tau + sample * job->nv, job->p, job->vdot + sample * job->nv);
}

double time_address(Function function, const double *q, const double *v, const double *tau,
                    const double *p, double *vdot, int nq, int nv, int samples) {
  Job job = {function, q, v, tau, p, vdot, nq, nv};
  return best_seconds_per_call(evaluate, &job, samples);
}
