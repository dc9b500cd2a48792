/* SPDX-License-Identifier: BSD-3-Clause */
/* Stencil strips: the 2020 paper, section V-C, algorithm 3. The grid is cut into strips that run
 * along its longest dimension; across it a strip is about as wide as a good box of n cells. Strips
 * are filled back and forth, so that consecutive cells stay together, and the nodes take
 * consecutive cells. These are the bands of bands.h with the paper's choices: dimensions in order,
 * widths that differ by one with the wide ones last, cross-sections row by row. */
#include <math.h>
#include <stdlib.h>

#include "map/algorithm.h"
#include "map/bands_mapping_private.h"

/* The distortion factor alpha_i = e_i / V_b^(1/d_b) of every dimension. */
static void distortion(const struct smap_stencil *stencil, double alpha[])
{
    double volume = 1;
    size_t extended = 0;
    for (size_t i = 0; i < stencil->ndims; i++) {
        int32_t low = INT32_MAX, high = INT32_MIN;
        for (size_t r = 0; r < stencil->count; r++) {
            int32_t component = smap_stencil_offset(stencil, r)[i];
            low = component < low ? component : low;
            high = component > high ? component : high;
        }
        alpha[i] = (double)high - low;
        if (high > low) {
            volume *= alpha[i];
            extended++;
        }
    }
    for (size_t i = 0; extended && i < stencil->ndims; i++)
        alpha[i] /= pow(volume, 1.0 / (double)extended);
}

static size_t longest(const struct smap_grid *grid)
{
    size_t found = 0;
    for (size_t i = 1; i < grid->ndims; i++)
        if (grid->dims[i] > grid->dims[found])
            found = i;
    return found;
}

/* Strip widths s_i over all dimensions but the run, rounded to the nearest; a dimension without
 * communication gets width 1. The published values of the paper need the product under the root
 * and the root's degree counted over the strip dimensions only. */
static int prepare(struct smap_mapping *m, struct smap_error *err)
{
    double alpha[SMAP_DIMS_MAX], filled = 1;
    double n = (double)m->in.grid->cells / smap_nodesizes_nodes(m->in.sizes);
    size_t d = m->in.grid->ndims, done = 0;
    struct smap_bands *bands = calloc(1, sizeof(*bands));
    if (!bands)
        return smap_nomem(err);
    m->params = bands;
    distortion(m->in.stencil, alpha);
    bands->run = longest(m->in.grid);
    for (size_t i = 0; i < d; i++) {
        uint32_t size = m->in.grid->dims[i];
        if (i == bands->run)
            continue;
        double width = 1;
        if (alpha[i] > 0)
            /* The small addition makes a tie a tie whatever the last bit of pow. */
            width = floor(pow(alpha[i] * n / filled, 1.0 / (double)(d - done)) + 0.5 + 1e-9);
        width = fmin(fmax(width, 1), size);
        bands->division[i] = smap_bands_even(size, size / (uint32_t)width);
        bands->order[done++] = i;
        filled *= width;
    }
    return SMAP_OK;
}

const struct smap_algorithm smap_algorithm_strips = {
    .name = "strips",
    .summary = "strips as wide as a good node box, back and forth (2020 paper)",
    .prepare = prepare,
    .cell = smap_bands_mapping_cell,
    .position = smap_bands_mapping_position,
    .cells = smap_bands_mapping_cells,
};
