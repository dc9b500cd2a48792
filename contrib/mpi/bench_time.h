/* SPDX-License-Identifier: BSD-3-Clause */
/* Timing neighbourhood exchanges, as the 2020 paper (section VI-B and VI-D) does. */
#ifndef SMAP_BENCH_TIME_H
#define SMAP_BENCH_TIME_H

#include <stdbool.h>
#include <stdint.h>

#include <mpi.h>

#include "grid/grid.h"
#include "grid/stencil.h"

/* One order of the processes with everything that an exchange needs. */
struct bench_exchange {
    MPI_Comm graph;
    char *send;
    char *recv;
};

/* comm's rank r is cell r. Messages of up to max bytes per neighbour. Collective. False without
 * memory on this process. */
bool bench_exchange_create(struct bench_exchange *exchange, MPI_Comm comm,
                           const struct smap_grid *grid, const struct smap_stencil *stencil,
                           uint64_t max);
void bench_exchange_destroy(struct bench_exchange *exchange);

/* How to time. */
struct bench_watch {
    uint32_t repeats; /* at most so many pairs */
    double seconds;   /* about so long; 0: no limit */
    /* Called with context on the process with world rank 0 after every pair of exchanges. */
    void (*progress)(void *context, uint64_t bytes, uint32_t run);
    void *context;
};

/* Exchanges with both orders in turn and times each: times[2 * i] is the i-th time of a,
 * times[2 * i + 1] that of b, each the maximum over all processes, on world rank 0; times has room
 * for 2 * repeats. Returns the number of pairs. Collective over MPI_COMM_WORLD. */
uint32_t bench_time(double times[], const struct bench_exchange *a, const struct bench_exchange *b,
                    uint64_t bytes, const struct bench_watch *watch);

/* The mean of n values (every stride-th of the array) without those that lie more than 1.5
 * interquartile ranges below the first or above the third quartile. scratch has room for n. */
double bench_robust_mean(const double values[], uint32_t n, uint32_t stride, double scratch[]);

#endif
