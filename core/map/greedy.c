/* SPDX-License-Identifier: BSD-3-Clause */
/* Centralized greedy: the 2019 thesis, section 4.1, algorithm 3. One node after the other is filled
 * (greedy_fill_private.h), each with an empty queue from the smallest cell left. */
#include "map/algorithm.h"
#include "map/greedy_fill_private.h"

static int fill(uint32_t cell_at[], const struct smap_mapping *m, struct smap_error *err)
{
    struct smap_greedy_fill *fill = NULL;
    uint32_t nodes = smap_nodesizes_nodes(m->in.sizes);
    int rc = smap_greedy_fill_create(&fill, &m->in, err);
    for (uint32_t node = 0; rc == SMAP_OK && node < nodes; node++)
        rc = smap_greedy_fill_node(&cell_at[smap_nodesizes_first(m->in.sizes, node)], fill,
                                   SMAP_NO_CELL, smap_nodesizes_size(m->in.sizes, node), err);
    smap_greedy_fill_destroy(fill);
    return rc;
}

const struct smap_algorithm smap_algorithm_greedy = {
    .name = "greedy",
    .summary = "node by node, always the cell with the most neighbours there (2019 thesis)",
    .whole_grid = true,
    .cells_max = 1u << 17, /* k^2 steps a cell, and far behind on large grids */
    .fill = fill,
};
