/* SPDX-License-Identifier: BSD-3-Clause */
/* What the MPI test programs share: verdicts that all processes agree on, and an independent way to
 * count messages between hosts. It uses MPI alone, nothing of stencilmap. */
#ifndef CHECK_H
#define CHECK_H

#include <stdbool.h>
#include <stdint.h>

#include <mpi.h>

#define CHECK_DIMS_MAX 8

/* A grid and the offsets that its cells exchange along. */
struct check_grid {
    int ndims;
    int dims[CHECK_DIMS_MAX];
    int periods[CHECK_DIMS_MAX];
    int k;
    const int *offsets; /* NULL: nearest neighbours */
};

struct check_score {
    int64_t jsum;
    int64_t jmax;
};

/* Collective over MPI_COMM_WORLD: good must hold on all processes. Rank 0 prints "ok ..." or
 * "FAIL ...". */
__attribute__((format(printf, 2, 3))) void check(bool good, const char *format, ...);

/* The number of checks that failed. */
int check_failures(void);

/* This process's rank in comm; the size of comm. */
int check_rank(MPI_Comm comm);
int check_size(MPI_Comm comm);

/* The number of cells. */
int check_cells(const struct check_grid *grid);

/* J_sum and J_max of comm, rank r being cell r, by the processor names. Collective over comm. */
struct check_score check_score(MPI_Comm comm, const struct check_grid *grid);

/* Is a better than b? */
bool check_better(struct check_score a, struct check_score b);

/* Is cart a Cartesian communicator of that grid over all processes of comm, and do its ranks,
 * coordinates and shifts fit each other? Exchanges messages along every dimension. */
bool check_consistent(MPI_Comm comm, MPI_Comm cart, const struct check_grid *grid);

/* Do both have the same processes in the same order? */
bool check_same_order(MPI_Comm a, MPI_Comm b);

/* A random number below n, the same on all processes if all draw as often. */
int check_random(int n);

/* A number for this process's host, below the size of comm. Collective over comm. */
int check_host(MPI_Comm comm);

#endif
