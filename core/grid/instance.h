/* SPDX-License-Identifier: BSD-3-Clause */
/* What is to be mapped: cells, who talks to whom, and how many cells each node is to have. Who
 * talks to whom follows from a grid and a stencil, or is a graph: then the cells are its ranks and
 * the grid is a line of them, which says nothing about neighbours. Whoever asks for edges asks
 * smap_refine_graph_create (partition), or looks at the graph before the stencil. Everything is
 * borrowed and passed on by pointer; whoever makes an instance sees to it that the parts live as
 * long as what is made from it. */
#ifndef SMAP_INSTANCE_H
#define SMAP_INSTANCE_H

#include "grid/graph.h"
#include "grid/grid.h"
#include "grid/stencil.h"
#include "step/nodesizes.h"

struct smap_instance {
    const struct smap_grid *grid;
    const struct smap_stencil *stencil; /* of as many dimensions; NULL with a graph */
    const struct smap_nodesizes *sizes; /* as many tasks as cells; NULL where no node matters */
    const struct smap_graph *graph;     /* NULL: the grid's */
};

#endif
