/* Times mj_forward of the model in argv[1] at the samples given on standard input:
   count, then qpos, qvel and qfrc_applied of each. Prints seconds per call, then qacc. */
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stopwatch.h"

typedef struct {
  const mjModel *model;
  mjData *data;
  double *numbers;
} Job;

static void evaluate(void *context, int sample) {
  Job *job = (Job *)context;
  int nq = (int)job->model->nq, nv = (int)job->model->nv;
  const double *state = job->numbers + (long)sample * (nq + 2 * nv);
  memcpy(job->data->qpos, state, sizeof(double) * (size_t)nq);
  memcpy(job->data->qvel, state + nq, sizeof(double) * (size_t)nv);
  memcpy(job->data->qfrc_applied, state + nq + nv, sizeof(double) * (size_t)nv);
  mj_forward(job->model, job->data);
}

int main(int argc, char **argv) {
  mjModel *model = argc > 1 ? mj_loadModel(argv[1], NULL) : NULL;
  int samples;
  if (!model || scanf("%d", &samples) != 1) return 1;
  long total = (long)samples * (model->nq + 2 * model->nv);
  Job job = {model, mj_makeData(model), malloc(sizeof(double) * (size_t)total)};
  for (long i = 0; i < total; i++)
    if (scanf("%lf", &job.numbers[i]) != 1) return 1;
  printf("%.9e\n", best_seconds_per_call(evaluate, &job, samples));
  for (int sample = 0; sample < samples; sample++) {
    evaluate(&job, sample);
    for (int i = 0; i < model->nv; i++) printf("%.17g ", job.data->qacc[i]);
    printf("\n");
  }
  return 0;
}
