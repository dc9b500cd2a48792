/* SPDX-License-Identifier: BSD-3-Clause */
#include "stencilmap_mpi.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cart.h"
#include "distgraph.h"
#include "gain.h"

/* Everything behind these functions calls MPI by its PMPI_ names: a profiling tool sees one call,
 * and a program that has its own MPI_Cart_create made from ours does not call itself. */

int stencilmap_cart_create(MPI_Comm comm, int ndims, const int dims[], const int periods[],
                           int reorder, MPI_Comm *cart)
{
    struct smap_cart_outcome outcome;
    const struct smap_cart_call call = {
        .comm = comm, .ndims = ndims, .dims = dims, .periods = periods, .reorder = reorder};
    return smap_cart_call(&call, cart, &outcome);
}

int stencilmap_cart_stencil_create(MPI_Comm comm, int ndims, const int dims[], const int periods[],
                                   int reorder, int k, const int offsets[], const int weights[],
                                   MPI_Comm *cart)
{
    struct smap_cart_outcome outcome;
    const struct smap_cart_call call = {.comm = comm,
                                        .ndims = ndims,
                                        .dims = dims,
                                        .periods = periods,
                                        .reorder = reorder,
                                        .stencil = true,
                                        .k = k,
                                        .offsets = offsets,
                                        .weights = weights};
    return smap_cart_call(&call, cart, &outcome);
}

int MPIX_Cart_stencil_comm(MPI_Comm oldcomm, const int ndims, const int dims[], const int periods[],
                           const int reorder, const int stencil[], const int k, MPI_Comm *cartcomm)
{
    return stencilmap_cart_stencil_create(oldcomm, ndims, dims, periods, reorder, k, stencil, NULL,
                                          cartcomm);
}

int stencilmap_dist_graph_create_adjacent(MPI_Comm comm, int indegree, const int sources[],
                                          const int sourceweights[], int outdegree,
                                          const int destinations[], const int destweights[],
                                          MPI_Info info, int reorder, MPI_Comm *graph)
{
    struct smap_cart_outcome outcome;
    const struct smap_distgraph_call call = {.comm = comm,
                                             .adjacent = true,
                                             .indegree = indegree,
                                             .sources = sources,
                                             .sourceweights = sourceweights,
                                             .outdegree = outdegree,
                                             .destinations = destinations,
                                             .destweights = destweights,
                                             .info = info,
                                             .reorder = reorder};
    return smap_distgraph_call(&call, graph, &outcome);
}

int stencilmap_dist_graph_create(MPI_Comm comm, int n, const int sources[], const int degrees[],
                                 const int destinations[], const int weights[], MPI_Info info,
                                 int reorder, MPI_Comm *graph)
{
    struct smap_cart_outcome outcome;
    const struct smap_distgraph_call call = {.comm = comm,
                                             .n = n,
                                             .sources = sources,
                                             .degrees = degrees,
                                             .destinations = destinations,
                                             .weights = weights,
                                             .info = info,
                                             .reorder = reorder};
    return smap_distgraph_call(&call, graph, &outcome);
}

int stencilmap_get_gain(MPI_Comm comm, int64_t gain[4], int *flag)
{
    struct smap_gain own;
    if (!gain || !flag)
        return MPI_ERR_ARG;
    *flag = smap_gain_get(&own, comm);
    if (*flag)
        memcpy(gain, own.value, sizeof(own.value));
    return MPI_SUCCESS;
}

int stencilmap_get_hint(const char *name, int size, char *value, int *flag)
{
    char variable[64];
    if (!name || !name[0] || size < 1 || !value || !flag)
        return MPI_ERR_ARG;
    int length = snprintf(variable, sizeof(variable), "STENCILMAP_%s", name);
    const char *hint = length < (int)sizeof(variable) ? getenv(variable) : NULL;
    *flag = hint && hint[0];
    if (*flag)
        snprintf(value, (size_t)size, "%s", hint);
    return MPI_SUCCESS;
}
