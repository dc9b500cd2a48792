/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench/rounds.h"

#include <mpi.h>

#define ROUNDS_MIN 3

/* Who goes first changes, and so does the direction: neither profits from its place or from whom it
 * follows. */
static void one_round(double times[], const struct bench_rounds *r, uint32_t round)
{
    for (uint32_t i = 0; i < r->candidates; i++) {
        uint32_t step = (round + i) % r->candidates;
        uint32_t candidate = round / r->candidates % 2 ? r->candidates - 1 - step : step;
        times[candidate] = r->once(r->context, candidate);
    }
}

static int agreed(int own)
{
    MPI_Bcast(&own, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return own;
}

uint32_t bench_rounds(double times[], const struct bench_rounds *r)
{
    uint32_t round = 0;
    double start = MPI_Wtime();
    /* The first exchanges open connections; twice, if that costs little of the time. */
    one_round(times, r, 0);
    if (agreed(r->seconds <= 0 || MPI_Wtime() - start < r->seconds / 20))
        one_round(times, r, 0);
    for (int more = 1; more;) {
        one_round(times + (size_t)round * r->candidates, r, round);
        round++;
        more = r->seconds <= 0 || round < ROUNDS_MIN || MPI_Wtime() - start < r->seconds;
        more = agreed(more && round < r->repeats);
        bench_progress_round(r->progress, round, r->repeats);
    }
    return round;
}

void bench_rounds_worst(double times[], uint32_t count)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Reduce(rank == 0 ? MPI_IN_PLACE : times, times, (int)count, MPI_DOUBLE, MPI_MAX, 0,
               MPI_COMM_WORLD);
}
