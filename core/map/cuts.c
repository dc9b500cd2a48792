/* SPDX-License-Identifier: BSD-3-Clause */
/* Recursive cuts that know what they cost: hyperplane decides by the shape of a box and the stencil
 * alone, here the edges that really cross a cut count, and a border of the grid costs nothing. The
 * 2019 thesis asks for that as future work ("boundary aware"). */
#include "map/algorithm.h"
#include "map/guillotine.h"

static int fill(uint32_t cell_at[], const struct smap_mapping *m, struct smap_error *err)
{
    static const struct smap_guillotine_limits limits = SMAP_GUILLOTINE_FAST;
    bool found = false;
    int rc = smap_guillotine(cell_at, &found, &m->in, &limits, err);
    if (rc == SMAP_OK && !found)
        rc = smap_fail(err, SMAP_ENOTSUP, "no cut of this grid leaves whole nodes on both sides");
    return rc;
}

const struct smap_algorithm smap_algorithm_cuts = {
    .name = "cuts",
    .summary = "the recursive cuts that cost least, borders known; equal node sizes",
    .whole_grid = true,
    .equal_sizes = true,
    .fill = fill,
};
