/* SPDX-License-Identifier: BSD-3-Clause */
/* The part of libstencilmap_preload.so that knows MPI. */
#include <mpi.h>

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "cart.h"
#include "distgraph.h"
#include "hints.h"
#include "stencilmap_mpi.h"

typedef int cart_create(MPI_Comm, int, const int[], const int[], int, MPI_Comm *);
typedef int dims_create(int, int, int[]);
typedef int dist_graph_create(MPI_Comm, int, const int[], const int[], const int[], const int[],
                              MPI_Info, int, MPI_Comm *);
typedef int dist_graph_create_adjacent(MPI_Comm, int, const int[], const int[], int, const int[],
                                       const int[], MPI_Info, int, MPI_Comm *);

/* What interpose.h looks up. */
STENCILMAP_MPI_API int stencilmap_Cart_create(cart_create *next, MPI_Comm comm, int ndims,
                                              const int dims[], const int periods[], int reorder,
                                              MPI_Comm *cart);
STENCILMAP_MPI_API int stencilmap_Dims_create(dims_create *next, int nodes, int ndims, int dims[]);
STENCILMAP_MPI_API int stencilmap_Dist_graph_create(dist_graph_create *next, MPI_Comm comm, int n,
                                                    const int sources[], const int degrees[],
                                                    const int destinations[], const int weights[],
                                                    MPI_Info info, int reorder, MPI_Comm *graph);
STENCILMAP_MPI_API int
stencilmap_Dist_graph_create_adjacent(dist_graph_create_adjacent *next, MPI_Comm comm, int indegree,
                                      const int sources[], const int sourceweights[], int outdegree,
                                      const int destinations[], const int destweights[],
                                      MPI_Info info, int reorder, MPI_Comm *graph);

static void add_dims(struct smap_text *text, const struct smap_grid *grid)
{
    for (size_t i = 0; i < grid->ndims; i++)
        smap_text_add(text, "%s%" PRIu32, i ? "x" : "", grid->dims[i]);
}

/* Says, once, that the program makes another grid of all its ranks than srun was told: then srun's
 * figures are not about this program. */
static void tell(const struct smap_grid *told, int ndims, const int dims[],
                 const struct smap_cart_outcome *outcome)
{
    static atomic_flag said = ATOMIC_FLAG_INIT;
    struct smap_text text = {0};
    if (atomic_flag_test_and_set(&said))
        return;
    smap_text_add(&text, "stencilmap: srun was told ");
    add_dims(&text, told);
    smap_text_add(&text, ", the program makes ");
    for (int i = 0; i < ndims; i++)
        smap_text_add(&text, "%s%d", i ? "x" : "", dims[i]);
    if (!outcome)
        smap_text_add(&text, " without reorder: ranks stay");
    else if (smap_cart_reordered(outcome))
        smap_text_add(&text, ": mapped anew, J_sum %" PRIu64 " -> %" PRIu64, outcome->before.jsum,
                      outcome->after.jsum);
    else
        smap_text_add(&text, ": ranks stay%s",
                      outcome->origin == SMAP_CART_KEPT_NO_GAIN ? ", nothing better is known" : "");
    char *line = smap_text_take(&text);
    if (line)
        fprintf(stderr, "%s\n", line);
    free(line);
}

static bool is_first(MPI_Comm comm)
{
    int rank = -1;
    return PMPI_Comm_rank(comm, &rank) == MPI_SUCCESS && rank == 0;
}

/* A grid whose ranks the program does not let go. */
static void check_kept(MPI_Comm comm, int ndims, const int dims[], const int periods[])
{
    struct smap_hints hints;
    int64_t cells = 1;
    int size = 0;
    if (!is_first(comm))
        return;
    smap_hints_read(&hints);
    PMPI_Comm_size(comm, &size);
    bool same = hints.grid_known && hints.grid.ndims == (size_t)ndims;
    for (int i = 0; i < ndims; i++) {
        same = same && hints.grid.dims[i] == (uint32_t)dims[i] &&
               hints.grid.periodic[i] == (periods[i] != 0);
        cells *= dims[i];
    }
    if (hints.grid_known && !hints.part && !same && cells == size &&
        hints.grid.cells == (uint32_t)size)
        tell(&hints.grid, ndims, dims, NULL);
    smap_hints_clear(&hints);
}

int stencilmap_Cart_create(cart_create *next, MPI_Comm comm, int ndims, const int dims[],
                           const int periods[], int reorder, MPI_Comm *cart)
{
    const struct smap_makers makers = {.cart_create = next};
    const struct smap_cart_call call = {.comm = comm,
                                        .ndims = ndims,
                                        .dims = dims,
                                        .periods = periods,
                                        .reorder = reorder,
                                        .makers = &makers};
    struct smap_cart_outcome outcome;
    int rc = reorder ? smap_cart_call(&call, cart, &outcome)
                     : next(comm, ndims, dims, periods, reorder, cart);
    if (rc == MPI_SUCCESS && !reorder && *cart != MPI_COMM_NULL)
        check_kept(comm, ndims, dims, periods);
    if (rc == MPI_SUCCESS && reorder && outcome.other_grid && is_first(comm))
        tell(&outcome.told, ndims, dims, &outcome);
    return rc;
}

/* The grid that srun was told, if the program asks for one of as many ranks and dimensions. */
static bool told_dims(int nodes, int ndims, int dims[])
{
    struct smap_hints hints;
    smap_hints_read(&hints);
    bool fits = hints.grid_known && hints.grid.ndims == (size_t)ndims &&
                hints.grid.cells == (uint32_t)nodes;
    for (int i = 0; fits && i < ndims; i++)
        fits = dims[i] == 0;
    for (int i = 0; fits && i < ndims; i++)
        dims[i] = (int)hints.grid.dims[i];
    smap_hints_clear(&hints);
    return fits;
}

int stencilmap_Dims_create(dims_create *next, int nodes, int ndims, int dims[])
{
    if (!smap_hints_mode("dims") || nodes < 1 || ndims < 1 || !dims)
        return next(nodes, ndims, dims);
    return told_dims(nodes, ndims, dims) ? MPI_SUCCESS : stencilmap_dims_create(nodes, ndims, dims);
}

int stencilmap_Dist_graph_create(dist_graph_create *next, MPI_Comm comm, int n, const int sources[],
                                 const int degrees[], const int destinations[], const int weights[],
                                 MPI_Info info, int reorder, MPI_Comm *graph)
{
    const struct smap_makers makers = {.dist_graph_create = next};
    struct smap_distgraph_call call = {.comm = comm, .n = n, .reorder = reorder, .info = info};
    call.sources = sources, call.destinations = destinations;
    call.degrees = degrees, call.weights = weights;
    call.makers = &makers;
    struct smap_cart_outcome outcome;
    return smap_distgraph_call(&call, graph, &outcome);
}

int stencilmap_Dist_graph_create_adjacent(dist_graph_create_adjacent *next, MPI_Comm comm,
                                          int indegree, const int sources[],
                                          const int sourceweights[], int outdegree,
                                          const int destinations[], const int destweights[],
                                          MPI_Info info, int reorder, MPI_Comm *graph)
{
    const struct smap_makers makers = {.dist_graph_create_adjacent = next};
    struct smap_distgraph_call call = {.comm = comm, .adjacent = true, .reorder = reorder};
    call.indegree = indegree, call.sources = sources, call.sourceweights = sourceweights;
    call.outdegree = outdegree, call.destinations = destinations, call.destweights = destweights;
    call.info = info, call.makers = &makers;
    struct smap_cart_outcome outcome;
    return smap_distgraph_call(&call, graph, &outcome);
}
