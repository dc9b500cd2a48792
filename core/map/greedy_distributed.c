/* SPDX-License-Identifier: BSD-3-Clause */
/* Distributed greedy, see the header. The thesis' text leaves ties open: which of several cells is
 * discovered last depends on the order of offsets and of the queue, and the check-up on the order
 * in which nodes and cells are looked at. Of 18432 readings (that order by offsets, by rank, by
 * time of discovery; searches from all starters or from the last; starters kept out of other nodes
 * or not; nodes in order of rank or of discovery; cells that are off their node counted by what the
 * node has taken, or by the first or the last node that has taken them; equal gains to the first or
 * the last) none gives all values of tables 6.1 and 6.2, and in few one stencil has both. This one
 * comes closest of those that do not depend on the order of offsets: the greatest cell of the
 * farthest, nodes in order of their starters' ranks, equal gains to the greatest cell and the last
 * node. J_sum/J_max on 12x11x8, 33 nodes of 32:
 *
 *             nn        moore      component hops-last diagonal  hops      crank-nicolson
 *   here      2800/111  13554/584  960/55    3568/153  2844/127  3920/156  4891/196
 *   published 2660/118  13572/558  888/55    3626/155  3012/136  3946/159  4863/193
 */
#include "map/greedy_distributed.h"

#include <stdlib.h>

#include "map/algorithm.h"
#include "map/greedy_fill_private.h"

int smap_greedy_take(uint32_t cells[], const struct smap_instance *in, const uint32_t starters[],
                     uint32_t first, uint32_t last, struct smap_error *err)
{
    struct smap_greedy_fill *fill = NULL;
    int rc = smap_greedy_fill_create(&fill, in, err);
    for (uint32_t node = first; rc == SMAP_OK && node < last; node++) {
        uint32_t n = smap_nodesizes_size(in->sizes, node);
        rc = smap_greedy_fill_node(cells, fill, starters[node], n, err);
        for (uint32_t q = 0; rc == SMAP_OK && q < n; q++)
            smap_greedy_fill_set_taken(fill, cells[q], false);
        cells += n;
    }
    smap_greedy_fill_destroy(fill);
    return rc;
}

static int fill_all(uint32_t cell_at[], const struct smap_mapping *m, struct smap_error *err)
{
    uint32_t nodes = smap_nodesizes_nodes(m->in.sizes);
    uint32_t *starters = calloc(nodes, sizeof(*starters));
    int rc = starters ? smap_greedy_starters(starters, &m->in, err) : smap_nomem(err);
    if (rc == SMAP_OK)
        rc = smap_greedy_take(cell_at, &m->in, starters, 0, nodes, err);
    if (rc == SMAP_OK)
        rc = smap_greedy_settle(cell_at, &m->in, err);
    free(starters);
    return rc;
}

const struct smap_algorithm smap_algorithm_greedy_distributed = {
    .name = "greedy-distributed",
    .summary = "every node from a cell far from the others', then what none has got (2019 thesis)",
    .whole_grid = true,
    .control = true,       /* `best` has never gained by it, see mapping.h */
    .cells_max = 1u << 17, /* as greedy */
    .fill = fill_all,
};
