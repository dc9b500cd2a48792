/* SPDX-License-Identifier: BSD-3-Clause */
#include "nodesplit.h"

#include <stdlib.h>

#define AGREE_MAX 16

int smap_agree(MPI_Comm comm, int n, const uint64_t values[], uint64_t least[], uint64_t greatest[])
{
    /* The greatest is the complement of the least complement: one reduction serves both. */
    uint64_t both[2 * AGREE_MAX];
    for (int i = 0; i < n; i++) {
        both[i] = values[i];
        both[n + i] = ~values[i];
    }
    int rc = PMPI_Allreduce(MPI_IN_PLACE, both, 2 * n, MPI_UINT64_T, MPI_MIN, comm);
    for (int i = 0; rc == MPI_SUCCESS && i < n; i++) {
        least[i] = both[i];
        greatest[i] = ~both[n + i];
    }
    return rc;
}

/* The first process of each node, in a communicator of their own (MPI_COMM_NULL on the others),
 * tells its node the node's index and how many nodes there are. */
static int number_nodes(MPI_Comm leaders, MPI_Comm node_comm, uint32_t *node, uint32_t *nodes)
{
    uint32_t both[2] = {0, 0};
    int rc = MPI_SUCCESS;
    if (leaders != MPI_COMM_NULL) {
        int rank, size;
        PMPI_Comm_rank(leaders, &rank);
        PMPI_Comm_size(leaders, &size);
        both[0] = (uint32_t)rank;
        both[1] = (uint32_t)size;
    }
    rc = PMPI_Bcast(both, 2, MPI_UINT32_T, 0, node_comm);
    *node = both[0];
    *nodes = both[1];
    return rc;
}

/* counts gets n_i for every node, on every process. */
static int share_sizes(MPI_Comm leaders, MPI_Comm node_comm, uint32_t nodes, uint32_t counts[])
{
    if (leaders != MPI_COMM_NULL) {
        int size;
        PMPI_Comm_size(node_comm, &size);
        uint32_t own = (uint32_t)size;
        int rc = PMPI_Allgather(&own, 1, MPI_UINT32_T, counts, 1, MPI_UINT32_T, leaders);
        if (rc != MPI_SUCCESS)
            return rc;
    }
    return PMPI_Bcast(counts, (int)nodes, MPI_UINT32_T, 0, node_comm);
}

static int agree_ok(MPI_Comm comm, bool *ok)
{
    uint64_t own = *ok, least, greatest;
    int rc = smap_agree(comm, 1, &own, &least, &greatest);
    *ok = rc == MPI_SUCCESS && least;
    return rc;
}

static int collect(MPI_Comm comm, MPI_Comm node_comm, MPI_Comm leaders,
                   struct smap_nodesplit *split, bool *ok)
{
    uint32_t nodes;
    int rc = number_nodes(leaders, node_comm, &split->node, &nodes);
    if (rc != MPI_SUCCESS)
        return rc;
    uint32_t *counts = calloc(nodes, sizeof(*counts));
    *ok = counts != NULL;
    rc = agree_ok(comm, ok);
    if (*ok)
        rc = share_sizes(leaders, node_comm, nodes, counts);
    if (*ok && rc == MPI_SUCCESS) {
        *ok = smap_nodesizes_create(&split->sizes, counts, nodes, NULL) == SMAP_OK;
        rc = agree_ok(comm, ok);
    }
    free(counts);
    return rc;
}

int smap_nodesplit_create(MPI_Comm comm, struct smap_nodesplit *split, bool *ok)
{
    MPI_Comm node_comm = MPI_COMM_NULL, leaders = MPI_COMM_NULL;
    int slot;
    *ok = false;
    *split = (struct smap_nodesplit){NULL, 0, 0};
    int rc = PMPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node_comm);
    if (rc != MPI_SUCCESS)
        return rc;
    PMPI_Comm_rank(node_comm, &slot);
    split->slot = (uint32_t)slot;
    rc = PMPI_Comm_split(comm, slot == 0 ? 0 : MPI_UNDEFINED, 0, &leaders);
    if (rc == MPI_SUCCESS)
        rc = collect(comm, node_comm, leaders, split, ok);
    if (leaders != MPI_COMM_NULL)
        PMPI_Comm_free(&leaders);
    PMPI_Comm_free(&node_comm);
    if (rc != MPI_SUCCESS || !*ok) {
        *ok = false;
        smap_nodesplit_release(split);
    }
    return rc;
}

void smap_nodesplit_release(struct smap_nodesplit *split)
{
    smap_nodesizes_destroy(split->sizes);
    split->sizes = NULL;
}
