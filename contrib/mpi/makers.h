/* SPDX-License-Identifier: BSD-3-Clause */
/* The last calls, which really make a communicator. A library that is preloaded puts the next
 * functions of its chain here, so that other tools in it see the call. */
#ifndef SMAP_MPI_MAKERS_H
#define SMAP_MPI_MAKERS_H

#include <mpi.h>

struct smap_makers {
    int (*cart_create)(MPI_Comm comm, int ndims, const int dims[], const int periods[], int reorder,
                       MPI_Comm *cart);
    int (*dist_graph_create_adjacent)(MPI_Comm comm, int indegree, const int sources[],
                                      const int sourceweights[], int outdegree,
                                      const int destinations[], const int destweights[],
                                      MPI_Info info, int reorder, MPI_Comm *graph);
    int (*dist_graph_create)(MPI_Comm comm, int n, const int sources[], const int degrees[],
                             const int destinations[], const int weights[], MPI_Info info,
                             int reorder, MPI_Comm *graph);
};

/* MPI's own: what NULL stands for. */
extern const struct smap_makers smap_makers_mpi;

#endif
