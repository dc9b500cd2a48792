/* SPDX-License-Identifier: BSD-3-Clause */
#include "stencilmap_mpi.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cart.h"

/* Everything in here calls MPI by its PMPI_ names: a profiling tool sees one call, and a program
 * that has its own MPI_Cart_create made from ours does not call itself. */

static bool is_intracomm(MPI_Comm comm)
{
    int inter = 0;
    return comm != MPI_COMM_NULL && PMPI_Comm_test_inter(comm, &inter) == MPI_SUCCESS && !inter;
}

/* Raises code as MPI would on comm. */
static int refuse(MPI_Comm comm, int code)
{
    PMPI_Comm_call_errhandler(comm, code);
    return code;
}

/* The product of dims, or INT_MAX + 1 for more; 0 where a dim is not positive. */
static uint64_t count_cells(int ndims, const int dims[])
{
    uint64_t cells = 1;
    for (int i = 0; i < ndims; i++) {
        if (dims[i] <= 0)
            return 0;
        cells *= (uint64_t)dims[i];
        if (cells > INT_MAX)
            cells = (uint64_t)INT_MAX + 1;
    }
    return cells;
}

/* True if this is a grid to reorder; everything else is for MPI_Cart_create to do or to refuse. */
static bool fill_grid(struct smap_grid *grid, MPI_Comm comm, int ndims, const int dims[],
                      const int periods[])
{
    uint32_t sizes[SMAP_DIMS_MAX];
    bool periodic[SMAP_DIMS_MAX];
    int size;
    if (ndims < 1 || ndims > SMAP_DIMS_MAX || !periods)
        return false;
    uint64_t cells = count_cells(ndims, dims);
    PMPI_Comm_size(comm, &size);
    if (cells == 0 || cells > (uint64_t)size)
        return false;
    for (int i = 0; i < ndims; i++) {
        sizes[i] = (uint32_t)dims[i];
        periodic[i] = periods[i] != 0;
    }
    return smap_grid_init(grid, (size_t)ndims, sizes, periodic, NULL) == SMAP_OK;
}

static void format_dims(const struct smap_grid *grid, char *text, size_t size)
{
    size_t used = 0;
    for (size_t i = 0; i < grid->ndims && used < size; i++) {
        int n = snprintf(text + used, size - used, "%s%" PRIu32, i ? "x" : "", grid->dims[i]);
        used += n > 0 ? (size_t)n : 0;
    }
}

static const char *why_kept(enum smap_cart_origin origin)
{
    switch (origin) {
    case SMAP_CART_KEPT_OFF:
        return "STENCILMAP_MPI=off";
    case SMAP_CART_KEPT_LAUNCH:
        return "srun has placed them";
    case SMAP_CART_KEPT_ONE:
        return "all on one node";
    default:
        return "no mapping could be computed";
    }
}

static void report(const struct smap_grid *grid, const struct smap_cart_outcome *outcome)
{
    char dims[SMAP_DIMS_MAX * 11 + 1] = "";
    const struct smap_score *before = &outcome->before, *after = &outcome->after;
    const char *refused = outcome->hints_refused ? "; hints refused: no permutation" : "";
    format_dims(grid, dims, sizeof(dims));
    if (smap_cart_reordered(outcome))
        fprintf(stderr,
                "stencilmap: cart %s %s: J_sum %" PRIu64 " -> %" PRIu64 ", J_max %" PRIu64
                " -> %" PRIu64 " (%s%s)\n",
                dims, outcome->stencil, before->jsum, after->jsum, before->jmax, after->jmax,
                outcome->algorithm, refused);
    else if (outcome->origin == SMAP_CART_KEPT_NO_GAIN)
        fprintf(stderr,
                "stencilmap: cart %s %s: ranks kept: J_sum %" PRIu64 ", J_max %" PRIu64
                ", no gain with %" PRIu64 ", %" PRIu64 " (%s%s)\n",
                dims, outcome->stencil, before->jsum, before->jmax, after->jsum, after->jmax,
                outcome->algorithm, refused);
    else
        fprintf(stderr, "stencilmap: cart %s %s: ranks kept: %s\n", dims, outcome->stencil,
                why_kept(outcome->origin));
}

