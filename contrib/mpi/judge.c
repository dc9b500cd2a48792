/* SPDX-License-Identifier: BSD-3-Clause */
#include "judge.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Node and cell of one process, as they travel. */
struct offer {
    uint32_t node;
    uint32_t cell;
};

/* What rank 0 needs for p processes. */
struct tables {
    struct offer *offers;
    uint32_t *node_of_rank;
    uint32_t *node_of_cell;
};

static bool prepare(struct tables *tables, uint32_t p)
{
    tables->offers = calloc(p, sizeof(*tables->offers));
    tables->node_of_rank = calloc(p, sizeof(*tables->node_of_rank));
    tables->node_of_cell = calloc(p, sizeof(*tables->node_of_cell));
    return tables->offers && tables->node_of_rank && tables->node_of_cell;
}

static void release(struct tables *tables)
{
    free(tables->offers);
    free(tables->node_of_rank);
    free(tables->node_of_cell);
}

/* False if a cell is missing or taken twice. */
static bool fill_nodes(const struct tables *tables, uint32_t p)
{
    memset(tables->node_of_cell, 0xff, p * sizeof(*tables->node_of_cell));
    for (uint32_t r = 0; r < p; r++) {
        struct offer offer = tables->offers[r];
        if (offer.cell >= p || tables->node_of_cell[offer.cell] != UINT32_MAX)
            return false;
        tables->node_of_rank[r] = offer.node;
        tables->node_of_cell[offer.cell] = offer.node;
    }
    return true;
}

static enum smap_judgement decide(struct smap_verdict *v, const struct tables *tables,
                                  const struct smap_instance *in)
{
    uint32_t nodes = smap_nodesizes_nodes(in->sizes);
    if (!fill_nodes(tables, in->grid->cells))
        return SMAP_JUDGED_NO_PERMUTATION;
    if (smap_score_nodes(&v->before, NULL, in, tables->node_of_rank, nodes, NULL) != SMAP_OK ||
        smap_score_nodes(&v->after, NULL, in, tables->node_of_cell, nodes, NULL) != SMAP_OK)
        return SMAP_JUDGED_NO_MEMORY;
    bool better = v->after.jsum != v->before.jsum ? v->after.jsum < v->before.jsum
                                                  : v->after.jmax < v->before.jmax;
    return better ? SMAP_JUDGED_BETTER : SMAP_JUDGED_NO_GAIN;
}

static int publish(MPI_Comm comm, struct smap_verdict *v)
{
    uint64_t words[] = {v->judgement,  v->before.jsum, v->before.jmax, v->before.jmin,
                        v->after.jsum, v->after.jmax,  v->after.jmin};
    int rc = PMPI_Bcast(words, sizeof(words) / sizeof(words[0]), MPI_UINT64_T, 0, comm);
    if (rc == MPI_SUCCESS)
        *v = (struct smap_verdict){(enum smap_judgement)words[0],
                                   {words[1], words[2], words[3]},
                                   {words[4], words[5], words[6]}};
    return rc;
}

int smap_judge(struct smap_verdict *verdict, MPI_Comm comm, const struct smap_instance *instance,
               uint32_t node, uint32_t cell)
{
    struct tables tables = {NULL, NULL, NULL};
    struct offer own = {node, cell};
    int rank, able = 1;
    *verdict = (struct smap_verdict){.judgement = SMAP_JUDGED_NO_MEMORY};
    PMPI_Comm_rank(comm, &rank);
    if (rank == 0)
        able = prepare(&tables, instance->grid->cells);
    int rc = PMPI_Bcast(&able, 1, MPI_INT, 0, comm);
    if (rc == MPI_SUCCESS && able) {
        rc = PMPI_Gather(&own, 2, MPI_UINT32_T, tables.offers, 2, MPI_UINT32_T, 0, comm);
        if (rc == MPI_SUCCESS && rank == 0)
            verdict->judgement = decide(verdict, &tables, instance);
        if (rc == MPI_SUCCESS)
            rc = publish(comm, verdict);
    }
    release(&tables);
    return rc;
}
