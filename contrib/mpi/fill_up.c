/* SPDX-License-Identifier: BSD-3-Clause */
#include "fill_up.h"

#include <limits.h>
#include <stdlib.h>

#include "agree.h"
#include "best/algorithms.h"
#include "map/greedy_distributed.h"

/* The processes of this node, by slot; the first ones of all nodes, by node. */
struct comms {
    MPI_Comm node;
    MPI_Comm leaders; /* MPI_COMM_NULL on all but the first */
};

static int split_up(struct comms *comms, MPI_Comm comm, const struct smap_nodesplit *split)
{
    int rc = PMPI_Comm_split(comm, (int)split->node, (int)split->slot, &comms->node);
    if (rc == MPI_SUCCESS)
        rc = PMPI_Comm_split(comm, split->slot == 0 ? 0 : MPI_UNDEFINED, (int)split->node,
                             &comms->leaders);
    return rc;
}

static void free_comms(struct comms *comms)
{
    if (comms->leaders != MPI_COMM_NULL)
        PMPI_Comm_free(&comms->leaders);
    if (comms->node != MPI_COMM_NULL)
        PMPI_Comm_free(&comms->node);
}

/* The cells of all nodes, this node's filled in; NULL without memory. */
static uint32_t *fill_own(const struct smap_instance *in, uint32_t node)
{
    uint32_t first = smap_nodesizes_first(in->sizes, node);
    uint32_t *cell_at = calloc(in->grid->cells, sizeof(*cell_at));
    uint32_t *starters = calloc(smap_nodesizes_nodes(in->sizes), sizeof(*starters));
    bool able = cell_at && starters && smap_greedy_starters(starters, in, NULL) == SMAP_OK &&
                smap_greedy_take(cell_at + first, in, starters, node, node + 1, NULL) == SMAP_OK;
    free(starters);
    if (!able) {
        free(cell_at);
        cell_at = NULL;
    }
    return cell_at;
}

/* The one exchange: all leaders get the cells of all nodes. */
static int exchange(uint32_t cell_at[], MPI_Comm leaders, const struct smap_nodesizes *sizes)
{
    uint32_t nodes = smap_nodesizes_nodes(sizes);
    int *counts = calloc(nodes, sizeof(*counts)), *first = calloc(nodes, sizeof(*first));
    int rc = counts && first ? MPI_SUCCESS : MPI_ERR_NO_MEM;
    for (uint32_t node = 0; rc == MPI_SUCCESS && node < nodes; node++) {
        counts[node] = (int)smap_nodesizes_size(sizes, node);
        first[node] = (int)smap_nodesizes_first(sizes, node);
    }
    if (rc == MPI_SUCCESS)
        rc = PMPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, cell_at, counts, first,
                             MPI_UINT32_T, leaders);
    free(counts);
    free(first);
    return rc;
}

/* On the leaders, cell_at has this node's cells, and gets all, once each. */
static int settle(uint32_t *cell, uint32_t cell_at[], const struct comms *comms,
                  const struct smap_instance *in, uint32_t node)
{
    uint32_t *own = NULL;
    if (comms->leaders != MPI_COMM_NULL) {
        int rc = exchange(cell_at, comms->leaders, in->sizes);
        if (rc != MPI_SUCCESS)
            return rc;
        if (smap_greedy_settle(cell_at, in, NULL) != SMAP_OK)
            return MPI_ERR_NO_MEM;
        own = cell_at + smap_nodesizes_first(in->sizes, node);
    }
    return PMPI_Scatter(own, 1, MPI_UINT32_T, cell, 1, MPI_UINT32_T, 0, comms->node);
}

bool smap_fills_up(const char *algorithm)
{
    return smap_algorithm_find(NULL, algorithm) == &smap_algorithm_greedy_distributed;
}

int smap_fill_up(struct smap_searched *searched, MPI_Comm comm,
                 const struct smap_instance *instance, const struct smap_nodesplit *split)
{
    struct comms comms = {MPI_COMM_NULL, MPI_COMM_NULL};
    uint32_t *cell_at = NULL;
    *searched = (struct smap_searched){{.judgement = SMAP_JUDGED_NO_MEMORY}, SMAP_NO_CELL};
    int rc = split_up(&comms, comm, split);
    if (rc == MPI_SUCCESS && comms.leaders != MPI_COMM_NULL)
        cell_at = fill_own(instance, split->node);
    bool able = instance->grid->cells <= INT_MAX && (split->slot > 0 || cell_at);
    if (rc == MPI_SUCCESS)
        rc = smap_agree_ok(comm, &able);
    if (rc == MPI_SUCCESS && able)
        rc = settle(&searched->cell, cell_at, &comms, instance, split->node);
    free(cell_at);
    free_comms(&comms);
    if (rc == MPI_SUCCESS && able)
        rc = smap_judge_cells(&searched->verdict, comm, instance, split->node, searched->cell);
    return rc;
}
