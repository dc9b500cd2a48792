/* SPDX-License-Identifier: BSD-3-Clause */
#include "judge.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum smap_judgement smap_judge_scores(const struct smap_score *before,
                                      const struct smap_score *after)
{
    bool better =
        after->jsum != before->jsum ? after->jsum < before->jsum : after->jmax < before->jmax;
    return better ? SMAP_JUDGED_BETTER : SMAP_JUDGED_NO_GAIN;
}

/* The node of a cell: with the order that there is, and with the one that is offered. */
typedef uint32_t node_of(const void *where, uint32_t cell);

static uint32_t node_before(const void *where, uint32_t cell)
{
    return smap_nodemap_node(where, cell, NULL);
}

static uint32_t node_after(const void *where, uint32_t cell)
{
    return smap_mapping_node(where, cell);
}

/* The weight of the edges of a cell that leave its node. */
static uint64_t weight_out(const struct smap_instance *in, uint32_t cell, node_of *node,
                           const void *where)
{
    uint32_t coords[SMAP_DIMS_MAX], own = node(where, cell), neighbour;
    uint64_t weight = 0;
    smap_grid_coords(coords, in->grid, cell);
    for (size_t i = 0; i < in->stencil->count; i++)
        if (smap_grid_neighbour(&neighbour, in->grid, coords, smap_stencil_offset(in->stencil, i),
                                1) &&
            node(where, neighbour) != own)
            weight += in->stencil->weights[i];
    return weight;
}

static struct smap_score score_of(const uint64_t out[], uint32_t nodes)
{
    struct smap_score score = {.jmin = UINT64_MAX};
    for (uint32_t i = 0; i < nodes; i++) {
        score.jsum += out[i];
        score.jmax = out[i] > score.jmax ? out[i] : score.jmax;
        score.jmin = out[i] < score.jmin ? out[i] : score.jmin;
    }
    return score;
}

int smap_judge_mapping(struct smap_verdict *verdict, MPI_Comm comm,
                       const struct smap_instance *instance, const struct smap_nodesplit *split,
                       const struct smap_mapping *mapping)
{
    uint32_t nodes = smap_nodesizes_nodes(split->sizes);
    uint64_t *out = calloc(2 * (size_t)nodes + 1, sizeof(*out)); /* before, after, failures */
    int rank;
    *verdict = (struct smap_verdict){.judgement = SMAP_JUDGED_NO_MEMORY};
    if (!out)
        return MPI_ERR_NO_MEM;
    PMPI_Comm_rank(comm, &rank);
    out[split->node] = weight_out(instance, (uint32_t)rank, node_before, split->map);
    out[2 * (size_t)nodes] = mapping == NULL;
    if (mapping) /* the cell at the own position is on the own node */
        out[nodes + split->node] =
            weight_out(instance, smap_mapping_cell(mapping, smap_nodesplit_position(split)),
                       node_after, mapping);
    int rc = PMPI_Allreduce(MPI_IN_PLACE, out, (int)(2 * nodes + 1), MPI_UINT64_T, MPI_SUM, comm);
    if (rc == MPI_SUCCESS && out[2 * (size_t)nodes] == 0) {
        verdict->before = score_of(out, nodes);
        verdict->after = score_of(out + nodes, nodes);
        verdict->judgement = smap_judge_scores(&verdict->before, &verdict->after);
    }
    free(out);
    return rc;
}

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
    return smap_judge_scores(&v->before, &v->after);
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

int smap_judge_cells(struct smap_verdict *verdict, MPI_Comm comm,
                     const struct smap_instance *instance, uint32_t node, uint32_t cell)
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
