/* SPDX-License-Identifier: BSD-3-Clause */
/* Which processes of a communicator share a node.
 *
 * MPI_Comm_split_type(SHARED) says so, but not always: it may part the processes of a node (MPICH
 * under Slurm's PMI-2 with an arbitrary distribution gives every process a part of its own;
 * containers part what shares no memory). Parts with the same processor name are therefore joined,
 * unless that name is the only one there is: then it may be everybody's "localhost". */
#ifndef SMAP_MPI_NODESPLIT_H
#define SMAP_MPI_NODESPLIT_H

#include <stdbool.h>
#include <stdint.h>

#include <mpi.h>

#include "step/nodesizes.h"

struct smap_nodesplit {
    struct smap_nodesizes *sizes; /* processes per node; nodes in order of their lowest rank */
    uint32_t node;                /* this process's node ... */
    uint32_t slot;                /* ... and its place among the node's processes, by rank */
};

/* Collective over comm. Returns what MPI returned. *ok, the same everywhere, is false where some
 * process had no memory for it; there is nothing to clear then. */
int smap_nodesplit_init(MPI_Comm comm, struct smap_nodesplit *split, bool *ok);

void smap_nodesplit_clear(struct smap_nodesplit *split);

#endif
