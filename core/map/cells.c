/* SPDX-License-Identifier: BSD-3-Clause */
/* The node of every cell given by a text: how an irregular division that a search has found travels
 * from srun to slurmstepd. It is a table, but nobody looks for anything when it is made. */
#include <inttypes.h>
#include <stdlib.h>

#include "map/algorithm.h"
#include "map/celltext.h"

/* Does every node have as many cells as it has tasks? */
static int check_counts(const uint32_t node_of_cell[], const struct smap_instance *in,
                        struct smap_error *err)
{
    uint32_t nodes = smap_nodesizes_nodes(in->sizes);
    uint32_t *count = calloc(nodes, sizeof(*count));
    int rc = count ? SMAP_OK : smap_nomem(err);
    for (uint32_t cell = 0; count && cell < in->grid->cells; cell++)
        count[node_of_cell[cell]]++;
    for (uint32_t node = 0; rc == SMAP_OK && node < nodes; node++)
        if (count[node] != smap_nodesizes_size(in->sizes, node))
            rc = smap_fail(err, SMAP_EINVAL,
                           "the text gives node %" PRIu32 " %" PRIu32 " cells, it has %" PRIu32
                           " tasks",
                           node, count[node], smap_nodesizes_size(in->sizes, node));
    free(count);
    return rc;
}

static int prepare(struct smap_mapping *m, struct smap_error *err)
{
    uint32_t *node_of_cell = calloc(m->in.grid->cells, sizeof(*node_of_cell));
    int rc = node_of_cell
                 ? smap_celltext_parse(node_of_cell, m->in.grid, smap_nodesizes_nodes(m->in.sizes),
                                       m->parameter, err)
                 : smap_nomem(err);
    if (rc == SMAP_OK)
        rc = check_counts(node_of_cell, &m->in, err);
    if (rc == SMAP_OK) {
        m->cell_at = smap_nodesizes_sort(m->in.sizes, node_of_cell);
        rc = m->cell_at ? SMAP_OK : smap_nomem(err);
    }
    free(node_of_cell);
    return rc;
}

const struct smap_algorithm smap_algorithm_cells = {
    .name = "cells",
    .summary = "the node of every cell, given by a text",
    .graphs = true,
    .parameter = SMAP_PARAMETER_REQUIRED,
    .prepare = prepare,
};
