/* SPDX-License-Identifier: BSD-3-Clause */
/* Taking times in turn: in every round each candidate once, so that whatever drifts hits all alike.
 * All functions are collective over MPI_COMM_WORLD. */
#ifndef BENCH_ROUNDS_H
#define BENCH_ROUNDS_H

#include <stdint.h>

#include "bench/progress.h"

struct bench_rounds {
    uint32_t candidates;
    uint32_t repeats; /* at most so many rounds */
    double seconds;   /* about so long, though not below three rounds; 0: no limit */
    /* Does it once and returns this process's seconds. */
    double (*once)(void *context, uint32_t candidate);
    void *context;
    struct bench_progress *progress;
};

/* times[round * candidates + candidate] gets this process's times; there is room for repeats
 * rounds. Returns the number of rounds. */
uint32_t bench_rounds(double times[], const struct bench_rounds *rounds);

/* The maximum over all processes, on world rank 0. */
void bench_rounds_worst(double times[], uint32_t count);

#endif