static int create(MPI_Comm comm, const struct smap_cart_request *request, MPI_Comm *cart)
{
    struct smap_cart_outcome outcome;
    const char *mode = getenv("STENCILMAP_MPI");
    int rank;
    int rc = smap_cart_build(comm, request, cart, &outcome);
    PMPI_Comm_rank(comm, &rank);
    if (rc == MPI_SUCCESS && rank == 0 && mode && strcmp(mode, "verbose") == 0)
        report(&request->grid, &outcome);
    return rc;
}

/* What both functions leave to MPI_Cart_create: everything but a grid to reorder. Its own check of
 * the size overflows in some implementations, hence ours. */
static int create_plain(MPI_Comm comm, int ndims, const int dims[], const int periods[],
                        MPI_Comm *cart)
{
    if (ndims > 0 && dims && is_intracomm(comm) && count_cells(ndims, dims) > INT_MAX)
        return refuse(comm, MPI_ERR_DIMS);
    return PMPI_Cart_create(comm, ndims, dims, periods, 0, cart);
}

int stencilmap_cart_create(MPI_Comm comm, int ndims, const int dims[], const int periods[],
                           int reorder, MPI_Comm *cart)
{
    struct smap_cart_request request = {.stencil = NULL};
    if (!reorder || !dims || !cart || !is_intracomm(comm) ||
        !fill_grid(&request.grid, comm, ndims, dims, periods))
        return create_plain(comm, ndims, dims, periods, cart);
    return create(comm, &request, cart);
}

/* NULL: all 1. False where one is not positive, or without memory. */
static bool copy_weights(uint32_t **copy, int k, const int weights[])
{
    *copy = NULL;
    if (!weights)
        return true;
    *copy = calloc((size_t)k, sizeof(**copy));
    for (int i = 0; *copy && i < k; i++) {
        if (weights[i] < 1) {
            free(*copy);
            *copy = NULL;
        } else {
            (*copy)[i] = (uint32_t)weights[i];
        }
    }
    return *copy != NULL;
}

int stencilmap_cart_stencil_create(MPI_Comm comm, int ndims, const int dims[], const int periods[],
                                   int reorder, int k, const int offsets[], const int weights[],
                                   MPI_Comm *cart)
{
    struct smap_cart_request request = {.stencil = NULL};
    struct smap_stencil *own = NULL;
    uint32_t *copy;
    if (is_intracomm(comm) && (k < 0 || (k > 0 && ndims > 0 && !offsets)))
        return refuse(comm, MPI_ERR_ARG);
    if (!reorder || k == 0 || !dims || !cart || !is_intracomm(comm) ||
        !fill_grid(&request.grid, comm, ndims, dims, periods))
        return create_plain(comm, ndims, dims, periods, cart);
    /* A stencil beyond the limits of the core is no error: it is not mapped. Neither is one that
     * this process alone has no memory for, which is for all to agree on. */
    bool able = copy_weights(&copy, k, weights) &&
                smap_stencil_create(&own, (size_t)ndims, (size_t)k, offsets, copy, NULL) == SMAP_OK;
    free(copy);
    request.stencil = able ? own : NULL;
    request.no_stencil = !able;
    int rc = create(comm, &request, cart);
    smap_stencil_destroy(able ? own : NULL);
    return rc;
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
    (void)reorder;
    return PMPI_Dist_graph_create_adjacent(comm, indegree, sources, sourceweights, outdegree,
                                           destinations, destweights, info, 0, graph);
}

int stencilmap_dist_graph_create(MPI_Comm comm, int n, const int sources[], const int degrees[],
                                 const int destinations[], const int weights[], MPI_Info info,
                                 int reorder, MPI_Comm *graph)
{
    (void)reorder;
    return PMPI_Dist_graph_create(comm, n, sources, degrees, destinations, weights, info, 0, graph);
}

int stencilmap_get_gain(MPI_Comm comm, int64_t gain[4], int *flag)
{
    (void)comm;
    (void)gain;
    *flag = 0;
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
