/* SPDX-License-Identifier: BSD-3-Clause */
#include "glue.h"

int stencilmap_f_cart_create(MPI_Fint comm, int ndims, const int dims[], const int periods[],
                             int reorder, MPI_Fint *cart)
{
    MPI_Comm created = MPI_COMM_NULL;
    int rc = stencilmap_cart_create(MPI_Comm_f2c(comm), ndims, dims, periods, reorder, &created);
    *cart = MPI_Comm_c2f(created);
    return rc;
}

int stencilmap_f_cart_stencil_comm(MPI_Fint comm, int ndims, const int dims[], const int periods[],
                                   int reorder, const int stencil[], int k, MPI_Fint *cart)
{
    MPI_Comm created = MPI_COMM_NULL;
    int rc = MPIX_Cart_stencil_comm(MPI_Comm_f2c(comm), ndims, dims, periods, reorder, stencil, k,
                                    &created);
    *cart = MPI_Comm_c2f(created);
    return rc;
}

int stencilmap_f_cart_stencil_create(MPI_Fint comm, int ndims, const int dims[],
                                     const int periods[], int reorder, int k, const int offsets[],
                                     const int weights[], MPI_Fint *cart)
{
    MPI_Comm created = MPI_COMM_NULL;
    int rc = stencilmap_cart_stencil_create(MPI_Comm_f2c(comm), ndims, dims, periods, reorder, k,
                                            offsets, weights, &created);
    *cart = MPI_Comm_c2f(created);
    return rc;
}

static const int *graph_weights(const int weights[])
{
    return weights ? weights : MPI_UNWEIGHTED;
}

int stencilmap_f_dist_graph_create_adjacent(MPI_Fint comm, int indegree, const int sources[],
                                            const int sourceweights[], int outdegree,
                                            const int destinations[], const int destweights[],
                                            MPI_Fint info, int reorder, MPI_Fint *graph)
{
    MPI_Comm created = MPI_COMM_NULL;
    int rc = stencilmap_dist_graph_create_adjacent(
        MPI_Comm_f2c(comm), indegree, sources, graph_weights(sourceweights), outdegree,
        destinations, graph_weights(destweights), MPI_Info_f2c(info), reorder, &created);
    *graph = MPI_Comm_c2f(created);
    return rc;
}

int stencilmap_f_dist_graph_create(MPI_Fint comm, int n, const int sources[], const int degrees[],
                                   const int destinations[], const int weights[], MPI_Fint info,
                                   int reorder, MPI_Fint *graph)
{
    MPI_Comm created = MPI_COMM_NULL;
    int rc =
        stencilmap_dist_graph_create(MPI_Comm_f2c(comm), n, sources, degrees, destinations,
                                     graph_weights(weights), MPI_Info_f2c(info), reorder, &created);
    *graph = MPI_Comm_c2f(created);
    return rc;
}

int stencilmap_f_get_gain(MPI_Fint comm, int64_t gain[4], int *flag)
{
    return stencilmap_get_gain(MPI_Comm_f2c(comm), gain, flag);
}

int stencilmap_f_dims_create_stencil(MPI_Fint comm, int ndims, int dims[], const int periods[],
                                     int k, const int offsets[], const int weights[])
{
    return stencilmap_dims_create_stencil(MPI_Comm_f2c(comm), ndims, dims, periods, k, offsets,
                                          weights);
}
