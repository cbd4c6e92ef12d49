/* Times a function of a sample index in a native loop; the same for motorik and its peers. */
#ifndef STOPWATCH_H
#define STOPWATCH_H
#include <time.h>

static inline double seconds_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds per call, cycling through the samples: the shortest of 300 runs of about 0.4 ms.
   Short runs, because on a busy machine a long one is always interrupted. */
static inline double best_seconds_per_call(void (*call)(void *, int), void *context,
                                           int samples) {
  double best = 1e9;
  long calls = 1;
  for (int run = 0; run < 300;) {
    int sample = 0;
    double start = seconds_now();
    for (long i = 0; i < calls; i++) {
      call(context, sample);
      if (++sample == samples) sample = 0;
    }
    double elapsed = seconds_now() - start;
    if (elapsed < 2.5e-4) {
      calls *= 2;
      continue;
    }
    if (elapsed / (double)calls < best) best = elapsed / (double)calls;
    run++;
  }
  return best;
}
#endif
