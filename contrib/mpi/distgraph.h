/* SPDX-License-Identifier: BSD-3-Clause */
/* Distributed graphs that are reordered to the nodes: what cart.h is for grids. */
#ifndef SMAP_MPI_DISTGRAPH_H
#define SMAP_MPI_DISTGRAPH_H

#include <stdbool.h>

#include <mpi.h>

#include "cart.h"

/* A call as the program has made it, its arguments unchecked. */
struct smap_distgraph_call {
    MPI_Comm comm;
    /* MPI_Dist_graph_create_adjacent: all but the next three; MPI_Dist_graph_create: sources,
     * destinations, and the next three. */
    bool adjacent;
    int n;
    const int *degrees, *weights;
    int indegree, outdegree;
    const int *sources, *destinations;
    const int *sourceweights, *destweights;
    MPI_Info info;
    int reorder;
    const struct smap_makers *makers; /* NULL: MPI's own */
};

/* All that stencilmap_dist_graph_create_adjacent and stencilmap_dist_graph_create do. */
int smap_distgraph_call(const struct smap_distgraph_call *call, MPI_Comm *graph,
                        struct smap_cart_outcome *outcome);

#endif
