/* SPDX-License-Identifier: BSD-3-Clause */
/* Recursive cuts that know what they cost: hyperplane decides by the shape of a box and the stencil
 * alone, here the edges that really cross a cut count, and a border of the grid costs nothing. The
 * 2019 thesis asks for that as future work ("boundary aware"). */
#include <stdlib.h>

#include "map/guillotine.h"
#include "map/table_private.h"

static int prepare(struct smap_mapping *m, struct smap_error *err)
{
    static const struct smap_guillotine_limits limits = {100, 3, 4};
    bool found = false;
    if (smap_nodesizes_uniform(m->in.sizes) == 0)
        return smap_fail(err, SMAP_ENOTSUP, "cuts needs the same number of tasks on every node");
    struct smap_table *table = calloc(1, sizeof(*table));
    if (!table)
        return smap_nomem(err);
    m->params = table;
    int rc = smap_table_create(table, m->in.grid, err);
    if (rc == SMAP_OK)
        rc = smap_guillotine(table->cell_at, &found, &m->in, &limits, err);
    if (rc == SMAP_OK && !found)
        rc = smap_fail(err, SMAP_ENOTSUP, "no cut of this grid leaves whole nodes on both sides");
    if (rc == SMAP_OK)
        smap_table_invert(table, m->in.grid);
    return rc;
}

const struct smap_algorithm smap_algorithm_cuts = {
    .name = "cuts",
    .summary = "the recursive cuts that cost least, borders known; equal node sizes",
    .prepare = prepare,
    .release = smap_table_free,
    .cell = smap_table_cell,
    .position = smap_table_position,
    .cells = smap_table_cells,
};
