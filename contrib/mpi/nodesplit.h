/* SPDX-License-Identifier: BSD-3-Clause */
/* Which processes of a communicator share a node.
 *
 * Every process knows its node by itself (nodekey.h). One reduction puts together which rank is
 * where, as rows of ranks (step/nodemap.h), without a table of all ranks. Where that would take
 * too many rows, because ranks are strewn over the nodes without any rule, two splits are made
 * instead; then only sizes, node and slot are known.
 *
 * MPI_Comm_split_type(SHARED) is not asked: it costs a split, and it may part the processes of a
 * node (MPICH under Slurm's PMI-2 with an arbitrary distribution gives every process a part of its
 * own; containers part what shares no memory). */
#ifndef SMAP_MPI_NODESPLIT_H
#define SMAP_MPI_NODESPLIT_H

#include <stdbool.h>
#include <stdint.h>

#include <mpi.h>

#include "step/nodemap.h"

struct smap_nodesplit {
    const struct smap_nodesizes
        *sizes;                 /* processes per node; nodes in order of their lowest rank */
    uint32_t node;              /* this process's node ... */
    uint32_t slot;              /* ... and its place among the node's processes, by rank */
    struct smap_nodemap *map;   /* where every rank is; NULL: too many rows */
    struct smap_nodesizes *own; /* the sizes where there is no map */
};

/* Collective over comm. Returns what MPI returned, or MPI_ERR_NO_MEM where this process has no
 * memory for the nodes: as with MPI's own functions the others cannot go on then. *ok, the same
 * everywhere else, is false where there are two splits and no memory; there is nothing to clear
 * then. O(nodes) memory. */
int smap_nodesplit_init(MPI_Comm comm, struct smap_nodesplit *split, bool *ok);

void smap_nodesplit_clear(struct smap_nodesplit *split);

/* This process's position: all processes of a node after those of the nodes before it. */
uint32_t smap_nodesplit_position(const struct smap_nodesplit *split);

#endif
