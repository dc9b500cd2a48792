/* SPDX-License-Identifier: BSD-3-Clause */
/* Which processes of a communicator share a node. */
#ifndef SMAP_MPI_NODESPLIT_H
#define SMAP_MPI_NODESPLIT_H

#include <stdbool.h>
#include <stdint.h>

#include <mpi.h>

#include "nodesizes.h"

struct smap_nodesplit {
    struct smap_nodesizes *sizes; /* processes per node; nodes in order of their lowest rank */
    uint32_t node;                /* this process's node ... */
    uint32_t slot;                /* ... and its place among the node's processes, by rank */
};

/* Collective over comm. Returns what MPI returned. *ok, the same everywhere, is false where some
 * process had no memory for it; there is nothing to destroy then. */
int smap_nodesplit_create(MPI_Comm comm, struct smap_nodesplit *split, bool *ok);

void smap_nodesplit_release(struct smap_nodesplit *split);

/* Least and greatest of values over all processes: n values, 16 at most. Collective. */
int smap_agree(MPI_Comm comm, int n, const uint64_t values[], uint64_t least[],
               uint64_t greatest[]);

#endif
