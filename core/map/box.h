/* SPDX-License-Identifier: BSD-3-Clause */
/* A box of cells: what recursive algorithms cut. */
#ifndef SMAP_BOX_H
#define SMAP_BOX_H

#include <stddef.h>
#include <stdint.h>

#include "grid/grid.h"

struct smap_box {
    uint32_t low[SMAP_DIMS_MAX];
    uint32_t size[SMAP_DIMS_MAX];
    uint32_t cells;
};

void smap_box_whole(struct smap_box *box, const struct smap_grid *grid);

/* Cuts a box across a dimension: left keeps the first a slices of it, right gets the others. */
void smap_box_cut(struct smap_box *left, struct smap_box *right, const struct smap_box *box,
                  size_t dim, uint32_t a);

/* The cells of a box in nested loops, order[0] the slowest dimension: the coordinates of the q-th
 * cell, and back. */
void smap_box_coords(uint32_t coords[], const struct smap_box *box, size_t ndims,
                     const size_t order[], uint32_t q);
uint32_t smap_box_index(const struct smap_box *box, size_t ndims, const size_t order[],
                        const uint32_t coords[]);

#endif
