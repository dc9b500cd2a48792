/* SPDX-License-Identifier: BSD-3-Clause */
/* Divides any set of cells, such as those of one node, into groups of given sizes with little
 * weight between them. */
#ifndef SMAP_DIVIDE_H
#define SMAP_DIVIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "grid/grid.h"
#include "grid/stencil.h"

/* group_of[i]: the group of cells[i], size[g] of each. The cells ascend, their number is the sum of
 * the sizes. quick: cuts alone, without the local search that follows. Never more weight between
 * the groups than if each took the next cells in order. */
int smap_divide(const struct smap_grid *grid, const struct smap_stencil *stencil,
                const uint32_t cells[], uint32_t count, const uint32_t size[], uint32_t groups,
                bool quick, uint32_t group_of[], struct smap_error *err);

#endif
