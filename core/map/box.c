/* SPDX-License-Identifier: BSD-3-Clause */
#include "map/box.h"

#include <string.h>

void smap_box_whole(struct smap_box *box, const struct smap_grid *grid)
{
    *box = (struct smap_box){.cells = grid->cells};
    memcpy(box->size, grid->dims, grid->ndims * sizeof(box->size[0]));
}

void smap_box_cut(struct smap_box *left, struct smap_box *right, const struct smap_box *box,
                  size_t dim, uint32_t a)
{
    uint32_t slice = box->cells / box->size[dim];
    *left = *box;
    left->size[dim] = a;
    left->cells = slice * a;
    *right = *box;
    right->low[dim] += a;
    right->size[dim] -= a;
    right->cells = box->cells - left->cells;
}

void smap_box_coords(uint32_t coords[], const struct smap_box *box, size_t ndims,
                     const size_t order[], uint32_t q)
{
    for (size_t k = ndims; k-- > 0;) {
        size_t i = order[k];
        coords[i] = box->low[i] + q % box->size[i];
        q /= box->size[i];
    }
}

uint32_t smap_box_index(const struct smap_box *box, size_t ndims, const size_t order[],
                        const uint32_t coords[])
{
    uint32_t q = 0;
    for (size_t k = 0; k < ndims; k++)
        q = q * box->size[order[k]] + (coords[order[k]] - box->low[order[k]]);
    return q;
}
