/* SPDX-License-Identifier: BSD-3-Clause */
/* The edges of a distributed graph: read from the arguments, gathered, and passed on to the process
 * that gets a vertex. */
#ifndef SMAP_MPI_EDGES_H
#define SMAP_MPI_EDGES_H

#include <stdbool.h>
#include <stdint.h>

#include <mpi.h>

#include "distgraph.h"
#include "grid/graph.h"

/* Are the arguments of this process what MPI takes? */
bool smap_edges_valid(const struct smap_distgraph_call *call);

/* The whole graph on the processes where wanted is set, rank 0 among them; NULL on the others, and
 * where there is no memory or weights are out of bounds. Collective over the call's comm. Returns
 * what MPI returned. O(edges) memory where it is wanted. */
int smap_edges_gather(struct smap_graph **graph, const struct smap_distgraph_call *call,
                      bool wanted);

/* The arguments of MPI_Dist_graph_create_adjacent that the process with this vertex's rank in the
 * old communicator has given. */
struct smap_neighbours {
    int indegree, outdegree;
    const int *sources, *sourceweights, *destinations, *destweights;
    int *message; /* what they point into */
};

/* Every process passes its arguments on to the one that has its old rank in `ordered`, which is a
 * communicator of our own with the same processes. Collective over it. Returns what MPI returned,
 * or MPI_ERR_NO_MEM. */
int smap_neighbours_exchange(struct smap_neighbours *neighbours, MPI_Comm ordered,
                             const struct smap_distgraph_call *call);
void smap_neighbours_clear(struct smap_neighbours *neighbours);

#endif
