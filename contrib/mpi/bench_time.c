/* SPDX-License-Identifier: BSD-3-Clause */
#include "bench_time.h"

#include <stdlib.h>
#include <string.h>

#define WARM_UP  2
#define RUNS_MIN 10

/* ranks gets the neighbours in the order of the offsets. */
static int neighbours(const struct smap_grid *grid, const struct smap_stencil *stencil,
                      uint32_t cell, int sign, int ranks[])
{
    uint32_t coords[SMAP_DIMS_MAX];
    int count = 0;
    smap_grid_coords(coords, grid, cell);
    for (size_t i = 0; i < stencil->count; i++) {
        uint32_t rank;
        if (smap_grid_neighbour(&rank, grid, coords, smap_stencil_offset(stencil, i), sign))
            ranks[count++] = (int)rank;
    }
    return count;
}

static bool allocate(struct bench_exchange *exchange, int in, int out, uint64_t max)
{
    exchange->send = calloc((size_t)out + 1, max);
    exchange->recv = calloc((size_t)in + 1, max);
    if (!exchange->send || !exchange->recv)
        return false;
    /* Touched once, so that no timed exchange pays for the pages. */
    memset(exchange->send, 1, ((size_t)out + 1) * max);
    memset(exchange->recv, 1, ((size_t)in + 1) * max);
    return true;
}

bool bench_exchange_create(struct bench_exchange *exchange, MPI_Comm comm,
                           const struct smap_grid *grid, const struct smap_stencil *stencil,
                           uint64_t max)
{
    int rank;
    *exchange = (struct bench_exchange){MPI_COMM_NULL, NULL, NULL};
    size_t k = stencil->count;
    int *ranks = calloc(3 * k + 3, sizeof(*ranks));
    if (!ranks)
        return false;
    MPI_Comm_rank(comm, &rank);
    int *from = ranks, *to = from + k + 1, *ones = to + k + 1;
    /* MPI_UNWEIGHTED would say the same, but is no address, which gcc warns about. */
    for (size_t i = 0; i <= k; i++)
        ones[i] = 1;
    int in = neighbours(grid, stencil, (uint32_t)rank, -1, from);
    int out = neighbours(grid, stencil, (uint32_t)rank, 1, to);
    MPI_Dist_graph_create_adjacent(comm, in, from, ones, out, to, ones, MPI_INFO_NULL, 0,
                                   &exchange->graph);
    free(ranks);
    return allocate(exchange, in, out, max);
}

void bench_exchange_destroy(struct bench_exchange *exchange)
{
    if (exchange->graph != MPI_COMM_NULL)
        MPI_Comm_free(&exchange->graph);
    free(exchange->send);
    free(exchange->recv);
}

static double exchange_once(const struct bench_exchange *e, uint64_t bytes)
{
    MPI_Barrier(e->graph);
    double start = MPI_Wtime();
    MPI_Neighbor_alltoall(e->send, (int)bytes, MPI_BYTE, e->recv, (int)bytes, MPI_BYTE, e->graph);
    return MPI_Wtime() - start;
}

uint32_t bench_time(double times[], const struct bench_exchange *a, const struct bench_exchange *b,
                    uint64_t bytes, const struct bench_watch *watch)
{
    int rank, more = 1;
    uint32_t runs = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < WARM_UP; i++) {
        exchange_once(a, bytes);
        exchange_once(b, bytes);
    }
    double start = MPI_Wtime();
    while (more && runs < watch->repeats) {
        /* Who goes first changes, so that neither order profits from its place. */
        int first = (int)(runs % 2);
        times[2 * runs + (uint32_t)first] = exchange_once(first ? b : a, bytes);
        times[2 * runs + 1 - (uint32_t)first] = exchange_once(first ? a : b, bytes);
        runs++;
        if (watch->seconds > 0 && runs >= RUNS_MIN)
            more = MPI_Wtime() - start < watch->seconds;
        MPI_Bcast(&more, 1, MPI_INT, 0, MPI_COMM_WORLD);
        if (rank == 0)
            watch->progress(watch->context, bytes, runs);
    }
    MPI_Reduce(rank == 0 ? MPI_IN_PLACE : times, times, (int)(2 * runs), MPI_DOUBLE, MPI_MAX, 0,
               MPI_COMM_WORLD);
    return runs;
}

static int compare_doubles(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* Quantile q of n >= 1 sorted values, interpolated. */
static double quantile(const double sorted[], uint32_t n, double q)
{
    double at = q * (n - 1);
    uint32_t low = (uint32_t)at;
    uint32_t high = low + 1 < n ? low + 1 : low;
    return sorted[low] + (at - low) * (sorted[high] - sorted[low]);
}

double bench_robust_mean(const double values[], uint32_t n, uint32_t stride, double scratch[])
{
    double sum = 0;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++)
        scratch[i] = values[(size_t)i * stride];
    qsort(scratch, n, sizeof(*scratch), compare_doubles);
    double first = quantile(scratch, n, 0.25), third = quantile(scratch, n, 0.75);
    double slack = 1.5 * (third - first);
    for (uint32_t i = 0; i < n; i++) {
        if (scratch[i] < first - slack || scratch[i] > third + slack)
            continue;
        sum += scratch[i];
        kept++;
    }
    return kept ? sum / kept : 0;
}
