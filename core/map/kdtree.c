/* SPDX-License-Identifier: BSD-3-Clause */
/* k-d tree: the 2020 paper, section V-B, algorithm 2. The grid is halved until one cell is left,
 * each time across the dimension with the largest d_i / f_i, where f_i is the communication along
 * dimension i. Dimensions without any (f_i = 0) come first: cutting them costs nothing. */
#include <stdlib.h>

#include "map/algorithm.h"
#include "map/box.h"

struct params {
    uint64_t f[SMAP_DIMS_MAX]; /* sum of the weights of the offsets with R_i != 0 */
};

static int prepare(struct smap_mapping *m, struct smap_error *err)
{
    struct params *params = calloc(1, sizeof(*params));
    if (!params)
        return smap_nomem(err);
    m->params = params;
    for (size_t r = 0; r < m->in.stencil->count; r++)
        for (size_t i = 0; i < m->in.grid->ndims; i++)
            if (smap_stencil_offset(m->in.stencil, r)[i] != 0)
                params->f[i] += m->in.stencil->weights[r];
    return SMAP_OK;
}

/* Is d_a / f_a > d_b / f_b, with x / 0 above everything and larger for larger x? */
static bool prefer(const struct params *params, const struct smap_box *box, size_t a, size_t b)
{
    uint64_t fa = params->f[a], fb = params->f[b];
    if (fa == 0 || fb == 0)
        return fa == fb ? box->size[a] > box->size[b] : fa == 0;
    return box->size[a] * fb > box->size[b] * fa; /* f < 2^31, sizes < 2^32 */
}

/* Halves a box of at least two cells; returns the dimension. */
static size_t halve(struct smap_box *left, struct smap_box *right, const struct smap_mapping *m,
                    const struct smap_box *box)
{
    size_t best = m->in.grid->ndims;
    for (size_t i = 0; i < m->in.grid->ndims; i++)
        if (box->size[i] > 1 && (best == m->in.grid->ndims || prefer(m->params, box, i, best)))
            best = i;
    smap_box_cut(left, right, box, best, box->size[best] / 2);
    return best;
}

static void cell(uint32_t coords[], const struct smap_mapping *m, uint32_t position)
{
    struct smap_box box, left, right;
    smap_box_whole(&box, m->in.grid);
    while (box.cells > 1) {
        halve(&left, &right, m, &box);
        if (position < left.cells) {
            box = left;
        } else {
            position -= left.cells;
            box = right;
        }
    }
    for (size_t i = 0; i < m->in.grid->ndims; i++)
        coords[i] = box.low[i];
}

static uint32_t position(const struct smap_mapping *m, const uint32_t coords[])
{
    struct smap_box box, left, right;
    uint32_t q = 0;
    smap_box_whole(&box, m->in.grid);
    while (box.cells > 1) {
        size_t dim = halve(&left, &right, m, &box);
        if (coords[dim] < right.low[dim]) {
            box = left;
        } else {
            q += left.cells;
            box = right;
        }
    }
    return q;
}

static void fill(uint32_t cell_at[], const struct smap_mapping *m, const struct smap_box *box)
{
    struct smap_box left, right;
    if (box->cells == 1) {
        cell_at[0] = smap_grid_cell(m->in.grid, box->low);
        return;
    }
    halve(&left, &right, m, box);
    fill(cell_at, m, &left);
    fill(cell_at + left.cells, m, &right);
}

static void cells(uint32_t cell_at[], const struct smap_mapping *m)
{
    struct smap_box box;
    smap_box_whole(&box, m->in.grid);
    fill(cell_at, m, &box);
}

const struct smap_algorithm smap_algorithm_kdtree = {
    .name = "kdtree",
    .summary = "recursive halving where little is said across (2020 paper)",
    .prepare = prepare,
    .cell = cell,
    .position = position,
    .cells = cells,
};
