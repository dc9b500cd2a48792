/* SPDX-License-Identifier: BSD-3-Clause */
/* What is to be mapped: the cells of a grid, who talks to whom, and how many cells each node is to
 * have. Everything is borrowed and passed on by pointer; whoever makes an instance sees to it that
 * the parts live as long as what is made from it. */
#ifndef SMAP_INSTANCE_H
#define SMAP_INSTANCE_H

#include "grid/grid.h"
#include "grid/stencil.h"
#include "step/nodesizes.h"

struct smap_instance {
    const struct smap_grid *grid;
    const struct smap_stencil *stencil; /* of as many dimensions */
    const struct smap_nodesizes *sizes; /* as many tasks as cells; NULL where no node matters */
};

#endif
